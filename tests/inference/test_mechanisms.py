"""Mechanisms: evidence, function draws, bounds on work, and the units they are learnt in."""

import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.gaussian_process.kernels import RBF, CompoundKernel, ConstantKernel, WhiteKernel

import ceopt
from ceopt.errors import ProblemError
from ceopt.inference import mechanisms
from ceopt.inference.mechanisms import Root, learn, learn_all, prior_of
from ceopt.inference.scaling import scale_of, unit_box
from ceopt.inference.settings import Mechanisms
from ceopt.inference.simulation import expected_and_drawn, make_bank, replayed
from ceopt.maths import conjugate, fit, gp

COLUMNS = {"A": 0, "B": 1, "Y": 2}
BOX = np.array([[-3.0] * 3, [3.0] * 3])
PAIRS = [("A", ()), ("B", ("A",)), ("Y", ("A", "B")), ("Y", ("B",))]


@pytest.fixture
def rows(rng):
    A = rng.uniform(-2, 2, 80)
    B = np.sin(2 * A) + 0.2 * rng.normal(size=80)
    Y = B**2 + 0.3 * rng.normal(size=80)
    rows = np.column_stack([A, B, Y])
    return (rows - rows.mean(axis=0)) / rows.std(axis=0)


def test_the_evidence_of_a_local_score_is_an_integral_over_its_hyperparameter(rows):
    fixed = ConstantKernel(0.9, "fixed") * RBF(0.8, "fixed")
    mechanism = learn(("B", ("A",)), rows, COLUMNS, BOX, Mechanisms(kernel=fixed))
    regression, prior = fit.rows(mechanism.kernel, rows[:, [0]], rows[:, 1]), prior_of(mechanism.kernel)
    f = fit.log_posterior(regression, prior)
    top = mechanism.evidence
    integral, _ = quad(lambda t: np.exp(f(np.array([t]))[0] - top), -8, 3, points=[-3.0], limit=200)
    assert np.log(integral) == pytest.approx(0, abs=0.02)


def test_a_root_has_the_conjugate_evidence(rows):
    root = learn(("A", ()), rows, COLUMNS, BOX, Mechanisms())
    assert isinstance(root, Root)
    assert root.evidence == conjugate.log_evidence(np.sort(rows[:, 0]))


def test_several_processes_give_the_same_as_one(rows, monkeypatch):
    alone = learn_all(PAIRS, rows, COLUMNS, BOX, Mechanisms())
    monkeypatch.setattr(mechanisms, "WORTH_PROCESSES", 0.0)
    together = learn_all(PAIRS, rows, COLUMNS, BOX, Mechanisms())
    assert [*together] == PAIRS
    for pair in PAIRS:
        assert together[pair].evidence == alone[pair].evidence
        if pair[1]:
            assert (together[pair].W == alone[pair].W).all()


def test_function_draws_have_the_posterior_mean_and_covariance(rows):
    f = learn(("B", ("A",)), rows, COLUMNS, BOX, Mechanisms(draws=4000))
    x = np.array([-2.8, -1.0, 0.3, 2.5])[:, None]
    mean, deviations = expected_and_drawn(f, x[:, None, None])
    np.testing.assert_allclose(mean[:, 0, 0], f.mean(x), atol=1e-9)
    np.testing.assert_allclose(deviations.mean(axis=1), 0, atol=1e-9)  # mirrored
    K_sX, K_ss = f.kernel.matrix(f.theta, x, f.X), f.kernel.matrix(f.theta, x, x)
    expected = gp.covariance(f.given, K_sX, K_ss)
    received = np.cov(deviations[:, :, 0])
    sd = np.sqrt(np.diag(expected))
    np.testing.assert_allclose(received / np.outer(sd, sd), expected / np.outer(sd, sd), atol=0.1)


def test_noise_has_a_floor_relative_to_its_variable(rows):
    exact = rows.copy()
    exact[:, 1] = np.sin(rows[:, 0])
    for floor in (1e-6, 1e-2):
        mechanism = learn(("B", ("A",)), exact, COLUMNS, BOX, Mechanisms(noise_floor=floor))
        assert floor <= mechanism.s2 < 2 * floor


