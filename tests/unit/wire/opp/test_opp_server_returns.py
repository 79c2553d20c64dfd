"""An OPP server over a Room with a store: closed, or killed, and opened again."""

import asyncio
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs
import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.errors import BadSpec, Refused
from poker_actors.rules import Stakes
from poker_actors.wire.opp import (
    Accounts,
    ActionCode,
    HoldemState,
    MemoryAccounts,
    Message,
    Op,
    OppClient,
    OppServer,
    TableOptions,
    running,
)
from tests.warm import CommandLine

PATIENT = TableOptions(turn_seconds=60.0, patience=60.0, grace=60.0, buy_in=10_000)


@contextmanager
def serving(store: Path, accounts: Accounts, options: TableOptions = PATIENT) -> Iterator[OppServer]:
    with (
        Room(StepRuntime(), store=store) as room,
        running(OppServer(room, options=options, accounts=accounts)) as server,
    ):
        yield server
        assert server.call(room.audit).conserved


class Stop(Exception):
    """Ends a game from inside a callback."""


def play(server: OppServer, user: str, turns: int) -> tuple[HoldemState, list[Op]]:
    """Call so many times, then leave the next turn open by hanging up; gives what was to be seen."""
    heard: list[Op] = []
    host, port = server.address
    client = OppClient(host, port, user, "pw")
    taken = 0

    def decide(client: OppClient, to_call: int, min_bet: int, max_bet: int) -> ActionCode:
        nonlocal taken
        if taken == turns:
            raise Stop
        taken += 1
        return ActionCode.CALL

    with client:
        assert client.joingame()
        with pytest.raises(Stop):
            client.playgame(decide, lambda client, message: heard.append(message.op))
    assert client.state is not None
    return client.state, heard


def test_a_hand_goes_on_at_the_seat_that_was_left_in_mid_hand(tmp_path: Path) -> None:
    accounts = MemoryAccounts(2)
    store = tmp_path / "room.db"
    with serving(store, accounts) as server:
        server.call(lambda: server.seat_bot("house", "caller"))
        before, _ = play(server, "ann", 2)
        hand = server.call(lambda: server.tables[0].table.state().hand_id)
    with serving(store, accounts) as server:
        server.call(lambda: server.seat_bot("house", "caller"))
        assert set(server.tables[0].seated) == {"ann", "house"}
        assert server.call(lambda: server.tables[0].table.state().hand_id) == hand
        after, heard = play(server, "ann", 0)
        assert heard[0] is Op.INFORMATION
        assert Op.START_NEW_GAME in heard
        assert (after.pot, after.board) == (before.pot, before.board)
        _, heard = play(server, "ann", 5)
        assert Op.WINNERS in heard
        assert server.call(lambda: server.room.audit().minted) == 20_000
        assert server.call(lambda: server.room.bank.balance("ann")) == 0


def test_of_a_hand_that_is_over_nothing_is_taken_up(tmp_path: Path) -> None:
    accounts = MemoryAccounts(2)
    store = tmp_path / "room.db"
    slowly = attrs.evolve(PATIENT, pause=60.0)
    with serving(store, accounts, slowly) as server:
        server.call(lambda: server.seat_bot("house", "caller"))
        play(server, "ann", 1)
        server.call(server.room.players["ann"].fold)
        assert server.call(lambda: server.tables[0].table.state().hand_id) is None
    with serving(store, accounts, slowly) as server:
        seated = server.tables[0].seated
        assert server.call(lambda: [each.latest for each in seated.values()]) == [None, None]
        assert server.call(lambda: server.tables[0].turns) == 0


def test_a_turn_at_another_table_takes_nobody_its_turn_here(tmp_path: Path) -> None:
    accounts = MemoryAccounts(2)
    store = tmp_path / "room.db"
    with serving(store, accounts) as server:
        server.call(lambda: server.seat_bot("house", "caller"))
        play(server, "ann", 2)
        hand = server.call(lambda: server.tables[0].table.state().hand_id)

        def elsewhere() -> None:
            other = server.room.open_table("zoo", seats=2, stakes=Stakes(1, 2), button=0)
            server.room.bank.lend("ann", 50)
            for seat, player in enumerate((server.room.players["ann"], server.room.player("eve", chips=50))):
                other.sit(player, seat)
                other.buy_in(player, 50)
            other.deal()

        server.call(elsewhere)
    with serving(store, accounts) as server:
        ann = server.tables[0].seated["ann"]
        there = server.call(ann.player.at("zoo").state)
        assert there is not None
        assert there.turn is not None, "ann has a turn at both tables"
        assert ann.latest is not None
        assert (ann.latest.hand_id, ann.latest.turn is not None) == (hand, True)
        server.call(lambda: server.seat_bot("house", "caller"))
        _, heard = play(server, "ann", 5)
        assert Op.WINNERS in heard


