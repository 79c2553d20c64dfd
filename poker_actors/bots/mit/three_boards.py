"""Rounds of MIT Pokerbots 2021: six cards each, assigned to three boards, which are bet on at once from one stack.

Source: engine.py of mitpokerbots/engine-2021. An answer has an action for each board, separated by semicolons; a board
that is settled, or that somebody folded, takes a check. Board i starts with i big blinds in its pot, which nobody paid:
together, both players win chips. A split odd pot loses a chip.

One rule is stricter than that engine: two cards of a player's hand go to each board. The engine takes four, one and
one, and even cards that nobody holds, beside a folded board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from poker_actors.bots.faults import BotFault
from poker_actors.bots.mit.clauses import commas
from poker_actors.bots.mit.rounds import (
    PLAIN,
    Assign,
    Decision,
    Kinds,
    RoundState,
    bet_bounds,
    bet_kinds,
    brackets,
    clause_of,
    counted_kind,
    engine_name,
    winner_of,
)
from poker_actors.cards import STANDARD_DECK, Card
from poker_actors.rules import Call, Check, Fold, RaiseTo, Stakes
from poker_actors.rules.log import FOLDED

BOARDS: Final = 3
_KINDS: Final[Kinds] = PLAIN | {"A": Assign}
_CARDS: Final = {str(card): card for card in STANDARD_DECK}
_STREETS: Final = {3: "Flop", 4: "Turn", 5: "River"}


class _Board:
    """One board: its pot, what both have in front of them on this street, and the two cards each has put there."""

    def __init__(self, pot: int, blinds: tuple[int, int], cards: Sequence[Card]) -> None:
        self.pot: int = pot
        self.pips: list[int] = [*blinds]
        self.cards: Final = tuple(cards)
        self.hands: Final[list[tuple[Card, ...]]] = [(), ()]
        self.settled: bool = False
        """whether nobody has to act here on this street"""
        self.won: tuple[int, int] | None = None
        """chips won by each player, once it is over"""
        self.folded: bool = False

    def legal(self, player: int, stacks: Sequence[int]) -> set[type[Decision]]:
        """Return what a player may do here."""
        if self.won is not None:
            return {Check}
        if not self.hands[player]:
            return {Assign}
        if self.settled:
            return {Check}
        cost = self.pips[1 - player] - self.pips[player]
        return bet_kinds(cost, stacks, raises=cost != stacks[player] and stacks[1 - player] != 0)

    def bounds(self, player: int, stacks: Sequence[int], big_blind: int) -> tuple[int, int]:
        """Return the least and the most to raise to here, as if nothing was put in elsewhere."""
        return bet_bounds(player, self.pips, stacks, big_blind)

    def proceed(self, action: Decision, button: int, street: int, big_blind: int) -> int:
        """Take an action of the player whose turn it is; return the chips that this costs."""
        player = button % 2
        if self.won is not None:
            return 0
        before = self.pips[player]
        match action:
            case Assign(cards):
                self.hands[player] = cards
            case Fold():
                self.pot += sum(self.pips)
                self.pips = [0, 0]
                self.folded = True
                self.won = (0, self.pot) if player == 0 else (self.pot, 0)
                return 0
            case Call() if button == 0:
                self.pips = [big_blind] * 2
            case Call():
                self.pips[player] = self.pips[1 - player]
                self.settled = True
            case RaiseTo(total):
                self.pips[player] = total
            case _:
                self.settled = self.settled or button > (1 if street else 0)
        return self.pips[player] - before

    def collect(self) -> None:
        """Move what was bet on a street into the pot."""
        if self.won is None:
            self.pot += sum(self.pips)
            self.pips, self.settled = [0, 0], False

    def compare(self) -> None:
        """Pay the pot out at the showdown."""
        if self.won is None:
            winner = winner_of(self.hands, self.cards)
            half = self.pot // 2
            self.won = (half, half) if winner is None else (self.pot, 0) if winner == 0 else (0, self.pot)


class ThreeBoards(RoundState):
    """2021: both assign their cards, the small blind first; then every answer has an action for each board."""

    course: ClassVar[str] = "6.176"
    adds_bets: ClassVar[bool] = False

    def __init__(
        self,
        names: tuple[str, str],
        stakes: Stakes,
        stack: int,
        hands: Sequence[Sequence[Card]],
        boards: Sequence[Sequence[Card]],
    ) -> None:
        super().__init__(names, stakes, stack)
        small, big = stakes.small_blind, stakes.big_blind
        self.stacks = [stack - BOARDS * small, stack - BOARDS * big]
        self.button = -2
        self.hands: Final = [tuple(hand) for hand in hands]
        self.boards: Final = [
            _Board(place * big, (small, big), cards) for place, cards in enumerate(boards, start=1)
        ]
        self._deal(hands, each=" on each board")

    def act(self, answer: str | None) -> BotFault | None:
        """Take the active player's answer (None if not asked); return what was wrong with it, if anything."""
        player = self.active
        actions = None if answer is None else self._read(player, answer)
        if actions is None:
            legal = [board.legal(player, self.stacks) for board in self.boards]
            actions = [Check() if Check in each else Fold() for each in legal]
        self._log(player, actions)
        boldest = self._boldest(actions)
        for board, action in zip(self.boards, actions, strict=True):
            self.stacks[player] -= board.proceed(action, self.button, self.street, self.stakes.big_blind)
        over = all(board.won is not None for board in self.boards)
        if boldest is not None and (over or boldest != FOLDED):
            self.steps[-1].append((boldest, player))
        self.button += 1
        if all(board.settled or board.won is not None for board in self.boards):
            self._next_street()
        return self._blamed()

    def acknowledge(self, player: int, answer: str) -> BotFault | None:
        """Take a player's answer to the end of the round, where only checks are legal."""
        self._read(player, answer)
        return self._blamed()

    def _boldest(self, actions: Sequence[Decision]) -> int | None:
        """Return the kind of the boldest action, for the figures, among the boards where there was a choice."""
        kinds = [
            counted_kind(action, board.pips, self.stacks)
            for board, action in zip(self.boards, actions, strict=True)
            if board.won is None and not board.settled
        ]
        return max((kind for kind in kinds if kind is not None), default=None)

    # -- reading ----------------------------------------------------------------------------------

    def _read(self, player: int, answer: str) -> list[Decision] | None:
        """Return an action for each board; None, logged, for an answer that the engine does not take."""
        clauses = answer.split(";")
        if len(clauses) not in (1, BOARDS):
            self._blame(player, f"did not submit {BOARDS} actions", "nonsense")
            return None
        try:
            actions = [self._one(player, board, clauses[at]) for at, board in enumerate(self.boards)]
        except (IndexError, KeyError, ValueError):
            self._blame(player, f"response misformatted: {clauses}", "nonsense")
            return None
        assigned = [action.cards for action in actions if isinstance(action, Assign)]
        if assigned:
            put = {card for cards in assigned for card in cards}
            if (
                not put <= set(self.hands[player])
                or len(put) != 2 * len(assigned)
                or {*map(len, assigned)} != {2}
            ):
                self._blame(player, "attempted illegal assignment")
                return None
        return self._affordable(player, actions)

    def _one(self, player: int, board: _Board, clause: str) -> Decision:
        """Return the action of a clause for one board, after its number, which nobody reads; an illegal one is a check or a fold."""
        legal, kind = board.legal(player, self.stacks), _KINDS[clause[1]]
        if kind is RaiseTo and kind in legal:
            amount, other = int(clause[2:]), board.pips[1 - player]
            if amount == other:
                return Call()
            if other < amount <= board.bounds(player, self.stacks, self.stakes.big_blind)[1]:
                return RaiseTo(amount)
        elif kind is Assign and kind in legal:
            return Assign(tuple([_CARDS[text[:2]] for text in clause[2:].split(",")]))
        elif kind in legal:
            return kind()  # type: ignore[call-arg]  # those with amounts were read above
        self._blame(player, f"attempted illegal {engine_name(kind)}")
        return Check() if Check in legal else Fold()

    def _affordable(self, player: int, actions: list[Decision]) -> list[Decision] | None:
        """Return the actions, cut to what both can pay for together from one stack; None if one of them cannot."""
        most, other, put, faced = self.stacks[player], self.stacks[1 - player], 0, 0
        for board, action in zip(self.boards, actions, strict=True):
            own, opposite = board.pips[player], board.pips[1 - player]
            if isinstance(action, RaiseTo):
                put += action.total - own
                faced += action.total - opposite
            elif isinstance(action, Call):
                put += opposite - own
        if not 0 <= put <= most:
            self._blame(player, "attempted an illegal combination of RaiseAction's and/or CallAction's")
            return None
        if put != most:
            actions = [self._least(player, at, action) for at, action in enumerate(actions)]
        elif put:
            self._say(player, "went all in")
        if faced <= other:
            return actions
        self._blame(player, "attempted net RaiseAction's which opponent cannot match")
        return [*self._matched(player, actions)]

    def _least(self, player: int, at: int, action: Decision) -> Decision:
        """Return the action, or a call or check for a raise that is too small and not all-in."""
        board = self.boards[at]
        if (
            isinstance(action, RaiseTo)
            and action.total < board.bounds(player, self.stacks, self.stakes.big_blind)[0]
        ):
            self._blame(player, f"did not meet minimum raise amount on board {at + 1}")
            return Call() if Call in board.legal(player, self.stacks) else Check()
        return action

    def _matched(self, player: int, actions: list[Decision]) -> Iterator[Decision]:
        """Yield the actions with raises cut, board by board, to what the other can match."""
        left = self.stacks[1 - player]
        for board, action in zip(self.boards, actions, strict=True):
            opposite = board.pips[1 - player]
            if not isinstance(action, RaiseTo):
                yield action
            elif left == 0:
                yield Call()
            elif action.total - opposite > left:
                yield RaiseTo(opposite + left)
                left = 0
            else:
                left -= action.total - opposite
                yield action

    # -- log and streets --------------------------------------------------------------------------

    def _log(self, player: int, actions: Sequence[Decision]) -> None:
        """Log and tell the actions on all boards; which cards were assigned is told to their player only."""
        clauses = []
        for number, (board, action) in enumerate(zip(self.boards, actions, strict=True), start=1):
            clause, words = clause_of(action, board.pips)
            self._say(player, f"{words} {'to' if isinstance(action, Assign) else 'on'} board {number}")
            clauses.append(f"{number}{clause}")
        told = ";".join(clauses)
        self.told[player].add(told)
        hidden = ";".join(f"{number}A" for number in range(1, BOARDS + 1))
        self.told[1 - player].add(hidden if "A" in told else told)

    def _next_street(self) -> None:
        for board in self.boards:
            board.collect()
        if self.street == 5 or all(board.won is not None for board in self.boards):
            self._end()
            return
        self.street, self.button = self.street + 1 if self.street else 3, 1
        self.steps.append([])
        told = []
        for number, board in enumerate(self.boards, start=1):
            cards = board.cards[: self.street] if board.won is None else ()
            told.append(f"{number}B{commas(cards)}")
            if board.won is None:
                words = f"{_STREETS[self.street]} {brackets(cards)}, ({board.pot}){self._values(self.stacks)} on board {number}"
            else:
                words = f"Board {number}, ({board.pot})"
            self.log.append(words)
        self._tell(";".join(told))

    def _end(self) -> None:
        shown: tuple[list[str], list[str]] = ([], [])
        for number, board in enumerate(self.boards, start=1):
            board.compare()
            for player, hand in enumerate(board.hands):
                if not board.folded:
                    self._say(player, f"shows {brackets(hand)} on board {number}")
                shown[1 - player].append(f"{number}O{'' if board.folded else commas(hand)}")
        self.tables = tuple([board.won for board in self.boards if board.won is not None])
        won = [sum(column) for column in zip(*self.tables, strict=True)]
        if 0 in won:
            self._say(1 if won[0] == 0 else 0, "sweeps")
        self.showdown = not all(board.folded for board in self.boards)
        self.paid = tuple([player for player, chips in enumerate(won) if chips])
        first, second = (left + chips - self.stack for left, chips in zip(self.stacks, won, strict=True))
        self._award((first, second))
        for told, of_player, result in zip(
            self.told, shown, (f"D{first};D{second}", f"D{second};D{first}"), strict=True
        ):
            told.add(";".join(of_player), result)
