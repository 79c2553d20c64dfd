"""The protocol without a socket: lines, match states, answers, and each player's result."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

import attrs

from poker_actors.cards import STANDARD_DECK, Card, Deck, parse_cards
from poker_actors.errors import BadInput, BadSpec, IllegalAction, RemoteProtocolError
from poker_actors.history.acpc import betting_text, put_in_before, state_body, turns_in
from poker_actors.rules import Action, Call, Check, Fold, Hand, RaiseTo, layer_pots
from poker_actors.wire.acpc.match import GameDefinition
from poker_actors.wire.framing import Incoming

VERSION: Final = "VERSION:2.0.0"
"""The first line of a client."""

END: Final = "\r\n"

LONGEST_LINE: Final = 16 * 1024
"""Most bytes in a line. The longest state of ten players has 4,500; the competition's dealer cuts at 1,024."""


class Lines(Incoming):
    """Takes bytes in pieces of any size and returns whole lines, without their ends.

    A line ends with a newline; a carriage return before it is dropped. Memory is bounded by one
    line plus the bytes of one `receive_data`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.began: int = 0
        """position in the stream of the last line returned"""

    @property
    def ended(self) -> bool:
        """Whether the other side has closed."""
        return self._ended

    def next_line(self) -> str | None:
        """Return the next line; None when there is none yet.

        Raises `RemoteProtocolError` for a line that is too long or not ASCII.
        """
        end = self._buffer.find(b"\n", self._at)
        size = (len(self._buffer) if end < 0 else end) - self._at
        if size > LONGEST_LINE:
            text = f"a line of {size} bytes and more: the limit is {LONGEST_LINE}"
            raise RemoteProtocolError(text, offset=self._offset + self._at)
        if end < 0:
            return None
        line = bytes(self._buffer[self._at : end])
        self.began, self._at = self._offset + self._at, end + 1
        try:
            return line.removesuffix(b"\r").decode("ascii")
        except UnicodeDecodeError as error:
            text = f"{line[error.start]:#x} is not ASCII"
            raise RemoteProtocolError(text, offset=self.began + error.start) from None


MOST_HANDS: Final = 2**32 - 1
"""Hand numbers have 32 bits."""

_STATE: Final = re.compile(
    r"MATCHSTATE:([0-9]{1,3}):([0-9]{1,10}):([cfr0-9/]{0,4000}):((?:[2-9TJQKA][cdhs]|[|/])*)"
)


@attrs.frozen
class MatchState:
    """One player's view of a hand; `str` returns the line without its end, `parse` reads it.

    Players count from the left of the button. Hole cards hidden from this player are `()`.
    """

    position: int
    """the player whose view it is"""
    number: int
    """number of the hand, from 0"""
    betting: str
    holes: tuple[tuple[Card, ...], ...]
    board: tuple[tuple[Card, ...], ...] = ()
    """the cards of each street after the first"""

    @classmethod
    def parse(cls, text: str) -> MatchState:
        """Parse a line; raises `BadSpec`, `BadCard` or `DuplicateCard` for anything but a match state."""
        found = _STATE.fullmatch(text)
        if found is None:
            raise BadSpec(f"{text[:80]!r} is not MATCHSTATE:position:hand:betting:cards")
        hole_part, *streets = found[4].split("/")
        holes = tuple([parse_cards(hole) for hole in hole_part.split("|")])
        board = tuple([parse_cards(street) for street in streets])
        parse_cards([card for group in (*holes, *board) for card in group])  # refuses duplicates
        position, number = int(found[1]), int(found[2])
        if not position < len(holes) <= 10:
            raise BadSpec(f"{text[:80]!r}: position {position} of {len(holes)} players")
        if not holes[position] or {len(hole) for hole in holes} - {0, 2} or number > MOST_HANDS:
            raise BadSpec(
                f"{text[:80]!r}: hands have two cards, the player's own are known, numbers have 32 bits"
            )
        return cls(position, number, found[3], holes, board)

    def __str__(self) -> str:
        return f"MATCHSTATE:{self.position}:{state_body(self.number, self.betting, self.holes, self.board)}"

    def hand(self, definition: GameDefinition) -> Hand:
        """Replay the hand so far by our rules; hidden cards are stand-ins.

        Show only the view of `position`, since other cards are made up; in a hand that is over,
        all cards that decide it are real. Raises `BadSpec` when the state does not fit `definition`.
        """
        if len(self.holes) != definition.players:
            text = f"{len(self.holes)} players, and {definition.name} is for {definition.players}"
            raise BadSpec(f"hand {self.number}: {text}")
        known = [card for group in (*self.holes, *self.board) for card in group]
        rest = iter([card for card in STANDARD_DECK if card not in known])
        holes = [hole or (next(rest), next(rest)) for hole in self.holes]
        hand = definition.hand(Deck.stacked(holes, [card for street in self.board for card in street]))
        try:
            play_betting(hand, self.betting)
        except BadInput as error:
            raise BadSpec(f"hand {self.number} does not fit {definition.name}: {error}") from None
        if [len(street) for street in self.board] != [3, 1, 1][: len(hand.marks) - 1]:
            raise BadSpec(f"hand {self.number}: the board {self.board} does not fit {self.betting[:60]!r}")
        return hand


def match_state(hand: Hand, number: int, position: int) -> MatchState:
    """Return the current view of `hand` for the player `position`."""
    return match_states(hand, number)[position]


def match_states(hand: Hand, number: int) -> list[MatchState]:
    """Return each player's view of `hand`: its own hole cards and, after a showdown, those of unfolded players."""
    shown = hand.live if hand.strengths is not None else ()
    betting, board = betting_text(hand), _streets(hand)
    states = []
    for position in range(len(hand.holes)):
        holes = [hole if seat == position or seat in shown else () for seat, hole in enumerate(hand.holes)]
        states.append(MatchState(position, number, betting, tuple(holes), board))
    return states


