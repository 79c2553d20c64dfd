"""What a table and its hands have handled recently, kept so that the debugger can play it again.

Kept are blocks: each begins at rest, between two hands, with the seats as they were, and holds what
was handled since, in the order in which it was. What the players and the bank were told follows from
that, so it is not kept.
"""

from __future__ import annotations

from collections.abc import Callable
from traceback import TracebackException
from typing import Any, Final

import attrs

from poker_actors.actors.bank.messages import Send, TopUp
from poker_actors.actors.command import GetState
from poker_actors.actors.hand.messages import HandEndedNews
from poker_actors.actors.player.messages import Turn
from poker_actors.actors.runtime import ActorDown, Address, Handlers, Runtime, ThreadRuntime
from poker_actors.actors.table.facts import opened_fact, seats_fact
from poker_actors.actors.table.messages import BuyIn, Deal, GetLive, GetTimeBank, Unwatch, Wait, Watch
from poker_actors.actors.table.state import TableConfig, TableMemory, TableState
from poker_actors.bots import fallback
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, Hand, Stakes, View
from poker_actors.store import Ledger, bank_account

__all__ = ["Recent", "Recents", "plain_fields"]

RECENT: Final = 200
"""Messages kept of each table, and those of the hand being played: six or seven hands, some 50 KB."""

MOST_OF_A_HAND: Final = 4
"""A hand may have so many times as many; what comes then, by somebody who floods it, is not kept."""

_LONGEST_TRACE: Final = 4_000
"""Characters of a traceback; its end says what was raised."""

_UNHEARD: Final = (GetState, GetLive, GetTimeBank, Watch, Unwatch)
"""Questions, and those who look on: nothing at the table follows from them."""

_PAID: Final = (BuyIn, TopUp, Wait, Send)
"""What of these comes depends on what the player has at the bank."""

_LONG: Final[dict[type, Callable[[Any], dict[str, Any]]]] = {
    HandEndedNews: lambda news: {
        "type": "HandEndedNews", "hand_id": news.hand_id, "stacks": list(news.hand.stacks),
    },
    ActorDown: lambda news: {"type": "ActorDown", "name": news.name, "reason": news.reason},
}  # fmt: skip
"""News that would keep a whole hand alive, and what is kept of them."""

_LEFT_OUT: Final = ("deck", "facts")


@attrs.define
class _Block:
    """From one rest to the next: what was handled, as (seconds, receiver, message, what it hung on)."""

    state: TableState
    banks: dict[str, float]
    begun: float
    heard: list[tuple[float, str, Any, Any]] = attrs.field(factory=list)
    cards: tuple[str, str] | None = None
    """those of its hand, in the order dealt, and what they are mixed again from"""


