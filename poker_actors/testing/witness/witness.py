"""The witness: listens from outside to what people are told, and checks that it stays true."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import attrs

from poker_actors.actors import HandState, Player, StepRuntime, Table, ThreadRuntime
from poker_actors.actors.messages import Change, DealtHand
from poker_actors.errors import PokerError
from poker_actors.testing.witness.promise import (
    Answer,
    BrokenPromise,
    Ear,
    Heard,
    HeardStepper,
    HeardThreads,
    Promise,
    Verdict,
)
from poker_actors.testing.witness.promises import (
    AcceptedHappened,
    ActionsStay,
    BalancesAreKept,
    BoardGrows,
    BoardsAsWished,
    BooksBalance,
    ButtonMovesOn,
    CardsStay,
    ChipsAddUp,
    DeadlineHitsItsSeat,
    DealtHandEnds,
    DeckIsDealt,
    EverybodyIsTold,
    LineIsKept,
    NewsOnce,
    NothingTakenInMidHand,
    PotsArePaid,
    ResultIsBooked,
    SatOutWhenLate,
    SeatIsPrivate,
    SeatsAreKept,
    SetupStays,
    SittersOutGetNoCards,
    StacksAreKept,
    StatesGoOn,
    TimeBanksAreUsed,
    ToldIsWritten,
    TurnIsOne,
)

PROMISES: Final[Mapping[str, type[Promise]]] = {
    promise.name: promise
    for promise in (
        SetupStays,
        BoardGrows,
        ActionsStay,
        TurnIsOne,
        CardsStay,
        SeatIsPrivate,
        StatesGoOn,
        ChipsAddUp,
        ResultIsBooked,
        NewsOnce,
        AcceptedHappened,
        DeadlineHitsItsSeat,
        DeckIsDealt,
        PotsArePaid,
        ButtonMovesOn,
        SeatsAreKept,
        SittersOutGetNoCards,
        StacksAreKept,
        LineIsKept,
        DealtHandEnds,
        EverybodyIsTold,
        NothingTakenInMidHand,
        SatOutWhenLate,
        BoardsAsWished,
        TimeBanksAreUsed,
        BooksBalance,
        BalancesAreKept,
        ToldIsWritten,
    )
}
"""Every promise by its name; `Promise.says` is the rule in one sentence."""

_HANDS_KEPT: Final = 40
"""Hands remembered: a late message belongs to one of the last few."""


class Witness:
    """Hears everything that players, watchers and callers are told, and records what does not stay true.

    It hears every message of a room on `stepper()` or `threads()`. It hears a part of any other room:
    `listen` to its players, or call `told`, `answered` and the rest yourself. It sees messages only, never
    the actors' state, and can be used from any thread.

    `promises` names the promises to check, by default all. `hold` raises `BrokenPromise`.
    """

    def __init__(self, promises: Iterable[str] | None = None) -> None:
        names = PROMISES if promises is None else promises
        self.verdicts: list[Verdict] = []
        self.promises: Final = {name: PROMISES[name](self._broken) for name in names}
        self.number = 0
        """messages heard so far"""
        self.lives = 1
        """processes in which the room has lived so far; see `died`"""
        self.clock: Callable[[], float] = lambda: 0.0
        """returns the room's time in seconds; set by `stepper` and `threads`"""
        self.lock: Final = threading.RLock()
        self._ears: dict[str, dict[type, list[Ear]]] = {}
        for promise in self.promises.values():
            hears = promise.hears()
            for kind in ("told", "asked", "answered", "lost", "refused"):
                for what, ear in getattr(hears, kind).items():
                    self._ears.setdefault(kind, {}).setdefault(what, []).append(ear)
        self._unanswered: dict[str, object] = {}
        """actor -> the command it is carrying out"""
        self._changes: OrderedDict[str, Change] = OrderedDict()
        """hand -> its last change heard: everybody told shares one object, which is checked once"""

    # -- what it is told ------------------------------------------------------------------------

    def told(self, who: str, news: object) -> None:
        """Hear what a player, watcher or caller is told: news, or a hand's state or result."""
        with self.lock:
            if isinstance(news, HandState) and self._changes.get(news.hand_id) is not news.change:
                self._hears("told", who, news.change, Change)
                self._remember(news.change)
            self._hears("told", who, news, type(news))

    def asked(self, who: str, command: object) -> None:
        """Hear a command before it is carried out; `answered`, `refused` or `lost` must follow."""
        with self.lock:
            self._unanswered[who] = command
            self._hears("asked", who, command, type(command))
            self._hears("asked", who, command, object)

    def answered(self, who: str, command: object, value: object) -> None:
        """Hear the answer to a command; if it is a hand, hear its result too, once there is one."""
        with self.lock:
            self._unanswered.pop(who, None)
            self._hears("answered", who, Answer(command, value), type(command))
        if isinstance(value, DealtHand):
            life = self.life()
            value.result.when_done(lambda: self._result(value, life))

    def refused(self, who: str, command: object, error: PokerError) -> None:
        """Hear that a command was refused, which must change nothing."""
        with self.lock:
            self._unanswered.pop(who, None)
            self._hears("refused", who, command, type(command))

    def lost(self, who: str, command: object) -> None:
        """Hear that the answer to a command was lost: it may or may not have been carried out."""
        with self.lock:
            self._unanswered.pop(who, None)
            self._hears("lost", who, command, type(command))

    def sends(self, messages: Iterable[object]) -> None:
        """Hear a hand's change before anybody is told: the journal must have it by now."""
        written = self.promises.get(ToldIsWritten.name)
        if isinstance(written, ToldIsWritten) and written.image is not None:
            first = next(iter(messages), None)
            if isinstance(first, HandState):
                with self.lock:
                    written.sends(self.number, first)

    def rest(self) -> None:
        """Hear that no message is on its way, so every hand must have ended."""
        with self.lock:
            for promise in self.promises.values():
                promise.rest(self.number)

    def died(self) -> None:
        """Hear that the room's process has died; only what its journal holds comes back.

        Messages of its threads reach nobody any more, and are not heard.
        """
        with self.lock:
            for who, command in [*self._unanswered.items()]:
                self.lost(who, command)
            self.lives += 1
            for promise in self.promises.values():
                promise.died()

    def listen(self, player: Player) -> None:
        """Hear what `player` hears, on any runtime."""
        player.listen(lambda news: self.told(f"player {player.name}", news))

    def knows(self, table: Table) -> None:
        """Also check a table's times: `turn_seconds`, time banks, and the number of late hands before sitting out."""
        config = table.config
        for promise in self.promises.values():
            if isinstance(promise, DeadlineHitsItsSeat) and config.turn_seconds is not None:
                promise.turn_seconds[table.name] = config.turn_seconds
            elif isinstance(promise, SatOutWhenLate):
                promise.most[table.name] = config.late_hands
            elif isinstance(promise, TimeBanksAreUsed) and config.time_bank is not None:
                promise.banks[table.name] = config.time_bank

    def reads(self, look: Callable[[Any], Any] | None) -> None:
        """Also check the room against its journal; `look` is ``journal.look``."""
        for promise in self.promises.values():
            if isinstance(promise, ToldIsWritten):
                promise.image = look
            elif isinstance(promise, SittersOutGetNoCards):
                promise.journaled = look is not None

    # -- what it says ---------------------------------------------------------------------------

    @property
    def checked(self) -> dict[str, int]:
        """The number of comparisons, by promise."""
        return {name: promise.checked for name, promise in self.promises.items()}

    def hold(self) -> None:
        """Raise `BrokenPromise` for the first verdict, if there is one."""
        if self.verdicts:
            raise BrokenPromise(self.verdicts[0])

    def life(self) -> Life:
        """Return the listener for the process that begins now, until it dies."""
        return Life(self)

    # -- runtimes it hears ----------------------------------------------------------------------

    def stepper(self) -> StepRuntime:
        """Return a stepping runtime whose every message it hears."""
        return HeardStepper(self)

    def threads(self) -> ThreadRuntime:
        """Return a threaded runtime whose every message it hears."""
        return HeardThreads(self)

    # -- the works ------------------------------------------------------------------------------

    def _hears(self, kind: str, who: str, what: object, key: type) -> None:
        ears = self._ears[kind].get(key) if kind in self._ears else None
        if key is not object and key is not Change:
            self.number += 1
        if ears:
            heard = Heard(self.number, who, what, self.clock())
            for ear in ears:
                ear(heard)

    def _broken(self, verdict: Verdict) -> None:
        self.verdicts.append(attrs.evolve(verdict, life=self.lives))

    def _result(self, dealt: DealtHand, life: Life) -> None:
        try:
            result = dealt.result.get(0, dealt.hand_id)
        except PokerError:
            return  # the hand goes on when the room is opened again
        life.told("the caller", result)

    def _remember(self, change: Change) -> None:
        self._changes[change.hand_id] = change
        if len(self._changes) > _HANDS_KEPT:
            hand_id, _ = self._changes.popitem(last=False)
            for promise in self.promises.values():
                promise.forget(hand_id)


