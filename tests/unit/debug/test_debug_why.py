"""Why a number is what it is, and a planted bug that the explanation gives away."""

import re
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest

from poker_actors.actors import Room, StepRuntime, TimeBank
from poker_actors.actors.command import TakeUp
from poker_actors.cards import Deck
from poker_actors.debug import Program, Script, Stepper
from poker_actors.debug.plain import SPECTATOR
from poker_actors.debug.session import Watch
from poker_actors.debug.turns import UNTIMED, why_deadline
from poker_actors.debug.why import why
from poker_actors.errors import BadSpec
from poker_actors.rules import (
    GAMES,
    Action,
    Call,
    Check,
    Fold,
    Hand,
    Legal,
    PublicState,
    RaiseTo,
    Stakes,
    View,
    parse_action,
    payout,
    settlement,
)
from poker_actors.rules.cash import HandOptions, Rake
from poker_actors.rules.event import Post, Posted, UncalledReturned

QUESTIONS = ["pot", "to_call", "main pot", *(f"stack {seat}" for seat in range(6))]


@pytest.mark.parametrize("seed", range(25))
def test_the_chain_of_every_number_comes_out_at_the_number(seed: int) -> None:
    with Stepper(bots=["random"] * 6, seed=seed, stacks=[200, 90, 40, 13, 200, 7]) as stepper:
        while stepper.step_action() is not None:
            names = stepper.names()
            for question in QUESTIONS:
                assert stepper.why(question).wrong == ()
            assert stepper.why("pot").value == names["pot"]
            assert names["over"] or stepper.why("to_call").value == names["to_call"]
        assert stepper.why("winner").wrong == ()


@pytest.mark.parametrize("seed", range(15))
def test_the_pots_are_those_of_the_hand_while_it_is_played(seed: int) -> None:
    with Stepper(bots=["random"] * 5, seed=seed, stacks=[200, 60, 40, 13, 25]) as stepper:
        while stepper.step_action() is not None:
            hand = stepper.hand
            assert hand is not None
            if not hand.over:
                said = [
                    why(hand, "main pot" if not number else f"side pot {number}")
                    for number in range(len(hand.pots))
                ]
                assert [one.value for one in said] == [pot.amount for pot in hand.pots]


def test_each_link_names_the_step_to_go_to() -> None:
    with Stepper(seed=7) as stepper:
        stepper.run()
        links = [link for link in stepper.why("pot").links if "raises" in link.text or "calls" in link.text]
        for link in links:
            assert link.step is not None
            stepper.goto(link.step)
            assert stepper.why("pot").links[-1] == link or stepper.names()["over"]


def shares_a_pot(view: View) -> Action:
    if view.street == "preflop" and view.seat == 0:
        return Fold()
    return Call() if view.to_call else Check()


def split_hand() -> Script:
    # seats 1 and 2 play the board for a pot of 2 + 2 + the ante's odd chips
    script = Script.of([shares_a_pot] * 3, stakes=Stakes(1, 2, ante=1), stacks=50)
    deck = Deck.stacked(["7c8d", "2c3d", "2d3h"], "AsKsQsJsTs").draw(11)

    return attrs.evolve(script, cards=deck)


def test_the_odd_chip_is_explained() -> None:
    with Stepper(split_hand()) as stepper:
        stepper.run()
        said = str(stepper.why("winner"))
        assert "seats 1, 2 share it: 3 each" in said
        assert "1 odd, one each to seat 1: first left of the button" in said
        assert stepper.why("winner").wrong == ()


def test_a_bug_planted_in_the_pot_split_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = settlement.split_pot

    def planted(amount: int, winners: Any) -> list[tuple[int, int]]:
        shares = [chips for _, chips in sound(amount, winners)]
        return list(zip(winners, reversed(shares), strict=True))

    monkeypatch.setattr(settlement, "split_pot", planted)
    monkeypatch.setattr(payout, "split_pot", planted)
    with Stepper(split_hand()) as stepper:
        stepper.run()
        wrong = [link.text for link in stepper.why("winner").wrong]
    assert wrong == [
        "by the rules seat 1 is due 4 from the main pot, not 3",
        "by the rules seat 2 is due 3 from the main pot, not 4",
    ]


