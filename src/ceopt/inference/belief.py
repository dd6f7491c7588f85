"""Everything that is believed, given data: P(G | D), and a surrogate for each set.

`infer` starts from nothing; `update` adds rows with hyperparameters and V^ held, and adding rows one by one
equals adding them at once; `refit` brings hyperparameters and V^ up to date.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ceopt.domain.dataset import Dataset
from ceopt.domain.intervention import Intervention
from ceopt.domain.orientation import oriented
from ceopt.domain.problem import Problem
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.inference import graph_posterior, surrogate
from ceopt.inference.effects import Effects
from ceopt.inference.graph_posterior import Evidence
from ceopt.inference.learnt import Learnt, Targets, learn
from ceopt.inference.local_scores import Rows
from ceopt.inference.scaling import unit_box
from ceopt.inference.surrogate import Held, Marginals, Surrogate, Told
from ceopt.inference.threads import one_blas_thread
from ceopt.maths.gp import Floats


@dataclass(frozen=True, eq=False)
class Belief:
    """The state of knowledge, oriented so that smaller is better, in standardised units."""

    problem: Problem
    data: Dataset
    learnt: Learnt
    evidence: Evidence
    graphs: WeightedGraphs  # P(G | D)
    surrogates: Mapping[Targets, Surrogate]

    def weights(self, targets: Targets) -> Floats:
        """P(G | D) by effect key of a set, (K,)."""
        return self.learnt.keys[targets].weights(self.graphs.probabilities)

    def marginals(self, targets: Targets, levels: Floats) -> Marginals:
        """Posterior mean and standard deviation of f_I at levels (L, d), in the user's units."""
        place = unit_box(self.problem, targets, levels)
        return self.surrogates[targets].marginals(place, self.effects(targets, levels))

    def effects(self, targets: Targets, levels: Floats) -> Effects:
        """The moments of Y at levels (L, d), in the user's units, for every key that matters now."""
        f = self.surrogates[targets]
        return self.learnt.effects(targets, levels, weighing(f.w, f.held.w))

    @property
    def held(self) -> dict[Targets, Held]:
        """What `update` leaves alone."""
        return {targets: one.held for targets, one in self.surrogates.items()}


def infer(
    problem: Problem, data: Dataset, learnt: Learnt | None = None, held: Mapping[Targets, Held] | None = None
) -> Belief:
    """The belief given all data; with `held`, hyperparameters and V^ are taken from there."""
    return _inferred(oriented(problem, data), learnt or learn(problem, data), held)


def under(belief: Belief, graphs: WeightedGraphs, sets: tuple[Targets, ...] | None = None) -> Belief:
    """The same data under another P(G) over the same variables, or for other sets only."""
    return _inferred(belief.data, belief.learnt.under(belief.problem.seen_with(graphs, sets)), None)


def _inferred(data: Dataset, learnt: Learnt, held: Mapping[Targets, Held] | None) -> Belief:
    """The belief given oriented data."""
    problem = learnt.problem
    nothing = replace(data, outcomes=data.outcomes[:0], interventions=())
    evidence = graph_posterior.start(learnt.mechanisms, problem.graphs)
    return _after(Belief(problem, nothing, learnt, evidence, problem.graphs, {}), data, held)


def update(belief: Belief, interventions: Sequence[Intervention], outcomes: Floats) -> Belief:
    """The belief after more rows (q, V), in the user's orientation; hyperparameters and V^ held."""
    told = Dataset(belief.data.variables, belief.data.observations[:0], outcomes, tuple(interventions))
    turned = oriented(belief.problem, told)
    return _after(belief, belief.data.with_rows(turned.interventions, turned.outcomes), belief.held)


def imagine(belief: Belief, interventions: Sequence[Intervention], values: Floats) -> Belief:
    """`update` with rows (q, V) as fantasies have them: standardised, and oriented."""
    rows = belief.learnt.scale.rows_back(values)
    return _after(belief, belief.data.with_rows(interventions, rows), belief.held)


def refit(belief: Belief) -> Belief:
    """The same data, with the surrogates' hyperparameters and V^ brought up to date."""
    with one_blas_thread():
        return replace(belief, surrogates=_surrogates(belief, None))


def _after(belief: Belief, data: Dataset, held: Mapping[Targets, Held] | None) -> Belief:
    """The belief once `data`, which begins with the belief's own rows, has been seen."""
    new = slice(len(belief.data.outcomes), None)
    learnt, prior = belief.learnt, belief.problem.graphs
    columns = {v: j for j, v in enumerate(data.variables)}
    rows = Rows(columns, learnt.scale.rows(data.outcomes[new]), data.targeted[new])
    with one_blas_thread():
        evidence = graph_posterior.see(belief.evidence, learnt, rows)
        graphs = graph_posterior.posterior(prior, learnt, evidence)
        after = replace(belief, data=data, evidence=evidence, graphs=graphs)
        return replace(after, surrogates=_surrogates(after, held))


def _surrogates(belief: Belief, held: Mapping[Targets, Held] | None) -> dict[Targets, Surrogate]:
    """A surrogate for each set: at the held hyperparameters, or at fitted ones."""
    return {targets: _surrogate(belief, targets, held) for targets in belief.problem.sets}


def weighing(*weights: Floats) -> NDArray[np.intp]:
    """The keys that have weight in one or the other."""
    return np.flatnonzero(np.any(np.stack(weights), axis=0))


def _surrogate(belief: Belief, targets: Targets, held: Mapping[Targets, Held] | None) -> Surrogate:
    w, settings = belief.weights(targets), belief.learnt.settings
    told, before = _told(belief, targets), belief.surrogates.get(targets)
    keys = weighing(w, held[targets].w) if held is not None else weighing(w)
    if before is not None and held is not None and _still_good(before, told, keys):
        return surrogate.reweighted(before, w)
    effects = belief.learnt.effects(targets, told.levels, keys)
    if held is None:
        noise = _noise(belief, targets, effects)
        held_now = surrogate.fitted(told, effects, w, noise, settings)
        return surrogate.make(told, effects, w, held_now, settings)
    return surrogate.make(told, effects, w, held[targets], settings)


def _still_good(before: Surrogate, told: Told, keys: NDArray[np.intp]) -> bool:
    """Whether nothing more was told about the set, and every key with weight was one before."""
    return bool(told.N.sum() == before.told.N.sum() and np.isin(keys, before.effects.keys).all())


def _told(belief: Belief, targets: Targets) -> Told:
    """What was told about a set: levels in the user's units, the target standardised."""
    data, scale = belief.data, belief.learnt.scale
    mine = [i for i, do in enumerate(data.interventions) if do.targets == targets]
    levels = np.array([data.interventions[i].levels for i in mine]).reshape(-1, len(targets))
    y = scale.rows(data.outcomes[mine])[:, data.column(belief.problem.target)]
    return surrogate.gather(levels, y, lambda distinct: unit_box(belief.problem, targets, distinct))


def _noise(belief: Belief, targets: Targets, effects: Effects) -> float:
    """The outcome noise expected: where there are outcomes, or midway under the likeliest key."""
    w = belief.weights(targets)
    if effects.E.shape[1]:
        expected = effects.moments(w).noise.mean()
    else:
        middle = np.array([[belief.problem.domain(v).grid(1)[0] for v in targets]])
        expected = belief.learnt.effects(targets, middle, np.array([w.argmax()])).N.mean()
    return max(float(expected), surrogate.NOISE_FLOOR)
