"""One player's view of a hand on the wire: `MATCHSTATE:position:hand:betting:cards`."""

from __future__ import annotations

import re
from typing import Final

import attrs

from poker_actors.cards import STANDARD_DECK, Card, Deck, parse_cards
from poker_actors.errors import BadInput, BadSpec
from poker_actors.history.acpc import betting_text, state_body
from poker_actors.rules import Hand
from poker_actors.wire.acpc.protocol.betting import play_betting
from poker_actors.wire.acpc.protocol.definition import GameDefinition

__all__ = ["MatchState", "match_state", "match_states", "state_text"]

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
    """of the hand, from 0"""
    betting: str
    holes: tuple[tuple[Card, ...], ...]
    board: tuple[tuple[Card, ...], ...] = ()
    """the cards of each street after the first"""

    @classmethod
    def parse(cls, text: str) -> MatchState:
        """Parse a line; raises `BadSpec`, `BadCard` or `DuplicateCard` for anything but a match state."""
        found = _STATE.fullmatch(text)
        if found is None:
            raise BadSpec(f"{text[:80]!r} is no MATCHSTATE:position:hand:betting:cards")
        hole_part, *streets = found[4].split("/")
        holes = tuple([parse_cards(hole) for hole in hole_part.split("|")])
        board = tuple([parse_cards(street) for street in streets])
        parse_cards([card for group in (*holes, *board) for card in group])  # refuses duplicates
        position, number = int(found[1]), int(found[2])
        if not position < len(holes) <= 10 or any("|" in street for street in streets):
            raise BadSpec(f"{text[:80]!r}: position {position} of {len(holes)} players")
        if not holes[position] or {len(hole) for hole in holes} - {0, 2} or number > MOST_HANDS:
            raise BadSpec(f"{text[:80]!r}: hands are of two cards, one's own are known, numbers have 32 bits")
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
    """Return each player's view of `hand`: its own hole cards, after a showdown also those of who did not fold."""
    shown = hand.live if hand.strengths is not None else ()
    betting, board = betting_text(hand), _streets(hand)
    return [
        MatchState(
            position,
            number,
            betting,
            tuple(
                [hole if seat == position or seat in shown else () for seat, hole in enumerate(hand.holes)]
            ),
            board,
        )
        for position in range(len(hand.holes))
    ]


def _streets(hand: Hand) -> tuple[tuple[Card, ...], ...]:
    return tuple([hand.board[start:end] for start, end in ((0, 3), (3, 4), (4, 5))[: len(hand.marks) - 1]])


def state_text(hand: Hand, number: int) -> str:
    """Return the log's line of a hand, with all hole cards: `STATE:number:betting:cards`."""
    return f"STATE:{state_body(number, betting_text(hand), hand.holes, _streets(hand))}"
