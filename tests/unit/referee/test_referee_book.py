"""What the rule books say of pots, rake, cards, and the button, asked of the referee's parts directly."""

from __future__ import annotations

from random import Random
from typing import Any

import attrs
import pytest

from poker_actors.cards import Card, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.history.refereed import sheet_of
from poker_actors.referee import Fact, Owed, Sitting, Split, Verdict, fouls, move_flaw, row_points, royalties
from poker_actors.referee.betting import Bets, Chips, Turn, owed_posts
from poker_actors.referee.dealing import TableCards
from poker_actors.referee.hands import best, first_of_doors, playing
from poker_actors.referee.paying import Layer, due, layers, rakes, showdown_flaws, splits
from poker_actors.referee.rows import RowDeals, reaches_fantasy, stays_in_fantasy
from poker_actors.rules import GAMES, Positions, first_positions, next_positions

TWO = Sitting(stacks=(200, 200), button=1)


def put_in(stacks: list[int], *bets: int, folded: tuple[int, ...] = ()) -> Chips:
    chips = Chips(stacks)
    for seat, chip in enumerate(bets):
        chips.pay(seat, chip)
    for seat in folded:
        chips.live.remove(seat)
    return chips


def test_a_side_pot_begins_where_a_seat_is_all_in_and_nowhere_else() -> None:
    assert layers(put_in([200] * 3)) == []
    assert layers(put_in([200] * 3, 10, 20, 5)) == [Layer(35, (0, 1, 2), 0, 20)]
    assert layers(put_in([10, 200, 200], 10, 20, 20)) == [
        Layer(30, (0, 1, 2), 0, 10),
        Layer(20, (1, 2), 10, 20),
    ]
    # what who has folded put in makes no pot of its own
    assert layers(put_in([10, 200, 200, 200], 10, 20, 20, 15, folded=(3,))) == [
        Layer(40, (0, 1, 2), 0, 10),
        Layer(25, (1, 2), 10, 20),
    ]


def test_chips_that_match_no_bet_are_for_the_seat_too_that_has_nothing_else_in_the_pot() -> None:
    chips = put_in([200, 2, 200], 10, 0, 10)
    chips.post(1, "big blind ante", 2)
    assert layers(chips) == [Layer(2, (0, 1, 2), 0, 0), Layer(20, (0, 2), 0, 10)]


@pytest.mark.parametrize(
    ("no_drop", "alone", "flop", "seats", "rake"),
    [
        (True, False, True, (0, 1), 5),
        (True, False, False, (0, 1), 0),  # no flop, no drop
        (False, False, False, (0, 1), 5),
        (True, False, True, (0,), 0),  # nobody can lose it
        (True, True, True, (0,), 5),  # but all others have folded
        (False, True, False, (0,), 5),
    ],
)
def test_a_contested_pot_is_raked_once_a_flop_has_come(
    no_drop: bool, alone: bool, flop: bool, seats: tuple[int, ...], rake: int
) -> None:
    sitting = attrs.evolve(TWO, rake=(500, 0, no_drop))
    assert rakes(sitting, [Layer(100, seats, 0, 50)], alone=alone, flop=flop) == [rake]


def test_the_odd_chip_is_for_the_highest_card_by_suit_in_stud_and_for_the_first_seat_elsewhere() -> None:
    holes = [parse_cards("Th9h8c7c6c2d2h"), parse_cards("Ts9s8d7d6d3c3h")]
    for game, first in (("stud", 1), ("five-card-draw", 0)):
        found = splits(
            sheet_of(GAMES[game]), TWO, [Layer(9, (0, 1), 0, 5)], [hole[:5] for hole in holes], [[]]
        )
        assert due(found) == {(0, 0, found[0].share, first): 5, (0, 0, found[0].share, 1 - first): 4}


def test_a_winner_of_nothing_is_due_nothing() -> None:
    split = Split(pot=0, board=0, share="", chips=1, seats=(0, 1), winners=(1, 0))
    assert due([split]) == {(0, 0, "", 1): 1}


