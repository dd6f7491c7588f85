"""Figure 1 of the paper: graphs that agree on what Z does to Y have one surrogate; others have another."""

import re
import struct
from pathlib import Path

import numpy as np
import pytest

from benchmarks import figure1

ROOT = Path(__file__).parents[2]
TRUE, SAME, IDLE, SUPERSET, COLLIDER = (
    "X -> Z; Z -> Y",
    "Z -> X; Z -> Y",
    "X -> Z; X -> Y",
    "X -> Z; X -> Y; Z -> Y",
    "X -> Y; Z -> Y",
)
LEVELS = np.linspace(-5.5, 13, 25)


@pytest.fixture(scope="module")
def curves():
    data = figure1.told_data()
    shared = figure1.infer(figure1.asked([TRUE, SAME, IDLE, SUPERSET, COLLIDER]), data)
    return {
        graph: figure1.curve(figure1.one_graph(graph, data, shared), LEVELS)
        for graph in (TRUE, SAME, IDLE, SUPERSET, COLLIDER)
    }


@pytest.mark.parametrize(("one", "other"), [(TRUE, SAME), (SUPERSET, COLLIDER)])
def test_graphs_with_the_same_causes_of_y_have_the_same_surrogate(curves, one, other):
    np.testing.assert_allclose(curves[one], curves[other], rtol=0, atol=1e-9)


@pytest.mark.parametrize(("one", "other"), [(TRUE, IDLE), (TRUE, SUPERSET), (IDLE, SUPERSET)])
def test_graphs_with_other_causes_of_y_have_another_surrogate(curves, one, other):
    assert np.abs(curves[one].mean - curves[other].mean).max() > 0.02


def test_each_graph_has_one_line_and_the_picture_is_drawn(tmp_path, capsys):
    figure1.main(tmp_path / "deep" / "picture.png")
    printed = dict(re.findall(r"^(\S.*\S) +(\d+\.\d{12})$", capsys.readouterr().out, flags=re.MULTILINE))
    assert list(printed) == [TRUE, SAME, IDLE, SUPERSET, COLLIDER]
    assert float(printed[TRUE]) == pytest.approx(float(printed[SAME]), abs=1e-9)
    assert len(set(printed.values())) == 3
    for picture in (tmp_path / "deep" / "picture.png", ROOT / "docs/figures/figure1.png"):
        header = picture.read_bytes()[:24]
        assert header.startswith(b"\x89PNG") and struct.unpack(">I", header[16:20]) == (1600,)
