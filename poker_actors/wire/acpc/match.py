"""A match: its plan, the events a dealer reports, the results, and the files that keep them."""

from __future__ import annotations

import enum
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

import attrs

from poker_actors.errors import BadHistory, BadSpec
from poker_actors.wire.acpc.definition import GameDefinition

MOST_SECONDS: Final = 10_000_000.0
"""Highest limit: about four months."""

_NAME: Final = re.compile(r"[!-9;-{}~][ -9;-{}~]{0,99}")


@attrs.frozen
class MatchLimits:
    """Time limits in seconds, and tolerated failures. The defaults are the competition's.

    With `strikes` 0 the match ends at the first failure, as in the competition. With more, a
    player that fails checks if it can, else folds; after `strikes` failures, or when it has gone,
    it is not waited for again. Raises `BadSpec` for impossible limits.
    """

    response: float = 600.0
    """seconds for one answer"""
    hand: float = 600.0
    """for all answers of a hand"""
    per_hand: float = 7.0
    """seconds for all answers of a hand, on average over the match"""
    start: float | None = None
    """seconds for all players to connect and send their version; None: no limit"""
    invalid: int | None = None
    """illegal actions tolerated in a match; each more is a failure; None: any number"""
    strikes: int = 0
    ignored: int = 1_000
    """lines per turn that are not answers, including comments; one more is a failure"""

    def __attrs_post_init__(self) -> None:
        for name in ("response", "hand", "per_hand", "start"):
            seconds = getattr(self, name)
            if seconds is not None and not 0 < seconds <= MOST_SECONDS:
                raise BadSpec(f"{name} of {seconds} seconds must be above 0 and at most {MOST_SECONDS:.0f}")
        for name in ("invalid", "strikes", "ignored"):
            count = getattr(self, name)
            if count is not None and count < 0:
                raise BadSpec(f"{name} {count} is below the minimum of 0")


def _checked(plan: MatchPlan, attribute: object, names: tuple[str, ...]) -> None:
    if len(names) != plan.definition.players:
        raise BadSpec(f"{len(names)} names: {plan.definition.name} is for {plan.definition.players} players")
    for name in (*names, plan.title):
        if _NAME.fullmatch(name) is None:
            raise BadSpec(
                f"{name[:40]!r} is not a name: it must be 1 to 100 printable ASCII characters without : and |"
            )
    if len(set(names)) < len(names):
        raise BadSpec(f"two players are called {max(names, key=names.count)!r}")


@attrs.frozen
class MatchPlan:
    """Everything that determines a match, apart from the answers. Raises `BadSpec` if it cannot be played."""

    definition: GameDefinition
    hands: int
    seed: int
    title: str = "match"
    fixed_seats: bool = False
    """whether player 0 is the same seat in every hand; else players move on by one seat"""
    limits: MatchLimits = attrs.field(factory=MatchLimits)
    names: tuple[str, ...] = attrs.field(validator=_checked)

    @names.default
    def _number_names(self) -> tuple[str, ...]:
        return tuple(f"p{seat + 1}" for seat in range(self.definition.players))

    def __attrs_post_init__(self) -> None:
        if type(self.hands) is not int or not 1 <= self.hands < 2**32:
            raise BadSpec(f"hands is {self.hands!r:.40}: it must be 1 to {2**32 - 1}")

    def player(self, seat: int, number: int) -> int:
        """Return the player number of a seat in a hand, counted from the left of the button."""
        return (seat - (0 if self.fixed_seats else number)) % self.definition.players

    def seat(self, player: int, number: int) -> int:
        """Return the seat of a player number in a hand."""
        return (player + (0 if self.fixed_seats else number)) % self.definition.players


