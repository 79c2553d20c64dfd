"""Rounds of MIT Pokerbots with one pot: 2026 with a discard, 2025 bounties, 2024 an auction, 2023 runs, 2022 swaps.

Source: engine.py of mitpokerbots/engine-2022 to -2026.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from poker_actors.bots.faults import BotFault
from poker_actors.bots.mit.clauses import commas
from poker_actors.bots.mit.rounds import (
    PLAIN,
    SHOWN,
    Bid,
    Decision,
    OnePot,
    Put,
    brackets,
    engine_name,
    winner_of,
)
from poker_actors.cards import Card
from poker_actors.rules import Check, Fold, RaiseTo, Stakes

_BOUNTY: Final = 10
"""Chips paid for a bounty besides its share of the pot."""
SWAPS: Final = (0.1,) * 4 + (0.05,) * 4
"""2022: the chances that each hole card, player 0's first, is swapped before the flop, and before the turn."""


class DiscardRound(OnePot):
    """2026: three cards each; two on the board, onto which the big blind and then the small blind discard one.

    Streets are 0, 2 and 3 (the discards), 4, 5 and 6. In 2 and 3 the other player is asked for a check. Folding is
    always legal; a bad answer to a discard is a fold.
    """

    kinds = PLAIN | {"D": Put}
    result = "A"
    keeps_bets = True
    first_bets = 0

    def __init__(self, names: tuple[str, str], stakes: Stakes, stack: int, cards: Sequence[Card]) -> None:
        super().__init__(names, stakes, stack, (cards[:3], cards[3:6]))
        self.board: Final[list[Card]] = []
        self._stub: Final = cards[6:]
        self._deal(self.hands, "G")
        self._opened()

    def legal(self) -> set[type[Decision]]:
        """Return what the active player may do."""
        if self.street in (2, 3):
            return {Put} if self.active != self.street % 2 else {Check}
        return super().legal() | {Fold}

    def _valued(self, player: int, answer: str, kind: type[Decision]) -> Decision | None:
        if kind is not Put:
            return super()._valued(player, answer, kind)
        place = int(answer[1:])
        if 0 <= place <= 2:
            return Put(place)
        self._blame(player, f"attempted to discard invalid index {place}")
        return None

    def _illegal(self, player: int, answer: str, kind: type[Decision]) -> None:
        if self.payoffs is None:  # at a round's end this engine fails
            self.log.append(f"street = {self.street}")
        super()._illegal(player, answer, kind)

    def _out_of_bounds(self, player: int, answer: str, kind: type[Decision]) -> None:
        # this engine logs nothing
        self._fault = BotFault("illegal", f"attempted illegal {engine_name(kind)}: {answer[:SHOWN]}")

    def _words(self, action: Decision) -> tuple[str, str]:
        clause, words = super()._words(action)
        if isinstance(action, Put):
            words = f"discards {self.hands[self.active][action.place]}"
        return clause, words

    def _special(self, action: Decision) -> None:
        assert isinstance(action, Put), "the one kind of its own"
        own = self.active
        self.board.append(self.hands[own].pop(action.place))
        self.button = 1 - own

    def _check(self) -> None:
        if self.street in (2, 3):
            self._next_street()
        else:
            super()._check()

    def _next_street(self) -> None:
        self.pips = [0, 0]
        match self.street:
            case 6:
                self._end(winner_of(self.hands, self.board), showdown=True)
                return
            case 0:
                self.board.extend(self._stub[:2])
                self.street, self.button = 2, 1
            case 2:
                self.street, self.button = 3, 0
            case street:
                self.street, self.button = street + 1, 1
                if street > 3:
                    self.board.append(self._stub[street - 1])  # the third is never dealt
        if self.street > 3:
            self.steps.append([])

    def _opened(self) -> None:
        super()._opened()
        if self.street and self.button == (0 if self.street == 3 else 1):
            self._log_board(("Flop", "Discard 1", "Discard 2", "Turn", "River")[self.street - 2], self.board)
            self.log.append(f"Current stacks: {self.stacks[0]}, {self.stacks[1]}")


