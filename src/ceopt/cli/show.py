"""What commands print: JSON for programs, tables and sentences for people."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import pandas as pd

WIDE = 10_000  # columns of a table that goes into a file or a pipe: nothing is cut


def emit(data: object) -> None:
    """JSON on standard output."""
    click.echo(json.dumps(plain(data), indent=2, ensure_ascii=False, allow_nan=False))


def plain(value: Any) -> Any:
    """The value in what JSON knows; NaN and the like become null.

    >>> plain({"a": (1, float("nan"))})
    {'a': [1, None]}
    """
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, str | bool | int) or value is None:
        return value
    if hasattr(value, "isoformat"):
        text = str(value.isoformat())
        return None if text == "NaT" else text
    if hasattr(value, "item"):
        return plain(value.item())
    return value if isinstance(value, float) and math.isfinite(value) else None


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """A mapping a row."""
    return [dict(zip(map(str, frame.columns), row, strict=True)) for row in frame.itertuples(index=False)]


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on standard output; numbers to the right, in four digits; in a file or a pipe without lines."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    body, seen = [list(row) for row in rows], sys.stdout.isatty()
    drawn = Table(box=box.SIMPLE if seen else None, show_edge=False, pad_edge=False, padding=(0, 1))
    for place, head in enumerate(heads):
        right = any(isinstance(row[place], float | int) for row in body)
        drawn.add_column(Text(str(head)), justify="right" if right else "left", overflow="fold")
    for row in body:
        drawn.add_row(*(Text(_cell(one)) for one in row))
    if seen:
        Console().print(drawn)
        return
    file = StringIO()
    Console(file=file, width=WIDE).print(drawn)
    click.echo("\n".join(line.rstrip() for line in file.getvalue().splitlines()))


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.4g}"
    if hasattr(value, "strftime"):
        return "" if str(value) == "NaT" else str(value.strftime("%Y-%m-%d %H:%M"))
    return "" if value is None else str(value)


@contextmanager
def working(what: str) -> Iterator[None]:
    """A sign on standard error, if that is a terminal, that work goes on."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(f"{what} ...")):
        yield
