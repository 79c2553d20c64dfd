"""What goes wrong is an event: a bot's fault, a refusal, a crash, a time-out, a void hand, a broken promise."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.player import PlayerActor
from poker_actors.actors.runtime import quiet_logs
from poker_actors.cards import Deck
from poker_actors.cli import main
from poker_actors.debug import GOD, SPECTATOR, Program, Script, Stepper, Viewpoint, converse, explore
from poker_actors.debug.session import Watch
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, Call, Check, Hand, RaiseTo, View
from poker_actors.rules.payout import PaidRounds

EXAMPLES = Path(__file__).parents[3] / "examples"
DIVIDES = f"{EXAMPLES / 'broken' / 'divides.py'}:bot"


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with quiet_logs():
        yield


def calls(view: View) -> Action:
    return Call() if view.to_call else Check()


def raises(view: View) -> Action:
    secret = "a local of the bot"  # noqa: F841  shown on demand
    raise ValueError("cannot count to three")


def raises_too_little(view: View) -> Action:
    return RaiseTo(1)


def said(stepper: Stepper, *lines: str) -> str:
    out: list[str] = []
    converse(stepper, lines, out.append)
    return "\n".join(out)


def fail_at(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """The rules fail on the so-manieth action, with the hand half changed."""
    right: Callable[[Hand, Action], None] = Hand.act

    def act(hand: Hand, action: Action) -> None:
        if len(hand.log) == number:
            hand.to_act = hand.to_act[1:]
            hand.bets = (-5, *hand.bets[1:])
            raise ZeroDivisionError("no chips to share")
        right(hand, action)

    monkeypatch.setattr(Hand, "act", act)


# -- the bots -----------------------------------------------------------------------------------


def test_a_bot_that_raises_is_an_event_with_its_text_its_place_and_its_traceback() -> None:
    with Stepper(bots=[raises, calls, calls], seed=3) as stepper:
        hit = stepper.break_on("fault")
        assert stepper.run() == hit
        incident = stepper.incidents[-1]
        assert (incident.kind, incident.who) == ("fault", "player raises")
        assert "raised ValueError: cannot count to three; it has to fold instead" in str(incident)
        assert incident.place.endswith(f"test_debug_incidents.py:{raises.__code__.co_firstlineno + 2}")
        assert incident.traceback()[-1] == "ValueError: cannot count to three"
        assert not any(
            "a local of the bot" in line for line in incident.traceback() if "secret =" not in line
        )
        assert any("secret = 'a local of the bot'" in line for line in incident.traceback(local=True))
        assert incident.state["name"] == "raises"
        stepper.goto(0)
        stepper.run()
        assert incident.traceback() == stepper.incidents[-1].traceback()  # a replay adds nothing to it


def test_an_illegal_action_says_why_it_was_refused() -> None:
    with Stepper(bots=[raises_too_little, calls, calls], seed=3) as stepper:
        stepper.break_on("refused")
        assert stepper.run() is not None
        text = str(stepper.incidents[-1])
        assert "player raises_too_little answers raise_to 1" in text
        assert "below the minimum" in text or "1" in text
        with Stepper(stepper.script) as other:
            other.break_on("fault")
            other.run()
            assert other.position == stepper.position


def test_a_viewpoint_that_may_not_see_a_seat_is_not_told_what_its_bot_said() -> None:
    with Stepper(bots=[raises, calls, calls], seed=3) as stepper:
        stepper.run()
        incident = stepper.incidents[0]
        for viewpoint in (SPECTATOR, Viewpoint(seat=1)):
            assert incident.shown(viewpoint) == "fault: player raises"
            assert incident.traceback(viewpoint, local=True) == ["hidden"]
        assert incident.shown(Viewpoint(seat=0)) == incident.shown(GOD)
        stepper.viewpoint = SPECTATOR
        assert "cannot count" not in said(stepper, "faults", "fault locals state", "into", "l")


# -- crashes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(6))
def test_the_debugger_outlives_an_exception_in_the_rules(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_at(monkeypatch, number)
    with Stepper(bots=[calls, calls, calls], seed=3) as stepper:
        lines = [
            "c",
            "why pot",
            "why winner",
            "why turn",
            "why stack 1",
            "p pot",
            "t",
            "faults",
            "fault locals state",
        ]
        lines += [
            "back 1",
            "why pot",
            "w",
            "diff",
            "l",
            "actors",
            "p main/hand-000000000",
            "last pot",
            "view seat 1",
            "t",
        ]
        text = said(stepper, *lines)
    assert "this is a bug" not in text
    assert text.count("ZeroDivisionError: no chips to share") >= 2
    assert "crash: main/hand-000000000 crashes: ZeroDivisionError: no chips to share; it stays down" in text
    assert "void" in text
    assert "all stacks are what they were" in text


def test_a_pot_is_explained_as_it_was_before_the_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    fail_at(monkeypatch, 1)
    with Stepper(bots=[calls, calls, calls], seed=3) as stepper:
        stepper.break_on("crash")
        stepper.run()
        reason = stepper.why("pot")
        assert (reason.value, reason.wrong) == (5, ())
        assert stepper.inspect("main/hand-000000000")["crashed"].startswith(
            "crash: main/hand-000000000 crashes"
        )


def test_a_void_hand_shows_all_stacks_back(monkeypatch: pytest.MonkeyPatch) -> None:
    fail_at(monkeypatch, 2)
    with Stepper(bots=[calls, calls, calls], seed=3) as stepper:
        stepper.break_on("void")
        assert stepper.run() is not None
        picture = stepper.picture()
        assert picture.street == "void"
        assert [seat.stack for seat in picture.seats] == [200, 200, 200]
        assert stepper.evaluate("payoffs") == [0, 0, 0]
        stepper.run()
        assert "the hand is void" in said(stepper, "n")


def test_a_question_that_fails_is_answered_with_the_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    with Stepper(bots=[calls, calls, calls], seed=3) as stepper:
        stepper.run()
        monkeypatch.setattr(Hand, "_show_down", lambda *_: 1 // 0)
        text = said(stepper, "why pot", "why winner", "t", "q")
    assert text.count("ZeroDivisionError") == 2
    assert "the rules fail when queried" in text


# -- time ---------------------------------------------------------------------------------------


def evening(watch: Watch) -> None:
    """Ann has no bot, and nobody acts for her in time."""
    runtime = StepRuntime()
    watch(runtime)
    with Room(runtime, seed=7) as room:
        table = room.open_table("green", seats=2, turn_seconds=20)
        for name, bot in (("ann", None), ("bob", "caller")):
            player = room.player(name, bot, chips=100)
            table.sit(player)
            table.buy_in(player, 50)
        table.deal(Deck.seeded(7)).result()


def test_a_time_out_is_an_event_and_the_timers_are_listed() -> None:
    with Stepper(Program(evening)) as stepper:
        stepper.break_on("late")
        for asked in ("timers", "why deadline"):
            assert "no turn is open at a table with turn_seconds" in said_aside(stepper, asked)
        stepper.run(until=lambda session: bool(session.timers))
        assert "Deadline of seat" in said_aside(stepper, "timers")
        assert stepper.run() is not None
        assert stepper.clock == 20
        assert "late: player ann has not acted in 20 s" in str(stepper.incidents[-1])
        assert stepper.players == ("ann", "bob")
        stepper.clear()
        stepper.run()
        assert stepper.over
        assert stepper.players == ("ann", "bob")  # the room is closed, and its players are who they were


def said_aside(stepper: Stepper, line: str) -> str:
    from poker_actors.debug.commands import Commands

    return "\n".join(Commands(stepper).do(line))


def test_without_a_limit_nobody_is_timed() -> None:
    with Stepper(seed=7) as stepper:
        stepper.goto(10)
        assert "nobody is timed" in said_aside(stepper, "timers")
        assert "nobody is timed" in said_aside(stepper, "why deadline")
    with Stepper(seed=7, turn_seconds=30) as stepper:
        stepper.goto(10)
        assert "30 s  Deadline of seat 3" in said_aside(stepper, "timers")
        assert "a turn has 30 s" in said_aside(stepper, "why deadline")
    with pytest.raises(BadSpec, match="turn_seconds"):
        Script.of(seed=7, turn_seconds=0)


# -- promises -----------------------------------------------------------------------------------


def test_side_pots_that_go_to_the_wrong_seat_are_a_broken_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    right: Any = vars(PaidRounds)["_show_down"]

    def wrong(hand: Hand, *rest: Any) -> None:
        before = list(hand.stacks)
        right(hand, *rest)
        won = [after - stack for after, stack in zip(hand.stacks, before, strict=True)]
        best = won.index(max(won))
        loser = next(seat for seat in range(len(won)) if seat != best)
        stacks = list(hand.stacks)
        stacks[best] -= won[best]
        stacks[loser] += won[best]
        hand.stacks = tuple(stacks)

    monkeypatch.setattr(Hand, "_show_down", wrong)
    found = explore(Script.of([calls, calls, calls], seed=3), 2)
    assert found.violation is not None
    with Stepper(bots=[calls, calls, calls], seed=3) as stepper:
        stepper.break_on("promise")
        assert stepper.run() is not None
        assert stepper.broken_promise() is not None


# -- asking backwards ---------------------------------------------------------------------------


def test_an_expression_stops_where_it_becomes_true_and_not_where_it_has_been() -> None:
    with Stepper(seed=7) as stepper:
        stepper.break_on("pot > 4")
        assert stepper.run() is not None
        first = stepper.position
        stepper.goto(first + 3)
        stepper.clear()
        stepper.break_on("pot > 4")
        assert stepper.run() is None or stepper.position > first + 3
    with Stepper(seed=7) as stepper:
        stepper.break_on("level pot > 4")
        stepper.goto(first)
        stepper.run()
        assert stepper.position == first + 1
        stepper.run()
        assert stepper.position == first + 2


def test_reverse_continue_goes_to_the_last_breakpoint_also_over_hands() -> None:
    with Stepper(seed=7, hands=5) as stepper:
        stepper.break_on("street flop")
        places = []
        while stepper.run() is not None:
            places.append(stepper.position)
        back = []
        while stepper.reverse() is not None:
            back.append(stepper.position)
        assert back == places[::-1]
        assert stepper.position == 0


def test_the_last_change_of_a_value_is_found_over_hands() -> None:
    with Stepper(seed=7, hands=4) as stepper:
        values = [stepper.names().get("pot")]
        while stepper.step() is not None:
            values.append(stepper.names().get("pot"))
        for position in range(1, len(values), 7):
            stepper.goto(position)
            expected = next((at for at in range(position, 0, -1) if values[at] != values[at - 1]), None)
            found = stepper.last_change("pot")
            assert (None if found is None else found.step.number + 1) == expected
        found = stepper.last_change("bank")
        assert found is not None
        with pytest.raises(BadSpec):
            stepper.last_change("nothing")


@pytest.mark.parametrize(
    "text",
    [
        "actor nobody",
        "message Nothing",
        "message.nothing == 1",
        "foo > 1",
        "edge",
        "message Act if foo",
        "pot.real > 1",
    ],
)
def test_what_never_is_is_refused(text: str) -> None:
    with Stepper(seed=7) as stepper, pytest.raises(BadSpec):
        stepper.break_on(text)


def test_what_has_no_value_yet_is_watched_once() -> None:
    with Stepper(seed=7) as stepper:
        for _ in range(2):
            assert "to_call has no value here" in said(stepper, "watch to_call")
        assert stepper.watches == ["to_call"]


def test_what_never_has_a_value_is_not_watched() -> None:
    with Stepper(seed=7) as stepper:
        assert "*** " in said(stepper, "display foo")
        assert stepper.watches == []


@pytest.mark.parametrize(
    "text",
    [
        "message Act if action == 'raise_to 4'",
        "message.type == 'Act' and message.action == 'raise_to 4'",
        "message Act if message.action == 'raise_to 4'",
        "actor player random if 'raise' in message.action",
        "message HandState if turn != None and public.pot > 7 and sender == 'main/hand-000000000'",
    ],
)
def test_conditions_see_the_fields_of_messages(text: str) -> None:
    with Stepper(seed=7) as stepper:
        stepper.break_on(text)
        assert stepper.run() is not None
        assert stepper.position in (28, 29)


def test_conditions_see_what_actors_keep() -> None:
    with Stepper(seed=7, bots=[raises, calls]) as stepper:
        stepper.break_on("actors['player raises'].faults > 0")
        assert stepper.run() is not None
        assert stepper.incidents


def test_where_explains_the_message_on_which_a_breakpoint_stopped() -> None:
    with Stepper(seed=7) as stepper:
        text = said(stepper, "b message Act", "c", "w", "n", "w")
    first, second = text.split("(debug) n")[0], text
    assert ">   14  player caller -> main/hand-000000000: Act call" in first
    assert ">      next: " in second


# -- into ---------------------------------------------------------------------------------------


class Remembers:
    """Plays by what it has seen before, and by luck."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def __call__(self, view: View) -> Action:
        self.seen.append(view.public.pot)
        lucky = view.rng.random() < 0.5
        return (
            RaiseTo(view.min_raise_to) if lucky and len(self.seen) % 2 and view.min_raise_to else calls(view)
        )


