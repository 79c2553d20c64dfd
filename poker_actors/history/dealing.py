"""The cards of a history: the holdings of each player, and the order of the deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from poker_actors.cards import Card
from poker_actors.errors import Discrepancy
from poker_actors.frozen import value
from poker_actors.history.steps import (
    ActionKind,
    ActionStep,
    BoardDealt,
    Comment,
    Dealt,
    Discarded,
    Showed,
    Step,
)
from poker_actors.history.unknown import UNKNOWN, is_known, unknowns
from poker_actors.rules import Game

__all__ = ["ToldCards", "told_cards"]

_NOTHING: Final[Mapping[int, tuple[Card, ...]]] = MappingProxyType({})


@value
class ToldCards:
    """The cards of a hand, as far as its history names them."""

    holes: tuple[tuple[Card, ...], ...]
    """at the end of the steps"""
    board: tuple[Card, ...]
    mucked: frozenset[int]
    """players who mucked"""
    deck: tuple[Card, ...] = ()
    """in the order dealt, where that is not all holes and then the board"""
    named: Mapping[int, tuple[Card, ...]] = _NOTHING
    """step number -> the cards dealt or thrown away there, each unknown card distinct"""


def told_cards(game: Game, size: int, steps: Sequence[Step]) -> ToldCards:
    """Collect all cards of a hand in one pass over its steps.

    Raises `Discrepancy` for cards that cannot have been dealt or thrown away like this.
    """
    if not game.plain:
        return _Dealer(game, size, steps).told()
    holes: list[tuple[Card, ...]] = [()] * size
    board: tuple[Card, ...] = ()
    shows: list[Showed] = []
    for step in steps:
        kind = type(step)
        if kind is ActionStep or kind is Comment:
            continue
        if type(step) is Dealt:
            holes[step.player] += step.cards
        elif type(step) is BoardDealt:
            board += step.cards
        elif type(step) is Showed:
            shows.append(step)
    for show in shows:
        dealt = holes[show.player]
        if show.cards and (not dealt or UNKNOWN in dealt):
            holes[show.player] = _merged(dealt, show.cards)
    if () in holes:
        blank = (UNKNOWN,) * game.hole_cards
        holes = [hole or blank for hole in holes]
    return ToldCards(tuple(holes), board, _mucked(shows))


def _mucked(shows: Sequence[Showed]) -> frozenset[int]:
    """Return the players who mucked and did not show their cards after all."""
    return frozenset([show.player for show in shows if not show.cards]) - {
        show.player for show in shows if show.cards
    }


def _merged(dealt: tuple[Card, ...], shown: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards dealt or those shown, whichever name more."""
    if UNKNOWN not in shown or not dealt:
        return shown
    return dealt if sum(card is UNKNOWN for card in dealt) <= shown.count(UNKNOWN) else shown


