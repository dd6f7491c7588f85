"""Methods by name: those of ceopt, and those that other packages bring.

A package brings one by an entry point of the group `ceopt.methods`, whose name is the method's and whose
object is the method, or a class or function that makes it:

    [project.entry-points."ceopt.methods"]
    greedy = "my_package:Greedy"
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

from ceopt.errors import MethodError, did_you_mean
from ceopt.methods.cbo import CBO
from ceopt.methods.cd_cbo import CDCBO
from ceopt.methods.ceo import CEO
from ceopt.methods.mes import MES
from ceopt.methods.method import Method
from ceopt.methods.mi import MI
from ceopt.methods.random import Random

GROUP = "ceopt.methods"
OWN: dict[str, Callable[[], Method]] = {one.name: one for one in (CEO, CBO, CDCBO, MI, MES, Random)}


def names() -> tuple[str, ...]:
    """Every name that `create_study(method=...)` understands, sorted."""
    return tuple(sorted({*OWN, *_brought()}))


def method_of(choice: str | Method) -> Method:
    """The method of that name, or the value itself; refused where it is neither."""
    if not isinstance(choice, str):
        return _checked(choice, f"method={choice!r}")
    if choice in OWN:
        return OWN[choice]()
    if choice not in (brought := _brought()):
        hint = did_you_mean(choice, names())
        raise MethodError(f"method= is one of {', '.join(names())}, or a value, but got {choice!r}{hint}")
    what = f"the entry point {brought[choice].value!r}"
    try:
        loaded = brought[choice].load()
        made = loaded() if isinstance(loaded, type) or not isinstance(loaded, Method) else loaded
    except (ImportError, AttributeError, TypeError) as e:
        raise MethodError(f"{what} cannot be loaded: {e}") from e
    return _checked(made, what)


def _brought() -> dict[str, EntryPoint]:
    return {one.name: one for one in entry_points(group=GROUP)}


def _checked(value: object, what: str) -> Method:
    if isinstance(value, type) and hasattr(value, "propose"):
        raise MethodError(f"{what} is a class: give a value of it, {value.__name__}()")
    if isinstance(value, type) or not isinstance(value, Method):
        raise MethodError(f"{what} is no method: it wants a name, and the functions believe and propose")
    return value
