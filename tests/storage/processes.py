"""Other processes: forked, so that they begin at once, and never waited for without end."""

from __future__ import annotations

import os
import re
import signal
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy import Engine, Pool, event

WRITES = re.compile(r"^\s*(INSERT|UPDATE|DELETE|CREATE|BEGIN IMMEDIATE)|FOR UPDATE|advisory")
PATIENCE = 30.0  # seconds, after which a test fails


def forked(work: Callable[[], object]) -> int:
    """The id of a process that does this and ends with 0, or says why not and ends with 1."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads; these are idle
        child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    except BaseException:  # noqa: BLE001  (it is said, and the code says it too)
        traceback.print_exc()
    finally:
        os._exit(code)


def ended(child: int) -> int:
    """Its exit code, or minus the signal that killed it."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    killed(child)
    raise AssertionError(f"process {child} was still at work after {PATIENCE:g} s")


def killed(child: int) -> None:
    """Killed, and gone."""
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def dying_at(point: int, work: Callable[[], object]) -> int:
    """How a process ends that is killed at its k-th write point.

    That is after a lock, after a statement that writes, before a commit, and after it, when nobody has heard
    of it yet.  Where it only reads there is nothing to tear.
    """

    def run() -> None:
        passed, writes = iter(range(point)), list[bool]()

        def executed(_connection: object, _cursor: object, statement: str, *_: object) -> None:
            if WRITES.search(statement):
                writes.append(True)
                reached()

        def reached(*_: object) -> None:
            if writes and next(passed, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)

        event.listen(Engine, "after_cursor_execute", executed)
        event.listen(Engine, "commit", reached)
        event.listen(Pool, "checkin", reached)
        work()

    return ended(forked(run))
