"""Each kind of turn beside each kind of action: what is legal, and what a refusal says."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any
from unittest.mock import ANY

import pytest

from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.errors import IllegalAction
from poker_actors.native import is_compiled
from poker_actors.rules import (
    GAMES,
    Action,
    Bet,
    BringIn,
    Call,
    Check,
    Discard,
    Fold,
    Hand,
    Lay,
    Legal,
    RaiseTo,
    Stakes,
)
from poker_actors.rules.laying import LayLegal
from poker_actors.rules.legal import BringInLegal, DiscardLegal

HOLE = tuple(parse_cards("2c3c4c5c7d"))
TWO, THREE, FOUR, FIVE, SEVEN = HOLE
OTHER = parse_cards("As")[0]


class Joker(Card):
    """Equal to every card."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = Card.__hash__


class Hidden(Card):
    """Found among no cards."""

    __eq__ = Card.__eq__

    def __hash__(self) -> int:
        return -1


class Unknown(Card):
    """As history files have them: it compares as cards do."""


class Chips:
    """Has a total, but is no raise."""

    total = 20

    def __repr__(self) -> str:
        return "20 chips"


CALLING = Legal(1, 10, 20, 100, all_in_total=100)
CHECKING = Legal(1, min_raise_to=10, max_raise_to=90, opening=True, all_in_total=90)
SHUT = Legal(1, 10, all_in_total=10, calls_all_in=True)
BRINGING = BringInLegal(1, 2, 4, 6, all_in_total=100)
SHORT = BringInLegal(1, 2, all_in_total=2, calls_all_in=True)
DRAWING = DiscardLegal(1, 5, 0, 200, HOLE)
LAST_CARD = DiscardLegal(1, 1, 0, 200, HOLE)
THROWING = DiscardLegal(1, 2, 2, 200, HOLE)
UNSEEN = DiscardLegal(1, 5, 0, 200, ())
LAYING = LayLegal(1, HOLE[:3], (1, 0, 5), 1, 200)
LAYING_UNSEEN = LayLegal(1, (), (1, 0, 5), 1, 200)

