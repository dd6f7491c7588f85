"""A system on its own: what it refuses, and what do means."""

import math

import numpy as np
import pytest

from ceopt.errors import GraphError, OutcomeError, ProblemError
from ceopt.problems import Equation, System
from ceopt.problems.scm import normal, still, uniform

EQUATIONS = {
    "h": Equation((), lambda eps: eps, normal()),
    "dose": Equation(("h",), lambda h, eps: h + eps, uniform(-1, 1)),
    "state": Equation(("dose",), lambda dose, _: 2 * dose, still),
    "psa": Equation(("state", "h"), lambda state, h, eps: state - h + eps, normal(0.5)),
}
SEEN = System(EQUATIONS, target="psa")
HALF_SEEN = System(EQUATIONS, target="psa", hidden=("h",))


def test_columns_come_in_causal_order_without_the_hidden_ones() -> None:
    assert list(SEEN.sample(3, rng=0)) == ["h", "dose", "state", "psa"]
    assert list(HALF_SEEN.sample(3, rng=0)) == ["dose", "state", "psa"]
    assert SEEN.sample(3, rng=0)["psa"].equals(HALF_SEEN.sample(3, rng=0)["psa"])


def test_setting_a_variable_to_zero_is_an_intervention() -> None:
    rows = SEEN.sample(100, {"dose": 0}, rng=0)
    assert (rows["dose"] == 0).all()
    assert (rows["state"] == 0).all()
    assert rows["psa"].std() > 0.5


def test_setting_the_target_leaves_its_causes_alone() -> None:
    observed, done = SEEN.sample(10, rng=0), SEEN.sample(10, {"psa": 3.0}, rng=0)
    assert (done["psa"] == 3).all()
    assert done.drop(columns="psa").equals(observed.drop(columns="psa"))


def test_the_mean_is_of_the_target_and_meets_the_same_noises_each_time() -> None:
    assert SEEN.mean({"dose": 1.0}) == SEEN.mean({"dose": 1.0})
    assert SEEN.mean({"dose": 1.5}) - SEEN.mean({"dose": 1.0}) == pytest.approx(1.0, abs=1e-12)
    assert SEEN.mean(n=50, rng=4) == SEEN.sample(50, rng=4)["psa"].mean()


def test_a_generator_goes_on_where_it_was() -> None:
    rng = np.random.default_rng(0)
    first, second = SEEN.sample(5, rng=rng), SEEN.sample(5, rng=rng)
    assert first.equals(SEEN.sample(5, rng=0))
    assert not first.equals(second)


def test_the_graph_is_that_of_the_equations() -> None:
    assert SEEN.graph.text == "dose -> state; h -> dose; h -> psa; state -> psa"
    with pytest.raises(GraphError, match="h hidden: no graph over the rest is the true one"):
        _ = HALF_SEEN.graph


@pytest.mark.parametrize(
    ("do", "text"),
    [
        ({"dosee": 1.0}, "cannot set 'dosee': the variables are dose, state, psa; did you mean 'dose'?"),
        ({"h": 1.0}, "cannot set 'h': the variables are dose, state, psa"),
        ({"dose": math.nan}, "cannot set 'dose' to nan; give a finite number"),
        ({"dose": "1"}, "cannot set 'dose' to '1'; give a finite number"),
    ],
)
def test_what_cannot_be_set_is_refused_by_name(do: dict[str, float], text: str) -> None:
    for call in (HALF_SEEN.sample, lambda n, do: HALF_SEEN.mean(do, n)):
        with pytest.raises(OutcomeError) as refused:
            call(5, do)
        assert str(refused.value).startswith(text)


def test_fewer_than_one_sample_is_refused() -> None:
    with pytest.raises(OutcomeError, match="asked for 0 samples; ask for at least one"):
        SEEN.sample(0)


@pytest.mark.parametrize(
    ("equations", "target", "hidden", "text"),
    [
        (
            dict(reversed(EQUATIONS.items())),
            "psa",
            (),
            r"equation of 'psa' uses \['h', 'state'\]; list these before it",
        ),
        (EQUATIONS, "PSA", (), "'PSA' has no equation; did you mean 'psa'"),
        (EQUATIONS, "psa", ("z",), "'z' has no equation"),
        (EQUATIONS, "psa", ("psa",), "the target 'psa' is hidden"),
    ],
)
def test_a_system_that_cannot_be_is_refused(
    equations: dict[str, Equation], target: str, hidden: tuple[str, ...], text: str
) -> None:
    with pytest.raises(ProblemError, match=text):
        System(equations, target, hidden)
