"""Tests for a bot and for a game of your own: played at many tables, judged by a referee and by definition."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations, islice
from random import Random
from typing import Any, Final, Literal

import attrs

from poker_actors.bots import BotSpec
from poker_actors.cards import Card, Deck
from poker_actors.errors import BadSpec
from poker_actors.history.refereed import sheet_of, verdicts
from poker_actors.referee import ORDERS, best
from poker_actors.rules import HOLDEM, Action, Call, Game, Hand, Legal, View, game_named
from poker_actors.rules.games import Share
from poker_actors.sim import SimulationResult, simulate

_COMPANY: Final = ("random", "maniac", "caller", "loose")
"""Opponents that together raise by every size, go all-in early, and see every street."""
_TABLES: Final = ((2, "100bb"), (2, "3bb"), (3, "20bb"), (6, "100bb"), (6, "7bb"))
"""Seats and stacks in big blinds: some deep, some so short that a blind or one raise is all-in."""


@attrs.frozen
class BotCheck:
    """The report on a bot: hands played, and mean seconds per decision (None if no hand was timed)."""

    hands: int
    decisions: int
    seconds_per_decision: float | None


def check_bot(
    bot: str | BotSpec | Callable[..., Any], *, hands: int = 200, seed: int = 1, game: str | Game = HOLDEM
) -> BotCheck:
    """Play a bot at five kinds of table, `hands` at each; return the report.

    Raises `AssertionError`, naming the fault and the seed, if the bot raises, returns anything but a legal
    action, or acts differently when the same hands are dealt again: random choices must come from
    `view.rng`. Raises `BadSpec` or `UnknownBot` if `bot` does not name or make a bot.

    >>> check_bot("tight", hands=10).hands
    50
    """
    chosen = game_named(game) if isinstance(game, str) else game
    if type(hands) is not int or hands < 1:
        raise BadSpec(f"hands is {hands!r:.40}: the minimum is 1")
    played = [_at_a_table(bot, seats, stacks, hands, seed, chosen) for seats, stacks in _TABLES]
    seconds = [one.players[0].seconds_per_decision for one, _ in played]
    timed = [each for each in seconds if each is not None]
    return BotCheck(
        hands=sum(one.hands for one, _ in played),
        decisions=sum(decisions for _, decisions in played),
        seconds_per_decision=sum(timed) / len(timed) if timed else None,
    )


def _at_a_table(
    bot: Any, seats: int, stacks: str, hands: int, seed: int, game: Game
) -> tuple[SimulationResult, int]:
    """Play the same hands twice at one table; return the result and the number of decisions."""
    where = f"{seats} seats, {stacks}, {game}, seed {seed}"
    company: Sequence[Any] = [_COMPANY[number % len(_COMPANY)] for number in range(seats - 1)]

    def play() -> tuple[SimulationResult, list[tuple[object, ...]]]:
        taken: list[tuple[object, ...]] = []
        made = BotSpec.of(bot).make()

        def noted(view: View) -> object:
            action = made(view)
            taken.append((view.public.seq, view.hole, action))
            return action

        return simulate([noted, *company], hands=hands, seed=seed, stacks=stacks, game=game), taken

    (first, decisions), (second, again) = play(), play()
    for result in (first, second):
        faults = result.players[0].faults
        if faults.total:
            raise AssertionError(f"{faults.total} faults at {where}; the first: {faults.first}")
    # without faults, plays of different length differ in a decision before the shorter one ends
    for number, (one, other) in enumerate(zip(decisions, again, strict=False)):
        if one != other:
            text = f"decision {number} was {one[2]}, then {other[2]}: take luck from view.rng"
            raise AssertionError(f"different play at {where}: {text}")
    return first, len(decisions)


_DRIVERS: Final[tuple[Literal["direct", "stepper", "threads"], ...]] = ("direct", "stepper", "threads")
_DRIVEN: Final = 12
"""Hands on each driver at each number of seats: they play the same, so a few show it."""
_SOME: Final = 400
"""Legal actions looked at: every bet size is one."""
_CARD: Final = re.compile(r"Card\('(..)'\)")
_UNKNOWN: Final = object()
"""The worth of a hand that nothing but the game's own function defines."""
_WORDS: Final = {-1: "worse", 0: "as good", 1: "better"}
_SHORT: Final = (1, 3, 20, 100)
"""Stacks, in big blinds or smallest bets: all-in for a blind, for a raise, on a later street, or never."""


@attrs.frozen
class GameCheck:
    """The report on a game: what was played."""

    hands: int
    showdowns: int
    shares: int
    """shares of pots whose winners were also found by definition"""


