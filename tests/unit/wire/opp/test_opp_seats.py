"""Seats, their chips and their connections, without a server: one room, whose connections are transports in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any

import pytest

from poker_actors import Room, Stakes
from poker_actors.actors import Bank, HandState, Player, StepRuntime, TableNews
from poker_actors.actors.aio import AsyncRoom
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, IllegalAction, StorageFailed, TableRefusal
from poker_actors.guard import Guard
from poker_actors.rules import GAMES, Call, Check, Fold, Hand, Positions, RaiseTo
from poker_actors.store import Journal, open_journal
from poker_actors.store.journal import Row as Record
from poker_actors.wire.opp import (
    Admission,
    Connection,
    ConnectionLimits,
    MemoryAccounts,
    Message,
    Op,
    OppServer,
    Side,
    TableOptions,
)
from poker_actors.wire.opp.server.seat import Announcer, Funding, Life, Seated
from poker_actors.wire.opp.server.table import OppTable, _the_same
from poker_actors.wire.opp.server.telling import HandTelling, Row, chunk, inform
from poker_actors.wire.opp.server.visitor import Visitor
from tests.actors.durable_evening import FailingStorage


class Wire(asyncio.Transport):
    """A connection in memory: what was written, and whether it was closed."""

    def __init__(self, peer: tuple[str, int] | None = ("192.0.2.7", 5)) -> None:
        super().__init__({} if peer is None else {"peername": peer})
        self.client = Connection(Side.CLIENT)
        self.written = bytearray()
        self.closed = self.aborted = self.reading = False
        self.resumed = self.paused = 0

    def write(self, data: Any) -> None:
        assert not self.closed, "nothing is written to a connection that is closed"
        self.written += data

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.aborted = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        self.paused += 1

    def resume_reading(self) -> None:
        self.resumed += 1

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self.high = high

    def get_write_buffer_size(self) -> int:
        return len(self.written)

    def heard(self) -> list[Message]:
        """Return the messages since the last call."""
        if self.written:
            self.client.receive_data(self.written)
            self.written = bytearray()
        found = []
        while isinstance(event := self.client.next_event(), Message):
            found.append(event)
        return found


class Loop(asyncio.SelectorEventLoop):
    """A loop whose time stands still until a test moves it."""

    now = 1_000.0

    def time(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        """Let time go by, and what is due happen."""
        self.now += seconds
        self.call_soon(self.stop)
        self.run_forever()


@pytest.fixture
def loop() -> Iterator[Loop]:
    made, failures = Loop(), list[Any]()
    made.set_exception_handler(lambda _, context: failures.append(context))
    yield made
    made.close()
    assert failures == []


class Door:
    """What a server does with its visitors: it admits all, and joins those whose password is `pw`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, **limits: Any) -> None:
        self.loop = loop
        self.limits = ConnectionLimits(**limits)
        self.guard = Guard(self.limits)
        self.full = False
        self.went: list[Visitor] = []
        self.waits: list[Visitor] = []

    def opened(self, wire: Wire, *perl: str) -> Visitor:
        visitor = Visitor(
            self.loop, self.limits, self.guard,
            came=lambda visitor: not self.full, join=self._join, went=self.went.append, perl=perl,
        )  # fmt: skip
        visitor.connection_made(wire)
        return visitor

    def _join(self, visitor: Visitor, user: str, password: str) -> None:
        if password == "later":
            self.waits.append(visitor)
        else:
            visitor.user = user if password == "pw" else ""
            visitor.answer_join(Op.GOODPASS if password == "pw" else Op.BADPASS)


def say(visitor: Visitor, wire: Wire, op: Op, *values: Any, whole: bool = True) -> None:
    """Let bytes of a client arrive."""
    data = wire.client.send(op, *values)
    arrive(visitor, data if whole else data[:-1])


def arrive(visitor: Visitor, data: bytes) -> None:
    buffer = visitor.get_buffer(-1)
    buffer[: len(data)] = data
    visitor.buffer_updated(len(data))


def joined(door: Door, user: str = "ann", program: str = "test", *perl: str) -> tuple[Visitor, Wire]:
    wire = Wire()
    visitor = door.opened(wire, *perl)
    say(visitor, wire, Op.JOIN_GAME, user, "pw", 1, program)
    assert [one.op for one in wire.heard()] == [Op.GOODPASS]
    return visitor, wire


def ops(wire: Wire) -> list[Op]:
    return [one.op for one in wire.heard()]


# -- connections ---------------------------------------------------------------------------------------


def test_a_connection_too_many_is_closed_and_one_without_an_address_is_not(loop: Loop) -> None:
    door, wire = Door(loop), Wire(None)
    assert door.opened(wire).place == ""
    assert not wire.is_closing()
    assert wire.high == door.limits.unsent_bytes
    door.full, wire = True, Wire()
    assert door.opened(wire).place == "192.0.2.7"
    assert wire.closed


def test_who_does_not_read_is_cut_off_and_nothing_happens_to_who_has_gone(loop: Loop) -> None:
    door = Door(loop)
    visitor, wire = joined(door)
    visitor.pause_writing()
    assert wire.aborted
    assert not wire.is_closing()
    gone: list[Visitor] = []
    visitor.gone = gone.append
    visitor.connection_lost(None)
    assert gone == door.went == [visitor]
    visitor.pause_writing()
    visitor.close()
    visitor.say(inform("nobody hears this"))
    assert wire.heard() == []
    assert not wire.is_closing()


def test_a_connection_lost_before_it_sat_down_is_reported_to_the_server_alone(loop: Loop) -> None:
    door = Door(loop)
    visitor = door.opened(Wire())
    visitor.connection_lost(None)
    assert door.went == [visitor]


def test_a_log_in_waits_until_it_is_answered_or_has_gone(loop: Loop) -> None:
    door, wire = Door(loop), Wire()
    visitor = door.opened(wire)
    before = visitor.waiting_for_join
    say(visitor, wire, Op.JOIN_GAME, "ann", "later", 1, "test")
    assert (before, visitor.waiting_for_join) == (False, True)
    visitor.inform("not before the log-in: some clients would die of it")
    assert wire.heard() == []
    visitor.answer_join(Op.BADPASS)
    assert ops(wire) == [Op.BADPASS]
    assert wire.closed
    visitor, wire = joined(door)
    visitor.answer_join(Op.BADPASS)  # there is nothing to answer any more
    assert wire.heard() == []
    assert not wire.is_closing()
    other = door.opened(wire := Wire())
    say(other, wire, Op.JOIN_GAME, "bob", "later", 1, "test")
    other.connection_lost(None)
    assert not other.waiting_for_join


