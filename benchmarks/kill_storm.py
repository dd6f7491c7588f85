"""What a kill storm leaves: four writers, killed at random, on SQLite and on PostgreSQL where there is one.

    python benchmarks/kill_storm.py [--seconds 20] [--seed 0]

Acknowledged tells that are lost must be 0, and so must those kept twice.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.storage import postgresql
from tests.storage.storm import Toll, storm


def main() -> int:
    """Both databases, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="of storm on each database")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    tolls = {}
    with tempfile.TemporaryDirectory() as folder:
        tolls["SQLite"] = storm(f"sqlite:///{folder}/storm.db", Path(folder), given.seconds, given.seed)
    if reason := postgresql.missing():
        print(f"PostgreSQL was not tried: {reason}")
    else:
        with postgresql.databases() as make, tempfile.TemporaryDirectory() as folder:
            tolls["PostgreSQL"] = storm(make(), Path(folder), given.seconds, given.seed)
    print(f"{'':12}" + "".join(f"{name:>14}" for name in Toll._fields))
    for name, toll in tolls.items():
        print(f"{name:12}" + "".join(f"{value:14.4g}" for value in toll))
    return int(any(toll.lost or toll.doubled for toll in tolls.values()))


if __name__ == "__main__":
    raise SystemExit(main())
