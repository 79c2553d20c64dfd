"""A session over a room that somebody's own code has opened."""

import random
import re
from pathlib import Path

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.bots import Faults
from poker_actors.cards import Deck
from poker_actors.debug import (
    GOD,
    Program,
    Stepper,
    Trace,
    ask_again,
    leave_trace,
    mermaid,
    page,
    script_of,
    verify,
)
from poker_actors.debug.asking import next_words, step_words, title
from poker_actors.debug.session import Watch
from poker_actors.errors import BadHistory, BadSpec, Discrepancy
from poker_actors.sim import Match
from poker_actors.sim.drivers import driver_named

PLACE = f"{__file__}:evening"


def evening(watch: Watch, hands: int = 1, seed: int = 7) -> None:
    """Two players at a table, who sit down, play, and leave."""
    runtime = StepRuntime()
    watch(runtime)
    with Room(runtime, seed=seed) as room:
        table = room.open_table("green", seats=2, button=0)
        ann, bob = (room.player(name, bot, chips=100) for name, bot in (("ann", "random"), ("bob", "caller")))
        for player in (ann, bob):
            table.sit(player)
            table.buy_in(player, 50)
        for number in range(hands):
            table.deal(Deck.seeded(seed + number)).result()
        table.cash_out(ann)


def test_stepping_to_the_end_is_what_the_program_does_by_itself() -> None:
    delivered: list[tuple[str | None, str, str]] = []

    def listening(runtime: StepRuntime) -> None:
        runtime.observers.append(
            lambda one: delivered.append((one.sender, one.receiver, type(one.message).__name__))
        )

    evening(listening)
    with Stepper(Program(evening)) as stepper:
        stepper.run()
        assert stepper.over
        assert stepper.failure is None
        assert [seat.name for seat in stepper.picture().seats] == ["ann", "bob"], (
            "ann has left, and the room is closed"
        )
        assert [
            (one.delivery.sender, one.delivery.receiver, type(one.delivery.message).__name__)
            for step in stepper.steps
            for one in step.handled
        ] == delivered


def test_back_then_forward_is_as_if_nobody_had_moved() -> None:
    with Stepper(Program(evening)) as stepper:
        hashes = [stepper.hash()]
        while stepper.step() is not None:
            hashes.append(stepper.hash())
        assert len(set(hashes)) > len(hashes) // 2
        for position in random.Random(1).sample(range(len(hashes)), 12):
            stepper.goto(position)
            assert stepper.hash() == hashes[position]
            stepper.back(min(3, position))
            stepper.goto(position)
            assert stepper.hash() == hashes[position]


def test_everything_but_a_fork_can_be_done() -> None:
    with Stepper(Program(evening)) as stepper:
        stepper.break_on("message Act")
        hit = stepper.run()
        assert hit is not None
        assert "main" not in "".join(stepper.actors)
        assert {"bank", "player ann", "player bob"} <= {name.removeprefix("the ") for name in stepper.actors}
        table = next(name for name in stepper.actors if "green" in name and "/" not in name)
        assert stepper.inspect(table)["kind"] == "table"
        assert stepper.players == ("ann", "bob")
        assert stepper.evaluate("step") == stepper.position
        assert stepper.diff(stepper.position - 1, stepper.position)
        assert str(stepper.why("stack 0"))
        assert stepper.picture().seats[0].name == "ann"
        assert stepper.cause is None or stepper.cause < stepper.position
        with pytest.raises(BadSpec, match="plays by itself: change it, and open it again"):
            stepper.fork("fold")
        with pytest.raises(BadSpec, match="keeps its room to itself"):
            _ = stepper.room


def test_pictures_and_pages_are_made_of_it() -> None:
    with Stepper(Program(evening)) as stepper:
        assert "sequenceDiagram" in mermaid(stepper)
        assert "program evening" in page(stepper)


def test_eyes_see_what_they_may_and_nothing_else() -> None:
    with Stepper(Program(evening), viewpoint="seat 1") as stepper:
        stepper.step_street()
        holes = stepper.evaluate("holes")
        assert holes[0] != holes[1]
        assert "hidden" in str(holes[0]).lower() or holes[0] != stepper.hand.holes[0]  # type: ignore[union-attr]
        with pytest.raises(BadSpec):
            stepper.view(0)


def test_a_trace_of_a_program_that_has_a_place_is_read_and_played_again(tmp_path: Path) -> None:
    trace = Trace.of(Program.at(PLACE, hands=2))
    trace.write(tmp_path / "evening.jsonl")
    again = Trace.read(tmp_path / "evening.jsonl")
    assert again == trace
    assert verify(again) == len(trace.steps)
    with Stepper(script_of(again)) as stepper:
        stepper.goto(5)
        assert stepper.position == 5
    other = Trace(Program.at(PLACE, hands=2, seed=8), trace.steps)
    with pytest.raises(Discrepancy, match=r"step \d+: the trace has"):
        verify(other)


def test_what_has_no_place_cannot_be_in_a_trace(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match=r"program evening: a trace needs its place"):
        Trace.of(Program(evening)).write(tmp_path / "evening.jsonl")
    with pytest.raises(BadSpec):
        Program.at("nowhere.py:evening")


def gone(tmp_path: Path, play: str = "evening") -> tuple[Trace, Trace]:
    """Return a program's trace, and the same read where the program's file is gone."""
    source = tmp_path / "mine.py"
    source.write_text(Path(__file__).read_text(encoding="utf-8"), encoding="utf-8")
    made = Trace.of(Program.at(f"{source}:{play}"))
    made.write(tmp_path / "gone.jsonl")
    source.unlink()
    return made, Trace.read(tmp_path / "gone.jsonl")


