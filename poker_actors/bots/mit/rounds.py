"""Rounds of MIT Pokerbots that are not hands of hold'em: the common part of all years, and bets on one pot.

Source: engine.py of mitpokerbots/engine-2021 to -2026. A round takes answers one by one, as its engine would: an
illegal or malformed one is a check if that is allowed, else a fold, or a bid of 0. Player 0 is the small blind, first
before the flop and last after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import ClassVar, Final, TypeAlias

import attrs

from poker_actors.bots.faults import BotFault, Kind
from poker_actors.bots.mit.clauses import Clauses, commas
from poker_actors.cards import Card
from poker_actors.evaluator import ranking_named
from poker_actors.rules import Call, Check, Fold, RaiseTo, Stakes
from poker_actors.rules.log import BET, CALLED, CHECKED, FOLDED, RAISED

_HIGH: Final = ranking_named("high")
_MOST: Final = 9
"""The most cards that our tables can rank at once."""


@attrs.frozen
class Assign:
    """2021: put two of the six cards on a board."""

    cards: tuple[Card, ...]


@attrs.frozen
class Bid:
    """2024: offer chips for the third card."""

    amount: int


@attrs.frozen
class Put:
    """2026: put the card at this place in the hand on the board."""

    place: int


Decision: TypeAlias = Fold | Call | Check | RaiseTo | Assign | Bid | Put
Kinds: TypeAlias = dict[str, type[Decision]]

PLAIN: Final[Kinds] = {"F": Fold, "C": Call, "K": Check, "R": RaiseTo}
_ENGINE_NAMES: Final[dict[type[Decision], str]] = {
    Fold: "FoldAction",
    Call: "CallAction",
    Check: "CheckAction",
    RaiseTo: "RaiseAction",
    Assign: "AssignAction",
    Bid: "BidAction",
    Put: "DiscardAction",
}
_COUNTED: Final[dict[type[Decision], int]] = {Fold: FOLDED, Check: CHECKED, Call: CALLED}
SHOWN: Final = 60
"""The most characters of a bad answer that a fault shows; the log has all."""


def engine_name(kind: type[Decision]) -> str:
    """Return the engines' name for a kind of action, such as `FoldAction`."""
    return _ENGINE_NAMES[kind]


def brackets(cards: Sequence[Card]) -> str:
    """Return cards in the form of the log."""
    return f"[{' '.join(map(str, cards))}]"


def winner_of(hands: Sequence[Sequence[Card]], board: Sequence[Card]) -> int | None:
    """Return the player with the best five of all cards, however many there are; None for a tie."""
    if len(hands[0]) + len(board) <= _MOST:
        first, second = _HIGH.strengths([tuple(hand) for hand in hands], tuple(board))
    else:
        first, second = (
            max(_HIGH.strengths([()], five)[0] for five in combinations((*hand, *board), 5)) for hand in hands
        )
    return None if first == second else int(second > first)


def bet_kinds(cost: int, stacks: Sequence[int], *, raises: bool) -> set[type[Decision]]:
    """Return the legal actions with `cost` chips to call; `raises` is whether a raise is allowed."""
    if cost == 0:
        return {Check, RaiseTo} if min(stacks) else {Check}
    return {Fold, Call, RaiseTo} if raises else {Fold, Call}


def bet_bounds(player: int, pips: Sequence[int], stacks: Sequence[int], big_blind: int) -> tuple[int, int]:
    """Return the least and the most to raise to, with `pips` in front of both."""
    cost = pips[1 - player] - pips[player]
    most = min(stacks[player], stacks[1 - player] + cost)
    least = min(most, cost + max(cost, big_blind))
    return pips[player] + least, pips[player] + most


def counted_kind(action: Decision, pips: Sequence[int], stacks: Sequence[int]) -> int | None:
    """Return the kind, in the rules' log, that an action counts as in the figures.

    None for a check when somebody is all in, and for what is not betting.
    """
    if isinstance(action, RaiseTo):
        return RAISED if any(pips) else BET
    if isinstance(action, Check) and not min(stacks):
        return None
    return _COUNTED.get(type(action))


def clause_of(action: Decision, pips: Sequence[int]) -> tuple[str, str]:
    """Return an action as a clause and in the words of the log, with `pips` in front of both."""
    match action:
        case Fold():
            return "F", "folds"
        case Call():
            return "C", "calls"
        case Check():
            return "K", "checks"
        case RaiseTo(total):
            return f"R{total}", f"raises to {total}" if any(pips) else f"bets {total}"
        case Bid(amount):
            return f"A{amount}", f"bids {amount}"
        case Put(place):
            return f"D{place}", f"discards {place}"
        case Assign(cards):
            return f"A{commas(cards)}", f"assigns {brackets(cards)}"


