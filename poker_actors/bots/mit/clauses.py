"""The clauses of MIT Pokerbots, without sockets: what a player hears of a round, and what an answer means.

Source: engine.py, config.py and the reference players of mitpokerbots/engine-2021 to -2026, read and run. A message is
clauses with blanks between them: the clock `T`, once a round the player's index `P` and cards `H`, then what happened
since its last message: `F`, `C`, `K`, `R` and the whole board, `B`; at the end the opponent's cards `O`, if they were
shown, and the result `D`. The small blind, who has the button, is player 0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import attrs

from poker_actors.bots.faults import BotFault
from poker_actors.cards import Card
from poker_actors.rules import Action, Bet, Call, Check, Fold, RaiseTo, Taken

_ACTION: Final = re.compile(r"([FCK])|R([0-9]{1,9})")
_PLAIN: Final[dict[str, Action]] = {"F": Fold(), "C": Call(), "K": Check()}
_BOARDS: Final = {"flop": 3, "turn": 4, "river": 5}
"""Cards of the board on each street that has some."""


@attrs.frozen(kw_only=True)
class Year:
    """The differences between years: seconds for a match, each player's chips in a round, and what is told of it."""

    clock: float
    stack: int = 400
    bounty: bool = False
    """whether a round has a bounty (`G`, and `Y` at its end)"""
    updates: bool = False
    """whether players are told their cards again with flop and turn (`U`)"""
    folds_for_nothing: bool = False
    """whether folding is legal where checking is"""
    rounds: str = ""
    """a description of its rounds, if they are not hands of hold'em"""


YEARS: Final = {
    "2022": Year(clock=30.0, stack=200, updates=True),
    "2023": Year(clock=30.0),
    "2025": Year(clock=60.0, bounty=True, folds_for_nothing=True),
}
"""Years whose bots can play hold'em here: 2022 without swaps, 2023 without the run of red rivers, 2025 without bounties.

What is left out happens by chance in those engines, so each round here is one of theirs in which it did not."""

CHANCES: Final = {"2022", "2023", "2025"}
"""Years among these whose bots play each other by the full rules of their engine."""

ROUNDS: Final = {
    "2021": Year(
        clock=30.0, stack=200, rounds="six cards are dealt to three boards, which are bet on at once"
    ),
    "2024": Year(clock=30.0, rounds="both bid for a third card after the flop"),
    "2026": Year(
        clock=60.0, rounds="three cards are dealt, and one is discarded onto the board after the flop"
    ),
}
"""Years whose bots know a game other than hold'em: they play each other, by the rules of their engine."""


def spoken(action: Action) -> str:
    """Return the clause of an action; a bet is a raise to its amount."""
    match action:
        case Fold():
            return "F"
        case Call():
            return "C"
        case Check():
            return "K"
        case Bet(amount):
            return f"R{amount}"
        case RaiseTo(total):
            return f"R{total}"
        case _:
            raise BotFault("died", f"no clause can say {action}")


def read_answer(text: str, year: Year, *, to_call: int = 0, opening: bool = False) -> Action:
    """Return the action of an answer with `to_call` chips to call; a raise is a bet if it is `opening`.

    Raises `BotFault`: `nonsense` for an unknown clause, `illegal` for one that the engine of `year` refuses.
    """
    found = _ACTION.fullmatch(text)
    if found is None:
        raise BotFault("nonsense", f"response misformatted: {text[:40]!r}")
    word, amount = found.groups()
    if word is None:
        return Bet(int(amount)) if opening else RaiseTo(int(amount))
    if word == "F" and not to_call and not year.folds_for_nothing:
        raise BotFault("illegal", "attempted illegal FoldAction")
    return _PLAIN[word]


class Clauses:
    """The clauses that a player has not been told yet."""

    def __init__(self, *clauses: str) -> None:
        self._pending = [*clauses]

    def add(self, *clauses: str) -> None:
        """Add clauses to its next message."""
        self._pending += clauses

    def message(self, clock: float) -> str:
        """Return the next message, with the player's `clock` in seconds first, and forget what it says."""
        pending, self._pending = self._pending, []
        return f"{' '.join([f'T{clock:.3f}', *pending])}\n"


class Round(Clauses):
    """One round of hold'em as one player hears it: makes the clauses of its next message."""

    def __init__(self, year: Year, index: int, hole: Sequence[Card]) -> None:
        self.index: Final = index
        self._year = year
        self._hole = commas(hole)
        super().__init__(f"P{index}", f"H{self._hole}", *(["G-"] if year.bounty else []))
        self._street = "preflop"
        self._heard = 0

    def hear(self, actions: Sequence[Taken], board: Sequence[Card], street: str) -> None:
        """Hear the actions so far, and the board of `street`, where the hand is now."""
        for taken in actions[self._heard :]:
            self._open(taken.street, board)
            self._pending.append(spoken(taken.action))
        self._heard = len(actions)
        self._open(street, board)

    def _open(self, street: str, board: Sequence[Card]) -> None:
        if street in _BOARDS and street != self._street:
            self._street = street
            self._pending.append(f"B{commas(board[: _BOARDS[street]])}")
            if self._year.updates and street != "river":
                self._pending.append(f"U{self._hole}")

    def run_out(self, board: Sequence[Card]) -> list[str]:
        """Return the streets on which both, being all in, can only check: the engine asks on each of them."""
        streets = list(_BOARDS)
        after = streets.index(self._street) + 1 if self._street in _BOARDS else 0
        return [street for street in streets[after:] if len(board) >= _BOARDS[street]]

    def checks(self, street: str, board: Sequence[Card], *, before: bool) -> None:
        """Hear of a street of `run_out`: what comes before this player's check, or, without `before`, from it on.

        Player 1 acts first on every street but the first one.
        """
        if before:
            self._open(street, board)
            self._pending += [] if self.index else ["K"]
        else:
            self._pending += ["K", "K"] if self.index else ["K"]

    def end(self, shown: Sequence[Card], result: int) -> None:
        """Hear the end: the opponent's cards, if they were shown, and the chips won."""
        self._pending += [f"O{commas(shown)}"] if shown else []
        self._pending += [f"D{result}", *(["Y00"] if self._year.bounty else [])]


def commas(cards: Sequence[Card]) -> str:
    """Return cards in the form of a clause."""
    return ",".join(map(str, cards))
