"""A program as a bot: started when needed, asked with a deadline, restarted after a failure."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Annotated, Final

from poker_actors.bots.cage import Cage
from poker_actors.bots.deciding import OutsideBot
from poker_actors.bots.faults import STOPS, BotFault, FaultLimits, Faults
from poker_actors.bots.hearing import HandStart
from poker_actors.bots.program.child import Child
from poker_actors.bots.program.protocol import (
    HEARING,
    LONGEST_REPLY,
    heard_line,
    hello_line,
    read_hello,
    read_reply,
    turn_line,
)
from poker_actors.bots.program.starting import Program, bare_environment, words_of
from poker_actors.bots.registry import Within
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, View

_MEGABYTE: Final = 1 << 20
_MOST_UNHEARD: Final = 1024
"""The most starts and ends kept for a program: one that is never asked must not fill memory."""


class ProgramBot(OutsideBot):
    """A program in any language as a bot; see docs/bots.md for what it reads and writes.

    `seconds` is the deadline of one decision, `start_seconds` that of the hello, `match_seconds` the total of all
    decisions in a match. `memory` is the address space in megabytes, `cpu_seconds` the processor time of one process.
    After a missed deadline, an exit or a flood it is restarted, at most `restarts` times in a match; then it is
    ejected. `env` names variables of the environment to pass on. With `cage`, it is not trusted: see `Cage` for
    `folder`, `read` (its files), `processes` and `tmp` (megabytes); without, `folder` is where it runs. Join several
    names by `+`. Raises `BadSpec` for a command that does not name a program.
    """

    hears: bool = True
    """false, unless its `hello` asks for version 2"""
    _greeted: bool = False

    def __init__(  # noqa: PLR0913  each is a setting that users name
        self,
        *,
        command: str,
        seconds: Annotated[float, Within(0.001, 3600)] = 2.0,
        start_seconds: Annotated[float, Within(0.001, 3600)] = 20.0,
        match_seconds: Annotated[float, Within(0.001, 1e7)] = 3600.0,
        memory: Annotated[int, Within(16, 1 << 24)] = 2048,
        cpu_seconds: Annotated[int, Within(1, 10_000_000)] = 3600,
        restarts: Annotated[int, Within(0, 1000)] = 4,
        env: str = "",
        cage: bool = False,
        folder: str = "",
        read: str = "",
        processes: Annotated[int, Within(1, 10_000)] = 64,
        tmp: Annotated[int, Within(1, 1 << 20)] = 64,
    ) -> None:
        self.limits = FaultLimits(stops=restarts + 1, seconds=match_seconds)
        super().__init__()
        self._command = command
        self._seconds = seconds
        self._start_seconds = start_seconds
        self._program = Program(
            words=tuple(words_of(command)),
            memory=memory * _MEGABYTE,
            cpu_seconds=cpu_seconds,
            environment=bare_environment(_parts(env)),
            folder=Path(folder) if folder and not cage else None,
            cage=Cage(
                folder=Path(folder) if folder else None,
                files=tuple(map(Path, _parts(read))),
                memory=memory * _MEGABYTE,
                processes=processes,
                tmp=tmp * _MEGABYTE,
            )
            if cage
            else None,
        )
        self._child: Child | None = None
        self._unheard: list[bytes] = []

    @property
    def pid(self) -> int | None:
        """Return the process id; None while it is not running."""
        return None if self._child is None else self._child.pid

    @property
    def stderr(self) -> str:
        """Return the last part of its process's stderr."""
        return "" if self._child is None else self._child.stderr

    def open(self) -> None:
        """Start the program and wait for its hello; raises `BadSpec` if none comes."""
        try:
            self._greet(self._started(), monotonic() + self._start_seconds)
        except BotFault as fault:
            self._drop()
            # as seen from its folder: others may read it, who need not know where that lies
            cage = self._program.cage
            folder = self._program.folder if cage is None else cage.folder
            command = self._command.replace(f"{folder}/", "")
            raise BadSpec(f"bot cmd:{command[:60]} does not start: {_flat(str(fault))}") from None

    def close(self) -> None:
        """Stop the process and every process it started."""
        child, self._child = self._child, None
        if child is None:
            return
        if self._unheard and self._greeted:
            with suppress(BotFault):  # it has gone, or does not read: nobody asks it any more
                child.go_on()
                child.send(b"".join(self._unheard), monotonic() + self._seconds)
        child.close()

    def __call__(self, view: View) -> Action:
        """Ask the program for an action; raises `BotFault`, after killing one that no longer follows the protocol."""
        self.account.check_budget()
        start = monotonic()
        try:
            return self._asked(view, start + self._seconds)
        except BotFault as fault:
            self._after(fault)
            raise
        finally:
            used = self.account.used
            used.calls += 1
            used.seconds += monotonic() - start

    def _asked(self, view: View, deadline: float) -> Action:
        line = self._question(view)  # first: the bot's luck must advance even if its program fails
        child = self._started()
        if not self._greeted:
            self._greet(child, deadline)
        child.check_quiet()
        child.go_on()
        child.send(b"".join([*self._unheard, line]), deadline)
        self._unheard.clear()
        answer = child.receive(deadline)
        child.stop()
        return self._answer(answer, view)

    def hand_started(self, start: HandStart) -> None:
        """Keep the news to send it with the next turn, if the program wants news."""
        if self.hears:
            self._unheard.append(self._heard(start))
            del self._unheard[:-_MOST_UNHEARD]

    hand_over = hand_started

    def _greeting(self) -> bytes:
        return hello_line()

    def _heard(self, news: HandStart) -> bytes:
        return heard_line(news)

    def _question(self, view: View) -> bytes:
        return turn_line(view)

    def _answer(self, line: bytes, view: View) -> Action:
        return read_reply(line, view)

    def _started(self) -> Child:
        child = self._child
        if child is None:
            try:
                child = Child(self._program, LONGEST_REPLY)
            except OSError as error:
                raise BotFault("died", f"cannot be started: {error.strerror}") from error
            self._child = child
            self._greeted = False
            child.send(self._greeting(), monotonic() + self._seconds)
        return child

    def _greet(self, child: Child, deadline: float) -> None:
        self.hears = read_hello(child.receive(deadline)) == HEARING
        if not self.hears:
            self._unheard.clear()
        self._greeted = True
        child.stop()

    def _after(self, fault: BotFault) -> None:
        """Kill a process that no longer answers and start another, which has until the next turn to get ready."""
        if fault.kind not in STOPS:
            return
        child = self._child
        starting = child is not None and not self._greeted and fault.kind == "late"
        if child is not None and starting and monotonic() - child.started < self._start_seconds:
            return  # slow to start, not hanging: killing it would start it over every time
        self._drop()
        if not _is_last(self.account, fault):
            self._restart()

    def _restart(self) -> None:
        try:
            self._started()
        except BotFault:
            self._drop()  # not counted here: the next turn tries again, and its fault counts

    def _drop(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()


def _is_last(account: Faults, fault: BotFault) -> bool:
    """Whether this fault, not counted yet, ejects the bot: then a restart would be wasted."""
    after = Faults.after(account.before if account.before is not None else Faults(limits=account.limits))
    after.add(account)
    setattr(after, fault.kind, getattr(after, fault.kind) + 1)
    return after.beyond_limits


def _parts(text: str) -> list[str]:
    """Split a setting that names several things: a comma ends a setting, so + stands between them."""
    return [part for part in text.split("+") if part]


def _flat(text: str) -> str:
    return " ".join(text.split())
