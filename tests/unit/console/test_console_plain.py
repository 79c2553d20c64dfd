"""The game in lines: confirmed all-ins, help, the end of input and Ctrl-C at any prompt."""

import signal
import threading
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from poker_actors.console import EventLog, Session, Setup, five_card_setup, holdem_setup, play_plain
from poker_actors.console.sitting import interrupts_held
from poker_actors.errors import BadSpec
from poker_actors.rules import Fold


def noon() -> datetime:
    return datetime(2026, 1, 31, 12, tzinfo=UTC)


def typing(lines: Iterable[str | BaseException]) -> tuple[Callable[[str], str | None], list[str]]:
    """Give a `read` that types these lines and then ends, and the prompts it was shown."""
    left = iter(lines)
    prompts: list[str] = []

    def read(prompt: str) -> str | None:
        prompts.append(prompt)
        line = next(left, None)
        if isinstance(line, BaseException):
            raise line
        return line

    return read, prompts


def play(session: Session, *lines: str | BaseException) -> tuple[list[str], list[str]]:
    shown: list[str] = []
    read, prompts = typing(lines)
    play_plain(session, read, shown.append)
    return shown, prompts


def quiet() -> Setup:
    """A table at which nobody decides by luck."""
    return holdem_setup(seed=11, bots=["caller"])


def test_an_all_in_is_asked_for_twice_and_no_takes_it_back() -> None:
    shown, prompts = play(Session(quiet()), "a", "no", "a", "perhaps", "yes")
    assert prompts[1] == "All-in with 199 chips, is that right? yes or no: "
    assert prompts[2] == prompts[0]
    assert "Please answer yes or no." in shown
    assert "You raise to 200, all-in." in shown


@pytest.mark.parametrize("name", ["", "a" * 65, "a\nb"])
def test_a_name_that_does_not_fit_a_line_of_the_log_is_refused(name: str) -> None:
    with pytest.raises(BadSpec, match="it must be 1 to 64 printable characters"):
        Session(quiet(), name=name)


def test_help_is_given_without_taking_the_turn() -> None:
    shown, prompts = play(Session(five_card_setup(seed=11)), "?")
    assert any(line.startswith("Type c to check or call") for line in shown)
    assert prompts[0] == prompts[1]


def test_the_end_of_input_folds_the_hand_and_settles() -> None:
    session = Session(quiet())
    shown, _ = play(session, "c")
    assert shown[-3:] == ["You fold.", "caller wins 4 chips.", "You leave with 198 chips."]
    assert session.money == (198, 202)
    assert session.sitting.balances == (198, 202)


