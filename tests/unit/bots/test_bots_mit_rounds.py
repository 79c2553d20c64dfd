"""Rounds that are not hands of hold'em, rule by rule, from the engine.py of each year. Whole matches are in tests/conformance/mit."""

import json
import sys
from pathlib import Path
from typing import TypeVar

import pytest

from poker_actors.bots import Faults, SeedTree
from poker_actors.bots.mit import Auction, BountyRound, DiscardRound, RoundState, ThreeBoards, deal_round
from poker_actors.cards import STANDARD_DECK, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.rules import Call, Fold, Stakes
from poker_actors.rules.cash import CashOptions, Rake
from poker_actors.sim import CarryOver, Duplicate, Match, SimulationResult, simulate
from poker_actors.sim.engines import play_rounds

STAKES = Stakes(1, 2)
State = TypeVar("State", bound=RoundState)


def played(state: State, *answers: str) -> State:
    for answer in answers:
        state.act(answer)
    return state


def said(state: RoundState, player: int) -> list[str]:
    return state.told[player].message(1).split()[1:]


# -- 2026: one card is discarded onto the board ------------------------------------------------------


def discarding(cards: str = "AsKsQs2c3c4c5d6d7h8h9hTd") -> DiscardRound:
    return DiscardRound(("A", "B"), STAKES, 400, parse_cards(cards))


def test_the_big_blind_discards_first_and_the_other_one_checks_meanwhile() -> None:
    state = played(discarding(), "C", "K")
    assert (state.street, state.active, state.board) == (2, 1, [*parse_cards("5d6d")])
    assert state.act("K") is not None  # taken for a fold: there is nothing else
    assert state.payoffs == (2, -2)
    state = played(discarding(), "C", "K", "D1")
    assert (state.active, state.hands[1], state.board) == (
        0,
        [*parse_cards("2c4c")],
        [*parse_cards("5d6d3c")],
    )
    assert state.act("D0") is not None  # only a check is legal here
    assert state.payoffs is None
    assert state.log[-2:] == ["Discard 1 [5d 6d 3c], A (2), B (2)", "Current stacks: 398, 398"]
    played(state, "D2", "K")
    assert (state.street, state.active, state.board) == (4, 1, [*parse_cards("5d6d3cQs")])
    assert said(state, 1) == [
        *("P1", "H2c,3c,4c", "G", "C", "K", "B5d,6d", "D1", "K", "B5d,6d,3c", "D2", "K", "B5d,6d,3c,Qs")
    ]


def test_the_third_card_of_the_stub_is_never_dealt() -> None:
    state = played(discarding(), "C", "K", "D0", "K", "D0", "K", "K", "K", "K", "K")
    assert state.board == [*parse_cards("5d6d2cAs8h9h")]


def test_best_five_of_eight_win_and_both_show() -> None:
    state = played(discarding(), "R6", "C", "D0", "K", "D0", "K", *["K"] * 6)
    # Ks Qs against 3c 4c on 5d 6d 2c As 8h 9h: a straight from deuce to six
    assert state.payoffs == (-6, 6)
    assert state.log[-4:] == ["A shows [Ks Qs]", "B shows [3c 4c]", "A awarded -6", "B awarded 6"]
    assert said(state, 0)[-2:] == ["O3c,4c", "A-6"]


def test_folding_for_nothing_is_legal_but_not_where_cards_are_discarded() -> None:
    assert played(discarding(), "C", "F").payoffs == (2, -2)
    state = played(discarding(), "C", "K", "D0")
    fault = state.act("F")
    assert fault is not None
    assert (fault.kind, str(fault)) == ("illegal", "attempted illegal FoldAction")
    assert state.log[-5:-3] == ["street = 2", "A attempted illegal FoldAction"]


@pytest.mark.parametrize("answer", ["D3", "D-1", "D", "Dx", "", "C"])
def test_who_does_not_discard_folds(answer: str) -> None:
    state = played(discarding(), "C", "K")
    assert state.act(answer) is not None
    assert state.payoffs == (2, -2)


