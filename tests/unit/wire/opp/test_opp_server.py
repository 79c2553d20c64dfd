"""Our OPP server over real sockets: who gets in, what is said, what is put up with."""

import asyncio
from collections.abc import Callable
from functools import partial

import attrs
import pytest

from poker_actors.actors import Room, ThreadRuntime
from poker_actors.errors import AskTimeout, BadSpec
from poker_actors.wire.opp import (
    ConnectionLimits,
    MemoryAccounts,
    Message,
    Op,
    OppServer,
    TableOptions,
)
from poker_actors.wire.opp.server.seat import Life
from poker_actors.wire.opp.server.table import OppTable
from tests.unit.wire.opp.wires import ALONE, Loops, Wire, serving, table_of, until


@pytest.fixture(autouse=True)
def _on_each_loop(
    loop_factory: Callable[[], asyncio.AbstractEventLoop], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Loops, "factory", staticmethod(loop_factory))


# -- getting in ----------------------------------------------------------------------------------


@pytest.mark.parametrize("nick", ["", "1ann", "a" * 21, "an n", "änn", "ann/", "\x1b[2J", "opp watcher"])
def test_a_nickname_of_wrong_length_or_characters_is_badnick(nick: str) -> None:
    with serving() as server, Wire(server) as wire:
        assert wire.join(nick) is Op.BADNICK
        assert wire.rest() == []


def test_a_new_user_gets_an_account_and_another_password_is_wrong_then() -> None:
    with serving() as server, Wire(server) as first, Wire(server) as second, Wire(server) as third:
        assert first.join("ann", "secret") is Op.GOODPASS
        assert second.join("ann", "guess") is Op.BADPASS
        assert second.rest() == []
        assert third.join("ann", "x" * 129) is Op.BADPASS


def test_a_name_that_the_room_has_without_an_account_is_refused() -> None:
    with serving() as server, Wire(server) as wire:
        server.call(lambda: server.room.player("ann"))
        assert wire.join("ann") is Op.BADNICK


def test_nobody_comes_in_under_the_name_of_a_bot_of_the_house() -> None:
    with serving() as server, Wire(server) as wire:
        server.call(partial(server.seat_bot, "house-1", "caller"))
        assert wire.join("house-1") is Op.BADNICK


def test_passwords_are_not_kept() -> None:
    accounts = MemoryAccounts(2)
    accounts.admit("ann", "correct horse")
    assert "horse" not in repr(vars(accounts))


def test_somebody_who_breaks_the_protocol_is_told_the_byte_and_hung_up_on() -> None:
    with serving() as server, Wire(server) as wire:
        assert wire.join("ann") is Op.GOODPASS
        wire.hear()
        wire.socket.sendall(b"\0\0\0\x63\0\0\0\0")
        (told,) = wire.rest()
        assert told == Message(Op.INFORMATION, ("byte 24: no message has the id 99",))


def test_a_stranger_who_talks_nonsense_hears_nothing() -> None:
    with serving() as server, Wire(server) as wire:
        wire.socket.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert wire.rest() == []


def test_too_many_connections_are_refused_and_the_others_stay() -> None:
    with serving(limits=ConnectionLimits(connections=1)) as server, Wire(server) as first:
        assert first.join("ann") is Op.GOODPASS
        with Wire(server) as second:
            assert second.rest() == []
        first.say(Op.GET_FACE, "ann")
        assert first.until(Op.SET_FACE).values == ("0",)


def test_who_never_joins_is_hung_up_on() -> None:
    with serving() as server, Wire(server) as wire:
        until(server, lambda: len(server._visitors) == 1)
        (visitor,) = server._visitors
        server.call(lambda: visitor.ping(visitor.since + 29))
        server.call(lambda: visitor.ping(visitor.since + 31))
        assert wire.rest() == []


