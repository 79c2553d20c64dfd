"""`serve` and `opp` as processes: they play, bankrolls add up, and stopping settles everything."""

import json
import re
import signal
import socket
import threading
from collections.abc import Iterator

import pytest

from poker_actors.wire.opp import Op, encode, message
from tests.warm import CommandLine


@pytest.fixture
def server() -> Iterator[tuple[CommandLine, str]]:
    process = CommandLine("serve", "--opp", "127.0.0.1:0", "--buy-in", "10000")
    assert process.stderr is not None
    place = re.search(r"127\.0\.0\.1:\d+", process.stderr.readline())
    assert place is not None
    yield process, place[0]
    if process.poll() is None:
        process.kill()
    process.communicate()


def test_two_bots_play_and_their_bankrolls_add_up(server: tuple[CommandLine, str]) -> None:
    process, place = server
    players = [
        CommandLine(
            "opp", "client", place, "--user", name, "--bot", "pot-odds", "--hands", "30", "--json", "-"
        )
        for name in ("ann", "bob")
    ]
    results = [json.loads(player.communicate(timeout=60)[0]) for player in players]
    assert [player.returncode for player in players] == [0, 0]
    for result in results:
        assert result["hands"] == 30
        assert sum(result["bankrolls"].values()) == 20_000
        assert result["misunderstood"] == result["faults"] == 0
    assert results[0]["bankrolls"] == results[1]["bankrolls"]
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert re.search(r"of 20,000 chips 20,000 in the bank, 0 on the tables", output)


def test_a_wrong_password_is_status_1(
    server: tuple[CommandLine, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    _, place = server
    folder = tmp_path_factory.mktemp("passwords")
    (folder / "one").write_text("one\n", encoding="utf-8")
    (folder / "two").write_text("two\n", encoding="utf-8")
    statuses = []
    for name in ("one", "two"):
        player = CommandLine("opp", "client", place, "--user", "ann", "--password-file", str(folder / name))
        statuses.append(player)
        if name == "one":
            # nobody else is there: the end of input leaves only once asked, so it is stopped instead
            assert player.stdout is not None
            assert "you sit in seat 0" in player.stdout.readline()
        else:
            player.communicate(timeout=60)
    statuses[0].send_signal(signal.SIGINT)
    statuses[0].communicate(timeout=60)
    assert [player.returncode for player in statuses] == [130, 1]


def test_an_interrupt_ends_the_server_with_130_and_a_taken_port_is_3(
    server: tuple[CommandLine, str],
) -> None:
    process, place = server
    second = CommandLine("serve", "--opp", place)
    _, errors = second.communicate(timeout=60)
    assert second.returncode == 3
    assert "stop what listens there" in errors
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.endswith("interrupted\n")


def test_an_interrupt_ends_a_server_that_a_shell_started_in_the_background() -> None:
    """Such a shell lets its children ignore SIGINT."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = CommandLine("serve", "--opp", "127.0.0.1:0")
    finally:
        signal.signal(signal.SIGINT, before)
    assert process.stderr is not None
    assert "OPP on 127.0.0.1:" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130


def test_a_server_that_is_not_there_is_3() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    player = CommandLine("opp", "client", f"127.0.0.1:{port}", "--user", "ann", "--bot", "tight")
    _, errors = player.communicate(timeout=60)
    assert player.returncode == 3
    assert "connection refused" in errors.lower()


class OddServer:
    """Says what it is told to, to whoever connects first."""

    def __init__(self, said: bytes | None) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.place = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._said = said
        self.done = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        with self._listener:
            opened, _ = self._listener.accept()
        with opened:
            opened.recv(4096)
            if self._said is None:
                self.done.wait(60)
            else:
                opened.sendall(self._said)
                opened.shutdown(socket.SHUT_WR)
                while opened.recv(4096):
                    pass

    def __enter__(self) -> "OddServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self._thread.join(60)


def test_a_server_that_never_answers_is_3_in_one_line() -> None:
    with OddServer(None) as server:
        player = CommandLine("opp", "client", server.place, "--user", "ann", "--bot", "tight")
        _, errors = player.communicate(timeout=60)
    assert player.returncode == 3
    assert errors.splitlines()[-1] == f"poker-actors: {server.place}: does not answer"
    assert "Traceback" not in errors


def test_foreign_names_steer_no_terminal() -> None:
    rows = (("ann", 500, 0), ("\x1b[2Jbob", 500, 0))
    said = b"".join(
        encode(each) for each in (message(Op.GOODPASS), message(Op.START_NEW_GAME, 10, 2, 0, 0, 1, rows))
    )
    with OddServer(said) as server:
        player = CommandLine(
            "opp", "client", server.place, "--user", "ann", "--bot", "tight", "--reconnect", "0"
        )
        output, errors = player.communicate(timeout=60)
    assert player.returncode == 0, errors
    assert "\\x1b[2Jbob" in output
    assert "\x1b" not in output + errors