class Recent:
    """The last messages of one table; kept by the threads of its actors, looked at by any."""

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
        """replaced and never changed, so that another thread may look at it"""
        if memory.state.hand_id is None:
            self._begin()

    # -- what the actors do -----------------------------------------------------------------

    def noting(self, receiver: str, handlers: Handlers) -> Handlers:
        """Return the handlers of an actor so that what they handle is kept."""
        return {
            kind: handler if kind in _UNHEARD else self._noting(receiver, kind, handler)
            for kind, handler in handlers.items()
        }

    def dealt(self, hand: Hand) -> None:
        """Remember the cards of the hand that has just been dealt."""
        if self._blocks:
            self._blocks[-1].cards = "".join(map(str, hand.cards)), hand.reshuffle_key.hex()

    def fault(
        self, player: str, kind: str, text: str, place: str, view: View, error: BaseException | None
    ) -> None:
        """Remember what a bot did wrong, on its player's thread, before its action is sent."""
        blocks = self._blocks
        # only appends: a block is begun by the table's own thread
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
        note = self._note
        if kind is Deal:

            def handle(message: Any) -> Any:
                if self._memory.state.hand_id is None:
                    self._begin()
                note(receiver, message)
                return handler(message)

        elif kind in _PAID:

            def handle(message: Any) -> Any:
                note(receiver, message, self._balance(message.player))
                return handler(message)

        elif kind in _LONG:
            shortened = _LONG[kind]

            def handle(message: Any) -> Any:
                note(receiver, shortened(message))
                return handler(message)

        else:

            def handle(message: Any) -> Any:
                note(receiver, message)
                return handler(message)

        return handle

    def _note(self, receiver: str, message: object, hung_on: Any = None) -> None:
        if not self._blocks:
            return  # the room came back in mid-hand: the next one will be kept
        heard = self._blocks[-1].heard
        if len(heard) >= self._most and self._memory.state.hand_id is None:
            self._begin()
            heard = self._blocks[-1].heard
        if len(heard) < self._most * MOST_OF_A_HAND:
            heard.append((self._now(), receiver, message, hung_on))

    def _begin(self) -> None:
        memory, kept = self._memory, self._blocks
        count = sum(len(one.heard) for one in kept)
        while kept and count - len(kept[0].heard) >= self._most:
            count -= len(kept[0].heard)
            kept = kept[1:]
        self._blocks = (*kept, _Block(memory.state, dict(memory.banks), self._now()))

    # -- what the debugger is given ---------------------------------------------------------

    def taken(self) -> dict[str, Any]:
        """Return what is kept as JSON can hold it, all cards included; from any thread, and nobody waits for it."""
        blocks = self._blocks
        if not blocks:
            raise BadSpec(
                f"table {self._config.name!r}: nothing is kept yet; the next hand that is dealt will be"
            )
        first = blocks[0]
        seconds = first.begun
        return {
            "table": attrs.asdict(opened_fact(self._config)),
            "seats": attrs.asdict(seats_fact(self._config.name, first.state)),
            "stacks": [None if seat is None else seat.stack for seat in first.state.seats],
            "positions": plain_fields(first.state.positions),
            "number": first.state.number,
            "banks": first.banks,
            "heard": [
                [round(at - seconds, 6), receiver, plain_fields(message), hung_on]
                for one in blocks
                for at, receiver, message, hung_on in _heard(one)
            ],
        }


class Recents:
    """Recent messages of a room's tables, by name: at most `most` of each, none for 0."""

    def __init__(self, runtime: Runtime, asked: int | None) -> None:
        if asked is None:
            # a stepper is in a hurry: a twentieth of a hand is much there
            asked = RECENT if isinstance(runtime, ThreadRuntime) else 0
        if type(asked) is not int or asked < 0:
            raise BadSpec(f"recent {asked!r:.40}: messages kept of each table are a whole number, from 0")
        self.most: Final = asked
        self._now = runtime.now
        self.ledger = Ledger()
        """the room's"""
        self._tables: dict[str, Recent] = {}

    def of(self, config: TableConfig, memory: TableMemory) -> Recent | None:
        """Begin to keep what a table handles; None where nothing is kept."""
        if not self.most:
            return None
        found = Recent(config, memory, self._now, self._balance, self.most)
        self._tables[config.name] = found
        return found

    def _balance(self, player: str) -> int:
        return self.ledger.balance(bank_account(player))

    def fault(self, table: str, *said: Any) -> None:
        """Keep what a bot did wrong at a table; see `Recent.fault`."""
        found = self._tables.get(table)
        if found is not None:
            found.fault(*said)

    def forget(self, table: str) -> None:
        """Let go of a table that is closed."""
        self._tables.pop(table, None)

    def taken(self, table: str) -> dict[str, Any]:
        """Return what is kept of a table; raises `BadSpec`."""
        if table not in self._tables:
            raise BadSpec(f"table {table!r:.80}: nothing is kept of it; open the room with recent={RECENT}")
        return self._tables[table].taken()


def _heard(block: _Block) -> list[tuple[float, str, Any, Any]]:
    """What was handled, the deal with the cards that came of it."""
    return [(*one[:3], block.cards) if type(one[2]) is Deal else one for one in list(block.heard)]


def _traceback(error: BaseException) -> str:
    trace = error.__traceback__
    try:
        # the first frame is whoever asked the bot
        told = TracebackException(type(error), error, None if trace is None else trace.tb_next)
        return "".join(told.format())[-_LONGEST_TRACE:]
    except Exception as trouble:  # noqa: BLE001  what a bot raises may fail on any question: its player goes on
        return f"{type(error).__name__} cannot be shown: {type(trouble).__name__}\n"


def plain_fields(value: Any) -> Any:
    """Return a message, or what is in one, as JSON can hold it: its `type` and its fields, no deck and no booking."""
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