def test_of_hands_that_nobody_can_compare_it_is_not_judged_who_shows() -> None:
    assert list(showdown_flaws([(1, True), (0, False)], [1, 0], None, in_turn=True)) == []
    ((code, said, right, _),) = showdown_flaws([], [1, 0], [1], in_turn=True)
    assert (code, said, right) == ("show", "nobody shows", "seat 1 shows, seat 0 mucks")


def test_a_card_comes_from_the_pack_of_the_game_and_to_a_seat_that_is_due_one() -> None:
    royal, plain = sheet_of(GAMES["royal"]), attrs.evolve(sheet_of(GAMES["holdem"]), pack=())
    for sheet, flaw in ((royal, "it is not in the deck any more"), (plain, None)):
        table = TableCards(sheet, TWO, Chips(TWO.stacks))
        table.opens(0)
        assert table.deal(0, parse_cards("AsKs"), up=False) is None
        assert table.deal(0, parse_cards("Qs"), up=False) == "seat 0 is due 2 cards and holds 3"
        assert table.deal(1, parse_cards("2c"), up=False) == flaw


def test_a_flop_has_three_cards() -> None:
    table = TableCards(sheet_of(GAMES["holdem"]), TWO, Chips(TWO.stacks))
    table.opens(0)
    for seat, cards in enumerate(("AsKs", "AhKh")):
        table.deal(seat, parse_cards(cards), up=False)
    assert table.missing() is None
    table.opens(1)
    table.lay(0, parse_cards("2c3c"))
    assert table.missing() == "board 1 is due 3 cards and has 2"
    assert table.lay(0, parse_cards("4c5c")) == "board 1 is due 3 cards and has 4"


def test_a_pack_that_is_mixed_without_a_word_gives_cards_again_but_none_that_is_held() -> None:
    sitting = attrs.evolve(TWO, mixed_unsaid=True)
    table = TableCards(sheet_of(GAMES["2-7-triple-draw"]), sitting, Chips(TWO.stacks))
    table.opens(0)
    assert table.deal(0, parse_cards("2c3c4c5c7c"), up=False) is None
    assert table.deal(1, parse_cards("2d3d4d5d7d"), up=False) is None
    table.throws(0, parse_cards("2c3c"), draws=True)
    assert table.deal(0, parse_cards("9c9d"), up=False) is None
    table.throws(1, parse_cards("2d3d"), draws=True)
    assert table.deal(1, parse_cards("2c3c"), up=False) is None
    for card in ("5c", "7c"):
        table.throws(1, parse_cards("4d" if card == "5c" else "5d"), draws=True)
        assert table.deal(1, parse_cards(card), up=False) == "it is not in the deck any more"
    plain = TableCards(sheet_of(GAMES["2-7-triple-draw"]), TWO, Chips(TWO.stacks))
    plain.opens(0)
    plain.deal(0, parse_cards("2c3c4c5c7c"), up=False)
    plain.throws(0, parse_cards("2c"), draws=True)
    plain.throws(0, parse_cards("3c"), draws=True)
    assert plain.deal(1, parse_cards("2c3d4d5d7d"), up=False) == "it is not in the deck any more"


def test_a_stub_holds_what_nobody_holds_though_nothing_was_dealt_again() -> None:
    table = TableCards(
        sheet_of(GAMES["2-7-triple-draw"]), attrs.evolve(TWO, mixed_unsaid=True), Chips(TWO.stacks)
    )
    table.opens(0)
    table.deal(0, parse_cards("2c3c4c5c7c"), up=False)
    table.throws(0, parse_cards("2c3c"), draws=True)
    table.throws(0, parse_cards("4c"), draws=True)
    table.deal(0, parse_cards("9c"), up=False)
    assert len(table._out) == 6, "what was thrown away is out until it is dealt again"
    assert table.reshuffled() == 52 - 3 - 1


