"""Why a pot is halved: what the debugger says of the winners in games of shares, against what was paid."""

from __future__ import annotations

from random import Random

import pytest

from poker_actors.cards import Deck
from poker_actors.debug import Script, Stepper, converse
from poker_actors.debug.draw import picture_of
from poker_actors.debug.plain import GOD
from poker_actors.errors import BadHistory
from poker_actors.history import record
from poker_actors.rules import GAMES as GAMES_BY_NAME
from poker_actors.rules import Discard, Fold, Hand


def winner(game: str, seed: int) -> list[str]:
    out: list[str] = []
    with Stepper(Script.of(["caller"] * 3, seed=seed, game=game)) as stepper:
        converse(stepper, ["c", "why winner", "q"], out.append)
    text = "\n".join(out)
    return text[text.index("winner is") :].splitlines()


GAMES = [
    "omaha8",
    "stud8",
    "razz",
    "badacey",
    "badeucy",
    "double-board-holdem",
    "2-7-triple-draw",
    "courchevel8",
]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_worked_out_again_is_what_was_paid(game: str) -> None:
    for seed in range(12):
        said = winner(game, seed)
        assert not [line for line in said if "by the rules" in line], said


def test_halves_boards_and_a_low_nobody_has_are_named() -> None:
    hi_lo = ["\n".join(winner("omaha8", seed)) for seed in range(12)]
    assert any("no hand qualifies for low: the other half takes it all" in text for text in hi_lo)
    assert any("half, are for the low" in text and " low, the best" in text for text in hi_lo)
    assert "is for board 2, " in "\n".join(winner("double-board-holdem", 1))


def test_an_open_face_hand_is_told_row_by_row_and_seat_against_seat() -> None:
    out: list[str] = []
    script = Script.of(["tight", "random", "caller"], seed=5, game="open-face")
    with Stepper(script) as stepper:
        converse(stepper, ["goto 70", "c", "why winner", "why stack 0", "q"], out.append)
    text = "\n".join(out)
    assert "- / Th 5d Ts 4c / Qh 4s 9s 7c 6s | 8c" in text
    for said in (
        "seat 0, bottom: 7h 9d 9c Jc 3h, Pair of Nines",
        "seat 1 fouls: its middle row beats its bottom row",
        "seat 1 against seat 2: both foul, nothing is paid",
        "seat 1 fouls and loses 6 and the royalties of the other, -6 points",
        "seat 0 has +12 points: +12 chips",
    ):
        assert said in text
    assert "by the rules" not in text
    assert "the hand says" not in text


def test_open_face_is_drawn_in_rows_with_what_is_still_to_be_laid_beside_them() -> None:
    game = GAMES_BY_NAME["open-face"]
    hand = Hand([200] * 2, game.stakes, deck=Deck.seeded(5), game=game)
    first = hand.to_act[0]
    hand.check_or_call()
    drawn = picture_of(hand, ["ann", "bob"], (200, 200), GOD).to_dict()
    assert sum(map(len, drawn["open_face"]["rows"][first])) == 5
    assert sum(one["hidden"] for one in drawn["seats"]) == len(hand.holes[1 - first]) == 5
    while hand.to_act:
        hand.check_or_call()
    drawn = picture_of(hand, ["ann", "bob"], (200, 200), GOD).to_dict()
    assert [sorted(map(len, rows)) for rows in drawn["open_face"]["rows"]] == [[3, 5, 5]] * 2
    assert [one["hidden"] for one in drawn["seats"]] == [0, 0]
    assert sum(drawn["open_face"]["deals"][-1]["points"]) == 0


@pytest.mark.parametrize("seed", range(4))
def test_open_face_worked_out_again_is_what_was_paid(seed: int) -> None:
    out: list[str] = []
    with Stepper(Script.of(["tight"] * 2, seed=seed, game="open-face-pineapple")) as stepper:
        converse(stepper, ["c", "why winner", "why stack 0", "why stack 1", "q"], out.append)
    assert not [line for line in "\n".join(out).splitlines() if "by the rules" in line or "says" in line]


def test_the_open_cards_that_decide_who_opens_are_named() -> None:
    out: list[str] = []
    with Stepper(Script.of(["caller"] * 3, seed=5, game="razz")) as stepper:
        converse(stepper, ["n", "why turn", "st", "why turn", "q"], out.append)
    text = "\n".join(out)
    assert "the highest open card brings it in, the ace low" in text
    assert "the lowest open hand is first" in text
    assert text.count(" shows ") >= 6


RECORDED = ["stud", "razz", "stud8", "2-7-triple-draw", "badugi", "five-card-draw", "crazy-pineapple"]


def played(game: str, seed: int, throws: int, seats: int = 3) -> Hand:
    """Play a hand at random: folds, raises, and so many cards thrown away in a draw."""
    rules, rng = GAMES_BY_NAME[game], Random(seed)
    hand = Hand([400] * seats, rules.stakes, deck=Deck.seeded(seed), button=seats - 1, game=rules)
    while hand.to_act:
        legal = hand.legal
        if legal.discards:
            count = legal.must_discard or min(throws, legal.discards)
            hand.act(Discard(hand.holes[hand.to_act[0]][:count]))
        elif legal.can_raise and rng.random() < 0.2:
            hand.raise_to(legal.min_raise_to)
        elif Fold() in legal and legal.to_call and rng.random() < 0.1:
            hand.fold()
        else:
            hand.check_or_call()
    return hand


@pytest.mark.parametrize("game", RECORDED)
def test_a_recorded_hand_of_stud_and_draw_is_played_by_the_actors_as_it_was(game: str) -> None:
    for seed in range(3):
        hand = played(game, seed, throws=2)
        with Stepper(Script.of_history(record(hand))) as stepper:
            stepper.run()
            again = stepper.hand
            assert again is not None
            assert (again.payoffs, again.holes, again.board) == (hand.payoffs, hand.holes, hand.board)
            assert again.whole_actions() == hand.whole_actions()


def test_a_recorded_hand_whose_pack_was_mixed_again_is_refused_by_name() -> None:
    hand = played("2-7-triple-draw", 0, throws=5, seats=6)
    with pytest.raises(BadHistory, match="cards were reshuffled in this hand"):
        Script.of_history(record(hand))
    with pytest.raises(BadHistory, match="cards were reshuffled in this hand"):
        Script.of_hand(hand)
