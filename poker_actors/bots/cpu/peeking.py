"""Seeing other seats' cards: a right that a bot must request openly and only the dealer can grant.

A `View` never holds other seats' cards. A bot that wants them has an attribute `open_cards`; the dealer looks for such
bots, tells the people at the table, and sets the attribute before each deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

import attrs

from poker_actors.cards import Card, Deck
from poker_actors.rules import Fold, Game, PublicState

__all__ = ["OpenCards", "PeekingBot", "peeking_bots", "show_cards"]


@attrs.frozen(repr=False)
class OpenCards:
    """Every card of one hand, in the order dealt, and the seats dealt in, ascending."""

    game: Game
    cards: tuple[Card, ...]
    seats: tuple[int, ...]

    @classmethod
    def of(cls, game: Game, deck: Deck, seats: Sequence[int]) -> OpenCards:
        """Read the cards of a hand from a copy of the deck, which must have a fixed order (seeded or stacked)."""
        count = game.hole_cards * len(seats) + game.board_cards
        return cls(game, deck.copy().draw(count), tuple(sorted(seats)))

    def hole(self, seat: int, public: PublicState) -> tuple[Card, ...]:
        """Return the hole cards of `seat` at this moment of the hand.

        On later streets only seats still live are dealt cards, so folds shift the order.
        """
        folded = {taken.seat: taken.street for taken in public.actions if isinstance(taken.action, Fold)}
        live = list(self.seats)
        hole: tuple[Card, ...] = ()
        at = 0
        for street in self.game.streets[: public.dealt.street + 1]:
            if seat in live:
                mine = at + live.index(seat) * street.hole
                hole += self.cards[mine : mine + street.hole]
            at += len(live) * street.hole + street.board
            live = [other for other in live if folded.get(other) != street.name]
        return hole

    def __repr__(self) -> str:
        return f"<OpenCards: {self.game}, seats {self.seats}>"


@runtime_checkable
class PeekingBot(Protocol):
    """A bot that asks to be shown all cards before each deal."""

    open_cards: OpenCards | None


def show_cards(bots: Iterable[PeekingBot], game: Game, deck: Deck, stacks: Sequence[int]) -> None:
    """Show the bots every card of the hand about to be dealt from `deck` to the seats with chips."""
    seats = [seat for seat, stack in enumerate(stacks) if stack]
    for bot in bots:
        bot.open_cards = OpenCards.of(game, deck, seats)


def peeking_bots(bots: Iterable[object]) -> list[PeekingBot]:
    """Return the bots that ask to peek."""
    return [bot for bot in bots if isinstance(bot, PeekingBot)]