# -- orders of hands -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "rows"),
    [
        ("deuce-to-seven", "2c3d4h5s7c 2c3d4h5s8c KcQd9h3s2c Ac2d3h4s5c AcKd3h4s5c 2c2d3h4s5c 2c3d4h5s6c"),
        ("rhode-island", "TcJcQc 9c9d9h 3c4d5h 2cTcJc AcAdKc AcKdTh"),
        ("five-card-printed", "9c9d9h9s2c 9c9d9hTsTc 9c9d9hTs2c 9c9dThTs2c 9c9dTh3s2c"),
        ("five-card", "2c2d2h2s3c 2c3d4h5s6c 2c2d3h4s5c 2c4d6h8sTc"),
    ],
)
def test_hands_are_in_the_order_of_their_rules(order: str, rows: str) -> None:
    values = [best(order, parse_cards(row), ()) or () for row in rows.split()]
    assert all(values)
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


def test_the_games_of_the_console_have_no_flush_and_the_printed_one_counts_straights() -> None:
    for order in ("five-card", "five-card-kickers"):
        assert best(order, parse_cards("2c4c6c8cTc"), ()) == best(order, parse_cards("2c4d6h8sTc"), ())
    scores = {
        "9c9d9h9s2c": 6,
        "9c9dTh3s2c": 1,
        "2c3d4h5s6c": 4,
        "Ac2d3h4s5c": 4,
        "TcJdQhKsAc": 0,
        "2c4d6h8sTc": 0,
    }
    for text, score in scores.items():
        assert best("five-card-printed", parse_cards(text), ()) == (score,)
    assert best("five-card-printed", parse_cards("2c3d4h5s"), ()) == (0,), "four cards are no straight"
    assert best("five-card-printed", parse_cards("3c3d4h5s7c"), ()) == (1,)


def test_only_the_choices_that_make_the_best_hand_play_in_it() -> None:
    assert playing("high", parse_cards("AsKd"), parse_cards("AcQhJd3s2c")) == [parse_cards("AsKdAcQhJd")]
    with pytest.raises(BadSpec, match="does not know the order of hands 'lowest'"):
        best("lowest", (), ())


def test_the_bring_in_is_of_the_lowest_door_or_in_razz_of_the_highest() -> None:
    doors = {0: Card("Kc"), 1: Card("2d"), 2: Card("As"), 3: Card("2c"), 4: Card("Ks")}
    assert first_of_doors(doors, highest=False) == 3
    assert first_of_doors(doors, highest=True) == 4


def test_facts_and_verdicts_are_told_in_words() -> None:
    thrown = Fact(what="act", seat=1, word="discard", cards=parse_cards("2c3c"))
    assert thrown.acted_words() == "throws 2 cards"
    assert Fact(what="act", seat=1, word="raise", total=6).acted_words() == "raises to 6"
    assert Verdict("rake", 3, "a rake of 2", "1", "5 %").words == "by the rules 1"
    assert (
        Verdict("turn", 3, "seat 2 acts", "seat 1", "TDA 50").words
        == "seat 2 acts: by the rules seat 1 (TDA 50)"
    )


# -- open-face -----------------------------------------------------------------------------------------


def rows_of(text: str) -> list[list[Card]]:
    return [[*parse_cards(row)] for row in text.split("/")]


