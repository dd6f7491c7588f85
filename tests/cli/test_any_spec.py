"""Whatever stands in a spec, check answers with 0 or 1 and names the place; it never fails itself."""

import json
import tomllib
from copy import deepcopy
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.clinic import SPEC, ceopt, furnish

BASE = tomllib.loads(SPEC)
TABLES = [[], *([name] for name in BASE), *(["variables", name] for name in BASE["variables"])]
KEYS = """name target direction observations sets seed domain levels cost required undecided forbidden tiers
edge_probabilities hypotheses weights points graph discovery found draws max_rows score restarts x"""
JUNK = [0, -1, 1.5, True, "", "x", "*", "psa", "age -> psa", "../psa.csv", "/", [], [[]], ["x"], [1], [0, 1]]
JUNK += [{}, {"low": 0}, {"low": 0, "high": 1, "step": -1}, {"age -> psa": 0.5}, [["age"], ["psa"]], 2**70]
JUNK += [float("inf"), float("nan"), ["statin -> psa; age"], "random", "cbo", "\0", 'a"b']


def toml(value):
    """A value as TOML has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(k)} = {toml(v)}' for k, v in value.items())}}}"
    return json.dumps(value) if isinstance(value, str) else repr(value)


def inside(spec, path):
    """The table at a path, if it is still one."""
    for name in path:
        spec = spec.get(name) if isinstance(spec, dict) else None
    return spec


changes = st.lists(
    st.tuples(
        st.sampled_from(TABLES),
        st.sampled_from([*KEYS.split(), *BASE, "age", "statin"]),
        st.sampled_from(JUNK),
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes)
def test_any_spec_is_checked(changes):
    spec = deepcopy(BASE)
    for path, name, value in changes:
        table = inside(spec, path)
        if isinstance(table, dict):
            table[name] = deepcopy(value)
    furnish(Path(), "\n".join(f"{name} = {toml(value)}" for name, value in spec.items()))
    found = ceopt("check", "problem.toml", "--json")
    assert found.code == (1 if found.data["problems"] else 0), found
    assert all(one["where"] and one["problem"] for one in found.data["problems"])
