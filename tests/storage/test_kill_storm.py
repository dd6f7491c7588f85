"""Whatever was acknowledged is there, however many die while writing."""

from ceopt.storage.engines import BUSY
from tests.storage.storm import storm


def test_43_in_a_kill_storm_nothing_acknowledged_is_lost(place, tmp_path):
    toll = storm(place.url, tmp_path, seconds=5.0)
    assert (toll.lost, toll.doubled) == (0, 0)
    assert toll.kills > 5 and toll.kept >= toll.acknowledged > 0
    assert toll.longest < BUSY / 1000 + 10  # no lock was left behind
