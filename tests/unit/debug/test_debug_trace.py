"""Traces: written, read, played again; cut or altered anywhere they are refused."""

import json
import random
import re
import sys
from hashlib import blake2b
from pathlib import Path
from typing import Any

import attrs
import pytest

from poker_actors.actors import Room, runtime
from poker_actors.actors.messages import GetState
from poker_actors.actors.runtime import threads
from poker_actors.bots import BotFault, FaultLimits, OutsideBot
from poker_actors.debug import (
    Script,
    Stepper,
    Trace,
    ask_again,
    record_threads,
    script_of,
    trace_of,
    traced_on_failure,
    verify,
)
from poker_actors.debug.trace import TracedStep
from poker_actors.debug.verify import RecordingThreads
from poker_actors.errors import AskTimeout, BadHistory, BadSpec, Discrepancy
from poker_actors.rules import Action, View
from poker_actors.sim import Match, play_hand, simulate

SCRIPT = Script.of(["caller", "tight", "random"], seed=7)


@pytest.fixture(scope="module")
def trace() -> Trace:
    return Trace.of(SCRIPT)


def test_a_trace_is_read_as_it_was_written_and_comes_again(trace: Trace, tmp_path: Path) -> None:
    place = tmp_path / "hand.jsonl"
    trace.write(place)
    read = Trace.read(place)
    assert read == trace
    assert verify(read) == len(trace.steps)


@pytest.mark.parametrize("hands", [1, 3])
def test_interventions_and_orders_come_again(hands: int) -> None:
    script = attrs.evolve(SCRIPT, order=5, hands=hands)
    with Stepper(script) as stepper:
        while type(getattr(stepper.peek(), "message", None)).__name__ != "Act":
            stepper.step()
        with stepper.fork("fold") as other:
            trace = Trace.of(other.script)
    assert verify(trace) == len(trace.steps)


def test_a_trace_cut_at_any_byte_is_refused(trace: Trace, tmp_path: Path) -> None:
    place = tmp_path / "hand.jsonl"
    trace.write(place)
    whole = place.read_bytes()
    ends = [at for at, mark in enumerate(whole) if mark == ord("\n")]
    luck = random.Random(1)
    for length in {0, 1, *ends[:-1], *(end + 1 for end in ends[:-1]), *luck.sample(range(len(whole)), 60)}:
        place.write_bytes(whole[:length])
        with pytest.raises(BadHistory, match=r"cut|empty|no trace"):
            Trace.read(place)


def test_a_trace_altered_at_any_byte_is_refused_with_its_line(trace: Trace, tmp_path: Path) -> None:
    place = tmp_path / "hand.jsonl"
    trace.write(place)
    whole = place.read_bytes()
    for at in random.Random(2).sample(range(len(whole)), 150):
        changed = bytearray(whole)
        changed[at] = ord("7") if whole[at] != ord("7") else ord("8")
        place.write_bytes(bytes(changed))
        with pytest.raises(BadHistory, match=r"line \d+"):
            Trace.read(place)


