"""Problems with known answers: a true system, what is asked of it, and the best that can be done.

>>> import ceopt.problems
>>> health = ceopt.problems.health()
>>> health.optimum.do, health.problem.sets
({'R': 0.0, 'S': 1.0}, (('R',), ('S',), ('R', 'S')))
>>> health.system.sample(2, do={"S": 1}, rng=0).round(2)["S"].tolist()
[1.0, 1.0]
"""

from ceopt.problems.benchmark import Benchmark, Optimum
from ceopt.problems.complete_graph import complete_graph
from ceopt.problems.epidemiology import epidemiology
from ceopt.problems.epidemiology_extended import epidemiology_extended
from ceopt.problems.health import health
from ceopt.problems.scm import Equation, System
from ceopt.problems.symptoms import symptoms
from ceopt.problems.synthetic import synthetic

__all__ = [
    "Benchmark",
    "Equation",
    "Optimum",
    "System",
    "complete_graph",
    "epidemiology",
    "epidemiology_extended",
    "health",
    "symptoms",
    "synthetic",
]
