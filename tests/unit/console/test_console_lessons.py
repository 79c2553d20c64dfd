"""Play that teaches: odds on request, an action taken back, a hand reviewed after it is over, and hands kept."""

from __future__ import annotations

import io
from pathlib import Path

import attrs
import pytest

from poker_actors.actors import LiveHand
from poker_actors.cli import main
from poker_actors.console import EventLog, Session, holdem_setup
from poker_actors.console.play import play_plain
from poker_actors.errors import BadSpec, RoomError
from poker_actors.history import histories, replay
from poker_actors.rules import Call, Check, Fold, Hand, RaiseTo, Stakes, View

Capture = pytest.CaptureFixture[str]


def session(
    *bots: str, seed: int = 5, game: str = "holdem", most: int | None = None, **more: object
) -> Session:
    setup = holdem_setup(seed=seed, bots=bots or ("tight", "caller"), stakes=Stakes(1, 2), game=game)
    return Session(setup, teaches=True, most=most, **more)  # type: ignore[arg-type]  # `keep` or `coach`


def talk(played: Session, *lines: str) -> list[str]:
    """What a person who types `lines`, and then leaves, is told."""
    said: list[str] = []
    typed = iter(lines)

    def read(prompt: str) -> str | None:
        line = next(typed, None)
        said.append(f"{prompt}{line}")
        return line

    play_plain(played, read, said.append)
    return said


def test_odds_are_shown_at_every_turn_until_they_are_switched_off() -> None:
    said = talk(session(), "o", "c", "o", "c")
    shown = [line for line in said if line.startswith("Odds: ")]
    assert shown == [
        "Odds: 19 % of the pot against 2 other hands, whatever they are; calling 2 into 3 takes 40 %.",
        "Odds: 13 % of the pot against another hand, whatever they are.",
    ]
    assert "Odds are not shown any more." in said


def test_an_action_is_taken_back_and_the_hand_goes_on_as_if_it_had_not_been() -> None:
    played = session()
    played.begin()
    played.deal()
    before = played.sitting.state
    assert before is not None
    played.act(RaiseTo(50))
    assert played.sitting.state is not before
    played.undo()
    now = played.sitting.state
    assert now is not None
    assert (now.public, now.hole) == (before.public, before.hole)
    with pytest.raises(BadSpec, match="nothing to take back in this hand"):
        played.undo()
    played.act(Fold())
    stacks, result = played.money, played.sitting.result
    assert result is not None
    played.undo()
    assert played.legal
    assert played.sitting.result is None, "a hand that is over is taken up again"
    played.act(Fold())
    assert played.money == stacks
    played.leave()


def test_earlier_hands_are_played_again_as_they_were() -> None:
    played = session(seed=9)
    played.begin()
    for action in (Call(), Fold(), Fold()):
        played.deal()
        while played.legal:
            played.act(action if action in played.legal else played.legal.passive)
    stacks = played.money
    played.deal()
    there = played.sitting.state
    played.act(Fold())
    played.undo()
    now = played.sitting.state
    assert there is not None
    assert now is not None
    assert (now.public, now.hole) == (there.public, there.hole)
    assert sum(played.money) == sum(stacks)
    played.leave()


TURNS: list[int] = []


def fickle(view: View) -> object:
    TURNS.append(1)
    return Check() if Check() in view.legal else Call() if len(TURNS) < 8 else Fold()


def test_what_a_bot_does_not_do_again_is_not_taken_back() -> None:
    played = session(f"{__file__}:fickle", "caller", seed=2)
    played.begin()
    for _ in range(4):
        played.deal()
        while played.legal:
            played.act(played.legal.passive if Call() not in played.legal else Call())
    played.deal()
    played.act(Fold())
    before, stacks = played.sitting, played.money
    with pytest.raises(BadSpec, match="a bot acts differently when asked again"):
        played.undo()
    assert played.sitting is before
    assert played.money == stacks
    played.leave()


