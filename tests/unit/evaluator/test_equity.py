"""Equities: exact ones against brute force, sampled ones against exact ones, and every refusal."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

from poker_actors.cards import STANDARD_DECK, parse_cards
from poker_actors.errors import BadCard, BadInput, BadSpec, DuplicateCard
from poker_actors.evaluator import evaluate, evaluate_omaha
from poker_actors.evaluator.equity import EquityResult, Range, equity, parse_range
from poker_actors.evaluator.equity.ranges import STARTING_HANDS
from poker_actors.evaluator.fast import Engine

ENGINES: list[Engine] = ["numba", "numpy", "python"]


@pytest.fixture(params=ENGINES)
def using(request: pytest.FixtureRequest) -> Engine:
    for module in {"numba": ["numpy", "numba"], "numpy": ["numpy"], "python": []}[request.param]:
        pytest.importorskip(module)
    chosen: Engine = request.param
    return chosen


def shares(result: EquityResult) -> list[float]:
    return [round(player.share, 6) for player in result.players]


def by_brute_force(
    hands: list[str], board: str, dead: str = "", omaha: bool = False
) -> list[tuple[int, ...]]:
    holes = [parse_cards(hand) for hand in hands]
    lying, gone = parse_cards(board), parse_cards(dead)
    free = [
        card for card in STANDARD_DECK if card not in {*lying, *gone, *(c for hole in holes for c in hole)}
    ]
    counts = [[0] * (len(hands) + 1) for _ in hands]
    for come in combinations(free, 5 - len(lying)):
        full = (*lying, *come)
        found = [evaluate_omaha(hole, full) if omaha else evaluate((*hole, *full)) for hole in holes]
        winners = found.count(max(found))
        for row, strength in zip(counts, found, strict=True):
            row[winners] += strength == max(found)
    return [tuple(row) for row in counts]


def matches(result: EquityResult, counts: list[tuple[int, ...]]) -> bool:
    boards = result.boards
    return all(
        player.win == pytest.approx(row[1] / boards)
        and player.tie == pytest.approx(sum(row[2:]) / boards)
        and player.share == pytest.approx(sum(count / n for n, count in enumerate(row) if n) / boards)
        for player, row in zip(result.players, counts, strict=True)
    )


def test_suited_big_slick_against_queens_has_its_known_equity(using: Engine) -> None:
    result = equity(["AsKs", "QhQd"], using=using)
    assert shares(result) == [0.462145, 0.537855]
    assert (result.exact, result.boards) == (True, 1_712_304)
    assert [player.stderr for player in result.players] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (["AsKs", "QhQd"], "Ts9s2d", ""),
        (["AsKs", "QhQd", "JhTh"], "Ts9s2d", "2c3c"),
        (["AsKs", "QhQd", "JhTh", "5c5d"], "Ts9s2d3s", ""),
        (["AsKs", "QhQd"], "Ts9s2d3sQs", ""),
        (["2c3d", "4h5s"], "AsKsQsJsTs", ""),
        (["8s7s", "8d7d", "8c7c"], "9s6sTd", ""),
    ],
)
def test_equities_on_a_board_are_those_of_every_board_tried(
    using: Engine, hands: list[str], board: str, dead: str
) -> None:
    assert matches(equity(hands, board, dead=dead, using=using), by_brute_force(hands, board, dead))


@pytest.mark.parametrize("hands", [["AsAhKsKh", "QsQhJsJh"], ["AsAhKsKh5d", "QsQhJsJh4d"]])
def test_omaha_equities_are_those_of_every_board_tried(using: Engine, hands: list[str]) -> None:
    assert matches(
        equity(hands, "Ts9s2d3c", game="omaha", using=using), by_brute_force(hands, "Ts9s2d3c", omaha=True)
    )


def test_every_engine_gives_the_same_exact_counts() -> None:
    pytest.importorskip("numba")
    questions: list[dict[str, Any]] = [
        {"players": ["AsKs", "QhQd", "7c6c"]},
        {"players": ["AsAh", "KsKd", "9s8s"], "game": "short_deck"},
        {"players": ["QQ+, AKs:0.25", "76s-54s"], "board": "Ts9s2d"},
        {"players": ["AsKs", "QhQd"], "board": "Ts"},
        {"players": ["AsKs", "QhQd"], "board": "Ts9s"},
        {"players": ["AsAhKsKh", "QsQhJsJh", "2s2c3s4d"], "board": "Ts9s8s", "game": "omaha"},
    ]
    for question in questions:
        first, *others = [equity(**question, method="exact", using=using) for using in ENGINES]
        assert others == [first, first], question


def matchups_by_chance(count: int, game: str) -> list[dict[str, Any]]:
    """Give questions of two to five hands, half of them of two suits, with boards of every length."""
    luck = random.Random(game)
    questions: list[dict[str, Any]] = []
    for number in range(count):
        pack = [card for card in STANDARD_DECK if game == "holdem" or card.rank >= 4]
        players, lying = luck.choice([2, 2, 2, 3, 4, 5]), luck.choice([0, 0, 3, 3, 4, 5])
        if number % 2 and players < 4:
            pack = [card for card in pack if card.suit < 2]
        cards = luck.sample(pack, 2 * players + lying)
        hands = [cards[2 * seat : 2 * seat + 2] for seat in range(players)]
        questions.append({"players": hands, "board": cards[2 * players :], "game": game})
    return questions


@pytest.mark.parametrize("game", ["holdem", "short_deck"])
@pytest.mark.parametrize("count", [12, pytest.param(300, marks=pytest.mark.heavy)])
def test_compiled_exact_counts_of_hands_by_chance_are_those_of_plain_python(count: int, game: str) -> None:
    pytest.importorskip("numba")
    for question in matchups_by_chance(count, game):
        compiled, plain = (equity(**question, method="exact", using=using) for using in ("numba", "python"))
        assert compiled == plain, question


def test_every_engine_deals_the_same_random_boards() -> None:
    pytest.importorskip("numba")
    questions: list[dict[str, Any]] = [
        {"players": ["AsKs", "QhQd"]},
        {"players": ["AsKs", "random", "TT+, 76s:0.5"], "dead": "2c"},
        {"players": ["QQ+", "AKs", "22+"], "board": "Ts9s2d"},
        {"players": ["AsAh", "KsKd"], "game": "short_deck"},
        {"players": ["AsAhKsKh, 2s3s4s5s:0.3", "QsQhJsJh"], "board": "Ts9s", "game": "omaha"},
    ]
    for question in questions:
        first, *others = [equity(**question, trials=3000, seed=7, using=using) for using in ENGINES]
        assert others == [first, first], question
        assert equity(**question, trials=3000, seed=8) != first


def test_sampled_equities_are_within_their_error_of_the_exact_ones(using: Engine) -> None:
    trials = 20_000 if using == "python" else 400_000
    questions: list[dict[str, Any]] = [
        {"players": ["AsKs", "QhQd"]},
        {"players": ["QQ+, AKs", "76s-54s, 22+:0.5"], "board": "Ts9s2d"},
    ]
    for question in questions:
        exact = equity(**question, method="exact")
        sampled = equity(**question, trials=trials, using=using)
        for truth, guess in zip(exact.players, sampled.players, strict=True):
            assert 0 < guess.stderr < 0.006
            assert abs(truth.share - guess.share) < 5 * guess.stderr


def test_sampling_stops_when_the_error_is_small_enough(using: Engine) -> None:
    result = equity(["AsKs", "QhQd"], stderr=0.0035, using=using)
    assert max(player.stderr for player in result.players) <= 0.0035
    assert not result.exact
    assert result.boards < 1_000_000


def test_an_interrupted_run_gives_what_it_has(using: Engine) -> None:
    def stop(done: int, total: int) -> None:
        if done >= 4096:
            raise KeyboardInterrupt

    result = equity(["AsKs", "QhQd"], trials=10_000_000, progress=stop, using=using)
    assert result.interrupted
    assert 4096 <= result.boards < 10_000_000


def test_progress_is_told_up_to_the_end(using: Engine) -> None:
    told: list[tuple[int, int]] = []
    equity(["AsKs", "QhQd"], trials=5000, progress=lambda *work: told.append(work), using=using)
    assert told[-1] == (5000, 5000)
    told.clear()
    equity(["QQ+", "AKs"], "2c3c4c5d", progress=lambda *work: told.append(work), using=using)
    assert told[-1][0] == told[-1][1] > 1


def test_ten_players_share_the_whole_pot(using: Engine) -> None:
    hands = [f"{high}s{high}h" for high in "AKQJT98765"]
    result = equity(hands, "2c3c4c", using=using)
    assert sum(player.share for player in result.players) == pytest.approx(1)
    assert sum(player.win for player in result.players) <= 1


def test_a_range_is_the_weighted_mean_of_its_hands() -> None:
    mixed = equity(["AsKs:0.25, 7d2c", "QhQd"], "Ts9s2d").players[0].share
    parts = [equity([hand, "QhQd"], "Ts9s2d").players[0].share for hand in ("AsKs", "7d2c")]
    assert mixed == pytest.approx((0.25 * parts[0] + parts[1]) / 1.25)


def test_work_too_long_to_go_through_is_sampled_unless_told_otherwise() -> None:
    assert not equity(["random", "random", "random"], trials=2000).exact
    with pytest.raises(BadSpec, match="too many to go through"):
        equity(["random", "random"] * 2, method="exact")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("AA", 6), ("QQ+", 18), ("TT-77", 24), ("77-TT", 24), ("AKs", 4), ("AKo", 12), ("AK", 16), ("KA", 16),
        ("A2s+", 48), ("KTo+", 36), ("KTs-K7s", 16), ("K7s-KTs", 16), ("76s-54s", 12), ("54s-76s", 12), ("J9s-97s", 12),
        ("AsKs", 1), ("As Ks", 1), ("random", 1326), ("QQ+, AKs, 76s-54s, 22+:0.5", 94), ("QQ+ AKs", 22),
        ("AsKs,KsAs", 1),
    ],
)  # fmt: skip
def test_a_range_names_as_many_hands_as_players_mean_by_it(text: str, count: int) -> None:
    assert len(parse_range(text)) == count


@pytest.mark.parametrize(
    ("text", "count", "weights"),
    [
        ("10%", 130, {1.0}),
        ("5%-20%", 204, {1.0}),
        ("20%-5%", 204, {1.0}),
        ("0.5%", 6, {1.0}),
        ("100%", 1326, {1.0}),
        ("AA@50", 6, {0.5}),
        ("AsKs@12.5%", 1, {0.125}),
        ("AA@50, 10%@20", 130, {0.5, 0.2}),
        ("!AA", 1320, {1.0}),
        ("!AA, !KK", 1314, {1.0}),
        ("QQ+, !QsQh", 17, {1.0}),
        ("!QsQh, QQ+", 17, {1.0}),
        ("10%, !AA", 124, {1.0}),
        ("random, !100%, AA, !KK", 0, set()),
    ],
)
def test_percentages_weights_in_percent_and_exclusions_are_read(
    text: str, count: int, weights: set[float]
) -> None:
    if not count:
        with pytest.raises(BadSpec, match="names no hand"):
            parse_range(text)
        return
    hands = parse_range(text)
    assert (len(hands), set(hands.weights)) == (count, weights)


def test_percentages_split_all_hands_without_a_rest() -> None:
    parts = [parse_range(text).combos for text in ("12.5%", "12.5%-40%", "40%-100%")]
    assert len({combo for part in parts for combo in part}) == sum(map(len, parts)) == 1326
    assert set(parse_range("15%").combos) <= set(parse_range("15.5%").combos)


def test_starting_hands_are_all_there_and_the_best_are_the_pairs_everybody_knows() -> None:
    names = STARTING_HANDS.split()
    assert len(set(names)) == 169
    assert names[:5] == ["AA", "KK", "QQ", "JJ", "TT"]
    assert sum(len(parse_range(name)) for name in names) == 1326


@pytest.mark.heavy
def test_starting_hands_are_in_the_order_of_their_equity_against_a_random_hand() -> None:
    pytest.importorskip("numba")
    found = [
        equity([name, "random"], method="exact", using="numba").players[0].share
        for name in STARTING_HANDS.split()
    ]
    assert found == sorted(set(found), reverse=True)
    assert round(found[0], 6) == 0.852037


@pytest.mark.parametrize(
    "players",
    [
        ["QQ", "AKs, 76s:0.5"],
        ["AsKs", "QQ, AKo"],
        ["TT, 98s@25", "TT, A5s"],
    ],
)
def test_ranges_before_the_flop_are_the_same_remembered_or_gone_through(players: list[str]) -> None:
    pytest.importorskip("numba")
    plain = equity(players, method="exact", using="python")
    for question in (players, players, players[::-1]):
        found = equity(question, method="exact", using="numba")
        expected = plain.players if question is players else plain.players[::-1]
        assert found.boards == plain.boards
        for ours, theirs in zip(found.players, expected, strict=True):
            assert (ours.share, ours.win, ours.tie) == pytest.approx((theirs.share, theirs.win, theirs.tie))


def test_matchups_that_were_worked_out_are_not_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    from poker_actors.evaluator.equity.exact import run

    first = equity(["QQ+", "AKs"], using="numba")
    monkeypatch.setattr(run, "_won_lost_tied", None)
    assert equity(["QQ+", "AKs"], using="numba") == first
    assert equity(["QcQs", "AKs"], using="numba").players[0].share < first.players[0].share


def test_all_pairs_of_hands_are_47008_matchups() -> None:
    pytest.importorskip("numba")
    from poker_actors.evaluator.equity.exact.preflop import MATCHUPS, _cells

    cells = _cells()
    assert set(cells.same.ravel().tolist()) == {-1, *range(MATCHUPS)}
    assert len(cells.matchups) == MATCHUPS


def test_a_hand_named_twice_keeps_its_first_weight() -> None:
    hands = parse_range("QQ+, 22+:0.5")
    weights = dict(zip(hands.combos, hands.weights, strict=True))
    assert weights[parse_cards("AsAh")] == 1.0
    assert weights[parse_cards("2s2h")] == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no hand"),
        ("AKx", "'AKx' is not a range"),
        ("AAs", "'AAs' is not a range"),
        ("AKs-QJo", "mixes suited and offsuit"),
        ("AKs-QTs", "both ends share"),
        ("QQ+:2", "weight '2' of 'QQ\\+:2' is not above 0 and at most 1"),
        ("QQ+:x", "weight 'x'"),
        ("QQ+:nan", "weight 'nan'"),
        ("AsAs", "As is given twice"),
        ("AA@101", "weight '101' of 'AA@101' is not above 0 and at most 100"),
        ("AA@", "weight ''"),
        ("!AA@50", "an excluded hand has no weight"),
        ("AA, !AA", "names no hand"),
        ("101%", "'101%' names no hands"),
        ("0%", "'0%' names no hands"),
        ("0.1%", "range '0.1%' names no hand"),
        ("10%-10%", "percentages must differ"),
        ("10%+", "'10%\\+' is not a percentage of hands"),
        ("AsKsQs", "has 3 cards: a hand has 2"),
    ],
)
def test_a_range_that_cannot_be_read_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        parse_range(text)


@pytest.mark.parametrize(
    ("question", "error", "message"),
    [
        ({"players": ["AsKs"]}, BadSpec, "2 to 10 players, not 1"),
        ({"players": ["AsKs", "AsQd"]}, DuplicateCard, "As is given twice"),
        ({"players": ["AsKs", "QhQd"], "board": "AsTs2c"}, DuplicateCard, "As is given twice"),
        ({"players": ["AsKs", "QhQd"], "dead": "Qd"}, DuplicateCard, "Qd is given twice"),
        ({"players": ["AsKs", "QhQd"], "board": "2c3c4c5c6c7c"}, BadSpec, "a board of 6 cards is too long"),
        ({"players": ["AsKs", "QhXn"]}, BadSpec, "Xn is not in this deck of 52"),
        ({"players": ["AsKs", "QhQd"], "board": "Xn"}, BadSpec, "Xn is not in the deck of 52"),
        ({"players": ["AsKs", "5h5d"], "game": "short_deck"}, BadSpec, "5h is not in this deck of 36"),
        ({"players": ["10%", "AsKs"], "game": "short_deck"}, BadSpec, "this deck has 36"),
        ({"players": ["10%", "AsKsQsJs"], "game": "omaha"}, BadSpec, "is not a hand of 4 cards"),
        (
            {"players": ["AsKs", "QhQd"], "game": "chess"},
            BadSpec,
            "equities cannot be computed for game 'chess'",
        ),
        ({"players": ["AsKsQs", "QhQd2c"], "game": "omaha"}, BadSpec, "has 4 or 5 or 6"),
        ({"players": ["AsKsQsJs", "QhQd2c3c4c"], "game": "omaha"}, BadSpec, "has 5 cards: a hand has 4"),
        ({"players": ["AsKs", "QQ"], "dead": "QsQhQd"}, BadSpec, "player 1: no hand of 'QQ' is left"),
        ({"players": ["AsKs", "AsKs, AsQs"]}, BadSpec, "cannot meet"),
        ({"players": ["AsKs", "QhQd"], "trials": 0}, BadSpec, "0 trials are below the minimum of 1"),
        ({"players": ["AsKs", "QhQd"], "stderr": 2.0}, BadSpec, "standard error of 2.0"),
        ({"players": ["AsKs", "QhQd"], "method": "exact", "trials": 5}, BadSpec, "neither trials nor"),
        (
            {"players": ["AsKs", "QhQd"], "method": "magic"},
            BadSpec,
            "method 'magic' must be auto, exact or sampled",
        ),
        ({"players": ["AsKs", "10cQd"]}, BadSpec, "'10cQd' is not a range"),
        ({"players": ["AsKs", "QhQd"], "board": "10c"}, BadCard, "'10c' is not a card"),
        (
            {"players": ["random"] * 10, "game": "short_deck", "dead": "6c6d6h6s7c7d7h7s8c8d8h8s"},
            BadSpec,
            "need more",
        ),
    ],
)
def test_a_question_that_cannot_be_is_refused(
    question: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        equity(**question)


def test_a_range_made_before_may_be_asked_with() -> None:
    hands = parse_range("QQ+")
    assert isinstance(hands, Range)
    assert shares(equity([hands, parse_cards("AsKs")])) == shares(equity(["QQ+", "AsKs"]))
