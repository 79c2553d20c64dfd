"""Why a number is what it is, and a planted bug that the explanation gives away."""

from random import Random
from typing import Any

import attrs
import pytest

from poker_actors.cards import Deck
from poker_actors.debug import Script, Stepper
from poker_actors.debug.plain import SPECTATOR
from poker_actors.debug.why import why
from poker_actors.errors import BadSpec
from poker_actors.rules import (
    GAMES,
    Action,
    Call,
    Check,
    Fold,
    Hand,
    RaiseTo,
    Stakes,
    View,
    parse_action,
    payout,
    settlement,
)
from poker_actors.rules.cash import HandOptions, Rake

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


@pytest.mark.parametrize("what", ["", "the weather", "stack", "stack 9", "side pot 5", "winner", "to_call 7"])
def test_questions_without_an_answer_are_refused(what: str) -> None:
    hand = Hand((50, 50), Stakes(), deck=Deck.seeded(1))
    with pytest.raises(BadSpec):
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


def after(name: str, stacks: list[int], *acts: str, to_end: bool = False) -> Hand:
    """Play acts, and calls to the end if wanted."""
    game = GAMES[name]
    hand = Hand(stacks, game.stakes, deck=Deck.seeded(7, game.pack), game=game)
    for act in acts:
        hand.act(parse_action(act))
    while to_end and hand.to_act:
        hand.check_or_call()
    return hand


FACING = after("holdem", [200, 9, 200, 200], "raise_to 6", "fold", "call")
SIDE_POT = after("holdem", [200, 9, 200], "raise_to 40", "call", "call", to_end=True)


@pytest.mark.parametrize(
    ("hand", "what", "said"),
    [
        (FACING, "turn", "of seat 2: seat 1 posts small blind 1; seat 2 posts big blind 2; seat 3 raises to 6; seat 0 folds; seat 1 calls 5; seat 2 is next"),
        (after("holdem", [200, 9, 200, 200], "raise_to 20", "fold", "call", "call", "bet 10", "raise_to 30"), "turn",
         ("of seat 2: the flop opens: first to act is the first left of the button still in; seat 2 bets 10; seat 3 raises to 30; seat 0 has folded; "
         "seat 1 is all-in; seat 2 is next")),
        (after("2-7-triple-draw", [200] * 3, "call", "call", "check", "stand pat"), "turn",
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
        (FACING, "to_call", "4: seat 1 posts small blind 1; seat 2 posts big blind 2; seat 3 raises to 6; seat 2 has 2 in front"),
        (after("holdem", [200] * 3, "fold", "fold"), "winner",
         "seat 2 +1: the main pot of 2 is for seat 2; seat 2 is the last one in: no cards are compared; seat 2 is paid 2 from the main pot"),
        (SIDE_POT, "winner", ("seat 2 +49: the main pot of 27 is for seats 0, 1, 2; seat 1 has Pair of Sevens; seat 2 has Two Pair, Aces and Sevens, the best; "
         "seat 0 has Pair of Sevens; side pot 1 of 62 is for seats 0, 2; seat 2 has Two Pair, Aces and Sevens, the best; seat 0 has Pair of Sevens; "
         "seat 2 is paid 27 from the main pot; seat 2 is paid 62 from side pot 1")),
        (SIDE_POT, "side pot", "62: seat 0 put in 40: 9 to 40 of it; seat 2 put in 40: 9 to 40 of it; it is for seats 0, 2"),
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
