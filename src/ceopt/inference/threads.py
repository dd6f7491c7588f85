"""One BLAS thread: for matrices this small more threads only wait for each other."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Within it every BLAS call uses one thread; work is shared out over pairs instead."""
    with _controller().limit(limits=1, user_api="blas"):
        yield