def test_who_is_silent_is_pinged_and_then_hung_up_on() -> None:
    with serving() as server, table_of(server, "ann") as (wire,):
        (visitor,) = server._visitors
        server.call(lambda: visitor.ping(visitor.heard_at + 61))
        assert wire.until(Op.PING) == Message(Op.PING)
        server.call(lambda: visitor.ping(visitor.heard_at + 181))
        assert wire.rest() == []


# -- a hand --------------------------------------------------------------------------------------


def test_a_hand_is_told_in_the_order_the_first_clients_know() -> None:
    with serving() as server, table_of(server, "ann", "bob") as (ann, bob):
        heard = {0: ann.until(Op.START_NEW_GAME), 1: bob.until(Op.START_NEW_GAME)}
        rows = (("ann", 1000, 0), ("bob", 1000, 0))
        for seat, start in heard.items():
            assert start.values == (10, 2, start["button"], seat, 0, rows)
        button = heard[0]["button"]
        mine, other = (ann, bob) if button == 0 else (bob, ann)
        opening = [mine.hear() for _ in range(5)]
        assert opening[:3] == [
            Message(Op.NEW_STAGE, (0, "")),
            Message(Op.BLIND, (button, 5)),
            Message(Op.BLIND, (1 - button, 10)),
        ]
        assert opening[3].op is Op.HOLE_CARDS
        assert opening[3]["who"] == button
        assert opening[4] == Message(Op.NEXT_TO_ACT, (button, 5, 10, 10))
        mine.say(Op.ACTION, 2)
        assert other.until(Op.RAISE) == Message(Op.RAISE, (button, 15))
        assert other.until(Op.NEXT_TO_ACT) == Message(Op.NEXT_TO_ACT, (1 - button, 10, 10, 10))
        other.say(Op.ACTION, 0)
        for wire in (ann, bob):
            assert wire.until(Op.FOLD) == Message(Op.FOLD, (1 - button, 0))
            assert wire.until(Op.WINNERS) == Message(Op.WINNERS, (1, ((button, 30),)))
        bankrolls = {name: chips for name, chips, _ in ann.until(Op.START_NEW_GAME)["players"]}
        assert sorted(bankrolls.values()) == [990, 1010]


def asked(wires: list[Wire]) -> tuple[Wire, Message]:
    """Read on to the next turn, and give whose it is."""
    turns = [wire.until(Op.NEXT_TO_ACT, Op.WINNERS) for wire in wires]
    assert len(set(turns)) == 1
    return wires[turns[0].values[0] if turns[0].op is Op.NEXT_TO_ACT else 0], turns[0]


def test_four_bets_cap_a_street_and_a_raise_beyond_is_a_call() -> None:
    with serving() as server, table_of(server, "ann", "bob") as wires:
        offers = []
        while True:
            wire, turn = asked(wires)
            offers.append(turn.values[1:])
            if turn.values[3] == -1:
                break
            wire.say(Op.ACTION, 2)
        assert offers == [(5, 10, 10), (10, 10, 10), (10, 10, 10), (10, -1, -1)]
        wire.say(Op.ACTION, 2)
        assert wire.until(Op.RAISE, Op.CALL) == Message(Op.CALL, (turn.values[0], 10))
        assert wire.until(Op.NEW_STAGE)["round"] == 1


def test_bets_double_on_the_turn() -> None:
    with serving() as server, table_of(server, "ann", "bob") as wires:
        sizes = {}
        street = 0
        watcher = wires[0]
        while street < 3:
            heard = watcher.until(Op.NEXT_TO_ACT, Op.NEW_STAGE)
            if heard.op is Op.NEW_STAGE:
                street = heard["round"]
                continue
            sizes[street] = heard["min_bet"]
            wires[heard["who"]].say(Op.ACTION, 1)
        assert sizes == {0: 10, 1: 10, 2: 20}


