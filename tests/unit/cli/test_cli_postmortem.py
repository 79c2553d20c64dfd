"""After a failure: the trace that is left, and the command that opens it, typed as it is said."""

import io
import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from poker_actors.actors import Room, StepRuntime, ThreadRuntime
from poker_actors.actors.runtime import quiet_logs
from poker_actors.cards import Deck
from poker_actors.cli import main
from poker_actors.cli.postmortem import watched
from poker_actors.debug import Script, Stepper, Trace
from poker_actors.errors import BadHistory, RoomError
from poker_actors.rules import Hand, Stakes, event, parse_action
from poker_actors.rules import hand as rules_hand
from poker_actors.sim import Match, failed_hand
from poker_actors.sim.engines import Job, play_whole
from poker_actors.testing.chaos.run import Run

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Traces go to a directory of the test's own, and crashes made on purpose not to the log."""
    monkeypatch.chdir(tmp_path)
    with quiet_logs():
        yield


IMPURE = Path(__file__).parents[3] / "examples" / "broken" / "impure.py"


def test_a_bot_that_uses_random_is_named_with_the_command_that_shows_it_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    mine = tmp_path / "impure.py"
    mine.write_text(IMPURE.read_text(encoding="utf-8"), encoding="utf-8")
    assert (
        main(["simulate", "--bot", "impure.py:bot", "--bot", "tight", "--hands", "200", "--seed", "3"]) == 0
    )
    said = capsys.readouterr().err
    line = next(line for line in said.splitlines() if line.startswith("impure.py:bot answers the same view"))
    command = shlex.split(line.partition("see it: poker-actors ")[2])
    assert main(command) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("the same: ")
    assert "bot impure.py:bot (seat 0) is shown: You hold " in shown
    assert main([*command, "--json", "-"]) == 1
    asked = json.loads(capsys.readouterr().out)["asked_again"]
    assert {one["bot"] for one in asked["others"]} == {"impure.py:bot"}
    mine.unlink()
    assert main(command) == 0
    assert capsys.readouterr().out.endswith("not asked: impure.py:bot is not here\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("c\nq\n"))
    assert main(command[:-1]) == 0
    assert "the end, after " in capsys.readouterr().out


def test_bots_that_can_be_repeated_are_not_suspected(tmp_path: Path, capsys: Capture) -> None:
    assert main(["simulate", "--bot", "random", "--bot", "tight", "--hands", "20", "--seed", "3"]) == 0
    assert "otherwise" not in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_fault_bench_holds_its_runs_to_a_promise_of_ones_own(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    # whatever the seed comes to draw: every run has forty messages
    Path("short.py").write_text("def short(moment):\n    return moment.step < 40\n", encoding="utf-8")
    own = "short.py:short"
    assert main(["chaos", "--hands", "5", "--seed", "3", "--promise", own]) == 1
    shown = capsys.readouterr()
    assert "broken: short does not hold after message 40 of run " in shown.out
    line = next(line for line in shown.err.splitlines() if "a promise was broken; open it" in line)
    assert line.endswith(f"--promise {own}")
    assert "promise: short does not hold" in opened(line, monkeypatch, capsys, "faults", "q")
    Path("short.py").write_text("def short(moment):\n    return False\n", encoding="utf-8")
    assert main(["chaos", "--hands", "5", "--seed", "3", "--promise", own]) == 1
    assert "broken: short does not hold after message 1 of run " in capsys.readouterr().out, (
        "as the room opens"
    )
    place = Path("held.py")
    place.write_text("def held(moment):\n    assert moment.step >= 1\n", encoding="utf-8")
    assert main(["chaos", "--hands", "5", "--seed", "1", "--promise", "held.py:held"]) == 0
    assert "1 of your promises held in 1 runs" in capsys.readouterr().out
    place.write_text(
        "from poker_actors.debug import eventually\n\n\n"
        "@eventually\ndef rich(moment):\n    return moment.hand is not None and moment.hand.pot > 10**6\n",
        encoding="utf-8",
    )
    assert main(["chaos", "--hands", "5", "--seed", "1", "--promise", "held.py:rich"]) == 1
    shown = capsys.readouterr()
    assert "broken: rich has not held to the end, but must eventually after message " in shown.out
    line = next(line for line in shown.err.splitlines() if "a promise was broken; open it" in line)
    assert opened(line, monkeypatch, capsys, "q").startswith("program poker_actors.testing.chaos:watched_run")
    assert main(["chaos", "--hands", "5", "--runtime", "loop", "--promise", own]) == 2
    assert "--promise needs --runtime stepper" in capsys.readouterr().err


def test_the_fault_bench_asks_promises_as_it_plays_and_plays_a_run_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played: list[int] = []
    play = Run.play

    def counted(run: Run) -> None:
        played.append(run.settings.seed)
        play(run)

    monkeypatch.setattr(Run, "play", counted)
    Path("held.py").write_text("def held(moment):\n    return True\n", encoding="utf-8")
    assert main(["chaos", "--hands", "100", "--seed", "1", "--promise", "held.py:held"]) == 0
    assert len(played) == len(set(played)) == 2


def plant(monkeypatch: pytest.MonkeyPatch) -> None:
    """A showdown that cannot be reckoned: the first hand that comes to one fails."""

    def broken(*_: Any) -> None:
        raise ZeroDivisionError("no chips to share")

    monkeypatch.setattr(rules_hand.Hand, "_show_down", broken)


def opened(said: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture, *typed: str) -> str:
    """Type the command that was said."""
    command = shlex.split(said.partition("poker-actors ")[2])
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    assert main(command) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("driver", ["direct", "stepper"])
def test_a_hand_of_a_simulation_that_fails_opens_at_the_message_it_failed_on(
    driver: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    plant(monkeypatch)
    words = ["simulate", "--hands", "50", "--seed", "3", "--driver", driver]
    words += ["--bot", "folder", "--bot", "random", "--bot", "caller"]
    assert main(words) != 0
    said = capsys.readouterr().err
    line = next(line for line in said.splitlines() if "open it at that message" in line)
    (left,) = Path().glob("failed-hand-*.jsonl")
    trace = Trace.read(left)
    assert any(one["outcome"] == "crashed: ZeroDivisionError" for one in trace.steps[-1].handled)
    shown = opened(line, monkeypatch, capsys, "n", "q")
    assert "crashed: ZeroDivisionError" in shown
    assert main(["debug", "--trace", str(left), "--verify"]) == 0


def test_an_error_is_told_its_hand_and_keeps_it_on_the_way() -> None:
    match = Match.of(["caller", "caller"], hands=30, seed=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "poker_actors.sim.statistics.tally.hand_record",
            lambda number, hand: bytes(8 * len(hand.log) // (17 - number)),
        )
        with pytest.raises(ZeroDivisionError) as failed:
            play_whole(Job(match), range(30))
    assert failed_hand(failed.value) == 17
    assert failed.value.__notes__ == ["in hand 17 of seed 1"]
    assert failed_hand(RoomError("nowhere")) is None


def test_where_no_actor_crashes_the_trace_is_opened_at_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(
        "poker_actors.sim.statistics.tally.hand_record",
        lambda number, hand: bytes(8 * len(hand.log) // (4 - number)),
    )
    assert main(["simulate", "--hands", "9", "--seed", "3", "--bot", "caller", "--bot", "tight"]) != 0
    line = next(line for line in capsys.readouterr().err.splitlines() if "hand 4 failed" in line)
    assert "the end, after" in opened(line, monkeypatch, capsys, "l", "q")


def test_a_hand_that_hangs_together_with_others_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    plant(monkeypatch)
    words = ["simulate", "--hands", "50", "--seed", "3", "--bot", "caller", "--bot", "tight", "--duplicate"]
    assert main(words) != 0
    said = capsys.readouterr().err
    assert "failed; see it alone: poker-actors simulate --bot caller --bot tight --hands 50 --seed 3" in said
    assert not list(Path().glob("*.jsonl"))


def test_wrong_arguments_leave_nothing(capsys: Capture) -> None:
    assert main(["simulate", "--hands", "0"]) == 2
    assert not list(Path().iterdir())


def test_a_broken_promise_of_the_fault_bench_opens_at_the_message_that_broke_it(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """The planted bug lets every pot be won by everybody: odd runs show a share too many."""
    split = rules_hand.Hand._show_down

    def generous(hand: Any) -> None:
        split(hand)
        stacks = list(hand.stacks)
        stacks[hand.live[0]] += 1
        hand.stacks = tuple(stacks)

    monkeypatch.setattr(rules_hand.Hand, "_show_down", generous)
    assert main(["chaos", "--hands", "200", "--seed", "1"]) == 1
    shown = capsys.readouterr()
    assert "broken: " in shown.out
    line = next(line for line in shown.err.splitlines() if "open it at that message" in line)
    (left,) = Path().glob("broken-run-*.jsonl")
    trace = Trace.read(left)
    assert trace.error is not None
    again = opened(line, monkeypatch, capsys, "l", "t", "back", "n", "q")
    assert f"after {len(trace.steps)} messages" in again or "next: " in again


@pytest.mark.parametrize("runtime", [StepRuntime, ThreadRuntime])
def test_a_hand_of_a_live_room_that_crashes_leaves_its_trace(
    runtime: type[StepRuntime | ThreadRuntime], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    plant(monkeypatch)
    with watched(Room(runtime(), seed=7)) as room:
        table = room.open_table("green", seats=4, button=3)
        for seat, name in ((0, "ann"), (1, "bob"), (3, "cat")):
            player = room.player(name, "caller", chips=100)
            table.sit(player, seat)
            table.buy_in(player, 50)
        dealt = Deck.seeded(7)
        assert table.deal(dealt).result().hand is None
    said = capsys.readouterr().err
    line = next(line for line in said.splitlines() if "open it at that message" in line)
    assert line.startswith("green/hand-000000000 failed")
    (left,) = Path().glob("failed-green-*.jsonl")
    assert Trace.read(left).error == "ZeroDivisionError: no chips to share"
    shown = opened(line, monkeypatch, capsys, "t", "n", "q")
    assert "river" in shown
    assert "crashed: ZeroDivisionError" in shown


def test_the_script_of_a_hand_is_the_hand_with_empty_seats_left_out() -> None:
    hand = Hand([200, 0, 150, 90], Stakes(), deck=Deck.seeded(5), button=2)
    for word in ("call", "raise_to 12", "call"):
        hand.act(parse_action(word))
    with Stepper(Script.of_hand(hand, ["ann", "", "bob", "cat"])) as stepper:
        assert stepper.players == ("ann", "bob", "cat")
        stepper.run(until=lambda one: one.hand is not None and len(one.hand.log) == 3)
        assert stepper.hand is not None
        assert stepper.hand.holes == [hand.holes[seat] for seat in (0, 2, 3)]
        assert stepper.hand.stacks == tuple([hand.stacks[seat] for seat in (0, 2, 3)])


def test_a_hand_that_no_plain_table_plays_has_no_script() -> None:
    posted = [event.Posted(seat, event.Post.STRADDLE, 2 << seat) for seat in range(3)]
    hand = Hand([200] * 3, Stakes(), deck=Deck.seeded(5), button=2, posts=posted)
    with pytest.raises(BadHistory, match="plays plain hands"):
        Script.of_hand(hand)


def test_who_looks_at_a_crash_and_fails_does_no_harm_to_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)

    def failing(*_: Any) -> None:
        raise OSError("no space left")

    with Room(StepRuntime(), seed=7) as room:
        room.supervisor.on_crash = failing
        table = room.open_table("green", seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=100)
            table.sit(player)
            table.buy_in(player, 50)
        assert table.deal(Deck.seeded(7)).result().hand is None
        assert room.audit().conserved
