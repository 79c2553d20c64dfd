"""What is kept of a table's play: recent messages, so that the debugger can replay them, and hands, in a file.

Messages are kept in blocks. Each begins between two hands, with the seats at that time, and holds what
was handled since, in order. What players and the bank were told follows from that and is not kept.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from traceback import TracebackException
from typing import Any, Final

import attrs

from poker_actors.actors.bank import Send, TopUp
from poker_actors.actors.command import GetState
from poker_actors.actors.hand import HandEndedNews, HandResult
from poker_actors.actors.player.messages import Turn
from poker_actors.actors.runtime import ActorBack, ActorDown, Address, Handlers, Runtime, StepRuntime
from poker_actors.actors.table.facts import TableConfig, opened_fact, seats_fact
from poker_actors.actors.table.messages import (
    AwaitPlayers,
    BuyIn,
    Deal,
    GetLive,
    GetTimeBank,
    StopRun,
    Unwatch,
    Wait,
    Watch,
)
from poker_actors.actors.table.seats import Seating
from poker_actors.actors.table.stages import TableMemory
from poker_actors.bots import fallback
from poker_actors.errors import BadSpec
from poker_actors.history import Writer, record
from poker_actors.rules import Action, Hand, Stakes, View
from poker_actors.store import Ledger, bank_account
from poker_actors.store.journal import to_plain

_log: Final = logging.getLogger("poker_actors.room")

RECENT: Final = 200
"""Messages kept of each table, besides those of the hand being played: six or seven hands, some 50 KB."""

MOST_OF_A_HAND: Final = 4
"""A block may hold this many times the limit; beyond that, as when a client floods the table, nothing is kept."""

_LONGEST_TRACE: Final = 4_000
"""Characters kept of a traceback, from its end, which says what was raised."""

_UNHEARD: Final = (GetState, GetLive, GetTimeBank, Watch, Unwatch, AwaitPlayers, StopRun)
"""Messages not kept, of questions, spectators and waiting dealers: nothing at the table depends on them."""

_PAID: Final = (BuyIn, TopUp, Wait, Send)
"""Commands whose outcome depends on the player's balance at the bank, which is kept with them."""

_LONG: Final[dict[type, Callable[[Any], dict[str, Any]]]] = {
    HandEndedNews: lambda news: {
        "type": "HandEndedNews", "hand_id": news.hand_id, "stacks": list(news.hand.stacks),
    },
    ActorDown: lambda news: {"type": "ActorDown", "name": news.name, "reason": news.reason},
    ActorBack: lambda news: {"type": "ActorBack", "name": news.name},
}  # fmt: skip
"""News that would keep a whole hand or an actor in memory, and what is kept instead."""

_LEFT_OUT: Final = ("deck", "facts")


@attrs.define
class _Block:
    """The messages handled from one pause between hands on: (seconds, receiver, message, what it depends on)."""

    state: Seating
    banks: dict[str, float]
    begun: float
    first: int
    """number of its first message, counted from the first that was ever kept of the table"""
    heard: list[tuple[float, str, Any, Any]] = attrs.field(factory=list)
    cards: tuple[str, str] | None = None
    """its hand's cards in the order dealt, and its reshuffle key"""