@pytest.mark.parametrize(("answer", "total"), [("R4", 4), ("R400", 400), ("R3", 0), ("R401", 0), ("R-4", 0)])
def test_a_raise_is_at_least_the_call_and_a_big_blind_more(answer: str, total: int) -> None:
    state = discarding()
    assert (state.act(answer) is None) is (total > 0)
    assert (state.pips[0] if total else state.payoffs) == (total or (-1, 1))


def test_who_is_all_in_discards_and_checks_to_the_end() -> None:
    state = played(discarding(), "R400", "C", "D0", "K", "D0", "K")
    assert (state.street, state.stacks) == (4, [0, 0])
    assert state.act("R2") is not None
    played(state, *["K"] * 5)
    assert state.payoffs == (-400, 400)
    assert state.showdown


# -- 2025: bounties ----------------------------------------------------------------------------------


def bounties(one: str, other: str, cards: str = "AsKs2c3d5d6d7h8h9h", stack: int = 400) -> BountyRound:
    return BountyRound(("A", "B"), STAKES, stack, parse_cards(cards), (one, other))


@pytest.mark.parametrize(
    ("ranks", "answers", "won", "told"),
    [
        ("42", "F", -1 - 10 - 1, ("Y#1", "Y1#")),  # a half, lost by the small blind who folded
        ("43", "R20 F", 2, ("Y0#", "Y#0")),  # the bounty of the other one, who lost
        ("A3", "R20 F", 2 + 1 + 10, ("Y1#", "Y#1")),
        ("5Q", "R20 F", 2, ("Y0#", "Y#0")),  # a card that was not dealt
        ("5Q", "R7 C K R2 F", 7 + 4 + 10, ("Y1#", "Y#1")),  # a half, lost by the big blind who folded
        ("8Q", "R7 C K R2 F", 7, ("Y0#", "Y#0")),  # not dealt yet
    ],
)
def test_a_bounty_pays_its_winner_half_of_the_pot_and_ten(
    ranks: str, answers: str, won: int, told: tuple[str, str]
) -> None:
    state = played(bounties(*ranks), *answers.split())
    first, second = said(state, 0), said(state, 1)
    assert (first[2], second[2]) == (f"G{ranks[0]}", f"G{ranks[1]}")
    assert (first[-2:], second[-2:]) == ([f"D{won}", told[0]], [f"D{-won}", told[1]])


@pytest.mark.parametrize(
    ("ranks", "won", "told"),
    [
        ("A3", 0, "Y11"),
        (
            "AT",
            36,
            "Y1#",
        ),  # 103 / 4 + 10: a part of a chip is lost by the player whose turn would be next
        ("T3", -35, "Y#1"),
        ("TT", 0, "Y00"),
    ],
)
def test_of_a_pot_that_is_split_a_bounty_takes_a_quarter(ranks: str, won: int, told: str) -> None:
    state = played(bounties(*ranks), "R101", "C", *["K"] * 4, "R2", "C")  # both play the board
    assert (state.payoffs, said(state, 0)[-1]) == ((won, -won), told)


@pytest.mark.parametrize(
    ("last", "won"),
    [(("K", "K"), -5 - 3 - 10), (("R2", "C"), -7 - 3 - 10), (("K", "R2", "C"), -7 - 4 - 10)],
)
def test_a_half_is_lost_by_the_turn_at_the_end(last: tuple[str, ...], won: int) -> None:
    # kings lose to aces, whose bounty it is; a call passes the turn on, a check that ends a street does not
    state = played(bounties("2", "A", "KsKdAsAd5d6d7hTcJc"), "R5", "C", *["K"] * 4, *last)
    assert state.payoffs == (won, -won)
    assert state.log[-1] == "B hits their bounty"


def test_who_may_check_may_fold_and_stacks_are_said() -> None:
    state = played(bounties("5", "Q"), "C", "K")
    assert state.log[-2:] == ["Flop [5d 6d 7h], A (2), B (2)", "Current stacks: 398, 398"]
    assert str(state.act("R1")) == "attempted illegal RaiseAction"  # taken for a check
    assert state.act("F") is None
    assert state.payoffs == (-2, 2)


