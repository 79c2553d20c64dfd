"""The room: bank, tables and players, opened together and closed together."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from pykka import ActorRef

from poker_actors.actors.bank.actor import BankActor
from poker_actors.actors.bank.face import Bank
from poker_actors.actors.bank.messages import Deposit
from poker_actors.actors.books import Books
from poker_actors.actors.closing import shut_tables
from poker_actors.actors.command import GetState
from poker_actors.actors.figures import Audit, Health
from poker_actors.actors.hand.face import LiveHand
from poker_actors.actors.hand.time_bank import TimeBank
from poker_actors.actors.player.actor import PlayerActor
from poker_actors.actors.player.face import Player
from poker_actors.actors.player.own_actor import check_started, passed_to
from poker_actors.actors.player.state import PlayerMemory
from poker_actors.actors.recovery import (
    OnRecovery,
    Recovery,
    bot_text,
    player_memories,
    table_back,
)
from poker_actors.actors.runtime import Address, Restart, Runtime, Supervisor, ThreadRuntime
from poker_actors.actors.table.actor import TableActor
from poker_actors.actors.table.desk import Desk
from poker_actors.actors.table.face import Table
from poker_actors.actors.table.facts import banks_in, closed_facts, opened_fact
from poker_actors.actors.table.lost import LostTable
from poker_actors.actors.table.recent import Recents
from poker_actors.actors.table.recording import Recorder
from poker_actors.actors.table.state import TableConfig, TableMemory, TableState, game_of, stakes_of
from poker_actors.bots import Bot, BotSpec, SeedTree
from poker_actors.closing import Closing
from poker_actors.errors import BadSpec, RoomClosed, TableRefusal
from poker_actors.rules import HOLDEM, Game, Stakes, whole_chips
from poker_actors.rules.cash import CashOptions
from poker_actors.rules.games import Rotation
from poker_actors.store import (
    Journal,
    PlayerJoined,
    PlayerLeft,
    RoomImage,
    RoomOpened,
    TableImage,
    open_journal,
)

__all__ = ["Room"]

_log: Final = logging.getLogger("poker_actors.room")

_NAME_LENGTH: Final = 64
"""A UUID and something before it; names are written with every fact."""
_CLOSE_SECONDS: Final = 5.0
"""For bots that do not return, all together, after the time hands have to end."""


class Room(Closing):
    """A poker room. Use it as a context manager; leaving it stops every actor and thread.

    Runs on threads unless another runtime is given: ``Room(StepRuntime())`` plays on the caller's
    thread, message by message. `seed` decides the luck of bots; drawn if not given. Decks are
    shuffled by the system's CSPRNG unless a deal is given one. Names of players and tables are up
    to 64 printable characters without a slash or outer blanks, unique in the room.

    With a `store`, a SQLite file or a ``postgresql://`` URL, every command is durable before it is
    answered, and opening the store again brings the room back: `recovery` says how, `tables` and
    `players` have who was there. Hands that were being played go on, or are void, as `on_recovery`
    says. Raises `BadJournal` and `StorageFailed`.

    With `histories`, a file in a format of `poker_actors.history` (``night.phhs``), every hand
    that is paid is written down there, with all its cards; the file is complete when the room is
    closed.

    `recent` is how many messages of each table are kept for the debugger, see `debug`: 200 on threads
    unless given, none on a stepper.
    """

    def __init__(
        self,
        runtime: Runtime | None = None,
        *,
        seed: int | None = None,
        store: str | Path | Journal | None = None,
        on_recovery: OnRecovery = "resume",
        histories: str | Path | None = None,
        recent: int | None = None,
    ) -> None:
        self.runtime: Final[Runtime] = ThreadRuntime() if runtime is None else runtime
        self.recents: Final = Recents(self.runtime, recent)
        self._recorder = None if histories is None else Recorder(histories)
        self._journal = store if store is None or isinstance(store, Journal) else open_journal(store)
        image = RoomImage() if self._journal is None else self._journal.look(lambda image: image)
        if self._journal is not None and seed is not None and image.seed not in (None, seed):
            self._journal.close()
            raise BadSpec(f"seed {seed} is not the seed {image.seed} of the room in {store}")
        self._on_recovery: OnRecovery = on_recovery
        self.seed: Final[int] = _seed(image, seed)
        self._seeds = SeedTree(self.seed)
        self.supervisor: Final = Supervisor(self.runtime)
        self._ledger = self.recents.ledger = image.ledger
        self._tables: dict[str, Table] = {}
        self._players: dict[str, Player] = {}
        self._memories: dict[str, TableMemory] = {}  # what each table knows, by name
        self._addresses: dict[str, Address] = {}
        self._came = image.came  # how many so far: from it follows the luck of the next one
        self._closed = False
        self._joining = threading.RLock()  # held while a name is looked up and taken: rooms have many threads
        self.recovery: Recovery | None = None
        self.supervisor.escalate = self._failed
        address = self.supervisor.spawn(
            "bank", lambda address: BankActor(address, self._ledger, self._journal, self._addresses)
        )
        self.bank: Final = Bank(address)
        self.books: Final = Books(self.bank, self._tables, self._journal, self._let_go)
        """for programs around the room: bookings and notes of their own"""
        if self._journal is not None:
            self._come_back(self._journal, image)

    def _come_back(self, journal: Journal, image: RoomImage) -> None:
        """Bring back who was there; close again if that cannot be."""
        try:
            if image.seed is None:
                journal.append(RoomOpened(self.seed))
            memories = {memory.name: memory for memory in player_memories(image, self._seeds)}
            for memory in memories.values():
                self._enrol_player(memory)
            open_hands = [table.open_hand.hand_id for table in image.tables.values() if table.open_hand]
            resumed = [self._come_back_table(table, image.notes, memories) for table in image.tables.values()]
        except BaseException:
            self.close()
            raise
        going_on = tuple(hand_id for hand_id in resumed if hand_id is not None)
        voided = tuple(hand_id for hand_id in open_hands if hand_id not in going_on)
        lost = tuple(name for name, text in image.players.items() if text and memories[name].bot is None)
        self.recovery = Recovery(journal.replayed, going_on, voided, lost)
        # Last: hands that go on have told their players, who hear of it when all are there.
        for player in self._players.values():
            self.supervisor.launch(player.address)

    def _come_back_table(
        self, table: TableImage, notes: Mapping[str, str], memories: dict[str, PlayerMemory]
    ) -> str | None:
        """Start a table again; returns the hand that continues there."""
        over = self.runtime.address("a hand that is over")
        over.closed = True
        config, memory = table_back(table, self._ledger, self._addresses, memories, self._on_recovery, over)
        memory.banks = banks_in(notes, config.name)
        resumed = None if memory.resume is None else memory.state.hand_id
        address = self._start_table(config, memory).address
        for one in (*memory.state.seats, *memory.state.waiting):
            if one is not None:
                self.supervisor.watch(one.address, address, restarts=True)
        return resumed

    def open_table(  # noqa: PLR0913  every setting of a table is one
        self,
        name: str = "main",
        *,
        seats: int = 6,
        stakes: str | Stakes | None = None,
        game: str | Game | Rotation = HOLDEM,
        turn_seconds: float | None = None,
        restack: int = 0,
        button: int | None = None,
        first_hand: int = 0,
        button_moves: bool = True,
        options: CashOptions | None = None,
        time_bank: TimeBank | None = None,
    ) -> Table:
        """Open a table; see `TableConfig` for what the settings mean. Raises `BadSpec`.

        Stakes and game may be text, as on the command line: ``"1/2"``, ``"omaha"``, ``"horse"``.
        """
        played = game_of(game)
        config = TableConfig(
            name,
            seats,
            played.stakes if stakes is None else stakes_of(stakes),
            played,
            turn_seconds,
            restack,
            button,
            first_hand,
            button_moves,
            options=options,
            time_bank=time_bank,
        )
        with self._joining:
            self._new_name(name, self._tables, "table")
            if self._journal is not None:
                self._journal.append(opened_fact(config))
            return self._start_table(config, TableMemory(TableState((None,) * seats, number=first_hand)))

    def _start_table(self, config: TableConfig, memory: TableMemory) -> Table:
        self._memories[config.name] = memory
        recent = self.recents.of(config, memory)
        address = self.supervisor.spawn(
            f"table {config.name}",
            lambda address: TableActor(
                address,
                config,
                memory,
                self.bank.address,
                self.supervisor,
                self._journal,
                self._addresses,
                self._recorder,
                recent,
            ),
        )
        table = self._tables[config.name] = Table(address, config)
        return table

    def close_table(self, name: str) -> None:
        """Close a table at which nobody sits or waits, for good: a restored room does not have it.

        Nobody may be on the way to it, and its name must not be used again: its hands are in the books. Raises
        `BadSpec` for no table, `TableRefusal`: `hand_in_progress`, `seat_taken`.
        """
        table = self._tables.get(name)
        if table is None:
            raise BadSpec(f"there is no table {name!r:.80}")
        state = table.state()
        if state.hand_id is not None:
            raise TableRefusal(f"{state.hand_id} is being played", code="hand_in_progress")
        if state.waiting or any(seat is not None for seat in state.seats):
            raise TableRefusal(f"somebody sits or waits at {name}", code="seat_taken")
        if self._journal is not None:
            self._journal.append(*closed_facts(table.config))
        del self._tables[name], self._memories[name]
        self.recents.forget(name)
        self.supervisor.stop(table.address)

    def player(
        self, name: str, bot: str | BotSpec | Bot | ActorRef[Any] | None = None, *, chips: int = 0
    ) -> Player:
        """Let somebody in, with `chips` new chips at the bank.

        `bot` decides: a bot's name, any function of a view, or, on threads, a pykka actor of your own (its
        reference), which receives each `HandState` and acts by ``state.act(...)``; without one the player is
        acted for from outside, through what this returns. Raises `BadSpec`, `UnknownBot`.
        """
        if isinstance(bot, ActorRef):
            return self._own_actor(name, bot, chips)
        check_started(bot)
        with self._joining:
            self._new_name(name, self._players, "player")
            whole_chips("chips", chips)
            spec = None if bot is None else BotSpec.of(bot)
            decider = None if spec is None else spec.make()
            stream = self._seeds.stream(0, self._came)
            joined = () if self._journal is None else (PlayerJoined(name, bot_text(spec)),)
            self._addresses[name] = self.runtime.address(f"player {name}")  # the bank knows it from now on
            try:
                if chips:
                    self.bank.ask(Deposit(name, chips, joined))
                elif self._journal is not None:
                    self._journal.append(*joined)
            except BaseException:
                del self._addresses[name]
                raise
            self._came += 1
            player = self._enrol_player(PlayerMemory(name, decider, stream))
            self.supervisor.launch(player.address)
            return player

    def _own_actor(self, name: str, ref: ActorRef[Any], chips: int) -> Player:
        if not isinstance(self.runtime, ThreadRuntime):
            raise BadSpec(f"player {name!r:.80}: an actor of your own needs a room on threads")
        player = self.player(name, chips=chips)
        player.listen(passed_to(ref, lambda: self.supervisor.stop(player.address)))
        return player

    def dismiss(self, name: str) -> None:
        """Remove a player who is at no table and has no chips; a restored room does not have it.

        It must not be on the way to a table. The name may be used again, by a new player. Raises
        `BadSpec` for nobody, `TableRefusal`: `seat_taken`, `player_has_balance`.
        """
        with self._joining:
            player = self._players.get(name)
            if player is None:
                raise BadSpec(f"there is no player {name!r:.80}")
            if self.supervisor.watched(player.address):
                raise TableRefusal(f"{name} sits or waits at a table", code="seat_taken")
            chips = self.bank.balance(name)
            if chips:
                raise TableRefusal(f"{name} has {chips} chips at the bank", code="player_has_balance")
            if self._journal is not None:
                self._journal.append(PlayerLeft(name))
            del self._players[name], self._addresses[name]
            self.supervisor.stop(player.address)

    def _enrol_player(self, memory: PlayerMemory) -> Player:
        """Make a player who can be told things, and who hears of them once launched."""
        address = self._addresses.get(memory.name) or self.runtime.address(f"player {memory.name}")
        self._addresses[memory.name] = address
        memory.on_fault = self.recents.fault if self.recents.most else None
        self.supervisor.enrol(address, lambda address: PlayerActor(address, memory))
        player = self._players[memory.name] = Player(address, memory)
        return player

    def recording(self, table: str) -> dict[str, Any]:
        """Return what a table has handled recently, for the debugger; every card is in it. Raises `BadSpec`."""
        if table not in self._tables:
            there = ", ".join(self._tables) or "none"
            raise BadSpec(f"there is no table {table!r:.80} (there are {there:.200})")
        return self.recents.taken(table)

    def debug(self, table: str) -> Any:
        """Open a `poker_actors.Stepper` at the end of what a table has handled recently; the table plays on.

        From any thread. What comes is a session of its own: it steps, forks, and can be written as a trace,
        with all cards. Raises `BadSpec`.
        """
        # by its name: the debugger stands on top of the actors, and is loaded for who asks for it
        door = import_module("poker_actors.debug")
        return door.Stepper.of_recording(self.recording(table), lambda: self.recording(table))

    @property
    def tables(self) -> Mapping[str, Table]:
        """The tables by name, those that came back included."""
        return MappingProxyType(self._tables)

    @property
    def players(self) -> Mapping[str, Player]:
        """Everybody by name, those who came back included."""
        return MappingProxyType(self._players)

    @property
    def live_hands(self) -> Mapping[str, LiveHand]:
        """The hands being played, by table, without asking anybody.

        On a stepper that has just come back from its journal nothing is delivered for this: also a hand that
        will end with the first delivery is among them, to be awaited.
        """
        live = {name: memory.live for name, memory in self._memories.items()}
        return {name: LiveHand(one) for name, one in live.items() if one is not None}

    def audit(self) -> Audit:
        """Count all chips, by the bank's books."""
        balances = self.bank.ask(GetState())
        assert isinstance(balances, dict)
        sums = dict.fromkeys(("mint", "credit", "bank", "stack", "escrow", "forfeit", "rake"), 0)
        for account, chips in balances.items():
            sums[account.split("/", 1)[0]] += chips
        minted = -sums["mint"] - sums["credit"]
        return Audit(minted, sums["bank"], sums["stack"], sums["escrow"], sums["forfeit"], sums["rake"])

    def health(self) -> Health:
        """Say how the room is."""
        supervisor = self.supervisor
        return Health(
            supervisor.alive,
            supervisor.restarts,
            (*supervisor.failed, *self.runtime.down),
            self.runtime.waiting,
            self.runtime.lost,
        )

    def close(self, *, finish_seconds: float = 0.0) -> None:
        """Stop everything: tables, then players, then the bank.

        Hands being played may go on for `finish_seconds` (of the runtime's clock), all together; what
        has not ended then is void, and its stacks are as they were before it. A room with a store leaves
        it as it is instead, to go on when the store is opened again, unless `on_recovery` is "void".

        Whoever blocks (a bot that does not return) is waited for some seconds in all, and then left to
        its thread. A result that is still waited for then raises `RoomClosed`.
        """
        with self._joining:
            if self._closed:
                return
            self._closed = True
        now = self.runtime.now
        end = now() + finish_seconds + _CLOSE_SECONDS
        keep = self._journal is not None and self._on_recovery == "resume"
        shut_tables(self.runtime, list(self._tables.values()), now() + finish_seconds, end, keep=keep)
        self.supervisor.stop_all(max(end - now(), 0.0))
        for table in self._tables.values():
            table.address.close()  # that of a lost table may be open still
        for memory in self._memories.values():
            if memory.live is not None:
                text = f"the room was closed before {memory.live.hand_id} was over"
                memory.live.result.set_exception((RoomClosed, RoomClosed(text), None))
        self.runtime.close(max(end - now(), 0.0))
        if self._recorder is not None:
            self._recorder.close()
        if self._journal is not None:
            self._journal.close()

    def _let_go(self) -> None:
        self._closed = True
        if self._recorder is not None:
            self._recorder.close()

    def _failed(self, address: Address) -> bool:
        """One actor is beyond help: wind a lost table up; without a bank nothing can be booked any more."""
        if address is self.bank.address:
            _log.error("the bank is lost: close the room")
            return False
        name = next((name for name, table in self._tables.items() if table.address is address), None)
        if name is None:
            return False
        desk = Desk(
            address,
            self._tables[name].config,
            self._memories[name],
            self.bank.address,
            self.supervisor,
            self._journal,
            self._recorder,
        )
        try:
            self.supervisor.spawn(
                f"lost table {name}", lambda own: LostTable(own, desk, address.close), Restart.TEMPORARY
            )
        except RoomClosed:
            return False  # the room is closing, and says of every hand that it is not over
        return True

    def _new_name(self, name: str, taken: dict[str, Any], what: str) -> None:
        if self._closed or self.bank.address.closed:
            raise RoomClosed("the room is closed" if self._closed else "the room has lost its bank")
        text = name if type(name) is str else ""
        if not (0 < len(text) <= _NAME_LENGTH and text.isprintable()):
            raise BadSpec(f"{what} {name!r:.80}: a name is 1 to {_NAME_LENGTH} printable characters")
        if "/" in name or name != name.strip():
            raise BadSpec(f"{what} {name!r}: a name has no / and no blank at its ends")
        if name in taken:
            raise BadSpec(f"there is a {what} called {name!r} already")

    def __repr__(self) -> str:
        return f"<Room: {len(self._tables)} tables, {len(self._players)} players>"


def _seed(image: RoomImage, asked: int | None) -> int:
    """Return the seed of the room there was, else what is asked for, else one that is drawn."""
    drawn = secrets.randbits(64) if asked is None else asked
    return drawn if image.seed is None else image.seed
