"""The two CPUs: `cpu-seed` knows the player's score, as the original does; `cpu-fair` imagines it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, Protocol, runtime_checkable

import attrs

from poker_actors.bots.cpu.tables import LEVELS, Luck, Standing
from poker_actors.bots.registry import bot
from poker_actors.cards import Card, Deck
from poker_actors.errors import BadSpec
from poker_actors.evaluator import five_card
from poker_actors.rules import Action, Bet, Fold, Game, PublicState, View, action

_SCORES: Final[Mapping[str, Callable[[Sequence[Card]], int]]] = {
    "five-card": five_card.class_by_counts,
    "five-card-printed": five_card.class_as_printed,
    "five-card-kickers": five_card.class_by_counts,
}
"""The CPU's score of a hand, 0 to 6, by game; kickers are ignored."""

_CALL, _CHECK, _FOLD = action.CALL, action.CHECK, action.FOLD


class _Cpu:
    """Bets and calls by the tables, never raises; subclasses judge the standing."""

    def __init__(
        self,
        *,
        level: Literal["easy", "normal", "hard"] = "normal",
        chances: Literal["coded", "commented"] = "coded",
        draws: Literal["inclusive", "exclusive"] = "inclusive",
    ) -> None:
        self.tables: Final = LEVELS[level]
        self.luck: Final = Luck(inclusive=draws == "inclusive", commented=chances == "commented")

    def __call__(self, view: View) -> Action:
        """Bet or check when nothing was bet, else call or fold."""
        standing = self.standing(view, _scoring(view))
        if view.to_call:
            last = view.public.dealt.street == len(view.game.streets) - 1
            calls = self.tables.last if last else self.tables.early
            return _CALL if calls[standing].hits(view.rng, self.luck) else _FOLD
        mine = view.stack
        yours = view.public.chips_behind[_opponent(view)]
        rows = self.tables.poorer if mine < yours else self.tables.richer
        amount = rows[standing].bet(min(mine, yours), view.rng, self.luck)
        return Bet(amount) if amount and view.legal.can_raise else _CHECK

    def standing(self, view: View, score: Callable[[Sequence[Card]], int]) -> Standing:
        """Judge who is ahead."""
        raise NotImplementedError


@bot("cpu-seed")
class CpuSeed(_Cpu):
    """The five-card game's CPU as its article has it: it peeks at the player's cards.

    It needs permission: the dealer sets `open_cards` before each hand. `chances` chooses between the numbers in the
    code and the percentages in its comments, `draws` whether random draws include their upper end.
    """

    open_cards: OpenCards | None = None

    def standing(self, view: View, score: Callable[[Sequence[Card]], int]) -> Standing:
        """Compare both scores; raises `BadSpec` without permission to peek."""
        if self.open_cards is None:
            raise BadSpec("cpu-seed peeks at the player's cards, but this dealer does not show them")
        theirs = self.open_cards.hole(_opponent(view), view.public)
        return Standing.of(score(view.hole), score(theirs))


@bot("cpu-fair")
class CpuFair(_Cpu):
    """The same tables without peeking: it imagines the player's cards from those it cannot see.

    So it believes itself ahead as often as it would be against a random hand.
    """

    def standing(self, view: View, score: Callable[[Sequence[Card]], int]) -> Standing:
        """Compare the CPU's score with that of a hand drawn from the unseen cards."""
        unseen = [card for card in view.game.pack if card not in view.hole]
        imagined = view.rng.sample(unseen, len(view.hole))
        return Standing.of(score(view.hole), score(imagined))


def _scoring(view: View) -> Callable[[Sequence[Card]], int]:
    score = _SCORES.get(view.game.name)
    if score is None:
        raise BadSpec(f"the CPU plays {', '.join(_SCORES)}, not {view.game}")
    return score


def _opponent(view: View) -> int:
    return next(seat for seat in view.public.seats_live if seat != view.seat)


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
    for shown in bots:
        shown.open_cards = OpenCards.of(game, deck, seats)


def peeking_bots(bots: Iterable[object]) -> list[PeekingBot]:
    """Return the bots that ask to peek."""
    return [bot for bot in bots if isinstance(bot, PeekingBot)]
