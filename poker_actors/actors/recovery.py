"""Restore a room from its journal, wind up a lost table, close a room, book chips, and audit where they are."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

import attrs

from poker_actors.actors.bank import Bank, Book, CloseTable
from poker_actors.actors.hand import TURNS, DealtHand, HandEndedNews
from poker_actors.actors.player.actor import PlayerMemory
from poker_actors.actors.runtime import ActorDown, Address, Runtime, on
from poker_actors.actors.table.face import Table
from poker_actors.actors.table.facts import (
    BANKS,
    TableConfig,
    config_from,
    hand_from,
    resumable,
    sealed_from,
    seating_from,
)
from poker_actors.actors.table.hands import Desk, TableHands
from poker_actors.actors.table.messages import Shut
from poker_actors.actors.table.seats import Seating
from poker_actors.actors.table.stages import (
    Closing,
    Idle,
    LastHand,
    Playing,
    Promised,
    Stage,
    TableMemory,
    TookUp,
)
from poker_actors.bots import Bot, BotSpec, Faults, OutsideBot, SeedTree, decide, drawn_seed
from poker_actors.errors import BadJournal, BadSpec, PokerError, RoomClosed, RoomError
from poker_actors.rules import Hand
from poker_actors.store import (
    Booked,
    HandDealt,
    Journal,
    Ledger,
    Noted,
    Replayed,
    RoomImage,
    TableImage,
    open_journal,
)

_log: Final = logging.getLogger("poker_actors.room")
_table_log: Final = logging.getLogger("poker_actors.table")

OnRecovery = Literal["resume", "void"]
"""What to do with open hands: resume them, or void them and return their stacks. A finished one is booked anyway."""


@attrs.frozen
class Recovery:
    """What opening a room found in its journal."""

    journal: Replayed
    """the number of records read, and what was cut off at the end"""
    resumed: tuple[str, ...] = ()
    """hands that were resumed"""
    voided: tuple[str, ...] = ()
    """hands that were voided"""
    without_bot: tuple[str, ...] = ()
    """players whose bot could not be made from its text: they wait for `Player.play_by`"""
    set_aside: tuple[str, ...] = ()
    """tables that could not be restored: they are closed, and their chips are at their owners' banks"""
    other_actors: str | None = None
    """the classes the room had before, if it has others now: ``table BombVote``; empty for the room's own"""


def opened(store: str | Path | Journal | None, seed: int | None) -> tuple[Journal | None, RoomImage, int]:
    """Open a room's store, if any; return its journal, its image, and the room's seed, drawn if necessary.

    Raises `BadSpec` if the store's seed is not the one asked for.
    """
    journal = store if store is None or isinstance(store, Journal) else open_journal(store)
    image = RoomImage() if journal is None else journal.look(lambda image: image)
    if seed is not None and image.seed not in (None, seed):
        assert journal is not None, "without one no seed is kept"
        journal.close()
        raise BadSpec(f"seed {seed} is not the seed {image.seed} of the room in {store}")
    drawn = drawn_seed() if seed is None else seed
    return journal, image, drawn if image.seed is None else image.seed


def bot_text(spec: BotSpec | None) -> str | None:
    """Return the text that makes this bot again; None if there is none, as for a local function."""
    if spec is None:
        return None
    text = str(spec)
    try:
        again = BotSpec.parse(text)
    except PokerError:
        return None
    return text if (again.source.factory, again.values) == (spec.source.factory, spec.values) else None


def player_memories(image: RoomImage, seeds: SeedTree) -> Iterator[PlayerMemory]:
    """Yield each player's memory, in the order of arrival; a bot that cannot be made is None."""
    for name, text in image.players.items():
        bot: Bot | None = None
        if text is not None:
            try:
                bot = BotSpec.parse(text).make()
            except PokerError as error:
                _log.warning("player %s comes back without a bot: %s", name, error)
        yield PlayerMemory(name, bot, seeds.stream(0, image.numbers[name]))


