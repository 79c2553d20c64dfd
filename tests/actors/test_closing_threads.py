"""Closing a runtime of threads while an actor is being started."""

from __future__ import annotations

import threading

import pytest

from poker_actors.actors.runtime import Actor, Handlers, ThreadRuntime


class Idle(Actor):
    """Does nothing."""

    def handles(self) -> Handlers:
        return {}


def test_closing_waits_for_a_thread_that_is_about_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = ThreadRuntime()
    raised: list[BaseException] = []
    start = threading.Thread.start

    def close() -> None:
        try:
            runtime.close(0.0)
        except RuntimeError as error:
            raised.append(error)

    closing = threading.Thread(target=close)

    def start_late(thread: threading.Thread) -> None:
        if thread.name == "idle":
            start(closing)
            closing.join(0.2)  # as far as it comes: with the lock held it waits for the start
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_late)
    address = runtime.address("idle")
    address.runtime.start(Idle(address))
    closing.join()
    address.close()
    runtime.close()
    assert raised == []
