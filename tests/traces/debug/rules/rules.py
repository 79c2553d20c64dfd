"""Fourteen mutations of the rules, each played in a room where it shows, for the sessions beside this file.

Without `planted`, the same hands are played by sound rules: a test sees that nothing is said of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.table import dealing
from poker_actors.cards import Deck, parse_cards
from poker_actors.debug.session import Watch
from poker_actors.rules import Action, Hand, Stakes, View, hand, parse_action, payout, settlement
from poker_actors.rules.betting import BettingRound
from poker_actors.rules.event import Shown
from poker_actors.rules.game import First
from poker_actors.rules.options import CashOptions, Rake
from poker_actors.rules.payout import PaidRounds
from poker_actors.rules.settlement import Claim, Pot
from poker_actors.rules.streets import StreetRounds

Make = Callable[[Any], Any]


@contextmanager
def _patched(planted: bool, *places: tuple[Any, str], make: Make) -> Iterator[None]:
    """Replace attributes by what `make` makes of them, if the bug is `planted`."""
    right = [(owner, name, vars(owner)[name]) for owner, name in places]
    for owner, name, value in right if planted else ():
        setattr(owner, name, make(value))
    try:
        yield
    finally:
        for owner, name, value in right:
            setattr(owner, name, value)


def _says(*words: str) -> Callable[[View], Action]:
    """A bot that says these words in its turns, and then checks and calls."""
    left = list(words)

    def bot(view: View) -> Action:
        if left:
            return parse_action(left.pop(0))
        if view.legal.bring_in:
            return parse_action("bring in")
        return parse_action("call" if view.to_call else "check")

    return bot


def _play(
    watch: Watch,
    bots: Sequence[Callable[[View], Action]],
    cards: str = "",
    stacks: Sequence[int] = (200, 200, 200, 200),
    hands: int = 1,
    **settings: Any,
) -> None:
    """Play hands; `cards` are dealt first in each, in the order in which the deck deals them."""
    runtime = StepRuntime()
    watch(runtime)
    with Room(runtime, seed=5) as room:
        table = room.open_table("green", seats=len(bots), button=len(bots) - 1, **settings)
        for number, bot in enumerate(bots):
            player = room.player(f"p{number}", bot, chips=1000)
            table.sit(player)
            table.buy_in(player, stacks[number])
        top = parse_cards(cards)
        rest = [card for card in Deck.seeded(5).draw(52) if card not in top]
        for _ in range(hands):
            table.deal(Deck([*top, *rest], entropy=-1)).result()


def odd_chips(watch: Watch, planted: bool = True) -> None:
    """The odd chip of a pot goes to the last of those who share it."""

    def make(right: Any) -> Any:
        def split(amount: int, winners: Sequence[int]) -> list[tuple[int, int]]:
            shares = [chips for _, chips in right(amount, winners)]
            return list(zip(winners, reversed(shares), strict=True))

        return split

    with _patched(planted, (payout, "split_pot"), (settlement, "split_pot"), make=make):
        cards = "7c8d 2c3d 2d3h AsKsQsJsTs"
        _play(watch, [_says("call", "fold"), _says(), _says()], cards, stakes=Stakes(1, 2, ante=1))


def quarters(watch: Watch, planted: bool = True) -> None:
    """Of two equal lows the first has the whole low half."""

    def make(right: Any) -> Any:
        def winners(claim: Claim, seats: Sequence[int]) -> list[int]:
            best: list[int] = right(claim, seats)
            return best[:1] if claim.name == "low" else best

        return winners

    with _patched(planted, (Claim, "winners"), make=make):
        cards = "As2sKdKc Ac2cQdQc 9s9cTdTc 3h4d8hKhJs"
        _play(watch, [_says(), _says(), _says()], cards, game="limit-omaha8")


def reopening(watch: Watch, planted: bool = True) -> None:
    """A short all-in reopens the betting to everybody."""

    def make(right: Any) -> Any:
        def may_raise(played: Hand) -> bool:
            acted = played.acted
            played.acted = [-1] * len(acted)
            try:
                return bool(right(played))
            finally:
                played.acted = acted

        return may_raise

    with _patched(planted, (BettingRound, "_may_raise"), make=make):
        bots = [_says("raise_to 20"), _says("raise_to 30"), _says()]
        _play(watch, bots, stacks=(200, 30, 200))


def straddle(watch: Watch, planted: bool = True) -> None:
    """The straddler acts first, not last."""

    def make(right: Any) -> Any:
        def post_blinds(*given: Any) -> Any:
            stacks, bets, can_bet, to_act, dead, missing = right(*given)
            return stacks, bets, can_bet, [to_act[-1], *to_act[:-1]], dead, missing

        return post_blinds

    with _patched(planted, (hand, "post_blinds"), make=make):
        _play(watch, [_says(), _says(), _says(), _says()], stakes=Stakes(1, 2, straddle=4))


def button(watch: Watch, planted: bool = True) -> None:
    """The blinds pass over a seat."""

    def make(right: Any) -> Any:
        return lambda before, ready, size: right(right(before, ready, size), ready, size)

    with _patched(planted, (dealing, "next_positions"), make=make):
        _play(watch, [_says(), _says(), _says(), _says()], hands=2)


def last_seat(watch: Watch, planted: bool = True) -> None:
    """The last seat must show its cards."""

    def make(right: Any) -> Any:
        def pay_last_seat(played: Hand) -> None:
            if played.listener is not None:
                played.listener(Shown(played.live[0], played.holes[played.live[0]]))
            right(played)

        return pay_last_seat

    with _patched(planted, (PaidRounds, "_pay_last_seat"), make=make):
        _play(watch, [_says("raise_to 6"), _says("fold"), _says("fold")])


def draw_order(watch: Watch, planted: bool = True) -> None:
    """Seats draw from the right of the button."""

    def make(right: Any) -> Any:
        def throw_away_or_bet(played: Hand, extra: Any, street: Any) -> None:
            right(played, extra, street)
            if street.draw:
                played.to_act = played.to_act[::-1]

        return throw_away_or_bet

    with _patched(planted, (StreetRounds, "_throw_away_or_bet"), make=make):
        _play(watch, [_says(), _says(), _says()], game="2-7-triple-draw")


def bring_in(watch: Watch, planted: bool = True) -> None:
    """The highest open card brings it in."""

    def make(right: Any) -> Any:
        return lambda played, first: right(played, First.HIGH_HAND if first is First.LOW_CARD else first)

    with _patched(planted, (StreetRounds, "_first_seat"), make=make):
        _play(watch, [_says(), _says(), _says()], game="stud")


def ante_pots(watch: Watch, planted: bool = True) -> None:
    """A seat all-in for its ante can win every pot."""

    def make(right: Any) -> Any:
        return lambda put_in, live, *rest: [
            Pot(pot.amount, tuple(live)) for pot in right(put_in, live, *rest)
        ]

    with _patched(planted, (payout, "layer_pots"), make=make):
        _play(watch, [_says(), _says(), _says()], "AsAhAd", stacks=(1, 200, 200), game="stud")


def rake(watch: Watch, planted: bool = True) -> None:
    """The rake is rounded up."""

    def make(right: Any) -> Any:
        return lambda own, pots, flop: [one + 1 for one in right(own, pots, flop=flop)]

    with _patched(planted, (Rake, "of"), make=make):
        _play(watch, [_says("raise_to 11"), _says(), _says()], options=CashOptions(Rake(500)))


def dead_blind(watch: Watch, planted: bool = True) -> None:
    """A dead small blind is left out of the pot that a raise is measured by."""

    def make(right: Any) -> Any:
        def post_blinds(order: Any, starting: Any, stakes: Stakes, blinds: Any, tell: Any) -> Any:
            *posted, missing = right(order, starting, stakes, blinds, tell)
            return (*posted, missing if blinds[0] is not None else 0)

        return post_blinds

    runtime = StepRuntime()
    watch(runtime)
    with _patched(planted, (hand, "post_blinds"), make=make), Room(runtime, seed=5) as room:
        table = room.open_table("green", seats=4, button=3, game="omaha", stakes=Stakes(2, 4))
        players = [room.player(f"p{number}", _says(), chips=1000) for number in range(4)]
        for player in players:
            table.sit(player)
            table.buy_in(player, 200)
        table.deal(Deck.seeded(5)).result()
        table.cash_out(players[1])
        table.leave(players[1])
        table.deal(Deck.seeded(6)).result()


def double_board(watch: Watch, planted: bool = True) -> None:
    """Both boards are paid to who wins the first."""

    def make(right: Any) -> Any:
        return lambda number, amount, seats, boards, first: right(
            number, amount, seats, [boards[0]] * len(boards), first
        )

    with _patched(planted, (settlement, "_award"), make=make):
        cards = "AsAh KsKh 2s3d AdTc9c KdTh9h 4d 4h 5d 5h"
        _play(watch, [_says(), _says(), _says()], cards, game="double-board-holdem")


def stud_order(watch: Watch, planted: bool = True) -> None:
    """The lowest open hand opens fourth street."""

    def make(right: Any) -> Any:
        return lambda played, first: right(played, First.LOW_HAND if first is First.HIGH_HAND else first)

    with _patched(planted, (StreetRounds, "_first_seat"), make=make):
        _play(watch, [_says(), _says(), _says()], game="stud")


def cap(watch: Watch, planted: bool = True) -> None:
    """Limit games have five bets a street."""

    def make(right: Any) -> Any:
        def may_raise(played: Hand) -> bool:
            played.raises -= 1
            try:
                return bool(right(played))
            finally:
                played.raises += 1

        return may_raise

    with _patched(planted, (BettingRound, "_may_raise"), make=make):
        bots = [_says("raise_to 4", "raise_to 8"), _says("raise_to 6"), _says()]
        _play(watch, bots, game="limit-holdem")
