"""Tables, told message by message in `told_tables.txt`: `python -m tests.traces.told_tables` rewrites it."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import attrs

from poker_actors.actors import HandState, LiveHand, Player, Room, StepRuntime, Table, TimeBank
from poker_actors.actors.command import GetState
from poker_actors.actors.runtime import Address, Delivery
from poker_actors.cards import Card, Deck
from poker_actors.errors import BadSpec, PokerError
from poker_actors.rules import Game, Hand, Positions, PublicState, Stakes
from poker_actors.rules.cash import CashOptions, Rake
from poker_actors.rules.games import Rotation
from poker_actors.store import open_journal
from poker_actors.store.fairness import FairnessRecord
from poker_actors.store.journal import Row
from tests.actors.durable_evening import FailingStorage
from tests.actors.told import CRASH

BOOK: Final = Path(__file__).with_name("told_tables.txt")
NAMES: Final = ("ann", "bob", "cid", "dan", "eve")


def words(value: Any) -> str:
    """Write a value in short, with `*` for what differs in every run: addresses, secrets and commitments."""
    if isinstance(value, HandState):
        hole = "".join(map(str, value.hole))
        turn = " to act" * value.active
        return f"HandState({value.hand_id} of {value.table} #{value.seq}, seat {value.seat} {hole}{turn})"
    if isinstance(value, Game | Rotation):
        return value.name
    if isinstance(value, PokerError):
        return f"{type(value).__name__} {value.code}: {value}"
    if isinstance(value, Address):
        return value.name
    if isinstance(value, Deck | FairnessRecord):
        return type(value).__name__
    if isinstance(value, list | tuple):
        cards = bool(value) and all(isinstance(one, Card) for one in value)
        return "".join(map(str, value)) if cards else f"({' '.join(map(words, value))})"
    if isinstance(value, frozenset):
        return words(sorted(value))
    if isinstance(value, dict):
        return words([f"{name}: {words(value[name])}" for name in sorted(value)])
    if attrs.has(type(value)) and not isinstance(value, Hand | PublicState | Stakes | Card):
        fields = ((one.name, getattr(value, one.name)) for one in attrs.fields(type(value)))
        told = [f"{name}={words(kept)}" for name, kept in fields if kept is not None and kept not in ("", ())]
        return f"{type(value).__name__}({', '.join(told)})"
    return re.sub(r"\b([0-9a-f]{32,}|0x[0-9a-f]+)\b", "*", str(value))


class Written(FailingStorage):
    """A storage that adds its records to the lines."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.lines = lines

    def write(self, rows: Sequence[Row], after: int) -> None:
        super().write(rows, after)
        self.lines += [f"  written {row.kind} {words(row.payload)}" for row in rows]