def test_chips_and_accounts_are_there_the_next_time_and_nobody_is_welcomed_twice(tmp_path: Path) -> None:
    accounts = MemoryAccounts(2)
    store = tmp_path / "room.db"
    options = TableOptions(grace=0.0, patience=0.0)
    with serving(store, accounts, options) as server:
        server.call(lambda: server.seat_bot("house", "caller"))
        play(server, "ann", 3)
    with serving(store, accounts, options) as server:
        server.call(lambda: server.seat_bot("house", "caller"))
        play(server, "ann", 3)
        assert server.call(lambda: server.room.audit().minted) == 20_000


def test_a_name_of_the_room_is_taken_by_nobody_without_its_account(tmp_path: Path) -> None:
    store = tmp_path / "room.db"
    with serving(store, MemoryAccounts(2)) as server:
        server.call(lambda: server.seat_bot("house", "caller"))
        play(server, "ann", 0)
    with serving(store, MemoryAccounts(2)) as server:  # who has lost its accounts knows nobody
        host, port = server.address
        with (
            OppClient(host, port, "ann", "other") as client,
            pytest.raises(Refused, match="does not accept the name 'ann'"),
        ):
            client.joingame()


def test_a_table_that_came_back_is_not_played_otherwise(tmp_path: Path) -> None:
    store = tmp_path / "room.db"
    with serving(store, MemoryAccounts(2)):
        pass
    wrong = TableOptions(bet=20, turn_seconds=60.0)
    with (
        Room(StepRuntime(), store=store) as room,
        pytest.raises(BadSpec, match="bet 20: table 'opp' was opened with 10"),
        running(OppServer(room, options=wrong)),
    ):
        pass


def test_whatever_keeps_a_server_from_starting_is_raised_where_it_was_started() -> None:
    def loopless() -> asyncio.AbstractEventLoop:
        raise LookupError("no loop here")

    with Room(StepRuntime()) as room:
        with pytest.raises(OverflowError), running(OppServer(room, port=70_000)):
            pass
        with pytest.raises(LookupError, match="no loop"), running(OppServer(room), loop_factory=loopless):
            pass


def test_an_error_after_the_start_is_the_threads_own(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda told: raised.append(told.exc_type))
    with Room(StepRuntime()) as room:
        server = OppServer(room)
        close = server.close

        async def fail() -> None:
            await close()
            raise FileNotFoundError

        monkeypatch.setattr(server, "close", fail)
        with running(server):
            pass
    assert raised == [FileNotFoundError]


def served(data: Path) -> tuple[CommandLine, str]:
    options = ["--data", str(data), "--buy-in", "10000", "--bot", "caller"]
    process = CommandLine("serve", "--opp", "127.0.0.1:0", *options)
    assert process.stderr is not None
    # a server that starts again says first what it found
    place = next(found for line in process.stderr if (found := re.search(r"OPP on (127\.0\.0\.1:\d+)", line)))
    return process, place[1]


def play_on(place: str) -> None:
    """Play five hands and hang up in the middle of the sixth."""
    host, _, port = place.partition(":")
    hands = 0

    def decide(client: OppClient, to_call: int, min_bet: int, max_bet: int) -> ActionCode:
        if hands == 5:
            raise Stop
        return ActionCode.CALL

    def status(client: OppClient, message: Message) -> None:
        nonlocal hands
        hands += message.op is Op.WINNERS

    with OppClient(host, int(port), "ann", "pw") as client:
        assert client.joingame()
        with pytest.raises(Stop):
            client.playgame(decide, status)


def test_a_server_killed_in_mid_game_goes_on_with_every_chip(tmp_path: Path) -> None:
    data = tmp_path / "room.db"
    outputs = []
    for stop in (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM):
        process, place = served(data)
        play_on(place)
        process.send_signal(stop)
        outputs.append(process.communicate(timeout=60)[0])
        assert process.returncode == (0 if stop is signal.SIGTERM else -stop)
    assert "of 20,000 chips 0 in the bank, 20,000 on the tables" in outputs[-1]
