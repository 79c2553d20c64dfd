"""Rounds of 2022 and 2023, hold'em with swaps and runs, rule by rule, and who goes bust. Whole matches are in tests/conformance/mit."""

import pytest

from poker_actors.bots import SeedTree
from poker_actors.bots.mit import BountyRound, Ended, RunRound, SwapRound, deal_round
from poker_actors.bots.mit.rounds import winner_of
from poker_actors.cards import parse_cards
from poker_actors.rules import Stakes
from poker_actors.sim.statistics.seating import ends_of_round
from poker_actors.sim.statistics.sums import AT

# -- 2022: cards are swapped -------------------------------------------------------------------------


def swapped(*swaps: int) -> SwapRound:
    cards = parse_cards("AsKs2c3d5d6d7h8h9hTdJdQd")
    return SwapRound(("A", "B"), Stakes(1, 2), 200, cards, [at in swaps for at in range(8)])


def test_cards_held_are_swapped_for_the_next_of_the_deck_before_flop_and_turn() -> None:
    state = swapped(1, 2, 6)
    for answer in ("C", "K"):
        assert state.act(answer) is None
    assert state.hands == [[*parse_cards("As5d")], [*parse_cards("6d3d")]]
    assert state.log[-3:] == [
        "Flop [7h 8h 9h], A (2), B (2)",
        "A's hand: [As 5d]",
        "B's hand: [6d 3d]",
    ]
    assert state.told[1].message(1).split()[1:] == ["P1", "H2c,3d", "C", "K", "B7h,8h,9h", "U6d,3d"]
    for answer in ("K", "K"):
        state.act(answer)
    assert (state.hands[1], [*state.board]) == ([*parse_cards("Td3d")], [*parse_cards("7h8h9hJd")])
    for answer in ("K", "K"):
        state.act(answer)
    assert (state.log[-1], [*state.board][4:]) == (
        "River [7h 8h 9h Jd Qd], A (2), B (2)",
        [*parse_cards("Qd")],
    )
    for answer in ("K", "K"):
        state.act(answer)
    assert state.log[-2:] == ["A (swapped) awarded -2", "B (swapped) awarded 2"]


def test_a_card_that_was_swapped_goes_to_the_end_of_the_deck_and_who_kept_his_is_not_said_to_have() -> None:
    cards = parse_cards("AsKs2c3d5d6d7h8h9h")
    state = SwapRound(("A", "B"), Stakes(1, 2), 200, cards, [True, *[False] * 7])
    for answer in ("C", "K", *["K"] * 6):
        state.act(answer)
    assert [*state.board] == [*parse_cards("6d7h8h9hAs")]
    assert state.log[-2:] == ["A (swapped) awarded 2", "B awarded -2"]


def test_swaps_come_about_as_often_as_they_should() -> None:
    tree, met = SeedTree(1), [0, 0]
    for number in range(2000):
        state = deal_round("2022", ("A", "B"), Stakes(1, 2), 200, tree, number)
        again = deal_round("2022", ("A", "B"), Stakes(1, 2), 200, tree, number)
        assert isinstance(state, SwapRound)
        for turn in (0, 1):
            held = [[*hand] for hand in state.hands]
            for each in (state, again):
                each.act("C" if not turn else "K")
                each.act("K")
            met[turn] += sum(
                new != old
                for one, two in zip(state.hands, held, strict=True)
                for new, old in zip(one, two, strict=True)
            )
        assert state.log == again.log
    assert 720 < met[0] < 880  # of 8,000, a tenth and a twentieth
    assert 340 < met[1] < 460


# -- 2023: cards are dealt until one is black ---------------------------------------------------------


def run_of(cards: str) -> RunRound:
    return RunRound(("A", "B"), Stakes(1, 2), 400, parse_cards(cards))


def test_a_red_river_is_followed_by_streets_until_a_card_is_black() -> None:
    state = run_of("AsKs2c3d" + "5d6d7h8hTd" + "QhJc" + "2h")
    for answer in ("C", "K", *["K"] * 4, "R4", "C", "K", "K"):  # the river ends with 6 chips each
        assert state.act(answer) is None
    assert (state.street, state.log[-1]) == (7, "Run [5d 6d 7h 8h Td Qh Jc], A (6), B (6)")
    for answer in ("R10", "C"):
        state.act(answer)
    # a straight to the ace against one to the jack is none: A has A K Q J T
    assert state.payoffs == (16, -16)
    assert state.log[-5:] == ["A awarded 16", "B awarded -16", "Run reached", "A won 10", "B won -10"]
    assert len(state.steps) == 4


def test_without_a_run_or_with_no_chips_left_for_it_none_is_said() -> None:
    black, red = "AsKs2c3d5d6d7h8hTc", "AsKs2c3d5d6d7h8hTdQhJc"
    for cards, answers in ((black, ["C", *["K"] * 7]), (red, ["R400", "C", *["K"] * 10])):
        state = run_of(cards)
        for answer in answers:
            state.act(answer)
        assert state.payoffs is not None
        assert "Run reached" not in state.log


def test_the_best_five_of_more_cards_than_the_tables_know_win() -> None:
    board = parse_cards("7d6hKc6c4h8d4dKd")
    for shown in (board, parse_cards("7d6hKc6c4h8d4d")):
        assert winner_of((parse_cards("KsKh"), parse_cards("5c3c")), shown) == 0
        assert winner_of((parse_cards("5c3c"), parse_cards("5s3s")), shown) is None
    assert winner_of((parse_cards("AsQs"), parse_cards("KsKh")), board) == 1


# -- 2025: a bounty is paid from beyond the stack ------------------------------------------------------


@pytest.mark.parametrize(
    ("ranks", "board", "payoffs", "bust"),
    [
        ("Q4", "5d6d7hKh9h", (400, -400), [0]),
        ("A4", "5d6d7hKh9h", (610, -610), [0]),
        ("Q2", "5d6d2h2s9h", (-610, 610), [1]),
        ("A4", "TdJdQhKhAh", (110, -110), []),  # both play the board
    ],
)
def test_who_lost_all_chips_is_bust_with_a_bounty_or_without(
    ranks: str, board: str, payoffs: tuple[int, int], bust: list[int]
) -> None:
    cards = parse_cards(f"AsKs2c3d{board}")
    state = BountyRound(("A", "B"), Stakes(1, 2), 400, cards, (ranks[0], ranks[1]))
    for answer in ("R400", "C", *["K"] * 6):
        state.act(answer)
    assert state.payoffs == payoffs
    ended = Ended(0, state, button=1, who=(0, 1), starting=(400, 400))
    ends = [*ends_of_round(ended)]
    assert [seat for seat, at in ends if at == AT["busts"]] == bust
    assert [seat for seat, at in ends if at == AT["all_ins"]] == [1, 0]