def test_a_bounty_is_a_seats_for_25_decks() -> None:
    tree, met = SeedTree(1), []
    for number in range(0, 2000, 5):
        pairs = []
        for button in (0, 1):
            state = deal_round("2025", ("A", "B"), STAKES, 400, tree, number, button)
            assert isinstance(state, BountyRound)
            assert state.log[0].startswith("Bounties reset to ") is (number % 25 == 0)
            pairs.append(state.bounties)
        assert pairs[0] == pairs[1][::-1]
        met.append(pairs[0])
    assert [*met[::5]] == [*met[4::5]]
    assert {rank for pair in met for rank in pair} == {*"23456789TJQKA"}
    assert len({*met}) > 50


# -- 2024: a third card at auction -----------------------------------------------------------------


def auction() -> Auction:
    cards = parse_cards("AsKs2c3d5d6d7h8h9h")
    rest = [card for card in STANDARD_DECK if card not in (*cards, *parse_cards("QsJs"))]
    return Auction(("A", "B"), STAKES, 400, (*cards, *rest, *parse_cards("QsJs")))


def test_the_higher_bid_pays_the_lower_one_and_gets_the_last_card() -> None:
    state = played(auction(), "C", "K")
    assert state.active == 1
    played(state, "A30", "A50")
    assert state.stacks == [368, 398]
    assert state.hands == [[*parse_cards("AsKsJs")], [*parse_cards("2c3d")]]
    assert state.active == 1
    assert said(state, 1)[-5:] == ["A30", "A50", "P1", "N368,398_50,30_2c,3d", "B5d,6d,7h"]
    assert "A won the auction and was dealt [Js]" in state.log
    played(state, *["K"] * 6)
    # 2c 3d on 5d 6d 7h 8h 9h: both play the board, and the pot is split between unequal stacks
    assert state.payoffs == ((368 - 398) // 2, -((368 - 398) // 2))
    assert state.log[-1] == "Players submitted bids of 50 and 30"


def test_equal_bids_are_both_paid_and_both_get_a_card() -> None:
    state = played(auction(), "C", "K", "A7", "A7")
    assert state.stacks == [391, 391]
    assert state.hands == [[*parse_cards("AsKsJs")], [*parse_cards("2c3dQs")]]


def test_a_bid_that_is_too_high_or_no_bid_is_a_bid_of_nothing() -> None:
    state = played(auction(), "C", "K")
    assert str(state.act("A399")) == "attempted illegal BidAction with amount 399"
    assert state.act("K") is not None
    assert state.bids == [0, 0]
    assert state.log[-7:-3] == [
        "B attempted illegal BidAction with amount 399",
        "B bids 0",
        "A attempted illegal CheckAction",
        "A bids 0",
    ]


def test_a_raise_is_bounded_by_the_stack_of_who_paid_for_the_card() -> None:
    state = played(auction(), "C", "K", "A100", "A200")
    assert state.bounds() == (2, 298)
    state.act("R298")
    assert state.legal() == {Fold, Call}  # A has 298 left, and B has bet them
    assert state.act(None) is None
    assert state.payoffs == (-102, 102)


def test_a_round_without_a_flop_has_no_auction() -> None:
    state = played(auction(), "F")
    assert state.log[-1] == "Players did not reach flop. No auction occured."
    assert state.payoffs == (-1, 1)


# -- 2021: three boards ----------------------------------------------------------------------------

HOLES = ("AsAdKsKdQsQd", "2c2d3c3d4c4d")
ASSIGNED = ("1AAs,Ad;2AKs,Kd;3AQs,Qd", "1A2c,2d;2A3c,3d;3A4c,4d")


def boards(*shown: str) -> ThreeBoards:
    cards = shown or ("7h8h9dJcTh", "7h8h9dJcTh", "7h8h2sJc5h")
    hands = [parse_cards(hole) for hole in HOLES]
    return ThreeBoards(("A", "B"), STAKES, 200, hands, [parse_cards(each) for each in cards])


def test_both_assign_two_cards_to_each_board_unseen() -> None:
    state = played(boards(), *ASSIGNED)
    assert [board.hands[0] for board in state.boards] == [
        parse_cards(two) for two in ("AsAd", "KsKd", "QsQd")
    ]
    assert said(state, 0) == ["P0", "HAs,Ad,Ks,Kd,Qs,Qd", ASSIGNED[0], "1A;2A;3A"]
    assert said(state, 1) == ["P1", "H2c,2d,3c,3d,4c,4d", "1A;2A;3A", ASSIGNED[1]]
    assert (state.active, state.stacks) == (0, [197, 194])


@pytest.mark.parametrize(
    "answer",
    [
        "1AAs,Ad;2AAs,Ad;3AQs,Qd",  # a card twice
        "1AAs,Ad;2AKs,Kd;3A2c,2d",  # cards of the other player
        "1AAs,Ad,Ks,Kd;2AQs;3AQd",  # not two each, which the engine lets pass
        "1AAh,Ac;2K;3K",  # cards of nobody beside boards that are folded, likewise
        "1AAs;2A;3A",
        "K",
        "",
    ],
)
def test_who_does_not_assign_his_own_cards_folds_every_board(answer: str) -> None:
    state = boards()
    assert state.act(answer) is not None
    # what both paid, and the 2, 4 and 6 chips that were there before
    assert state.payoffs == (-3, 15)
    assert said(state, 0)[-3:] == ["1F;2F;3F", "1O;2O;3O", "D-3;D15"]


def test_boards_are_bet_on_at_once_and_won_one_by_one() -> None:
    state = played(boards(), *ASSIGNED, "1C;2R6;3F", "1K;2C;3K")
    assert [board.pot for board in state.boards] == [6, 16, 9]
    assert state.stacks == [200 - 2 - 6 - 1, 200 - 2 - 6 - 2]
    assert state.log[-3:] == [
        "Flop [7h 8h 9d], (6), A (191), B (190) on board 1",
        "Flop [7h 8h 9d], (16), A (191), B (190) on board 2",
        "Board 3, (9)",
    ]
    assert said(state, 0)[-1] == "1B7h,8h,9d;2B7h,8h,9d;3B"
    for _ in range(3):
        assert state.payoffs is None
        played(state, "1K;2K;3K", "1K;2K;3K")
    # the boards hold a straight to the jack, which nobody beats: two pots are split, the third was given up
    assert state.payoffs == (191 + 3 + 8 - 200, 190 + 3 + 8 + 9 - 200)
    assert state.tables == ((3, 3), (8, 8), (0, 9))
    assert sum(state.payoffs) == 2 + 4 + 6


def test_a_board_that_is_settled_takes_a_check_only() -> None:
    state = played(boards(), *ASSIGNED, "1C;2C;3C", "1K;2K;3R6")
    fault = state.act("1R8;2K;3C")
    assert str(fault) == "attempted illegal RaiseAction"
    assert state.street == 3


def test_raises_together_may_not_cost_more_than_the_stack() -> None:
    state = played(boards(), *ASSIGNED)
    fault = state.act("1R100;2R100;3R100")
    assert str(fault) == "attempted an illegal combination of RaiseAction's and/or CallAction'"[:60]
    assert state.payoffs is not None  # all boards are folded, where none may be checked


def test_raises_that_the_other_cannot_match_are_cut_board_by_board() -> None:
    state = played(boards(), *ASSIGNED, "1C;2C;3C", "1K;2K;3K")
    state.stacks = [194, 50]
    state.act("1K;2K;3K")  # the big blind
    assert str(state.act("1R40;2R30;3R20")) == "attempted net RaiseAction's which opponent cannot match"
    assert [board.pips[0] for board in state.boards] == [40, 10, 0]
    assert said(state, 1)[-1] == "1R40;2R10;3C"


def test_a_raise_that_is_too_small_is_a_call_unless_it_is_all_in() -> None:
    state = played(boards(), *ASSIGNED)
    assert str(state.act("1R3;2C;3C")) == "did not meet minimum raise amount on board 1"
    assert state.boards[0].pips == [2, 2]
    state = played(boards(), *ASSIGNED)
    state.stacks = [4, 194]
    assert state.act("1R3;2C;3C") is None  # 2 + 1 + 1 chips: all he has
    assert "A went all in" in state.log
    assert state.boards[0].pips == [3, 2]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("1C;2C", "did not submit 3 actions"),
        ("1C;2C;3C;4C", "did not submit 3 actions"),
        ("1C", "response misformatted: ['1C']"),
        ("1X;2C;3C", "response misformatted: ['1X', '2C', '3C']"),
        ("1Rx;2C;3C", "response misformatted: ['1Rx', '2C', '3C']"),
    ],
)
def test_a_malformed_answer_folds_every_board(answer: str, words: str) -> None:
    state = played(boards(), *ASSIGNED)
    fault = state.act(answer)
    assert fault is not None
    assert fault.kind == "nonsense"
    assert f"A {words}" in state.log
    assert state.payoffs is not None


