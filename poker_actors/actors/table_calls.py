"""A table as callers use it: the typed face of its actor."""

from __future__ import annotations

from typing import TypeVar

from poker_actors.actors.hand import LiveHand
from poker_actors.actors.messages import (
    BuyIn,
    CashOut,
    Command,
    Deal,
    DealtHand,
    GetLive,
    GetState,
    HandResult,
    Leave,
    Sit,
    SitOut,
    Unwatch,
    Watch,
)
from poker_actors.actors.player import Player
from poker_actors.actors.runtime import Address
from poker_actors.actors.table_state import TableConfig, TableState
from poker_actors.cards import Deck

__all__ = ["Table"]

R = TypeVar("R")


class Table:
    """A table as callers use it. Amounts are chips; refusals raise `TableRefusal` with the code."""

    def __init__(self, address: Address, config: TableConfig) -> None:
        self.address = address
        self.config = config

    @property
    def name(self) -> str:
        """The table's name, unique in the room."""
        return self.config.name

    def ask(self, command: Command[R]) -> R:
        """Send a command and wait for its answer."""
        answer: R = self.address.ask(command)
        return answer

    def sit(self, player: Player, seat: int | None = None) -> int:
        """Take a seat, any free one unless named (`seat_taken`, `seat_unavailable`); gives its number."""
        return self.ask(Sit(player.name, player.address, seat))

    def leave(self, player: Player) -> None:
        """Give the seat up (`not_at_table`, `player_has_balance`, `hand_in_progress`)."""
        self.ask(Leave(player.name))

    def buy_in(self, player: Player, amount: int) -> int:
        """Bring chips from the bank (`not_at_table`, `insufficient_funds`, `hand_in_progress`); gives the stack."""
        return self.ask(BuyIn(player.name, amount))

    def cash_out(self, player: Player) -> int:
        """Bring the whole stack to the bank (`not_at_table`, `hand_in_progress`); gives the chips moved."""
        return self.ask(CashOut(player.name))

    def sit_out(self, player: Player) -> None:
        """Keep the seat and get no more cards."""
        self.ask(SitOut(player.name, out=True))

    def sit_in(self, player: Player) -> None:
        """Get cards again."""
        self.ask(SitOut(player.name, out=False))

    def watch(self, player: Player) -> None:
        """Tell a player who need not sit here what a spectator may see: seat -1, no hole cards."""
        self.ask(Watch(player.address))

    def unwatch(self, player: Player) -> None:
        """Tell it no more."""
        self.ask(Unwatch(player.address))

    def live(self) -> LiveHand | None:
        """Give the hand being played; after a restart, one that goes on."""
        live: DealtHand | None = self.ask(GetLive())
        return None if live is None else LiveHand(live)

    def deal(self, deck: Deck | None = None) -> LiveHand:
        """Start a hand (`not_enough_players`, `hand_in_progress`), shuffled afresh unless given a deck."""
        return LiveHand(self.ask(Deal(deck)))

    def play(self, hands: int = 1) -> list[HandResult]:
        """Deal one hand after another and wait for each; for tables where bots decide."""
        return [self.deal().result() for _ in range(hands)]

    def state(self) -> TableState:
        """Give seats, stacks and button."""
        state: TableState = self.address.ask(GetState())
        return state

    def __repr__(self) -> str:
        return f"<Table: {self.name}, {self.config.game} {self.config.stakes}>"