def test_the_pots_are_explained_though_the_wrong_hands_were_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payout, "seats_that_show", lambda order, boards: tuple(order[:1]))
    with Stepper(split_hand()) as stepper:
        stepper.run()
        told = stepper.why("winner")
        assert "seats 1, 2 share it: 3 each" in str(told)
        assert [link.text.split(" (")[0] for link in told.wrong] == [
            "seat 1 shows, seat 2 mucks: by the rules seat 1 shows, seat 2 shows"
        ]


def test_chips_that_vanish_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (settlement, payout):
        monkeypatch.setattr(
            module, "split_pot", lambda amount, winners: [(seat, amount // len(winners)) for seat in winners]
        )
    with Stepper(split_hand()) as stepper:
        stepper.run()
        assert "1 of the pot is paid to nobody" in [link.text for link in stepper.why("winner").wrong]


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("", "why '': ask for pot"),
        ("the weather", "why 'the weather': ask for pot"),
        ("stack", "why stack needs a seat: stack 0 to stack 1"),
        ("stack 9", "why stack 9: seats are 0 to 1"),
        ("side pot 5", "side pot 5: this hand has 1 pot"),
        ("winner", "why winner: the hand is not over"),
        ("to_call 7", "why to_call 7: seats are 0 to 1"),
    ],
)
def test_questions_without_an_answer_are_refused(what: str, said: str) -> None:
    hand = Hand((50, 50), Stakes(), deck=Deck.seeded(1))
    with pytest.raises(BadSpec, match=re.escape(said)):
        why(hand, what)


def test_a_short_call_says_so() -> None:
    hand = Hand((50, 5), Stakes(), deck=Deck.seeded(1))
    hand.act(RaiseTo(20))
    assert "and only 3 behind" in str(why(hand, "to_call"))


def test_an_action_is_explained_by_what_expert_does_there_to_whom_the_cards_are_seen() -> None:
    pytest.importorskip("numpy")
    hand = Hand([200, 200], Stakes(), deck=Deck.stacked(["AsAh", "2c7d"]))
    told = why(hand, "action")
    assert told.value == "what expert does in seat 0"
    assert "As Ah beat 100 % of all hands now" in str(told)
    assert "to call 1 into 3 takes 25 % to be worth it" in str(told)
    assert "% raise_to" in str(told)
    with pytest.raises(BadSpec, match="the cards of seat 0 are not seen from viewpoint spectator"):
        why(hand, "action", viewpoint=SPECTATOR)
    hand.fold()
    assert "the hand is over" in str(why(hand, "action"))


RAKES = [Rake(500), Rake(1000, cap=7), Rake(333, no_flop_no_drop=False), Rake(9_999)]


def played_by_chance(seed: int, options: HandOptions) -> Hand:
    hand = Hand([200, 90, 40, 13, 200, 7], Stakes(1, 2, ante=1), deck=Deck.seeded(seed), options=options)
    chance = Random(seed)
    while not hand.over:
        legal = list(hand.legal)
        hand.act(chance.choice([*legal[:2] * 2, *legal[-1:]]))
    return hand


@pytest.mark.parametrize("rake", RAKES)
def test_the_rake_is_a_link_of_the_pot_and_of_the_winner(rake: Rake) -> None:
    raked = 0
    for seed in range(20):
        hand = played_by_chance(seed, HandOptions(rake=rake))
        for question in QUESTIONS[:1] + QUESTIONS[3:] + ["winner"]:
            assert why(hand, question).wrong == ()
        for question in ("pot", "winner"):
            assert ("the house takes" in str(why(hand, question))) == (hand.rake > 0)
        raked += hand.rake > 0
    assert raked > 5


def test_a_bug_planted_in_the_rake_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = Rake.of
    monkeypatch.setattr(Rake, "of", lambda *args, **named: [one + 1 for one in sound(*args, **named)])
    hand = Hand([100, 100], Stakes(10, 20), deck=Deck.seeded(1), options=HandOptions(rake=Rake(1000)))
    for action in (Call(), Check(), Check(), Check(), Check(), Check(), Check(), Check()):
        hand.act(action)
    assert hand.over
    assert next(link.text for link in why(hand, "winner").wrong) == (
        "by the rules the house is due 4 from the main pot, not 5"
    )