class Life:
    """One process of a room, as the witness hears it; after its death nothing is heard.

    A thread of a dead process may still be in the middle of a handler. Its answers then follow from unanswered asks,
    and no caller ever gets them.
    """

    def __init__(self, witness: Witness) -> None:
        self._witness = witness
        self.number: Final = witness.lives
        self.clock: Callable[[], float] = witness.clock

    def told(self, who: str, news: object) -> None:
        """See `Witness.told`."""
        self._while_alive(self._witness.told, who, news)

    def asked(self, who: str, command: object) -> None:
        """See `Witness.asked`."""
        self._while_alive(self._witness.asked, who, command)

    def answered(self, who: str, command: object, value: object) -> None:
        """See `Witness.answered`."""
        self._while_alive(self._witness.answered, who, command, value)

    def refused(self, who: str, command: object, error: PokerError) -> None:
        """See `Witness.refused`."""
        self._while_alive(self._witness.refused, who, command, error)

    def lost(self, who: str, command: object) -> None:
        """See `Witness.lost`."""
        self._while_alive(self._witness.lost, who, command)

    def sends(self, messages: Iterable[object]) -> None:
        """See `Witness.sends`."""
        self._while_alive(self._witness.sends, messages)

    def _while_alive(self, hear: Callable[..., None], *what: object) -> None:
        # one lock for the look and the hearing: a process that dies in between would be heard after its death
        with self._witness.lock:
            if self._witness.lives == self.number:
                hear(*what)
