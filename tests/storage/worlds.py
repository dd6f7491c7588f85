"""A small world that is asked in milliseconds, and where its studies may be kept."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import sqlalchemy
from sqlalchemy.engine import make_url

import ceopt
from ceopt.methods import Random
from ceopt.storage.sql import tables

QUICK = ceopt.Mechanisms(restarts=1, draws=2, points=1)
NAMES = map("study {}".format, count())


def question(**changed):
    graphs = ceopt.GraphPrior.from_graphs(["x -> y; z -> y", "x -> y; x -> z"], weights=[3, 1])
    domains = {"x": (0.0, 1.0), "z": (0.0, 2.0)}
    return ceopt.Problem(
        **{"target": "y", "direction": "minimize", "domains": domains, "graphs": graphs, **changed}
    )


def seen(n=6):
    x, z, noise = np.random.default_rng(7).uniform(size=(3, n))
    return pd.DataFrame({"x": x, "z": 2 * z, "y": x - z + 0.1 * noise})


def create(storage, name="study", **changed):
    asked = {"observations": seen(), "method": Random(), "mechanisms": QUICK, "seed": 1, **changed}
    problem = asked.pop("problem", None) or question()
    return ceopt.create_study(problem, storage=storage, name=name, **asked)


def outcome(do, y=1.0):
    """A whole row under do."""
    return {"x": 0.5, "z": 0.5, **do, "y": y}


def tell(study, y=1.0, x=0.5, **changed):
    """An experiment that nobody asked for."""
    return study.tell(do={"x": x}, outcome=outcome({"x": x}, y), **changed)


def said(study):
    """All that can be seen of a study but the next suggestion, as text."""
    history, audit = study.history(), study.audit()
    return plain(study) + history["time"].to_csv() + audit[["time", "digest"]].to_csv()


def plain(study):
    """The same, but for what depends on the clock."""
    history = study.history().drop(columns="time")
    audit = study.audit().drop(columns=["time", "digest"])
    waiting = [str(one) for one in study._now.open.values()]
    return "\n".join([history.to_csv(), audit.to_csv(), *waiting, repr((study.trials, study.spent))])


def heard(study):
    """Which rows are in it: the keys or values that identify what was told."""
    return study.history()["y"].tolist()


class Place(NamedTuple):
    """A database, and how a study is opened there again."""

    kind: str
    url: str

    def create(self, name="study", **changed):
        return create(self.url, name, **changed)

    def load(self, name="study", **given):
        return ceopt.load_study(name, storage=self.url, **given)

    def clear(self):
        """Nothing is there, tables neither."""
        if self.kind == "sqlite":
            Path(make_url(self.url).database).unlink(missing_ok=True)
            return
        with sqlalchemy.create_engine(self.url, poolclass=sqlalchemy.NullPool).begin() as connection:
            tables.drop_all(connection)