class _Dealer:
    """Deals games whose cards come on several streets, lie open or are exchanged, step by step.

    Each unknown card is numbered, and gets its name once the player throws it away or shows it.
    """

    def __init__(self, game: Game, size: int, steps: Sequence[Step]) -> None:
        self.game = game
        self.steps = steps
        self.blanks = unknowns()
        self.hands: list[list[Card]] = [[] for _ in range(size)]
        self.board: list[Card] = []
        self.deck: list[Card] = []
        self.named: dict[int, tuple[Card, ...]] = {}
        self.names: dict[Card, Card] = {}
        self.out: set[Card] = set()
        """named cards in hands or on the board, which cannot be dealt again"""
        self.round: list[tuple[int, tuple[Card, ...]]] = []
        """players and the cards they were dealt since the last turn"""
        self.started = False

    def told(self) -> ToldCards:
        for number, step in enumerate(self.steps):
            if type(step) is Dealt:
                self._deal(number, step)
            elif type(step) is BoardDealt or type(step) is Discarded or type(step) is ActionStep:
                self._end_round()
                self._play(number, step)
        self._end_round()
        shows = [step for step in self.steps if type(step) is Showed]
        for show in shows:
            self._name_shown(self.hands[show.player], show.cards)
        self._fill_deck()
        return ToldCards(
            tuple([self._renamed(hand) for hand in self.hands]),
            self._renamed(self.board),
            _mucked(shows),
            self._renamed(self.deck),
            {number: self._renamed(cards) for number, cards in self.named.items()},
        )

    def _renamed(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple([self.names.get(card, card) for card in cards])

    def _numbered(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Number the unknown cards; raise `Discrepancy` if another cannot be dealt."""
        for card in cards:
            if card is UNKNOWN:
                continue
            if card in self.out:
                raise Discrepancy(f"{card} is dealt twice")
            if card not in self.game.pack:
                raise Discrepancy(f"{card} is not in the pack of {self.game.title}")
            self.out.add(card)
        return tuple([next(self.blanks) if card is UNKNOWN else card for card in cards])

    def _deal(self, number: int, step: Dealt) -> None:
        if self.started and any(player == step.player for player, _ in self.round):
            self._end_round()  # the next street of players who are all-in
        cards = self.named[number] = self._numbered(step.cards)
        self.hands[step.player] += cards
        self.round.append((step.player, cards))

    def _end_round(self) -> None:
        """Append the cards dealt since the last turn to the deck, in the order of players, as the rules deal."""
        if not self.started:
            self._deal_unnamed()
        self.started = True
        for _, cards in sorted(self.round, key=lambda dealt: dealt[0]):
            self.deck += cards
        self.round = []

    def _deal_unnamed(self) -> None:
        """Deal unknown first cards to players without recorded ones; check the number of the others."""
        first = self.game.streets[0]
        for player, hand in enumerate(self.hands):
            if not hand:
                hand += self._numbered((UNKNOWN,) * (first.hole + first.up))
                self.round.append((player, tuple(hand)))
            elif len(hand) != first.hole + first.up:
                count = f"{len(hand)} cards before the first action"
                raise Discrepancy(
                    f"p{player + 1} is dealt {count}: {self.game.title} deals {first.hole + first.up}"
                )

    def _play(self, number: int, step: BoardDealt | Discarded | ActionStep) -> None:
        if type(step) is BoardDealt:
            cards = self._numbered(step.cards)
            self.board += cards
            self.deck += cards
        elif type(step) is Discarded:
            gone = tuple([self._thrown(step.player, card) for card in step.cards])
            self.named[number] = gone
            self.out.difference_update(gone if self.game.draws else ())
        elif type(step) is ActionStep and step.move is ActionKind.FOLD and self.game.draws:
            self.out.difference_update(self.hands[step.player])

    def _thrown(self, player: int, card: Card) -> Card:
        """Take a card out of a hand; a named card that is not in it takes the place of an unknown one."""
        hand = self.hands[player]
        if card in hand:
            hand.remove(card)
            return card
        blank = next((held for held in hand if not is_known([held])), None)
        if blank is None:
            which = "a card that nobody named" if card is UNKNOWN else f"{card}"
            raise Discrepancy(f"p{player + 1} throws {which} away and holds {' '.join(map(str, hand))}")
        hand.remove(blank)
        if card is not UNKNOWN:
            self.names[blank] = card
        return blank

    def _name_shown(self, hand: Sequence[Card], shown: Sequence[Card]) -> None:
        held = self._renamed(hand)
        blanks = [card for card in held if not is_known([card])]
        new = [card for card in shown if card is not UNKNOWN and card not in held]
        if len(new) <= len(blanks):
            self.names.update(zip(blanks, new, strict=False))

    def _fill_deck(self) -> None:
        """Add unknown cards for the rest of the deck, except where stud's last card was dealt to the board."""
        game = self.game
        if len(self.board) > game.board_cards:
            return
        each = sum([street.hole + street.up + street.draw for street in game.streets])
        missing = each * len(self.hands) + game.board_cards - len(self.deck)
        self.deck += self._numbered([UNKNOWN] * max(missing, 0))