class Told:
    """A room on the stepper, with or without a journal, and a line for every message in it."""

    def __init__(self, *, journaled: bool) -> None:
        self.lines: list[str] = []
        self.to_act: str | None = None
        self.hand: LiveHand | None = None
        """the hand whose result has not been told yet"""
        self.storage = Written(self.lines) if journaled else None
        self.room = self._open()

    def _open(self) -> Room:
        runtime = StepRuntime()
        runtime.observers.append(self._hear)
        store = None if self.storage is None else open_journal(self.storage)
        return Room(runtime, seed=1, store=store, recent=200)

    def _hear(self, one: Delivery) -> None:
        """Write a message down; if several actors get it in a row, on one line."""
        message = one.message
        said = words(message)
        before, _, last = self.lines[-1].partition(" < ") if self.lines else ("", "", "")
        if last == said:
            self.lines[-1] = f"{before}, {one.receiver} < {said}"
        else:
            self.lines.append(f"  {one.receiver} < {said}")
        if isinstance(message, HandState) and message.active:
            self.to_act = message.names[message.seat]

    @property
    def runtime(self) -> StepRuntime:
        assert isinstance(self.room.runtime, StepRuntime)
        return self.room.runtime

    def says(self, text: str, call: Callable[[], object]) -> None:
        """Write down a call, the messages that follow and its answer."""
        self.lines.append(f"> {text}")
        try:
            answer = call()
        except PokerError as error:
            answer = error
        self.runtime.run()
        self.lines.append(f"= {words(answer)}")
        if isinstance(answer, LiveHand):
            self.hand = answer
        if self.hand is not None and self.hand.promise.answered:
            self._tell_result(self.hand)
            self.hand = None

    def _tell_result(self, hand: LiveHand) -> None:
        try:
            result: object = hand.result()
        except PokerError as error:
            result = error
        self.lines.append(f"result: {words(result)}")

    def table(self, what: str, *arguments: Any, at: str = "main", **more: Any) -> None:
        """Call a method of a table."""
        table = self.room.tables[at]
        text = f"{at} {what} {words(arguments)} {words(more)}"
        named = [self.room.players.get(one, one) if type(one) is str else one for one in arguments]
        self.says(text, lambda: getattr(table, what)(*named, **more))

    def acts(self, what: str) -> None:
        """Let each player in turn take one of the actions."""
        for one in what.split():
            name = self.to_act
            if name is not None:
                self.says(f"{name} {one}", getattr(self.room.players[name], one))

    def crashes(self, what: Table | Player) -> None:
        """Crash an actor."""
        self.says(f"{what.name} crashes", lambda: what.address.tell(CRASH))

    def hand_dies(self) -> None:
        """Kill the actors of all live hands."""
        for one in self.room.live_hands.values():
            one.address.tell(CRASH)

    def deals_and_crashes(self, at: str, who: Address) -> None:
        """Deal, and let an actor crash too often before anybody has acted."""

        def call() -> None:
            self.room.supervisor.most_restarts = 2
            try:
                self.hand = self.room.tables[at].deal(Deck.seeded(1))
            finally:
                for _ in range(3):
                    who.tell(CRASH)

        self.says(f"deal at {at}; {who.name} crashes too often", call)

    def waits(self, seconds: float) -> None:
        """Advance the clock."""
        self.says(f"{seconds} s pass", lambda: self.runtime.advance(seconds))

    def comes_back(self) -> None:
        """Open the room again from its journal, as after a crash."""
        if self.storage is None:
            return
        storage = Written(self.lines)
        storage.rows = list(self.storage.rows)
        self.storage = storage
        self.lines.append("> the room comes back")
        self.room = self._open()
        self.runtime.run()
        self.state()

    def state(self) -> None:
        """Write down the state of tables and books."""
        for name, table in self.room.tables.items():
            self.lines.append(f"{name}: {words(table.state())}")
            try:
                recording = self.room.recording(name)
            except BadSpec as error:
                recording = {"nothing": str(error)}
            for what, kept in recording.items():
                rows = kept if what == "heard" else [kept]
                self.lines += [f"  kept {what} {words(json.dumps(one))}" for one in rows]
        self.lines.append(f"books: {words(self.room.bank.ask(GetState()))}")


def seats(told: Told) -> None:
    """Sit, move, wait, buy in, top up, send, leave; and each refusal."""
    told.says("open", lambda: told.room.open_table("main", seats=3, stakes=Stakes(1, 2)))
    told.says("open", lambda: told.room.open_table("side", seats=2, stakes=Stakes(1, 2)))
    for name in NAMES:
        told.says(f"player {name}", lambda name=name: told.room.player(name, chips=100))  # type: ignore[misc]
    for what, *arguments in (
        ("watch", "eve"), ("watch", "eve"), ("sit", "ann"), ("sit", "ann"), ("sit", "ann", 2), ("sit", "bob", 2),
        ("sit", "bob", 3), ("sit", "bob", True), ("sit", "bob"), ("wait", "bob"), ("buy_in", "ann", 0),
        ("buy_in", "ann", 101), ("buy_in", "ann", 1), ("buy_in", "ann", 59), ("buy_in", "cid", 10),
        ("buy_in", "bob", 40), ("sit", "ann", 1), ("leave", "ann"), ("leave", "cid"), ("sit_out", "cid"),
        ("sit_in", "cid"), ("sit_out", "bob"), ("sit_in", "bob"), ("run_it_once", "bob"), ("run_it_once", "ann"),
        ("run_it_once", "cid"), ("top_up", "ann", 10), ("top_up", "ann", -5), ("top_up", "ann", 0),
        ("top_up", "ann", -1000), ("top_up", "dan", 1), ("time_bank", "ann"), ("sit", "cid"), ("sit", "dan"),
        ("wait", "dan", 101), ("wait", "dan", 70), ("wait", "eve"), ("wait", "dan", 80), ("sit_out", "eve"),
    ):  # fmt: skip
        told.table(what, *arguments)
    told.state()
    told.comes_back()
    told.crashes(told.room.tables["main"])
    told.crashes(told.room.players["dan"])
    told.says("dan withdraws", lambda: told.room.bank.withdraw("dan", 30))
    for what, *more in (
        ("leave", "cid"), ("unwatch", "eve"), ("sit", "cid"), ("forfeit", "dan"), ("forfeit", "eve"),
        ("wait", "cid", 10), ("wait", "dan", 20), ("leave", "eve"), ("sit", "eve"), ("leave", "cid"),
    ):  # fmt: skip
        told.table(what, *more)
    told.table("send", "ann", told.room.tables["main"])
    told.table("send", "ann", told.room.tables["side"])
    told.table("sit", "ann", at="side", with_stack=True)
    told.table("cash_out", "bob")
    told.table("cash_out", "bob")
    told.table("forfeit", "ann", at="side")
    told.table("leave", "ann", at="side")
    told.state()
    told.table("wait", "eve")
    told.table("wait", "dan")
    told.table("leave", "dan")
    told.table("sit", "ann", at="side")
    for name in ("dan", "eve", "ann", "bob"):
        player = told.room.players[name]
        told.says(f"{name} is stopped", lambda player=player: told.room.supervisor.stop(player.address))  # type: ignore[misc]
    told.table("leave", "ann", at="side")
    told.state()
    told.says("dismiss", lambda: told.room.dismiss("cid"))
    told.says("close", lambda: told.room.close_table("side"))
    told.says("close", lambda: told.room.close_table("main"))