def test_a_hand_is_reviewed_decision_by_decision_with_what_one_could_see() -> None:
    coached: list[tuple[int, bool]] = []

    def coach(hand: Hand, seat: int) -> list[str]:
        coached.append((seat, bool(hand.to_act)))
        return ["as expert says"]

    said = talk(session(coach=coach), "v", "c", "c", "f", "v")
    assert "There is no hand to review yet." in said
    decisions = [line for line in said if line.startswith("Decision ")]
    assert decisions == [
        "Decision 1 of 3: You hold 2h 3d. Preflop, pot 3; you to call 2 of 200. You call 2.",
        "Decision 2 of 3: You hold 2h 3d. Flop 4s 9s 7c, pot 5; you to check or bet, with 198. You check.",
        "Decision 3 of 3: You hold 2h 3d. Turn 4s 9s 7c 6s, pot 5; you to check or bet, with 198. You fold.",
    ]
    assert coached == [(0, True)] * 3 + [(0, False)]
    assert said.count("  as expert says") == 3


def test_there_are_no_lessons_where_nobody_teaches() -> None:
    setup = holdem_setup(seed=5, bots=("tight", "caller"), stakes=Stakes(1, 2))
    said = talk(Session(setup), "u", "?")
    assert "Not possible: there are no lessons in this game." in said
    assert not any("Lessons: " in line for line in said)
    assert any("Lessons: " in line for line in talk(session(), "?"))


def test_play_ends_after_the_hands_asked_for_and_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    place = tmp_path / "mine.phhs"
    monkeypatch.setattr("sys.stdin", io.StringIO("c\nu\nf\nf\nv\n"))
    words = [
        "play",
        "--bot",
        "tight",
        "--bot",
        "caller",
        "--seed",
        "5",
        "--hands",
        "2",
        "--history",
        str(place),
    ]
    assert main(words) == 0
    shown = capsys.readouterr()
    assert "Hand 2." in shown.out
    assert "Hand 3." not in shown.out
    assert f"wrote {place}, 2 hands" in shown.err
    kept = list(histories(place))
    assert [str(one.hand.whole_actions()[0]) for one in map(replay, kept)] == ["fold", "fold"], (
        "not what was taken back"
    )
    assert main(words) == 2
    assert "already exists" in capsys.readouterr().err
    assert main(["play", "--hands", "0"]) == 2


@pytest.mark.parametrize(
    ("game", "file", "why"),
    [
        ("omaha8", "mine.phhs", "the Poker Hand History standard has no name for Pot-limit Omaha hi-lo"),
        ("double-board-holdem", "mine.jsonl", "No-limit double-board hold'em bomb pot has no hand history"),
        ("open-face", "mine.phhs", "Open-face Chinese poker has no hand history"),
        ("holdem", "mine.phh", "a .phh file holds one hand: name a .phhs file for more"),
    ],
)
def test_a_history_that_cannot_carry_the_game_is_refused_before_a_hand_is_played(
    tmp_path: Path, capsys: Capture, game: str, file: str, why: str
) -> None:
    assert main(["play", "--players", "2", "--game", game, "--history", str(tmp_path / file)]) == 2
    shown = capsys.readouterr()
    assert f"{file}: {why}" in shown.err
    assert shown.out == ""
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("game", ["omaha8", "stud8", "badugi", "2-7-triple-draw", "short-deck", "kuhn"])
def test_a_history_keeps_the_hands_of_a_game_that_it_can_carry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, game: str
) -> None:
    place = tmp_path / "mine.jsonl"
    monkeypatch.setattr("sys.stdin", io.StringIO("f\n" * 9))
    assert (
        main(
            ["play", "--players", "2", "--game", game, "--seed", "5", "--hands", "1", "--history", str(place)]
        )
        == 0
    )
    assert f"wrote {place}, 1 hand\n" in capsys.readouterr().err
    assert len([*histories(place)]) == 1


def test_expert_explains_a_decision_of_the_last_hand(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("f\nv\nq\n"))
    assert main(["play", "--bot", "tight", "--bot", "caller", "--seed", "5", "--hands", "2", "--hints"]) == 0
    shown = capsys.readouterr().out
    assert "  action is what expert does in seat 0" in shown
    assert "brings" in shown
    assert "winner is seat" in shown
    assert "Odds: " in shown


def test_in_a_draw_no_odds_are_shown() -> None:
    session = Session(holdem_setup(seed=4, players=6, game="2-7-triple-draw"), teaches=True)
    session.begin()
    session.deal()
    session.act(Call())
    assert session.legal.discards
    session.show_odds()
    assert session.lines[-1] == "Odds are shown at your turns."