def test_a_trace_opens_where_its_program_is_not(tmp_path: Path) -> None:
    made, read = gone(tmp_path)
    assert list(read.lines()) == list(made.lines())
    with Stepper(Program(evening)) as live, Stepper(script_of(read)) as stepper:
        live.run()
        stepper.run()
        assert stepper.over
        assert stepper.failure is None
        assert [[*step_words(one, GOD)] for one in stepper.steps] == [
            [*step_words(one, GOD)] for one in live.steps
        ]
        assert stepper.find("bob") == live.find("bob")
        stepper.goto(0)
        stepper.break_on("message Act if action in ['call', 'check', 'fold']")
        assert stepper.run() is not None
        here = stepper.position
        assert stepper.evaluate("message.type") == "Act"
        stepper.run()
        assert stepper.reverse() is not None
        assert stepper.position == here
        assert "only the messages are here" in title(stepper)
        assert stepper.actors == ()
        assert stepper.picture().seats == ()
        with pytest.raises(BadSpec, match="no hand is dealt"):
            stepper.why("pot")
        with pytest.raises(BadSpec, match="plays by itself"):
            stepper.fork("fold")
        with pytest.raises(BadSpec, match="only its messages were recorded"):
            _ = stepper.room


def test_of_a_program_that_is_not_here_nothing_can_be_verified(tmp_path: Path) -> None:
    _, read = gone(tmp_path)
    with pytest.raises(BadHistory, match="it cannot be replayed"):
        verify(read)
    assert ask_again(read).absent == (script_of(read).title,)


def test_what_went_wrong_is_shown_where_the_program_is_not(tmp_path: Path) -> None:
    _, read = gone(tmp_path, "refused")
    with Stepper(script_of(read)) as stepper:
        stepper.break_on("refused")
        assert stepper.run() is not None
        assert "refuses Sit: " in str(stepper.incidents[-1])
        stepper.run()
        (last,) = next_words(stepper, stepper.names())
        assert last.strip() == f"ended early, after {stepper.position} messages: {stepper.failure}"
        assert "seat 0 is taken by ann" in last


def test_a_record_shows_its_cards_to_the_god_viewpoint_only(tmp_path: Path) -> None:
    _, read = gone(tmp_path)
    with Stepper(script_of(read), viewpoint="spectator") as stepper:
        stepper.run()
        shown = "\n".join(line for one in stepper.steps for line in step_words(one, stepper.viewpoint))
        assert "Message" in shown
        assert "HandState" not in shown
        assert stepper.find("HandState #") == []


def refused(watch: Watch) -> None:
    """Two who want the same seat; the second is not caught."""
    runtime = StepRuntime()
    watch(runtime)
    with Room(runtime, seed=1) as room:
        table = room.open_table("green", seats=2, button=0)
        table.sit(room.player("ann", "caller", chips=100), 0)
        table.sit(room.player("bob", "caller", chips=100), 0)


def test_a_program_that_fails_shows_how_far_it_came() -> None:
    def failing(watch: Watch) -> None:
        evening(watch)
        raise ValueError("the till is short")

    with Stepper(Program(failing)) as stepper:
        stepper.run()
        assert stepper.over
        assert str(stepper.failure) == "the till is short"
        (last,) = next_words(stepper, stepper.names())
        assert f"ended early, after {stepper.position} messages: ValueError: the till is short (" in last
        assert re.search(r"test_debug_program\.py:\d+\)$", last)


def test_a_program_with_luck_of_its_own_is_found_out() -> None:
    luck = iter(range(1000))

    def fickle(watch: Watch) -> None:
        evening(watch, seed=next(luck))

    with Stepper(Program(fickle)) as stepper:
        stepper.run()
        with pytest.raises(Discrepancy, match="cannot be repeated"):
            stepper.goto(stepper.position - 1)


def test_a_program_that_watches_nothing_is_over_at_once() -> None:
    with Stepper(Program(lambda watch: None)) as stepper:
        assert stepper.over
        assert stepper.step() is None
        assert stepper.actors == ()


def test_a_simulation_of_the_actors_can_be_stepped_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any code that opens a room on a stepper: here our own driver, which makes its runtime itself."""

    def simulation(watch: Watch) -> None:
        def watched() -> StepRuntime:
            runtime = StepRuntime()
            watch(runtime)
            return runtime

        monkeypatch.setattr("poker_actors.actors.StepRuntime", watched)
        match = Match.of(["caller", "random"], hands=2, seed=3)
        bots = [spec.make() for spec in match.bots]
        list(driver_named("stepper")(match, range(2), bots, [Faults(), Faults()]))

    with Stepper(Program(simulation)) as stepper:
        stepper.step_hand()  # to the first deal
        stepper.step_hand()
        assert stepper.hand is not None
        assert not stepper.over
        stepper.run()
        assert stepper.failure is None


def test_the_message_on_which_an_actor_crashes_is_where_a_trace_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("no chips to share")

    monkeypatch.setattr("poker_actors.rules.payout.split_pot", broken)
    command = leave_trace(Program.at(PLACE, seed=3), tmp_path / "left.jsonl", None, "void")
    trace = Trace.read(tmp_path / "left.jsonl")
    crash = trace.steps[-1].handled[0]
    assert crash["outcome"] == "crashed: ZeroDivisionError" or any(
        one["outcome"] == "crashed: ZeroDivisionError" for one in trace.steps[-1].handled
    )
    assert command.endswith(f"--goto {len(trace.steps) - 1}")
