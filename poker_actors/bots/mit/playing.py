"""Play rounds of MIT Pokerbots that are not hands of hold'em, each between two of its bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from poker_actors.bots.deciding import Bot
from poker_actors.bots.faults import BotFault, Faults
from poker_actors.bots.mit.bot import MitBot
from poker_actors.bots.mit.clauses import Clauses
from poker_actors.bots.mit.one_pot import SWAPS, Auction, BountyRound, DiscardRound, RunRound, SwapRound
from poker_actors.bots.mit.rounds import RoundState
from poker_actors.bots.mit.three_boards import BOARDS, ThreeBoards
from poker_actors.bots.streams import SeedTree
from poker_actors.cards import STANDARD_DECK
from poker_actors.rules import Stakes

_BOUNTY_ROUNDS: Final = 25
"""Rounds of 2025 after which bounties are drawn again."""
_CHANCE: Final = -1
"""A number that no bot has: its luck is that of the round."""

NAMES: Final = ("A", "B")
"""The bots' names in the log, as the engines have them."""


@attrs.frozen
class Ended:
    """A finished round: its number in the match, the seat of the small blind, the bots and their chips by seat."""

    number: int
    state: RoundState
    button: int
    who: tuple[int, ...]
    starting: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, int]:
        """The seat of each player, the small blind first."""
        return self.button, 1 - self.button

    @property
    def payoffs(self) -> list[int]:
        """Chips won by seat; in 2021 they add up to more than 0."""
        payoffs = self.state.payoffs
        assert payoffs is not None, "it is over"
        return [payoffs[player] for player in self.seats]

    @property
    def record(self) -> bytes:
        """Everything that was dealt, done and won, as bytes to hash."""
        return "\n".join([str(self.number), *self.state.log]).encode("utf-8", "surrogateescape")

    @property
    def line(self) -> bytes:
        """Kind and seat of each real choice, a byte each; in 2021, the boldest on the boards."""
        return bytes([kind | self.seats[player] for street in self.state.steps for kind, player in street])

    @property
    def marks(self) -> tuple[int, ...]:
        """Where each street begins in the line."""
        sizes = [len(street) for street in self.state.steps]
        return tuple([sum(sizes[:at]) for at in range(len(sizes))])


def deal_round(
    year: str, names: tuple[str, str], stakes: Stakes, stack: int, tree: SeedTree, deck: int, button: int = 0
) -> RoundState:
    """Deal round `number` of `year` from a deck; in 2021, each board comes from its own deck of the unheld cards.

    In 2025 each seat has a bounty for 25 decks; `button` is the seat of the small blind.
    """
    cards = tree.deck(deck).draw(len(STANDARD_DECK))
    if year == "2024":
        return Auction(names, stakes, stack, cards)
    if year == "2022":
        luck = tree.rng(deck, _CHANCE)
        return SwapRound(names, stakes, stack, cards, [luck.random() < chance for chance in SWAPS])
    if year == "2023":
        return RunRound(names, stakes, stack, cards)
    if year == "2025":
        # numbers below 0 are those of no hand
        period, at = divmod(deck, _BOUNTY_ROUNDS)
        ranks = [str(*tree.deck(-1 - 2 * period - seat).draw(1))[0] for seat in (button, 1 - button)]
        return BountyRound(names, stakes, stack, cards, (ranks[0], ranks[1]), fresh=at == 0)
    if year == "2026":
        return DiscardRound(names, stakes, stack, cards)
    held = 2 * BOARDS
    boards = [tree.deck(-1 - BOARDS * deck - at, cards[2 * held :]).draw(5) for at in range(BOARDS)]
    return ThreeBoards(names, stakes, stack, (cards[:held], cards[held : 2 * held]), boards)


def play_round(state: RoundState, bots: Sequence[Bot], accounts: Sequence[Faults], number: int) -> None:
    """Ask both players (`bots` has the small blind first) until the round ends, and count their faults."""

    def answered(player: int, told: Clauses) -> str | None:
        """Return an answer; None if the player is out of time or gone."""
        bot, account = bots[player], accounts[player].at(number)
        if account.ejected is not None:
            return None
        assert isinstance(bot, MitBot), "the match was checked"
        try:
            return bot.asked(told)
        except BotFault as fault:
            state.gone(player, fault)
            account.count(fault)
            return None

    def counted(player: int, fault: BotFault | None) -> None:
        if fault is not None:
            accounts[player].count(fault)

    while state.payoffs is None:
        player = state.active
        counted(player, state.act(answered(player, state.told[player])))
    for player in (0, 1):
        answer = answered(player, state.told[player])
        counted(player, None if answer is None else state.acknowledge(player, answer))