def test_messages_beyond_the_allowance_wait_and_come_in_order(loop: Loop) -> None:
    door = Door(loop, messages_per_second=10, chats_per_second=100)
    visitor, wire = joined(door)
    heard: list[str] = []
    visitor.heard = lambda _, message: heard.append(message.values[0])
    for number in range(40):
        say(visitor, wire, Op.CHAT, str(number))
    before = len(heard)
    assert before < 40
    assert wire.paused == 1, "bytes that arrive meanwhile are kept, and nothing is read of them"
    while len(heard) < 40:
        loop.pass_by(2)
    assert heard == [str(number) for number in range(40)]
    assert wire.resumed >= 1


def test_bytes_and_an_end_that_come_in_a_wait_are_read_after_it(loop: Loop) -> None:
    door = Door(loop, messages_per_second=10, chats_per_second=100)
    visitor, wire = joined(door)
    heard: list[str] = []
    visitor.heard = lambda _, message: heard.append(message.values[0])
    arrive(visitor, b"".join(wire.client.send(Op.CHAT, str(number)) for number in range(60)))
    assert wire.paused == 1
    before = len(heard)
    say(visitor, wire, Op.CHAT, "60")
    visitor.eof_received()
    assert len(heard) == before
    while len(heard) < 61:
        loop.pass_by(2)
    assert heard == [str(number) for number in range(61)]


def test_nothing_is_read_of_who_has_quit(loop: Loop) -> None:
    door = Door(loop, messages_per_second=10)
    visitor, wire = joined(door)
    visitor.heard = lambda one, message: one.close() if message.op is Op.QUIT_GAME else None
    arrive(visitor, wire.client.send(Op.QUIT_GAME) + bytes.fromhex("0000006300000000"))
    assert wire.closed
    visitor.say(inform("nobody hears this"))
    assert wire.heard() == []
    assert wire.paused == 0
    assert str(visitor) == "connection of ann"


def test_a_wait_ends_with_its_connection(loop: Loop) -> None:
    door = Door(loop, messages_per_second=10)
    visitor, wire = joined(door)
    arrive(visitor, b"".join(wire.client.send(Op.PONG) for _ in range(60)))
    visitor.connection_lost(None)
    loop.pass_by(60)
    assert wire.resumed == 0
    visitor, wire = joined(door)
    arrive(visitor, b"".join(wire.client.send(Op.PONG) for _ in range(60)))
    visitor.close()
    loop.pass_by(60)
    assert wire.resumed == 0


def test_who_breaks_the_protocol_is_told_so_only_after_the_log_in(loop: Loop) -> None:
    door, wire = Door(loop), Wire()
    arrive(door.opened(wire), bytes.fromhex("0000006300000000"))
    assert wire.closed
    assert not wire.written
    visitor, wire = joined(door)
    arrive(visitor, bytes.fromhex("0000006300000000"))
    assert wire.closed
    [told] = wire.heard()
    assert "no message has the id 99" in told.values[0]


def test_only_so_many_lines_of_chat_are_passed_on_and_pongs_never(loop: Loop) -> None:
    door = Door(loop, chats_per_second=2)
    visitor, wire = joined(door)
    say(visitor, wire, Op.CHAT, "nobody is there to hear it")
    heard: list[Op] = []
    visitor.heard = lambda _, message: heard.append(message.op)
    loop.pass_by(5)
    for _ in range(4):
        say(visitor, wire, Op.CHAT, "well")
    say(visitor, wire, Op.PONG)
    say(visitor, wire, Op.GET_FACE, "ann")
    assert heard == [Op.CHAT, Op.CHAT, Op.GET_FACE]
    assert [one.values[0] for one in wire.heard()] == ["you may say 2 things a second"] * 2


def test_what_a_table_refuses_is_told_and_ends_nothing(loop: Loop) -> None:
    visitor, wire = joined(Door(loop))

    def refuse(_: Visitor, message: Message) -> None:
        raise IllegalAction("not that")

    visitor.heard = refuse
    say(visitor, wire, Op.ACTION, 7)
    assert [one.values[0] for one in wire.heard()] == ["not that"]
    assert not wire.is_closing()


def test_a_silent_client_is_pinged_once_a_minute_and_then_given_up(loop: Loop) -> None:
    door = Door(loop, ping_seconds=60.0, join_seconds=30.0)
    visitor, wire = joined(door)
    visitor.ping(loop.now + 60)
    assert wire.heard() == []
    visitor.ping(loop.now + 61)
    visitor.ping(loop.now + 100)
    assert ops(wire) == [Op.PING]
    visitor.ping(loop.now + 122)
    assert ops(wire) == [Op.PING]
    visitor.ping(loop.now + 180)
    assert not wire.is_closing()
    visitor.ping(loop.now + 181)
    assert wire.closed
    wire = Wire()
    visitor = door.opened(wire)
    visitor.ping(loop.now + 30)
    assert not wire.is_closing()
    visitor.ping(loop.now + 31)
    assert wire.closed
    assert str(visitor) == "connection of nobody yet"


def test_programs_named_by_option_are_told_hands_as_the_perl_client_is(loop: Loop) -> None:
    door = Door(loop)
    for program, perl, plain in (
        ("test", (), True),
        ("Games::Poker::OPP::Mine", (), False),
        ("Mine", ("Mi",), False),
    ):
        visitor, wire = joined(door, "ann", program, *perl)
        assert visitor.reads_minus_one is plain
        visitor.say(chunk(Op.START_NEW_GAME, 10, 2, 0, 0, 1, (("ann", 100, 0), ("bob", 100, 0))) + inform(""))
        assert [one.op for one in wire.heard()] == [Op.START_NEW_GAME, Op.INFORMATION]
        visitor.say(chunk(Op.BLIND, 1, 5) + chunk(Op.BLIND, 0, 10) + chunk(Op.RAISE, 1, 25))
        raises = [one.values for one in wire.heard() if one.op is Op.RAISE]
        assert raises == ([(1, 25)] if plain else [(1, 10), (1, 10)]), (
            "it is told a raise as a call and single bets"
        )


# -- seats ---------------------------------------------------------------------------------------------


