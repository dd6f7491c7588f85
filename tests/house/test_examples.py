"""Every example runs by itself, wherever it is started, and shows what it promises."""

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run(example, folder):
    """What an example prints when it is started in an empty folder, warnings being errors."""
    env = os.environ | {"OMP_NUM_THREADS": "1", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    env |= {"PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-W", "error", str(example)]
    done = subprocess.run(
        command,
        cwd=folder,
        env=env,
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda example: example.stem)
def started(request, tmp_path_factory):
    """The name of each example, what it printed, and the folder it ran in."""
    folder = tmp_path_factory.mktemp("anywhere")
    return request.param.stem, run(request.param, folder), folder


def demo(printed, folder):
    """Observations alone mislead on Health, experiments put it right, and estimates come near the truth."""
    (truth,) = re.findall(r"^ *both drugs act \(the truth\) +(.*)$", printed, flags=re.MULTILINE)
    chances = [float(p) for p in truth.split()]
    assert chances[0] < 0.01 and chances[-1] > 0.99
    assert "Observations alone mislead" in printed
    assert all(word in printed for word in ("A age", "B bmi", "R aspirin", "S statin", "C cancer", "Y psa"))
    lines = re.findall(
        r"^ *([RS]=\S(?: [RS]=\S)?) .*?([\d.]+) \(([\d.]+) to ([\d.]+)\) +([\d.]+) *$", printed, re.M
    )
    true = {do: float(value) for do, *_, value in lines}
    assert len(true) == 6
    assert true["S=1"] == pytest.approx(13.249, abs=0.02)  # worked out apart from ceopt, as are the next two
    assert true["R=0"] == pytest.approx(13.521, abs=0.02)
    assert true["S=1 R=0"] == pytest.approx(13.060, abs=0.02)
    assert all(abs(float(mean) - float(value)) < 0.5 for _, mean, _, _, value in lines)
    picture = (folder / "build/demo/effects.png").read_bytes()
    width, height = struct.unpack(">II", picture[16:24])
    assert picture.startswith(b"\x89PNG") and width >= 1500 and height >= 800 and len(picture) > 30_000


SHOWS = {"demo": demo}


def test_an_example_shows_what_it_promises(started):
    name, printed, folder = started
    SHOWS[name](printed, folder)
    assert [p.name for p in folder.iterdir()] == ["build"]


def test_there_is_an_example():
    assert [example.stem for example in EXAMPLES] == sorted(SHOWS)
