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
    """Observations alone mislead on Health, ceopt's own experiments put it right, and it says how right."""
    (truth,) = re.findall(r"^ *both drugs act \(the truth\) +(.*)$", printed, flags=re.MULTILINE)
    chances = [float(p) for p in truth.split()]
    assert chances[0] < 0.01 and chances[-1] > 0.99
    assert "Observations alone mislead" in printed and "Set aspirin" in printed and "suggestion 0" in printed
    rounds = re.findall(r"^ *(\d) +([\d.]+|-) +([\d.]+|-) +(\d) +[\d.]{5} +[\d.]{6} ", printed, re.M)
    assert [int(number) for number, *_ in rounds] == list(range(1, 9))
    assert all(int(cost) == 2 - doses.count("-") for _, *doses, cost in rounds)
    flat = " ".join(printed.split())
    verdict = r"the true mean psa is ([\d.]+), .* It is ([\d.]+) when nothing is set, ([\d.]+) at aspirin 0,"
    verdict += r" ([\d.]+) at statin 1, and at best ([\d.]+), .* for a cost of (\d+)\."
    ((*means, cost),) = re.findall(verdict, flat)
    found, nothing, *true = map(float, means)
    assert true == pytest.approx([13.521, 13.249, 13.060], abs=0.02)  # worked out apart from ceopt
    assert 13.055 < found < (nothing + 13.060) / 2  # half of what there is to gain, or more
    assert int(cost) == sum(int(each) for *_, each in rounds)
    picture = (folder / "build/demo/effects.png").read_bytes()
    width, height = struct.unpack(">II", picture[16:24])
    assert picture.startswith(b"\x89PNG") and width >= 1500 and height >= 800 and len(picture) > 30_000


def own_method(printed, folder):
    """Both methods learn, on each data set, and recommend something better than doing nothing."""
    rows = re.findall(r"^ +(\d)  (\w+) +([XZ] = .*?) +(-?[\d.]+) +([\d.]+)$", printed, flags=re.MULTILINE)
    assert [(seed, method) for seed, method, *_ in rows] == [
        (seed, method) for seed in "01" for method in ("ceo", "thompson")
    ]
    regrets, chances = ([float(row[i]) for row in rows] for i in (3, 4))
    nothing = -0.66 + 2.1718057  # E[Y] and the least E[Y | do]
    assert all(regret > -0.02 for regret in regrets) and sum(regrets) / len(regrets) < nothing
    assert all(0 <= p <= 1 for p in chances) and max(chances) > 1 / 7


SHOWS = {"demo": demo, "own_method": own_method}
LEAVES = {"demo": ["build"]}  # files and folders; an example that is not named leaves none


def test_an_example_shows_what_it_promises(started):
    name, printed, folder = started
    SHOWS[name](printed, folder)
    assert [p.name for p in folder.iterdir()] == LEAVES.get(name, [])


def test_there_is_an_example():
    assert [example.stem for example in EXAMPLES] == sorted(SHOWS)
