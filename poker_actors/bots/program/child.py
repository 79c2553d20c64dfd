"""One process of a program: lines in and out with deadlines, its stderr, and its end."""

from __future__ import annotations

import os
import select
import signal
from contextlib import suppress
from time import monotonic
from typing import Final

from poker_actors.bots.faults import BotFault
from poker_actors.bots.program.starting import Program, Started

__all__ = ["Child"]

_STDERR_KEPT: Final = 4096
"""Bytes of stderr to keep, the last ones; the rest is read and dropped, as a full pipe would block the program."""
_READ: Final = 65536
_LAST_WORDS_SECONDS: Final = 0.25
"""Seconds for a process that closed its output to exit and say why on stderr."""
_GOODBYE_SECONDS: Final = 0.5
"""Seconds for a program to exit after its stdin ends; then it is killed."""


class Child:
    """A running program, in its own session and process group, so that its children can be killed with it.

    `longest` is the bytes of a line. A process in a cage runs only from `go_on` to `stop`, once it is greeted. Raises
    as `Started` does.
    """

    def __init__(self, program: Program, longest: int) -> None:
        self._started = Started(program)
        self._process = self._started.process
        self._end = self._started.end
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._err = [pipe.fileno() for pipe in pipes if pipe is not None]
        os.set_blocking(self._in, False)  # a program that does not read must not block us past the deadline
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._open = {self._out, self._err}
        self._longest = longest
        self._buffer = b""
        self._cpu_seconds = program.cpu_seconds
        self._stderr = b""
        self.pid: Final = self._process.pid
        self.started: Final = monotonic()

    def stop(self) -> None:
        """Stop it soon, until `go_on`, with all it started, if it is in a cage."""
        if self._started.watch is not None:
            self._started.watch.stop()

    def go_on(self) -> None:
        """Let it run, to hear and to answer."""
        if self._started.watch is not None:
            self._started.watch.go_on()

    def check_quiet(self) -> None:
        """Raise `BotFault` (`flooded`) if there is output before a question: it would be taken for the next answer."""
        if not self._buffer:
            for fd, _ in self._poll.poll(0):
                self._read(fd)
        if self._buffer:
            raise BotFault("flooded", f"wrote more than its answer: {self._buffer[:40]!r}")

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line by `deadline` (monotonic clock, seconds); raises `BotFault` (`late`, `died`)."""
        rest = memoryview(line)
        try:
            while rest:
                try:
                    rest = rest[os.write(self._in, rest) :]
                except BlockingIOError:
                    self._wait_to_write(deadline)
        except BrokenPipeError:
            raise self._death() from None

    def _wait_to_write(self, deadline: float) -> None:
        left = deadline - monotonic()
        if left <= 0 or not select.select((), (self._in,), (), left)[1]:
            raise BotFault("late", "did not read what it was asked")

    def receive(self, deadline: float) -> bytes:
        """Return the next line by `deadline` (monotonic clock); raises `BotFault` (`late`, `died`, `flooded`)."""
        while True:
            line, found, rest = self._buffer.partition(b"\n")
            if found:
                self._buffer = rest
                return line
            if len(line) > self._longest:
                raise BotFault("flooded", f"wrote more than {self._longest} bytes without an end of line")
            if self._out not in self._open:
                raise self._death()
            left = deadline - monotonic()
            ready = self._poll.poll(left * 1000) if left > 0 else ()
            if not ready:
                raise BotFault("late", "no answer in time")
            for fd, _ in ready:
                self._read(fd)

    def _read(self, fd: int) -> None:
        read = os.read(fd, _READ)
        if not read:
            self._poll.unregister(fd)
            self._open.discard(fd)
        elif fd == self._out:
            self._buffer += read
        else:
            self._stderr = (self._stderr + read)[-_STDERR_KEPT:]

    def _death(self) -> BotFault:
        """Return a fault that tells how it ended, with the last line of its stderr; its output is closed already."""
        deadline = monotonic() + _LAST_WORDS_SECONDS
        while self._open and (left := deadline - monotonic()) > 0:
            ready = self._poll.poll(left * 1000)
            for fd, _ in ready:
                self._read(fd)
            self._buffer = self._buffer[-self._longest :]
        self.kill()
        status = self._process.returncode
        words = f"ended with exit status {status}" if status >= 0 else f"was killed by {_signal(-status)}"
        if status == -getattr(signal, "SIGXCPU", 0):
            words += f", after {self._cpu_seconds} s of processor time"
        last = self.stderr.strip().rpartition("\n")[2]
        return BotFault("died", f"{words}: {last}" if last else words)

    @property
    def stderr(self) -> str:
        """Return the last part of its stderr."""
        return self._stderr.decode("utf-8", "replace")

    def close(self) -> None:
        """Close its stdin, give it time to exit, then kill it."""
        if self._end.alive and self._process.stdin is not None:
            self.go_on()
            with suppress(BrokenPipeError):  # it has exited already
                self._process.stdin.close()
            deadline = monotonic() + _GOODBYE_SECONDS
            while self._out in self._open and (left := deadline - monotonic()) > 0:
                for fd, _ in self._poll.poll(left * 1000):
                    self._read(fd)
                self._buffer = b""
        self.kill()

    def kill(self) -> None:
        """Kill it and all processes it started, and reap it, so that no zombie remains."""
        self._end()


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
