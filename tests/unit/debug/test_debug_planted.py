"""Twelve planted bugs, each found with the debugger alone in at most five commands; docs/debugger.md tells them."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from poker_actors.actors.runtime import quiet_logs
from poker_actors.cli import main

PLANTED = Path(__file__).parents[2] / "traces" / "debug" / "planted"
DOCS = Path(__file__).parents[3] / "docs" / "debugger.md"
SESSIONS = sorted(PLANTED.glob("*.session"))
# session -> what is said of the bug: who, and why
FOUND = {
    "a_bot_that_answers_in_words": ("returned 'call', which is no action", "bots.py:22"),
    "a_bot_that_bets_where_somebody_has_bet": ("there is a bet already, raise instead", "bots.py:27"),
    "a_bot_that_divides_by_zero": ("ZeroDivisionError: division by zero", "bots.py:13"),
    "a_bot_that_fails_in_its_third_hand": ("KeyError: 2", "bots.py:40"),
    "a_bot_that_raises_by_instead_of_to": ("raise_to 2", "bots.py:16"),
    "a_chip_that_is_lost": ("185 chips went into the hand, 184 came out",),
    "a_player_actor_that_crashes": ("LookupError: no such table in my notes", "is restarted"),
    "a_player_that_answers_twice": ("refuses Act fold", "stale_action"),
    "a_player_that_is_never_in_time": ("late: player p1 has not acted in 20 s",),
    "a_pot_that_goes_to_the_wrong_seat": ("by the rules seat 0 ends at +4, not at -2",),
    "an_exception_in_the_rules": ("no chips to share", "the hand is void", "pot is 6"),
    "messages_that_overtake_each_other": ("2400 chips were minted, and the books know of 2600",),
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
        assert f"how to find {path.stem.replace('_', ' ')}" in told
