"""Hands of games with halves, open cards, bring-ins and draws, as others wrote them down."""

from __future__ import annotations

from pathlib import Path

import pytest

from poker_actors.cards import Deck
from poker_actors.cli import main
from poker_actors.errors import BadHistory, Discrepancy
from poker_actors.history import (
    FORMATS,
    UNKNOWN,
    Dealt,
    Discarded,
    HandHistory,
    histories,
    parse,
    record,
    replay,
)
from poker_actors.rules import GAMES, Discard, Hand, Stakes

WSOP = Path(__file__).parent / "wsop"
REFUSED = WSOP / "5-85.phh"


@pytest.mark.parametrize("path", sorted({*WSOP.glob("*.phh")} - {REFUSED}), ids=lambda path: path.stem)
def test_the_rules_pay_the_championships_hands_what_was_paid(path: Path) -> None:
    [history] = histories(path)
    assert replay(history).final_stacks == history.finishing
    assert parse(FORMATS["phh"].text(history, 0)) == [history]
    [told] = parse(FORMATS["pokerstars"].text(history, 0), "pokerstars")
    assert replay(told).final_stacks == history.finishing


def test_a_raise_to_less_than_a_full_one_with_chips_behind_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["replay", str(WSOP)]) == 1
    reason, total = capsys.readouterr().out.splitlines()
    assert reason == (
        f"{REFUSED}, line 1: hand 85, action 19 (p2 cbr 750000): raise_to 750000 is below the minimum of 1200000"
    )
    assert total == "42 hands: 41 agree, 1 disagree"


RAZZ = """PokerStars Game #7:  Razz Limit ($0.04/$0.08 USD) - 2024/03/04 5:06:07 ET
Table 'Ceres' 8-max
Seat 1: ann ($2 in chips)
Seat 3: bob ($3 in chips)
Seat 4: cy ($1.50 in chips)
ann: posts the ante $0.01
bob: posts the ante $0.01
cy: posts the ante $0.01
*** 3rd STREET ***
Dealt to ann [3d Th 2s]
Dealt to bob [Kc]
Dealt to cy [7h]
bob: brings in for $0.02
cy: raises $0.02 to $0.04
ann: calls $0.04
bob: folds
*** 4th STREET ***
Dealt to ann [3d Th 2s] [5c]
Dealt to cy [7h] [Qd]
ann: bets $0.04
cy: calls $0.04
*** 5th STREET ***
Dealt to ann [3d Th 2s 5c] [Jd]
Dealt to cy [7h Qd] [8s]
ann: checks
cy: checks
*** 6th STREET ***
Dealt to ann [3d Th 2s 5c Jd] [6h]
Dealt to cy [7h Qd 8s] [9d]
ann: bets $0.08
cy: calls $0.08
*** RIVER ***
Dealt to ann [3d Th 2s 5c Jd 6h] [Ac]
ann: checks
cy: checks
*** SHOW DOWN ***
ann: shows [3d Th 2s 5c Jd 6h Ac] (Lo: 6,5,3,2,A)
cy: mucks hand
ann collected $0.36 from pot
*** SUMMARY ***
Total pot $0.37 | Rake $0.01
Seat 1: ann showed [3d Th 2s 5c Jd 6h Ac] and won ($0.36) with Lo: 6,5,3,2,A
Seat 3: bob folded on the 3rd Street (didn't bet)
Seat 4: cy mucked [4h 4c 7h Qd 8s 9d Ks]
"""
TRIPLE_DRAW = """PokerStars Hand #8:  Triple Draw 2-7 Lowball Limit ($0.04/$0.08 USD) - 2024/03/04 5:06:07 ET
Table 'Juno' 6-max Seat #1 is the button
Seat 1: ann ($2 in chips)
Seat 3: bob ($3 in chips)
Seat 4: cy ($1.50 in chips)
bob: posts small blind $0.02
cy: posts big blind $0.04
*** DEALING HANDS ***
Dealt to cy [7d 5h 4c 2s Kd]
ann: calls $0.04
bob: folds
cy: checks
*** FIRST DRAW ***
cy: discards 1 card [Kd]
Dealt to cy [7d 5h 4c 2s] [9c]
ann: discards 3 cards
cy: bets $0.04
ann: calls $0.04
*** SECOND DRAW ***
cy: discards 1 card [9c]
The deck is reshuffled
Dealt to cy [7d 5h 4c 2s] [3h]
ann: discards 1 card
cy: bets $0.08
ann: calls $0.08
*** THIRD DRAW ***
cy: stands pat on [7d 5h 4c 2s 3h]
ann: stands pat
cy: bets $0.08
ann: folds
Uncalled bet ($0.08) returned to cy
cy collected $0.33 from pot
cy: doesn't show hand
*** SUMMARY ***
Total pot $0.34 | Rake $0.01
Seat 1: ann (button) folded after the 3rd Draw
Seat 3: bob (small blind) folded before the Draw
Seat 4: cy (big blind) collected ($0.33)
"""


