"""One player's view of a hand on the wire: `MATCHSTATE:position:hand:betting:cards`."""

from __future__ import annotations

import re
from typing import Final

import attrs

from poker_actors.cards import STANDARD_DECK, Card, Deck, parse_cards
from poker_actors.errors import BadInput, BadSpec
from poker_actors.rules import Hand
from poker_actors.wire.acpc.protocol.betting import betting_text, play_betting
from poker_actors.wire.acpc.protocol.definition import GameDefinition

__all__ = ["MatchState", "board_text", "match_state", "shown_holes", "state_text"]

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
        holes = "|".join("".join(map(str, hole)) for hole in self.holes)
        board = "".join(["/" + "".join(map(str, street)) for street in self.board])
        return f"MATCHSTATE:{self.position}:{self.number}:{self.betting}:{holes}{board}"

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
    holes = tuple(
        [hole if seen else () for hole, seen in zip(hand.holes, shown_holes(hand, position), strict=True)]
    )
    board = tuple([hand.board[start:end] for start, end in ((0, 3), (3, 4), (4, 5))[: len(hand.marks) - 1]])
    return MatchState(position, number, betting_text(hand), holes, board)


def shown_holes(hand: Hand, position: int) -> list[bool]:
    """Return by seat whether the player `position` sees its hole cards: its own; after a showdown all not folded."""
    live = hand.live if hand.strengths is not None else ()
    return [seat == position or seat in live for seat in range(len(hand.starting))]


def board_text(hand: Hand) -> str:
    """Return the board, with a `/` before each street."""
    text = "".join(map(str, hand.board))
    return "".join(
        [("", "/" + text[:6], "/" + text[6:8], "/" + text[8:])[street] for street in range(len(hand.marks))]
    )


def state_text(hand: Hand, number: int) -> str:
    """Return the log's line of a hand, with all hole cards: `STATE:number:betting:cards`."""
    holes = "|".join(["".join(map(str, hole)) for hole in hand.holes])
    return f"STATE:{number}:{betting_text(hand)}:{holes}{board_text(hand)}"
