"""Edges of a hand that totals do not show: what is said of a rake, what is compared and pickled, who shows for a low."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.history.refereed import verdicts
from poker_actors.rules import (
    GAMES,
    Bet,
    Fold,
    Hand,
    Lay,
    PublicState,
    RaiseTo,
    Stakes,
    event,
    log,
    parse_action,
)
from poker_actors.rules.cash import HandOptions, Rake
from poker_actors.rules.games import Betting, First, Street, row
from poker_actors.rules.log import entries_of


def heads_up(**more: Any) -> Hand:
    return Hand([100, 100], Stakes(1, 2), deck=Deck.seeded(1), **more)


def test_the_rake_of_a_pot_won_by_a_bet_is_told_before_the_rest_is_paid() -> None:
    hand = heads_up(options=HandOptions(rake=Rake(1000)))
    hand.act(RaiseTo(20))
    hand.check_or_call()
    hand.act(Bet(10))
    hand.act(Fold())
    told = [one for one in hand.events() if isinstance(one, event.Raked | event.Awarded)]
    assert told == [event.Raked(0, 4), event.Awarded(0, 1, 36)]
    assert hand.stacks == (80, 116)


def test_there_is_at_least_one_board() -> None:
    with pytest.raises(BadSpec, match=r"^boards is 0: the minimum is 1$"):
        HandOptions(boards=0)
    with pytest.raises(BadSpec, match=r"^the boards of a bomb pot is 0: the minimum is 1$"):
        HandOptions(bomb_boards=0)


def test_actions_since_are_those_after_and_no_others() -> None:
    hand = heads_up()
    for _ in range(5):
        hand.check_or_call()
    public = hand.public()
    for seq in range(6):
        assert public.actions_since(seq) == public.actions[seq:]


def test_states_that_differ_in_chips_alone_are_not_equal() -> None:
    public = heads_up().public()
    assert PublicState(*public) == public
    assert public._replace(chips_behind=(9, 9)) != public
    assert public._replace(chips_in_front=(9, 9)) != public


def test_a_state_that_is_pickled_holds_nothing_of_what_came_after_it() -> None:
    hand = heads_up()
    hand.check_or_call()
    hand.check_or_call()
    public = hand.public()
    while not hand.over:
        hand.check_or_call()
    kept = pickle.loads(pickle.dumps(public))
    assert kept == public
    assert kept.entries == public.entries == tuple(hand.log[:2])
    assert len(entries_of(kept.dealt.log, 8)) == 2, "the log that was pickled is as long as the state's"
    assert len(entries_of(public.dealt.log, 8)) == 8


def test_who_can_win_the_low_alone_shows() -> None:
    hand = Hand(
        [100] * 3,
        Stakes(1, 2),
        deck=Deck.stacked(["2c5cJdTh", "Ks9sJhTd", "KcKd7h7d"], "3s4s8dKhQc"),
        game=GAMES["omaha8"],
    )
    while not hand.over:
        hand.check_or_call()
    assert hand.showdown_order() == (1, 2, 0)
    assert hand.shown_seats() == (1, 2, 0), (
        "the pair of kings beats all before it, and the six low is the only low"
    )


def test_without_a_low_nobody_shows_for_one() -> None:
    hand = Hand(
        [100] * 2,
        Stakes(1, 2),
        deck=Deck.stacked(["KcKd7h7d", "As2sJhTd"], "9s9hTsQhKh"),
        game=GAMES["omaha8"],
        button=1,
    )
    while not hand.over:
        hand.check_or_call()
    assert hand.showdown_order() == (0, 1)
    assert hand.shown_seats() == (0,)


def test_a_view_prints_its_board_card_by_card() -> None:
    hand = heads_up()
    hand.check_or_call()
    hand.check_or_call()
    board = " ".join(map(str, hand.board))
    assert f" on {board}, flop, pot 4, " in repr(hand.view(hand.to_act[0]))


def test_an_entry_that_does_not_say_which_cards_are_thrown_away_is_refused_with_both() -> None:
    entry = log.discarded(3, 2)
    with pytest.raises(BadSpec) as refusal:
        log.places_of(entry)
    assert str(refusal.value) == f"log entry {entry}: 2 cards are discarded, without saying which"


@pytest.mark.parametrize("text", ["raise 1/2/3", "lay 2c", "lay 2c/3c", "lay 2c/3c/4c/5c"])
def test_what_is_no_three_rows_is_no_lay(text: str) -> None:
    with pytest.raises(IllegalAction, match="is not an action"):
        parse_action(text)


def test_rows_are_read_with_blanks_and_dashes_around_them() -> None:
    assert parse_action("lay 2c / KdKs / -") == Lay(parse_cards("2c"), parse_cards("KdKs"), ())


def test_an_open_face_turn_names_its_seat_and_stack() -> None:
    game = GAMES["open-face-pineapple"]
    hand = Hand([50, 60], game.stakes_like(Stakes(1, 2)), deck=Deck.seeded(1), game=game)
    seat = hand.to_act[0]
    legal = hand.public().legal(seat, hand.holes[seat])
    assert legal == hand.legal
    assert (legal.seat, legal.all_in_total) == (seat, hand.stacks[seat])


STUD = Stakes(0, 0, ante=1, bring_in=2, min_bet=4)
REFUSED: dict[str, tuple[str, Stakes, HandOptions | None]] = {
    "7-card stud begins with a bring-in, but the stakes {} have none": (
        "stud",
        Stakes(0, 0, min_bet=4),
        None,
    ),
    "7-card stud has antes and a bring-in, and no blinds: the stakes are {}": (
        *("stud", Stakes(0, 0, big_blind_ante=1, bring_in=2, min_bet=4), None),
    ),
    "bring-in 2: holdem has none, because no card is face up": (
        "holdem",
        Stakes(1, 2, bring_in=2, min_bet=4),
        None,
    ),
}


@pytest.mark.parametrize("text", REFUSED)
def test_stakes_a_game_has_no_place_for_are_refused_with_the_game_and_the_stakes(text: str) -> None:
    name, stakes, options = REFUSED[text]
    game = GAMES[name]
    with pytest.raises(BadSpec) as refusal:
        Hand([100, 100], stakes, deck=Deck.seeded(1), game=game, options=options)
    assert str(refusal.value) == text.format(stakes).replace("7-card stud", game.name)


def test_two_boards_of_a_bomb_pot_need_a_board() -> None:
    game = GAMES["2-7-triple-draw"]
    with pytest.raises(BadSpec, match="has no board: it has no bomb pots and cannot be run twice"):
        Hand(
            [100, 100],
            game.stakes_like(Stakes(1, 2)),
            deck=Deck.seeded(1),
            game=game,
            options=HandOptions(bomb_boards=2),
        )


def test_a_bring_in_is_below_the_smallest_bet() -> None:
    assert Stakes(0, 0, ante=1, bring_in=3, min_bet=4).bring_in == 3
    with pytest.raises(BadSpec) as refusal:
        Stakes(0, 0, ante=1, bring_in=4, min_bet=4)
    assert str(refusal.value) == "bring-in 4 is not below the smallest bet 4"


def test_a_seat_without_chips_is_not_dealt_in() -> None:
    hand = Hand([100, 0, 100], Stakes(1, 2), deck=Deck.seeded(1))
    assert [len(hole) for hole in hand.holes] == [2, 0, 2]


def test_two_short_blinds_count_in_full_in_the_size_of_the_pot() -> None:
    game = GAMES["omaha"]
    hand = Hand([200, 3, 4, 200], Stakes(5, 10), deck=Deck.seeded(1), game=game)
    assert hand.to_act[0] == 3
    assert hand.legal.max_raise_to == 10 + 15 + 10


def test_what_lies_beside_the_log_is_public_as_the_hand_has_it() -> None:
    options = HandOptions(rake=Rake(500))
    hand = Hand([100] * 3, STUD, deck=Deck.seeded(2), game=GAMES["stud8"], options=options)
    while True:
        beside = hand.public().dealt.beside
        assert beside is not None
        assert (list(beside.open), beside.options, beside.rake) == (list(hand.open), options, hand.rake)
        if hand.over:
            break
        hand.check_or_call()
    assert beside.awards
    assert list(beside.awards) == [one for one in hand.events() if isinstance(one, event.Awarded)]


@pytest.mark.parametrize(
    ("name", "stakes", "options"),
    [
        ("stud", GAMES["stud"].stakes, None),
        ("badugi", GAMES["badugi"].stakes, None),
        ("badugi", Stakes(0, 0, min_bet=2), None),
        ("pineapple", Stakes(1, 2), None),
        ("omaha8", Stakes(1, 2), None),
        ("double-board-holdem", Stakes(1, 2), None),
        ("holdem", Stakes(10, 20), HandOptions(rake=Rake(1000))),
        ("holdem", Stakes(1, 2), None),
    ],
)
def test_what_was_paid_is_public_though_nobody_listened(
    name: str, stakes: Stakes, options: HandOptions | None
) -> None:
    game = GAMES[name]
    hand = Hand([200] * 3, stakes, deck=Deck.seeded(1, game.pack), game=game, options=options)
    while hand.to_act:
        hand.check_or_call()
    heard: list[event.Event] = []
    assert hand.replay(listener=heard.append).public() == hand.public()
    paid = tuple([news for news in heard if isinstance(news, event.Awarded)])
    assert hand.public().awards == (() if hand.extra is None else paid)


def test_a_straddle_is_of_any_size_but_in_limit_games() -> None:
    hand = Hand([200] * 3, Stakes(1, 2, straddle=5), deck=Deck.seeded(1))
    assert (hand.bet, hand.legal.min_raise_to) == (5, 10)
    hand = Hand([200] * 4, Stakes(0, 0, straddle=4, min_bet=2), deck=Deck.seeded(1))
    assert (hand.bets, hand.to_act) == ((0, 0, 0, 4), (0, 1, 2, 3)), (
        "the seat left of it opens, without blinds too"
    )
    assert verdicts(hand) == ()


@pytest.mark.parametrize(
    "stakes",
    [
        Stakes(0, 2, bring_in=1, min_bet=4),
        Stakes(0, 0, ante=1, bring_in=1, straddle=8, min_bet=4),
        Stakes(0, 0, bring_in=1, big_blind_ante=1, min_bet=4),
    ],
)
def test_a_game_with_a_bring_in_has_no_blind_of_any_kind(stakes: Stakes) -> None:
    with pytest.raises(BadSpec, match="has antes and a bring-in, and no blinds"):
        Hand([200] * 3, stakes, deck=Deck.seeded(1), game=GAMES["stud"])


def test_a_game_with_a_bring_in_and_a_board_is_run_twice_and_has_no_bomb_pot() -> None:
    streets = (Street("third", hole=2, up=1, first=First.LOW_CARD), Street("last", board=1))
    game = row("one-board", "One board card", streets, Betting.FIXED_LIMIT, "high")
    stakes = Stakes(0, 0, ante=1, bring_in=2, min_bet=4)
    with pytest.raises(BadSpec, match="one-board has no bomb pots: it already has antes"):
        Hand([9] * 3, stakes, deck=Deck.seeded(1), game=game, options=HandOptions(bomb_pot=5))
    hand = Hand([1] * 3, stakes, deck=Deck.seeded(1), game=game, options=HandOptions(boards=2))
    assert [len(board) for board in hand.boards] == [1, 1]
    assert verdicts(hand) == ()
