"""Everything that is wrong with a problem.toml and its data, found at once."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ceopt.cli.complaints import Complaint, refusals
from ceopt.cli.spec_file import NOT_SAID, read_spec
from ceopt.errors import CeoptError, CeoptWarning, ProblemError

if TYPE_CHECKING:
    import pandas as pd

    from ceopt.cli.spec import Spec
    from ceopt.domain.problem import Problem


@dataclass(frozen=True)
class Findings:
    """What is wrong, what is only worth saying, and, when nothing is wrong, what it amounts to."""

    path: Path
    problems: tuple[Complaint, ...]
    warnings: tuple[str, ...] = ()
    spec: Spec | None = None
    problem: Problem | None = None
    observations: pd.DataFrame | None = None


class SpecError(ProblemError):
    """A file that is refused, with everything that is wrong with it."""

    def __init__(self, found: Findings) -> None:
        n = len(found.problems)
        title = f"{found.path.name} has {n} problem{'' if n == 1 else 's'}:"
        super().__init__("\n".join([title, *(f"  {one.where}: {one.what}" for one in found.problems)]))
        listed = [{"where": one.where, "problem": one.what} for one in found.problems]
        self.details: dict[str, Any] = {"problems": listed, "warnings": list(found.warnings)}


def examine(path: Path) -> Findings:
    """Look at all of a file and its data."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", CeoptWarning)
        found = _examined(path)
    texts = [str(one.message) for one in said if issubclass(one.category, CeoptWarning)]
    return replace(found, warnings=(*dict.fromkeys(texts), *found.warnings))


def _examined(path: Path) -> Findings:
    try:
        spec, complaints = read_spec(path)
    except ProblemError as e:
        return Findings(path, (Complaint(path.name, str(e)),))
    if spec is None:
        return Findings(path, complaints)
    from ceopt.cli.data_findings import data_complaints, data_warnings, observations_of
    from ceopt.cli.spec_findings import spec_complaints

    found = [*complaints, *spec_complaints(spec, whole=not complaints)]
    if spec.study.observations == NOT_SAID:
        return Findings(path, tuple(found))
    data = path.parent / spec.study.observations
    try:
        frame = observations_of(data)
    except (CeoptError, OSError) as e:
        return Findings(path, (*found, Complaint(data.name, str(e))))
    found += data_complaints(frame, spec, data.name)
    if found:
        return Findings(path, tuple(found))
    return _whole(Findings(path, (), tuple(data_warnings(frame, spec)), spec, None, frame), data.name)


def _whole(found: Findings, data: str) -> Findings:
    """The parts being sound, look at the problem and the data as a whole."""
    from ceopt.cli.posing import problem_of
    from ceopt.domain.frames import dataset_from

    assert found.spec is not None and found.observations is not None  # noqa: S101  (by the caller)
    try:
        problem = problem_of(found.spec)
    except CeoptError as e:
        return Findings(found.path, (Complaint(found.path.name, str(e)),), found.warnings)
    if wrong := refusals(data, lambda: dataset_from(found.observations, problem)):  # type: ignore[arg-type]
        return Findings(found.path, tuple(wrong), found.warnings)
    return Findings(found.path, (), found.warnings, found.spec, problem, found.observations)