def test_a_raise_to_what_the_other_has_in_front_is_a_call() -> None:
    state = played(boards(), *ASSIGNED, "1R2;2R2;3R2")
    assert state.log[-1] == "A calls on board 3"


def test_a_sweep_is_said() -> None:
    state = played(boards(), *ASSIGNED, "1F;2F;3F")
    assert state.log[-3:] == ["B sweeps", "A awarded -3", "B awarded 15"]


# -- decks and matches -----------------------------------------------------------------------------


def test_a_board_has_none_of_the_cards_held_and_boards_have_cards_in_common() -> None:
    tree, met = SeedTree(1), set()
    for number in range(40):
        state = deal_round("2021", ("A", "B"), STAKES, 200, tree, number)
        assert isinstance(state, ThreeBoards)
        held = {card for hand in state.hands for card in hand}
        assert len(held) == 12
        for board in state.boards:
            assert not held & set(board.cards)
            met.add(board.cards)
    assert len(met) == 120
    assert any({*one} & {*other} for one, other in zip(sorted(met)[:60], sorted(met)[60:], strict=True))


PLAYER = """
import socket, sys
link = socket.create_connection(('localhost', int(sys.argv[-1]))).makefile('rw')
for number, line in enumerate(link):
    last = line.split()[-1]
    if last == 'Q': break
    {special}
    if last[0] == 'B' and last.count(',') in (1, 2): answer = 'D0'
    elif last[0] in 'GR': answer = 'C'
    else: answer = 'K'
    print(answer, file=link, flush=True)
"""


