"""What goes wrong, as an exit code and a text; the one place where errors become either."""

from __future__ import annotations

import json
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

import click

from ceopt.errors import CeoptError, CeoptWarning, StorageError

DONE, REFUSED, USAGE, FAULT, INTERRUPTED = 0, 1, 2, 3, 130

CODES = """
  0    done
  1    refused: a mistake in what was given; nothing was changed
  2    wrong usage: an unknown command or option, a missing argument
  3    storage or system fault: a database or file that cannot be reached, read or written
  130  interrupted with Ctrl-C; what was acknowledged is stored
"""


class Fault(NamedTuple):
    """An exit code, what to say, and what else a program may want to know."""

    code: int
    text: str
    details: Mapping[str, Any]


def guarded(call: Callable[[], object], as_json: bool) -> int:
    """The exit code of a call; whatever it raises is said in words, or as JSON."""
    _prepare_streams()
    try:
        with warnings_said():
            code = call()
            sys.stdout.flush()
    except BrokenPipeError:  # as in `ceopt history x | head`
        _drop_output()
        return DONE
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001  (the outermost place)
        fault = fault_of(error)
        _say(error, fault, as_json)
        if fault.code == INTERRUPTED:
            eval("0")  # noqa: S307  (clears a flag of Python's, which else ends the process by a signal)
        return fault.code
    return code if isinstance(code, int) else DONE


def fault_of(error: BaseException) -> Fault:
    """What an error means to whoever started the command."""
    if isinstance(error, click.Abort | KeyboardInterrupt):
        if isinstance(error.__cause__ or error.__context__, EOFError):
            return Fault(USAGE, "nobody answered; give the answers as options, see --help", {})
        return Fault(INTERRUPTED, "interrupted", {})
    if isinstance(error, click.ClickException):
        return Fault(error.exit_code, error.format_message(), {})
    if isinstance(error, StorageError):
        return Fault(FAULT, str(error), {})
    if isinstance(error, CeoptError):
        return Fault(REFUSED, str(error), getattr(error, "details", {}))
    if isinstance(error, OSError):
        where = f"{str(error.filename)!r}: " if error.filename else ""
        return Fault(FAULT, f"{where}{error.strerror or error}", {})
    return Fault(FAULT, f"a fault in ceopt, please report it: {type(error).__name__}: {error}", {})


def _say(error: BaseException, fault: Fault, as_json: bool) -> None:
    """On standard output as JSON, or on standard error in words."""
    known = (click.ClickException, click.Abort, CeoptError, OSError, KeyboardInterrupt)
    if not isinstance(error, known):
        traceback.print_exception(error, file=sys.stderr)
    if as_json and _printed({"error": fault.text, "code": fault.code, **fault.details}):
        return
    _drop_output()
    if isinstance(error, click.ClickException):
        error.show()
    else:
        click.echo(f"Error: {fault.text}", err=True)


def _printed(report: Mapping[str, Any]) -> bool:
    """Whether standard output took it."""
    try:
        click.echo(json.dumps(report, indent=2, ensure_ascii=False))
        sys.stdout.flush()
    except OSError:
        return False
    return True


def _prepare_streams() -> None:
    """Streams that are closed swallow everything; a letter that a terminal cannot show is no fault."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  (for good)
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """What cannot be printed is not tried again when Python ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def warnings_said() -> Iterator[None]:
    """Each warning of ceopt as a sentence on standard error, once; others as Python shows them."""
    said: set[str] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("always", CeoptWarning)
        usual = warnings.showwarning

        def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
            if not issubclass(category, CeoptWarning):
                usual(message, category, *where, **more)
            elif str(message) not in said:
                said.add(str(message))
                click.echo(f"Warning: {message}.", err=True)

        warnings.showwarning = show
        yield
