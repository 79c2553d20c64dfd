"""The room: bank, tables and players, opened together and closed together."""

from __future__ import annotations

import logging
import secrets
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

import attrs

from poker_actors.actors.bank import Bank, BankActor
from poker_actors.actors.messages import CloseTable, GetState, Shut
from poker_actors.actors.player import Player, PlayerActor, PlayerMemory
from poker_actors.actors.runtime import Address, Runtime, ThreadRuntime
from poker_actors.actors.supervisor import Supervisor
from poker_actors.actors.table import TableActor
from poker_actors.actors.table_calls import Table
from poker_actors.actors.table_state import TableConfig, TableMemory, TableState
from poker_actors.bots import Bot, BotSpec, SeedTree
from poker_actors.errors import AskTimeout, BadSpec, PokerError, RoomClosed
from poker_actors.rules import HOLDEM, Game, Stakes, whole_chips
from poker_actors.store import Ledger

__all__ = ["Audit", "Health", "Room"]

_log: Final = logging.getLogger("poker_actors.room")

_NAME_LENGTH: Final = 64
_CLOSE_SECONDS: Final = 5.0


@attrs.frozen
class Audit:
    """Where all the chips are. They are conserved when `minted` is the sum of the rest."""

    minted: int
    """all the chips there are, those lent included"""
    bank: int
    tables: int
    hands: int

    @property
    def conserved(self) -> bool:
        """Whether no chip has appeared or vanished."""
        return self.minted == self.bank + self.tables + self.hands


@attrs.frozen
class Health:
    """How a room is: names of the living and the lost, restarts, messages waiting and dropped."""

    alive: tuple[str, ...]
    restarts: int
    failed: tuple[str, ...]
    waiting: int
    lost: int


class Room:
    """A poker room. Use it as a context manager; leaving it stops every actor and thread.

    Runs on threads unless another runtime is given: ``Room(StepRuntime())`` plays on the caller's
    thread, message by message. `seed` decides the luck of bots; drawn if not given. Decks are
    shuffled by the system's CSPRNG unless a deal is given one. Names of players and tables are up
    to 64 printable characters without a slash or outer blanks, unique in the room.
    """

    def __init__(self, runtime: Runtime | None = None, *, seed: int | None = None) -> None:
        self.runtime: Final[Runtime] = ThreadRuntime() if runtime is None else runtime
        self.seed: Final[int] = secrets.randbits(64) if seed is None else seed
        self._seeds = SeedTree(self.seed)
        self.supervisor: Final = Supervisor(self.runtime)
        self._ledger = Ledger()
        self._tables: dict[str, Table] = {}
        self._players: dict[str, Player] = {}
        self._closed = False
        self.supervisor.escalate = self._failed
        address = self.supervisor.spawn("bank", lambda address: BankActor(address, self._ledger))
        self.bank: Final = Bank(address)

    def open_table(  # noqa: PLR0913  every setting of a table is one
        self,
        name: str = "main",
        *,
        seats: int = 6,
        stakes: Stakes | None = None,
        game: Game = HOLDEM,
        turn_seconds: float | None = None,
        restack: int = 0,
        button: int | None = None,
        first_hand: int = 0,
        button_moves: bool = True,
    ) -> Table:
        """Open a table; see `TableConfig` for what the settings mean. Raises `BadSpec`."""
        self._new_name(name, self._tables, "table")
        stakes = stakes or game.stakes
        config = TableConfig(
            name, seats, stakes, game, turn_seconds, restack, button, first_hand, button_moves
        )
        memory = TableMemory(TableState((None,) * seats, number=first_hand))
        address = self.supervisor.spawn(
            f"table {name}",
            lambda address: TableActor(address, config, memory, self.bank.address, self.supervisor),
        )
        table = self._tables[name] = Table(address, config)
        return table

    def player(self, name: str, bot: str | BotSpec | Bot | None = None, *, chips: int = 0) -> Player:
        """Let somebody in, with `chips` new chips at the bank.

        `bot` decides: a bot's name, or any function of a view; without one the player is acted
        for from outside, through what this returns. Raises `BadSpec`, `UnknownBot`.
        """
        self._new_name(name, self._players, "player")
        whole_chips("chips", chips)
        decider = None if bot is None else BotSpec.of(bot).make()
        stream = None if bot is None else self._seeds.stream(0, len(self._players))
        memory = PlayerMemory(name, decider, stream)
        address = self.supervisor.spawn(f"player {name}", lambda address: PlayerActor(address, memory))
        player = self._players[name] = Player(address, memory)
        if chips:
            self.bank.deposit(name, chips)
        return player

    def audit(self) -> Audit:
        """Count all chips, by the bank's books."""
        balances: dict[str, int] = self.bank.address.ask(GetState())
        sums = {"mint": 0, "credit": 0, "bank": 0, "stack": 0, "escrow": 0}
        for account, chips in balances.items():
            sums[account.split("/", 1)[0]] += chips
        return Audit(-sums["mint"] - sums["credit"], sums["bank"], sums["stack"], sums["escrow"])

    def health(self) -> Health:
        """Say how the room is."""
        supervisor = self.supervisor
        return Health(
            supervisor.alive,
            supervisor.restarts,
            tuple(supervisor.failed),
            self.runtime.waiting,
            self.runtime.lost,
        )

    def close(self, *, finish_seconds: float = 0.0) -> None:
        """Stop everything: tables, then players, then the bank.

        A hand being played may go on for `finish_seconds` (of the runtime's clock); what has not
        ended then is void, and its stacks are as they were before it.
        """
        if self._closed:
            return
        self._closed = True
        for table in self._tables.values():
            self._shut(table, finish_seconds)
        self.supervisor.stop_all(_CLOSE_SECONDS)
        self.runtime.close()

    def _shut(self, table: Table, finish_seconds: float) -> None:
        try:
            live = table.ask(Shut(void=False))
            if live is None:
                return
            if finish_seconds > 0:
                with suppress(AskTimeout):
                    live.result.get(finish_seconds, live.hand_id)
                    return
            table.ask(Shut(void=True))
            live.result.get(_CLOSE_SECONDS, live.hand_id)
        except PokerError as error:
            _log.warning("table %s did not shut cleanly: %s", table.name, error)

    def _failed(self, address: Address) -> None:
        """One actor is beyond help: give the chips of a lost table back; without a bank, close."""
        if address is self.bank.address:
            _log.error("the bank is lost: the room takes no more commands")
            self._closed = True
            return
        for table in self._tables.values():
            if table.address is address:
                self.bank.address.tell(CloseTable(table.name))

    def _new_name(self, name: str, taken: dict[str, Any], what: str) -> None:
        if self._closed:
            raise RoomClosed("the room is closed")
        text = name if type(name) is str else ""
        if not (0 < len(text) <= _NAME_LENGTH and text.isprintable()):
            raise BadSpec(f"{what} {name!r:.80}: a name is 1 to {_NAME_LENGTH} printable characters")
        if "/" in name or name != name.strip():
            raise BadSpec(f"{what} {name!r}: a name has no / and no blank at its ends")
        if name in taken:
            raise BadSpec(f"there is a {what} called {name!r} already")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Room: {len(self._tables)} tables, {len(self._players)} players>"
