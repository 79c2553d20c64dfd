"""Planted bugs, found with the debugger alone; docs/debugger.md tells them.

Twelve are found in at most five commands. Fourteen mutations of the rules are each stopped by `b promise` and `c`.
"""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from poker_actors.actors.runtime import quiet_logs
from poker_actors.cli import main
from poker_actors.debug import Program, Stepper

PLANTED = Path(__file__).parents[2] / "traces" / "debug" / "planted"
RULES = PLANTED.with_name("rules")
DOCS = Path(__file__).parents[3] / "docs" / "debugger.md"
SESSIONS = sorted(PLANTED.glob("*.session"))
MUTATIONS = {
    "odd_chips": "by the rules seat 1 is due 5 from the main pot, not 4",
    "quarters": "by the rules seat 0 is due 2 from the main pot, low, not 3",
    "reopening": "a short all-in does not reopen the betting (TDA 47)",
    "straddle": "turns go to the left, from the last blind or the button (TDA 50)",
    "button": "by the rules seat 2 has the big blind, not seat 3 (TDA 32, 34-B)",
    "last_seat": "by the rules all others have folded (the last seat wins without showing)",
    "draw_order": "seats draw and throw from the left of the button",
    "bring_in": "the lowest open card brings it in, by suit clubs lowest",
    "ante_pots": "by the rules seat 0 is due 0 from side pot 1, not 4",
    "rake": "by the rules the house is due 1 from the main pot, not 2",
    "dead_blind": "by the rules seat 3 to call 4 or raise to 8-14 (the maximum is the pot after calling (TDA 54))",
    "double_board": "by the rules seat 0 is due 3 from the main pot, board 2, not 0",
    "stud_order": "the highest open hand is first",
    "cap": "at most 4 bets a street (TDA 48)",
}
"""mutation of the rules -> what the debugger says of it"""
# session -> what is said of the bug: who, and why
FOUND = {
    "a_bot_that_answers_in_words": ("returned 'call', which is not an action", "bots.py:22"),
    "a_bot_that_bets_where_somebody_has_bet": ("there is already a bet, raise instead", "bots.py:27"),
    "a_bot_that_divides_by_zero": ("ZeroDivisionError: division by zero", "bots.py:13"),
    "a_bot_that_fails_in_its_third_hand": ("KeyError: 2", "bots.py:40"),
    "a_bot_that_raises_by_instead_of_to": ("raise_to 2", "bots.py:16"),
    "a_chip_that_is_lost": ("185 chips went into the hand, 184 came out",),
    "a_player_actor_that_crashes": ("LookupError: no such table in my notes", "is restarted"),
    "a_player_that_answers_twice": ("refuses Act fold", "stale_action"),
    "a_player_that_is_never_in_time": ("late: player p1 has not acted in 20 s",),
    "a_pot_that_goes_to_the_wrong_seat": ("by the rules seat 0 ends at +4, not at -2",),
    "an_exception_in_the_rules": ("no chips to share", "the hand is void", "pot is 6"),
    "messages_that_overtake_each_other": ("2400 chips were minted, but the books know of 2600",),
}


@pytest.fixture(autouse=True)
def _there(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(PLANTED)
    with quiet_logs():
        yield


def plain(screen: str) -> str:
    """Leave out where the checkout is, and lines of the package, which move."""
    return re.sub(r'File "[^"]*?([^/"]+\.py)", line \d+', r'File "\1"', screen)


@pytest.mark.parametrize("golden", SESSIONS, ids=lambda path: path.stem)
def test_a_planted_bug_is_found_in_five_commands(
    golden: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, _, screen = golden.read_text(encoding="utf-8").partition("\n")
    lines = [line.removeprefix("(debug) ") for line in screen.splitlines() if line.startswith("(debug) ")]
    assert len([line for line in lines if line != "q"]) <= 5
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    assert main(["debug", *arguments.split()]) == 0
    shown = capsys.readouterr().out
    assert plain(shown) == plain(screen)
    for words in FOUND[golden.stem]:
        assert words in shown


def test_there_are_twelve_and_each_is_told() -> None:
    assert {path.stem for path in SESSIONS} == FOUND.keys()
    assert len(SESSIONS) == 12
    told = DOCS.read_text(encoding="utf-8").lower()
    for path in SESSIONS:
        assert f"- **{path.stem.replace('_', ' ')}**: " in told


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_of_the_rules_is_stopped_by_two_commands(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(RULES)
    arguments, _, screen = (RULES / f"{name}.session").read_text(encoding="utf-8").partition("\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("b promise\nc\nq\n"))
    assert main(["debug", *arguments.split()]) == 0
    shown = capsys.readouterr().out
    assert plain(shown) == plain(screen)
    (said,) = [line for line in shown.splitlines() if "!!" in line]
    assert MUTATIONS[name] in said


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("draw_order", "turn"),
        ("straddle", "turn"),
        ("stud_order", "turn"),
        ("reopening", "legal raise_to 60"),
        ("cap", "legal raise_to 10"),
        ("quarters", "winner"),
        ("odd_chips", "winner"),
        ("ante_pots", "winner"),
        ("dead_blind", "pot"),
    ],
)
def test_why_marks_what_the_rules_do_wrong_and_invents_no_reason(
    name: str, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(RULES)
    with Stepper(Program.at(f"rules.py:{name}")) as stepper:
        stepper.break_on("promise")
        assert stepper.run() is not None
        said = stepper.why(question)
    assert [link.text for link in said.wrong if MUTATIONS[name] in link.text]
    assert "has nothing left to answer" not in str(said)


@pytest.mark.parametrize("name", MUTATIONS)
def test_of_sound_rules_nothing_is_said_in_the_same_hands(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(RULES)
    with Stepper(Program.at(f"rules.py:{name}", planted=False)) as stepper:
        stepper.break_on("promise")
        assert stepper.run() is None
        assert stepper.over
        assert stepper.hand is not None
        assert stepper.hand.over


def test_there_are_fourteen_mutations_and_each_is_told() -> None:
    assert {path.stem for path in RULES.glob("*.session")} == MUTATIONS.keys()
    assert len(MUTATIONS) == 14
    told = DOCS.read_text(encoding="utf-8")
    assert [name for name in MUTATIONS if f"| `{name}` |" not in told] == []
