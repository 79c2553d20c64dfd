"""A picture of the table as the person may see it, for a screen to draw."""

from __future__ import annotations

from typing import Final

import attrs

from poker_actors.cards import Card
from poker_actors.console.setup import Setup
from poker_actors.console.sitting import Sitting
from poker_actors.console.telling import showdown_seats, verb
from poker_actors.rules import Fold, PublicState

__all__ = ["SeatPicture", "TablePicture", "picture"]

_FIVE: Final = 5
"""Number of cards from which a hand without a board can be described."""


@attrs.frozen
class SeatPicture:
    """One seat: `cards` are those the person can see, `hidden` is the number of the others."""

    name: str
    stack: int
    bet: int = 0
    cards: tuple[Card, ...] = ()
    hidden: int = 0
    said: str = ""
    """its last action on this street (a fold is kept), or its net result once the hand is over"""
    words: str = ""
    """the hand in words, if the person can see it"""
    button: bool = False
    to_act: bool = False
    folded: bool = False


@attrs.frozen
class TablePicture:
    """All seats, the board and the pot; `marks` has a word to write under each of the person's cards."""

    seats: tuple[SeatPicture, ...]
    boards: tuple[tuple[Card, ...], ...] = ((),)
    pot: int = 0
    street: str = ""
    marks: tuple[str, ...] = ()

    @property
    def board(self) -> tuple[Card, ...]:
        """The first, and usually only, board."""
        return self.boards[0]


def picture(sitting: Sitting) -> TablePicture:
    """Return the table as the person may see it now."""
    setup = sitting.setup
    state = sitting.state
    if state is None:
        waiting = zip(setup.names, sitting.stacks, strict=True)
        return TablePicture(tuple(SeatPicture(name, stack) for name, stack in waiting))
    public = state.public
    said = _said(public)
    seats = tuple(_seat(sitting, public, seat, said.get(seat, "")) for seat in range(len(setup.names)))
    opened = public.open[setup.seat]
    marks = tuple(["open" if card in opened else "" for card in state.hole]) if opened else ()
    return TablePicture(seats, public.boards, public.pot, public.phase, marks)


def _seat(sitting: Sitting, public: PublicState, seat: int, said: str) -> SeatPicture:
    setup = sitting.setup
    over = public.over
    cards, words = _seen(sitting, seat)
    live = seat in public.live
    opened = public.open[seat]
    held = sum(street.hole + street.up for street in setup.game.streets[: len(public.dealt.marks)])
    held -= sum(street.throw for street in setup.game.streets[: len(public.dealt.marks) - 1])
    held -= (
        0 if setup.game.board_cards else len(public.board)
    )  # stud's last card may be dealt once, for everybody
    won = 0 if sitting.result is None else sitting.result.payoffs[seat]
    if over and won:
        said = f"{won:+}"
    elif over and live:
        said = ""
    return SeatPicture(
        name=setup.names[seat],
        stack=public.stacks[seat],
        bet=0 if over else public.bets[seat],
        cards=cards or (opened if live else ()),
        hidden=0 if cards or not live else held - len(opened),
        said=said,
        words=words,
        button=seat == public.setup.button,
        to_act=public.active == seat,
        folded=not live and bool(public.setup.stacks[seat]),
    )


def _seen(sitting: Sitting, seat: int) -> tuple[tuple[Card, ...], str]:
    """Return the cards of a seat that the person can see, and the hand in words."""
    setup = sitting.setup
    result = sitting.result
    if result is not None and result.hand is not None and seat in showdown_seats(setup, result.hand):
        hand = result.hand
        assert hand.strengths is not None  # a seat is in the showdown only if there was one
        words = [setup.game.words_of(claims, seat, hand.holes[seat]) for claims in hand.claims]
        return hand.holes[seat], " / ".join(words)
    state = sitting.state
    if seat != setup.seat or state is None:
        return (), ""
    return state.hole, " / ".join(words_now(setup, state.hole, board) for board in state.public.boards)


def words_now(setup: Setup, hole: tuple[Card, ...], board: tuple[Card, ...]) -> str:
    """Return a seat's hand so far in words; empty if it cannot be described yet, as before the flop."""
    game = setup.game
    if game.board_cards and len(board) < 3 and game.board_cards > 2:
        return ""
    if setup.suits and len(hole) != game.hole_cards and (board or len(hole) < _FIVE):
        return ""
    return game.words_of(game.claims([0], [hole], board), 0, hole)


def _said(public: PublicState) -> dict[int, str]:
    """Return each seat's last action on this street; a fold counts on all later streets too."""
    said: dict[int, str] = {}
    street = public.dealt.street
    for taken in public.log:
        if taken.street == street or isinstance(taken.action, Fold):
            said[taken.seat] = " ".join(verb(taken.action, taken.paid)).rstrip()
    return said