@pytest.mark.parametrize(("text", "won"), [(RAZZ, (36 - 17, -3, -17)), (TRIPLE_DRAW, (-2, 33 - 16, -16))])
def test_a_table_told_by_one_of_its_players_is_read(text: str, won: tuple[int, ...]) -> None:
    [history] = parse(text, "pokerstars")
    assert replay(history).payoffs == won
    [again] = parse(FORMATS["pokerstars"].text(history, 0), "pokerstars")
    assert replay(again).payoffs == won


def test_what_cannot_have_happened_in_them_is_named() -> None:
    for text, old, new, reason in (
        (RAZZ, "bob: brings in for $0.02\n", "bob: folds\n", "the bring-in of 2 must be paid"),
        (RAZZ, "[3d Th 2s] [5c]", "[3d Th 2s] [7h]", "7h is dealt twice"),
        (TRIPLE_DRAW, "discards 1 card [Kd]", "discards 1 card [Ks]", "p2 throws Ks away but holds"),
        (TRIPLE_DRAW, "cy: checks\n", "cy: checks\ncy: checks\n", "throwing cards away"),
    ):
        assert old in text
        with pytest.raises(Discrepancy, match=reason):
            replay(parse(text.replace(old, new, 1), "pokerstars")[0])


def drawn() -> Hand:
    hand = Hand([200] * 3, Stakes(1, 2), deck=Deck.seeded(4), game=GAMES["2-7-triple-draw"])
    while hand.to_act:
        if hand.legal.discards:
            hand.act(Discard(hand.holes[hand.to_act[0]][:2]))
        else:
            hand.check_or_call()
    return hand


def checked_down(seats: int, name: str) -> HandHistory:
    game = GAMES[name]
    hand = Hand([400] * seats, game.stakes, deck=Deck.seeded(4), game=game)
    while hand.to_act:
        hand.check_or_call()
    return record(hand)


def test_what_others_were_dealt_down_and_threw_away_stays_unknown() -> None:
    seen = record(drawn()).seen_by(1)
    for step in seen.steps:
        if isinstance(step, Dealt | Discarded):
            assert (UNKNOWN in step.cards) == (step.player != 1)
    stud = checked_down(3, "stud").seen_by(0)
    deals = [step.cards for step in stud.steps if isinstance(step, Dealt) and step.player == 2]
    assert [cards.count(UNKNOWN) for cards in deals] == [2, 0, 0, 0, 1]
    for history in (seen, stud):
        replay(history)  # what is not known is no discrepancy


def test_the_last_card_of_eight_handed_stud_lies_on_the_board() -> None:
    history = checked_down(8, "stud")
    assert len(history.board) == 1
    assert {len(hole) for hole in history.holes} == {6}
    [again] = parse(FORMATS["phh"].text(history, 0))
    assert again == history
    assert replay(again).final_stacks == history.finishing


@pytest.mark.parametrize("name", ["phh", "pokerstars", "ohh", "acpc"])
def test_a_game_that_a_format_has_no_words_for_is_named(name: str) -> None:
    with pytest.raises(BadHistory, match=r"(no name for|cannot carry) Fixed-limit badacey"):
        FORMATS[name].text(checked_down(2, "badacey"), 0)
