r"""P(G | D), in closed form: softmax over the support of log P(g) + log p(D | g).

log p(D | g) is a sum over nodes of local scores [eq:lik_dataI], so for each graph it is a look-up in one
table, plus what rows with missing values say (ceopt.inference.incomplete).  Everything stays in log space.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ceopt.domain.graph import Pair
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.inference import incomplete, local_scores
from ceopt.inference.learnt import Learnt
from ceopt.inference.local_scores import LocalScore, Rows
from ceopt.inference.mechanisms import Mechanism, Root
from ceopt.maths.gp import Floats


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that the data say about the graphs: a score for each pair, and the rest for each graph."""

    scores: Mapping[Pair, LocalScore]
    rest: Floats  # (G,)


def start(mechanisms: Mapping[Pair, Root | Mechanism], graphs: WeightedGraphs) -> Evidence:
    """The evidence of D^O."""
    scores = {pair: local_scores.start(mechanism) for pair, mechanism in mechanisms.items()}
    return Evidence(scores, np.zeros(len(graphs)))


def see(evidence: Evidence, learnt: Learnt, rows: Rows) -> Evidence:
    """The evidence after more rows; their order, and how they are cut into calls, does not matter."""
    scores = {pair: local_scores.see(pair, score, rows) for pair, score in evidence.scores.items()}
    rest = incomplete.log_likelihoods(learnt.mechanisms, learnt.bank, learnt.problem.graphs, rows)
    return Evidence(scores, evidence.rest + rest)


def posterior(prior: WeightedGraphs, learnt: Learnt, evidence: Evidence) -> WeightedGraphs:
    """P(G | D) from P(G)."""
    tempering = learnt.settings.tempering
    values = [local_scores.value(learnt.mechanisms[p], evidence.scores[p], tempering) for p in prior.pairs]
    scores = np.array(values)[prior.pair_index].sum(axis=1)
    return prior.reweighted(prior.log_weights + scores + evidence.rest)
