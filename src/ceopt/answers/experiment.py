"""Run an experiment on a system that a computer can ask, the way `Study.optimize` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

import pandas as pd

from ceopt.errors import StudyError

if TYPE_CHECKING:
    from collections.abc import Iterator

Answer: TypeAlias = "Mapping[str, Any] | pd.Series[Any] | pd.DataFrame"


@runtime_checkable
class Sampled(Protocol):
    """What `ceopt.problems` has: it draws n rows under do."""

    def sample(self, n: int, do: Mapping[str, float] | None = None, rng: int | None = None) -> pd.DataFrame:
        """Draw n rows under do."""


SystemLike: TypeAlias = "Sampled | Callable[[dict[str, float]], Answer]"


def run(system: SystemLike, do: dict[str, float], samples: int, seed: int) -> pd.DataFrame:
    """`samples` rows under do; a function is called until it has given as many."""
    if isinstance(system, Sampled):
        return _as_frame(_answered(lambda: system.sample(samples, do=do, rng=seed), do), do)
    if not callable(system):
        inner = ": give its .system" if isinstance(getattr(system, "system", None), Sampled) else ""
        got = f"{type(system).__name__}{inner}"
        raise StudyError(f"optimize wants a function of {{name: level}} or a ceopt system, but got {got}")
    rows: list[pd.DataFrame] = []
    while sum(map(len, rows)) < samples:
        rows.append(_as_frame(_answered(lambda: system(dict(do)), do), do))
    return pd.concat(rows, ignore_index=True)


def _answered(ask: Callable[[], Answer], do: dict[str, float]) -> Answer:
    try:
        return ask()
    except Exception as e:
        said = f"the system raised {type(e).__name__} at {do}: {e}"
        raise StudyError(f"{said}; the suggestion is still open, so optimize goes on from it") from e


def _as_frame(answer: object, do: dict[str, float]) -> pd.DataFrame:
    """One row a sample."""
    if isinstance(answer, pd.DataFrame) and len(answer):
        return answer
    if isinstance(answer, pd.DataFrame):
        raise StudyError(f"at {do} the system gave no rows, but it is to give a row or more")
    if isinstance(answer, pd.Series):
        return pd.DataFrame([answer.tolist()], columns=answer.index)
    if isinstance(answer, Mapping):
        return pd.DataFrame([dict(answer)])
    wanted = "a mapping, a Series or a DataFrame with a row or more"
    raise StudyError(f"at {do} the system gave {answer!r}, but it is to give {wanted}")


@contextmanager
def progress_bar(what: str, total: float, done: float, shown: bool) -> Iterator[Callable[[float], None]]:
    """A bar on standard error; call what it gives with what is done by now."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.fields[what]}", markup=False),
        BarColumn(),
        TextColumn("{task.completed:g} of {task.total:g}"),
        TimeElapsedColumn(),
    )
    bar = Progress(*columns, console=Console(stderr=True), disable=not shown)
    task = bar.add_task("", total=total, what=what)
    bar.update(task, completed=done)
    with bar:
        yield lambda now: bar.update(task, completed=now)