NOT_CARDS: list[Any] = [
    [TWO],
    "2c",
    ("2c",),
    (int(TWO),),
    (int.__new__(Joker, TWO),),
    (int.__new__(Hidden, TWO),),
]
CARDS: list[tuple[Legal, Action]] = [
    *[(DRAWING, Discard(cards)) for cards in NOT_CARDS],
    (DRAWING, Discard((TWO,), 1.0)),  # type: ignore[arg-type]  # nonsense on purpose
    *[(LAYING, Lay(**{row: cards})) for row in ("top", "middle", "bottom") for cards in NOT_CARDS],
]
REFUSED = [
    (CALLING, Check(), "check: there are 10 to call"),
    (CALLING, Bet(20), "bet 20: there is already a bet, raise instead"),
    (CALLING, RaiseTo(19), "raise_to 19 is below the minimum of 20"),
    (CALLING, RaiseTo(101), "raise_to 101 is above the maximum of 100"),
    (CALLING, RaiseTo(True), "RaiseTo(total=True): chips must be whole numbers"),
    (CALLING, Discard((TWO,)), "discard 2c: no cards are thrown away here"),
    (CALLING, BringIn(), "bring in: there is no bring-in here"),
    (CALLING, Lay((TWO,)), "lay 2c/-/-: no cards are laid here"),
    (CALLING, "x" * 99, "'" + "x" * 59 + " is not an action"),
    (CALLING, Chips(), "20 chips is not an action"),
    (CHECKING, Call(), "call: there is nothing to call"),
    (CHECKING, Bet(9), "bet 9 is below the minimum of 10"),
    (CHECKING, Bet(91), "bet 91 is above the maximum of 90"),
    (CHECKING, Bet(1.5), "Bet(amount=1.5): chips must be whole numbers"),  # type: ignore[arg-type]  # nonsense on purpose
    (SHUT, RaiseTo(20), "raise_to 20: no bet or raise is allowed here"),
    (BRINGING, Fold(), "fold: the bring-in of 2 must be paid, or completed"),
    (BRINGING, Check(), "check: the bring-in of 2 must be paid, or completed"),
    (BRINGING, RaiseTo(7), "raise_to 7 is above the maximum of 6"),
    (SHORT, RaiseTo(4), "raise_to 4: no bet or raise is allowed here"),
    (DRAWING, Fold(), "fold: this turn is for throwing cards away"),
    (DRAWING, Call(), "call: this turn is for throwing cards away"),
    (DRAWING, Bet(5), "bet 5: this turn is for throwing cards away"),
    (DRAWING, RaiseTo(5), "raise_to 5: this turn is for throwing cards away"),
    (DRAWING, BringIn(), "bring in: there is no bring-in here"),
    (DRAWING, None, "None is not an action"),
    (DRAWING, Discard(count=2), "discard 2: which cards?"),
    (DRAWING, Discard((TWO, THREE), 1), "discard 2c3c: which cards?"),
    (DRAWING, Discard((TWO, TWO)), "discard 2c2c: a card is named twice"),
    (DRAWING, Discard((TWO, OTHER)), "discard 2cAs: seat 1 does not hold As"),
    (LAST_CARD, Discard((TWO, THREE)), "discard 2c3c is above the maximum of 1 cards"),
    (THROWING, Check(), "check: 2 cards have to be thrown away"),
    (THROWING, Discard((TWO,)), "discard 2c: 2 cards have to be thrown away"),
    (LAYING, Fold(), "fold: this turn is for laying cards"),
    (LAYING, Discard((TWO,)), "discard 2c: this turn is for laying cards"),
    (LAYING, "all", "'all' is not an action"),
    (LAYING, Lay((TWO, THREE)), "lay 2c3c/-/-: the top row has room for 1"),
    (LAYING, Lay((), (TWO,)), "lay -/2c/-: the middle row has room for 0"),
    (LAYING, Lay((), (), (*HOLE, OTHER)), "lay -/-/2c3c4c5c7dAs: the bottom row has room for 5"),
    (LAYING, Lay((TWO,), (), (TWO,)), "lay 2c/-/2c: a card is named twice"),
    (LAYING, Lay((TWO,), (), (OTHER,)), "lay 2c/-/As: seat 1 does not hold As"),
    (LAYING, Lay((TWO,)), "lay 2c/-/- lays 1 cards: it has to be 2 of 3"),
    (LAYING_UNSEEN, Lay((TWO, THREE)), "lay 2c3c/-/-: the top row has room for 1"),
    *[(turn, action, f"{action!r:.60}: cards are given as a tuple of Card") for turn, action in CARDS],
]

TAKEN = [
    (CALLING, Fold()),
    (CALLING, Call()),
    (CALLING, RaiseTo(20)),
    (CALLING, RaiseTo(100)),
    (CHECKING, Fold()),
    (CHECKING, Check()),
    (CHECKING, Bet(10)),
    (CHECKING, RaiseTo(90)),
    (BRINGING, BringIn()),
    (BRINGING, Call()),
    (BRINGING, RaiseTo(4)),
    (DRAWING, Check()),
    (DRAWING, Discard(())),
    (DRAWING, Discard(HOLE)),
    (DRAWING, Discard((int.__new__(Unknown, TWO),))),
    (UNSEEN, Discard((OTHER,))),
    (THROWING, Discard((SEVEN, TWO))),
    (LAYING, Lay((FOUR,), (), (TWO,))),
    (LAYING_UNSEEN, Lay((OTHER,))),
]


@pytest.mark.parametrize(("legal", "action", "text"), REFUSED, ids=[text for _, _, text in REFUSED])
def test_a_refusal_names_the_action_the_value_and_the_limit(legal: Legal, action: object, text: str) -> None:
    assert legal.refusal(action) == text
    assert action not in legal


@pytest.mark.parametrize(
    ("legal", "action"), TAKEN, ids=[f"{type(one).__name__} {two}" for one, two in TAKEN]
)
def test_what_the_turn_is_for_is_legal(legal: Legal, action: object) -> None:
    assert legal.refusal(action) is None
    assert action in legal