class Recent:
    """The recent messages of one table; kept by its actors' threads, read from any thread."""

    def __init__(
        self, config: TableConfig, memory: TableMemory, now: Callable[[], float],
        balance: Callable[[str], int], most: int,
    ) -> None:  # fmt: skip
        self._config = config
        self._memory = memory
        self._now = now
        self._balance = balance
        self._most = most
        self._blocks: tuple[_Block, ...] = ()
        """the tuple is replaced, never changed, so that another thread may read it without a lock"""
        if memory.live is None:
            self._begin()

    # -- what the actors do -----------------------------------------------------------------

    def noting(self, receiver: str, handlers: Handlers) -> Handlers:
        """Wrap the handlers of an actor so that the messages they handle are kept."""
        return {
            kind: handler if kind in _UNHEARD else self._noting(receiver, kind, handler)
            for kind, handler in handlers.items()
        }

    def dealt(self, hand: Hand) -> None:
        """Remember the cards of the hand just dealt."""
        if self._blocks:
            self._blocks[-1].cards = "".join(map(str, hand.cards)), hand.reshuffle_key.hex()

    def fault(
        self, player: str, kind: str, text: str, place: str, view: View, error: BaseException | None
    ) -> None:
        """Keep a bot's fault; called on its player's thread, before the action is sent."""
        blocks = self._blocks
        # Not on the table's thread, so it may only append, which is atomic; only the table begins a block.
        if blocks and len(blocks[-1].heard) < self._most * MOST_OF_A_HAND:
            said = {
                "type": "Fault",
                "kind": kind,
                "text": f"{text[:1000]}; it has to {fallback(view)} instead",
                "place": place,
                "seat": view.seat,
                "trace": "" if error is None else _traceback(error),
            }
            blocks[-1].heard.append((self._now(), f"player {player}", said, None))

    def _noting(self, receiver: str, kind: type, handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
        shorten, paid, deals, now, most = _LONG.get(kind), kind in _PAID, kind is Deal, self._now, self._most

        def handle(message: Any) -> Any:
            if deals and self._memory.live is None:
                self._begin()
            blocks = self._blocks
            if blocks:  # none if the room was restored during a hand: the next one will be kept
                heard = blocks[-1].heard
                if len(heard) >= most:
                    heard = self._heard_on()
                kept = message if shorten is None else shorten(message)
                heard.append((now(), receiver, kept, self._balance(message.player) if paid else None))
            return handler(message)

        return handle

    def _heard_on(self) -> list[tuple[float, str, Any, Any]]:
        """Return where a message is kept once a block is full: in a new block, or in it up to a limit while a hand is played."""
        if self._memory.live is None:
            self._begin()
        elif len(self._blocks[-1].heard) >= self._most * MOST_OF_A_HAND:
            return []
        return self._blocks[-1].heard

    def _begin(self) -> None:
        memory, kept = self._memory, self._blocks
        first = kept[-1].first + len(kept[-1].heard) if kept else 0
        count = sum(len(one.heard) for one in kept)
        while kept and count - len(kept[0].heard) >= self._most:
            count -= len(kept[0].heard)
            kept = kept[1:]
        self._blocks = (*kept, _Block(memory.seating, dict(memory.banks), self._now(), first))

    # -- what the debugger is given ---------------------------------------------------------

    def taken(self) -> dict[str, Any]:
        """Return what is kept as plain JSON values, all cards included; from any thread, without blocking the table."""
        blocks = self._blocks
        if not blocks:
            raise BadSpec(
                f"table {self._config.name!r}: nothing is kept yet; the next hand that is dealt will be"
            )
        first = blocks[0]
        seconds = first.begun
        return {
            "table": to_plain(opened_fact(self._config)),
            "seats": to_plain(seats_fact(self._config.name, first.state)),
            "stacks": [None if seat is None else seat.stack for seat in first.state.seats],
            "positions": plain_fields(first.state.positions),
            "number": first.state.number,
            "banks": first.banks,
            "begun": seconds,
            "first": first.first,
            "heard": [
                [round(at - seconds, 6), receiver, plain_fields(message), hung_on]
                for one in blocks
                for at, receiver, message, hung_on in _heard(one)
            ],
        }


class Recents:
    """The recent messages of a room's tables, by name: about `most` of each, none for 0."""

    def __init__(self, runtime: Runtime, asked: int | None) -> None:
        if asked is None:
            # off on a stepper, which plays for speed: keeping messages costs a thirteenth of a hand there
            asked = 0 if isinstance(runtime, StepRuntime) else RECENT
        if type(asked) is not int or asked < 0:
            raise BadSpec(
                f"recent {asked!r:.40}: the number of messages kept of each table must be a whole number, 0 or more"
            )
        self.most: Final = asked
        self._now = runtime.now
        self.ledger = Ledger()
        """the room's ledger"""
        self._tables: dict[str, Recent] = {}

    def of(self, config: TableConfig, memory: TableMemory) -> Recent | None:
        """Start keeping what a table handles; None if nothing is kept."""
        if not self.most:
            return None
        found = Recent(config, memory, self._now, self._balance, self.most)
        self._tables[config.name] = found
        return found

    def _balance(self, player: str) -> int:
        return self.ledger.balance(bank_account(player))

    def fault(self, table: str, *said: Any) -> None:
        """Keep a bot's fault at a table; see `Recent.fault`."""
        found = self._tables.get(table)
        if found is not None:
            found.fault(*said)

    def forget(self, table: str) -> None:
        """Forget a closed table."""
        self._tables.pop(table, None)

    def taken(self, table: str) -> dict[str, Any]:
        """Return what is kept of a table; raises `BadSpec`."""
        if table not in self._tables:
            raise BadSpec(f"table {table!r:.80}: nothing is kept of it; open the room with recent={RECENT}")
        return self._tables[table].taken()


def _heard(block: _Block) -> list[tuple[float, str, Any, Any]]:
    """Return the messages handled; a `Deal` comes with the cards it dealt."""
    return [(*one[:3], block.cards) if type(one[2]) is Deal else one for one in list(block.heard)]


def _traceback(error: BaseException) -> str:
    trace = error.__traceback__
    try:
        # without the first frame, our own call of the bot
        told = TracebackException(type(error), error, None if trace is None else trace.tb_next)
        return "".join(told.format())[-_LONGEST_TRACE:]
    except Exception as trouble:  # noqa: BLE001  a bot's exception may itself raise when it is formatted: its player goes on
        return f"{type(error).__name__} cannot be shown: {type(trouble).__name__}\n"


def plain_fields(value: Any) -> Any:
    """Return a message, or a value in it, as plain JSON values: its `type` and fields, without deck and facts."""
    if value is None or isinstance(value, str | bool | float | dict) or type(value) is int:
        return value
    if isinstance(value, tuple | list | frozenset):
        return [plain_fields(one) for one in value]
    found: dict[str, Any] = {"type": type(value).__name__}
    if isinstance(value, Action):
        return {"type": "Action", "text": str(value)}
    if isinstance(value, Stakes):
        return found | {"numbers": list(value.numbers())}
    if isinstance(value, Address):
        return {"type": "Address", "name": value.name}
    if isinstance(value, Turn):
        return found | {"hand_id": value.hand_id, "seq": value.seq, "seat": value.seat}
    if attrs.has(type(value)):
        fields = [one.name for one in attrs.fields(type(value)) if one.name not in _LEFT_OUT]
        found |= {name: plain_fields(getattr(value, name)) for name in fields}
    return found


class Recorder:
    """Writes the hands of all tables of a room to one file; voided hands are not written.

    The last hand of each table is held back until its next one, as cards may still be shown. The file appears under
    its name when the recorder is closed. A hand that cannot be written is logged, the first time, and play goes on:
    no chips depend on it.
    """

    def __init__(self, path: str | Path) -> None:
        self._open = ExitStack()
        self._writer = self._open.enter_context(Writer(path))
        self._lock = threading.Lock()
        self._failed = False
        self._held: dict[str, _Held] = {}
        """table -> its last hand"""

    def write(self, table: str, result: HandResult) -> None:
        """Write the previous hand, and hold this one with all its cards unless it is void."""
        if result.hand is None:
            return
        names = [player or "" for player in result.players]
        with self._lock:
            self._flush(table)
            self._held[table] = _Held(result.hand_id, result.hand, names, datetime.now(UTC))

    def showed(self, table: str, hand_id: str, hand: Hand) -> None:
        """Add cards that players have shown since then to a table's last hand."""
        with self._lock:
            held = self._held.get(table)
            if held is not None and held.hand_id == hand_id:
                self._held[table] = attrs.evolve(held, hand=hand)

    def _flush(self, table: str) -> None:
        held = self._held.pop(table, None)
        if held is None:
            return
        try:
            self._writer.write(
                record(held.hand, players=held.names, hand_id=held.hand_id, table=table, time=held.time)
            )
        except Exception:  # noqa: BLE001 - a full disk, or a game without a format, must not stop a table
            if not self._failed:
                self._failed = True
                _log.exception("%s cannot be written, nor perhaps the hands after it", held.hand_id)

    def close(self) -> None:
        """Finish the file and give it its name."""
        with self._lock:
            for table in [*self._held]:
                self._flush(table)
            self._open.close()


@attrs.frozen
class _Held:
    """A hand to be written."""

    hand_id: str
    hand: Hand
    names: list[str]
    time: datetime