@pytest.mark.parametrize("typed", [0, 1, 2, 3, 5, 8])
@pytest.mark.parametrize("setup", [five_card_setup(seed=3), holdem_setup(seed=3, players=4)])
def test_ctrl_c_at_any_prompt_settles_and_closes_the_log(setup: Setup, typed: int, tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    session = Session(setup, EventLog(path, clock=noon))
    with pytest.raises(KeyboardInterrupt):
        play(session, *["c"] * typed, KeyboardInterrupt())
    written = path.read_text(encoding="utf-8").splitlines()
    assert written[-1].endswith("application exit")
    assert " left after " in written[-2]
    assert sum(session.money) == sum(setup.stacks)
    assert session.sitting.balances == session.money


def test_a_writer_that_fails_leaves_everything_settled(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    session = Session(five_card_setup(seed=3), EventLog(path, clock=noon))

    def broken(line: str) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        play_plain(session, lambda prompt: "c", broken)
    assert path.read_text(encoding="utf-8").endswith("application exit\n")
    assert session.sitting.balances == session.money


def test_a_log_that_cannot_be_written_is_told_once_and_the_game_goes_on(tmp_path: Path) -> None:
    session = Session(five_card_setup(seed=3), EventLog(tmp_path / "no" / "game.log"))
    shown, _ = play(session, "c", "c", "c", "c")
    assert sum("cannot be written" in line for line in shown) == 1
    assert shown[-1].startswith("You leave with")


def test_a_second_game_follows_and_deals_other_cards(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    session = Session(
        holdem_setup(seed=8, players=2, bots=["caller"], stacks="4"), EventLog(path, clock=noon)
    )
    shown, prompts = play(session, *["a", "yes"] * 40)
    starts = [place for place, line in enumerate(shown) if line.startswith("Hand 1.")]
    firsts = [next(line for line in shown[place:] if line.startswith("You are dealt")) for place in starts]
    assert len(firsts) == session.games > 2
    assert len(set(firsts[:5])) == 5
    assert "Another game? yes or no: " in prompts
    assert shown.count("Hand 1. You have 4 chips, caller 4.") == session.games


def test_leaving_twice_changes_nothing() -> None:
    session = Session(five_card_setup(seed=3))
    play(session)
    session.leave()
    assert session.take_lines() == []


def test_a_signal_that_comes_while_chips_move_waits_until_they_have() -> None:
    moved: list[str] = []

    def move() -> None:
        with interrupts_held():
            signal.raise_signal(signal.SIGINT)
            moved.append("chips")

    with pytest.raises(KeyboardInterrupt):
        move()
    assert moved == ["chips"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_bot_that_fails_is_told_of_at_the_end(tmp_path: Path) -> None:
    place = tmp_path / "bots.py"
    place.write_text("def broken(view):\n    raise ValueError('no idea')\n", encoding="utf-8")
    shown, _ = play(Session(holdem_setup(seed=2, bots=[f"{place}:broken"])), "c", "c", "c", "c")
    assert any("gave no legal action" in line and "no idea" in line for line in shown)


def test_leaving_before_a_game_has_begun_ends_the_log(tmp_path: Path) -> None:
    session = Session(quiet(), EventLog(tmp_path / "game.log", clock=noon))
    session.leave()
    assert (tmp_path / "game.log").read_text() == "2026-01-31T12:00:00+00:00 application exit\n"


def test_leaving_between_hands_repeats_nothing(tmp_path: Path) -> None:
    session = Session(quiet(), EventLog(tmp_path / "game.log", clock=noon), most=1, teaches=True)
    session.begin()
    session.deal()
    session.show_odds()
    assert session.lines[-1].startswith("Odds: ")
    session.take_lines()
    done = [session.done]
    session.act(Fold())
    assert [*done, session.done] == [False, True]
    assert not any(line.startswith("Odds: ") for line in session.take_lines())
    session.leave()
    assert session.take_lines() == ["You leave with 199 chips."]
    written = [line[26:] for line in (tmp_path / "game.log").read_text().splitlines()]
    assert written[3:] == [
        "caller wins round 1: 2, net 1",
        "game 1 left after 1 hand: player 199, caller 201",
        "application exit",
    ]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_a_game_that_is_over_says_who_has_won_it_or_that_one_is_out(
    players: int, seed: int, tmp_path: Path
) -> None:
    stacks = ",".join(["200", "100", "200"][:players])
    setup = holdem_setup(seed=seed, players=players, bots=["caller"], stacks=stacks)
    session = Session(setup, EventLog(tmp_path / "game.log", clock=noon))
    session.begin()
    while not session.game_over:
        mine, *others = session.money
        session.deal()
        left = sum(chips > 0 for chips in others)
        said = (
            f"; {left} {'other is' if left == 1 else 'others are'} in."
            if players > 2
            else f", caller {others[0]}."
        )
        assert f"Hand {session.rounds}. You have {mine} chips{said}" in session.lines
        while legal := session.legal:
            session.act(legal.all_in or legal.passive)
    last = session.lines[-1]
    session.leave()
    after = f"after {session.rounds} hand{'' if session.rounds == 1 else 's'}."
    if session.money[0]:
        assert last == f"You win the game {after}"
    elif players == 2:
        assert last == f"caller wins the game {after}"
    else:
        assert last == f"You are out {after}"
    written = (tmp_path / "game.log").read_text()
    assert written.count("game 1 over after") == 1
    assert " left after " not in written


def test_a_review_without_a_coach_lists_the_decisions_alone() -> None:
    session = Session(quiet(), teaches=True)
    session.begin()
    assert not session.legal
    session.deal()
    session.act(Fold())
    session.take_lines()
    session.review()
    decision, *rest = session.take_lines()[2:]
    assert decision.startswith("Decision 1 of 1: ")
    assert [line[:6] for line in rest] == ["Odds: ", ""]


def test_off_the_main_thread_no_interrupt_is_held() -> None:
    ran: list[bool] = []

    def run() -> None:
        with interrupts_held():
            ran.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert ran == [True]


def test_an_interrupt_that_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupts_held():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
