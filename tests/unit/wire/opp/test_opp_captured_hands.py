"""Captures become hand histories: every connection is kept, and the rules agree with every hand."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.cli import main
from poker_actors.history import HandHistory, histories, replay
from poker_actors.wire.opp import Guest, MemoryAccounts, OppClient, OppServer, TableOptions, running

COMMAND = [sys.executable, "-c", "import sys; from poker_actors.cli import main; sys.exit(main())"]


def bot_plays(place: tuple[str, int], user: str, bot: str, hands: int) -> None:
    with OppClient(*place, user, "pw") as client, Room(StepRuntime(), seed=len(user)) as room:
        assert client.joingame()
        Guest(room.player(user, bot), client).play(hands)


def captured(capture: Path, users: dict[str, str], hands: int, *, credit: bool) -> None:
    """Play through the proxy of the command, which saves what it hears."""
    options = TableOptions(credit=credit, buy_in=150)
    with (
        Room(StepRuntime(), seed=3) as room,
        running(OppServer(room, options=options, accounts=MemoryAccounts(2))) as server,
    ):
        host, port = server.address
        proxy = subprocess.Popen(
            [*COMMAND, "opp-dump", f"{host}:{port}", "--save", str(capture), "--json", str(capture) + ".json"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert proxy.stderr is not None
        place = ("127.0.0.1", int(proxy.stderr.readline().rpartition(":")[2]))
        players = [
            threading.Thread(target=bot_plays, args=(place, user, bot, hands)) for user, bot in users.items()
        ]
        for player in players:
            player.start()
        for player in players:
            player.join(120)
        proxy.kill()
        proxy.communicate()


@pytest.mark.parametrize("credit", [False, True], ids=["chips", "credit"])
def test_every_hand_of_a_capture_is_a_history_that_the_rules_agree_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], credit: bool
) -> None:
    capture, target = tmp_path / "session.hex", tmp_path / "hands.phhs"
    captured(capture, {"ann": "random", "bob": "random"}, 30, credit=credit)
    assert {"> ", "2>", "< ", "2<"} <= {line[:2] for line in capture.read_text("ascii").splitlines()}
    assert main(["opp-dump", str(capture), "--to", str(target)]) == 0
    assert "wrote" in capsys.readouterr().err
    found: list[HandHistory] = list(histories(target))
    assert len(found) >= 30
    both_seen = 0
    for history in found:
        assert history.finishing == (replayed := replay(history)).final_stacks
        assert replayed.hand.over
        both_seen += "?" not in "".join(map(str, [card for hole in history.holes for card in hole]))
    assert both_seen >= 29, "the hole cards of both connections are in one history"


def test_a_file_that_is_there_is_overwritten_only_by_force_and_never_the_capture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capture = tmp_path / "session.hex"
    capture.write_text("< 00000015 00000000\n", encoding="ascii")
    assert main(["opp-dump", str(capture), "--to", str(tmp_path / "hands.phhs")]) == 2
    assert "has no whole hand (0 unfinished" in capsys.readouterr().err
    (tmp_path / "hands.phhs").write_text("mine", encoding="utf-8")
    assert main(["opp-dump", str(capture), "--to", str(tmp_path / "hands.phhs")]) == 2
    assert "--force overwrites it" in capsys.readouterr().err
    assert (tmp_path / "hands.phhs").read_text("utf-8") == "mine"
    assert main(["opp-dump", str(capture), "--to", str(capture), "--force"]) == 2
    assert main(["opp-dump", "127.0.0.1:1", "--to", "hands.phhs"]) == 2
    assert capture.read_text("ascii").startswith("< ")
