"""Traces: written, read, played again; cut or altered anywhere they are refused."""

import json
import random
from hashlib import blake2b
from pathlib import Path

import attrs
import pytest

from poker_actors.actors import Room
from poker_actors.actors.messages import GetState
from poker_actors.actors.runtime import threads
from poker_actors.debug import Script, Stepper, Trace, record_threads, script_of, traced_on_failure, verify
from poker_actors.debug.trace import RecordingThreads, TracedStep
from poker_actors.errors import BadHistory, Discrepancy

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
    with pytest.raises(Discrepancy, match="room after it"):
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
    with pytest.raises(Discrepancy, match=f"message {number}: recorded is .*fold the table"):
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
    with pytest.raises(BadHistory, match="line 1: its check holds, but it is no JSON"):
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