@pytest.mark.parametrize(
    ("text", "foul", "earned", "reaches", "stays"),
    [
        ("Ks9d2c/3c3d8h9hTc/TsJsQsKsAs", (), (0, 0, 25), False, True),
        ("Ks9d2c/3c3d8h9hTc/9sTsJsQsKs", (), (0, 0, 15), False, True),
        ("Kd9d2c/3c3d8h9hTc/TsJhQsKsAs", (), (0, 0, 2), False, False),
        ("Ah9d2c/3c3d8h9hTc/4c4d4h9sQc", (), (0, 0, 0), False, False),
        ("JsJd2c/KcKd8h9hTc/4c4d4h9sQc", (), (6, 0, 0), False, False),
        ("QsQd2c/KcKd8h9hTc/4c4d4h9s9c", (), (7, 0, 6), True, False),
        ("2s2d2c/3c3d3h9hTc/4c4d4h9s9c", (), (10, 2, 6), True, True),
        ("KsKd2c/AcAd8h9hTc/4c4d4h4s9c", (), (8, 0, 10), True, True),
        ("QsQd2c/JcJd8h9hTc/4c4d4h9s9c", (0,), (0, 0, 0), False, False),
        ("2s2d2c/AcAd8h9hTc/4c4d4h4s9c", (0,), (0, 0, 0), False, False),
        ("Ks9d2c/5c5d5h9hTc/4c4d6h7s8c", (1,), (0, 0, 0), False, False),
    ],
)  # fmt: skip
def test_rows_foul_earn_and_lead_into_fantasy_land(
    text: str, foul: tuple[int, ...], earned: tuple[int, ...], reaches: bool, stays: bool
) -> None:
    rows = rows_of(text)
    assert fouls(rows) == foul
    assert royalties(rows) == earned
    assert reaches_fantasy(rows) is reaches
    assert stays_in_fantasy(rows) is stays


GOOD, FOUL = "QsQd2c/KcKd8h9hTc/4c4d4h9s9c", "JsJd3c/5c5d6h7h8c/2d2h6s7s8s"


def test_who_fouls_loses_six_points_and_the_royalties_of_the_other() -> None:
    good, foul = rows_of(GOOD), rows_of(FOUL)
    assert row_points(good, foul) == (0, 0, 0, 6, 13)
    assert row_points(foul, good) == (0, 0, 0, -6, -13)
    assert row_points(foul, foul) == (0, 0, 0, 0, 0)


def test_cards_are_laid_in_turn_by_who_holds_them_and_where_there_is_room() -> None:
    deals = RowDeals(sheet_of(GAMES["open-face"]), (50, 50), 0, 1)
    assert deals.turn is None, "it has no cards yet"
    held = parse_cards("2c3c4c5c6c")
    deals.held[1] += held
    assert str(deals.turn) == "seat 1 to lay cards"
    for text, flaw in (
        ("2c3c4d//5c6c", "it holds 2c 3c 4c 5c 6c"),
        ("2c3c/2c/4c5c", "it holds 2c 3c 4c 5c 6c"),
        ("2c3c4c//5c", "it lays 5 cards"),
        ("2c3c4c5c//6c", "its top row has room for 3 cards"),
        ("2c3c4c//5c6c", None),
    ):
        assert deals.refusal(1, rows_of(text)) == flaw


def lay_all(deals: RowDeals, boards: dict[int, str]) -> None:
    """Lay the rows of every seat, as many cards at a time as it is asked for."""
    left = {
        seat: [(at, card) for at, row in enumerate(rows_of(text)) for card in row]
        for seat, text in boards.items()
    }
    while deals.queue:
        seat = deals.queue[0]
        count = deals.to_deal - deals.to_throw
        now, left[seat] = left[seat][:count], left[seat][count:]
        deals.lay(seat, [[card for at, card in now if at == place] for place in range(3)])


def test_queens_on_top_bring_one_more_deal_of_all_cards_at_once() -> None:
    deals = RowDeals(sheet_of(GAMES["open-face-pineapple"]), (100, 100, 0), 0, 1)
    assert deals.order == [1, 0]
    assert (deals.to_deal, deals.to_throw) == (5, 0)
    lay_all(deals, {0: GOOD, 1: FOUL})
    assert {seat: (one.points, one.fouled) for seat, one in deals.due.items()} == {
        1: (-19, True),
        0: (19, False),
    }
    deals.announced(1)
    assert (deals.number, deals.over) == (0, False)
    deals.announced(0)
    assert (deals.number, deals.fantasy, deals.over) == (1, {0}, False)
    asked = {}
    while deals.street == 0 and deals.queue:
        asked[deals.queue[0]] = deals.to_deal, deals.to_throw
        deals.lay(deals.queue[0], [[], [], []])
    assert asked == {1: (5, 0), 0: (14, 1)}
    assert deals.queue == [1], "who is in fantasy land has laid all cards"
    deals.rows.update({0: rows_of(FOUL), 1: rows_of(GOOD)})
    while deals.queue:
        deals.lay(deals.queue[0], [[], [], []])
    assert not deals.over
    for seat in (1, 0):
        deals.announced(seat)
    assert (deals.number, deals.fantasy, deals.stacks) == (2, {1}, [100, 100, 0])


