"""Switch logging off, for code that makes actors crash on purpose."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["quiet_logs"]


@contextmanager
def quiet_logs() -> Iterator[None]:
    """Log nothing in the block, from any thread: intended crashes are reported by a result instead."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