@pytest.mark.parametrize(
    ("legal", "words"),
    [
        (CALLING, "fold, call 10, raise_to 20 to 100"),
        (CHECKING, "fold, check, bet 10 to 90"),
        (SHUT, "fold, call 10"),
        (BRINGING, "bring in 2, raise_to 4 to 6"),
        (BringInLegal(1, 2, 4, 4, all_in_total=100), "bring in 2, raise_to 4"),
        (SHORT, "bring in 2"),
        (DRAWING, "stand pat, discard 1 to 5"),
        (DiscardLegal(1, 2, 0, 200, HOLE), "stand pat, discard 1 to 2"),
        (LAST_CARD, "stand pat, discard 1"),
        (THROWING, "discard 2"),
        (LAYING, "lay 2 of 3 cards; room for 1 on top, 0 in the middle, 5 at the bottom"),
        (
            LayLegal(1, HOLE, (3, 5, 5), 0, 200),
            "lay all cards; room for 3 on top, 5 in the middle, 5 at the bottom",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_turn_prints_what_may_be_done(legal: Legal, words: str) -> None:
    assert str(legal) == words


@pytest.mark.parametrize(
    "legal",
    [
        CALLING,
        CHECKING,
        SHUT,
        BRINGING,
        SHORT,
        DRAWING,
        LAST_CARD,
        THROWING,
        LAYING,
        LayLegal(1, HOLE, (3, 1, 5), 0, 9),
    ],
    ids=str,
)
def test_a_turn_lists_each_legal_action_once_and_counts_them(legal: Legal) -> None:
    actions = list(legal)
    assert len(actions) == len(set(actions)) == len(legal)
    assert all(action in legal for action in actions)


@pytest.mark.parametrize("legal", [CALLING, SHUT, BRINGING, DRAWING, THROWING, LAYING], ids=str)
def test_a_turn_is_copied_and_pickled_as_it_is(legal: Legal) -> None:
    for other in (copy.copy(legal), pickle.loads(pickle.dumps(legal))):
        assert other == legal
        assert hash(other) == hash(legal)
        assert (repr(other), other.seat, other.all_in_total) == (repr(legal), 1, legal.all_in_total)


@pytest.mark.parametrize(
    ("legal", "late"),
    [
        (CALLING, Fold()),
        (CHECKING, Check()),
        (BRINGING, BringIn()),
        (DRAWING, Discard(())),
        (THROWING, Discard((FIVE, SEVEN))),
        (LAYING, Lay((), (), (TWO, THREE))),
    ],
    ids=str,
)
def test_who_is_late_does_what_costs_nothing_and_it_is_legal(legal: Legal, late: object) -> None:
    assert legal.passive == late
    assert late in legal


@pytest.mark.parametrize(
    ("game", "action"),
    [
        ("holdem", RaiseTo(20.0)),  # type: ignore[arg-type]  # nonsense on purpose, as what follows
        ("holdem", Chips()),
        ("omaha", RaiseTo(8)),
        ("limit-holdem", RaiseTo(5)),
        ("2-7-single-draw", RaiseTo(20)),
    ],
    ids=str,
)
def test_a_hand_takes_no_raise_that_its_turn_refuses(game: str, action: RaiseTo) -> None:
    hand = Hand([100, 100], GAMES[game].stakes_like(Stakes(1, 2)), deck=Deck.seeded(1), game=GAMES[game])
    while game == "2-7-single-draw" and not hand.decision:
        hand.check_or_call()
    before = hand.copy()
    with pytest.raises(IllegalAction, match=f"^{re.escape(hand.legal.refusal(action) or 'legal')}$"):
        hand.act(action)
    assert hand == before


def test_on_the_turn_of_another_there_is_no_check_and_none_where_chips_are_owed() -> None:
    hand = Hand([100, 100], Stakes(1, 2), deck=Deck.seeded(1))
    owed = hand.legal.can_check
    hand.check_or_call()
    assert (owed, hand.legal.can_check, hand.view(0).legal.can_check) == (False, True, False)


def test_turns_of_two_kinds_are_never_equal() -> None:
    assert Legal(1, 2, 4, 6, all_in_total=100) != BRINGING
    assert CALLING == Legal(1, 10, 20, 100, all_in_total=100) == ANY


@pytest.mark.skipif(is_compiled(), reason="a compiled hand reads its turn without asking the subclass")
def test_an_action_that_is_whole_by_the_second_look_is_refused_by_the_first() -> None:
    action = RaiseTo(True)

    class Mending(Hand):
        @property
        def legal(self) -> Legal:
            object.__setattr__(action, "total", 6)
            return super().legal

    hand = Mending([100, 100], Stakes(1, 2), deck=Deck.seeded(1))
    with pytest.raises(IllegalAction, match=r"^RaiseTo\(total=True\): chips must be whole numbers$"):
        hand.act(action)
    assert hand.to_act == (0, 1)
