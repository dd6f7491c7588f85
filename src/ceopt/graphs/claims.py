"""Single statements about pairs of variables: what they may say and which pairs they speak of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from ceopt.domain.graph import check_name
from ceopt.errors import GraphError, did_you_mean
from ceopt.graphs.text import parse_link

Edge: TypeAlias = tuple[str, str]  # (cause, effect)
State: TypeAlias = Edge | None  # None: no edge

SIGNS = {
    "required": ("->",),
    "undecided": ("-", "--", "?>"),
    "forbidden": ("->",),
    "edge_probabilities": ("->",),
}


class Claim(NamedTuple):
    """One statement about one pair, its stars filled in."""

    argument: str
    text: str
    stars: int
    sign: str
    cause: str
    effect: str

    @property
    def edge(self) -> Edge:
        """The arrow from its left name to its right name."""
        return self.cause, self.effect

    @property
    def pair(self) -> tuple[str, str]:
        """Its two names, sorted."""
        return min(self.cause, self.effect), max(self.cause, self.effect)

    @property
    def meaning(self) -> frozenset[State]:
        """The states that the statement leaves open."""
        edge, back = self.edge, (self.effect, self.cause)
        left_open: dict[str, list[State]] = {
            "->": [edge],
            "-": [None, edge, back],
            "--": [edge, back],
            "?>": [None, edge],
        }
        return frozenset(left_open[self.sign])

    def __str__(self) -> str:
        return f"{self.argument} {self.text!r}"


def claims(argument: str, texts: Iterable[object], variables: Sequence[str]) -> Iterator[Claim]:
    """Each statement, once for each pair that its stars stand for."""
    for text in texts:
        link = parse_link(text) if isinstance(text, str) else None
        if link is None or link.sign not in SIGNS[argument]:
            wanted = " or ".join(f"'a {sign} b'" for sign in SIGNS[argument])
            raise GraphError(f"{argument} has {text!r}, but wants {wanted}, with spaces around the sign")
        where = f"{argument} {text!r}"
        causes, effects = (_meant(name, where, variables) for name in (link.left, link.right))
        if link.left == link.right != "*":
            raise GraphError(f"{where} links {link.left!r} with itself; name two variables")
        stars = (link.left == "*") + (link.right == "*")
        for cause in causes:
            for effect in effects:
                if cause != effect:
                    yield Claim(argument, str(text), stars, link.sign, cause, effect)


def _meant(name: str, where: str, variables: Sequence[str]) -> Sequence[str]:
    """The variables that a name stands for: itself, or all for "*"."""
    if name == "*":
        return variables
    check_known(name, where, variables)
    return (name,)


def check_known(name: str, where: str, variables: Sequence[str]) -> None:
    """Refuse a name that is no variable; `where` says who named it."""
    if name not in variables:
        raise GraphError(f"{where} names {name!r}, which is no variable{did_you_mean(name, variables)}")


def checked_variables(variables: Iterable[str]) -> tuple[str, ...]:
    """The names, sorted: at least one, each once."""
    names = tuple(variables)
    if isinstance(variables, str) or not names:
        raise GraphError(f"variables is a list of one name or more, but got {variables!r}")
    for name in names:
        check_name(name)
        if names.count(name) > 1:
            raise GraphError(f"variables names {name!r} more than once; name it once")
    return tuple(sorted(names))