def test_the_start_found_on_some_rows_is_polished_on_all(rng, monkeypatch):
    A = rng.uniform(-2, 2, 400)
    rows = np.column_stack([A, np.sin(2 * A) + 0.3 * rng.normal(size=400), A])
    quick = learn(("B", ("A",)), rows, COLUMNS, BOX, Mechanisms())
    monkeypatch.setattr(mechanisms, "SEARCH_ROWS", 1000)
    thorough = learn(("B", ("A",)), rows, COLUMNS, BOX, Mechanisms())
    np.testing.assert_allclose(quick.theta, thorough.theta, atol=1e-3)
    assert quick.evidence == pytest.approx(thorough.evidence, abs=1e-3)


def test_any_kernel_of_scikit_learn_serves(rows):
    kernel = ConstantKernel(1.0) * RBF(2.0)
    for choice in (kernel, lambda d: ConstantKernel(1.0) * RBF([2.0] * d)):
        ours = learn(("B", ("A",)), rows, COLUMNS, BOX, Mechanisms())
        theirs = learn(("B", ("A",)), rows, COLUMNS, BOX, Mechanisms(kernel=choice))
        assert theirs.evidence == pytest.approx(ours.evidence, abs=1e-5)


UNUSABLE = {
    "for another number of parents": (RBF([1.0, 1.0, 1.0]), "Y"),
    "noise of its own": (RBF(1.0) + WhiteKernel(0.1), "leave WhiteKernel out"),
    "several at once": (CompoundKernel([RBF(1.0), RBF(2.0)]), "kernel="),
    "a function of no argument": (lambda: RBF(1.0), "kernel="),
    "a function that gives text": (lambda d: "rbf", "kernel="),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_kernel_that_cannot_be_used_is_refused_with_its_pair(name, rows):
    kernel, named = UNUSABLE[name]
    with pytest.raises(
        ProblemError, match=r"kernel= cannot be used for 'Y' given its 2 parent\(s\).*"
    ) as refused:
        learn(("Y", ("A", "B")), rows, COLUMNS, BOX, Mechanisms(kernel=kernel))
    assert named in str(refused.value)


def test_noise_points_are_shared_by_a_mirrored_pair_and_replay_every_value():
    bank = make_bank(("A", "B"), Mechanisms(draws=8, points=64))
    assert bank.U.shape == (2, 8, 64)
    assert (bank.U[:, :4] == bank.U[:, 4:]).all()
    assert (bank.U[:, 0] != bank.U[:, 1]).any()
    values = np.arange(32.0)
    drawn = replayed(Root(values, 0.0), bank.U[0])
    assert [np.bincount(row.astype(int), minlength=32).tolist() for row in drawn] == [[2] * 32] * 8


def test_scaling_there_and_back(rng):
    graphs = ceopt.GraphPrior.from_graphs(["A -> B; B -> Y"])
    problem = ceopt.Problem(
        target="Y", direction="minimize", domains={"A": (10, 30), "B": (0, 1)}, graphs=graphs
    )
    rows = rng.normal(size=(50, 3)) * [2, 0, 5] + [20, 7, -3]
    scale = scale_of(problem, ("A", "B", "Y"), rows)
    standard = scale.rows(rows)
    np.testing.assert_allclose(standard.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(standard.std(axis=0), [1, 0, 1])
    np.testing.assert_allclose(scale.mean_back("Y", standard[:, 2]), rows[:, 2])
    np.testing.assert_allclose(scale.sd_back("Y", np.ones(1)), rows[:, 2].std())
    assert scale.levels(("B",), np.array([[7.5], [7.0]])).ravel().tolist() == [
        1.0,
        0.0,
    ]  # half a domain is one
    assert unit_box(problem, ("A", "B"), np.array([[15.0, 0.5]])).tolist() == [[0.25, 0.5]]
