"""`acpc dealer` and `acpc client` as processes: a match, its log, what is wrong, what is missing."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from poker_actors.cli import main
from tests.warm import CommandLine

HANGS = 600
"""Seconds after which a process counts as hung; on a busy machine a match takes a hundred."""


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = CommandLine(*arguments)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def ports_of(dealer: subprocess.Popen[str]) -> list[str]:
    assert dealer.stdout is not None
    return dealer.stdout.readline().split()


def test_a_dealer_and_two_clients_play_hands_that_replay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, result = tmp_path / "match.log", tmp_path / "result.json"
    with running(
        *(
            "acpc",
            "dealer",
            "--game",
            "holdem.nolimit.2p",
            "--hands",
            "60",
            "--seed",
            "3",
            "--names",
            "ann,bob",
        ),
        *("--log", str(log), "--json", str(result)),
    ) as dealer:
        ports = ports_of(dealer)
        client = ("--seed", "1", "--json", "-", "--bot")
        with (
            running("acpc", "client", f"127.0.0.1:{ports[0]}", *client, "tight") as ann,
            running("acpc", "client", f"127.0.0.1:{ports[1]}", *client, "pot-odds") as bob,
        ):
            said = [json.loads(player.communicate(timeout=HANGS)[0]) for player in (ann, bob)]
            score, errors = dealer.communicate(timeout=HANGS)
            assert [ann.returncode, bob.returncode, dealer.returncode] == [0, 0, 0]
    assert errors == ""
    chips = [player["chips"] for player in said]
    assert sum(chips) == 0
    assert score == f"SCORE:{chips[0]}|{chips[1]}:ann|bob\n"
    found = json.loads(result.read_text())
    assert [player["chips"] for player in found["players"]] == chips
    assert [found["hands"], found["broken"], said[0]["hands"], said[0]["faults"]] == [60, None, 60, 0]
    assert main(["replay", str(log)]) == 0
    assert capsys.readouterr().out == "60 hands: 60 agree, 0 disagree\n"


def test_a_match_that_is_broken_off_is_status_1_on_both_sides() -> None:
    with running("acpc", "dealer", "--hands", "10", "--seed", "1") as dealer:
        ports = ports_of(dealer)
        with running("acpc", "client", f"127.0.0.1:{ports[0]}", "--bot", "caller", "--seed", "1") as client:
            with socket.create_connection(("127.0.0.1", int(ports[1])), HANGS) as leaving:
                leaving.sendall(b"VERSION:2.0.0\r\n")
                assert leaving.recv(11) == b"MATCHSTATE:"
            _, errors = dealer.communicate(timeout=HANGS)
            client.communicate(timeout=HANGS)
            assert (dealer.returncode, client.returncode) == (1, 1)
    assert "the match was broken off after 0 hands: seat 1 (p2): it has closed the connection" in errors


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["acpc", "dealer", "--game", "holdem.nolimt.2p"], "did you mean holdem.nolimit.2p?"),
        (["acpc", "dealer", "no.game"], "no.game: no such file"),
        (["acpc", "dealer", "x.game", "--game", "holdem.limit.2p"], 'unexpected argument "x.game"'),
        (["acpc", "dealer", "--hands", "0"], '"0" for --hands'),
        (["acpc", "dealer", "--seed", "-1"], "the competition's seeds are 0 to 4294967295"),
        (["acpc", "dealer", "--ports", "1,2,3"], "3 ports for 2 seats"),
        (["acpc", "dealer", "--ports", "1,x"], "'x' is not a port"),
        (["acpc", "dealer", "--host", ""], "--host '' is not an address"),
        (["acpc", "dealer", "--names", "a,b,c"], "3 names"),
        (["acpc", "dealer", "--names", "a,a"], "two players are called 'a'"),
        (["acpc", "client", "127.0.0.1:1", "--bot", "none"], "no bot is called 'none'"),
        (["acpc", "dealer", "--response-seconds", "0"], "response of 0.0 seconds"),
        (["acpc", "dealer", "--limit", "connections=0"], "connections 0 is"),
        (["acpc", "dealer", "--limit", "seats=9"], "'seats=9': a dealer's limits are"),
        (["acpc", "dealer", "--limit", "guesses=9"], "a dealer's limits are connections, "),
        (["acpc", "dealer", "--ignored", "-1"], "ignored -1 is below the minimum of 0"),
        (["acpc", "dealer", "--resume"], "--resume needs --turns FILE, the match to continue"),
        (["acpc", "client", "here", "--bot", "tight"], "is not HOST:PORT"),
        (["acpc", "client", "127.0.0.1:1", "--bot", "tigt"], "did you mean tight?"),
        (["acpc", "client", "127.0.0.1:1", "--bot", "tight", "--game", "chess"], "no game is called 'chess'"),
        (
            ["acpc", "client", "127.0.0.1:1", "--bot", "tight", "--connect-seconds", "0"],
            "--connect-seconds 0",
        ),
    ],
)
def test_wrong_input_is_one_line_and_status_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_a_dealer_holds_the_limits_of_its_door_and_of_lines_that_answer_nothing() -> None:
    limits = ("--limit", "connections-per-address=1", "--limit", "messages_per_second=1000", "--ignored", "2")
    with running("acpc", "dealer", "--hands", "10", "--seed", "1", *limits) as dealer:
        first, second = ports_of(dealer)
        with socket.create_connection(("127.0.0.1", int(first)), HANGS) as ann:
            ann.sendall(b"VERSION:2.0.0\r\n")
            with socket.create_connection(("127.0.0.1", int(second)), HANGS) as refused:
                assert refused.recv(1) == b""
            with socket.create_connection(("127.0.0.1", int(second)), HANGS, ("127.0.0.2", 0)) as bob:
                bob.sendall(b"VERSION:2.0.0\r\n" + b"# a comment\r\n" * 3)
                _, errors = dealer.communicate(timeout=HANGS)
    assert dealer.returncode == 1
    assert "seat 1 (p2): 3 lines that answer nothing" in errors


def test_a_log_that_is_there_is_kept_unless_forced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "match.log"
    log.write_text("kept")
    assert main(["acpc", "dealer", "--seed", "1", "--log", str(log)]) == 2
    assert "match.log: file exists" in capsys.readouterr().err
    assert log.read_text() == "kept"


def test_a_taken_port_and_a_dealer_that_is_not_there_are_status_3(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["acpc", "dealer", "--seed", "1", "--ports", f"0,{port}"]) == 3
        assert "stop what listens there" in capsys.readouterr().err
    assert main(["acpc", "client", f"127.0.0.1:{port}", "--bot", "tight", "--seed", "1"]) == 3
    assert "start the server" in capsys.readouterr().err


def test_a_drawn_seed_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["acpc", "dealer", "--start-seconds", "0.01"]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("seed ")
    assert "nobody has connected in 0.01 seconds" in captured.err
    assert len(captured.out.split()) == 2