class Tables:
    """A room with a table of limit hold'em, at which ann, bob and others sit down with `stacks`."""

    def __init__(self, *stacks: int, button: int = 0) -> None:
        self.room = Room(StepRuntime(), seed=1)
        self.table = self.room.open_table(
            seats=max(2, len(stacks)), stakes=Stakes(5, 10), game=GAMES["limit-holdem"], button=button
        )
        self.seats: list[Seated] = []
        for seat, (name, chips) in enumerate(zip(("ann", "bob", "cat", "dan"), stacks, strict=False)):
            player = self.room.player(name, chips=chips)
            self.table.sit(player, seat)
            self.table.buy_in(player, chips)
            self.seats.append(Seated(player, seat, Life.PLAYING))
        self.watcher = self.room.player("watcher")
        self.table.watch(self.watcher)

    def deal(self) -> None:
        self.table.deal()
        self.room.runtime.run()  # type: ignore[attr-defined]
        self.refresh()

    def refresh(self) -> None:
        """Let every seat hear of its player's last state, and the seat to act of its turn."""
        self.room.runtime.run()  # type: ignore[attr-defined]
        for seated in self.seats:
            state = seated.player.state()
            assert state is not None
            seated.latest = state
            seated.turn_of = (state.hand_id, state.seq) if state.turn is not None else None

    @property
    def active(self) -> Seated:
        [found] = [one for one in self.seats if one.turn_of is not None]
        return found

    @property
    def state(self) -> HandState:
        state = self.watcher.state()
        assert state is not None
        return state

    def last(self) -> Any:
        """Return the last action taken."""
        self.room.runtime.run()  # type: ignore[attr-defined]
        return self.state.public.actions[-1].action


@pytest.fixture
def tables() -> Iterator[Tables]:
    made = Tables(100, 100, 100)
    yield made
    made.room.close()


def test_an_action_takes_the_open_turn_once(tables: Tables) -> None:
    tables.deal()
    first = tables.active
    with pytest.raises(
        IllegalAction, match=r"action 3 must be 0 \(fold\), 1 \(check or call\) or 2 \(bet or raise\)"
    ):
        first.act(3)
    first.act(2)
    first.act(0)  # the turn is taken: some clients answer twice
    assert tables.last() == RaiseTo(20)
    tables.refresh()
    tables.active.act(1)
    assert tables.last() == Call()
    tables.refresh()
    tables.active.act(0)
    assert tables.last() == Fold()


def test_a_raise_beyond_the_cap_is_a_call_and_a_check_where_there_is_nothing_to_call(tables: Tables) -> None:
    tables.deal()
    for _ in range(3):
        tables.active.act(2)
        tables.refresh()
    assert not tables.state.public.legal(tables.active.seat).can_raise
    tables.active.act(2)
    assert isinstance(tables.last(), Call)
    tables.refresh()
    tables.active.act(1)
    tables.refresh()
    assert tables.state.public.phase == "flop"
    tables.active.act(1)
    assert tables.last() == Check()


def test_a_state_without_its_turn_or_of_another_turn_takes_none(tables: Tables) -> None:
    seated = tables.seats[0]
    seated.turn_of = ("a hand", 1)
    seated.act(0)
    assert seated.latest is None
    tables.deal()
    waiting = next(one for one in tables.seats if one is not tables.active)
    assert waiting.latest is not None
    waiting.turn_of = (waiting.latest.hand_id, waiting.latest.seq)  # it has no turn
    waiting.act(0)
    active = next(one for one in tables.seats if one.latest is not None and one.latest.turn is not None)
    active.turn_of = ("another hand", 0)
    active.act(0)
    active.act_absent()
    tables.room.runtime.run()  # type: ignore[attr-defined]
    assert list(tables.state.public.actions) == []


def test_an_absent_player_checks_if_that_is_free_and_folds_else_or_when_it_leaves(tables: Tables) -> None:
    tables.deal()
    tables.active.act_absent()
    assert tables.last() == Fold()
    tables.refresh()
    tables.active.act(1)
    tables.refresh()
    tables.active.act_absent()
    assert tables.last() == Check()
    tables.refresh()
    leaving = tables.active
    leaving.life = Life.LEAVING
    leaving.act_absent()
    assert tables.last() == Fold()


def test_a_seat_without_a_connection_is_told_nothing(loop: Loop, tables: Tables) -> None:
    seated = tables.seats[0]
    seated.inform("nobody hears this")
    seated.visitor, wire = joined(Door(loop))
    seated.inform("this")
    assert [one.values for one in wire.heard()] == [("this",)]
    assert seated.here
    for life in (Life.AWAY, Life.LEAVING):
        seated.life = life
        assert not seated.here


# -- chips ---------------------------------------------------------------------------------------------


def test_without_credit_a_player_brings_a_buy_in_when_it_has_no_chips_and_no_more_than_it_has() -> None:
    with Room(StepRuntime(), seed=1) as room:
        for name, chips in (("ann", 500), ("bob", 30), ("house", 0)):
            room.player(name, chips=chips)
        funding = Funding(room.bank, 10, 100, credit=False)
        assert [funding.missing("ann", 0), funding.missing("ann", 7), funding.missing("bob", 0)] == [
            100,
            0,
            30,
        ]
        assert funding.missing("house", 0) == 0
        assert funding.missing("house", 5, house=True) == 0
        assert room.bank.debt("house") == 0, "it has chips on the table"
        assert funding.missing("house", 0, house=True) == 100
        assert funding.missing("house", 0, house=True) == 100
        assert room.bank.debt("house") == 100, "it is lent a buy-in once, not for chips that it has"
        assert funding.offset("house") == 0


def test_with_credit_a_player_can_always_pay_a_hand_and_owes_what_it_was_lent() -> None:
    with Room(StepRuntime(), seed=1) as room:
        room.player("ann", chips=300)
        room.player("bob", chips=1_000)
        funding = Funding(room.bank, 10, 100, credit=True)
        assert funding.missing("ann", 240) == 0
        assert funding.missing("ann", 230) == 250
        assert room.bank.debt("ann") == 0
        assert funding.missing("ann", 100) == 380
        assert (room.bank.debt("ann"), funding.offset("ann")) == (80, 300)
        assert funding.missing("bob", 0) == 480
        assert (room.bank.debt("bob"), funding.offset("bob")) == (0, 1_000)
        funding.settle("bob")
        funding.settle("ann")
        assert (room.bank.debt("ann"), room.bank.balance("ann")) == (0, 300)


# -- what is told --------------------------------------------------------------------------------------