def after(name: str, stacks: list[int], *acts: str, to_end: bool = False, seed: int = 7) -> Hand:
    """Play acts, and calls to the end if wanted."""
    game = GAMES[name]
    hand = Hand(stacks, game.stakes, deck=Deck.seeded(seed, game.pack), game=game)
    for act in acts:
        hand.act(parse_action(act))
    while to_end and hand.to_act:
        hand.check_or_call()
    return hand


def fantasy_land(stacks: list[int], lays: int) -> Hand:
    """Play a deal in which seat 0 earns fantasy land, and so many lays of the next."""
    hand = after("open-face", stacks, seed=134)
    while len(hand.log) < 27 + lays:
        hand.check_or_call()
    return hand


FACING = after("holdem", [200, 9, 200, 200], "raise_to 6", "fold", "call")
SIDE_POT = after("holdem", [200, 9, 200], "raise_to 40", "call", "call", to_end=True)
LAID = "the seats lay cards from the left of the button, those in fantasy land all at once"
RAISED = after("holdem", [200] * 3, "raise_to 8", "raise_to 20")
ANTED = Hand([200] * 3, Stakes(1, 2, ante=1), deck=Deck.seeded(7))
SHORT = Hand([200, 200, 1], Stakes(1, 2), deck=Deck.seeded(7))


