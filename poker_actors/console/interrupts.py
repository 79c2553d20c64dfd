"""Signals that end a game: they act like Ctrl-C, and wait while chips are moving."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

__all__ = ["endings_interrupt", "interrupts_held"]

_ENDINGS: Final = ("SIGTERM", "SIGHUP")
"""Somebody ends the process, or closes its terminal; not every system has both."""


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold SIGINT back while the block runs and let it take effect afterwards.

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


@contextmanager
def endings_interrupt() -> Iterator[None]:
    """Turn signals that would end the process into an interrupt, as by Ctrl-C, while the block runs.

    The money is then settled and the log closed. Works on the main thread only.
    """
    numbers = [getattr(signal, name) for name in _ENDINGS if hasattr(signal, name)]
    before = [(number, signal.signal(number, _interrupt)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _interrupt(_number: int, frame: FrameType | None) -> None:
    """Do what Ctrl-C does at this moment: interrupt, wait, or tell the screen."""
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):
        handler(signal.SIGINT, frame)