class RoundState:
    """What rounds of all years share: the log, the clauses not yet told, and the faults of answers."""

    course: ClassVar[str] = "6.9630"
    """the number in the first line of a match's log"""
    adds_bets: ClassVar[bool] = True
    """whether bets on each street are added up at the end of a match's log"""
    keeps_bets: ClassVar[bool] = False
    """whether a street that a round did not reach repeats an earlier round's bets there"""
    first_bets: ClassVar[int] = 3
    """the street at which the bets before the flop are counted"""
    counts: ClassVar[bool] = False
    """whether a match's log gives everybody's winnings after each round"""

    def __init__(self, names: tuple[str, str], stakes: Stakes, stack: int) -> None:
        self.names: Final = names
        self.log: Final[list[str]] = []
        self.told: tuple[Clauses, Clauses] = (Clauses(), Clauses())
        self.stack: Final = stack
        self.stakes: Final = stakes
        self.stacks: list[int] = [stack - stakes.small_blind, stack - stakes.big_blind]
        self.street: int = 0
        self.button: int = 0
        self.payoffs: tuple[int, int] | None = None
        """chips won by each player, once the round is over"""
        self.showdown: bool = False
        self.paid: tuple[int, ...] = ()
        """the players who won some of a pot"""
        self.steps: Final[list[list[tuple[int, int]]]] = [[]]
        """for the figures, by street, each action that was a choice: its kind in the rules' log, and the player"""
        self.puts: Final[list[tuple[int, int, int]]] = []
        """the street and what both have put in, before each action"""
        self.tables: tuple[tuple[int, int], ...] = ()
        """2021: chips won by both on each board"""
        self._fault: BotFault | None = None

    @property
    def active(self) -> int:
        """The player whose turn it is."""
        return self.button % 2

    def act(self, answer: str | None) -> BotFault | None:
        """Take the active player's answer (None if not asked); return what was wrong with it, if anything."""
        raise NotImplementedError

    def acknowledge(self, player: int, answer: str) -> BotFault | None:
        """Take a player's answer to the end of the round, where only a check is legal."""
        raise NotImplementedError

    def gone(self, player: int, fault: BotFault) -> None:
        """Log that a player ran out of time, or left."""
        self._say(player, "ran out of time" if fault.kind == "late" else "disconnected")

    # -- log and clauses --------------------------------------------------------------------------

    def _say(self, player: int, words: str) -> None:
        self.log.append(f"{self.names[player]} {words}")

    def _values(self, values: Sequence[int]) -> str:
        return "".join(f", {name} ({value})" for name, value in zip(self.names, values, strict=True))

    def _tell(self, *clauses: str) -> None:
        for told in self.told:
            told.add(*clauses)

    def _blame(self, player: int, words: str, kind: Kind = "illegal", *more: str) -> None:
        """Log what is wrong with an answer; the first thing is its fault."""
        self._say(player, words)
        self.log.extend(more)
        self._fault = self._fault or BotFault(kind, words[:SHOWN])

    def _blamed(self) -> BotFault | None:
        fault, self._fault = self._fault, None
        return fault

    def _deal(self, hands: Sequence[Sequence[Card]], *more: str, each: str = "") -> None:
        blinds = (self.stakes.small_blind, self.stakes.big_blind)
        for player, blind in enumerate(blinds):
            self._say(player, f"posts the blind of {blind}{each}")
        for player, hand in enumerate(hands):
            self._say(player, f"dealt {brackets(hand)}")
            self.told[player].add(f"P{player}", f"H{commas(hand)}", *more)

    def _award(self, payoffs: tuple[int, int]) -> None:
        self.payoffs = payoffs
        for player, chips in enumerate(payoffs):
            self._say(player, f"awarded {chips}")