@pytest.mark.parametrize(
    ("hand", "what", "said"),
    [
        (FACING, "turn", "of seat 2: seat 1 posts small blind 1; seat 2 posts big blind 2; seat 3 raises to 6; seat 0 folds; seat 1 calls 5; seat 2 is next"),
        (after("holdem", [200, 9, 200, 200], "raise_to 20", "fold", "call", "call", "bet 10", "raise_to 30"), "turn",
         ("of seat 2: the flop opens: first to act is the first left of the button still in; seat 2 bets 10; seat 3 raises to 30; seat 0 has folded; "
         "seat 1 is all-in; seat 2 is next")),
        (after("holdem", [200, 0, 200, 200], "raise_to 10"), "turn",
         "of seat 2: seat 2 posts small blind 1; seat 3 posts big blind 2; seat 0 raises to 10; seat 2 is next; after it seat 3"),
        (after("holdem", [200] * 3, "call", "call", "check"), "turn",
         "of seat 1: the flop opens: first to act is the first left of the button still in; seat 1 is next; after it seat 2, seat 0"),
        (after("open-face", [200] * 3), "turn", f"of seat 1: {LAID}; seat 1 is next; after it seat 2, seat 0"),
        (fantasy_land([200] * 3, 3), "turn", f"of seat 1: {LAID}; seat 0 has done so; seat 1 is next; after it seat 2"),
        (fantasy_land([200, 6, 200], 1), "turn", f"of seat 0: {LAID}; seat 2 has done so; seat 0 is next"),
        (after("2-7-triple-draw", [200, 4, 200], "raise_to 4", "call", "call", "stand pat"), "turn",
         "of seat 2: the seats still in draw from the left of the button, those all-in too; seat 1 has done so; seat 2 is next; after it seat 0"),
        (after("2-7-triple-draw", [200] * 3, "call", "call", "check"), "turn",
         "of seat 1: the seats still in draw from the left of the button, those all-in too; seat 1 is next; after it seat 2, seat 0"),
        (after("stud", [400] * 3), "turn",
         "of seat 2: seat 0 shows 5d; seat 1 shows Ad; seat 2 shows 2h; the lowest open card brings it in, equal ranks by suit, clubs lowest"),
        (after("stud", [400] * 3, "bring in"), "turn",
         "of seat 0: seat 1 posts ante 1; seat 2 posts ante 1; seat 0 posts ante 1; seat 2 brings in for 2; seat 0 is next; after it seat 1"),
        (SIDE_POT, "turn", "nobody: the hand is over, or nobody can act any more"),
        (FACING, "illegal raise_to 7", ("illegal: raise_to 7 is below the minimum of 10; seat 2 is to act, with 198 behind and 2 in front; "
         "the bet is 6, so 4 to call; it may fold, call 4, raise_to 10 to 200")),
        (FACING, "illegal fold", "legal: seat 2 is to act, with 198 behind and 2 in front; the bet is 6, so 4 to call; it may fold, call 4, raise_to 10 to 200"),
        (SIDE_POT, "illegal fold", "illegal: nobody is to act: the hand is over"),
        (FACING, "pot", "14: seat 1 posts small blind 1; seat 2 posts big blind 2; seat 3 raises to 6; seat 1 calls 5"),
        (after("open-face", [200] * 2, to_end=True, seed=4), "stack 0", "200: seat 0 starts with 200"),
        (FACING, "to_call", "4: seat 1 posts small blind 1; seat 2 posts big blind 2; seat 3 raises to 6; seat 2 has 2 in front"),
        (after("holdem", [200] * 3, "fold", "fold"), "winner",
         "seat 2 +1: the main pot of 2 is for seat 2; seat 2 is the last one in: no cards are compared; seat 2 is paid 2 from the main pot"),
        (SIDE_POT, "winner", ("seat 2 +49: the main pot of 27 is for seats 0, 1, 2; seat 1 has Pair of Sevens; seat 2 has Two Pair, Aces and Sevens, the best; "
         "seat 0 has Pair of Sevens; side pot 1 of 62 is for seats 0, 2; seat 2 has Two Pair, Aces and Sevens, the best; seat 0 has Pair of Sevens; "
         "seat 2 is paid 27 from the main pot; seat 2 is paid 62 from side pot 1")),
        (after("holdem", [200, 9, 200], "raise_to 40", "call", "call", "bet 10", "fold", to_end=True), "winner",
         ("seat 2 +49: the main pot of 27 is for seats 1, 2; seat 1 has Pair of Sevens; seat 2 has Two Pair, Aces and Sevens, the best; "
         "side pot 1 of 62 is for seat 2; seat 2 is paid 27 from the main pot; seat 2 is paid 62 from side pot 1")),
        (after("open-face", [200] * 2, to_end=True, seed=3552), "winner",
         ("nobody: seat 1, top: 7c 3c 8d, High Card, Eight; seat 1, middle: 4h Kh Js Qc 4s, Pair of Fours; seat 1, bottom: Ah 5h 2h 6h 5s, Pair of Fives; "
         "seat 0, top: 7d 8s 3d, High Card, Eight; seat 0, middle: 4d Jd Tc Kc Ac, High Card, Ace; seat 0, bottom: As 7h Ad Td 5d, Pair of Aces; "
         "seat 1 against seat 0: top 0, middle +1, bottom -1, +0 points; seat 1 comes to +0 points, +0 chips; seat 0 comes to +0 points, +0 chips")),
        (SIDE_POT, "side pot", "62: seat 0 put in 40: 9 to 40 of it; seat 2 put in 40: 9 to 40 of it; it is for seats 0, 2"),
        (after("razz", [400] * 3, "bring in", "call", "call"), "turn",
         "of seat 2: seat 0 shows 5d As; seat 1 shows Ad Jh; seat 2 shows 2h 4h; the lowest open hand is first, equal hands by the suit of the highest card (TDA RP-10)"),
        (after("razz", [400] * 3, "bring in", "call", "call", "check"), "turn",
         ("of seat 0: the fourth opens: the lowest open hand is first, equal hands by the suit of the highest card (TDA RP-10); "
         "seat 2 checks; seat 0 is next; after it seat 1")),
        (after("stud8", [400] * 3, "bring in", "call", "call", "check"), "turn",
         ("of seat 2: the fourth opens: the highest open hand is first, equal hands by the suit of the highest card (TDA RP-10); "
         "seat 1 checks; seat 2 is next; after it seat 0")),
        (after("pineapple", [200] * 3), "turn",
         "of seat 1: the seats still in give up cards from the left of the button, those all-in too; seat 1 is next; after it seat 2, seat 0"),
        (after("2-7-triple-draw", [200] * 3, "call", "call", "check", "stand pat", "stand pat"), "turn",
         "of seat 0: the seats still in draw from the left of the button, those all-in too; seat 1, seat 2 have done so; seat 0 is next"),
        (RAISED, "to_call", "18: seat 1 posts small blind 1; seat 2 posts big blind 2; seat 0 raises to 8; seat 1 raises to 20; seat 2 has 2 in front"),
        (RAISED, "to_call seat 0", "12: seat 1 posts small blind 1; seat 2 posts big blind 2; seat 0 raises to 8; seat 1 raises to 20; seat 0 has 8 in front"),
        (ANTED, "to_call 1", "1: seat 1 posts small blind 1; seat 2 posts big blind 2; seat 1 has 1 in front"),
        (SHORT, "to_call", "2: seat 1 posts small blind 1; seat 2 posts big blind 1; seat 0 has 0 in front"),
        (after("holdem", [200] * 3, "call", "call", "check", "bet 10", "raise_to 30"), "to_call",
         "30: the flop opens: bets start at 0 again; seat 1 bets 10; seat 2 raises to 30; seat 0 has 0 in front"),
        (after("holdem", [200] * 3, "fold", "fold"), "to_call", "0: the hand is over: nobody has to call"),
        (after("holdem", [200] * 3, "fold", "fold"), "stack 2", "201: seat 2 starts with 200; seat 2 posts big blind 2; seat 2 gets 1 back, uncalled; seat 2 is paid 2 from the main pot"),
        (SIDE_POT, "payoff seat 1", "0: seat 1 starts with 9; seat 1 posts small blind 1; seat 1 calls 8, all-in"),
        (SIDE_POT, "main pot", "27: seat 0 put in 40: 0 to 9 of it; seat 1 put in 9: 0 to 9 of it; seat 2 put in 40: 0 to 9 of it; it is for seats 0, 1, 2"),
        (after("omaha8", [200] * 3, to_end=True), "winner",
         ("seat 0 +4: the main pot of 6 is for seats 0, 1, 2; no hand qualifies for low: the other half takes it all; seat 1 has Two Pair, Nines and Sevens; "
         "seat 2 has Pair of Nines; seat 0 has Two Pair, Tens and Nines, the best; seat 0 is paid 6 from the main pot")),
        (after("omaha8", [200] * 5, to_end=True, seed=3), "winner",
         ("seat 1 +6: the main pot of 10 is for seats 0, 1, 2, 3, 4; 5 of it, half, are for the high; seat 1 has Flush, Jack high, the best; "
         "seat 2 has Straight, Six high; seat 3 has Two Pair, Queens and Deuces; seat 4 has Two Pair, Nines and Fours; seat 0 has Pair of Jacks; "
         "5 of it, half, are for the low; seat 1 has 6-5-4-3-2 low, the best; seat 2 has 6-5-4-3-2 low, the best; seats 1, 2 share it: 2 each; "
         "1 odd, one each to seat 1: first left of the button (TDA 20); seat 1 is paid 8 from the main pot; seat 2 is paid 2 from the main pot")),
        (after("stud8", [200] * 7, to_end=True, seed=67), "winner",
         ("seat 0 +7, seat 2 +3, seat 6 +2: the main pot of 21 is for seats 0, 1, 2, 3, 4, 5, 6; 11 of it, half, are for the high; "
         "seat 1 has Two Pair, Nines and Fours; seat 2 has Straight, Ace high, the best; seat 3 has Two Pair, Fives and Threes; seat 4 has Pair of Fives; "
         "seat 5 has High Card, Queen; seat 6 has Straight, Ace high, the best; seat 0 has High Card, Ace; seats 2, 6 share it: 5 each; "
         "1 odd, one each to seat 2: the highest card by suit (TDA 20); 10 of it, half, are for the low; seat 0 has 8-6-3-2-A low, the best; "
         "seat 0 is paid 10 from the main pot; seat 2 is paid 6 from the main pot; seat 6 is paid 5 from the main pot")),
        (after("double-board-omaha", [200] * 3, to_end=True, seed=3), "winner",
         ("seat 0 +1: the main pot of 6 is for seats 0, 1, 2; 3 of it is for board 1, 2s Kd 3c 7c 9d; seat 1 has Pair of Threes; "
         "seat 2 has Two Pair, Nines and Threes; seat 0 has Two Pair, Kings and Sevens, the best; 3 of it is for board 2, Qc 4h 9s 2h 5h; "
         "seat 1 has Straight, Six high, the best; seat 2 has Straight, Six high, the best; seat 0 has Pair of Jacks; seats 1, 2 share it: 1 each; "
         "1 odd, one each to seat 1: first left of the button (TDA 20); seat 0 is paid 3 from the main pot; seat 1 is paid 2 from the main pot; "
         "seat 2 is paid 1 from the main pot")),
        (after("open-face", [200] * 2, to_end=True, seed=10), "winner",
         ("seat 0 +8: seat 1, top: 2h 3s 8s, High Card, Eight; seat 1, middle: Td Qc 7s 8h 2c, High Card, Queen; seat 1, bottom: Kc 9d Ts 4c 4d, Pair of Fours; "
         "seat 0, top: 7d Qd 4h, High Card, Queen; seat 0, middle: 2s 2d 5h Th Qh, Pair of Deuces; "
         "seat 0, bottom: 3h 7c 5d 4s 6c, Straight, Seven high: 2 royalties; "
         "seat 1 against seat 0: top -1, middle -1, bottom -1, all three rows -3, royalties -2, -8 points; seat 1 comes to -8 points, -8 chips; "
         "seat 0 comes to +8 points, +8 chips")),
        (after("open-face", [200, 3, 200], to_end=True, seed=0), "winner",
         ("seat 1 +6: seat 1, top: 3s 8c 8h, Pair of Eights: 3 royalties; seat 1, middle: 9h 2h 4c 9c 6h, Pair of Nines; "
         "seat 1, bottom: Jh 2s Kc Jc Ad, Pair of Jacks; seat 2, top: 7d 8s 2c, High Card, Eight; seat 2, middle: 4h 9d Qs Js As, High Card, Ace; "
         "seat 2, bottom: 2d 8d 3c 5c Jd, High Card, Jack; seat 2 fouls: its middle row beats its bottom row; seat 0, top: 5s Ac 7c, High Card, Ace; "
         "seat 0, middle: 3h 5d 7h Kd 3d, Pair of Threes; seat 0, bottom: Ks Ah 6s Qh 7s, High Card, Ace; seat 0 fouls: its middle row beats its bottom row; "
         "seat 1 against seat 2: seat 2 fouls and loses 6 and the royalties of the other, +9 points; "
         "seat 1 against seat 0: seat 0 fouls and loses 6 and the royalties of the other, +9 points; "
         "seat 2 against seat 0: both foul, nothing is paid; "
         "seat 1 comes to +18 points, +6 chips; no two seats pay each other more than the smaller of their stacks; "
         "seat 2 comes to -9 points, -3 chips; no two seats pay each other more than the smaller of their stacks; "
         "seat 0 comes to -9 points, -3 chips; no two seats pay each other more than the smaller of their stacks")),
    ],
)  # fmt: skip
def test_an_explanation_says_what_decides_and_nothing_else(hand: Hand, what: str, said: str) -> None:
    reason = why(hand, what)
    assert f"{reason.value}: {'; '.join(link.text for link in reason.links)}" == said


