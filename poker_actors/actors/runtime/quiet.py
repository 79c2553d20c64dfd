"""Switch logs off, for code that makes actors crash on purpose."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["quiet_logs"]


@contextmanager
def quiet_logs() -> Iterator[None]:
    """Log nothing in the block, from any thread: crashes made on purpose are told by a result, not by the log."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