class OnePot(RoundState):
    """A round with one pot, bet on as in no-limit hold'em."""

    kinds: ClassVar[Kinds] = PLAIN
    result: ClassVar[str] = "D"
    """the clause of a player's winnings"""

    def __init__(
        self, names: tuple[str, str], stakes: Stakes, stack: int, hands: Sequence[Sequence[Card]]
    ) -> None:
        super().__init__(names, stakes, stack)
        self.pips: list[int] = [stakes.small_blind, stakes.big_blind]
        self.hands: Final = [[*hand] for hand in hands]

    # -- the rules --------------------------------------------------------------------------------

    @property
    def cost(self) -> int:
        """Chips the active player has to call."""
        return self.pips[1 - self.active] - self.pips[self.active]

    def legal(self) -> set[type[Decision]]:
        """Return what the active player may do."""
        raises = self.cost < self.stacks[self.active] and self.stacks[1 - self.active] != 0
        return bet_kinds(self.cost, self.stacks, raises=raises)

    def bounds(self) -> tuple[int, int]:
        """Return the least and the most to raise to."""
        return bet_bounds(self.active, self.pips, self.stacks, self.stakes.big_blind)

    def default(self, legal: set[type[Decision]]) -> Decision:
        """Return the action of a player without a legal answer."""
        return Check() if Check in legal else Fold()

    def act(self, answer: str | None) -> BotFault | None:
        """Take the active player's answer (None if not asked); return what was wrong with it, if anything."""
        legal = self.legal()
        action = None if answer is None else self._read(self.active, answer, legal)
        self._take(self.default(legal) if action is None else action)
        if self.payoffs is None:
            self._opened()
        return self._blamed()

    def acknowledge(self, player: int, answer: str) -> BotFault | None:
        """Take a player's answer to the end of the round, where only a check is legal."""
        self._read(player, answer, {Check})
        return self._blamed()

    def _read(self, player: int, answer: str, legal: set[type[Decision]]) -> Decision | None:
        """Return the action of an answer; log an answer that the engine would not take, and return None."""
        try:
            kind = self.kinds[answer[0]]
            if kind not in legal:
                self._illegal(player, answer, kind)
                return None
            return self._valued(player, answer, kind)
        except (IndexError, KeyError, ValueError) as error:
            self._misformatted(player, answer, error)
        return None

    def _valued(self, player: int, answer: str, kind: type[Decision]) -> Decision | None:
        """Return a legal kind of action with its amount; None, logged, for one out of bounds. Raises `ValueError`."""
        if kind is not RaiseTo:
            return kind()  # type: ignore[call-arg]  # years with other amounts read those
        least, most = self.bounds()
        amount = int(answer[1:])
        if least <= amount <= most:
            return RaiseTo(amount)
        self._out_of_bounds(player, answer, kind)
        return None

    def _illegal(self, player: int, answer: str, kind: type[Decision]) -> None:
        self._blame(player, f"attempted illegal {engine_name(kind)}")

    def _out_of_bounds(self, player: int, answer: str, kind: type[Decision]) -> None:
        self._illegal(player, answer, kind)

    def _misformatted(self, player: int, answer: str, error: Exception) -> None:
        self._blame(player, f"response misformatted: {answer}", "nonsense")

    def _take(self, action: Decision) -> None:
        """Log an action of the active player, and go on."""
        own = self.active
        clause, words = self._words(action)
        self._count(action)
        self._say(own, words)
        self._tell(clause)
        match action:
            case Fold():
                self._end(1 - own, showdown=False)
            case Call() if self.button == 0:
                self.pips = [self.stakes.big_blind] * 2
                self.stacks = [self.stack - self.stakes.big_blind] * 2
                self.button = 1
            case Call():
                self._pay(self.pips[1 - own])
                self.button += 1
                self._next_street()
            case Check():
                self._check()
            case RaiseTo(total):
                self._pay(total)
                self.button += 1
            case _:
                self._special(action)

    def _check(self) -> None:
        if self.button > (1 if self.street else 0):
            self._next_street()
        else:
            self.button += 1

    def _pay(self, total: int) -> None:
        own = self.active
        self.stacks[own] -= total - self.pips[own]
        self.pips[own] = total

    def _words(self, action: Decision) -> tuple[str, str]:
        return clause_of(action, self.pips)

    def _count(self, action: Decision) -> None:
        """Note an action for the figures, if it counts there."""
        kind = counted_kind(action, self.pips, self.stacks)
        if kind is not None:
            self.steps[-1].append((kind, self.active))

    def _special(self, action: Decision) -> None:
        """Take an action that only this year has."""

    def _next_street(self) -> None:
        """Go on to the next street, or to the showdown."""
        raise NotImplementedError

    def _opened(self) -> None:
        """Log the new street, tell the players, and note what has been put in."""
        self.puts.append((self.street, self.stack - self.stacks[0], self.stack - self.stacks[1]))

    def _end(self, winner: int | None, *, showdown: bool) -> None:
        """End the round: the winner gets what the other put in; without one, the pot is split."""
        won = self._won(winner)
        self.showdown = showdown
        self.paid = (0, 1) if winner is None else (winner,)
        for player in (0, 1) if showdown else ():
            self._say(player, f"shows {brackets(self.hands[player])}")
            self.told[player].add(f"O{commas(self.hands[1 - player])}")
        self._award((won, -won))
        for told, chips in zip(self.told, (won, -won), strict=True):
            told.add(f"{self.result}{chips}")

    def _won(self, winner: int | None) -> int:
        """Return the chips that player 0 wins."""
        if winner is None:
            return (self.stacks[0] - self.stacks[1]) // 2
        return self.stack - self.stacks[1] if winner == 0 else self.stacks[0] - self.stack

    def _log_board(self, street: str, board: Sequence[Card]) -> None:
        self.log.append(
            f"{street} {brackets(board)}{self._values([self.stack - left for left in self.stacks])}"
        )
        self._tell(f"B{commas(board)}")