def test_before_the_first_hand_the_table_shows_who_sits_there_and_nothing_can_be_taken_back() -> None:
    played = session("caller")
    played.begin()
    assert [(seat.name, seat.stack) for seat in played.picture.seats] == [("You", 200), ("caller", 200)]
    with pytest.raises(BadSpec, match="nothing to take back"):
        played.undo()
    played.leave()


def test_rows_have_no_odds() -> None:
    played = session("caller", game="open-face")
    played.begin()
    played.deal()
    assert played.legal.lays
    played.show_odds()
    assert [line for line in played.lines if line.startswith("Odds:")] == []
    played.leave()


def test_a_void_hand_is_told_logged_and_not_reviewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = LiveHand.result
    monkeypatch.setattr(LiveHand, "result", lambda live: attrs.evolve(ended(live), hand=None))
    setup = holdem_setup(seed=5, bots=["folder"], stakes=Stakes(1, 2))
    kept: list[Hand] = []
    log = EventLog(tmp_path / "log")
    played = Session(setup, log, teaches=True, keep=lambda hand, number: kept.append(hand))
    played.begin()
    played.deal()
    if played.legal:
        played.act(played.legal.passive)
    assert not played.may_show
    played.review()
    played.leave()
    assert kept == []
    assert "This hand is void: all stacks are what they were." in played.lines
    assert "There is no hand to review yet." in played.lines
    assert "round 1 void" in (tmp_path / "log").read_text("utf-8")


def test_books_that_do_not_balance_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    played = session("caller")
    played.begin()
    audit = played.sitting.room.audit()
    monkeypatch.setattr(played.sitting.room, "audit", lambda: attrs.evolve(audit, minted=1))
    with pytest.raises(RoomError, match="not conserved"):
        played.leave()


def test_between_two_hands_no_odds_are_shown() -> None:
    played = session()
    played.begin()
    played.deal()
    played.act(Fold())
    played.show_odds()
    assert played.lines[-1] == "Odds are shown at your turns."
    played.leave()


# -- the end of a hand ---------------------------------------------------------------------------------


def test_who_asked_to_leaves_after_the_hand_unless_asked_again() -> None:
    played = session()
    said = talk(played, "l", "f", "never asked")
    assert "You leave after this hand." in said
    assert played.hands == 1
    assert "never asked" not in "".join(said)
    stayed = session()
    assert "You stay after this hand." in talk(stayed, "l", "leave after hand", "f", "f")
    assert stayed.hands == 3


def test_cards_are_shown_by_choice_once_the_hand_is_over_and_kept_so() -> None:
    kept: list[Hand] = []
    played = session(most=1, keep=lambda hand, number: kept.append(hand))
    said = talk(played, "show", "f")
    assert "Once this hand is over, everybody sees your cards." in said
    seat = played.setup.seat
    [hand] = kept
    assert hand.shows == (seat,)
    cards = " ".join(map(str, hand.holes[seat]))
    assert said.index(f"You show {cards}.") > said.index("Hand 1. You have 200 chips; 2 others are in.")


def test_who_mucks_after_all_shows_nothing() -> None:
    kept: list[Hand] = []
    said = talk(session(most=1, keep=lambda hand, number: kept.append(hand)), "show", "muck", "f")
    assert not any(line.startswith("You show") for line in said)
    assert kept[0].shows == ()


def test_cards_that_the_showdown_has_turned_up_are_not_shown_again() -> None:
    kept: list[Hand] = []
    played = session("caller", most=1, seed=2, keep=lambda hand, number: kept.append(hand))
    said = talk(played, "show", "c", "c", "c", "c")
    assert kept[0].payoffs[played.setup.seat] > 0
    assert kept[0].shows == ()
    assert [line for line in said if line.startswith("You show")] == [
        "You show Th Ts: Three of a Kind, Tens."
    ]


def test_between_two_hands_cards_are_shown_at_once_and_only_once() -> None:
    played = session()
    played.begin()
    played.deal()
    during = played.may_show
    played.act(Fold())
    played.show_cards(show=False)
    assert (during, played.may_show) == (False, True)
    played.show_cards()
    played.show_cards()
    assert [line.startswith("You show ") for line in played.lines].count(True) == 1
    played.leave()