def test_a_spectator_is_told_of_the_hands_that_were_shown() -> None:
    told = str(why(after("holdem", [200] * 3, to_end=True), "winner", viewpoint=SPECTATOR))
    assert "seat 2 has Two Pair, Aces and Sevens, the best" in told
    assert "seat 0 has" not in told, "it mucked"


def test_an_action_that_is_none_is_refused() -> None:
    with pytest.raises(BadSpec, match="why illegal needs an action"):
        why(FACING, "illegal")
    assert why(FACING, "illegal dance").value == "no action"


def test_a_number_that_the_events_do_not_make_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = after("holdem", [200] * 3, "raise_to 8", "raise_to 20")
    monkeypatch.setattr(PublicState, "to_call", lambda self, seat: 17)
    (marked,) = why(hand, "to_call").wrong
    assert marked.text == "these make 18: the hand says 17"
    hand.stacks = (hand.stacks[0] + 5, *hand.stacks[1:])
    assert "these make 192: the hand says 197" in [link.text for link in why(hand, "stack 0").wrong]
    pot = why(hand, "pot")
    assert "these make 30: the hand says 25" in [link.text for link in pot.wrong]
    assert str(pot).splitlines()[-1].lstrip().startswith("! stacks are (197, 180, 198): by the rules")


def test_a_blind_that_is_dead_is_in_the_pot_and_in_front_of_nobody() -> None:
    posts = [
        Posted(1, Post.SMALL_BLIND, 1),
        Posted(2, Post.BIG_BLIND, 2),
        Posted(3, Post.DEAD_BLIND, 1),
        Posted(3, Post.BIG_BLIND, 2),
    ]
    hand = Hand([200] * 4, Stakes(1, 2), deck=Deck.seeded(7), posts=posts)
    said = [link.text for link in why(hand, "to_call 3").links]
    assert said == [
        "seat 1 posts small blind 1",
        "seat 2 posts big blind 2",
        "seat 3 posts big blind 2",
        "seat 3 has 2 in front",
    ]
    hand.act(Fold())
    while hand.to_act:
        hand.check_or_call()
    assert "dead chips belong to the main pot" in str(why(hand, "main pot"))