def entrant(folder: Path, name: str, special: str = "") -> str:
    place = folder / name
    (place / "skeleton").mkdir(parents=True)
    (place / "skeleton" / "actions.py").write_text("DiscardAction = 1\n", encoding="utf-8")
    (place / "player.py").write_text(PLAYER.format(special=special or "pass"), encoding="utf-8")
    run = [sys.executable, "-S", "player.py"]
    (place / "commands.json").write_text(json.dumps({"build": [], "run": run}), encoding="utf-8")
    return f"mit:{place}"


def match(folder: Path, special: str = "", hands: int = 20) -> SimulationResult:
    return simulate([entrant(folder, "a", special), entrant(folder, "b")], hands=hands, seed=1)


def test_a_match_has_figures_as_others_have(tmp_path: Path) -> None:
    result = match(tmp_path)
    assert (result.game, result.hands, result.stacks) == ("mit-2026", 20, (400, 400))
    assert result.chips_in == result.chips_out == 20 * 800
    assert result.rake == 0
    for player in result.players:
        assert (player.vpip.value, player.pfr.value, player.wtsd.value) == (0.5, 0, 1)
        assert not player.faults.total
    again = simulate([f"mit:{tmp_path / name}" for name in "ab"], hands=20, seed=1, workers=2)
    assert again.digest == result.digest
    assert again.players[0].net_chips == result.players[0].net_chips


