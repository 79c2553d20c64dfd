"""What is refused is refused at the bound and in these words, and what is equal, is hashed, printed and packed so."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.rules import (
    GAMES,
    BringIn,
    Check,
    Discard,
    Fold,
    Hand,
    RaiseTo,
    Stakes,
    game_named,
    log,
    parse_action,
)
from poker_actors.rules.cash import CashOptions, HandOptions, Rake
from poker_actors.rules.event import Post, Posted
from poker_actors.rules.extra import Stub
from poker_actors.rules.games import Rotation
from poker_actors.rules.hand import deal_hand
from poker_actors.rules.positions import Positions


def hand_of(game: str = "holdem", stacks: tuple[int, ...] = (100, 100, 100), **more: object) -> Hand:
    stakes = GAMES[game].stakes_like(Stakes(1, 2))
    return Hand(stacks, stakes, deck=Deck.seeded(1, GAMES[game].pack), game=GAMES[game], **more)  # type: ignore[arg-type]


def over() -> Hand:
    hand = hand_of()
    hand.fold()
    hand.fold()
    return hand


REFUSED: dict[str, Callable[[], object]] = {
    "rake is 1.5: chips must be whole numbers": lambda: Rake(1.5),  # type: ignore[arg-type]
    "rake 100% leaves nothing to win: it must be below 100%": lambda: Rake(10_000),
    "rake 'lots' is not PERCENT%/CAP, such as 5%/3 or 2.5%": lambda: Rake.parse("lots"),
    f"rake {'5' * 40!r} is not PERCENT%/CAP, such as 5%/3 or 2.5%": lambda: Rake.parse("5" * 50),
    "blinds '1-2' are not SMALL/BIG, such as 1/2": lambda: Stakes.parse("1-2"),
    f"blinds {'5' * 40!r} are not SMALL/BIG, such as 1/2": lambda: Stakes.parse("5" * 50),
    "stacks '200,all': 'all' is neither chips nor big blinds": lambda: Stakes(1, 2).stacks("200,all", 2),
    "the big blind is 0: the minimum is 1": lambda: Stakes.parse("0/0"),
    "a bomb pot needs an ante, but none is set": lambda: CashOptions().of_hand(0, bomb=True),
    "a bomb pot every 3 hands needs an ante": lambda: CashOptions(bomb_every=3),
    "5 boards: the maximum is 4": lambda: CashOptions(boards=5),
    "3 boards of a bomb pot: the maximum is 2": lambda: CashOptions(bomb_boards=3),
    "the hand is over: nobody is to act": lambda: over().check_or_call(),
    "bet 2: the hand is over": lambda: over().put_in(2),
    "bet 2: seat 0 is to act": lambda: hand_of().public().action_for(1, 2),
    "bet 101 is above the stack of 100": lambda: hand_of().put_in(101),
    "'" + "x" * 40 + "' is not an action": lambda: parse_action("x" * 50),
    f"{' ' * 38 + 'al'!r} is not a separate action": lambda: parse_action(" " * 38 + "all in"),
    "small_seat 'x' is not a seat: seats must be whole numbers": lambda: Positions(0, "x", 2, (0, 1)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("text", REFUSED)
def test_it_is_refused_in_these_words(text: str) -> None:
    with pytest.raises((BadSpec, IllegalAction), match=f"^{re.escape(text)}"):
        REFUSED[text]()


@pytest.mark.parametrize("bad", [-1, 1.5, "1", True, None])
@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("rake", Rake),
        ("the cap of the rake", lambda chips: Rake(1, chips)),
        ("the ante of a bomb pot", lambda chips: CashOptions(bomb_pot=chips)),
        ("bomb_every", lambda number: CashOptions(bomb_every=number)),
        ("boards", lambda number: CashOptions(boards=number)),
        ("the boards of a bomb pot", lambda number: CashOptions(bomb_boards=number)),
    ],
)
def test_what_is_no_number_of_chips_is_named(
    name: str, make: Callable[[object], object], bad: object
) -> None:
    with pytest.raises(BadSpec, match=f"^{name} "):
        make(bad)


def test_what_is_at_the_bound_is_taken() -> None:
    assert str(Rake(9_999)) == "99.99%"
    assert Rake.parse("99.99%/3", no_flop_no_drop=False) == Rake(9_999, 3, no_flop_no_drop=False)
    assert CashOptions(boards=4, bomb_pot=1, bomb_boards=2).boards == 4
    assert hand_of(stacks=(100, 2, 100)).replay(()).stacks == (100, 1, 98)
    hand = hand_of()
    hand.put_in(100)
    assert hand.stacks[0] == 0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fold(), "fold"),
        (Check(), "check"),
        (BringIn(), "bring in"),
        (Discard(), "stand pat"),
        (Discard(parse_cards("AsKd")), "discard AsKd"),
        (Discard(count=3), "discard 3"),
        (Rake(250, no_flop_no_drop=False), "2.5% before the flop too"),
        (Rake(500, 3), "5%/3"),
        (CashOptions(), ""),
        (
            CashOptions(Rake(500), 10, 5, 2, 2),
            "rake 5%, bomb pot 10 on 2 boards every 5 hands, run it 2 times",
        ),
        (CashOptions(bomb_pot=10), "bomb pot 10 on request"),
        (Stakes(0, 0, ante=1, bring_in=1, min_bet=4), "0/0 ante 1 bring-in 1 bets from 4"),
        (hand_of("2-7-single-draw").legal, "fold, call 2, raise_to 4 to 100"),
    ],
)
def test_it_prints_as_people_write_it(value: object, text: str) -> None:
    assert str(value) == text


def test_what_prints_as_a_discard_is_read_as_one() -> None:
    assert parse_action(" discard AsKd ") == Discard(parse_cards("AsKd"))
    assert parse_action("DISCARD AsKd") == Discard(parse_cards("AsKd"))
    assert parse_action("stand pat") == Discard()


OPTIONS = [
    HandOptions(),
    HandOptions(Rake(500, 3, no_flop_no_drop=False), 10, 2, (1, 4), 2),
    HandOptions(Rake(250), boards=4),
    HandOptions(bomb_pot=3, bomb_boards=2),
]


@pytest.mark.parametrize("options", OPTIONS)
def test_options_are_unpacked_as_they_were_packed(options: HandOptions) -> None:
    assert HandOptions.unpacked(options.packed()) == options
    table = CashOptions(
        options.rake, options.bomb_pot, 7 if options.bomb_pot else 0, options.boards, options.bomb_boards
    )
    assert CashOptions.unpacked(table.packed()) == table


def test_options_are_packed_as_in_files_there_are() -> None:
    assert HandOptions().packed() == (0, 0, 0, 0, 1)
    assert OPTIONS[1].packed() == (500, 3, 0, 10, 18, 1, 4)
    assert CashOptions(Rake(250), 4, 2).packed() == (2, 250, 0, 1, 4, 1)
    assert HandOptions.unpacked(()) is None
    assert CashOptions.unpacked(()) is None
    assert HandOptions.unpacked((500, 0, 1, 0, 1)) == HandOptions(Rake(500))


def test_a_table_says_what_the_options_of_each_hand_are() -> None:
    rake = Rake(500)
    table = CashOptions(rake, 10, 3, 2, 2)
    assert table.of_hand(0, declined=(4, 1)) == HandOptions(rake, 0, 2, (1, 4), 1)
    assert table.of_hand(2) == HandOptions(rake, 10, 2, (), 2)
    assert table.of_hand(1, bomb=True) == HandOptions(rake, 10, 2, (), 2)
    once = CashOptions(rake)
    assert once.of_hand(0, declined=(1,)) == HandOptions(rake)
    every = CashOptions(bomb_pot=10, bomb_every=1)
    assert [every.of_hand(number) for number in (0, 1)] == [HandOptions(bomb_pot=10)] * 2
    assert CashOptions(bomb_pot=10).of_hand(0) is None
    assert CashOptions(boards=2).of_hand(5) == HandOptions(boards=2)


def test_stakes_are_six_numbers_and_the_bring_in_where_there_is_one() -> None:
    assert Stakes(1, 2, ante=3, big_blind_ante=4, straddle=5).numbers() == (1, 2, 3, 4, 5, 2)
    assert Stakes(0, 0, ante=1, bring_in=2, min_bet=4).numbers() == (0, 0, 1, 0, 0, 4, 2)
    assert Stakes.parse("1/2", ante=1, straddle=4) == Stakes(1, 2, ante=1, straddle=4)
    assert (Stakes(1, 2).chips("1" * 15), Stakes(1, 2).chips("1" * 16)) == (int("1" * 15), None)


def test_stakes_take_the_form_of_a_game() -> None:
    stud, holdem, leduc = GAMES["stud"], GAMES["holdem"], GAMES["leduc"]
    blinds, own = Stakes(5, 10), stud.stakes_like(Stakes(5, 10))
    assert own.numbers() == (0, 0, own.ante, 0, 0, 10, own.bring_in)
    assert (own.ante, own.bring_in) == (
        10 * stud.stakes.ante // stud.stakes.min_bet,
        10 * stud.stakes.bring_in // stud.stakes.min_bet,
    )
    assert stud.stakes_like(own) is own
    assert holdem.stakes_like(blinds) is blinds
    assert holdem.stakes_like(own) == Stakes(5, 10)
    antes = leduc.stakes_like(blinds)
    assert (antes.big_blind, antes.bring_in, antes.min_bet) == (0, 0, 10)
    assert leduc.stakes_like(antes) is antes
    assert leduc.stakes_like(own).bring_in == 0


def test_equal_values_are_equal_and_hashed_alike_and_nothing_else_is_equal() -> None:
    one, other = hand_of(), hand_of()
    raised = hand_of()
    raised.act(RaiseTo(6))
    for mine, same, another in (
        (one.public(), other.public(), raised.public()),
        (one.legal, other.legal, raised.legal),
        (one.view(0), other.view(0), raised.view(0)),
    ):
        assert mine == same
        assert hash(mine) == hash(same) != hash(another)
        assert mine != another
        assert mine != "else"
        assert repr(mine) == repr(same) != repr(another)
    assert repr(one.legal).startswith("Legal(seat=0, to_call=2, min_raise_to=4, max_raise_to=100")
    assert repr(one.public()).endswith("seats_to_act=(0, 1, 2), bet=2, min_raise_to=4)")
    assert "chips_behind=(100, 99, 98), chips_in_front=(0, 1, 2)" in repr(one.public())
    assert one.public() != hand_of(stacks=(100, 100, 101)).public()
    assert one.view(0) != one.view(1)
    assert one == other
    for another_hand in (raised, hand_of(button=1), hand_of(stacks=(100, 100, 99)), "else"):
        assert one != another_hand


def test_a_log_prints_its_actions() -> None:
    hand = hand_of()
    hand.act(RaiseTo(6))
    hand.fold()
    assert repr(hand.public().log) == "<Log: 0 raise_to 6, 1 fold>"


def test_listed_posts_add_up_and_what_they_fall_short_by_is_missing() -> None:
    posts = [
        Posted(1, Post.DEAD_BLIND, 1),
        Posted(2, Post.DEAD_BLIND, 3),
        Posted(0, Post.SMALL_BLIND, 4),
        Posted(1, Post.BIG_BLIND, 8),
        Posted(1, Post.EXTRA_BLIND, 1),
        Posted(2, Post.STRADDLE, 16),
    ]
    hand = hand_of(stacks=(2, 7, 100, 100), posts=posts, button=3)
    assert hand.dead == ((1, 1), (2, 3))
    assert hand.bets == (2, 6, 16, 0)
    assert hand.missing_blinds == 2 + 2
    antes = hand_of(posts=[Posted(seat, Post.ANTE, 1) for seat in range(3)], button=1)
    assert antes.to_act == (2, 0, 1)


def test_a_hand_is_dealt_with_what_it_is_given() -> None:
    stakes = Stakes(1, 2)
    given: dict[str, Any] = {
        "options": HandOptions(Rake(500)),
        "button": 1,
        "game": GAMES["omaha"],
        "positions": Positions(1, 2, 0, (0, 1, 2)),
    }
    made = deal_hand((50, 60, 70), stakes, deck=Deck.seeded(3), **given)
    assert made == Hand((50, 60, 70), stakes, deck=Deck.seeded(3), **given)
    plain = deal_hand((50, 60), stakes, deck=Deck.seeded(3))
    assert (plain.button, plain.game, plain.options, plain.positions) == (0, GAMES["holdem"], None, None)


class Numbers:
    """A stream with a number of the hand."""

    hand = 7


def test_a_view_has_the_stream_it_is_given() -> None:
    view = hand_of().view(0, Numbers())  # type: ignore[arg-type]
    assert view.hand_number == 7
    assert hand_of().view(0).hand_number is None


def test_a_rotation_is_named_and_goes_round() -> None:
    three = Rotation.named("holdem+omaha+stud")
    assert isinstance(three, Rotation)
    assert (three.name, three.choice, str(three)) == ("holdem+omaha+stud", False, "holdem+omaha+stud")
    assert [three.at(number, 2).name for number in range(7)] == ["holdem"] * 2 + ["omaha"] * 2 + [
        "stud"
    ] * 2 + ["holdem"]
    horse = Rotation.named("HORSE")
    assert isinstance(horse, Rotation)
    assert (horse.name, horse.choice) == ("horse", False)
    assert [game.name for game in horse.games] == ["limit-holdem", "limit-omaha8", "razz", "stud", "stud8"]
    choice = Rotation.named("dealers-choice")
    assert isinstance(choice, Rotation)
    assert choice.choice
    drawn = [[choice.at(hand, 3, seed).name for hand in range(0, 24, 3)] for seed in (0, 1)]
    assert drawn[0] != drawn[1]
    assert drawn[0] == [choice.at(hand, 3).name for hand in range(2, 24, 3)]
    with pytest.raises(BadSpec, match=r"^the rotation 'one' has 1 games: the minimum is 2"):
        Rotation("one", (GAMES["holdem"],))
    with pytest.raises(BadSpec, match=r"^'horse' is a rotation, but only one game is played here"):
        game_named("horse")
    with pytest.raises(
        BadSpec, match=r"^no game is called 'holdm', did you mean holdem\? \(choose from holdem, limit"
    ):
        game_named("holdm")
    with pytest.raises(BadSpec, match=r"^file nowhere\.py does not exist"):
        game_named("nowhere.py:ROW")


def test_every_reshuffle_of_a_hand_has_an_order_of_its_own() -> None:
    cards = Deck.seeded(3).draw(10)
    stub = Stub(cards, b"key")
    for number in (1, 2):
        assert stub.reshuffle(()) == len(cards)
        assert stub.copy().take(len(cards)) == Deck.reshuffled(set(cards), b"key", number).draw(len(cards))


def test_a_step_is_the_same_whatever_the_amount() -> None:
    assert log.steps_of(bytes(range(256))) == bytes(range(128)) * 2
