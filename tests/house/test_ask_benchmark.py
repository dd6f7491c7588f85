"""The benchmark of a suggestion asks what it says, and its page keeps to the bound that was set."""

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
BENCHMARK = runpy.run_path(str(ROOT / "benchmarks/ask.py"))


def test_it_asks_and_leaves_nothing_open():
    study, taken = BENCHMARK["told"](), {}
    with BENCHMARK["clocks"](taken):
        BENCHMARK["asked"](study)
    assert taken.keys() == BENCHMARK["PARTS"].keys()
    assert study.status().open == ()
    assert study.trials == 9


def test_the_stored_report_is_at_most_three_times_the_bare_arithmetic():
    page = (ROOT / "docs/speed_of_ask.md").read_text("utf-8")
    (ratio,) = re.findall(r"the whole over the bare +([\d.]+) x", page)
    assert 1 < float(ratio) < 3
