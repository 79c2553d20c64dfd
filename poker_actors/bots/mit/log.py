"""The game log of a match, line by line as the engines of MIT Pokerbots write it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from poker_actors.bots.mit.playing import NAMES, Ended
from poker_actors.bots.mit.rounds import brackets
from poker_actors.rules import Action, Bet, Call, Check, Fold, Hand, RaiseTo

_STREETS: Final = {"flop": 3, "turn": 4, "river": 5}
_LAST: Final = "river"
_STREETS_BET: Final = ("preflop", "flop", "turn")


def game_log(
    played: Iterable[tuple[Hand, tuple[str, str]]], *, course: str = "6.176", updates: bool = False
) -> Iterator[str]:
    """Yield the lines of a log of finished heads-up hands of hold'em, each with its players' names by seat.

    `course` is the number in the first line: 6.176 until 2023, 6.9630 since. With `updates`, as in 2022, hands are told
    again with flop and turn, and the log ends with each street's bets.
    """
    bankroll: dict[str, int] = {}
    streets: dict[str, dict[str, int]] = {}
    number, first, second = 0, "", ""
    for hand, names in played:
        small = hand.button
        first, second = names[small], names[1 - small]
        if not bankroll:
            bankroll = {first: 0, second: 0}
            yield f"{course} MIT Pokerbots - {first} vs {second}"
        number += 1
        yield ""
        yield f"Round #{number}{_values(bankroll, first, second)}"
        put_in: list[dict[str, int]] = []
        yield from _round(hand, (first, second), put_in, updates=updates)
        _count_streets(streets, hand, names, put_in)
        for seat, name in enumerate(names):
            bankroll[name] += hand.payoffs[seat]
    if number:
        yield ""
        yield f"Final{_values(bankroll, second, first)}"  # they change places after the last round, too
        for name in (second, first) if updates else ():
            for street in _STREETS_BET:
                yield f"{name} {street} bets EV: {streets[name].get(street, 0)}"


def round_log(played: Iterable[Ended]) -> Iterator[str]:
    """Yield the lines of a log of rounds that are not hands, from the first of a match; the first bot is A."""
    bankroll = dict.fromkeys(NAMES, 0)
    tables: dict[str, list[int]] = {}
    bets = _Bets()
    state, names = None, NAMES
    for ended in played:
        if state is None:
            yield f"{ended.state.course} MIT Pokerbots - {' vs '.join(ended.state.names)}"
        state, names = ended.state, ended.state.names
        yield ""
        yield f"Round #{ended.number + 1}{_values(bankroll, *names)}"
        yield from state.log
        bets.count(ended)
        for player, name in enumerate(names):
            bankroll[name] += (state.payoffs or (0, 0))[player]
            won = [table[player] for table in state.tables]
            tables[name] = [sum(both) for both in zip(tables.get(name, [0] * len(won)), won, strict=True)]
        if state.counts:
            yield f"Winning counts at the end of the round: {_values(bankroll, *names)}"
    if state is None:
        return
    second, first = names
    yield ""
    yield f"Final{_values(bankroll, first, second)}"  # they change places after the last round, too
    for number in range(len(state.tables)):
        yield f"Table {number + 1}{_values({name: tables[name][number] for name in names}, first, second)}"
    for name in (first, second) if state.adds_bets else ():
        for street in _STREETS_BET:
            yield f"{name} {street} bets EV: {bets.sums[name][street]}"


class _Bets:
    """Bets by player before the flop, on flop and turn, in rounds won and lost, as these engines add them up."""

    def __init__(self) -> None:
        self.sums: dict[str, dict[str, int]] = {name: dict.fromkeys(_STREETS_BET, 0) for name in NAMES}
        self._bets: dict[str, dict[str, int]] = {name: dict.fromkeys(_STREETS_BET, 0) for name in NAMES}

    def count(self, ended: Ended) -> None:
        """Add a round."""
        state = ended.state
        for player, name in enumerate(state.names):
            bets = self._bets[name]
            if not state.keeps_bets:
                bets |= dict.fromkeys(bets, 0)
            for at, *put_in in state.puts:
                street = {state.first_bets: "preflop", 4: "flop"}.get(at, "turn")
                before = _STREETS_BET[: _STREETS_BET.index(street)]
                bets[street] = put_in[player] - sum(bets[each] for each in before)
            won = (state.payoffs or (0, 0))[player]
            for street in _STREETS_BET:
                self.sums[name][street] += ((won > 0) - (won < 0)) * bets[street]


def _values(chips: dict[str, int], *names: str) -> str:
    return "".join([f", {name} ({chips[name]})" for name in names])


def _count_streets(
    streets: dict[str, dict[str, int]], hand: Hand, names: tuple[str, str], put_in: Sequence[dict[str, int]]
) -> None:
    """Add what each player bet on the streets before the flop, turn and river, split by rounds won and lost.

    `put_in` are the chips of both when each of these was dealt.
    """
    for seat, name in enumerate(names):
        sums = streets.setdefault(name, {})
        sign = (hand.payoffs[seat] > 0) - (hand.payoffs[seat] < 0)
        before = 0
        for street, chips in zip(_STREETS_BET, put_in, strict=False):
            sums[street] = sums.get(street, 0) + sign * (chips[name] - before)
            before = chips[name]


def _round(
    hand: Hand, names: tuple[str, str], opened: list[dict[str, int]], *, updates: bool
) -> Iterator[str]:
    """Yield the lines of a round, with `names` by index: 0 is the small blind.

    The chips that both had put in when each further street was dealt are added to `opened`.
    """
    seats = (hand.button, 1 - hand.button)
    for name, blind in zip(names, (hand.stakes.small_blind, hand.stakes.big_blind), strict=True):
        yield f"{name} posts the blind of {blind}"
    for name, seat in zip(names, seats, strict=True):
        yield f"{name} dealt {brackets(hand.holes[seat])}"
    holes = [f"{name}'s hand: {brackets(hand.holes[seat])}" for name, seat in zip(names, seats, strict=True)]
    put_in = {names[0]: hand.stakes.small_blind, names[1]: hand.stakes.big_blind}
    before = dict.fromkeys(names, 0)
    street = "preflop"
    taken = hand.public().actions
    for one in taken:
        if one.street != street:
            street, before = one.street, dict(put_in)
            opened.append(before)
            yield _street(hand, street, put_in)
            yield from holes if updates and street != _LAST else ()
        name = names[seats.index(one.seat)]
        yield f"{name} {_words(one.action)}"
        front = {each: put_in[each] - before[each] for each in names}
        put_in[name] = before[name] + _in_front(one.action, front, name)
    if taken[-1].action != Fold():
        for left in [each for each in _STREETS if _STREETS[each] > _STREETS.get(street, 0)]:
            opened.append(dict(put_in))
            yield _street(hand, left, put_in)
            yield from holes if updates and left != _LAST else ()
            yield from (f"{name} checks" for name in reversed(names))
        for name, seat in zip(names, seats, strict=True):
            yield f"{name} shows {brackets(hand.holes[seat])}"
    for name, seat in zip(names, seats, strict=True):
        yield f"{name} awarded {hand.payoffs[seat]}"


def _in_front(action: Action, front: dict[str, int], name: str) -> int:
    """Return what a player has in front after an action, if everybody had `front` before it."""
    match action:
        case Bet(amount) | RaiseTo(amount):
            return amount
        case Call():
            return max(front.values())
        case _:
            return front[name]


def _words(action: Action) -> str:
    match action:
        case Bet(amount):
            return f"bets {amount}"
        case RaiseTo(total):
            return f"raises to {total}"
        case Call():
            return "calls"
        case Check():
            return "checks"
        case _:
            return "folds"


def _street(hand: Hand, street: str, put_in: dict[str, int]) -> str:
    return f"{street.capitalize()} {brackets(hand.board[: _STREETS[street]])}{_values(put_in, *put_in)}"