class Told:
    """An announcer of a table whose first `connected` seats have a connection, and one that watches."""

    def __init__(self, tables: Tables, loop: Loop, connected: int = 2, watching: str = "test") -> None:
        self.door = Door(loop)
        self.seated = {one.player.name: one for one in tables.seats}
        self.visitors: dict[Visitor, None] = {}
        self.asked: list[Seated] = []
        self.wires: dict[str, Wire] = {}
        for one in tables.seats[:connected]:
            one.visitor = self.come(one.player.name)
        self.come("watching", watching)
        self.announcer = Announcer(
            self.seated,
            self.visitors,
            {"ann": 3},
            lambda one, state: self.asked.append(one),
        )
        tables.watcher.listen(lambda news: self.announcer.hear(news) if isinstance(news, HandState) else None)
        self.tables = tables
        for one in tables.seats:
            one.player.listen(partial(self._keep, one))

    @staticmethod
    def _keep(one: Seated, news: object) -> None:
        if isinstance(news, HandState):
            one.latest = news
            one.turn_of = None if news.turn is None else (news.hand_id, news.seq)

    def come(self, name: str, program: str = "test") -> Visitor:
        visitor, self.wires[name] = joined(self.door, name, program)
        self.visitors[visitor] = None
        return visitor

    def heard(self, name: str) -> list[Message]:
        return [one for one in self.wires[name].heard() if one.op is not Op.INFORMATION]

    def run(self) -> None:
        self.tables.room.runtime.run()  # type: ignore[attr-defined]


def test_a_hand_begins_with_ones_own_cards_and_nobody_elses(tables: Tables, loop: Loop) -> None:
    told = Told(tables, loop)
    tables.table.deal()
    told.run()
    for name, seat in (("ann", 0), ("bob", 1)):
        start, stage, *blinds, hole, turn = told.heard(name)
        assert (start.op, stage.op, hole.op, turn.op) == (
            Op.START_NEW_GAME, Op.NEW_STAGE, Op.HOLE_CARDS, Op.NEXT_TO_ACT,
        )  # fmt: skip
        assert start.values[3] == hole.values[0] == seat
        assert start.values[2] == 0, "the button"
        assert start.values[5] == (("ann", 100, 3), ("bob", 100, 0), ("cat", 100, 0))
        assert [one.op for one in blinds] == [Op.BLIND, Op.BLIND]
    watched = told.heard("watching")
    assert watched[0].values[3] == -1
    assert Op.HOLE_CARDS not in [one.op for one in watched]
    assert told.asked == tables.seats[:1]


def test_a_perl_client_hears_nothing_of_a_hand_it_is_not_dealt_into(tables: Tables, loop: Loop) -> None:
    told = Told(tables, loop, watching="Games::Poker::OPP")
    tables.table.deal()
    told.run()
    assert told.heard("watching") == []
    tables.seats[0].act(0)
    told.run()
    assert told.heard("watching") == []
    assert Op.FOLD in [one.op for one in told.heard("bob")]
    tables.seats[2].visitor = told.come("cat", "Games::Poker::OPP")
    told.announcer.catch_up(tables.seats[2])
    assert told.heard("cat")[0].op is Op.START_NEW_GAME, "it is dealt into this one"


def test_a_seat_that_another_connection_has_taken_over_is_that_ones(tables: Tables, loop: Loop) -> None:
    told = Told(tables, loop, connected=0)
    old = told.come("ann")
    told.wires["old"] = told.wires["ann"]
    new = told.come("ann")
    told.wires["new"] = told.wires["ann"]
    tables.seats[0].visitor = new
    assert old is not new
    tables.table.deal()
    told.run()
    heard = told.heard("new")
    assert heard[0].values[3] == 0
    assert Op.HOLE_CARDS in [one.op for one in heard]
    assert told.heard("old")[0].values[3] == -1


def test_who_joins_in_mid_hand_hears_of_it_only_when_it_is_caught_up(tables: Tables, loop: Loop) -> None:
    told = Told(tables, loop)
    cat = tables.seats[2]
    told.announcer.catch_up(cat)  # there is neither a hand nor a connection
    cat.visitor = told.come("cat")
    told.announcer.catch_up(cat)
    assert told.heard("cat") == []
    cat.visitor = None
    told.visitors.popitem()
    tables.table.deal()
    told.run()
    told.announcer.catch_up(cat)
    cat.visitor = told.come("cat")
    tables.seats[0].act(1)
    told.run()
    assert told.heard("cat") == [], "it has not been sent the start"
    told.announcer.catch_up(cat)
    assert [one.op for one in told.heard("cat")] == [
        Op.START_NEW_GAME, Op.NEW_STAGE, Op.BLIND, Op.BLIND, Op.HOLE_CARDS, Op.CALL,
    ]  # fmt: skip
    tables.seats[1].act(1)
    told.run()
    assert [one.op for one in told.heard("cat")] == [Op.CALL, Op.NEXT_TO_ACT]
    cat.visitor = told.come("cat")
    told.announcer.catch_up(cat)
    assert told.heard("cat")[-1].op is Op.NEXT_TO_ACT, "its open turn is told again"
    turn, cat.turn_of, cat.visitor = cat.turn_of, None, told.come("cat")
    told.announcer.catch_up(cat)
    assert told.heard("cat")[-1].op is Op.CALL, "a turn that is taken is not"
    assert cat.latest is not None
    cat.turn_of, cat.visitor = turn, told.come("cat")
    cat.latest = HandState(cat.latest.change, cat.latest.seat, cat.latest.hole, None)
    told.announcer.catch_up(cat)
    assert told.heard("cat")[-1].op is Op.CALL, "nor one that has run out"


def test_a_change_that_comes_again_is_not_told_again(tables: Tables, loop: Loop) -> None:
    told = Told(tables, loop)
    tables.table.deal()
    told.run()
    tables.seats[0].act(1)
    told.run()
    told.heard("ann")
    asked = list(told.asked)
    told.announcer.hear(tables.state)
    assert told.heard("ann") == []
    assert told.asked == asked


def test_a_seat_that_is_not_dealt_in_has_no_number_and_hears_the_hand_as_a_watcher(loop: Loop) -> None:
    tables = Tables(100, 100, 100)
    told = Told(tables, loop, connected=3)
    tables.table.sit_out(tables.seats[2].player)
    tables.table.deal()
    told.run()
    start, *rest = told.heard("cat")
    assert (start.values[1], start.values[3]) == (2, -1)
    assert Op.HOLE_CARDS not in [one.op for one in rest]
    told.announcer.catch_up(tables.seats[2])
    assert told.heard("cat") == []
    tables.room.close()