def test_lines_taken_out_or_exchanged_are_noticed(trace: Trace, tmp_path: Path) -> None:
    place = tmp_path / "hand.jsonl"
    lines = list(trace.lines())
    for changed in (
        [*lines[:5], *lines[6:]],
        [*lines[:5], lines[6], lines[5], *lines[7:]],
        lines[1:],
        [*lines, lines[-1]],
    ):
        place.write_text("".join(changed), encoding="utf-8")
        with pytest.raises(BadHistory):
            Trace.read(place)


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\xff\xfe\n\n", b"{}\n" * 3, b"[" * 3000])
def test_what_is_no_trace_is_refused(content: bytes, tmp_path: Path) -> None:
    place = tmp_path / "hand.jsonl"
    place.write_bytes(content)
    with pytest.raises(BadHistory):
        Trace.read(place)


def changed_at(trace: Trace, number: int, **fields: object) -> Trace:
    step = trace.steps[number]
    handled = ({**step.handled[0], **fields}, *step.handled[1:])
    return attrs.evolve(
        trace, steps=(*trace.steps[:number], TracedStep(handled, step.hash), *trace.steps[number + 1 :])
    )


def test_divergence_is_reported_at_the_first_message_that_differs(trace: Trace) -> None:
    number = next(
        place for place, step in enumerate(trace.steps) if step.handled[0]["message"]["type"] == "Act"
    )
    message = {**trace.steps[number].handled[0]["message"], "action": "raise_to 50"}
    with pytest.raises(Discrepancy, match=rf"step {number}: .*raise_to 50; this run has .*different: action"):
        verify(changed_at(trace, number, message=message))
    with pytest.raises(Discrepancy, match="step 4: "):
        verify(changed_at(trace, 4, to="bank"))
    with pytest.raises(Discrepancy, match="room differs after it"):
        verify(attrs.evolve(trace, steps=(attrs.evolve(trace.steps[0], hash="0" * 16), *trace.steps[1:])))
    with pytest.raises(Discrepancy, match="this run goes on"):
        verify(attrs.evolve(trace, steps=trace.steps[:-1]))
    with pytest.raises(Discrepancy, match="this run is over"):
        verify(attrs.evolve(trace, steps=(*trace.steps, trace.steps[-1])))


@pytest.mark.parametrize("seed", range(6))
def test_a_run_on_threads_is_played_again_on_the_stepper_in_its_order(seed: int, tmp_path: Path) -> None:
    trace = record_threads(Script.of(["caller", "random", "maniac", "tight"], seed=seed, hands=2))
    trace.write(tmp_path / "threads.jsonl")
    read = Trace.read(tmp_path / "threads.jsonl")
    assert verify(read) == len(trace.steps)
    handled: dict[str, list[object]] = {}
    for step in trace.steps:
        handled.setdefault(step.handled[0]["to"], []).append(step.handled[0]["message"]["type"])
    with Stepper(script_of(read)) as stepper:
        stepper.run()
        again: dict[str, list[object]] = {}
        for made in stepper.steps:
            for one in made.handled:
                name = type(one.delivery.message).__name__
                if name != "_ActorStop":
                    again.setdefault(one.delivery.receiver, []).append(name)
    assert again == handled


def test_a_recording_that_does_not_fit_says_at_which_message() -> None:
    trace = record_threads(SCRIPT)
    number = next(
        place for place, step in enumerate(trace.steps) if step.handled[0]["message"]["type"] == "Act"
    )
    message = {**trace.steps[number].handled[0]["message"], "action": "fold the table"}
    with pytest.raises(Discrepancy, match=f"message {number}: the recording has .*fold the table"):
        verify(changed_at(trace, number, message=message))


def test_a_test_that_fails_leaves_a_trace_and_the_command_that_opens_it(tmp_path: Path) -> None:
    place = tmp_path / "failed hand.jsonl"

    def fails() -> None:
        with Stepper(SCRIPT) as stepper, traced_on_failure(stepper, place):
            stepper.goto(9)
            raise AssertionError("the pot is wrong")

    with pytest.raises(AssertionError) as caught:
        fails()
    (note,) = caught.value.__notes__
    assert note.endswith(f"poker-actors debug --trace '{place}' --goto 9")
    left = Trace.read(place)
    assert (len(left.steps), left.error) == (9, "AssertionError: the pot is wrong")
    assert verify(left) == 9


def test_the_file_is_one_json_value_a_line(trace: Trace) -> None:
    values = [json.loads(line) for line in trace.lines()]
    assert values[0]["script"]["seed"] == 7
    assert values[-1]["end"] == len(trace.steps)


@pytest.mark.parametrize("body", ['{"a":', '{"a":' + "[" * 5000, '{"a":' + "9" * 5000])
def test_a_line_that_is_no_json_is_refused_even_if_its_check_holds(body: str, tmp_path: Path) -> None:
    check = blake2b(f"{body}}}".encode(), digest_size=8).hexdigest()
    place = tmp_path / "hand.jsonl"
    place.write_text(f'{body},"check":"{check}"}}\n', encoding="utf-8")
    with pytest.raises(BadHistory, match="line 1: its checksum matches, but it is not JSON"):
        Trace.read(place)


def test_a_message_dropped_leaves_no_sender_for_a_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = RecordingThreads()
    recorder.recording = True
    message = GetState()
    with Room(seed=1, runtime=recorder) as room:
        recorder.here.name = "dealer"
        with monkeypatch.context() as full:
            full.setattr(threads, "MAILBOX_LIMIT", 0)
            room.bank.address.tell(message)
        recorder.here.name = None
        room.bank.address.ask(message)
    assert recorder.lost == 1
    assert [one["from"] for one in recorder.handled if one["message"]["type"] == "GetState"] == [None]


# -- the record is the truth ----------------------------------------------------------------------------

FICKLE = """
import itertools
from poker_actors.rules import Call, Check, Fold

turns = itertools.count()

def bot(view):
    turn = next(turns)
    if turn % 5 == 3:
        raise KeyError("lost")
    if turn % 5 == 4:
        return "fold"
    if Check() in view.legal:
        return Check()
    return Call() if turn % 2 else Fold()
"""


def fickle(tmp_path: Path) -> Script:
    place = tmp_path / "fickle.py"
    place.write_text(FICKLE, encoding="utf-8")
    return Script.of([f"{place}:bot", "tight", "caller"], seed=3, hands=4)


def test_a_trace_opens_as_it_was_recorded_where_its_bots_are_not(tmp_path: Path) -> None:
    with Stepper(fickle(tmp_path)) as stepper:
        stepper.run()
        there, told = stepper.hash(), [str(one) for one in stepper.incidents]
        trace_of(stepper).write(tmp_path / "left.jsonl")
        (tmp_path / "fickle.py").unlink()
    assert [text.partition(" has to ")[0] for text in told[:2]] == [
        "fault: player bot raised KeyError: 'lost'; it",
        "fault: player bot returned 'fold', which is not an action; it",
    ]
    read = Trace.read(tmp_path / "left.jsonl")
    assert verify(read) == len(read.steps)
    with Stepper(script_of(read)) as stepper:
        stepper.run()
        assert stepper.hash() == there
        assert [str(one) for one in stepper.incidents] == told, "with the lines of a file that is not here"
        raised = stepper.incidents[0]
        assert any("fickle.py" in line for line in raised.traceback())
        asked = ask_again(read)
        assert [Path(name).name for name in asked.absent] == ["fickle.py:bot"]
        assert asked.others == ()
        while type(getattr(stepper.peek(), "message", None)).__name__ != "Act":
            stepper.back()
        with stepper.fork("fold") as other:
            other.run()
            assert verify(trace_of(other)) == len(other.steps)


def test_a_bot_that_is_not_here_is_missed_only_where_it_is_asked_something_new(tmp_path: Path) -> None:
    Trace.of(fickle(tmp_path)).write(tmp_path / "left.jsonl")
    (tmp_path / "fickle.py").unlink()
    with Stepper(script_of(Trace.read(tmp_path / "left.jsonl"))) as stepper:
        stepper.run(until=lambda one: one.question() is not None)
        with pytest.raises(
            BadSpec, match=r"bot .*fickle.py:bot cannot be asked here: file .* does not exist"
        ):
            stepper.into(lambda bot, view: bot(view))
        with stepper.fork(deck=5) as other:
            other.run()
            assert any("cannot be asked here" in str(one) for one in other.incidents)


def test_asked_again_a_bot_that_cannot_be_repeated_is_named_with_its_view_and_both_answers(
    tmp_path: Path,
) -> None:
    trace = Trace.of(fickle(tmp_path))
    assert verify(trace) == len(trace.steps), "the record is played, whatever the bot says now"
    found = ask_again(trace)
    assert found.absent == ()
    first, *_, last = found.lines()
    assert re.fullmatch(
        r"step \d+: bot .*fickle.py:bot \(seat 0\) is shown: You hold .*; it answered .*, and answers .* now",
        first,
    )
    assert last.endswith("fickle.py:bot depends on more than views and luck")
    assert all(one["bot"].endswith("fickle.py:bot") for one in found.to_dict()["others"])
    assert ask_again(Trace.of(SCRIPT)).others == (), "house bots answer as they did"


def test_a_trace_holds_the_order_of_delivery_itself(tmp_path: Path) -> None:
    trace = Trace.of(attrs.evolve(SCRIPT, order=5))
    assert isinstance(trace.script, Script)
    assert any(step.place for step in trace.steps)
    trace.write(tmp_path / "order.jsonl")
    read = Trace.read(tmp_path / "order.jsonl")
    assert verify(attrs.evolve(read, script=attrs.evolve(trace.script, order=None))) == len(trace.steps)


class Limited(OutsideBot):
    """Fails at every turn, and is to be asked only twice."""

    limits = FaultLimits(faults=2)

    def __call__(self, view: View) -> Action:
        raise BotFault("died", "it is gone")


def test_a_bot_that_was_ejected_is_not_asked_again_by_a_trace(tmp_path: Path) -> None:
    trace = Trace.of(Script.of([Limited, "caller"], seed=1, hands=3))
    assert sum(one.seat == 0 for step in trace.steps for one in step.answers) == 2
    trace.write(tmp_path / "ejected.jsonl")
    read = Trace.read(tmp_path / "ejected.jsonl")
    assert read.limits == (FaultLimits(faults=2), None)
    assert verify(read) == len(trace.steps)


def test_a_run_on_threads_keeps_its_answers_too(tmp_path: Path) -> None:
    trace = record_threads(fickle(tmp_path))
    trace.write(tmp_path / "threads.jsonl")
    (tmp_path / "fickle.py").unlink()
    assert verify(Trace.read(tmp_path / "threads.jsonl")) == len(trace.steps)


def test_an_actor_of_a_hand_that_never_stops_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Kept(RecordingThreads):
        def start(self, actor: runtime.Actor) -> None:
            super().start(actor)
            if actor.address.name.startswith("table"):
                self.hands.append(actor.address)

    monkeypatch.setattr(sys.modules["poker_actors.debug.verify"], "RecordingThreads", Kept)
    monkeypatch.setattr(sys.modules["poker_actors.debug.verify"], "HAND_SECONDS", 0.5)
    with pytest.raises(AskTimeout, match="is over and has not stopped within"):
        record_threads(Script.of(["caller", "caller"], seed=3))


@pytest.mark.parametrize(
    "answer", [{"seat": 0}, {"seat": 0, "kind": "moody"}, {"seat": "0", "action": "fold"}]
)
def test_an_answer_that_is_none_is_refused(answer: dict[str, object], tmp_path: Path) -> None:
    lines = [json.loads(line) for line in Trace.of(SCRIPT).lines()]
    next(line for line in lines if "answers" in line)["answers"] = [answer]
    check = ""
    with (tmp_path / "bad.jsonl").open("w", encoding="utf-8") as out:
        for line in lines:
            line.pop("check")
            text = json.dumps(line, separators=(",", ":"))
            check = blake2b(f"{check}{text}".encode(), digest_size=8).hexdigest()
            out.write(f'{text[:-1]},"check":"{check}"}}\n')
    with pytest.raises(BadHistory, match="is neither an action nor a fault of a seat"):
        Trace.read(tmp_path / "bad.jsonl")


HEARS = """
from poker_actors.rules import Call, Check, Fold

class Counts:
    def __init__(self):
        self.over = 0

    def hand_over(self, end):
        self.over += 1
        if self.over == 4:
            raise LookupError("the fourth")

    def __call__(self, view):
        if self.over % 2 and Fold() in view.legal:
            return Fold()
        return Check() if Check() in view.legal else Call()
"""


def test_a_bot_that_hears_how_hands_end_plays_as_in_simulate_and_back_and_in_forks_and_traces(
    tmp_path: Path,
) -> None:
    place = tmp_path / "hears.py"
    place.write_text(HEARS, encoding="utf-8")
    bots = [f"{place}:Counts", "maniac"]
    match = Match.of(bots, hands=6, seed=3)
    script = Script.of(bots, seed=3, hands=6)
    with Stepper(script) as stepper:
        stepper.run()
        payoffs = [news["payoffs"] for news in ended(trace_of(stepper))]
        assert payoffs == [list(play_hand(match, number)[0].payoffs) for number in range(1)] + payoffs[1:]
        assert payoffs[1] == [-2, 2], "it folds after an odd number of hands"
        faults = [str(one) for one in stepper.incidents]
        there = stepper.hash()
        stepper.goto(len(stepper.steps) // 2)
        stepper.goto(len(stepper.steps))
        assert (stepper.hash(), [str(one) for one in stepper.incidents]) == (there, faults)
        trace_of(stepper).write(tmp_path / "heard.jsonl")
        stepper.goto(stepper.index.acts[4] - 1)
        with stepper.fork() as other:
            other.run()
            assert other.hash() == there, "a new bot has heard what the old one had"
    read = Trace.read(tmp_path / "heard.jsonl")
    assert ask_again(read).others == ()
    assert [one.text for step in read.steps for one in step.answers if one.heard] == [
        "raised LookupError: the fourth"
    ]
    place.unlink()
    assert verify(read) == len(read.steps), "what it failed at is in the record"


def ended(trace: Trace) -> list[dict[str, Any]]:
    """What a player is told at the end of each hand."""
    told = [one["message"] for step in trace.steps for one in step.handled if one["to"] == "player maniac"]
    return [one for one in told if one["type"] == "TableNews" and one["what"] == "hand_ended"]


def test_a_program_is_told_how_hands_begin_and_end_as_by_simulate(tmp_path: Path) -> None:
    heard, bot = tmp_path / "heard.txt", tmp_path / "hears.py"
    bot.write_text(
        "import json, sys\n"
        f"heard = open({str(heard)!r}, 'a', encoding='utf-8')\n"
        "for line in sys.stdin:\n"
        "    said = json.loads(line)\n"
        "    heard.write(said['type'] + '\\n')\n"
        "    heard.flush()\n"
        "    if said['type'] == 'hello':\n"
        "        print(json.dumps({'type': 'hello', 'version': 2}), flush=True)\n"
        "    elif said['type'] == 'turn':\n"
        "        print(json.dumps({'act': 'check' if said['legal']['check'] else 'fold'}), flush=True)\n",
        encoding="utf-8",
    )
    bots = [f"cmd:{sys.executable} {bot}", "tight"]
    simulate(bots, hands=3, seed=4)
    told = heard.read_text(encoding="utf-8")
    heard.unlink()
    with Stepper(bots=bots, seed=4, hands=3) as stepper:
        stepper.run()
    assert heard.read_text(encoding="utf-8") == told
    assert (told.count("start"), told.count("end")) == (3, 3)
