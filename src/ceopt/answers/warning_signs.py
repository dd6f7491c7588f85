"""Early warnings in words: what puts the answers in question, and what would help."""

from __future__ import annotations

from ceopt.domain.intervention import Intervention
from ceopt.inference.belief import Belief
from ceopt.inference.checks import IDLE, extrapolated, reaching, refuted


def about_belief(belief: Belief) -> tuple[str, ...]:
    """Whatever puts the belief itself in question."""
    found = []
    if refuted(belief):
        found.append(
            "what was told would be very surprising under every graph stated: a cause may be missing or"
            " hidden, or an edge point the wrong way; state more graphs, or check the latest outcomes"
        )
    chances = reaching(belief)
    if max(chances.values()) < IDLE:
        found.append(_idle(", ".join(chances), belief))
    return tuple(found)


def _idle(named: str, belief: Belief) -> str:
    """That nothing seems to move the target; observations alone say that with less right."""
    target = belief.problem.target
    if belief.data.interventions:
        return f"by now it is unlikely that any of {named} moves {target}: look for another variable to set"
    return (
        f"from observations alone it looks as if none of {named} moved {target}; observations can mislead,"
        " so make some experiments before you give up"
    )


def about_point(belief: Belief, do: Intervention) -> tuple[str, ...]:
    """Whatever puts a prediction in question."""
    far = extrapolated(belief, do)
    if not far:
        return ()
    verb = "lies" if len(far) == 1 else "lie"
    return (f"{', '.join(far)} {verb} far outside what was observed, so the prediction there is a guess",)