class Streets(OnePot):
    """A round with hold'em's streets: two cards each, and a board of five."""

    last: int = 5
    """the number of cards on the board at the showdown"""

    def __init__(self, names: tuple[str, str], stakes: Stakes, stack: int, cards: Sequence[Card]) -> None:
        super().__init__(names, stakes, stack, (cards[:2], cards[2:4]))
        self._stub: Sequence[Card] = cards[4:]

    @property
    def board(self) -> Sequence[Card]:
        """The cards on the board."""
        return self._stub[: self.street]

    def _next_street(self) -> None:
        if self.street == self.last:
            self._end(winner_of(self.hands, self.board), showdown=True)
            return
        self.pips, self.button = [0, 0], 1
        self.street = self.street + 1 if self.street else 3
        if self.street <= 5:
            self.steps.append([])

    def _opened(self) -> None:
        super()._opened()
        if self.street and self.button == 1:
            self._street_opened()

    def _street_opened(self) -> None:
        """Log the board and tell the players."""
        self._log_board(("Flop", "Turn", "River", "Run")[min(self.street, 6) - 3], self.board)


class RunRound(Streets):
    """2023: hold'em in which dealing goes on after the river, with a round of bets for each card, until a black one.

    In the figures, these bets count for the river.
    """

    course = "6.176"
    adds_bets = False

    def __init__(self, names: tuple[str, str], stakes: Stakes, stack: int, cards: Sequence[Card]) -> None:
        super().__init__(names, stakes, stack, cards)
        while str(self._stub[self.last - 1])[1] in "dh":
            self.last += 1
        self._left = -1
        self._deal(self.hands)
        self._opened()

    def _next_street(self) -> None:
        if self.street == 5:
            self._left = self.stacks[0]
        super()._next_street()

    def _award(self, payoffs: tuple[int, int]) -> None:
        super()._award(payoffs)
        if self.street < 6 or self._left <= 0:
            return
        self.log.append("Run reached")
        before = self.stack - self._left
        first, second = payoffs
        of_first = -before if first > second else before
        self._say(0, f"won {first + of_first}")
        self._say(1, f"won {second - of_first}")


