"""A small clinic for the command line: a folder with data and a spec, and a way to call ceopt in it."""

import json
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from click.testing import CliRunner

from ceopt.cli.main import main

ROOT = Path(__file__).parents[2]
CEOPT = [sys.executable, "-m", "ceopt.cli"]
QUIET = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "src")}

SPEC = """\
[study]
name = "clinic"
target = "psa"
direction = "minimize"
observations = "psa.csv"

[variables.age]
[variables.psa]
[variables.aspirin]
domain = [0, 1]
[variables.statin]
domain = { low = 0, high = 1, step = 0.25 }
cost = 2

[graph]
required = ["age -> psa"]
undecided = ["statin ?> psa", "aspirin ?> psa"]

[method]
name = "ceo"
points = 5
fantasies = 4
draws = 20

[mechanisms]
restarts = 1
draws = 4
points = 8
"""


class Ran(NamedTuple):
    """What a call left."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Its JSON."""
        return json.loads(self.out)


def ceopt(*words: str, typed: str | None = None, env: dict[str, str] | None = None) -> Ran:
    """Call ceopt in this process, in the current folder."""
    settings = {"CEOPT_STORAGE": None, **(env or {})}
    done = CliRunner().invoke(main, list(words), input=typed, env=settings, prog_name="ceopt")
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return Ran(done.exit_code, done.stdout, done.stderr)


def patients(n: int = 30, seed: int = 0) -> pd.DataFrame:
    """Patients whose psa goes down with statin."""
    rng = np.random.default_rng(seed)
    age, statin, aspirin = rng.uniform(50, 70, n), rng.uniform(0, 1, n), rng.uniform(0, 1, n)
    psa = 0.1 * age - 1.5 * statin + rng.normal(0, 0.3, n)
    frame = pd.DataFrame({"age": age, "statin": statin, "aspirin": aspirin, "psa": psa})
    return frame.round(3)


def furnish(folder: Path, spec: str = SPEC) -> None:
    """Put the data and a spec there."""
    patients().to_csv(folder / "psa.csv", index=False)
    (folder / "problem.toml").write_text(spec, encoding="utf-8")


def environment(**more: str) -> dict[str, str]:
    """For a process of its own."""
    without = {name: value for name, value in os.environ.items() if name not in ("CEOPT_STORAGE", "NO_COLOR")}
    return {**without, **QUIET, **more}
