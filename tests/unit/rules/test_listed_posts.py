"""Forced bets listed one by one, for what stakes cannot say."""

from __future__ import annotations

import pytest

from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.native import is_compiled
from poker_actors.rules import Hand, Stakes
from poker_actors.rules.cash import HandOptions, Rake
from poker_actors.rules.event import Event, Post, Posted, Shown
from poker_actors.rules.positions import Positions

STAKES = Stakes(1, 2)
HOLES = ["AsAd", "KsKd", "QsQd", "JsJd"]
BOARD = "2c3d5h8c9s"


def dealt(posts: list[Posted] | None, stacks: tuple[int, ...] = (100, 100, 100, 100)) -> Hand:
    return Hand(stacks, STAKES, deck=Deck.stacked(HOLES[: len(stacks)], BOARD), button=3, posts=posts)


BLINDS = [Posted(0, Post.SMALL_BLIND, 1), Posted(1, Post.BIG_BLIND, 2)]


def test_listing_the_usual_blinds_gives_the_usual_hand() -> None:
    usual, listed = dealt(None), dealt(BLINDS)
    while not usual.over:
        assert listed.public().legal(listed.to_act[0]) == usual.legal
        usual.check_or_call()
        listed.check_or_call()
    assert listed.payoffs == usual.payoffs


def test_a_second_straddle_opens_left_of_itself_and_sets_the_bet() -> None:
    hand = dealt([*BLINDS, Posted(2, Post.STRADDLE, 4), Posted(3, Post.STRADDLE, 8)])
    assert hand.to_act == (0, 1, 2, 3)
    assert hand.legal.to_call == 7
    assert hand.legal.min_raise_to == 16


def test_a_button_straddle_lets_the_small_blind_open() -> None:
    hand = dealt([*BLINDS, Posted(3, Post.STRADDLE, 4)])
    assert hand.to_act == (0, 1, 2, 3)


def test_a_newcomers_blind_counts_as_a_bet_and_leaves_the_order_alone() -> None:
    hand = dealt([*BLINDS, Posted(3, Post.EXTRA_BLIND, 2)])
    assert hand.to_act == (2, 3, 0, 1)
    hand.fold()
    assert hand.legal.can_check


def test_a_dead_blind_is_no_bet_and_belongs_to_the_main_pot() -> None:
    hand = dealt([*BLINDS, Posted(3, Post.DEAD_BLIND, 1), Posted(3, Post.EXTRA_BLIND, 2)])
    assert hand.pot == 6
    assert hand.bets == (1, 2, 0, 2)
    for _ in range(3):
        hand.fold()
    assert hand.payoffs == (-1, 4, 0, -3)


def test_an_ante_for_the_whole_table_is_won_by_a_seat_that_is_all_in_without_one() -> None:
    ante = [Posted(1, Post.BIG_BLIND_ANTE, 10)]
    hand = dealt([*ante, *BLINDS], stacks=(1, 100, 100, 100))
    while not hand.over:
        hand.check_or_call()
    assert hand.payoffs[0] == 10 + 3


def test_without_a_blind_the_seat_left_of_the_button_opens() -> None:
    hand = dealt([Posted(seat, Post.ANTE, 5) for seat in range(4)])
    assert hand.to_act == (0, 1, 2, 3)
    assert hand.legal.can_check


def test_a_lone_button_blind_lets_the_seat_left_of_it_open() -> None:
    hand = dealt([Posted(3, Post.BIG_BLIND, 2)])
    assert hand.to_act == (0, 1, 2, 3)
    assert hand.legal.to_call == 2


def test_copies_and_replays_keep_the_posts() -> None:
    hand = dealt([*BLINDS, Posted(2, Post.STRADDLE, 4)])
    hand.raise_to(8)
    again = hand.replay()
    assert again == hand
    assert hand.copy().posts == again.posts == hand.posts
    assert again.to_act == hand.to_act