class BountyRound(Streets):
    """2025: hold'em in which each player's secret rank pays that player, as the winner, half the pot and ten chips.

    A bounty is hit by the player's hand or the board so far. Whoever acted last at the end loses half chips.
    """

    keeps_bets = True
    counts = True

    def __init__(
        self,
        names: tuple[str, str],
        stakes: Stakes,
        stack: int,
        cards: Sequence[Card],
        bounties: tuple[str, str],
        *,
        fresh: bool = False,
    ) -> None:
        super().__init__(names, stakes, stack, cards)
        self.bounties: Final = bounties
        if fresh:
            each = [f"{bounty} for player {name}" for bounty, name in zip(bounties, names, strict=True)]
            self.log.append(f"Bounties reset to {' and '.join(each)}")
        self._deal(self.hands)
        for told, bounty in zip(self.told, bounties, strict=True):
            told.add(f"G{bounty}")
        self._opened()

    @property
    def hits(self) -> tuple[bool, ...]:
        """Whether each player's bounty is hit."""
        seen = [{str(card)[0] for card in (*hand, *self.board)} for hand in self.hands]
        return tuple([bounty in ranks for bounty, ranks in zip(self.bounties, seen, strict=True)])

    def legal(self) -> set[type[Decision]]:
        """Return what the active player may do."""
        return super().legal() | {Fold}

    def _street_opened(self) -> None:
        super()._street_opened()
        self.log.append(f"Current stacks: {self.stacks[0]}, {self.stacks[1]}")

    def _won(self, winner: int | None) -> int:
        first, second = self.hits
        quarters = 4 * super()._won(winner)
        if winner is None:
            # half of the half that is paid more of a pot won: a quarter of what each has put in
            quarters = (first - second) * (self.stack - self.stacks[0] + 4 * _BOUNTY)
        elif self.hits[winner]:
            quarters += quarters // 2 + (-4 if winner else 4) * _BOUNTY
        return -(-quarters // 4) if self.active else quarters // 4

    def _end(self, winner: int | None, *, showdown: bool) -> None:
        super()._end(winner, showdown=showdown)
        assert self.payoffs is not None, "it has just ended"
        for player, hit in enumerate(self.hits):
            if hit:
                self._say(player, "hits their bounty")
        # of a player who lost, nobody hears it
        marks = [
            "#" if lost < 0 else str(int(hit)) for lost, hit in zip(self.payoffs, self.hits, strict=True)
        ]
        self.told[0].add(f"Y{marks[0]}{marks[1]}")
        self.told[1].add(f"Y{marks[1]}{marks[0]}")


class SwapRound(Streets):
    """2022: hold'em in which hole cards are swapped at random, before the flop and before the turn.

    `swaps` says for each of `SWAPS` whether it happens. A swapped card goes to the end of the deck.
    """

    course = "6.176"

    def __init__(
        self,
        names: tuple[str, str],
        stakes: Stakes,
        stack: int,
        cards: Sequence[Card],
        swaps: Sequence[bool],
    ) -> None:
        super().__init__(names, stakes, stack, cards)
        self._swaps: Final = swaps
        self._swapped = [False, False]
        self._deal(self.hands)
        self._opened()

    def _next_street(self) -> None:
        if self.street in (0, 3):
            self._swap(self._swaps[4:] if self.street else self._swaps[:4])
        super()._next_street()

    def _swap(self, swaps: Sequence[bool]) -> None:
        for at in (at for at, swapped in enumerate(swaps) if swapped):
            player, place = divmod(at, 2)
            stub, shown = self._stub, self.street
            self._stub = (*stub[:shown], *stub[shown + 1 :], self.hands[player][place])
            self.hands[player][place] = stub[shown]
            self._swapped[player] = True

    def _opened(self) -> None:
        super()._opened()
        if not self.street or self.button != 1:
            self.puts.pop()  # this engine counts bets where a street begins

    def _street_opened(self) -> None:
        super()._street_opened()
        if self.street == 5:
            return
        for name, told, hand in zip(self.names, self.told, self.hands, strict=True):
            self.log.append(f"{name}'s hand: {brackets(hand)}")
            told.add(f"U{commas(hand)}")

    def _award(self, payoffs: tuple[int, int]) -> None:
        self.payoffs = payoffs
        for player, chips in enumerate(payoffs):
            self._say(player, f"{'(swapped) ' if self._swapped[player] else ''}awarded {chips}")


class Auction(Streets):
    """2024: hold'em with an auction after the flop, for a third card at the second price.

    The big blind bids first, openly. At equal bids both pay, and both get a card.
    """

    kinds = PLAIN | {"A": Bid}

    def __init__(self, names: tuple[str, str], stakes: Stakes, stack: int, cards: Sequence[Card]) -> None:
        super().__init__(names, stakes, stack, cards)
        self.bidding: bool = False
        self.bids: Final[list[int | None]] = [None, None]
        self._deal(self.hands)
        self._opened()

    def legal(self) -> set[type[Decision]]:
        """Return what the active player may do."""
        return {Bid} if self.bidding else super().legal()

    def default(self, legal: set[type[Decision]]) -> Decision:
        """Return the action of a player without a legal answer: a bid of 0 if a bid is due."""
        return Bid(0) if Bid in legal else super().default(legal)

    def _valued(self, player: int, answer: str, kind: type[Decision]) -> Decision | None:
        if kind is not Bid:
            return super()._valued(player, answer, kind)
        amount = int(answer[1:])
        if 0 <= amount <= self.stacks[player]:
            return Bid(amount)
        self._out_of_bounds(player, answer, kind)
        return None

    def _illegal(self, player: int, answer: str, kind: type[Decision]) -> None:
        amount = f" with amount {int(answer[1:])}" if kind in (RaiseTo, Bid) else ""
        self._blame(player, f"attempted illegal {engine_name(kind)}{amount}")

    _out_of_bounds = _illegal

    def _misformatted(self, player: int, answer: str, error: Exception) -> None:
        self._blame(player, f"response misformatted: {answer}", "nonsense", type(error).__name__)

    def _special(self, action: Decision) -> None:
        assert isinstance(action, Bid), "the one kind of its own"
        self.bids[self.active] = action.amount
        first, second = self.bids
        if first is None or second is None:
            self.button += 1
            return
        self.bidding, self.button = False, 1
        for player, (own, other) in enumerate(((first, second), (second, first))):
            if own >= other:
                self.stacks[player] -= other
        if first >= second:
            self.hands[0].append(self._stub[-1])
        if second >= first:
            self.hands[1].append(self._stub[-2 if first == second else -1])

    def _next_street(self) -> None:
        self.bidding = self.street == 0
        super()._next_street()

    def _street_opened(self) -> None:
        if self.street == 3 and not self.bidding:
            self._tell_auction()
        super()._street_opened()

    def _tell_auction(self) -> None:
        for player, hand in enumerate(self.hands):
            if len(hand) > 2:
                self._say(player, f"won the auction and was dealt [{hand[-1]}]")
        stacks, bids = (",".join(map(str, values)) for values in (self.stacks, self.bids))
        for player, (told, hand) in enumerate(zip(self.told, self.hands, strict=True)):
            told.add(f"P{player}", f"N{stacks}_{bids}_{commas(hand)}")

    def _award(self, payoffs: tuple[int, int]) -> None:
        super()._award(payoffs)
        if None in self.bids:
            self.log.append("Players did not reach flop. No auction occured.")
        else:
            self.log.append(f"Players submitted bids of {self.bids[0]} and {self.bids[1]}")