def hands(told: Told) -> None:
    """Hands with time banks and rake; commands refused during a hand; crashes between hands and in mid-hand."""
    options = CashOptions(rake=Rake(hundredths=1000, cap=5), boards=2, bomb_every=0, bomb_pot=4)
    settings = {"stakes": Stakes(1, 2), "turn_seconds": 10, "time_bank": TimeBank(4, 1), "options": options}
    told.says("open", lambda: told.room.open_table("main", seats=4, **settings))  # type: ignore[arg-type]
    for name in NAMES:
        told.says(f"player {name}", lambda name=name: told.room.player(name, chips=200))  # type: ignore[misc]
    told.table("deal")
    for name in ("ann", "bob", "cid"):
        told.table("sit", name)
        told.table("buy_in", name, 100)
    told.table("run_it_once", "cid")
    told.table("watch", "eve")
    told.table("deal", Deck.seeded(1))
    for what in ("leave", "cash_out", "forfeit"):
        told.table(what, "ann")
    told.table("buy_in", "ann", 10)
    told.table("top_up", "ann", 10)
    told.table("send", "ann", told.room.tables["main"])
    told.table("sit", "ann", 3)
    told.table("deal")
    told.table("sit_out", "bob")
    told.table("sit", "dan")
    told.acts("call call")
    told.crashes(told.room.tables["main"])
    told.crashes(told.room.players["bob"])
    told.acts("check")
    told.comes_back()
    told.waits(10)
    told.waits(2)
    told.acts("check check")
    told.waits(30)
    told.waits(60)
    told.state()
    bombs(told)


def bombs(told: Told) -> None:
    """Higher stakes, bomb pots, given positions, and players who are gone."""
    told.table("buy_in", "dan", 50)
    told.table("sit_in", "bob")
    told.table("deal", Deck.seeded(2), stakes=Stakes(2, 4))
    told.acts("all_in all_in all_in all_in")
    told.table("time_bank", "cid")
    told.comes_back()
    told.table("time_bank", "cid")
    told.table("deal", Deck.seeded(3), bomb_pot=True)
    told.acts("all_in fold call fold")
    told.waits(100)
    told.table("deal", Deck.seeded(4), positions=Positions(0, 0, 1, (0, 1, 7)))
    told.table("deal", Deck.seeded(4), positions=Positions(0, 0, 1, (0, 1)))
    told.table("deal", Deck.seeded(4), positions=Positions(0, 0, 1, (0, 4)))
    told.crashes(told.room.players["ann"])
    told.says("bob is lost", lambda: told.room.supervisor.stop(told.room.players["bob"].address))
    told.acts("fold")
    told.waits(100)
    told.table("deal")
    told.crashes(told.room.tables["main"])
    told.acts("fold fold fold")
    told.waits(100)
    told.table("deal", Deck.seeded(5))
    told.says("close", told.room.close)


