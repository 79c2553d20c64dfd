"""A match: its game (.game files), its plan, the events a dealer reports, the results, and the files that keep them."""

from __future__ import annotations

import enum
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import IO, Final, Self

import attrs

from poker_actors.cards import Deck
from poker_actors.closing import Closing
from poker_actors.errors import BadHistory, BadSpec, unknown
from poker_actors.history.acpc import COMPETITION, game_comment
from poker_actors.rules import GAMES, Game, Hand, Stakes

NO_STACK: Final = 2**31 - 1
"""The stack of a game that defines none, as in the competition's own dealer: it never runs out."""

NO_CAP: Final = 255
_LONGEST: Final = 64 * 1024
"""Most characters of a definition; the competition's have about 300."""

_LINE: Final = re.compile(r"([a-z]+(?: gamedef)?)\s*=?\s*([0-9 \t]*)")
_COUNTS: Final = ("numplayers", "numrounds", "numsuits", "numranks", "numholecards")
_LISTS: Final = ("stack", "blind", "raisesize", "firstplayer", "maxraises", "numboardcards")


@attrs.frozen
class GameDefinition:
    """Hold'em as one game file (.game) defines it: sequences are by player, amounts in chips.

    Player 0 sits left of the button; heads-up that is the big blind. Every hand begins with
    `stacks`. `str` gives the text of the file, which parses back.
    """

    name: str = attrs.field(eq=False)
    """the file's name without .game"""
    no_limit: bool
    stacks: tuple[int, ...]
    blinds: tuple[int, ...]

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.stacks)

    @property
    def stakes(self) -> Stakes:
        """The blinds; the big one is also the smallest bet."""
        return Stakes(min(self.blinds[:2]), max(self.blinds[:2]))

    @property
    def game(self) -> Game:
        """The rules: no-limit or fixed-limit hold'em."""
        return GAMES["holdem" if self.no_limit else "limit-holdem"]

    @property
    def comment(self) -> str:
        """The comment with stakes and stacks that our hand histories read for the hands that follow."""
        return game_comment(self.game.name, self.blinds, max(self.blinds), self.stacks)

    def hand(self, deck: Deck) -> Hand:
        """Begin a hand; its seats are the player numbers."""
        return Hand(self.stacks, self.stakes, deck=deck, button=self.players - 1, game=self.game)

    def __str__(self) -> str:
        size, big = self.players, max(self.blinds)
        rows = [
            "GAMEDEF",
            "nolimit" if self.no_limit else "limit",
            f"numPlayers = {size}",
            "numRounds = 4",
            f"stack = {_row(self.stacks)}" if min(self.stacks) < NO_STACK else "",
            f"blind = {_row(self.blinds)}",
            "" if self.no_limit else f"raiseSize = {_row((big, big, 2 * big, 2 * big))}",
            f"firstPlayer = {2 if size == 2 else 3} 1 1 1",  # left of the big blind, then left of the button
            "" if self.no_limit else "maxRaises = 3 4 4 4",
            "numSuits = 4",
            "numRanks = 13",
            "numHoleCards = 2",
            "numBoardCards = 0 3 1 1",
            "END GAMEDEF",
        ]
        return "".join(f"{row}\n" for row in rows if row)