def test_an_action_out_of_turn_is_dropped_and_one_that_is_none_is_refused() -> None:
    with serving() as server, table_of(server, "ann", "bob") as wires:
        wire, turn = asked(wires)
        other = wires[1 - turn.values[0]]
        other.say(Op.ACTION, 0)
        other.say(Op.GET_FACE, "bob")  # once this is answered the action has been read
        other.until(Op.SET_FACE)
        wire.say(Op.ACTION, 7)
        assert wire.until(Op.INFORMATION).values[0].startswith("action 7 must be 0 (fold)")
        wire.say(Op.ACTION, 1)
        wire.say(Op.ACTION, 1)  # twice: the second is dropped
        assert other.until(Op.CALL, Op.FOLD) == Message(Op.CALL, (turn.values[0], 5))
        assert other.until(Op.NEXT_TO_ACT)["who"] == 1 - turn.values[0]


def test_faces_graphs_and_chat_are_answered() -> None:
    with serving() as server, table_of(server, "ann", "bob") as (ann, bob):
        ann.say(Op.CHANGE_FACE, -1)
        assert ann.until(Op.SET_FACE).values == ("63",)
        bob.say(Op.GET_FACE, "ann")
        assert bob.until(Op.SET_FACE).values == ("63",)
        bob.say(Op.GET_GRAPH, "ann")
        assert bob.until(Op.GET_GRAPH).values == ("ann", "")
        ann.say(Op.CHAT, "grüße")
        assert bob.until(Op.CHATTER).values == ("ann: grüße",)
        ann.until(Op.CHATTER)
        ann.say(Op.CHAT, "\x1b[2J")
        assert "printable" in ann.until(Op.INFORMATION).values[0]


def test_who_finds_no_seat_watches_without_a_card_and_sits_down_when_one_is_free() -> None:
    with serving(TableOptions(seats=2, turn_seconds=60.0)) as server, table_of(server, "ann", "bob") as wires:
        _, turn = asked(wires)
        with Wire(server) as late:
            assert late.join("cy") is Op.GOODPASS
            assert "you watch" in late.hear().values[0]
            wires[turn.values[0]].say(Op.QUIT_GAME)
            assert late.until(Op.START_NEW_GAME)["position"] >= 0


def test_a_watcher_hears_the_hand_with_position_minus_one() -> None:
    with serving(TableOptions(seats=2, turn_seconds=60.0)) as server, table_of(server, "ann", "bob") as wires:
        wire, _ = asked(wires)
        with Wire(server) as late:
            assert late.join("cy") is Op.GOODPASS
            wire.say(Op.ACTION, 0)
            start = late.until(Op.START_NEW_GAME)
            assert start["position"] == -1
            heard = [late.hear() for _ in range(4)]
            assert [each.op for each in heard] == [Op.NEW_STAGE, Op.BLIND, Op.BLIND, Op.NEXT_TO_ACT]


# -- chips ---------------------------------------------------------------------------------------


def test_with_credit_bankrolls_go_below_zero_and_the_books_hold_the_debt() -> None:
    options = TableOptions(credit=True, turn_seconds=60.0)
    with serving(options) as server, table_of(server, "ann", "bob") as wires:
        starts = [wires[0].until(Op.START_NEW_GAME)]
        assert [chips for _, chips, _ in starts[0]["players"]] == [0, 0]
        while len(starts) < 3:
            heard = wires[0].until(Op.NEXT_TO_ACT, Op.START_NEW_GAME)
            if heard.op is Op.START_NEW_GAME:
                starts.append(heard)
            else:
                wires[heard["who"]].say(Op.ACTION, 0 if heard["who"] == 0 else 1)
        bankrolls = {name: chips for name, chips, _ in starts[-1]["players"]}
        assert bankrolls["ann"] < 0 < bankrolls["bob"]
        assert sum(bankrolls.values()) == 0
        audit = server.call(server.room.audit)
        assert audit.conserved
        assert server.call(lambda: server.room.bank.debt("ann")) > 0
        debts = server.call(lambda: [server.room.bank.debt(name) for name in ("ann", "bob")])
        assert audit.minted == sum(debts)


