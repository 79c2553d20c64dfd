"""Replies on one thread: waiting for one delivers messages until it is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from poker_actors.actors.runtime.reply import Answering

__all__ = ["StepFlag", "StepWord"]


class _Delivers(Protocol):
    """What a reply needs of the runtime."""

    def wait_for(self, word: StepWord, timeout: float | None, who: str) -> None:
        """Deliver until `word` is answered."""


class StepFlag:
    """As much of `threading.Event` as one thread needs."""

    __slots__ = ("_set",)

    def __init__(self) -> None:
        self._set = False

    def set(self) -> None:
        """Set the flag."""
        self._set = True

    def is_set(self) -> bool:
        """Whether the flag is set."""
        return self._set


class StepWord(Answering):
    """A reply whose `get` delivers messages until it is answered."""

    __slots__ = ("_callbacks", "_error", "_runtime", "_value", "answered")

    def __init__(self, runtime: _Delivers) -> None:
        self._runtime: Final = runtime
        self._callbacks: list[Callable[[], None]] = []
        self._value: Any = None
        self._error: BaseException | None = None
        self.answered = False

    def _answer(self, value: Any, error: BaseException | None) -> None:
        # The first answer counts: closing an address answers asks that may be answered already
        if not self.answered:
            self._value = value
            self._error = error
            self.answered = True  # before the callbacks: one that adds another would never have it called
            callbacks, self._callbacks = (
                self._callbacks,
                [],
            )  # a callback that holds the reply is a cycle, once a hand
            for callback in callbacks:
                callback()

    def get(self, timeout: float | None, who: str) -> Any:
        """Deliver messages until `who` has answered; see `Word.get`."""
        if not self.answered:
            self._runtime.wait_for(self, timeout, who)
        if self._error is not None:
            raise self._error
        return self._value

    def when_done(self, callback: Callable[[], None]) -> None:
        """Call `callback` once there is an answer, or now if there is."""
        if self.answered:
            callback()
        else:
            self._callbacks.append(callback)
