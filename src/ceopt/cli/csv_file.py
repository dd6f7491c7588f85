"""Tables from files: every cell as it stands, every row with its number in the file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ceopt.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

MARKS = {";": "semicolons", "\t": "tabs", "|": "bars"}


def read_table(path: str | Path) -> pd.DataFrame:
    """The texts of a CSV file; rows are numbered as a spreadsheet numbers them, the names being row 1.

    Whether a cell is a number is not asked here: whoever wants a number names the row and the column.
    """
    import pandas as pd

    name = Path(path).name
    heads, *records = _records(_text(Path(path)), name)
    _check_delimiter(heads, name)
    rows = {place: row for place, row in enumerate(records, start=2) if any(cell.strip() for cell in row)}
    ragged = [place for place, row in rows.items() if len(row) != len(heads)]
    if ragged:
        first = ragged[0]
        found = f"{_cells(len(rows[first]))} under {_cells(len(heads), 'name')}{_others(ragged)}"
        raise DataError(
            f"{name}, row {first}: {found};"
            " is there a decimal comma, or a comma in a text without quotation marks?"
        )
    if not rows:
        raise DataError(f"{name} has names and no rows under them; add some")
    return pd.DataFrame(list(rows.values()), index=list(rows), columns=heads, dtype=object)


def _text(path: Path) -> str:
    raw = path.read_bytes()
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in raw[:10_000]:
        raise DataError(f"{path.name} is no text in UTF-8; save it as 'CSV UTF-8'")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        line = raw.count(b"\n", 0, e.start) + 1
        wrong = f"byte 0x{raw[e.start]:02x} in line {line}"
        raise DataError(f"{path.name} is not UTF-8 ({wrong}); save it as 'CSV UTF-8'") from None


def _records(text: str, name: str) -> list[list[str]]:
    try:
        found = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as e:
        raise DataError(f"{name} is no CSV file: {e}") from None
    if not found or not any(cell.strip() for cell in found[0]):
        raise DataError(f"{name} is empty; its first row has the names of the columns")
    return found


def _check_delimiter(heads: list[str], name: str) -> None:
    used = next((mark for mark in MARKS if len(heads) == 1 and mark in heads[0]), None)
    if used is not None:
        raise DataError(
            f"{name} has {MARKS[used]} between its cells; save it with commas between them, and with points"
            " in its numbers"
        )


def _cells(n: int, what: str = "cell") -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _others(places: Iterable[int]) -> str:
    more = len(list(places)) - 1
    return f" (and {more} more rows)" if more else ""