def _streets(hand: Hand) -> tuple[tuple[Card, ...], ...]:
    return tuple([hand.board[start:end] for start, end in ((0, 3), (3, 4), (4, 5))[: len(hand.marks) - 1]])


def state_text(hand: Hand, number: int) -> str:
    """Return the log's line of a hand, with all hole cards: `STATE:number:betting:cards`."""
    return f"STATE:{state_body(number, betting_text(hand), hand.holes, _streets(hand))}"


_ANSWER: Final = re.compile(r"MATCHSTATE:([0-9]{1,9}):([0-9]{1,10}):([^:]*):([^:]*)(?::(.*))?", re.DOTALL)
_SIZE: Final = re.compile(r"\s*([+-]?[0-9]{1,15})")
_SAME: Final = str.maketrans("kb", "cr", "/")
"""`k` also means check and `b` bet; `/` is dropped, since the ends of streets follow from the actions."""


@attrs.frozen
class Answer:
    """An answer, as the dealer reads it."""

    action: Action
    invalid: str = ""
    """why the answer was illegal and became a call; empty for a legal one"""
    moved: str = ""
    """how a raise of an illegal size was moved to the nearest legal one; empty if it was not"""


def read_answer(line: str, state: str, hand: Hand) -> Answer | None:
    """Read `line` as the answer to the match state `state` of `hand`; None when it answers another.

    The rules are those of the competition's dealer: an unknown action, a fold with nothing
    to call and a raise where none is allowed become a call; a raise of an illegal size becomes the
    nearest legal one. Text after the action is ignored.
    """
    if line.startswith(state) and line[len(state) : len(state) + 1] == ":":
        return _read(line[len(state) + 1 :], hand)
    found = _ANSWER.fullmatch(line)
    if found is None or _canonical(*found.groups()[:4]) != _canonical(*state.split(":")[1:5]):
        return None
    return _read(found[5] or "", hand)


def _canonical(position: str, number: str, betting: str, cards: str) -> tuple[object, ...]:
    """Return a form in which all spellings of one state are equal; other players' cards are left out."""
    holes, _, board = cards.lower().partition("/")
    own = holes.split("|")[int(position) : int(position) + 1]
    return (int(position), int(number), betting.lower().translate(_SAME), own, board.replace("/", ""))


def _read(text: str, hand: Hand) -> Answer:
    legal = hand.legal
    calling: Action = Call() if legal.to_call else Check()
    word = text[:1].lower()
    if word in ("c", "k"):
        return Answer(calling)
    if word == "f":
        return Answer(Fold()) if legal.to_call else Answer(calling, invalid="a fold with nothing to call")
    if word not in ("r", "b"):
        return Answer(calling, invalid=f"{text[:20]!r} is not an action")
    size = None if hand.game.bets_per_street else _SIZE.match(text, 1)
    if size is None and not hand.game.bets_per_street:
        return Answer(calling, invalid=f"{text[:20]!r} is a raise without a size")
    if not legal.can_raise:
        return Answer(calling, invalid="a raise where none is allowed")
    if size is None:
        return Answer(RaiseTo(legal.max_raise_to))
    before = put_in_before(hand)
    asked = int(size[1])
    total = min(max(asked - before, legal.min_raise_to), legal.max_raise_to)
    moved = "" if total == asked - before else f"a raise to {asked} became one to {before + total}"
    return Answer(RaiseTo(total), moved=moved)


def play_betting(hand: Hand, betting: str) -> None:
    """Play the actions of `betting`; raises `BadSpec` for one that does not fit the hand.

    Each part between two `/` must be a complete street.
    """
    street = 0
    try:
        for turn in turns_in(betting, hand, strict=True):
            street += turn is None
            if len(hand.marks) <= street:
                raise BadSpec(f"{betting[:60]!r}: street {street} ends before everybody has acted")
    except IllegalAction as error:
        raise BadSpec(str(error)) from None
    if len(hand.marks) > street + 1:
        raise BadSpec(f"{betting[:60]!r}: a / is missing at its end")


def hand_values(hand: Hand) -> tuple[Fraction, ...]:
    """Return each player's win or loss in a finished hand, in chips and fractions of chips.

    They add up to 0 and differ from our payoffs only in odd chips.
    """
    spent = hand.public().log.put_in
    strengths = dict(zip(hand.live, hand.strengths or (0,), strict=True))
    values = [Fraction(-chips) for chips in spent]
    for pot in layer_pots(spent, hand.live, hand.live):
        best = max([strengths[player] for player in pot.seats])
        winners = [player for player in pot.seats if strengths[player] == best]
        for player in winners:
            values[player] += Fraction(pot.amount, len(winners))
    return tuple(values)


def amounts_text(amounts: Iterable[Fraction]) -> str:
    """Join amounts with `|`: at most six decimals, without trailing zeros."""
    return "|".join([f"{float(amount):.6f}".rstrip("0").rstrip(".") for amount in amounts])