@attrs.define
class SeatRecord:
    """One player's result, and its failures."""

    name: str
    value: Fraction = Fraction(0)
    """chips won or lost"""
    seconds: float = 0.0
    """seconds spent on answers"""
    invalid: int = 0
    """illegal actions, which became calls"""
    moved: int = 0
    """raises whose size had to be changed"""
    ignored: int = 0
    """lines that were not answers"""
    failures: int = 0
    """failures, such as late or missing answers; see `MatchLimits`"""
    gone: bool = False
    """whether the dealer no longer waits for it"""
    first: str = ""
    """the first failure in words; empty without one"""


@attrs.frozen
class Outcome:
    """The result of a match."""

    hands: int
    """hands finished"""
    seats: tuple[SeatRecord, ...]
    broken: str = ""
    """why the match ended before its last hand; empty when it did not"""
    digest: str = ""
    """hash of the log's lines of hands: equal matches have equal digests"""


class Event(enum.Enum):
    """The kinds of events a dealer reports to its listener."""

    SENT = "TO"
    """a line was sent to a seat"""
    HEARD = "FROM"
    """a line was read from a seat"""
    PLAYED = "action"
    """a seat acted; the text is the action"""
    HAND = "hand"
    """a hand has ended; the text is its line of the log"""
    FAULT = "fault"
    """a seat broke a rule or a limit; the text says which"""
    SCORE = "score"
    """the match has ended as planned; the text is the last line of the log"""


@attrs.frozen
class DealerEvent:
    """One event; `seat` is -1 for events of no seat."""

    kind: Event
    seat: int
    text: str
    number: int = 0
    """of the hand"""


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

    `log` gets a `STATE:` line per hand and the `SCORE:`, `turns` a line per action with the times it was asked for and
    answered, `messages` every line sent and received. The log is complete up to the last hand whatever happens. A
    context manager; raises `FileExistsError` for a file that exists, unless told to `replace` it or to `resume`: then
    it appends to turns and messages, and rewrites the log, beginning with the hands that the dealer replays.
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
        mode = "a" if resume else "w" if replace else "x"
        # a line that ends is written at once to log and turns, so that a killed match loses no turn it has played
        self._places = ((log, "w" if resume else mode, 1), (turns, mode, 1), (messages, mode, -1))
        self._clock = clock
        self._open = ExitStack()
        self._log, self._turns, self._messages = list[IO[str] | None]([None, None, None])
        self._sent = [0.0] * len(plan.names)
        self._heard = [0.0] * len(plan.names)

    def __enter__(self) -> Self:
        with ExitStack() as opening:
            self._log, self._turns, self._messages = [
                None
                if place is None
                else opening.enter_context(place.open(mode, buffering, encoding="utf-8", newline="\n"))
                for place, mode, buffering in self._places
            ]
            if self._turns is not None:
                # cut off a half-written last line: the next turn would be appended to it
                self._turns.truncate(Path(self._turns.name).read_bytes().rfind(b"\n") + 1)
                self._turns.seek(0, 2)
            if self._log is not None:
                self._log.write(log_header(self._plan))
            self._open = opening.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def __call__(self, event: DealerEvent) -> None:
        """Write an event to the files that record it."""
        kind, seat = event.kind, event.seat
        if kind in (Event.SENT, Event.HEARD):
            now = self._clock()
            (self._sent if kind is Event.SENT else self._heard)[seat] = now
            if self._messages is not None:
                self._messages.write(f"{kind.value} {seat + 1} at {now:.6f} {event.text}\n")
        elif kind is Event.PLAYED and self._turns is not None:
            # a seat that gave no answer was last heard before it was asked: count no time
            heard = max(self._heard[seat], self._sent[seat])
            self._turns.write(f"{event.text} {event.number} {self._sent[seat]:.6f} {heard:.6f}\n")
        elif kind in (Event.HAND, Event.SCORE) and self._log is not None:
            self._log.write(f"{event.text}\n")


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
                text = f"{line.strip()[:60]!r} is not ACTION HAND ASKED ANSWERED"
                raise BadHistory(f"{path}, line {place}: {text}")
            yield found[1], int(found[2]), max(float(found[4]) - float(found[3]), 0.0)
