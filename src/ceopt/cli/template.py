"""The text of a problem.toml that teaches its own syntax."""

from __future__ import annotations

from ceopt.cli.guessing import Columns, Guess, domain_line, undecided_lines
from ceopt.cli.spec_file import key, text_of

HEAD = """\
# The problem of a ceopt study, guessed by ceopt init. Look through it, then:
#   ceopt check problem.toml      lists whatever is wrong with it
#   ceopt create problem.toml     makes a study of it

[study]
name = {name}
target = {target}                # the variable whose expected value matters
direction = "{direction}"
observations = {data}    # a CSV file, relative to this one
seed = 0                         # the same seed, the same suggestions
# sets = [["a"], ["a", "b"]]     # what may be set together; all combinations if left out

# A table for each variable of the graphs. One with a domain can be set:
#   domain = [0, 1]                             every level from 0 to 1
#   domain = {{ low = 0, high = 1, step = 0.25 }}   0, 0.25, 0.5, 0.75 and 1
#   levels = [0, 2, 5]                          these, and no other
#   cost = 2                                    what setting it costs, in any unit; 1 if left out
# One without is only observed. Take out variables that have nothing to do with the question.
"""

GRAPH = """\
# What is known of causes. A pair that is named nowhere here has no edge.
#   required    "a -> b"   a causes b directly, for certain
#   undecided   "a - b"    either way, or no edge
#               "a -- b"   linked, but the direction is unknown
#               "a ?> b"   that way, or no edge
#   forbidden   "a -> b"   not that way; "*" stands for any other variable
#   tiers       lists of variables; one of a later list causes none of an earlier one
# Every statement that you move from undecided to required, or take out, makes the study sharper.
[graph]
required = []
undecided = [
{undecided}]
forbidden = [{forbidden}]  # the target causes nothing
# tiers = [["age"], ["dose", "weight"]]
# edge_probabilities = {{ "a -> b" = 0.8 }}
#
# Or name whole graphs, and nothing else:
# hypotheses = ["a -> b; b -> c", "a -> b; a -> c"]
# weights = [2, 1]
"""

TAIL = """\
# How experiments are chosen: "ceo" (best value and graph together), "cbo", "cd-cbo", "mi", "mes" or "random".
[method]
name = "ceo"

# How mechanisms are learnt; the defaults do.
[mechanisms]
# max_rows = 1000
"""


def written(guess: Guess, columns: Columns, data: str) -> str:
    """The whole file."""
    head = HEAD.format(
        name=text_of(guess.name),
        target=text_of(guess.target),
        direction=guess.direction,
        data=text_of(data),
    )
    kept, dropped = undecided_lines(columns, guess)
    lines = [f"    {one},\n" for one in kept]
    if dropped:
        lines.append(
            "    # With all of these as well there would be too many graphs; the tightest come first:\n"
        )
        lines += [f"    # {one},\n" for one in dropped]
    graph = GRAPH.format(undecided="".join(lines), forbidden=text_of(f"{guess.target} -> *"))
    left_out = [f"# Left out, as it does not hold numbers only: {text_of(one)}\n" for one in columns.left_out]
    tables = [_variable(name, columns, guess) for name in columns.numeric]
    return "\n".join([head, *tables, *left_out, graph, TAIL])


def _variable(name: str, columns: Columns, guess: Guess) -> str:
    lines = [f"[variables.{key(name)}]"]
    if name in guess.can_be_set:
        lines += [domain_line(columns.numeric[name]), "cost = 1"]
    elif name == guess.target:
        lines[0] += "  # the target"
    else:
        lines += [f"# {domain_line(columns.numeric[name])}"]
    return "\n".join(lines) + "\n"