def test_a_deal_in_fantasy_land_is_told_apart() -> None:
    fantasy = str(why(after("open-face", [200] * 2, to_end=True, seed=168), "winner"))
    first, second = fantasy.split("a deal in fantasy land, from the whole pack")
    assert "seat 1, top: 2c Qc Qs, Pair of Queens: 7 royalties" in first
    assert "seat 1 against seat 0: both foul, nothing is paid" in second
    broke = fantasy_land([200, 6, 200], 0)
    while broke.to_act:
        broke.check_or_call()
    first, second = str(why(broke, "winner")).split("a deal in fantasy land, from the whole pack")
    assert "seat 1 comes to -17 points, -6 chips" in first
    assert "seat 1" not in second, "who has lost all chips is dealt none"


def test_the_next_seat_opens_where_the_one_with_the_best_cards_is_all_in() -> None:
    game = GAMES["stud"]
    hand = Hand([200, 6, 200], game.stakes, deck=Deck.seeded(0), game=game)
    while hand.stacks[1]:
        hand.raise_to(hand.legal.min_raise_to) if hand.legal.can_raise else hand.check_or_call()
    while len(hand.log) != hand.marks[-1]:
        hand.check_or_call()
    *shown, rule, last = [link.text for link in why(hand, "turn").links]
    assert len(shown) == 3
    assert rule.startswith("the highest open hand is first")
    assert last == "where that seat is all-in the next one to its left is first"