def test_a_bot_is_asked_again_with_its_memory_and_its_luck() -> None:
    with Stepper(bots=[Remembers, Remembers, calls], seed=5, hands=8) as stepper:
        stepper.run()
        asked = 0
        for position in range(stepper.position, 0, -29):
            stepper.goto(position)
            question = stepper.question()
            again = stepper.into(lambda bot, view: bot(view))
            assert question is not None
            assert again.same
            assert again.recorded is question
            asked += 1
        assert asked > 10
        stepper.goto(0)
        with pytest.raises(BadSpec, match="no bot has been asked"):
            stepper.into(lambda bot, view: bot(view))


def test_into_at_the_prompt_is_pdb_and_says_what_the_bot_said_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = "b fault\nc\ninto\np view.to_call\nc\nwhy pot\ninto\nq\nq\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    command = ["debug", "--seed", "3", "--bot", DIVIDES, "--bot", "tight", "--bot", "loose"]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "odds = view.public.pot / view.to_call" in out
    assert "(Pdb) 0" in out
    assert "raised ZeroDivisionError: division by zero\nand answers the same now" in out
    assert "pot is 5" in out
    assert "and was cut short before it answered" in out


def test_simulate_says_which_command_opens_the_turn_at_which_a_bot_fails(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["simulate", "--bot", DIVIDES, "--bot", "tight", "--bot", "loose", "--hands", "50", "--seed", "3"]
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert "raised ZeroDivisionError: division by zero" in " ".join(out.split())
    assert "divides.py:8" in out.replace("\n", "")
    command = err.partition("open it there: poker-actors ")[2].split()
    assert command[0] == "debug"
    monkeypatch.setattr("sys.stdin", io.StringIO("why pot\nfault\ninto\nc\nb fault\nq\n"))
    assert main(command) == 0
    shown = capsys.readouterr().out
    assert "pot is 5" in shown
    assert "division by zero" in shown
    assert "and answers the same now" in shown


def test_a_stuck_hand_is_named_and_breaks_the_promise_that_hands_end(monkeypatch: pytest.MonkeyPatch) -> None:
    right: Any = vars(PlayerActor)["hand_state"]

    def deaf(actor: Any, state: Any) -> None:
        if state.turn is None:
            right(actor, state)

    monkeypatch.setattr(PlayerActor, "hand_state", deaf)
    out: list[str] = []
    with Stepper(Script.of(["caller", "caller"], seed=3)) as stepper:
        converse(stepper, ["b promise", "c", "q"], out.append)
    text = "\n".join(out)
    assert "!! promise: main/hand-000000000 has not ended and nothing is left to deliver" in text
    assert "stuck after" in text
    assert "main/hand-000000000 has not ended, and nothing is on its way" in text
    assert "the end" not in text
