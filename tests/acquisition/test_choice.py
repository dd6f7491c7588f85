"""The choice: the best of all points, refined inside the domain, for each unit of cost."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from ceopt.acquisition import choice
from ceopt.acquisition.candidates import candidates
from ceopt.acquisition.choice import Ranked, Stage, is_nothing, ranking, runners_up
from ceopt.acquisition.gain import Gain
from ceopt.domain.intervention import Intervention
from tests.acquisition.worlds import CHAIN, P_CHAIN, believed, chain, observed

PEAK = {"A": 0.37, "B": -1.23}


@dataclass(frozen=True)
class Hill:
    """A score that peaks at PEAK, lower with each variable set; half of it is about the graph."""

    peak: tuple = tuple(PEAK.items())
    penalty: float = 0.5
    asked: tuple = ()

    def height(self, targets, levels):
        peak = dict(self.peak)
        distance = sum((levels[:, k] - peak[v]) ** 2 for k, v in enumerate(targets))
        return np.exp(-distance) * np.exp(-self.penalty * (len(targets) - 1)) * (1 + 0.1 * ("A" in targets))

    def __call__(self, belief, points, at):
        sets = belief.problem.sets
        heights = [self.height(t, x)[s] for t, x, s in zip(sets, points, at, strict=True)]
        return tuple(Gain(0.75 * h, 0.25 * h) for h in heights)

    def coarse(self):
        return self


def compared(belief, count):
    return [
        Hill().height(t, candidates(belief, t, count))
        / belief.problem.price(Intervention(t, (0.0,) * len(t)))
        for t in belief.problem.sets
    ]


@pytest.mark.parametrize("count", [2, 7, 20])
def test_the_winner_is_at_least_as_good_as_every_point_and_nearer_the_peak(count):
    belief = chain()
    ranked = ranking([belief], Hill(), count)
    best = ranked[0]
    assert best.worth >= max(h.max() for h in compared(belief, count))
    assert best.intervention.targets == ("A",)
    assert 1.1 * np.exp(-1.0) < best.worth <= 1.1
    assert belief.problem.inside(best.intervention)
    if count == 20:
        assert best.intervention.levels[0] == pytest.approx(PEAK["A"], abs=0.05)


def test_every_point_is_ranked_with_its_own_gain_the_best_first():
    belief = chain()
    points = tuple(candidates(belief, t, 7) for t in belief.problem.sets)
    ranked = Stage([belief], points, Hill()).ranked([np.arange(len(x)) for x in points])
    expected = sorted(np.concatenate(compared(belief, 7)), reverse=True)
    np.testing.assert_allclose([one.worth for one in ranked], expected, atol=1e-12)
    for one in ranked:
        height = Hill().height(one.intervention.targets, np.array([one.intervention.levels]))[0]
        assert (one.optimum, one.graph) == pytest.approx((0.75 * height, 0.25 * height))
        assert one.worth == pytest.approx(height / len(one.intervention.targets))


def test_after_refinement_the_best_of_each_set_is_still_there_and_the_best_comes_first():
    belief = chain()
    ranked = ranking([belief], Hill(), 7)
    worth = [one.worth for one in ranked]
    assert worth == sorted(worth, reverse=True)
    assert len({one.intervention for one in ranked}) == len(ranked)
    for targets, heights in zip(belief.problem.sets, compared(belief, 7), strict=True):
        assert (
            max(one.worth for one in ranked if one.intervention.targets == targets) >= heights.max() - 1e-12
        )


@pytest.mark.parametrize("spec", [[-2, -0.5, 0.4, 2], (-2, 2, 0.25)])
def test_refinement_stays_among_the_allowed_levels(spec):
    belief = believed(CHAIN, P_CHAIN, observed(outcomes=False), domains={"A": spec, "B": (-2, 2)})
    ranked = ranking([belief], Hill(), 6)
    assert all(belief.problem.inside(one.intervention) for one in ranked)
    allowed = belief.problem.domain("A").levels
    assert ranked[0].intervention.levels[0] == min(allowed, key=lambda x: abs(x - PEAK["A"]))


def test_where_all_levels_were_compared_there_is_nothing_to_refine():
    listed = {"A": [-1, 0, 1], "B": [0, 1]}
    belief = believed(CHAIN, P_CHAIN, observed(outcomes=False), domains=listed)
    ranked = ranking([belief], Hill(), 6)
    assert len(ranked) == len({one.intervention for one in ranked}) == 3 + 2 + 6


def test_a_set_that_costs_twice_as_much_is_worth_half():
    def cost(do):
        return 2.0 if set(do) == {"A"} else 1.0

    belief = chain()
    dear = replace(belief, problem=believed(CHAIN, P_CHAIN, observed(), cost=cost).problem)
    even = replace(belief, problem=believed(CHAIN, P_CHAIN, observed(), cost=lambda do: 1.0).problem)
    points = [candidates(belief, t, 5) for t in belief.problem.sets]
    at = [np.arange(len(x)) for x in points]
    of_dear, of_even = (
        {one.intervention: one for one in Stage([b], tuple(points), Hill()).ranked(at)} for b in (dear, even)
    )
    for do, one in of_even.items():
        assert of_dear[do].worth == pytest.approx(one.worth / (2 if do.targets == ("A",) else 1))
        assert of_dear[do][1:3] == one[1:3]
    assert ranking([even], Hill(), 9)[0].intervention.targets == ("A",)
    assert ranking([dear], Hill(), 9)[0].intervention.targets == ("B",)


def test_the_price_may_depend_on_the_level():
    belief = replace(
        chain(),
        problem=believed(CHAIN, P_CHAIN, observed(), cost=lambda do: 1 + sum(map(abs, do.values()))).problem,
    )
    for one in ranking([belief], Hill(), 5):
        price = 1 + sum(map(abs, one.intervention.levels))
        assert one.worth == pytest.approx((one.optimum + one.graph) / price)


@dataclass(frozen=True)
class Weighted(Hill):
    """The hill, as high as the number of outcomes the belief has seen."""

    def __call__(self, belief, points, at):
        factor = len(belief.data.interventions)
        return tuple(Gain(factor * g.optimum, factor * g.graph) for g in super().__call__(belief, points, at))


def test_gains_are_averaged_over_the_worlds():
    seen, unseen = chain(), chain(outcomes=False)
    many, one = ranking([seen, seen, unseen], Weighted(), 4), ranking([seen], Hill(), 4)
    for averaged, alone in zip(many, one, strict=True):
        assert averaged.intervention == alone.intervention
        assert averaged[1:] == pytest.approx(np.array(alone[1:]) * 10 / 3)


@dataclass(frozen=True)
class Recorded(Hill):
    """The hill, and what was asked of it; its coarse look is a hill elsewhere."""

    def __call__(self, belief, points, at):
        sets = belief.problem.sets
        self.asked.append(
            {(t, tuple(x)) for t, levels, s in zip(sets, points, at, strict=True) for x in levels[s].tolist()}
        )
        return super().__call__(belief, points, at)

    def coarse(self):
        return Hill(peak=(("A", 1.4), ("B", 1.4)))


def test_of_very_many_points_only_the_best_of_a_coarse_look_are_compared(monkeypatch):
    monkeypatch.setattr(choice, "COMPARED", 10)
    belief, score = chain(), Recorded(asked=[])
    ranked = ranking([belief], score, 20)
    coarse = sorted(
        (-score.coarse().height(t, x[None])[0] / len(t), t, tuple(x.tolist()))
        for t in belief.problem.sets
        for x in candidates(belief, t, 20)
    )
    assert score.asked[0] == {(t, x) for _, t, x in coarse[:10]}
    assert score.asked[1] == {(one.intervention.targets, one.intervention.levels) for one in ranked}


def test_places_go_to_their_own_levels_where_few_are_compared(monkeypatch):
    monkeypatch.setattr(choice, "COMPARED", 12)
    for one in ranking([chain()], Hill(), 9):
        height = Hill().height(one.intervention.targets, np.array([one.intervention.levels]))[0]
        assert one.optimum == pytest.approx(0.75 * height)


def ranked(*worths):
    sets = [("A",), ("B",), ("A",), ("A", "B"), ("B",), ("C",), ("D",)]
    return [
        Ranked(Intervention(t, tuple(float(i) for _ in t)), 0.0, 0.0, w)
        for i, (t, w) in enumerate(zip(sets, worths, strict=False))
    ]


def test_runners_up_are_the_best_of_each_other_set():
    found = runners_up(ranked(9, 8, 7, 6, 5, 4, 3))
    assert [(one.intervention.targets, one.worth) for one in found] == [
        (("B",), 8),
        (("A", "B"), 6),
        (("C",), 4),
    ]
    assert [one.worth for one in runners_up(ranked(9, 8, 7, 6), most=1)] == [8]
    assert runners_up(ranked(9)) == ()
    assert [one.worth for one in runners_up(ranked(9, 8, 7, 0.0, 5, -1.0))] == [
        8
    ]  # the others promise nothing


def test_nothing_is_no_gain_or_one_that_cannot_be_told():
    assert is_nothing(ranked(0.0, -1.0))
    assert is_nothing(ranked(1e-10))
    assert is_nothing(ranked(1.0, np.nan))
    assert is_nothing(ranked(np.inf, 1.0))
    assert not is_nothing(ranked(1e-8, -1.0))
