r"""Rows in which something was not measured: what they still say about the graph.

A pair's own factor needs its node and all its parents.  Where a parent is missing, dropping the factor would
favour the graphs that lose it (docs/decisions/002), so the missing causes are integrated out instead:

    p(v_seen | do(x_I), g) = E over the missing causes of  prod_b N(v_b; m_b(Pa_b), C_b(Pa_b) + s2_b),

b the measured nodes with a missing parent, the missing ones drawn from their mechanisms in causal order,
given D^O. Missing nodes without a measured descendant integrate to one.  Graphs that agree on the pairs
involved share the value.
"""

from collections.abc import Iterator, Mapping

import numpy as np
from scipy.special import logsumexp, ndtri

from ceopt.domain.graph import Graph, Pair
from ceopt.domain.weighted_graphs import WeightedGraphs
from ceopt.inference.keys import Booleans, missing_keys
from ceopt.inference.local_scores import Rows
from ceopt.inference.mechanisms import Mechanism, Root
from ceopt.inference.simulation import Bank, Fitted, replayed
from ceopt.maths.gp import LOG_2PI, Floats


def log_likelihoods(learnt: Fitted, bank: Bank, graphs: WeightedGraphs, rows: Rows) -> Floats:
    """(G,): what the factors with a missing parent add to log p(D | g)."""
    total = np.zeros(len(graphs))
    for some in _by_pattern(rows):
        missing, was_set = np.isnan(some.values[0]), some.was_set[0]
        keys, relevant = missing_keys(graphs, missing, was_set)
        examples = [graphs.graphs[g] for g in keys.example]
        involved = [_in_order(graph, on) for graph, on in zip(examples, relevant[keys.example], strict=True)]
        total += np.array([_log_marginal(learnt, bank, pairs, some) for pairs in involved])[keys.of]
    return total


def _in_order(graph: Graph, relevant: Booleans) -> tuple[Pair, ...]:
    """The relevant pairs of a graph, every cause before its effects."""
    wanted = {v for v, on in zip(graph.variables, relevant, strict=True) if on}
    return tuple((v, graph.parents(v)) for v in graph.order if v in wanted)


def _by_pattern(rows: Rows) -> Iterator[Rows]:
    """The rows that miss something, those that miss and set the same variables together."""
    hidden = np.isnan(rows.values)
    patterns = np.concatenate([hidden, rows.was_set], axis=1)
    for pattern in np.unique(patterns[hidden.any(axis=1)], axis=0):
        same = (patterns == pattern).all(axis=1)
        yield Rows(rows.columns, rows.values[same], rows.was_set[same])


def _log_marginal(learnt: Fitted, bank: Bank, pairs: tuple[Pair, ...], rows: Rows) -> float:
    """The log of the expectation above, summed over rows (q, V) of one pattern."""
    values: dict[str, Floats] = {v: rows.values[:, [j]] for v, j in rows.columns.items()}  # (q, 1) or (q, M)
    log_p = np.zeros((1, 1))
    for v, parents in pairs:
        mechanism = learnt[v, parents]
        if np.isnan(values[v]).any():
            u = bank.distinct(v).reshape(1, -1)
            values[v] = _drawn(mechanism, values, parents, u)
        elif isinstance(mechanism, Mechanism):
            mean, variance = _predicted(mechanism, values, parents)
            log_p = log_p - 0.5 * ((values[v] - mean) ** 2 / variance + np.log(variance) + LOG_2PI)
    return float((logsumexp(log_p, axis=1) - np.log(log_p.shape[1])).sum())


def _drawn(
    mechanism: Root | Mechanism, values: Mapping[str, Floats], parents: tuple[str, ...], u: Floats
) -> Floats:
    """Draws of a missing node, (q or 1, M), from uniform noise u (1, M)."""
    if isinstance(mechanism, Root):
        return replayed(mechanism, u)
    mean, variance = _predicted(mechanism, values, parents)
    return np.asarray(mean + np.sqrt(variance) * ndtri(u))


def _predicted(f: Mechanism, values: Mapping[str, Floats], parents: tuple[str, ...]) -> tuple[Floats, Floats]:
    """Predictive mean and variance of a node at its parents' values, (q, M)."""
    P = np.stack(np.broadcast_arrays(*(values[u] for u in parents)), axis=-1)
    flat = P.reshape(-1, P.shape[-1])
    return f.mean(flat).reshape(P.shape[:-1]), f.variance(flat).reshape(P.shape[:-1]) + f.s2
