"""What problem.toml may hold: its tables and keys, strictly."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

TITLE = "The problem of a ceopt study"


class Table(BaseModel):
    """A table of the file: no other keys, no other types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Range(Table):
    """An interval, or its multiples of a step."""

    low: float = Field(description="the least level")
    high: float = Field(description="the greatest level")
    step: float | None = Field(default=None, description="only low, low + step, and so on")


Bounds = Annotated[list[float], Field(min_length=2, max_length=2)]


def _form(value: Any) -> str:
    return "range" if isinstance(value, dict | Range) else "bounds"


Domain = Annotated[
    Annotated[Bounds, Tag("bounds")] | Annotated[Range, Tag("range")],
    Discriminator(_form),
]


class StudyTable(Table):
    """[study]"""

    name: str = Field(default="study", description="what the study is called in the database")
    target: str = Field(description="the variable whose expected value matters")
    direction: Literal["minimize", "maximize"] = Field(description='"minimize" or "maximize"')
    observations: str = Field(description="a CSV file, relative to this one")
    sets: list[list[str]] | None = Field(
        default=None, description="which variables may be set together; all combinations if left out"
    )
    seed: int = Field(default=0, ge=0, description="of all Monte Carlo in the study")


class VariableTable(Table):
    """[variables.NAME]; without domain and levels a variable is only observed."""

    domain: Domain | None = Field(
        default=None, description="[low, high] for every level between, or {low = 0, high = 1, step = 0.25}"
    )
    levels: list[float] | None = Field(default=None, description="the levels that can be set, and no other")
    cost: float | None = Field(default=None, description="of setting it; 1 if left out")

    @property
    def is_set(self) -> bool:
        """Whether it can be set at all."""
        return self.domain is not None or self.levels is not None


class GraphTable(Table):
    """[graph]: statements, or hypotheses."""

    required: list[str] | None = Field(default=None, description='certain edges, "a -> b"')
    undecided: list[str] | None = Field(
        default=None, description='"a - b" either way or absent; "a -- b" linked; "a ?> b" that way or absent'
    )
    forbidden: list[str] | None = Field(default=None, description='edges that cannot be, "a -> b"')
    tiers: list[list[str]] | None = Field(
        default=None, description="lists of variables; one of a later list causes none of an earlier one"
    )
    edge_probabilities: dict[str, float] | None = Field(default=None, description='"a -> b" = 0.8')
    hypotheses: list[str] | None = Field(default=None, description='whole graphs, "a -> b; b -> c; d"')
    weights: list[float] | None = Field(
        default=None, description="one for each hypothesis; all alike if left out"
    )
    limit: int = Field(default=20_000, ge=1, description="the most graphs to list")


class MethodTable(BaseModel):
    """[method]: a name, and the options of that method."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True, allow_inf_nan=False)

    name: str = Field(
        default="ceo", description="ceo, cbo, cd-cbo, mi, mes, random, or one that was installed"
    )


class MechanismsTable(Table):
    """[mechanisms]: how mechanisms are learnt."""

    restarts: int | None = Field(default=None, description="starting points of each search")
    max_rows: int | None = Field(default=None, description="the most observational rows that are used")
    score: Literal["laplace", "maximum"] | None = Field(default=None, description="how a graph is scored")
    noise_floor: float | None = Field(default=None, description="least noise variance of a mechanism")
    tempering: float | None = Field(default=None, description="power on the observational evidence")
    band: Literal["knowledge", "total"] | None = Field(default=None, description="what an error bar holds")
    coupling: Literal["covariance", "product"] | None = Field(default=None, description="between levels")
    draws: int | None = Field(default=None, description="function draws behind an effect; even")
    points: int | None = Field(default=None, description="noise points a function draw; a power of two")


class Spec(Table):
    """The whole file."""

    model_config = ConfigDict(title=TITLE)

    study: StudyTable = Field(description="what is asked, and of which data")
    variables: dict[str, VariableTable] = Field(
        min_length=1, description="a table for each variable of the graphs"
    )
    graph: GraphTable = Field(default=GraphTable(), description="what is known of causes")
    method: MethodTable = Field(default=MethodTable(), description="how experiments are chosen")
    mechanisms: MechanismsTable = Field(default=MechanismsTable(), description="how mechanisms are learnt")


def table_at(path: tuple[str | int, ...]) -> type[BaseModel] | None:
    """The table that a path of keys leads to; None where it leads elsewhere."""
    if len(path) == 2 and path[0] == "variables":
        return VariableTable
    if len(path) == 3 and path[0] == "variables" and path[2] == "domain":
        return Range
    by_path: dict[tuple[str | int, ...], type[BaseModel]] = {(): Spec}
    by_path |= {(name,): kind for name, kind in _TABLES.items()}
    return by_path.get(path)


_TABLES: dict[str, type[BaseModel]] = {
    "study": StudyTable,
    "graph": GraphTable,
    "method": MethodTable,
    "mechanisms": MechanismsTable,
}