def check_game(game: str | Game, *, hands: int = 50, seed: int = 1) -> GameCheck:
    """Play `hands` random hands of a game at every number of seats; return the report.

    Each turn, pot and payout is judged by `poker_actors.referee`, which shares no code with the rules, and each
    showdown by the definition of its rankings. It also checks that no view shows another seat's hidden cards, that
    chips are conserved, that the same cards and actions give the same hand, and that all drivers agree. Raises
    `AssertionError`, naming the hand's seats and seed, and `BadSpec` for a game that cannot be read.

    >>> check_game("omaha8", hands=2).hands
    18
    """
    chosen = game_named(game) if isinstance(game, str) else game
    if type(hands) is not int or hands < 1:
        raise BadSpec(f"hands is {hands!r:.40}: the minimum is 1")
    showdowns = shares = played = 0
    for seats in range(2, chosen.max_seats + 1):
        for number in range(hands):
            luck = Random(f"{seed} {seats} {number}")
            where = f"{chosen.name}, {seats} seats, seed {seed}, hand {number}"
            hand = _played(chosen, seats, luck, where)
            _judge(hand, where)
            played += 1
            if len(hand.live) > 1:
                showdowns += 1
                shares += _compare_showdown(hand, where)
        _compare_drivers(chosen, seats, seed)
    return GameCheck(played, showdowns, shares)


# -- one hand -------------------------------------------------------------------------------------


def _played(game: Game, seats: int, luck: Random, where: str) -> Hand:
    """Play a hand of random legal actions, and again by its log; look at every view on the way."""
    unit = max(game.stakes.big_blind, game.stakes.min_bet)
    stacks = tuple(unit * luck.choice(_SHORT) + luck.randrange(unit) for _ in range(seats))
    deck, button = luck.getrandbits(60), luck.randrange(seats)

    def dealt() -> Hand:
        return Hand(stacks, game.stakes, deck=Deck.seeded(deck, game.pack), button=button, game=game)

    hand, again = dealt(), dealt()
    while hand.to_act:
        _look(hand, where)
        action = _random_action(hand.legal, luck)
        hand.act(action)
        again.act(action)
    # the decks are different objects; everything else about the hands is equal
    same = (again.holes, again.boards, again.stacks, again.log) == (
        hand.holes,
        hand.boards,
        hand.stacks,
        hand.log,
    )
    assert same, f"{where}: the same cards and actions ended differently"
    assert sum(hand.stacks) == sum(stacks), f"{where}: {sum(stacks)} chips became {sum(hand.stacks)}"
    return hand


def _look(hand: Hand, where: str) -> None:
    """Assert that the public state, which every seat's view shows, holds no card that lies face down."""
    shown = {*_CARD.findall(repr(hand.public()))}
    most_open = sum(street.up for street in hand.game.streets)
    for seat, hole in enumerate(hand.holes):
        opened = hand.open[seat][:most_open]
        hidden = {str(card) for card in hole if card not in opened and not hand.game.open_face}
        assert not hidden & shown, (
            f"{where}: {', '.join(hidden & shown)}, face down before seat {seat}, can be seen"
        )


def _random_action(legal: Legal, luck: Random) -> Action:
    """Return a legal action at random; half of them stay in, so that hands come to a showdown."""
    if luck.random() < 0.5:
        return Call() if legal.to_call else legal.passive
    some = list(islice(legal, _SOME))
    return some[-1] if luck.random() < 0.2 else luck.choice(some)


def _judge(hand: Hand, where: str) -> None:
    """Assert that the referee finds nothing wrong."""
    for verdict in verdicts(hand):
        raise AssertionError(f"{where}: {verdict.words}")


def _compare_showdown(hand: Hand, where: str) -> int:
    """Assert that live seats stand in each share as its definition has them; return how many shares have one."""
    game, compared = hand.game, 0
    if game.open_face:
        return 0  # rows are scored one by one, and the referee scores them, too
    holes = [hand.holes[seat] for seat in hand.live]
    for board in hand.boards:
        for claim, share in zip(game.claims(hand.live, holes, board), game.shares or (None,), strict=True):
            worths = [_worth(game, share, hole, board) for hole in holes]
            if _UNKNOWN in worths:
                continue
            compared += 1
            for (one, mine), (two, yours) in combinations(zip(hand.live, worths, strict=True), 2):
                stands = _sign(claim.strengths[one], claim.strengths[two])
                cards = [" ".join(map(str, hand.holes[seat])) for seat in (one, two)]
                assert stands == _sign(mine, yours), (
                    f"{where}: {cards[0]} against {cards[1]} on {' '.join(map(str, board)) or 'no board'} "
                    f"{claim.name} is {_WORDS[stands]}, by definition {_WORDS[_sign(mine, yours)]}"
                )
    return compared


def _worth(game: Game, share: Share | None, hole: tuple[Card, ...], board: tuple[Card, ...]) -> Any:
    """Return what a hand is worth by definition, 0 if it does not qualify; `_UNKNOWN` without a definition."""
    ranking = None if share is None else share.ranking
    if ranking is not None and ranking.worth is not None:
        return (ranking.by_definition(hole, board),)
    order = sheet_of(game).orders[0] if ranking is None else ranking.name
    return best(order, hole, board) or () if order in ORDERS else _UNKNOWN


def _sign(one: Any, two: Any) -> int:
    return int(one > two) - int(one < two)


def _compare_drivers(game: Game, seats: int, seed: int) -> None:
    """Assert that every driver plays the same hands, without a fault of a bot that answers legally."""
    bots = ["caller", *["random"] * (seats - 1)]
    digests = {
        driver: simulate(bots, hands=_DRIVEN, seed=seed, game=game, driver=driver).digest
        for driver in _DRIVERS
    }
    assert len({*digests.values()}) == 1, (
        f"{game.name}, {seats} seats, seed {seed}: drivers differ: {digests}"
    )