def test_a_bot_of_the_house_never_runs_dry() -> None:
    options = TableOptions(buy_in=10, turn_seconds=60.0, house_alone=True)
    with serving(options, welcome=10) as server:
        for number in range(2):
            server.call(partial(server.seat_bot, f"house-{number}", "caller"))
        until(server, lambda: server.tables[0].hands > 50)
        assert server.call(lambda: sum(server.room.bank.debt(f"house-{number}") for number in range(2))) > 0


def test_a_room_too_slow_to_deal_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = [AskTimeout("the table has not answered")] * 2  # once for each bot that sits down
    deal = OppTable._start_hand

    def once_slow(table: OppTable) -> None:
        if slow:
            raise slow.pop()
        deal(table)

    monkeypatch.setattr(OppTable, "_start_hand", once_slow)
    with serving(ALONE) as server:
        for number in range(2):
            server.call(partial(server.seat_bot, f"house-{number}", "caller"))
        until(server, lambda: server.tables[0].hands > 3)
    assert slow == []


def test_who_has_lost_everything_is_told_and_watches() -> None:
    options = TableOptions(buy_in=10, turn_seconds=60.0)
    with serving(options, welcome=10) as server, table_of(server, "ann", "bob") as wires:
        while True:
            heard = wires[0].until(Op.NEXT_TO_ACT, Op.START_NEW_GAME, Op.INFORMATION, Op.WINNERS)
            if heard.op is Op.NEXT_TO_ACT:
                wires[heard["who"]].say(Op.ACTION, 1)
            if server.call(
                lambda: any(seated.life is Life.BROKE for seated in server.tables[0].seated.values())
            ):
                break
        loser = next(name for name, seated in server.tables[0].seated.items() if seated.life is Life.BROKE)
        wire = wires[["ann", "bob"].index(loser)]
        while wire.until(Op.INFORMATION).values[0] != "you have no chips left":
            pass


def test_bots_of_the_house_wait_for_company_unless_told_otherwise() -> None:
    options = TableOptions(seats=2, turn_seconds=60.0)
    with serving(options) as server:
        table = server.tables[0]
        for number in range(2):
            server.call(partial(server.seat_bot, f"house-{number}", "caller"))
        with Wire(server):  # who has not joined is no company
            until(server, lambda: len(server._visitors) == 1)
            server.call(table.sweep)
            assert server.call(lambda: table.hands) == 0
        with Wire(server) as late:
            assert late.join("ann") is Op.GOODPASS
            assert "you watch" in late.hear().values[0]
            assert late.until(Op.WINNERS).op is Op.WINNERS
        until(server, lambda: not table.visitors)
        before = server.call(lambda: table.hands)
        until(server, lambda: table.table.state().hand_id is None)
        assert server.call(lambda: table.hands) <= before + 1
    with serving(attrs.evolve(options, house_alone=True)) as server:
        for number in range(2):
            server.call(partial(server.seat_bot, f"house-{number}", "caller"))
        until(server, lambda: server.tables[0].hands > 3)


# -- coming and going ----------------------------------------------------------------------------


def test_who_comes_back_takes_the_seat_over_and_hears_the_hand_so_far() -> None:
    with serving() as server, table_of(server, "ann", "bob") as wires:
        wire, turn = asked(wires)
        seat = turn.values[0]
        user = ("ann", "bob")[seat]
        hole = server.call(lambda: server.tables[0].seated[user].latest)
        assert hole is not None
        with Wire(server) as again:
            assert again.join(user) is Op.GOODPASS
            assert again.until(Op.START_NEW_GAME)["position"] == seat
            assert again.until(Op.HOLE_CARDS).values == (seat, " ".join(map(str, hole.hole)))
            assert again.until(Op.NEXT_TO_ACT) == turn
            wire.rest()
            again.say(Op.ACTION, 1)
            assert wires[1 - seat].until(Op.CALL) == Message(Op.CALL, (seat, 5))