def test_a_deadline_is_explained_by_its_timer() -> None:
    told = why_deadline((), 3.0, ())
    assert (told.value, told.links[0].text) == ("none", UNTIMED)
    with Stepper(Script.of(["caller"] * 2, seed=1, turn_seconds=20.0)) as stepper:
        stepper.step_action()
        told, steps = stepper.why("deadline"), stepper.steps
        assert (told.what, told.value) == ("deadline of seat 1", "at 20 s")
        other = attrs.evolve(stepper.timers[0], message=TakeUp())
        assert why_deadline((other, *stepper.timers), stepper.clock, steps) == told
        assert why_deadline((other,), stepper.clock, steps).value == "none"


def test_a_time_bank_is_told_apart_from_the_turn() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=2, recent=200) as room:
        table = room.open_table("green", seats=2, turn_seconds=20, time_bank=TimeBank(30))
        for name in ("ann", "bob"):
            player = room.player(name, chips=300)
            table.sit(player)
            table.buy_in(player, 300)
        table.deal(Deck.seeded(1))
        said = []
        for seconds in (5, 20):
            runtime.advance(seconds)
            with room.debug("green") as stepper:
                stepper.run()
                said.append([link.text.split("/")[-1] for link in stepper.why("deadline").links])
    assert said == [
        [
            "hand-000000000 told seat 1 that it is its turn, at 0 s",
            "a turn has 20 s, by the turn_seconds of its table",
            "the clock is at 0 s: 20 s are left",
        ],
        [
            "hand-000000000 started the time bank of seat 1, at 20 s",
            "30 s were left in it",
            "the clock is at 20 s: 30 s are left",
        ],
    ]