def test_no_deal_is_left_where_one_seat_has_all_chips_or_nobody_is_in_fantasy_land() -> None:
    for stacks, text in (((100, 10), GOOD), ((100, 100), "JsJd2c/KcKd8h9hTc/4c4d4h9s9c")):
        deals = RowDeals(sheet_of(GAMES["open-face"]), stacks, 0, 1)
        lay_all(deals, {0: text, 1: FOUL})
        queue = [*deals.due]
        for seat in queue:
            assert not deals.over
            deals.announced(seat)
        assert deals.over
        assert not deals.queue
        assert deals.order == [seat for seat in (1, 0) if deals.stacks[seat]]


# -- turns and bets ----------------------------------------------------------------------------------


def street_bets(name: str, **sitting: Any) -> Bets:
    table = Sitting(stacks=(200,) * 3, button=0, **{"least_bet": 2, **sitting})
    return Bets(sheet_of(GAMES[name]), table, Chips(table.stacks), 1)


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (Turn(seat=1, asks="draw", most=3), "seat 1 to draw 0 to 3 cards"),
        (Turn(seat=1, asks="throw", least=1, most=1), "seat 1 to throw 1 to 1 cards"),
        (Turn(seat=1, asks="lay", least=5, most=5), "seat 1 to lay cards"),
        (Turn(seat=1, asks="bring in", to_call=2), "seat 1 to bring in 2 or no raise"),
        (Turn(seat=1, asks="bet", to_call=2, least=4, most=9), "seat 1 to call 2 or raise to 4-9"),
    ],
)
def test_a_turn_says_what_the_seat_may_do(turn: Turn, words: str) -> None:
    assert str(turn) == words


def test_the_rule_that_bounds_a_raise_is_named() -> None:
    limit, free = street_bets("limit-holdem"), street_bets("holdem")
    assert limit.rule(0).endswith("(TDA 47-B)")
    limit.call(0)
    assert limit.rule(0).endswith("(TDA 47)")
    limit.bets = limit.sheet.cap
    assert limit.rule(0) == f"at most {limit.sheet.cap} bets a street (TDA 48)"
    free.bets = 9
    assert free.rule(0).endswith("(TDA 43-A)")


def test_in_a_bomb_pot_antes_and_dead_blinds_are_owed_and_no_others() -> None:
    table = Sitting(stacks=(50, 0, 50), button=0, bomb=5)
    assert owed_posts(table) == [Owed(2, "ante", 5), Owed(0, "ante", 5)]
    listed = (Owed(0, "small blind", 1), Owed(2, "ante", 3), Owed(0, "dead blind", 2))
    assert owed_posts(attrs.evolve(table, owed=listed))[2:] == [*listed[1:]]


@pytest.mark.parametrize(
    ("changes", "missing"), [({}, 1), ({"bomb": 5}, 0), ({"small_seat": 0}, 0), ({"big_seat": -1}, 0)]
)
def test_a_dead_small_blind_is_missing_from_the_pot(changes: dict[str, int], missing: int) -> None:
    bets = street_bets("omaha", **{"small": 1, "big": 2, "big_seat": 1, **changes})
    bets.blinds([])
    assert bets.missing == missing


def test_the_least_raise_is_that_of_the_game() -> None:
    free, stud = street_bets("five-card"), street_bets("stud")
    free.level, free.step = 10, 8
    assert free.whole == 10 + free.bet
    stud.sheet = attrs.evolve(stud.sheet, limit="pot-limit")
    stud.brings_in(1, by_choice=False)
    assert stud.whole == 2
    stud.level, stud.step, stud.bets = 10, 4, 1
    assert stud.whole == 14


