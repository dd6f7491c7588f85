"""Causal Entropy Optimization: which variables to set, and to what, while the causal graph is in doubt.

These are the public names. Each is loaded when it is first used, so `import ceopt` itself is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ceopt import errors as errors
    from ceopt import methods as methods
    from ceopt import problems as problems
    from ceopt.domain.problem import Problem as Problem
    from ceopt.graphs.prior import GraphPrior as GraphPrior
    from ceopt.inference.settings import Mechanisms as Mechanisms
    from ceopt.studies import create_study as create_study
    from ceopt.studies import delete_study as delete_study
    from ceopt.studies import export_study as export_study
    from ceopt.studies import import_study as import_study
    from ceopt.studies import list_studies as list_studies
    from ceopt.studies import load_study as load_study
    from ceopt.studies import recover_study as recover_study
    from ceopt.study import Study as Study

    __version__: str

_HOMES = {
    "GraphPrior": "ceopt.graphs.prior",
    "Mechanisms": "ceopt.inference.settings",
    "Problem": "ceopt.domain.problem",
    "Study": "ceopt.study",
    "create_study": "ceopt.studies",
    "delete_study": "ceopt.studies",
    "export_study": "ceopt.studies",
    "import_study": "ceopt.studies",
    "recover_study": "ceopt.studies",
    "list_studies": "ceopt.studies",
    "load_study": "ceopt.studies",
}
_SUBMODULES = ("errors", "methods", "problems")

__all__ = [
    "GraphPrior",
    "Mechanisms",
    "Problem",
    "Study",
    "create_study",
    "delete_study",
    "errors",
    "export_study",
    "import_study",
    "list_studies",
    "load_study",
    "methods",
    "problems",
    "recover_study",
]


def __getattr__(name: str) -> object:
    """Load the public name `name`, once (PEP 562)."""
    if name in _HOMES:
        value: object = getattr(import_module(_HOMES[name]), name)
    elif name in _SUBMODULES:
        value = import_module(f"ceopt.{name}")
    elif name == "__version__":
        value = import_module("importlib.metadata").version("ceopt")
    else:
        raise AttributeError(f"module 'ceopt' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
