"""A hand played here becomes a history, and a history becomes a hand."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime, timedelta, timezone

import attrs
import pytest

from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.errors import BadCard, BadHistory, Discrepancy
from poker_actors.history import (
    UNKNOWN,
    ActionKind,
    ActionStep,
    BoardDealt,
    Dealt,
    HandHistory,
    Showed,
    Step,
    drawing,
    page,
    record,
    replay,
)
from poker_actors.history.unknown import cards_text, numbered, parse_known_or_not
from poker_actors.rules import GAMES, Hand, Positions, RaiseTo, Stakes
from poker_actors.rules.log import amount_of


def played(**options: object) -> Hand:
    deck = Deck.stacked(["AsAd", "KsKd", "QsQd"], "2c7d9hTsTc")
    hand = Hand([100, 100, 100], Stakes(1, 2), deck=deck, button=1, **options)  # type: ignore[arg-type]
    hand.raise_to(6)
    hand.fold()
    hand.check_or_call()
    hand.check_or_call()
    hand.fold()
    return hand


def test_players_are_listed_from_the_left_of_the_button() -> None:
    history = record(played(), players=["ann", "bob", "cy"], hand_id="h1", table="t")
    assert history.players == ("cy", "ann", "bob")
    assert history.seats == (2, 0, 1)
    assert history.blinds == (1, 2, 0)
    assert history.fields == {"hand": "h1", "table": "t", "seat_count": 3}


def test_the_steps_are_deals_turns_and_boards() -> None:
    hand = played()
    history = record(hand)
    assert history.holes == (parse_cards("QsQd"), parse_cards("AsAd"), parse_cards("KsKd"))
    assert history.board == parse_cards("2c7d9h") == hand.board
    assert [(turn.player, turn.move) for turn in history.turns][:3] == [
        (2, ActionKind.RAISE),
        (0, ActionKind.FOLD),
        (1, ActionKind.CALL),
    ]
    assert history.finishing == tuple(hand.stacks[seat] for seat in history.seats)


def test_replaying_a_record_gives_the_hand_back() -> None:
    hand = played()
    found = replay(record(hand))
    assert amount_of(found.hand.log[0]) == 6
    assert found.payoffs == tuple(hand.payoffs[seat] for seat in (2, 0, 1))


def test_time_is_kept_in_utc_and_must_know_its_zone() -> None:
    tokyo = timezone(timedelta(hours=9))
    fields = record(played(), time=datetime(2024, 5, 6, 1, 2, 3, tzinfo=tokyo)).fields
    assert (fields["year"], fields["month"], fields["day"]) == (2024, 5, 5)
    assert fields["time"] == datetime(2024, 5, 5, 16, 2, 3, tzinfo=UTC).time()
    with pytest.raises(BadHistory, match="has no time zone"):
        record(played(), time=datetime(2024, 5, 6))  # noqa: DTZ001  # that is the point


def test_a_dead_small_blind_is_recorded_as_none() -> None:
    positions = Positions(button=0, small_seat=1, big_blind=2, dealt=(0, 2, 3))
    deck = Deck.stacked(["AsAd", "KsKd", "QsQd"], "2c7d9hTsTc")
    hand = Hand([100, 0, 100, 100], Stakes(1, 2), deck=deck, button=0, positions=positions)
    while not hand.over:
        hand.check_or_call()
    history = record(hand)
    assert history.blinds == (2, 0, 0)
    assert replay(history).final_stacks == history.finishing


def test_a_hand_of_a_history_is_not_recorded_again() -> None:
    straddled = attrs.evolve(record(played()), blinds=(1, 2, -2), steps=(), finishing=None)
    with pytest.raises(BadHistory, match="came from a history"):
        record(replay(straddled).hand)


def test_the_consoles_games_are_not_recorded() -> None:
    game = GAMES["five-card"]
    hand = Hand([50, 50], game.stakes, deck=Deck.seeded(1, game.pack), game=game)
    with pytest.raises(BadHistory, match="Five-card console poker has no hand history"):
        record(hand)


def test_unknown_cards_print_as_question_marks_and_stay_unknown() -> None:
    assert parse_known_or_not("??Ad") == (UNKNOWN, Card("Ad"))
    assert cards_text((UNKNOWN, Card("Ad"))) == "??Ad"
    assert repr(UNKNOWN) == "UNKNOWN"
    assert not UNKNOWN.is_joker
    assert pickle.loads(pickle.dumps(UNKNOWN)) is UNKNOWN
    assert len(set(numbered([UNKNOWN, UNKNOWN, Card("Ad")]))) == 3
    with pytest.raises(BadCard, match="joker"):
        parse_known_or_not("Xn2c")
    with pytest.raises(BadCard, match="two characters"):
        parse_known_or_not("10c")


def showdown(*shows: Showed, winnings: tuple[int, ...] | None = None, rake: int | None = None) -> HandHistory:
    """Two players check a hand down; the second has the better hand unless it is unknown."""
    call0, call1 = ActionStep(0, ActionKind.CALL), ActionStep(1, ActionKind.CALL)
    steps: tuple[Step, ...] = (
        Dealt(0, parse_cards("KsKd")),
        Dealt(1, parse_cards("AsAd")),
        call1,
        call0,
        BoardDealt(parse_cards("2c7d9h")),
        call0,
        call1,
        BoardDealt(parse_cards("Ts")),
        call0,
        call1,
        BoardDealt(parse_cards("3c")),
        call0,
        call1,
        *shows,
    )
    return HandHistory(GAMES["holdem"], (100, 100), (2, 1), 2, steps, winnings=winnings, rake=rake)


def test_a_hand_that_is_mucked_wins_nothing() -> None:
    assert replay(showdown()).payoffs == (-2, 2)
    assert replay(showdown(Showed(1, ()), Showed(0, parse_cards("KsKd")))).payoffs == (2, -2)


def test_payoffs_are_open_when_everybody_mucks() -> None:
    assert replay(showdown(Showed(1, ()), Showed(0, ()))).payoffs is None


def test_payoffs_are_open_when_hidden_cards_decide() -> None:
    hidden = showdown()
    steps = (hidden.steps[0], Dealt(1, (UNKNOWN, UNKNOWN)), *hidden.steps[2:])
    assert replay(attrs.evolve(hidden, steps=steps)).payoffs is None
    mucked = attrs.evolve(hidden, steps=(*steps, Showed(1, ())))
    assert replay(mucked).payoffs == (2, -2)


def test_cards_shown_name_cards_dealt_unknown() -> None:
    hidden = showdown(Showed(1, parse_cards("AsAd")))
    steps = (hidden.steps[0], Dealt(1, (UNKNOWN, UNKNOWN)), *hidden.steps[2:])
    assert replay(attrs.evolve(hidden, steps=steps)).payoffs == (-2, 2)


def test_what_a_call_is_said_to_cost_is_compared() -> None:
    history = showdown()
    wrong = ActionStep(1, ActionKind.CALL, said=2)
    steps = (*history.steps[:2], wrong, *history.steps[3:])
    with pytest.raises(Discrepancy, match=r"action 3 \(p2 cc\): it is recorded to cost 2 but costs 1"):
        replay(attrs.evolve(history, steps=steps))


def test_recorded_winnings_beyond_any_rake_are_refused() -> None:
    assert replay(showdown(winnings=(0, 4))).rake == 0
    with pytest.raises(Discrepancy, match="1 chips are missing, but the rake is at most 0, 10 percent"):
        replay(showdown(winnings=(0, 3)))
    assert replay(showdown(winnings=(0, 3), rake=1)).payoffs == (-2, 1)
    with pytest.raises(Discrepancy, match="p1 collects 4 as recorded and 0 by the rules"):
        replay(showdown(winnings=(4, 0)))


def side_pot() -> HandHistory:
    """The shortest of three stacks wins the main pot of 60, the second one the side pot of 80."""
    deck = Deck.stacked(["AsAd", "KsKd", "QsQd"], "2c7d9hTs3c")
    hand = Hand([20, 60, 60], Stakes(1, 2), deck=deck, button=2)
    for total in (60, 20, 60):
        hand.act(RaiseTo(total)) if hand.legal.can_raise else hand.check_or_call()
    assert hand.payoffs == (40, 20, -60)
    return attrs.evolve(record(hand), finishing=None, rake=3)


def test_a_room_may_rake_every_pot_or_the_main_pot_alone() -> None:
    assert replay(attrs.evolve(side_pot(), winnings=(57, 80, 0))).payoffs == (37, 20, -60)
    assert replay(attrs.evolve(side_pot(), winnings=(59, 78, 0))).payoffs == (39, 18, -60)
    text = "p1 collects 67 as recorded and 59 by the rules, with a rake of 3 from 140"
    with pytest.raises(Discrepancy, match=text):
        replay(attrs.evolve(side_pot(), winnings=(67, 70, 0)))


def test_what_a_loser_collects_is_named() -> None:
    with pytest.raises(Discrepancy, match="p3 collects 1 as recorded and 0 by the rules"):
        replay(attrs.evolve(side_pot(), winnings=(58, 78, 1)))


def test_a_board_that_stops_before_the_showdown_leaves_payoffs_open() -> None:
    all_in = (ActionStep(1, ActionKind.RAISE, 100), ActionStep(0, ActionKind.CALL))
    steps = (*showdown().steps[:2], *all_in, BoardDealt(parse_cards("2c7d9h")))
    assert replay(attrs.evolve(showdown(), steps=steps)).payoffs is None


def test_a_drawing_tells_the_hand_street_by_street() -> None:
    lines = drawing(record(played(), players=["ann", "bob", "cy"], hand_id="h1"))
    assert lines[0] == "hand h1, No-limit hold'em, 1/2"
    assert "  bob  KsKd" not in lines
    assert any(line.split()[:3] == ["bob", "Ks", "Kd"] and line.endswith("button") for line in lines)
    assert "flop  2c 7d 9h  pot 13" in lines
    assert lines[-1] == "result: cy -1, ann +7, bob -6"


def test_a_page_holds_every_step_and_no_markup_of_players() -> None:
    text = page([record(played(), players=["</script><b>", "bob", "cy"])])
    assert "</script><b>" not in text
    assert "\\u003c/script>\\u003cb>" in text
    assert "ArrowRight" in text
    assert "src=" not in text
    assert "href=" not in text