def test_the_turn_of_a_player_who_is_not_the_servers_is_nobodys(tables: Tables, loop: Loop) -> None:
    told = Told(tables, loop)
    del told.seated["ann"]
    tables.table.deal()
    told.run()
    assert told.asked == []


def test_own_cards_of_another_hand_are_not_sent(tables: Tables, loop: Loop) -> None:
    told = Told(tables, loop)
    tables.table.deal()
    told.run()
    cat = tables.seats[2]
    cat.visitor = told.come("cat")
    known = cat.latest
    assert known is not None
    for latest, told_of in ((None, False), (HandState(known.change, 2, (), None), False), (known, True)):
        cat.latest = latest
        told.announcer.catch_up(cat)
        assert (Op.HOLE_CARDS in [one.op for one in told.heard("cat")]) is told_of
    tables.seats[0].act(0)
    told.run()
    tables.seats[1].act(0)
    told.run()
    tables.table.deal()
    told.run()
    told.heard("cat")
    cat.latest = known
    told.announcer.catch_up(cat)
    assert Op.HOLE_CARDS not in [one.op for one in told.heard("cat")]


# -- a table in an event loop --------------------------------------------------------------------------


class Evening:
    """A table of an OPP server in this event loop, its users and their connections in memory."""

    def __init__(self, room: AsyncRoom, **options: Any) -> None:
        self.room = room
        self.users: dict[str, Player] = {}
        self.door = Door(asyncio.get_running_loop())
        self.wires: dict[str, Wire] = {}
        given = TableOptions(**{"seats": 2, "patience": 60.0, "buy_in": 100, **options})
        self.table = room.bridge.do(lambda: OppTable(room, "opp", given, self.users))

    async def come(self, name: str) -> Visitor:
        """Connect and log in, once more if the name is there already."""
        visitor, self.wires[name] = joined(self.door, name)
        player = self.users.get(name) or self.room.bridge.do(lambda: self.room.room.player(name, chips=500))
        self.users[name] = player
        self.room.bridge.do(lambda: self.table.welcome(visitor, player))
        await settled()
        return visitor

    def heard(self, name: str, *wanted: Op) -> list[Message]:
        return [one for one in self.wires[name].heard() if one.op in wanted]

    def told(self, name: str) -> list[str]:
        return [one.values[0] for one in self.heard(name, Op.INFORMATION)]

    async def wait(self, seconds: float) -> None:
        """Let time go by."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Loop)
        loop.now += seconds
        await settled()

    async def fold(self) -> None:
        """End a hand at once."""
        [active] = [one for one in self.table.seated.values() if one.turn_of is not None]
        self.room.bridge.do(lambda: active.act(0))
        await settled()


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def evening(
    play: Callable[[Evening], Coroutine[Any, Any, None]], *, store: Journal | None = None, **options: Any
) -> None:
    """Play at a table in an event loop of its own."""

    async def run() -> None:
        async with AsyncRoom(Room(StepRuntime(), seed=1, store=store)) as room:
            await play(Evening(room, **options))

    failures: list[Any] = []
    with asyncio.Runner(loop_factory=Loop) as runner:
        runner.get_loop().set_exception_handler(lambda _, context: failures.append(context))
        runner.run(run())
    assert failures == []


@pytest.mark.parametrize(
    "options",
    [
        {"turn_seconds": 0.0},
        {"patience": -1.0},
        {"grace": -1.0},
        {"pause": -1.0},
        {"perl": ("",)},
        {"bet": 1},
    ],
)
def test_options_that_no_table_can_have_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadSpec):
        TableOptions(**options)


def test_a_watcher_may_talk_and_go_and_is_not_told_again_that_it_watches() -> None:
    async def play(night: Evening) -> None:
        for name in ("ann", "bob", "cat"):
            await night.come(name)
        watching = "all seats are taken: you watch until one is free"
        assert night.told("cat") == [watching]
        night.heard("ann")
        await night.fold()
        assert night.table.hands == 2
        assert [one.values for one in night.heard("ann", Op.WINNERS)] == [(1, ((0, 15),))]
        told = night.told("cat")
        assert watching not in told
        assert not [one for one in told if "void" in one]
        cat = next(one for one in night.table.visitors if one.user == "cat")
        assert cat.heard is not None
        for text in ("hello", "x" * 501, "bell\a"):
            cat.heard(cat, Message(Op.CHAT, (text,)))
        assert [one.values[0] for one in night.heard("ann", Op.CHATTER)] == ["cat: hello"]
        assert night.told("cat") == ["chat must be at most 500 printable characters"] * 2
        cat.heard(cat, Message(Op.ACTION, (0,)))
        cat.heard(cat, Message(Op.QUIT_GAME))
        assert night.wires["cat"].is_closing()
        assert len(night.table.seated) == 2
        dan = await night.come("dan")
        dan.connection_lost(None)
        assert "dan" not in [one.user for one in night.table.visitors]

    evening(play)


def test_a_connection_that_was_replaced_acts_and_leaves_for_nobody() -> None:
    async def play(night: Evening) -> None:
        old = await night.come("ann")
        await night.come("bob")
        await night.come("ann")
        assert old.heard is not None
        before = night.table.seated["ann"].turn_of, night.table.seated["bob"].turn_of
        old.heard(old, Message(Op.ACTION, (0,)))
        await settled()
        assert (night.table.seated["ann"].turn_of, night.table.seated["bob"].turn_of) == before
        old.connection_lost(None)
        assert night.table.seated["ann"].life is not Life.AWAY

    evening(play)


def test_between_two_hands_nothing_is_caught_up_and_a_sweep_deals_nothing() -> None:
    async def play(night: Evening) -> None:
        await night.come("ann")
        await night.come("bob")
        await night.fold()
        night.table.sweep()
        await settled()
        assert night.table.hands == 1
        await night.come("bob")
        assert night.table.hands == 1, "the pause is no shorter for who comes"
        await night.wait(60.0)
        assert [one.values[4] for one in night.heard("bob", Op.START_NEW_GAME)] == [1], "the next hand alone"
        await night.fold()
        night.table.close()
        await night.wait(60.0)
        bob = await night.come("bob")
        bob.connection_lost(None)
        await settled()
        assert night.table.hands == 2

    evening(play, pause=60.0)


def test_a_seat_is_given_up_only_between_hands_and_only_after_its_grace() -> None:
    async def play(night: Evening) -> None:
        await night.come("ann")
        bob = await night.come("bob")
        bob.connection_lost(None)
        seated = night.table.seated["bob"]
        night.table.sweep()
        assert seated.life is Life.AWAY, "its grace is not over"
        seated.gone_at -= 1_000
        night.table.sweep()
        assert seated.life is Life.AWAY, "a hand is played"
        while night.table.hands == 1 and night.table._playing:
            await night.fold()
        await settled()
        assert list(night.table.seated) == ["ann"]

    evening(play)


def test_only_who_has_lost_everything_is_told_so() -> None:
    async def play(night: Evening) -> None:
        await night.come("ann")
        bob = await night.come("bob")
        bob.connection_lost(None)
        await night.fold()
        await night.come("bob")
        assert "you have no chips left" not in night.told("bob")

    evening(play)


def test_a_bot_of_the_house_sits_once_and_where_a_seat_is_free() -> None:
    async def play(night: Evening) -> None:
        bots = [
            night.room.bridge.do(partial(night.room.room.player, name, "caller", chips=100)) for name in "xyz"
        ]
        kept = []
        for bot in (bots[0], bots[0], bots[1]):
            night.room.bridge.do(partial(night.table.seat_bot, bot))
            kept.append(night.table.seated["x"])
        assert kept[0] is kept[1]
        assert [one.life for one in night.table.seated.values()] == [Life.HOUSE, Life.HOUSE]
        with pytest.raises(TableRefusal, match="all 2 seats are taken"):
            night.room.bridge.do(partial(night.table.seat_bot, bots[2]))

    evening(play)


def test_the_bots_of_the_house_wait_for_a_client_unless_they_may_play_alone() -> None:
    def night_of(alone: bool) -> int:
        hands = 0

        async def play(night: Evening) -> None:
            nonlocal hands
            for name in "xy":
                bot = night.room.bridge.do(partial(night.room.room.player, name, chips=100))
                night.room.bridge.do(partial(night.table.seat_bot, bot))
            await settled()
            hands = night.table.hands

        evening(play, house_alone=alone)
        return hands

    assert (night_of(False), night_of(True)) == (0, 1)


def test_who_comes_and_who_quits_in_a_hand_changes_nothing_until_its_end() -> None:
    async def play(night: Evening) -> None:
        await night.come("ann")
        await night.come("bob")
        cat = await night.come("cat")
        assert cat.heard is not None
        assert night.table.hands == 1, "cat waits for the next hand"
        cat.heard(cat, Message(Op.QUIT_GAME))
        await settled()
        assert list(night.table.seated) == ["ann", "bob", "cat"]
        assert not [text for text in night.told("ann") if text.endswith("leaves")]
        await night.fold()
        assert list(night.table.seated) == ["ann", "bob"]
        assert [text for text in night.told("ann") if text.endswith("leaves")] == ["cat leaves"]

    evening(play, seats=3)


def test_a_debt_that_could_not_be_paid_back_stops_no_table_and_frees_the_seat_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    full = [StorageFailed("the disk is full")]
    pay_back = Bank.pay_back

    def once_full(bank: Bank, player: str, amount: int) -> int:
        if full:
            raise full.pop()
        return pay_back(bank, player, amount)

    monkeypatch.setattr(Bank, "pay_back", once_full)

    async def play(night: Evening) -> None:
        for name in ("ann", "bob"):
            await night.come(name)
        cat = await night.come("cat")
        assert cat.heard is not None
        cat.heard(cat, Message(Op.QUIT_GAME))
        await night.fold()
        assert (full, list(night.table.seated)) == ([], ["ann", "bob", "cat"])
        assert night.table.table.state().number_of("cat") is None
        await night.wait(2.0)
        assert list(night.table.seated) == ["ann", "bob"]
        assert night.table.hands == 2

    evening(play, seats=3, credit=True)


class FailsOnce(FailingStorage):
    """Its write number `at` fails, and no other."""

    at = -1

    def write(self, rows: Sequence[Record], after: int) -> None:
        self.failing = self.attempts == self.at
        super().write(rows, after)


def test_a_write_that_fails_once_stops_no_table_and_costs_nobody_a_turn() -> None:
    async def come(night: Evening, name: str) -> Visitor:
        with suppress(StorageFailed):
            return await night.come(name)
        for one in [one for one in night.table.visitors if one.user == name]:
            one.connection_lost(None)  # the server hangs up
        return await night.come(name)

    async def until_hand(night: Evening, number: int) -> None:
        for _ in range(40):
            if night.table.hands >= number:
                return
            if any(one.turn_of is not None for one in night.table.seated.values()):
                await night.fold()
            await night.wait(2.0)
        raise AssertionError(f"hand {number} is not dealt")

    async def play(number: int, storage: FailsOnce, night: Evening) -> None:
        storage.at = storage.attempts + number
        await come(night, "ann")
        bob = await come(night, "bob")
        await come(night, "cat")
        await until_hand(night, 2)
        assert bob.heard is not None
        bob.heard(bob, Message(Op.QUIT_GAME))
        await until_hand(night, 4)
        assert list(night.table.seated) == ["ann", "cat"]
        assert night.room.room.audit().conserved

    for number in count():
        storage = FailsOnce()
        night = partial(play, number, storage)
        evening(night, store=open_journal(storage), seats=3, credit=True, turn_seconds=600.0, patience=0.0)
        if storage.attempts <= storage.at:
            assert number > 20
            return


def test_a_bot_of_the_house_repeats_by_itself_what_could_not_be_written() -> None:
    async def play(number: int, storage: FailsOnce, night: Evening) -> None:
        for name in "xy":
            bot = night.room.bridge.do(partial(night.room.room.player, name, "caller", chips=100))
            night.room.bridge.do(partial(night.table.seat_bot, bot))
        storage.at = storage.attempts + number
        for _ in range(8):
            await night.wait(2.0)
        assert storage.attempts > storage.at
        assert night.table.hands > 2

    for number in range(16):  # some are of actions: they are written by the hand
        storage = FailsOnce()
        night = partial(play, number, storage)
        evening(night, store=open_journal(storage), house_alone=True, pause=1.0)


def test_a_lost_connection_keeps_its_seat_and_its_turn_for_who_comes_back() -> None:
    async def play(night: Evening) -> None:
        visitors = {name: await night.come(name) for name in ("ann", "bob", "cat")}
        await night.fold()
        [name] = [name for name, one in night.table.seated.items() if one.turn_of is not None]
        seated = night.table.seated[name]
        turn = seated.turn_of
        await night.wait(61.0)
        assert seated.turn_of == turn, "nobody acts for who is there"
        visitors[name].connection_lost(None)
        await night.wait(30.0)
        await night.come(name)
        await night.wait(31.0)
        assert seated.turn_of == turn, "it came back before the patience was over"
        night.wires[name].heard()
        [visitor] = [one for one in night.table.visitors if one.user == name]
        visitor.connection_lost(None)
        await night.wait(61.0)
        assert seated.turn_of is None
        assert night.table.seated[name] is seated, "its seat is kept for the grace"

    evening(play, seats=3, turn_seconds=1_000.0)


def test_who_is_late_too_often_sits_out_is_told_so_once_and_comes_back_by_a_word() -> None:
    late = "you were late too often and sit out: say anything to come back"

    async def play(night: Evening) -> None:
        for name in "xy":
            bot = night.room.bridge.do(partial(night.room.room.player, name, "caller", chips=500))
            night.room.bridge.do(partial(night.table.seat_bot, bot))
        ann = await night.come("ann")
        assert ann.heard is not None
        seated = night.table.seated["ann"]
        await night.wait(6.0)
        told = night.told("ann")
        assert late not in told, "once is not too often"
        for _ in range(30):
            await night.wait(5.0)
            told += night.told("ann")
        assert (seated.life, told.count(late)) == (Life.LATE, 1)
        ann.heard(ann, Message(Op.CHAT, ("here I am",)))
        for _ in range(3):
            await night.wait(1.0)
        assert seated.life is Life.PLAYING
        assert seated.turn_of is not None
        assert late not in night.told("ann")

    evening(play, seats=3, turn_seconds=5.0, pause=1.0)


def test_the_patience_for_one_turn_ends_no_later_one() -> None:
    async def play(night: Evening) -> None:
        async def call() -> None:
            [active] = [one for one in night.table.seated.values() if one.turn_of is not None]
            night.room.bridge.do(partial(active.act, 1))
            await settled()

        visitors = {name: await night.come(name) for name in ("ann", "bob")}
        [name] = [name for name, one in night.table.seated.items() if one.turn_of is not None]
        visitors[name].connection_lost(None)
        await night.wait(10.0)
        back = await night.come(name)
        seated = night.table.seated[name]
        await call()
        while seated.turn_of is None:
            await call()
        turn = seated.turn_of
        back.connection_lost(None)
        await night.wait(51.0)
        assert seated.turn_of == turn, "the first turn's patience is over, and this one's is not"
        await night.wait(10.0)
        assert seated.turn_of is None

    evening(play, turn_seconds=1_000.0)


def test_actions_of_several_streets_are_told_each_after_its_street() -> None:
    hand = Hand((100, 100), Stakes(5, 10), game=GAMES["limit-holdem"], deck=Deck.seeded(1), button=0)
    telling = HandTelling(hand.public(), [Row("ann", 100, 0), Row("bob", 100, 0)], 1)
    while not hand.over:
        hand.check_or_call()
    told = [op for op in telling.advance(hand.public()).ops if op in (Op.CALL, Op.NEW_STAGE, Op.WINNERS)]
    assert told == [Op.CALL, Op.CALL, *[Op.NEW_STAGE, Op.CALL, Op.CALL] * 3, Op.WINNERS]


def test_a_call_of_a_short_big_blind_is_told_as_what_it_costs() -> None:
    hand = Hand((100, 8), Stakes(5, 10), game=GAMES["limit-holdem"], deck=Deck.seeded(1), button=0)
    telling = HandTelling(hand.public(), [Row("ann", 100, 0), Row("bob", 8, 0)], 1)
    asked = telling.next(hand.public()).messages
    hand.check_or_call()
    told = telling.advance(hand.public()).messages
    assert [str(one) for one in (*asked, *told[:2])] == [
        "NEXT_TO_ACT 0 3 -1 -1", "CALL 0 3", "INFORMATION 'ann calls 3'",
    ]  # fmt: skip
    assert sum(share for _, share in told[-1].values[1]) == 16


def test_a_small_blind_that_nobody_owes_is_not_told() -> None:
    positions = Positions(button=0, small_seat=1, big_blind=2, dealt=(0, 2))
    hand = Hand(
        (100, 0, 100), Stakes(5, 10), game=GAMES["limit-holdem"], deck=Deck.seeded(1), positions=positions
    )
    telling = HandTelling(hand.public(), [Row("ann", 100, 0), None, Row("cat", 100, 0)], 1)
    assert [str(one) for one in telling.opening.messages] == ["NEW_STAGE 0 ''", "BLIND 1 10"]


def test_a_hand_at_another_table_is_not_this_tables() -> None:
    async def play(night: Evening) -> None:
        for name in ("ann", "bob"):
            await night.come(name)

        def elsewhere() -> None:
            other = night.room.room.open_table("other", seats=2, stakes=Stakes(1, 2))
            for player in night.users.values():
                other.sit(player)
                other.buy_in(player, 50)
            other.deal()

        night.room.bridge.do(elsewhere)
        await settled()
        assert {one.latest.change.table for one in night.table.seated.values() if one.latest} == {"opp"}
        await night.fold()
        assert night.table.hands == 2

    evening(play, turn_seconds=1_000.0)


def test_who_sits_out_or_in_is_said_once_and_not_at_each_hand() -> None:
    async def play(night: Evening) -> None:
        watcher, news = night.room.bridge.do(lambda: night.room.room.player("eve")), list[Any]()
        watcher.listen(news.append)
        night.room.bridge.do(lambda: night.table.table.watch(watcher))
        visitors = [await night.come(name) for name in ("ann", "bob", "cat")]
        visitors[2].connection_lost(None)
        for _ in range(4):
            await night.fold()
        assert night.table.hands == 5
        said = [(one.what, one.player) for one in news if isinstance(one, TableNews)]
        assert [one for one in said if one[0] in ("sat_out", "sat_in")] == [("sat_out", "cat")]

    evening(play, seats=3)


@pytest.mark.parametrize(("option", "there"), [("seats", 2), ("bet", 10), ("turn_seconds", 30.0)])
def test_a_table_that_came_back_is_played_as_it_was_opened_or_not_at_all(option: str, there: float) -> None:
    with Room(StepRuntime()) as room:
        table = room.open_table("opp", seats=2, stakes=Stakes(5, 10), turn_seconds=30.0)
        assert _the_same(table, TableOptions(seats=2)) is table
        other: dict[str, Any] = {"seats": 2, option: there + 2}
        with pytest.raises(BadSpec, match=f"{option} {there + 2}: table 'opp' was opened with {there}"):
            _the_same(table, TableOptions(**other))


# -- a server's log-ins --------------------------------------------------------------------------------


def logging_in(
    play: Callable[[OppServer, Guard, MemoryAccounts], Awaitable[None]],
    *,
    tables: int = 1,
    seats: int = 10,
    store: Journal | None = None,
    **limits: Any,
) -> None:
    """A server in a room and with a guard that others use, too, which are there after it."""

    async def run() -> None:
        guard, accounts = Guard(ConnectionLimits(**limits)), MemoryAccounts(2)
        async with AsyncRoom(Room(StepRuntime(), seed=1, store=store)) as room:
            options = TableOptions(seats=seats)
            server = OppServer(room, tables=tables, options=options, accounts=accounts, guard=guard)
            await server.start()
            await play(server, guard, accounts)
            await server.close()
            eve = await room.player("eve", chips=7)
            assert await eve.state() is None, "her actor answers"
            assert await guard.digests.submit(accounts.admit, "eve", "pw") is Admission.NEW
        guard.close()

    asyncio.run(run())


def knock(server: OppServer) -> tuple[Visitor, Wire]:
    """Log in as ann, with a password that is still to be checked."""
    visitor, wire = server._connected(), Wire()
    visitor.connection_made(wire)
    say(visitor, wire, Op.JOIN_GAME, "ann", "pw", 1, "test")
    return visitor, wire


def test_who_has_gone_before_its_password_is_checked_does_not_come_in() -> None:
    async def play(server: OppServer, guard: Guard, accounts: MemoryAccounts) -> None:
        visitor, wire = knock(server)
        visitor.connection_lost(None)
        while not accounts.has("ann"):
            await settled()
        await settled()
        assert (wire.heard(), [*server.room.players], len(guard.crowd)) == ([], ["opp watcher"], 0)
        visitor.connection_lost(None)
        assert len(guard.crowd) == 0

    logging_in(play)


def test_a_check_that_was_cancelled_is_no_verdict() -> None:
    async def play(server: OppServer, guard: Guard, accounts: MemoryAccounts) -> None:
        visitor, wire = server._connected(), Wire()
        visitor.connection_made(wire)
        visitor._join = lambda *_: None  # it waits
        say(visitor, wire, Op.JOIN_GAME, "ann", "pw", 1, "test")
        done = asyncio.get_running_loop().create_future()
        done.cancel()
        server._joined(visitor, "ann", guard.waits.attempt("ann", visitor.place), done)
        assert (wire.heard(), wire.closed, [*server.room.players]) == ([], False, ["opp watcher"])

    logging_in(play)


async def answered(server: OppServer) -> list[Op]:
    """Log in as ann; what is said, first the verdict, once there is one or the server has hung up."""
    _, wire = knock(server)
    while not (heard := wire.heard()) and not wire.closed:
        await settled()
    return [one.op for one in heard]


def test_who_is_known_comes_back_as_often_as_it_likes() -> None:
    async def play(server: OppServer, guard: Guard, accounts: MemoryAccounts) -> None:
        assert [(await answered(server))[0] for _ in range(3)] == [Op.GOODPASS] * 3

    logging_in(play, users_per_hour=1)


def test_who_has_guessed_too_often_is_closed_without_a_verdict() -> None:
    async def play(server: OppServer, guard: Guard, accounts: MemoryAccounts) -> None:
        accounts.admit("ann", "secret")
        said = [await answered(server) for _ in range(4)]
        assert (said[0], said[-1]) == ([Op.BADPASS], [])

    logging_in(play, guesses=1)


def test_a_password_that_could_not_be_checked_is_no_guess() -> None:
    def fail(user: str, password: str) -> Admission:
        raise BadSpec("the accounts are away")

    async def play(server: OppServer, guard: Guard, accounts: MemoryAccounts) -> None:
        accounts.admit, admit = fail, accounts.admit  # type: ignore[method-assign]
        assert [await asyncio.wait_for(answered(server), 60) for _ in range(4)] == [[]] * 4
        accounts.admit = admit  # type: ignore[method-assign]
        assert (await answered(server))[0] is Op.GOODPASS

    logging_in(play, guesses=1)


def test_who_cannot_be_written_down_is_hung_up_on_and_comes_in_the_next_time() -> None:
    failures: list[Any] = []

    async def play(
        storage: FailsOnce, number: int, server: OppServer, guard: Guard, accounts: MemoryAccounts
    ) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
        storage.at = storage.attempts + number
        _, wire = knock(server)
        async with asyncio.timeout(60):
            while not wire.closed:
                await settled()
        assert (list(server.tables[0].seated), failures) == ([], [])
        assert (await answered(server))[0] is Op.GOODPASS
        await settled()
        assert list(server.tables[0].seated) == ["ann"]

    for number in range(2):  # a player, and a seat
        storage = FailsOnce()
        logging_in(partial(play, storage, number), store=open_journal(storage))


def test_a_server_has_options_and_accounts_of_its_own_if_none_are_given() -> None:
    with Room(StepRuntime()) as room:
        server = OppServer(room)
        assert server.options == TableOptions()
        assert isinstance(server._accounts, MemoryAccounts)
        server._guard.close()


def test_a_password_too_long_to_be_hashed_makes_no_account() -> None:
    accounts = MemoryAccounts(2)
    assert accounts.admit("ann", "x" * 129) is Admission.WRONG
    assert not accounts.has("ann")
    assert accounts.admit("ann", "x" * 128) is Admission.NEW


def test_a_known_user_does_not_take_over_a_player_of_the_room() -> None:
    async def play(server: OppServer, guard: Guard, accounts: MemoryAccounts) -> None:
        accounts.admit("ann", "pw")
        server._bridge.do(partial(server.room.player, "ann"))
        assert await answered(server) == [Op.BADNICK]

    logging_in(play)


def test_who_has_a_seat_keeps_its_table_and_who_has_none_gets_one_with_a_free_seat() -> None:
    async def play(server: OppServer, guard: Guard, accounts: MemoryAccounts) -> None:
        first, second = server.tables
        server._bridge.do(lambda: second.seat_bot(server._enter("one", "caller", known=True)))
        assert (server._table_for("one"), server._table_for("two")) == (second, first)
        for name in ("two", "three", "four"):
            server.seat_bot(name, "caller")
        assert ([*first.seated], [*second.seated]) == (["two", "three"], ["one", "four"])

    logging_in(play, tables=2, seats=2)