def refused(told: Told) -> None:
    """A full disk: commands are refused, and steps without a caller are tried again."""
    told.says("open", lambda: told.room.open_table("main", seats=2, stakes=Stakes(1, 2), restack=50))
    for name in NAMES:
        told.says(f"player {name}", lambda name=name: told.room.player(name, chips=200))  # type: ignore[misc]
    for name in ("ann", "bob"):
        told.table("sit", name)
        told.table("buy_in", name, 50)

    def full(*, failing: bool) -> None:
        if told.storage is not None:
            told.storage.failing = failing

    full(failing=True)
    for what, *more in (
        ("sit_out", "ann"), ("wait", "cid", 10), ("cash_out", "bob"), ("top_up", "bob", 5), ("run_it_once", "bob"),
        ("forfeit", "bob"), ("buy_in", "bob", 1), ("deal", Deck.seeded(1)),
    ):  # fmt: skip
        told.table(what, *more)
    full(failing=False)
    told.table("deal", Deck.seeded(1))
    told.acts("call")
    full(failing=True)
    told.acts("check")
    told.table("wait", "cid", 40)
    full(failing=False)
    told.table("wait", "dan", 40)
    told.acts("all_in")
    told.says("all in", lambda: [told.runtime.step() for _ in range(3)])
    told.crashes(told.room.tables["main"])
    told.acts("all_in")
    told.state()
    told.table("deal", Deck.seeded(2))
    told.says("the hand dies", told.hand_dies)
    told.table("cash_out", "ann")
    full(failing=True)
    told.table("leave", "ann")
    full(failing=False)
    told.table("leave", "ann")
    told.waits(5)
    told.comes_back()
    told.says("close", lambda: told.room.close_table("main"))


def games(told: Told) -> None:
    """Games in turn and dealer's choice, a reopened room, a fixed button."""
    told.says(
        "open", lambda: told.room.open_table("main", seats=2, stakes="2/4", game="2-7-triple-draw+razz")
    )
    told.says(
        "open",
        lambda: told.room.open_table("side", seats=2, game="dealers-choice", button=0, button_moves=False),
    )
    for name in NAMES[:2]:
        told.says(f"player {name}", lambda name=name: told.room.player(name, "caller", chips=900))  # type: ignore[misc]
        for at in ("main", "side"):
            told.table("sit", name, at=at)
            told.table("buy_in", name, 100, at=at)
    told.table("deal", at="side")
    told.table("deal", at="side", game="8-game")
    told.table("deal", Deck.seeded(1), at="side", game="omaha")
    told.table("deal", Deck.seeded(2), at="side", game="kuhn")
    told.table("deal", Deck.stacked(["AsAh"], "KsKhKd"), at="side", game="holdem")
    told.table("deal", at="side", game="stud", stakes=Stakes(3, 6))
    for _ in range(3):
        told.table("deal")
    told.comes_back()
    told.table("deal")
    told.state()


def lost(told: Told) -> None:
    """The dealer's loop, then a table that crashes too often, between hands and in mid-hand, and finally the bank."""
    for at in ("main", "side", "last"):
        told.says("open", lambda at=at: told.room.open_table(at, seats=3, stakes=Stakes(1, 2), button=1))  # type: ignore[misc]
    for name in NAMES[:3]:
        told.says(f"player {name}", lambda name=name: told.room.player(name, "maniac", chips=90))  # type: ignore[misc]
        for at in ("main", "side", "last"):
            told.table("sit", name, at=at)
            told.table("buy_in", name, 20, at=at)
    told.table("play")
    told.table("run", hands=2)
    told.table("run", hands=3, rebuy=20)
    told.table("run", until=lambda result: result.number > 6)
    told.table("run", rebuy=-1)
    told.table("run", rebuy=30)
    told.state()
    told.deals_and_crashes("main", told.room.tables["main"].address)
    told.table("state")
    told.deals_and_crashes("side", told.room.tables["side"].address)
    told.table("state", at="side")
    told.deals_and_crashes("last", told.room.bank.address)
    told.table("run", at="last")
    told.table("buy_in", "ann", 5, at="last")


BOOKS: Final = {
    f"{what.__name__} {'with a journal' if journaled else 'alone'}": (what, journaled)
    for what in (seats, hands, refused, games, lost)
    for journaled in (False, True)
}


def told(name: str) -> list[str]:
    """Return the lines of one story."""
    what, journaled = BOOKS[name]
    one = Told(journaled=journaled)
    with logged(one.lines), patch.object(Deck, "secure", lambda cards: Deck.seeded(7, cards)):
        what(one)
        one.room.close()
    return one.lines


@contextmanager
def logged(lines: list[str]) -> Iterator[None]:
    """Add log messages to the lines, and keep them from everywhere else."""
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(f"  log {record.levelname}: {record.getMessage()}")  # type: ignore[method-assign]
    log, others = logging.getLogger("poker_actors"), logging.getLogger("pykka")
    log.addHandler(handler)
    log.propagate, others.disabled = False, True
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.propagate, others.disabled = True, False


if __name__ == "__main__":
    BOOK.write_text(
        "".join(f"== {name}\n" + "".join(f"{line}\n" for line in told(name)) for name in BOOKS), "utf-8"
    )