def test_half_a_bet_counts_in_limit_games_alone() -> None:
    for name, counted in (("holdem", 1), ("limit-holdem", 2)):
        bets = street_bets(name)
        bets.raise_to(0, bets.whole)
        bets.raise_to(1, 3)
        assert bets.bets == counted


def test_a_whole_raise_opens_the_betting_anew_and_half_a_bet_after_a_bring_in_alone() -> None:
    for name, bring_in, raises, faced in (
        ("limit-holdem", False, (2, 3), {0, 1}),
        ("limit-holdem", False, (1,), {1, 2}),
        ("limit-holdem", False, (2, 4), {1}),
        ("stud", True, (1,), {1}),
        ("stud", True, (2, 3), {0, 1}),
    ):
        bets = street_bets(name)
        if bring_in:
            bets.brings_in(1, by_choice=True)
        bets.call(2)
        for number, total in enumerate(raises):
            bets.raise_to(number if len(raises) > 1 else 1, total)
        assert {*bets.faced} == faced, (name, raises)


# -- button and blinds from hand to hand --------------------------------------------------------------

SIX = Positions(0, 1, 2, (0, 1, 2, 3, 4, 5))


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (SIX, Positions(1, 2, 3, (0, 1, 2, 3, 4, 5)), None),
        (SIX, Positions(1, 2, 4, (0, 1, 2, 3, 4, 5)), "seat 3 has the big blind, not seat 4"),
        (SIX, Positions(1, 3, 3, (0, 1, 2, 3, 4, 5)), "the small blind is due from seat 2, not from seat 3"),
        (SIX, Positions(0, 2, 3, (0, 1, 2, 3, 4, 5)), "the button is due at seat 1, not at seat 0"),
        # who posted a blind has left: dead small blind, dead button
        (SIX, Positions(1, 2, 3, (0, 1, 3, 4, 5)), None),
        (SIX, Positions(1, 2, 3, (0, 2, 3, 4, 5)), None),
        (SIX, Positions(0, 2, 3, (0, 2, 3, 4, 5)), "the button is due at seat 1, not at seat 0"),
        # heads-up the button has the small blind, and nobody the big blind twice
        (SIX, Positions(0, 0, 4, (0, 4)), None),
        (SIX, Positions(4, 4, 0, (0, 4)), "seat 4 has the big blind, not seat 0"),
        (SIX, Positions(4, 0, 4, (0, 4)), "heads-up the button has the small blind"),
        # to three again: the button would be behind the blinds
        (Positions(0, 0, 2, (0, 2)), Positions(1, 2, 0, (0, 1, 2)), "seat 1 waits until the button has passed"),
        (Positions(0, 0, 1, (0, 1)), Positions(0, 1, 2, (0, 1, 2)), None),
        (Positions(0, 1, 2, (0, 1, 2)), Positions(1, 2, 5, (0, 1, 2, 3, 5)), "seat 3 has the big blind, not seat 5"),
        # one who comes between button and big blind waits
        (Positions(0, 1, 3, (0, 1, 3)), Positions(1, 3, 0, (0, 1, 2, 3)), "seat 2 waits until the button has passed"),
    ],
)  # fmt: skip
def test_button_and_blinds_move_by_the_dead_button_rule(
    before: Positions, now: Positions, said: str | None
) -> None:
    assert move_flaw(before, now, 6) == said


def test_the_referee_finds_no_fault_with_how_the_button_moves_while_players_come_and_go() -> None:
    rng = Random(32)
    for _ in range(300):
        size = rng.randint(2, 10)
        before = first_positions(range(size), size)
        for _ in range(20):
            ready = sorted(rng.sample(range(size), rng.randint(2, size)))
            now = next_positions(before, ready, size)
            assert move_flaw(before, now, size) is None, (before, now, ready, size)
            before = now