def test_duplicate_plays_each_deck_from_both_seats(tmp_path: Path) -> None:
    bots = [entrant(tmp_path, name) for name in "ab"]
    result = simulate(bots, hands=20, seed=1, form=Duplicate())
    assert [player.net_chips for player in result.players] == [0, 0]  # both play alike


@pytest.mark.parametrize(
    ("special", "kind"),
    [
        ("if number == 9: break", "died"),
        ("if number == 9: import time; time.sleep(60)", "late"),
        ("if number == 9: print('x' * 9000, end='', file=link, flush=True)", "flooded"),
    ],
)
def test_who_leaves_checks_and_folds_to_the_end(tmp_path: Path, special: str, kind: str) -> None:
    place = entrant(tmp_path, "a", special).replace("mit:", "mit:clock=1:")
    result = simulate([place, entrant(tmp_path, "b")], hands=20, seed=1)
    faults = result.players[0].faults
    assert faults.by_kind == {kind: 1}
    assert faults.ejected is not None
    assert faults.used.calls == 10
    assert result.chips_in == result.chips_out == 20 * 800


def test_bots_of_2025_play_its_rounds_with_each_other_and_holdem_with_others(tmp_path: Path) -> None:
    bots = [entrant(tmp_path, name).replace("mit:", "mit:year=2025:") for name in "ab"]
    assert Match.of(bots, hands=2).game.name == "mit-2025"
    plain = bots[0].replace("2025:", "2025,holdem=1:")
    for others in ([bots[0], "caller"], [plain, bots[1]], [plain, plain]):
        assert Match.of(others, hands=2).game.name == "holdem"
    with pytest.raises(BadSpec, match="plays only mit: bots of its year, 2026"):
        Match.of([bots[0], bots[1].replace("year=2025:", "")], hands=2)
    result = simulate(bots, hands=200, seed=1, form=Duplicate())
    assert [player.net_chips for player in result.players] == [0, 0]  # both play alike


def test_who_left_is_named_in_the_log(tmp_path: Path) -> None:
    bots = [entrant(tmp_path, "a", "if number == 9: break"), entrant(tmp_path, "b")]
    faults = [Faults(), Faults()]
    lines = [
        line
        for ended in play_rounds(Match.of(bots, hands=5, seed=1), range(5), faults)
        for line in ended.state.log
    ]
    assert lines.count("A disconnected") == 1


def test_what_does_not_apply_is_refused_by_name(tmp_path: Path) -> None:
    bots = [entrant(tmp_path, name) for name in "ab"]
    of = "rounds of MIT Pokerbots 2026"
    refused: list[tuple[dict[str, object], str]] = [
        ({"adjust": True}, f"adjust: the luck of the cards is unknown for {of}"),
        ({"adjust": "aivat"}, f"adjust: the luck of the cards is unknown for {of}"),
        ({"driver": "stepper"}, f"driver stepper: {of} are played directly"),
        ({"form": CarryOver(20)}, f"carry-over: {of} begin with the same chips"),
        (
            {"options": CashOptions(Rake.parse("5%/3"))},
            f"{of} begin with the same chips, and have no options",
        ),
        ({"game": "omaha"}, "plays only mit: bots of its year, 2026"),
        ({"stacks": "400,300"}, "plays mit-2026 1/2 between two, with 400 chips each"),
    ]
    for settings, words in refused:
        with pytest.raises(BadSpec, match=words):
            simulate(bots, hands=20, seed=1, **settings)  # type: ignore[arg-type]  # of several types
    for others in (["caller"], [bots[0].replace("mit:", "mit:year=2024:")], [bots[1], bots[1]]):
        with pytest.raises(BadSpec, match=r"plays only mit: bots of its year, 202.: "):
            Match.of([bots[0], *others], hands=20)
