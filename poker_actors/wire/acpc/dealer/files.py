"""A dealer's files: the log of hands, the turns (to resume a match) and all messages."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

from poker_actors.errors import BadHistory
from poker_actors.wire.acpc.dealer.dealer import DealerEvent, Event
from poker_actors.wire.acpc.dealer.plan import MatchPlan

__all__ = ["MatchFiles", "log_header", "read_turns"]

_TURN: Final = re.compile(
    r"([cf]|r[0-9]{0,10}) ([0-9]{1,10}) ([0-9]{1,12}\.[0-9]{6}) ([0-9]{1,12}\.[0-9]{6})\n?"
)


def log_header(plan: MatchPlan) -> str:
    """Return the comments at the top of a log; the last one, the stakes, is for our hand histories."""
    limits, game = plan.limits, plan.definition
    name = re.sub(r"\s", "_", plan.title)
    return (
        f"# name/game/hands/seed {name} {game.name}.game {plan.hands} {plan.seed}\n"
        f"#--t_response {limits.response * 1000:.0f}\n"
        f"#--t_hand {limits.hand * 1000:.0f}\n"
        f"#--t_per_hand {limits.per_hand * 1000:.0f}\n"
        f"{game.comment}\n"
    )


class MatchFiles:
    """Writes a match to files as it is played; call it with each event of the dealer.

    `log` gets a `STATE:` line per hand and the `SCORE:`, `turns` a line per action with the times it
    was asked for and answered, `messages` every line sent and received. The log is complete up to the
    last hand whatever happens. A context manager; raises `FileExistsError` for a file that exists,
    unless told to `replace` it or to `resume`: then turns and messages are appended to, and the log is
    rewritten, beginning with the hands that the dealer replays.
    """

    def __init__(
        self,
        plan: MatchPlan,
        *,
        log: Path | None = None,
        turns: Path | None = None,
        messages: Path | None = None,
        replace: bool = False,
        resume: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._plan = plan
        self._places = (log, turns, messages)
        self._mode = "a" if resume else "w" if replace else "x"
        self._log_mode = "w" if resume else self._mode
        self._clock = clock
        self._open = ExitStack()
        self._log: IO[str] | None = None
        self._turns: IO[str] | None = None
        self._messages: IO[str] | None = None
        self._sent = [0.0] * len(plan.names)
        self._heard = [0.0] * len(plan.names)

    def __enter__(self) -> Self:
        with ExitStack() as opening:
            modes = (self._log_mode, self._mode, self._mode)
            self._log, self._turns, self._messages = [
                None
                if place is None
                else opening.enter_context(place.open(mode, encoding="utf-8", newline="\n"))
                for place, mode in zip(self._places, modes, strict=True)
            ]
            if self._turns is not None and self._mode == "a":
                _cut_last_line(self._places[1], self._turns)
            if self._log is not None:
                self._write(self._log, log_header(self._plan))
            self._open = opening.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def __call__(self, event: DealerEvent) -> None:
        """Write an event to the files that record it."""
        kind, seat = event.kind, event.seat
        if kind is Event.SENT:
            self._sent[seat] = now = self._clock()
            if self._messages is not None:
                self._messages.write(f"TO {seat + 1} at {now:.6f} {event.text}\n")
        elif kind is Event.HEARD:
            self._heard[seat] = now = self._clock()
            if self._messages is not None:
                self._messages.write(f"FROM {seat + 1} at {now:.6f} {event.text}\n")
        elif kind is Event.PLAYED and self._turns is not None:
            # a seat that gave no answer was last heard before it was asked: count no time
            heard = max(self._heard[seat], self._sent[seat])
            self._write(self._turns, f"{event.text} {event.number} {self._sent[seat]:.6f} {heard:.6f}\n")
        elif kind in (Event.HAND, Event.SCORE) and self._log is not None:
            self._write(self._log, f"{event.text}\n")

    @staticmethod
    def _write(stream: IO[str], text: str) -> None:
        """Write and flush, so that a killed match loses no turn it has played."""
        stream.write(text)
        stream.flush()


def _cut_last_line(place: Path | None, stream: IO[str]) -> None:
    """Cut off a half-written last line: the next turn would be appended to it."""
    assert place is not None
    stream.truncate(place.read_bytes().rfind(b"\n") + 1)
    stream.seek(0, 2)


def read_turns(path: Path) -> Iterator[tuple[str, int, float]]:
    """Yield the turns of a file as (action, number of the hand, seconds).

    A last line that was cut off is left out. Raises `BadHistory` naming the line.
    """
    with path.open(encoding="utf-8", errors="replace") as stream:
        for place, line in enumerate(stream, start=1):
            found = _TURN.fullmatch(line)
            if not line.endswith("\n"):
                return
            if found is None:
                raise BadHistory(
                    f"{path}, line {place}: {line.strip()[:60]!r} is no ACTION HAND ASKED ANSWERED"
                )
            yield found[1], int(found[2]), max(float(found[4]) - float(found[3]), 0.0)