def test_a_turn_that_takes_too_long_is_taken_for_the_player() -> None:
    options = TableOptions(turn_seconds=0.05)
    with serving(options) as server, table_of(server, "ann", "bob") as wires:
        wire, _ = asked(wires)
        assert wire.until(Op.INFORMATION).values[0].endswith("has not acted in 0.05 s")
        assert wire.until(Op.FOLD, Op.WINNERS).op is Op.FOLD


def test_who_is_late_too_often_sits_out_until_it_says_something() -> None:
    with serving(TableOptions(turn_seconds=0.05)) as server, table_of(server, "ann") as (ann,):
        for number in range(2):
            server.call(partial(server.seat_bot, f"house-{number}", "caller"))
        while "sit out" not in ann.until(Op.INFORMATION).values[0]:
            pass
        assert ann.until(Op.START_NEW_GAME)["position"] == -1
        ann.say(Op.CHAT, "here I am")
        while ann.until(Op.START_NEW_GAME)["position"] < 0:
            pass


def test_who_has_quit_folds_and_the_seat_is_free() -> None:
    with serving() as server, table_of(server, "ann", "bob", "cy") as wires:
        wire, turn = asked(wires[:2])  # ann and bob are in a hand, cy waits
        wire.say(Op.QUIT_GAME)
        assert Op.PING not in [each.op for each in wire.rest()]
        gone = ("ann", "bob")[turn.values[0]]
        until(server, lambda: set(server.tables[0].seated) == {"ann", "bob", "cy"} - {gone})
        assert server.call(lambda: server.room.bank.balance(gone)) == 9_995


def test_connections_cut_at_every_message_lose_no_chip_and_stop_no_table() -> None:
    """Three play on; a fourth joins, hears so many messages and is gone, again and again."""
    options = TableOptions(turn_seconds=60.0, patience=0.0, grace=0.0, house_alone=True)
    with serving(options) as server:
        for number in range(3):
            server.call(partial(server.seat_bot, f"house-{number}", "caller"))
        for count in range(40):
            with Wire(server) as wire:
                wire.join("ann")
                mine = -1
                for number in range(count):
                    heard = wire.hear()
                    if heard.op is Op.START_NEW_GAME:
                        mine = heard["position"]
                    elif heard.op is Op.NEXT_TO_ACT and heard["who"] == mine and number < count - 1:
                        wire.say(Op.ACTION, 1)
        before = server.call(lambda: server.tables[0].hands)
        until(server, lambda: server.tables[0].hands > before + 3)
        until(server, lambda: "ann" not in server.tables[0].seated)
        audit = server.call(server.room.audit)
        assert audit.conserved
        assert audit.minted == 40_000


@pytest.mark.parametrize(
    ("program", "as_perl"),
    [
        ("Games::Poker::OPP", True),
        ("My::Bot 2", True),
        ("My::", False),
        ("Other My::Bot", False),
    ],
)
def test_a_class_derived_from_the_perl_client_is_told_hands_like_it_by_option(
    program: str, as_perl: bool
) -> None:
    options = TableOptions(turn_seconds=60.0, patience=60.0, grace=60.0, perl=("My::Bot",))
    with serving(options=options) as server, Wire(server) as ann, Wire(server) as bob:
        assert ann.join("ann", program=program) is Op.GOODPASS
        assert bob.join("bob") is Op.GOODPASS
        told, plain = ann.until(Op.START_NEW_GAME), bob.until(Op.START_NEW_GAME)
        assert (told["button"] != plain["button"]) is as_perl, (
            "heads-up that client counts its blinds from another seat"
        )


def test_an_empty_program_name_would_be_that_of_every_client() -> None:
    with pytest.raises(BadSpec, match="empty"):
        TableOptions(perl=("My::Bot", ""))


def test_a_room_on_threads_is_refused() -> None:
    with Room(ThreadRuntime()) as room, pytest.raises(BadSpec, match="StepRuntime"):
        OppServer(room)