def table_back(
    table: TableImage,
    image: RoomImage,
    addresses: Mapping[str, Address],
    memories: Mapping[str, PlayerMemory],
    policy: OnRecovery,
    runtime: Runtime,
) -> tuple[TableConfig, TableMemory]:
    """Return a table's settings and memory, and restore its players' memories of their last hand there."""
    config = config_from(table.opened)
    stage = _stage(table, config, image.ledger, policy, runtime)
    memory = TableMemory(seating_from(table, image.ledger, addresses), stage)
    if isinstance(stage, Promised) and isinstance(stage.dealt, Hand):
        _restore_streams(memory.seating, stage.dealt, memories)
    if table.over:
        assert table.dealt is not None, "a hand is over"
        seats = image.dealt_in(table)
        last = _last_hand_of(table, table.dealt, seats, config, addresses, runtime)
        told = attrs.evolve(last, names=table.dealt.players)  # including players who have left the room since
        for player, seat in seats.items():
            memories[player].heard[config.name] = told.state(config.name, seat)
        if not table.voided:
            memory.last = last
            sealed = sealed_from(table.dealt, config)
            records = {} if sealed is None else sealed.records(last.hand)
            for player, seat in seats.items():
                if seat in records:
                    memories[player].records[config.name] = records[seat]
    return config, memory


def set_aside(
    journal: Journal, image: RoomImage, name: str, memories: Mapping[str, PlayerMemory], error: Exception
) -> None:
    """Remove a table that cannot be restored, whatever is wrong with it; raises `StorageFailed`."""
    why = str(error) if isinstance(error, PokerError) else f"{type(error).__name__}: {error}"
    facts = image.set_aside(name, why)
    chips = -sum(
        chips for fact in facts if isinstance(fact, Booked) for chips in fact.deltas.values() if chips < 0
    )
    kept = [key for key in (f"{BANKS}{name}", f"{TURNS}{name}") if key in image.notes]
    journal.append(*facts, *[Noted(key, None) for key in kept])
    for memory in memories.values():  # it may have been restored in part
        memory.heard.pop(name, None)
        memory.records.pop(name, None)
    _log.error("table %s is set aside, its %s chips are back with their owners: %s", name, f"{chips:,}", why)
    _log.debug("table %s", name, exc_info=error)


def _stage(
    table: TableImage, config: TableConfig, ledger: Ledger, policy: OnRecovery, runtime: Runtime
) -> Stage:
    """Return the stage of a table's hand; a hand that cannot or must not be continued is promised without cards."""
    dealt = table.open_hand
    if dealt is None:
        return Idle()
    live = DealtHand(dealt.hand_id, runtime.address(dealt.hand_id), runtime.word())
    if policy == "void" and not _is_over(table, config):
        return Promised(live, None, None)
    if not resumable(dealt, ledger):
        _log.error("%s cannot be resumed: its chips are not in escrow", dealt.hand_id)
        return Promised(live, None, None)
    sealed = sealed_from(dealt, config)
    if sealed is not None:
        live = attrs.evolve(live, commitment=sealed.commitment.hex())
    return Promised(live, sealed, _replayed(table, config))


def _is_over(table: TableImage, config: TableConfig) -> bool:
    """Return whether a table's last hand was played to its end; its players know the result, so either policy books it."""
    try:
        return _replayed(table, config).over
    except BadJournal:
        return False


def _last_hand_of(
    table: TableImage,
    dealt: HandDealt,
    seats: Mapping[str, int],
    config: TableConfig,
    addresses: Mapping[str, Address],
    runtime: Runtime,
) -> LastHand:
    """Return a table's last hand, which is over; `seats` maps to a seat each player who has not been replaced since."""
    players = {seat: addresses[player] for player, seat in seats.items()}
    over = runtime.address(dealt.hand_id)
    over.closed = True
    names = tuple(name if seat in players else None for seat, name in enumerate(dealt.players))
    return LastHand(dealt.hand_id, dealt.number, _replayed(table, config), names, players, over)


