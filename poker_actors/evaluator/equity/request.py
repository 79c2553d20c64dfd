"""A checked equity request: ranges, board and game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from attrs import frozen

from poker_actors.cards import SHORT_DECK, STANDARD_DECK, Card, parse_cards
from poker_actors.errors import BadSpec, DuplicateCard
from poker_actors.evaluator import order
from poker_actors.evaluator.equity.ranges import Range, parse_range
from poker_actors.evaluator.equity.shares import SHARED_GAMES

CardsLike = str | Iterable[Card | str | int]
PlayerLike = str | Range | Iterable[Card]


@frozen
class EquityGame:
    """A game: its numbers of hole cards, its deck, and the scale of its hands."""

    name: str
    holes: tuple[int, ...]
    deck: tuple[Card, ...]
    scale: int


GAMES: Final = {
    game.name: game
    for game in (
        EquityGame("holdem", (2,), STANDARD_DECK, order.STANDARD),
        EquityGame("omaha", (4, 5, 6), STANDARD_DECK, order.STANDARD),
        EquityGame("short_deck", (2,), SHORT_DECK, order.SHORT_DECK),
    )
}
_FEWEST, _MOST = 2, 10
_BOARD: Final = 5


@frozen
class Request:
    """A checked request: every range has at least one hand, and none with a board or dead card."""

    game: EquityGame
    ranges: tuple[Range, ...]
    board: tuple[Card, ...]
    dead: tuple[Card, ...]

    @property
    def missing(self) -> int:
        """Return the number of board cards to come."""
        return _BOARD - len(self.board)

    @property
    def stub(self) -> tuple[Card, ...]:
        """Return the deck without board, dead cards and known hands."""
        gone = {*self.board, *self.dead}
        for hands in self.ranges:
            if len(hands) == 1:
                gone.update(hands.combos[0])
        return tuple(card for card in self.game.deck if card not in gone)


def read_request(
    players: Sequence[PlayerLike], board: CardsLike = "", dead: CardsLike = "", game: str = "holdem"
) -> Request:
    """Parse and check a request; raises `BadCard`, `DuplicateCard`, and `BadSpec` for anything else invalid."""
    rules = GAMES.get(game.replace("-", "_"))
    if rules is None:
        raise BadSpec(
            f"equities cannot be computed for game {game!r}: choose from {', '.join([*GAMES, *SHARED_GAMES])}"
        )
    if not _FEWEST <= len(players) <= _MOST:
        raise BadSpec(f"an equity has {_FEWEST} to {_MOST} players, not {len(players)}")
    shared, gone = parse_cards(board), parse_cards(dead)
    if len(shared) > _BOARD:
        raise BadSpec(f"a board of {len(shared)} cards is too long: at most {_BOARD}")
    for card in (*shared, *gone):
        if card not in rules.deck:
            raise BadSpec(f"{card} is not in the deck of {len(rules.deck)} cards of {game}")
    hole = _hole_size(players, rules)
    ranges = tuple(_read_player(player, hole, rules) for player in players)
    _refuse_doubles(ranges, shared, gone)
    fitting = tuple(hands.without((*shared, *gone)) for hands in ranges)
    for seat, hands in enumerate(fitting):
        if not hands:
            raise BadSpec(f"player {seat}: no hand of {hands.text!r} is left with this board and dead cards")
    if hole * len(ranges) + _BOARD + len(gone) > len(rules.deck):
        raise BadSpec(
            f"{len(ranges)} hands of {hole} cards and a board need more than {len(rules.deck)} cards"
        )
    return Request(rules, fitting, shared, gone)


def _hole_size(players: Sequence[PlayerLike], rules: EquityGame) -> int:
    """Return the number of hole cards: that of the first player given as cards, else the game's smallest."""
    for player in players:
        if isinstance(player, Range):
            size = len(player.combos[0])
        elif isinstance(player, str):
            letters = re.split("[,:@]", player)[0].replace(" ", "").removeprefix("!")
            size = len(letters) // 2
            if letters[1:2] not in ("c", "d", "h", "s"):
                continue
        else:
            size = len(list(player))
        if size not in rules.holes:
            allowed = " or ".join(map(str, rules.holes))
            raise BadSpec(f"{player} has {size} cards: a hand of {rules.name} has {allowed}")
        return size
    return rules.holes[0]


def _read_player(player: PlayerLike, hole: int, rules: EquityGame) -> Range:
    if isinstance(player, Range):
        return player
    text = player if isinstance(player, str) else "".join(str(Card(card)) for card in player)
    return _read_text(text, hole, rules.name)


@lru_cache(1024)
def _read_text(text: str, hole: int, game: str) -> Range:
    """Parse a range, cached, because programs ask for the same ranges again and again."""
    return parse_range(text, hole=hole, deck=GAMES[game].deck)


def _refuse_doubles(ranges: Sequence[Range], board: Sequence[Card], dead: Sequence[Card]) -> None:
    """Raise `DuplicateCard` if known hands, board and dead cards share a card."""
    seen: set[Card] = set()
    for cards in (board, dead, *(hands.combos[0] for hands in ranges if len(hands) == 1)):
        for card in cards:
            if card in seen:
                raise DuplicateCard(f"{card} is given twice")
        seen.update(cards)
