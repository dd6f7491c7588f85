"""Other processes: forked, so that they begin at once, and never waited for without end."""

from __future__ import annotations

import os
import signal
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from sqlalchemy import Engine, Pool, event

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
    """How a process ends that is killed at its k-th write point: after a statement, or around a commit."""

    def run() -> None:
        passed = iter(range(point))

        def reached(*_: Any, **__: Any) -> None:
            if next(passed, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)

        event.listen(Engine, "after_cursor_execute", reached)
        event.listen(Engine, "commit", reached)  # before it
        event.listen(Pool, "checkin", reached)  # after it, and before anybody hears of it
        work()

    return ended(forked(run))