def _replayed(table: TableImage, config: TableConfig) -> Hand:
    """Replay a table's last hand and the cards shown after it; raises `BadJournal` if its records do not fit."""
    assert table.dealt is not None
    try:
        hand = hand_from(table.dealt, config, table.log)
        for seat in table.shown:
            hand.show(seat)
        return hand
    except PokerError as error:
        raise BadJournal(f"the records of {table.dealt.hand_id} are not a playable hand: {error}") from None


def _last_hand(table: TableImage, config: TableConfig) -> tuple[int, Hand | None] | None:
    """Return the number and the hand a table played last, with None for a void hand; None while a hand is open."""
    if not table.over:
        return None
    assert table.dealt is not None, "a hand is over"
    return table.dealt.number, None if table.voided else _replayed(table, config)


def _restore_streams(state: Seating, hand: Hand, players: Mapping[str, PlayerMemory]) -> None:
    """Bring the bots' random streams in a resumed hand to where they were when the process ended.

    Each bot decides all its turns of this hand once more and its answers are dropped, so that it next draws
    what it would have drawn. Programs and awaited bots are left out, as their luck is their own.
    """
    again = hand.replay(())
    for taken, action in zip(hand.public().actions, hand.whole_actions(), strict=True):
        player = players[state.seat_at(taken.seat).player]
        if player.bot is not None and not isinstance(player.bot, OutsideBot):
            assert player.stream is not None, "each player of a journal has one"
            player.stream.hand = state.number - 1
            decide(player.bot, again.view(taken.seat, player.stream), Faults())
        again.act(action)


def shut_tables(runtime: Runtime, tables: Sequence[Table], finish: float, end: float, *, keep: bool) -> None:
    """Stop dealing, wait for hands until `finish`, then stop the rest, all before `end`.

    Both are times on the runtime's clock. With `keep`, stopped hands stay in the journal, to be continued.
    """
    playing = _each(runtime, Shut(void=False), tables, end)
    if finish > runtime.now():
        # else not even for no time: on a stepper that would deliver, and bots would play their hand to its end
        _wait_for(runtime, playing, finish)
    stopped = _each(runtime, Shut(void=True, keep=keep), [table for table, _ in playing], end)
    _wait_for(runtime, stopped, end)


def _each(
    runtime: Runtime, command: Shut, tables: Sequence[Table], end: float
) -> list[tuple[Table, DealtHand]]:
    """Send `command` to all tables at once; return those that answer, before `end`, with a hand being played."""
    words = []
    for table in tables:
        word = runtime.word()
        table.address.ask_into(command, word)
        words.append((table, word))
    playing: list[tuple[Table, DealtHand]] = []
    for table, word in words:
        try:
            live = word.get(max(end - runtime.now(), 0.0), table.address.name)
        except Exception as error:  # noqa: BLE001  a table that crashes here must not keep the others open
            _log.warning("table %s did not shut cleanly: %s", table.name, error)
        else:
            playing += [] if live is None else [(table, live)]
    return playing


def _wait_for(runtime: Runtime, playing: Sequence[tuple[Table, DealtHand]], end: float) -> None:
    """Wait for hands until `end`; a hand left to the journal is refused and no longer waited for."""
    for _, live in playing:
        with suppress(RoomError):
            live.result.get(max(end - runtime.now(), 0.0), live.hand_id)


