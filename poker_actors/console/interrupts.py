"""Delay Ctrl-C while chips move."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["interrupts_held"]


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold SIGINT back while the block runs, and deliver it afterwards, once.

    An interrupt between two steps of a buy-in or a hand would leave chips in neither a stack nor the bank.

    Off the main thread this does nothing: Python handles signals on the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):
        before(*came[0])