def test_a_seat_that_is_not_dealt_in_posts_nothing() -> None:
    with pytest.raises(BadSpec, match="seat 2 posts 4 but is not dealt in"):
        Hand(
            (9, 9, 0, 9),
            STAKES,
            deck=Deck.stacked(HOLES[:3], BOARD),
            posts=[*BLINDS, Posted(2, Post.STRADDLE, 4)],
        )


def test_a_negative_post_is_refused() -> None:
    with pytest.raises(BadSpec, match="the big blind of seat 1 is -2"):
        dealt([Posted(1, Post.BIG_BLIND, -2)])


def test_a_stack_that_an_ante_uses_up_posts_no_blind() -> None:
    hand = Hand([100, 100, 1], Stakes(1, 2, ante=1), deck=Deck.seeded(1))
    posted = [(one.seat, one.kind) for one in hand.events() if isinstance(one, Posted)]
    assert posted == [(1, Post.ANTE), (2, Post.ANTE), (0, Post.ANTE), (1, Post.SMALL_BLIND)]


def test_positions_that_leave_one_seat_are_refused() -> None:
    with pytest.raises(BadSpec, match="does not fit button 0"):
        Hand([50, 0, 50], STAKES, deck=Deck.seeded(1), positions=Positions(0, 1, 2, (1, 2)))


def test_a_bomb_pot_takes_the_place_of_listed_blinds_and_not_of_antes_and_dead_ones() -> None:
    owed = [Posted(2, Post.ANTE, 1), Posted(3, Post.DEAD_BLIND, 1)]
    hand = Hand(
        [100] * 4,
        STAKES,
        deck=Deck.seeded(1),
        posts=[*BLINDS, *owed],
        options=HandOptions(bomb_pot=5),
    )
    assert hand.posts == (*[Posted(seat, Post.ANTE, 5) for seat in (1, 2, 3, 0)], *owed)
    assert hand.stacks == (95, 95, 94, 94)


@pytest.mark.parametrize(
    ("posts", "options", "missing"),
    [
        (None, None, 1),
        ([Posted(2, Post.BIG_BLIND, 2)], None, 1),
        ([Posted(2, Post.BIG_BLIND, 2)], HandOptions(rake=Rake(500)), 1),
        (None, HandOptions(bomb_pot=5), 0),
    ],
)
def test_a_dead_small_blind_is_missing_once_and_not_where_antes_replace_it(
    posts: list[Posted] | None, options: HandOptions | None, missing: int
) -> None:
    dead = Positions(0, 1, 2, (0, 2, 3))
    hand = Hand([50, 0, 50, 50], STAKES, deck=Deck.seeded(1), positions=dead, posts=posts, options=options)
    assert hand.missing_blinds == missing


def test_a_second_board_is_that_of_a_bomb_pot() -> None:
    hand = Hand([50] * 2, STAKES, deck=Deck.seeded(1), options=HandOptions(bomb_boards=2))
    assert len(hand.boards) == 1


def test_cards_are_shown_by_choice_once_the_hand_is_over_and_only_once() -> None:
    heard: list[Event] = []
    hand = Hand([50, 0, 50, 50], STAKES, deck=Deck.seeded(1), listener=heard.append)
    with pytest.raises(IllegalAction, match="seat 0 may show its cards only once the hand is over"):
        hand.show(0)
    hand.fold()
    hand.fold()
    # compiled code takes True for 1 and refuses a text itself
    for seat in (-1, 1, 4, *(() if is_compiled() else (True, "0"))):
        with pytest.raises(BadSpec, match=f"seat {seat!r} was dealt no cards to show"):
            hand.show(seat)
    hand.show(2)
    hand.show(2)
    assert hand.shows == (2,)
    assert hand.public().shown == ((2, hand.holes[2]),)
    assert [news for news in heard if isinstance(news, Shown)] == [Shown(2, hand.holes[2])]
    down = dealt(None)
    while not down.over:
        down.check_or_call()
    down.show(0)
    assert (down.shown_seats()[0], down.shows) == (0, ()), "the aces lie open since the showdown"
    down.show(3)
    assert down.shows == (3,)
