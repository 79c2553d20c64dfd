"""A client that behaves as the 2003 Perl module did plays against our server, with that server's reasons."""

import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.cli.serving import _SharedAccounts
from poker_actors.server import Notes, Passwords, Users
from poker_actors.wire.opp import MemoryAccounts, OppServer, TableOptions, running

SCRIPT = Path(__file__).with_name("perl_client.pl")
PERL = shutil.which("perl")

pytestmark = pytest.mark.skipif(PERL is None, reason="there is no perl")


def start(port: int, user: str, password: str, hands: int, moves: str) -> "subprocess.Popen[str]":
    command = [str(PERL), str(SCRIPT), "127.0.0.1", str(port), user, password, str(hands), moves]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def bankrolls(line: str) -> dict[str, int]:
    return {name: int(chips) for name, chips in re.findall(r"(\w+)=(\d+)", line)}


def until(server: OppServer, condition: Callable[[], bool]) -> None:
    give_up_at = time.monotonic() + 60
    while not server.call(condition):
        assert time.monotonic() < give_up_at


def test_three_perl_clients_play_a_hundred_hands_and_their_bankrolls_add_up() -> None:
    # more chips than a hundred hands can cost: nobody buys in a second time
    options = TableOptions(buy_in=30_000)
    with Room(StepRuntime(), seed=1) as room:
        server = OppServer(room, accounts=MemoryAccounts(2), options=options, welcome=30_000)
        with running(server):
            port = server.address[1]
            clients = [start(port, "ann", "pw", 100, "1"), start(port, "bob", "pw", 1_000, "112")]
            clients.append(start(port, "cy", "pw", 1_000, "2011"))
            # the first has had enough; then the server closes, which ends the others
            lines = clients[0].communicate(timeout=60)[0].splitlines()
        others = [client.communicate(timeout=60) for client in clients[1:]]
        assert room.audit().conserved
    assert [client.returncode for client in clients] == [0, 0, 0], others
    games = [bankrolls(line) for line in lines if line.startswith("game")]
    assert len(games) == 100
    for game in games:
        assert sum(game.values()) == 30_000 * len(game)
    assert lines[-1].startswith("played 100 asked ")


def test_a_perl_client_hears_no_hand_it_is_not_dealt_into() -> None:
    """It reads position -1 as 4294967295 and would then act for seat 0."""
    options = TableOptions(seats=2)
    with Room(StepRuntime(), seed=1) as room:
        server = OppServer(room, accounts=MemoryAccounts(2), options=options)
        with running(server):
            table = server.tables[0]
            server.call(lambda: server.seat_bot("one", "caller"))
            server.call(lambda: server.seat_bot("two", "caller"))
            watcher = start(server.address[1], "ann", "pw", 1, "0")
            until(server, lambda: "ann" in [visitor.user for visitor in table.visitors])
            before = server.call(lambda: table.hands)
            until(server, lambda: table.hands > before + 20)
        output, errors = watcher.communicate(timeout=60)
    assert (watcher.returncode, output, errors) == (0, "played 0 asked 0\n", "")


def test_a_silent_perl_client_answers_pings_and_is_told_of_a_wrong_password() -> None:
    with Room(StepRuntime(), seed=1) as room:
        server = OppServer(room, accounts=MemoryAccounts(2))
        with running(server):
            table = server.tables[0]
            client = start(server.address[1], "ann", "pw", 1, "0")
            until(server, lambda: "ann" in table.seated)
            (visitor,) = table.visitors
            joined_at = visitor.heard_at
            server.call(lambda: visitor.ping(server._loop.time() + server.limits.ping_seconds + 1))
            until(server, lambda: visitor.heard_at > joined_at)
            assert start(server.address[1], "ann", "other", 1, "0").communicate(timeout=60)[0] == "badpass\n"
        assert client.communicate(timeout=60)[0] == "played 0 asked 0\n"
        assert client.returncode == 0


def test_a_perl_client_with_a_name_of_the_house_ends_of_the_badnick_that_the_protocol_has() -> None:
    """It knows GOODPASS and BADPASS, and dies of any other answer: it never comes in, and does not hear a wrong password."""
    accounts = _SharedAccounts(Users(Notes(), Passwords(argon2=False, scrypt_cost=2)))
    with Room(StepRuntime(), seed=1) as room, running(OppServer(room, accounts=accounts)) as server:
        client = start(server.address[1], "house", "pw", 1, "0")
        assert client.communicate(timeout=60) == ("", "Protocol error: got 24 from server\n")
        assert client.returncode != 0