def _row(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


DEFINITIONS: Final[dict[str, GameDefinition]] = {
    name: GameDefinition(
        name if len(blinds) > 2 else f"{name}.reverse_blinds",
        "nolimit" in name,
        (stack or NO_STACK,) * len(blinds),
        blinds,
    )
    for name, (blinds, stack) in COMPETITION.items()
}
"""The competition's games by the name to type, without `.reverse_blinds`."""


def definition_named(text: str) -> GameDefinition:
    """Return a game of the competition by name, or read the game file at that path.

    Raises `BadSpec` for an unknown name, with the nearest known one, and for a game that is not
    supported, naming the field; `OSError` for a file that cannot be read.
    """
    short = text.removesuffix(".game").removesuffix(".reverse_blinds")
    path = Path(text)
    if short in DEFINITIONS and not path.is_file():
        return DEFINITIONS[short]
    if not text.endswith(".game") and not path.is_file():
        raise BadSpec(unknown("game", text, DEFINITIONS, ", or a file"))
    with path.open(encoding="utf-8", errors="replace") as stream:
        written = stream.read(_LONGEST + 1)
    try:
        return parse_definition(written, path.name.removesuffix(".game"))
    except BadSpec as error:
        raise BadSpec(f"{text[:100]}: {error}") from None


def parse_definition(text: str, name: str = "game") -> GameDefinition:
    """Read the text of a game file; raises `BadSpec` naming the line or the field, and the limit."""
    if len(text) > _LONGEST:
        raise BadSpec(f"a game definition has at most {_LONGEST} characters")
    fields = _fields(text)
    [size] = fields.get("numplayers", (0,))
    if not 2 <= size <= 10:
        raise BadSpec(f"numPlayers = {size}: 2 to 10 can play")
    no_limit = "nolimit" in fields
    stacks = _by_player(fields, "stack", size) if "stack" in fields else (NO_STACK,) * size
    definition = GameDefinition(name, no_limit, stacks, _by_player(fields, "blind", size))
    for field, wanted in _fields(str(definition)).items():
        found = fields.get(field, ())
        if found[: len(wanted)] != wanted:
            written = f"{field} = {_row(found)}" if found else f"{field} is missing"
            raise BadSpec(f"{written}: the hold'em played here has {_row(wanted)}")
    caps = fields.get("maxraises", ())
    if no_limit and min(caps, default=NO_CAP) < NO_CAP:
        raise BadSpec(f"maxraises = {_row(caps)}: no-limit raises are not counted here")
    _check(definition)
    return definition


def _fields(text: str) -> dict[str, tuple[int, ...]]:
    """Return the numbers of each field by its lower-case name."""
    fields: dict[str, tuple[int, ...]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#") or not line.strip():
            continue
        found = _LINE.fullmatch(line.strip().lower())
        field, values = (found[1], found[2].split()) if found else ("", [])
        if field == "end gamedef":
            break
        if field in _COUNTS + _LISTS:
            if not values or (field in _COUNTS and len(values) > 1) or max(map(len, values)) > 10:
                raise BadSpec(f"line {number}: {line.strip()[:60]!r} lacks the numbers it needs")
            fields[field] = tuple(map(int, values))
        elif field in ("limit", "nolimit") and not values:
            fields.pop("nolimit" if field == "limit" else "limit", None)
            fields[field] = ()
        elif field != "gamedef" or values:
            raise BadSpec(f"line {number}: {line.strip()[:60]!r} is not a field of a game definition")
    return fields


def _by_player(fields: dict[str, tuple[int, ...]], field: str, size: int) -> tuple[int, ...]:
    found = fields.get(field, ())
    if len(found) < size:
        raise BadSpec(f"{field} = {_row(found)}: {size} players need {size} numbers")
    return found[:size]


def _check(definition: GameDefinition) -> None:
    blinds, stacks = definition.blinds, definition.stacks
    size, big = definition.players, max(blinds)
    heads_up = size == 2 and blinds[0] >= blinds[1]
    ring = size > 2 and blinds[0] <= blinds[1] and not any(blinds[2:])
    if not (heads_up or ring) or big < 1:
        usual = "the big blind, then the small one" if size == 2 else "the small blind, the big one, then 0"
        raise BadSpec(f"blind = {_row(blinds)}: {size} players post {usual}")
    if min(stacks) <= big or max(stacks) > NO_STACK:
        raise BadSpec(f"stack = {_row(stacks)}: a stack is above the big blind of {big}, at most {NO_STACK}")
    if size > 2 and len(set(stacks)) > 1:
        # with short stacks an all-in below a full raise reopens the betting by the competition's rules, but not by ours
        raise BadSpec(f"stack = {_row(stacks)}: more than two players begin with the same stack")


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
_TORN: Final = re.compile(r"([cf]|r[0-9]{0,10})?( [0-9.]*){0,3}")
"""The beginning of a turn: the line that a killed dealer was writing."""


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


class MatchFiles(Closing):
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

    def close(self) -> None:
        """Close the files."""
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
            if not line.endswith("\n") and _TORN.fullmatch(line):
                return
            if found is None:
                text = f"{line.strip()[:60]!r} is not ACTION HAND ASKED ANSWERED"
                raise BadHistory(f"{path}, line {place}: {text}")
            yield found[1], int(found[2]), max(float(found[4]) - float(found[3]), 0.0)
