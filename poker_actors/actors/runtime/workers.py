"""Threads for the application's code that may block, so that the thread of a room does not."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Final

__all__ = ["Workers"]

Job = Callable[[], None]

USUAL: Final = 4
"""Threads started as soon as there is work for them; more only when all of these are busy for long."""

HURRY_SECONDS: Final = 0.05
"""A job that has waited this long gets a thread of its own: the others may block for ever, and turns take seconds."""

_IDLE_SECONDS: Final = 5.0
"""A thread without work ends after this time."""


class Workers:
    """Runs jobs on threads of its own, named after what they do. A job that never returns keeps its thread, no other."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[tuple[str, Job] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._threads: set[threading.Thread] = set()
        self._idle = 0
        self._taken = 0.0
        """when a job was last taken, or put while none waited"""
        self._closed = False

    @property
    def waiting(self) -> bool:
        """Whether a job waits for a thread."""
        return not self._jobs.empty()

    def do(self, name: str, job: Job) -> None:
        """Run `job` soon, on a thread called `name` meanwhile."""
        with self._lock:
            if self._jobs.empty():
                self._taken = time.monotonic()
            self._jobs.put((name, job))
            if self._idle < self._jobs.qsize() and len(self._threads) < USUAL:
                self._start()

    def hurry(self) -> None:
        """Start one more thread if jobs wait and no thread has taken one for `HURRY_SECONDS`."""
        with self._lock:
            now = time.monotonic()
            if self.waiting and now - self._taken > HURRY_SECONDS:
                self._taken = now
                self._start()

    def _start(self) -> None:
        if self._closed:
            return
        thread = threading.Thread(target=self._run, name="poker-actors worker", daemon=True)
        self._threads.add(thread)
        # Under the lock: `close` joins the threads it finds, and joining one not yet started raises
        thread.start()

    def _run(self) -> None:
        me = threading.current_thread()
        own = me.name
        try:
            while (taken := self._next()) is not None:
                me.name, job = taken
                job()
                me.name = own
        finally:
            with self._lock:
                self._threads.discard(me)

    def _next(self) -> tuple[str, Job] | None:
        """Wait for a job; None once there is none for long, or at the end."""
        with self._lock:
            self._idle += 1
        try:
            return self._jobs.get(timeout=_IDLE_SECONDS)
        except Empty:
            return None
        finally:
            with self._lock:
                self._idle -= 1
                self._taken = time.monotonic()

    def close(self, end: float) -> None:
        """End the threads, those with jobs after these, and wait for them until `end` on the monotonic clock."""
        with self._lock:
            self._closed = True
            threads = [thread for thread in self._threads if thread is not threading.current_thread()]
            for _ in self._threads:
                self._jobs.put(None)
        for thread in threads:
            thread.join(max(end - time.monotonic(), 0.0))