def test_a_winner_is_told_by_payments_alone_where_the_hand_left_the_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Legal, "refusal", lambda self, action: None)
    said = why(after("holdem", [200] * 3, "raise_to 3", to_end=True), "winner").links
    assert [(link.text[:38], link.wrong) for link in said] == [
        ("seat 2 is paid 9 from the main pot", False),
        ("seat 0 raises to 3: by the rules seat ", True),
    ]
    checks = ["check"] * 7
    hand = after("holdem", [200] * 3, "call", "call", *checks, "bet 10", "raise_to 11")
    due = "seat 2 raises to 11: by the rules seat 2 to call 10 or raise to 20-198"
    told = [link.text.split(" (")[0] for link in why(hand, "turn").links]
    assert told[-3:] == ["seat 1 bets 10", "seat 2 raises to 11", due], "nothing is said of who is next"
    hand.fold()
    hand.check_or_call()
    said = why(hand, "winner").links
    assert [link.text.split(" (")[0] for link in said] == ["seat 2 is paid 28 from the main pot", due]


def test_nothing_is_missing_from_a_pot_that_was_not_followed_to_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "poker_actors.rules.streets.UncalledReturned", lambda seat, chips: UncalledReturned(seat, chips - 1)
    )
    (wrong,) = why(after("holdem", [200] * 3, "raise_to 8", "fold", "fold"), "winner").wrong
    assert wrong.text.startswith("seat 0 gets 5 back: by the rules seat 0 gets 6 back")


def test_the_winner_of_an_order_of_hands_of_ones_own_is_told_by_payments_alone() -> None:
    game = attrs.evolve(GAMES["holdem"], strengths=lambda holes, board: [1 for _ in holes])
    hand = Hand([50, 50], Stakes(1, 2), deck=Deck.seeded(3), game=game)
    hand.act(RaiseTo(50))
    hand.check_or_call()
    assert [link.text for link in why(hand, "winner").links] == [
        "seat 0 is paid 50 from the main pot",
        "seat 1 is paid 50 from the main pot",
    ]


def test_a_turn_that_goes_on_after_a_restart_is_told_apart_from_a_whole_one(tmp_path: Path) -> None:
    places = (tmp_path / f"room{number}" for number in range(9))

    def restarted(watch: Watch) -> None:
        """The hand stops half-way through a turn of two hours, and the table continues it."""
        runtime = StepRuntime()
        watch(runtime)
        with Room(runtime, seed=2, store=next(places)) as room:
            table = room.open_table("green", seats=2, turn_seconds=7200)
            for name in ("ann", "bob"):
                player = room.player(name, chips=300)
                table.sit(player)
                table.buy_in(player, 300)
            over = table.deal(Deck.seeded(1))
            runtime.advance(3600)
            hand = next(one for one in room.supervisor.addresses if "hand-" in one.name)
            assert hand.actor is not None
            hand.actor.stop()
            over.result()

    said = {}
    with Stepper(Program(restarted)) as stepper:
        while stepper.step() is not None:
            if stepper.timers:
                told, *others = [link.text.split("/")[-1] for link in stepper.why("deadline").links]
                said[told] = tuple(others)
    assert said == {
        "hand-000000000 told seat 1 that it is its turn, at 0 s": (
            "a turn has 7200 s, by the turn_seconds of its table",
            "the clock is at 3600 s: 3600 s are left",
        ),
        UNTIMED: (),
        "hand-000000000 told seat 1 that it is its turn, at 3600 s": (
            "a turn has 7200 s, by the turn_seconds of its table; this one goes on with 3600 s",
            "the clock is at 7200 s: 0 s are left",
        ),
    }