class LostTable(TableHands):
    """Stands in for a table that stays down: books or voids its hand, returns everybody's chips, calls `done`, stops.

    It never contradicts what players were told: a hand that has ended is booked, not voided.
    """

    def __init__(self, address: Address, desk: Desk, done: Callable[[], None]) -> None:
        self.done = done
        super().__init__(address, desk)

    def begin(self) -> None:
        """Stop the hand being played, if any, and wait for its last message."""
        self.memory.closing = Closing.VOID
        stage = self.memory.stage
        if isinstance(stage, Playing):
            self.desk.supervisor.watch(stage.live.address, self.address)
            self.desk.supervisor.stop(stage.live.address)
        else:
            self._try(lambda: self.go(TookUp()))
            self._wind_up()

    def hand_ended(self, news: HandEndedNews) -> None:
        """Book the result."""
        end = super().hand_ended
        self._try(lambda: end(news))
        self._wind_up()

    @on(ActorDown)
    def hand_down(self, news: ActorDown) -> None:
        """Book the result if the hand left one, else void it."""
        down = super().hand_down
        self._try(lambda: down(news))
        self._wind_up()

    def _try(self, step: Callable[[], None]) -> None:
        try:
            step()
        except Exception:  # noqa: BLE001  the table's fault may crash this too, but the chips must go back
            _table_log.exception("%s cannot book its hand", self.desk.address.name)

    def _wind_up(self) -> None:
        desk, live = self.desk, self.memory.live
        if live is not None:
            text = f"{desk.address.name} is lost, and {live.hand_id} with it"
            self.refuse_result(RoomClosed(text))
            self.memory.stage = Idle()
        desk.refuse_dealers(f"{desk.address.name} is lost")
        desk.bank.tell(CloseTable(desk.config.name, desk.open_hand_is_void()))
        self.done()
        self.stop()


@attrs.frozen
class Audit:
    """Where the chips are. They are conserved if `minted` equals the sum of the rest."""

    minted: int
    """all chips in the room, lent ones included"""
    bank: int
    tables: int
    hands: int
    forfeit: int = 0
    """given up by players to the house"""
    rake: int = 0
    """taken out of pots by the house"""

    @property
    def conserved(self) -> bool:
        """Whether no chip has appeared or vanished."""
        return self.minted == self.bank + self.tables + self.hands + self.forfeit + self.rake


@attrs.frozen
class Health:
    """The health of a room: actors alive and down, restarts so far, messages waiting and dropped."""

    alive: tuple[str, ...]
    restarts: int
    failed: tuple[str, ...]
    waiting: int
    lost: int


class Books:
    """Bookings and notes in the same ledger and journal as the tables'; see `Room.books`."""

    def __init__(
        self, bank: Bank, tables: Mapping[str, Table], journal: Journal | None, let_go: Callable[[], None]
    ) -> None:
        self._bank = bank
        self._tables = tables
        self._journal = journal
        self._let_go = let_go

    def book(self, deltas: Mapping[str, int], notes: Mapping[str, str]) -> None:
        """Make one balanced booking and keep `notes`, in one write.

        `deltas` are chips added to each account of the ledger; empty for notes alone. Notes (key -> text)
        are kept in the journal, if there is one. Raises `TableRefusal` (`insufficient_funds`), `StorageFailed`.
        """
        facts = tuple(Noted(key, text) for key, text in notes.items())
        self._bank.ask(Book(deltas, facts=facts))

    def notes(self, prefix: str = "") -> dict[str, str]:
        """Return the notes whose keys begin with `prefix`, in the order in which they were kept."""
        if self._journal is None:
            return {}
        return self._journal.look(
            lambda image: {key: text for key, text in image.notes.items() if key.startswith(prefix)}
        )

    def last_hand(self, table: str) -> tuple[int, Hand | None] | None:
        """Return the number and the hand a table played last, from the journal; the hand is None if it is void.

        Returns None while a hand is being played, before the first one, and in a room without a journal.
        """
        if self._journal is None or table not in self._tables:
            return None
        config = self._tables[table].config
        return self._journal.look(lambda image: _last_hand(image.tables[table], config))

    def abandon(self) -> None:
        """Abandon a room on a stepper as it is: stop nobody, tell nobody, pay nobody, and write nothing.

        This is for a room that will be opened again from its journal, which stays open.
        """
        self._let_go()
