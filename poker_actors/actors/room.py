"""The room: bank, tables and players, opened together and closed together."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final

from pykka import ActorRef

from poker_actors.actors.bank import Bank, BankActor, Count, Deposit
from poker_actors.actors.command import GetState, check_name
from poker_actors.actors.hand import HandClass
from poker_actors.actors.own import (
    Actors,
    PlayerClass,
    TableClass,
    check_started,
    given_for_one,
    note_actors,
    passed_to,
)
from poker_actors.actors.player.actor import PlayerMemory
from poker_actors.actors.player.face import Player
from poker_actors.actors.recovery import (
    Audit,
    Books,
    Health,
    LostTable,
    OnRecovery,
    Recovery,
    bot_text,
    opened,
    player_memories,
    set_aside,
    shut_tables,
    table_back,
)
from poker_actors.actors.runtime import Address, LoopRuntime, Restart, Runtime, StepRuntime, Supervisor
from poker_actors.actors.table.face import LiveHand, Table
from poker_actors.actors.table.facts import (
    TableConfig,
    TimeBank,
    closed_facts,
    game_of,
    opened_fact,
    stakes_of,
)
from poker_actors.actors.table.hands import Desk
from poker_actors.actors.table.recent import Recent, Recents, Recorder
from poker_actors.actors.table.seats import Seating
from poker_actors.actors.table.stages import Promised, TableMemory
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
)

_log: Final = logging.getLogger("poker_actors.room")

_CLOSE_SECONDS: Final = 5.0
"""How long closing waits after `finish_seconds`, in all, for bots that do not return."""


class Room(Closing):
    """A poker room. Use it as a context manager; leaving it stops every actor and thread.

    By default a room runs on one thread of its own and calls bots that may block on worker threads.
    ``Room(ThreadRuntime())`` gives every actor a thread; ``Room(StepRuntime())`` plays on the caller's thread, message
    by message. `seed` decides the bots' luck; it is drawn if not given. Decks are shuffled by the system's CSPRNG
    unless one is passed to a deal. Names of players and tables are unique in the room: 1 to 64 printable characters,
    without slashes or blanks at the ends.

    With a `store`, a SQLite file or a ``postgresql://`` URL, every command is durable before it is
    answered, and opening the store again restores the room: `recovery` says what was found, and `tables` and
    `players` include everything restored. Open hands are resumed or voided, as `on_recovery` says. A table that
    cannot be restored is set aside: it is closed, and its chips go to their owners' accounts at the bank.
    Raises `BadJournal` and `StorageFailed`.

    With `histories`, a file in a format of `poker_actors.history` (``night.phhs``), every paid hand
    is written there with all its cards; the file is complete once the room is closed.

    `actors` replaces the room's own actor classes: see `Actors`. Open a store with the same classes every time;
    `recovery` says if they have changed.

    `recent` is how many messages of each table are kept for the debugger (see `debug`): by default 200,
    none on a stepper.
    """

    debugger: ClassVar[Callable[[Room, str], Any] | None] = None
    """Opens a `poker_actors.Stepper` at a table; set by the debugger, or by `poker_actors` itself"""

    def __init__(
        self,
        runtime: Runtime | None = None,
        *,
        seed: int | None = None,
        store: str | Path | Journal | None = None,
        on_recovery: OnRecovery = "resume",
        histories: str | Path | None = None,
        recent: int | None = None,
        actors: Actors | None = None,
    ) -> None:
        self._actors = Actors() if actors is None else actors
        self.runtime: Final[Runtime] = LoopRuntime() if runtime is None else runtime
        self.recents: Final = Recents(self.runtime, recent)
        self._recorder = None if histories is None else Recorder(histories)
        self._journal, image, drawn = opened(store, seed)
        self._on_recovery: OnRecovery = on_recovery
        self.seed: Final[int] = drawn
        self._seeds = SeedTree(self.seed)
        self.supervisor: Final = Supervisor(self.runtime)
        self._ledger = self.recents.ledger = image.ledger
        self._tables: dict[str, Table] = {}
        self._players: dict[str, Player] = {}
        self._memories: dict[str, TableMemory] = {}  # what each table remembers, by name
        self._classes: dict[str, Actors] = {}  # only of tables that this process opened
        self._addresses: dict[str, Address] = {}
        self._image = image  # the journal's; without one, only its number of players is kept
        self._closed = False
        self._joining = threading.RLock()  # without it two threads could take the same name
        self.recovery: Recovery | None = None
        self.supervisor.escalate = self._failed
        address = self.supervisor.start(
            "bank", lambda address: BankActor(address, self._ledger, self._journal, self._addresses)
        )
        self.bank: Final = Bank(address)
        self.books: Final = Books(self.bank, self._tables, self._journal, self._let_go)
        """bookings and notes for programs around the room"""
        if self._journal is not None:
            self._come_back(self._journal, image)

    def _come_back(self, journal: Journal, image: RoomImage) -> None:
        """Restore tables and players; close the room if that fails."""
        try:
            new = image.seed is None
            if new:
                journal.append(RoomOpened(self.seed))
            others = note_actors(journal, image, self._actors)
            memories = {memory.name: memory for memory in player_memories(image, self._seeds)}
            for name in memories:
                self._addresses[name] = self.runtime.address(f"player {name}")
            open_hands = [table.open_hand.hand_id for table in image.tables.values() if table.open_hand]
            tables, lost_tables = self._tables_back(journal, image, memories)
            going_on = tuple(
                stage.live.hand_id
                for _, table in tables
                if isinstance(stage := table.stage, Promised) and stage.dealt is not None
            )
            # Players first: tables watch them, and tell them of resumed hands
            for memory in memories.values():
                self._start_player(memory, self._actors.player)
            for config, table in tables:
                self._start_table(config, table)
        except BaseException:
            self.close()
            raise
        voided = tuple(hand_id for hand_id in open_hands if hand_id not in going_on)
        lost = tuple(name for name, text in image.players.items() if text and memories[name].bot is None)
        self.recovery = Recovery(
            journal.replayed, going_on, voided, lost, lost_tables, None if new else others
        )

    def _tables_back(
        self, journal: Journal, image: RoomImage, memories: dict[str, PlayerMemory]
    ) -> tuple[list[tuple[TableConfig, TableMemory]], tuple[str, ...]]:
        """Return the settings and memories of the tables, and the names of those that could not be restored."""
        restored, lost = [], []
        for name, table in list(image.tables.items()):
            try:
                restored.append(
                    table_back(table, image, self._addresses, memories, self._on_recovery, self.runtime)
                )
            except Exception as error:  # noqa: BLE001  whatever is wrong with one table, the others and all chips come back
                set_aside(journal, image, name, memories, error)
                lost.append(name)
        return restored, tuple(lost)

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
        missed_blinds: bool = False,
        ledger: bool = False,
        table: TableClass | None = None,
        hand: HandClass | None = None,
    ) -> Table:
        """Open a table; see `TableConfig` for the settings. Raises `BadSpec`.

        Stakes and game may be text, as on the command line: ``"1/2"``, ``"omaha"``, ``"horse"``. `table` and `hand`
        are actor classes for this table only; in a room with a store, give them to `Room` instead: see `Actors`.
        """
        actors = given_for_one(self._actors, self._journal, table=table, hand=hand)
        played = game_of(game)
        config = TableConfig(
            name, seats, played.stakes if stakes is None else stakes_of(stakes), played,
            turn_seconds=turn_seconds, restack=restack, button=button, first_hand=first_hand,
            button_moves=button_moves, options=options, time_bank=time_bank, missed_blinds=missed_blinds,
            ledger=ledger,
        )  # fmt: skip
        with self._joining:
            self._new_name(name, self._tables, "table")
            if self._journal is not None:
                self._journal.append(opened_fact(config))
            elif ledger:
                self.bank.ask(Count(name, on=True))
            self._classes[name] = actors
            return self._start_table(config, TableMemory(Seating((None,) * seats, number=first_hand)))

    def _start_table(self, config: TableConfig, memory: TableMemory) -> Table:
        self._memories[config.name] = memory
        actors = self._classes.get(config.name, self._actors)
        recent = self.recents.of(config, memory) if actors.replayable else None
        address = self.supervisor.start(
            f"table {config.name}",
            lambda address: actors.table(address, self._desk(address, config, memory, recent)),
        )
        table = self._tables[config.name] = Table(address, config)
        return table

    def _desk(
        self, address: Address, config: TableConfig, memory: TableMemory, recent: Recent | None = None
    ) -> Desk:
        """Return the `Desk` for one incarnation of a table."""
        return Desk(
            address,
            config,
            memory,
            bank=self.bank.address,
            supervisor=self.supervisor,
            journal=self._journal,
            addresses=self._addresses,
            recorder=self._recorder,
            recent=recent,
            hand=self._classes.get(config.name, self._actors).hand,
        )

    def close_table(self, name: str) -> None:
        """Close an empty table for good: nobody may sit or wait at it, and a restored room will not have it.

        Let nobody sit down meanwhile, and do not use its name again, as its hands are in the books.
        Raises `BadSpec` if there is no such table, and `TableRefusal` (`hand_in_progress`, `seat_taken`).
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
        elif table.config.ledger:
            self.bank.ask(Count(name, on=False))
        del self._tables[name], self._memories[name]
        self._classes.pop(name, None)
        self.recents.forget(name)
        self.supervisor.stop(table.address)

    def player(
        self,
        name: str,
        bot: str | BotSpec | Bot | ActorRef[Any] | None = None,
        *,
        chips: int = 0,
        actor: PlayerClass | None = None,
    ) -> Player:
        """Let a player in, with `chips` new chips at the bank.

        `bot` decides: a bot's name, any function of a view, or (not on a stepper) the reference of your own pykka
        actor, which receives each `HandState` and acts by ``state.act(...)``. Without a bot, act through the returned
        `Player`. `actor` is an actor class for this player only; in a room with a store, give it to `Room` instead:
        see `Actors`. Raises `BadSpec`, `UnknownBot`.
        """
        actors = given_for_one(self._actors, self._journal, player=actor)
        if isinstance(bot, ActorRef):
            return self._own_actor(name, bot, chips)
        check_started(bot)
        with self._joining:
            self._new_name(name, self._players, "player")
            whole_chips("chips", chips)
            spec = None if bot is None else BotSpec.of(bot)
            decider = None if spec is None else spec.make()
            stream = self._seeds.stream(0, self._image.came)
            joined = () if self._journal is None else (PlayerJoined(name, bot_text(spec)),)
            # Before the deposit: the bank mints only for players who have an address
            self._addresses[name] = self.runtime.address(f"player {name}")
            try:
                if chips:
                    self.bank.ask(Deposit(name, chips, joined))
                elif self._journal is not None:
                    self._journal.append(*joined)
            except BaseException:
                del self._addresses[name]
                raise
            if self._journal is None:
                self._image.came += 1
            return self._start_player(PlayerMemory(name, decider, stream), actors.player)

    def _own_actor(self, name: str, ref: ActorRef[Any], chips: int) -> Player:
        if isinstance(self.runtime, StepRuntime):
            raise BadSpec(f"player {name!r:.80}: an actor of your own needs a room with a thread")
        player = self.player(name, chips=chips)
        player.listen(passed_to(ref, lambda: self.supervisor.stop(player.address)))
        return player

    def dismiss(self, name: str) -> None:
        """Remove a player who is at no table and has no chips, for good: a restored room will not have them.

        The player must not be about to sit down. A new player may use the name again. Raises `BadSpec`
        if there is no such player, and `TableRefusal` (`seat_taken`, `player_has_balance`).
        """
        with self._joining:
            player = self._players.get(name)
            if player is None:
                raise BadSpec(f"there is no player {name!r:.80}")
            # another thread may close a table meanwhile: such a table is empty
            not_lost = [at for at, table in list(self._tables.items()) if not table.address.closed]
            states = [memory.seating for at in not_lost if (memory := self._memories.get(at)) is not None]
            if any(one.number_of(name) is not None or one.place_of(name) for one in states):
                raise TableRefusal(f"{name} sits or waits at a table", code="seat_taken")
            chips = self.bank.balance(name)
            if chips:
                raise TableRefusal(f"{name} has {chips} chips at the bank", code="player_has_balance")
            if self._journal is not None:
                self._journal.append(PlayerLeft(name))
            del self._players[name], self._addresses[name]
            self.supervisor.stop(player.address)

    def _start_player(self, memory: PlayerMemory, made: PlayerClass) -> Player:
        address = self._addresses[memory.name]
        memory.on_fault = self.recents.fault if self.recents.most else None
        player = self._players[memory.name] = Player(address, memory)
        self.supervisor.start(address, lambda address: made(address, memory))
        return player

    def recording(self, table: str) -> dict[str, Any]:
        """Return what a table has handled recently, with every card, for the debugger. Raises `BadSpec`."""
        if table not in self._tables:
            there = ", ".join(self._tables) or "none"
            raise BadSpec(f"there is no table {table!r:.80} (tables: {there:.200})")
        actors = self._classes.get(table, self._actors)
        if not actors.replayable:
            raise BadSpec(f"table {table!r:.80}: the debugger cannot replay custom actors ({actors})")
        return self.recents.taken(table)

    def debug(self, table: str) -> Any:
        """Open a `poker_actors.Stepper` at the end of what a table has handled recently; the table plays on.

        Call it from any thread. The session is independent of the table: it steps, forks, and can be written
        as a trace, with all cards. Raises `BadSpec`.
        """
        if Room.debugger is None:
            raise BadSpec(
                "debugging is not loaded: import poker_actors.debug, or import Room from poker_actors"
            )
        return Room.debugger(self, table)

    @property
    def tables(self) -> Mapping[str, Table]:
        """The tables by name, restored ones included."""
        return MappingProxyType(self._tables)

    @property
    def players(self) -> Mapping[str, Player]:
        """The players by name, restored ones included."""
        return MappingProxyType(self._players)

    @property
    def live_hands(self) -> Mapping[str, LiveHand]:
        """The hands being played, by table, without asking the tables.

        This delivers no message: on a stepper just restored from its journal, a hand that the first
        delivery will end is still included, so that its result can be awaited.
        """
        live = {name: memory.live for name, memory in self._memories.items()}
        return {name: LiveHand(one) for name, one in live.items() if one is not None}

    def audit(self) -> Audit:
        """Add up all chips, according to the bank's books."""
        balances = self.bank.ask(GetState())
        assert isinstance(balances, dict)
        sums = dict.fromkeys(("mint", "credit", "bank", "stack", "escrow", "forfeit", "rake"), 0)
        for account, chips in balances.items():
            sums[account.split("/", 1)[0]] += chips
        minted = -sums["mint"] - sums["credit"]
        return Audit(minted, sums["bank"], sums["stack"], sums["escrow"], sums["forfeit"], sums["rake"])

    def health(self) -> Health:
        """Return the health of the room."""
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

        Hands being played have `finish_seconds` in all (on the runtime's clock) to end; the rest are void, and
        their stacks are as before. A room with a store instead keeps them in its journal, to be resumed when
        the store is opened again, unless `on_recovery` is "void".

        Closing waits a few seconds in all for anything that blocks, for example a bot that does not return,
        and then leaves it to its thread. A result that is still awaited raises `RoomClosed`.
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
            table.address.close()  # the address of a lost table may still be open
        for memory in self._memories.values():
            if memory.players_ready is not None:
                memory.players_ready.set_exception((RoomClosed, RoomClosed("the room is closed"), None))
            if memory.live is not None:
                text = f"the room was closed before {memory.live.hand_id} was over"
                memory.live.result.set_exception((RoomClosed, RoomClosed(text), None))
        self.runtime.close(max(end - now(), 0.0))
        self._let_go()
        if self._journal is not None:
            self._journal.close()

    def _let_go(self) -> None:
        self._closed = True
        if self._recorder is not None:
            self._recorder.close()

    def _failed(self, address: Address) -> bool:
        """Handle an actor that stays down: wind up a table; log the loss of the bank, without which nothing is booked.

        Returns true if the address is closed later, once the table is wound up.
        """
        if address is self.bank.address:
            _log.error("the bank is lost: close the room")
            return False
        name = next((name for name, table in self._tables.items() if table.address is address), None)
        if name is None:
            return False
        desk = self._desk(address, self._tables[name].config, self._memories[name])
        try:
            self.supervisor.start(
                f"lost table {name}", lambda own: LostTable(own, desk, address.close), Restart.TEMPORARY
            )
        except RoomClosed:
            return False  # the room is closing, and refuses the result of every open hand itself
        return True

    def _new_name(self, name: str, taken: dict[str, Any], what: str) -> None:
        if self._closed or self.bank.address.closed:
            raise RoomClosed("the room is closed" if self._closed else "the room has lost its bank")
        check_name(name, what)
        if name in taken:
            raise BadSpec(f"there is already a {what} called {name!r}")

    def __repr__(self) -> str:
        return f"<Room: {len(self._tables)} tables, {len(self._players)} players>"
