"""Everything that ceopt refuses, and how it says so.

CeoptError
├── DataError       a data frame that cannot be used: a missing column, an empty cell, text among numbers
├── GraphError      a graph, or knowledge about graphs, that contradicts itself
├── ProblemError    a problem that cannot be posed: an unknown target, an empty domain, a negative cost
├── OutcomeError    an intervention or its outcome that cannot be told
├── MethodError     a method that is unknown, or an option of one that cannot be
├── NumericsError   numbers that failed: a covariance that is none, an overflow
├── StudyError      a study that is missing, changed under our feet, or of another kind
└── StorageError    a database that cannot be reached, read or written

CeoptWarning        worth saying once, while the work goes on
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class CeoptError(Exception):
    """Something was refused; the text says what came, what was wanted and what to do."""


class DataError(CeoptError):
    """A data frame cannot be used as it is."""


class GraphError(CeoptError):
    """A graph, or the knowledge about graphs, contradicts itself."""


class ProblemError(CeoptError):
    """A problem cannot be posed as it is."""


class OutcomeError(CeoptError):
    """An intervention or its outcome cannot be told as it is."""


class MethodError(CeoptError):
    """A method is unknown, or an option of one cannot be."""


class NumericsError(CeoptError, ArithmeticError):
    """Numbers failed where there was no other way round."""


class StudyError(CeoptError):
    """A study cannot be made, opened or continued."""


class StorageError(CeoptError):
    """A database cannot be reached, read or written."""


class CeoptWarning(UserWarning):
    """Something worth saying once."""


def did_you_mean(name: object, candidates: Iterable[str]) -> str:
    """The tail of an error message: the candidate most like `name`, or nothing.

    >>> did_you_mean("Statins", ["statin", "age"]), did_you_mean("zzz", ["age"])
    ("; did you mean 'statin'?", '')
    """
    lowered = {candidate.casefold(): candidate for candidate in candidates}
    close = get_close_matches(str(name).strip().casefold(), lowered, n=1)
    return f"; did you mean {lowered[close[0]]!r}?" if close else ""
