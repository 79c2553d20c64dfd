"""Treat signals that end a game like Ctrl-C, and delay them while chips move."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

__all__ = ["endings_interrupt", "interrupts_held"]

_ENDINGS: Final = ("SIGTERM", "SIGHUP")
"""Sent to end the process, and when its terminal closes; Windows has no SIGHUP."""


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


@contextmanager
def endings_interrupt() -> Iterator[None]:
    """Turn signals that would end the process into an interrupt, as Ctrl-C is, while the block runs.

    The session can then settle its chips and close the log. Works on the main thread only.
    """
    numbers = [getattr(signal, name) for name in _ENDINGS if hasattr(signal, name)]
    before = [(number, signal.signal(number, _interrupt)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _interrupt(_number: int, frame: FrameType | None) -> None:
    """Do what Ctrl-C would do now; the handler of SIGINT may be Python's, `interrupts_held`'s or the screen's."""
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):
        handler(signal.SIGINT, frame)
