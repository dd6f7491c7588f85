"""What is known about causes, turned into the states that each pair of variables can be in.

A pair of variables is in one of three states: no edge, or an edge one way or the other. Statements narrow
them down, and a probability may be given to an edge. Where two of the required and undecided ones speak of
the same pair, the one with fewer "*" counts, and two that count equally must agree; what is forbidden is so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from ceopt.domain.graph import Graph
from ceopt.domain.variable import as_number
from ceopt.errors import GraphError
from ceopt.graphs.claims import Claim, Edge, State, check_known, checked_variables, claims

PairStates: TypeAlias = dict[tuple[str, str], dict[State, float]]
"""For each pair of variables, sorted: every possible state and its probability, above zero."""

ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """Statements as the user makes them; GraphPrior.from_knowledge says what each means.

    >>> known = Knowledge(variables=["a", "b", "c"], required=["a -> b"], undecided=["b ?> c"])
    >>> states = known.pair_states()
    >>> states["a", "b"], states["a", "c"], states["b", "c"]
    ({('a', 'b'): 1.0}, {None: 1.0}, {None: 0.5, ('b', 'c'): 0.5})
    """

    variables: Sequence[str]
    required: Iterable[str] = ()
    undecided: Iterable[str] | None = None
    forbidden: Iterable[str] = ()
    tiers: Sequence[Sequence[str]] | None = None
    edge_probabilities: Mapping[str, float] | None = None
    target: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "variables", checked_variables(self.variables))
        for name in ("required", "undecided", "forbidden"):
            texts = getattr(self, name)
            if texts is not None:
                object.__setattr__(self, name, (texts,) if isinstance(texts, str) else tuple(texts))
        given: object = self.edge_probabilities or {}
        if not isinstance(given, Mapping):
            raise GraphError(f"edge_probabilities is a mapping such as {{'a -> b': 0.8}}, but got {given!r}")

    def pair_states(self) -> PairStates:
        """What is possible for each pair, and how probable; refuses what contradicts itself."""
        possible = _without_banned(self, _declared(self))
        chances = _chances(self, possible)
        states = {pair: _shared_out(pair, possible[pair], chances.get(pair, {})) for pair in possible}
        Graph(tuple(self.variables), certain_edges(states))  # refuses a cycle
        return states


def certain_edges(states: PairStates) -> frozenset[Edge]:
    """The edges of pairs that can be in no other state."""
    return frozenset(edge for options in states.values() if len(options) == 1 for edge in options if edge)


def _declared(known: Knowledge) -> dict[tuple[str, str], tuple[frozenset[State], str]]:
    """For each pair, the states declared possible and by which statement."""
    undecided = ["* - *"] if known.undecided is None else known.undecided
    made = [
        *claims("required", known.required, known.variables),
        *claims("undecided", undecided, known.variables),
    ]
    settled: dict[tuple[str, str], Claim] = {}
    for claim in sorted(made, key=lambda claim: claim.stars):
        rival = settled.setdefault(claim.pair, claim)
        if rival.stars == claim.stars and rival.meaning != claim.meaning:
            a, b = claim.pair
            raise GraphError(f"{rival} and {claim} say different things about {a!r} and {b!r}; keep one")
    nothing = (frozenset[State]([None]), "")
    pairs = combinations(known.variables, 2)
    return {p: (settled[p].meaning, str(settled[p])) if p in settled else nothing for p in pairs}


def _without_banned(
    known: Knowledge, declared: dict[tuple[str, str], tuple[frozenset[State], str]]
) -> dict[tuple[str, str], frozenset[State]]:
    """What is declared possible and ruled out by nothing."""
    bans = _bans(known)
    possible = {}
    for pair, (states, statement) in declared.items():
        possible[pair] = frozenset(state for state in states if state not in bans)
        if not possible[pair]:
            reasons = " and ".join(sorted({bans[state] for state in states if state}))
            raise GraphError(f"{statement} contradicts {reasons}; drop one of them")
    return possible


def _bans(known: Knowledge) -> dict[State, str]:
    """The edges that cannot be, each with the reason."""
    bans: dict[State, str] = {}
    for late, early, reason in _against_tiers(known):
        bans[late, early] = reason
    if known.target is not None:
        check_known(known.target, "target", known.variables)
        reason = f"target {known.target!r}, which is taken to cause nothing"
        bans |= {(known.target, v): reason for v in known.variables}
    bans |= {claim.edge: str(claim) for claim in claims("forbidden", known.forbidden, known.variables)}
    return bans


def _against_tiers(known: Knowledge) -> Iterator[tuple[str, str, str]]:
    """(variable of a later tier, variable of an earlier tier, why that is no edge)."""
    earlier: list[str] = []
    for tier in known.tiers or ():
        if isinstance(tier, str) or not isinstance(tier, Iterable):
            raise GraphError(
                f"tiers is a list of lists of variables, but one tier is {tier!r}; write [{tier!r}]"
            )
        for v in tier:
            check_known(v, "tiers", known.variables)
            if v in earlier or list(tier).count(v) > 1:
                raise GraphError(f"tiers name {v!r} more than once; a variable is in one tier")
            yield from ((v, early, f"tiers, where {early!r} comes before {v!r}") for early in earlier)
        earlier += tier


def _chances(
    known: Knowledge, possible: Mapping[tuple[str, str], frozenset[State]]
) -> dict[tuple[str, str], dict[State, float]]:
    """The probabilities given to edges, by pair."""
    given = known.edge_probabilities or {}
    settled: dict[State, Claim] = {}
    chances: dict[tuple[str, str], dict[State, float]] = {pair: {} for pair in possible}
    for claim in sorted(claims("edge_probabilities", given, known.variables), key=lambda claim: claim.stars):
        p, states = _probability(claim, given), possible[claim.pair]
        ruled_out = claim.edge not in states
        if claim.stars and (ruled_out or len(states) == 1):
            continue  # a star speaks only of what is still open
        if ruled_out and p > 0:
            raise GraphError(f"{claim} is {p:g}, but by all else there is no such edge; drop one of them")
        rival = settled.setdefault(claim.edge, claim)
        if rival.stars == claim.stars and p != given[rival.text]:
            raise GraphError(f"{rival} and {claim} give different probabilities; keep one")
        if rival is claim and not ruled_out:
            chances[claim.pair][claim.edge] = p
    return chances


def _probability(claim: Claim, given: Mapping[str, float]) -> float:
    p = as_number(given[claim.text])
    if p is None or not 0 <= p <= 1:
        raise GraphError(f"{claim} is a probability from 0 to 1, but got {given[claim.text]!r}")
    return p


def _shared_out(
    pair: tuple[str, str], states: frozenset[State], chances: Mapping[State, float]
) -> dict[State, float]:
    """The given probabilities, and what they leave spread evenly over the other possible states."""
    ordered = [state for state in (None, pair, pair[::-1]) if state in states]
    unsaid = len(ordered) - len(chances)
    rest = 1 - math.fsum(chances.values())
    rest = 0.0 if abs(rest) < ROUNDING else rest
    if rest < 0 or (rest > 0 and not unsaid):
        but = "leaves no other state" if rest > 0 else "is more than 1"
        total = 1 - rest
        raise GraphError(f"edge_probabilities of {pair[0]!r} and {pair[1]!r} sum to {total:g}, which {but}")
    shares = {state: chances.get(state, rest / max(unsaid, 1)) for state in ordered}
    return {state: p for state, p in shares.items() if p > 0}
