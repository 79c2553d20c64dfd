"""What a bad program costs: its own hand, a fault of a kind, and in the end its seat in the match."""

import os
import sys
from pathlib import Path

import pytest

from poker_actors.bots import BotSpec
from poker_actors.bots.program import ProgramBot
from poker_actors.rules import Call
from poker_actors.sim import SimulationResult, simulate
from tests.unit.bots.test_bots_program import program, turn

PATIENT = 30
"""Seconds for a decision where lateness is not what is looked at."""
ENOUGH = 3
"""Seconds that a program which answers at once never needs, however busy the machine, and a test can wait."""


def played(text: str, hands: int = 30, **given: object) -> SimulationResult:
    result = simulate([text, "caller", "tight"], hands=hands, seed=3, **given)  # type: ignore[arg-type]
    assert result.chips_in == result.chips_out
    assert result.hands == hands
    assert [player.illegal_actions for player in result.players[1:]] == [0, 0]
    return result


def line_of(result: SimulationResult) -> str:
    (line,) = [line for line in result.remarks if line.startswith("seat 0 ")]
    return line


FIFTH = "play = {'act': 'call' if turn['to_call'] else 'check'}\nif turn['hand'] % 5 != 4:\n    print(json.dumps(play), flush=True); continue\n"
"""A program that plays on, but in every fifth hand..."""


def test_a_hang_is_late_and_is_ended_and_started_again(tmp_path: Path) -> None:
    text = program(tmp_path, FIFTH + "time.sleep(600)", seconds=ENOUGH, restarts=1)
    result = played(text)
    faults = result.players[0].faults
    assert (faults.late, faults.total) == (2, 2) == (result.time_outs, result.players[0].illegal_actions)
    assert faults.ejected == 9
    assert faults.first == "no answer in time"
    assert "2 faults, the first: no answer in time; late 2; ejected in hand 9" in line_of(result)
    assert result.to_dict()["players"][0]["time_outs"] == result.to_dict()["time_outs"] == 2
    assert result.players[0].vpip.count > 0


def test_a_crash_is_counted_and_the_program_is_started_again(tmp_path: Path) -> None:
    text = program(tmp_path, FIFTH + "raise RuntimeError('no more')", seconds=PATIENT, restarts=90)
    result = played(text)
    faults = result.players[0].faults
    assert faults.died == faults.total >= 6
    assert faults.ejected is None
    assert faults.first == "ended with exit status 1: RuntimeError: no more"
    assert "faults, the first: ended with exit status 1: RuntimeError: no more; died" in line_of(result)


def test_a_program_that_dies_too_often_is_ejected_and_asked_no_more(tmp_path: Path) -> None:
    text = program(tmp_path, FIFTH + "os._exit(7)", seconds=PATIENT)
    faults = played(text).players[0].faults
    assert (faults.died, faults.total) == (5, 5)
    assert faults.ejected is not None
    assert faults.ejected % 5 == 4
    assert faults.first == "ended with exit status 7"


def test_a_flood_is_stopped_at_once(tmp_path: Path) -> None:
    text = program(
        tmp_path, FIFTH + "while True: sys.stdout.write('x' * 100_000)", seconds=PATIENT, restarts=1
    )
    result = played(text)
    faults = result.players[0].faults
    assert (faults.flooded, faults.total, faults.ejected) == (2, 2, 9)
    assert "2 faults, the first: wrote more than 4096 bytes without an end of line" in line_of(result)


def test_two_answers_to_one_question_are_a_flood(tmp_path: Path) -> None:
    text = program(tmp_path, 'sys.stdout.write(\'{"act": "fold"}\\n\' * 2)', seconds=PATIENT, restarts=0)
    faults = played(text).players[0].faults
    assert (faults.flooded, faults.total) == (1, 1)
    assert faults.first.startswith("wrote more than its answer: ")


def test_a_lie_about_its_seat_is_called_one(tmp_path: Path) -> None:
    text = program(
        tmp_path, FIFTH + "print(json.dumps({'act': 'fold', 'seat': 1 - turn['seat']}))", seconds=PATIENT
    )
    result = played(text)
    faults = result.players[0].faults
    assert faults.lied == faults.total >= 6
    assert faults.ejected is None
    assert "faults, the first: answered for seat 1: it was asked for seat 0; lied" in line_of(result)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its address space")
def test_a_memory_hog_gets_no_more_than_its_limit(tmp_path: Path) -> None:
    text = program(
        tmp_path, FIFTH + "hog = [b'x' * 2**26 for _ in range(1000)]", seconds=PATIENT, memory=256, restarts=1
    )
    result = played(text)
    faults = result.players[0].faults
    assert (faults.died, faults.total, faults.ejected) == (2, 2, 9)
    assert "2 faults, the first: ended with exit status 1: MemoryError; died 2; ejected in hand 9" in line_of(
        result
    )


@pytest.mark.skipif(sys.platform != "linux", reason="tells how by the signal Linux sends")
def test_a_program_that_burns_the_processor_gets_no_more_than_its_limit(tmp_path: Path) -> None:
    text = program(tmp_path, "while True: pass", seconds=PATIENT, cpu_seconds=1, restarts=0)
    faults = played(text).players[0].faults
    assert (faults.died, faults.total) == (1, 1)
    assert faults.first == "was killed by SIGXCPU, after 1 s of processor time"


def test_garbage_and_what_is_not_legal_cost_a_fault_each_and_no_restart(tmp_path: Path) -> None:
    text = program(
        tmp_path,
        "print('gibberish' if turn['hand'] % 2 else json.dumps({'act': 'raise_to', 'amount': 3}), flush=True)",
        seconds=PATIENT,
        restarts=0,
    )
    faults = played(text).players[0].faults
    assert faults.nonsense > 10 < faults.illegal
    assert faults.total == faults.nonsense + faults.illegal
    assert faults.first == "raise_to 3 is below the minimum of 4"


def test_all_that_it_thinks_in_a_match_has_a_limit(tmp_path: Path) -> None:
    text = program(
        tmp_path, "time.sleep(0.05)\nprint(json.dumps({'act': 'fold'}))", seconds=PATIENT, match_seconds=0.12
    )
    faults = played(text).players[0].faults
    assert (faults.spent, faults.total) == (1, 1)
    assert faults.ejected is not None
    assert faults.first.startswith("its seconds for the match: 0.")


def test_a_bot_started_again_is_asked_before_anybody_has_looked_for_its_hello(tmp_path: Path) -> None:
    text = program(tmp_path, FIFTH + "os._exit(1)", seconds=PATIENT, restarts=100)
    bot = BotSpec.parse(text).make()
    assert isinstance(bot, ProgramBot)
    bot.open()
    first = bot.pid
    os.kill(first or 0, 9)
    with pytest.raises(Exception, match="was killed by SIGKILL"):
        bot(turn())
    assert bot.pid not in (None, first)
    assert bot(turn()) == Call()
    bot.close()
