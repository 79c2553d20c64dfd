"""Equities of split pots, stud and draw games: against every deal tried, by chance, and refusals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, islice
from typing import Any

import pytest

from poker_actors.cards import STANDARD_DECK, Card, parse_cards
from poker_actors.cli import main
from poker_actors.errors import BadCard, BadInput, BadSpec, DuplicateCard
from poker_actors.evaluator import RANKINGS, evaluate
from poker_actors.evaluator.equity import equity
from poker_actors.evaluator.equity.deals import drawings
from poker_actors.evaluator.equity.shares import SHARED_GAMES

STUB = [card for card in STANDARD_DECK if card not in parse_cards("2s3d4h7cKs2h4d5s8cQd")]


def deuce(hand: tuple[Card, ...]) -> int:
    return RANKINGS["deuce-to-seven"].strengths([hand], ())[0]


def every_deal(stub: list[Card], lacking: list[int]) -> Iterator[list[tuple[Card, ...]]]:
    if not lacking:
        yield []
        return
    for cards in combinations(stub, lacking[0]):
        for rest in every_deal([card for card in stub if card not in cards], lacking[1:]):
            yield [cards, *rest]


def by_every_deal(game: str, hands: list[str], board: str = "", dead: str = "") -> list[Fraction]:
    """Give each player's share, from what each ranking says of each hand alone."""
    rules = SHARED_GAMES[game]
    known = [parse_cards(hand) for hand in hands]
    lying, gone = (
        parse_cards(board),
        {*parse_cards(board), *parse_cards(dead), *(c for h in known for c in h)},
    )
    size = len(known[0]) if rules.board else rules.hole[0]
    stub = [card for card in STANDARD_DECK if card not in gone]
    shares, deals = [Fraction(0)] * len(hands), 0
    for *cards, come in every_deal(stub, [*(size - len(hand) for hand in known), rules.board - len(lying)]):
        deals += 1
        full = [
            [ranking.evaluate((*hand, *own), (*lying, *come)) for ranking in rules.shares]
            for hand, own in zip(known, cards, strict=True)
        ]
        halves = [values for values in zip(*full, strict=True) if any(values)]
        for values in halves:
            best = max(value or 0 for value in values)
            winners = [seat for seat, value in enumerate(values) if value == best]
            for seat in winners:
                shares[seat] += Fraction(1, len(halves) * len(winners))
    return [share / deals for share in shares]


@pytest.mark.parametrize(
    ("game", "hands", "board"),
    [
        ("omaha8", ["AsAh2s3d", "Ad2dKsKc"], "4c5d9h"),
        ("omaha8", ["AsAh2s3d", "Ad2dKsKc", "2c3cQsQh"], "4c5d9h8s"),
        ("omaha8", ["AsAh2s3dKd", "Ad2dQsKc9c"], "JcTdTh8s"),
        ("stud", ["AsAh2s3dKdQc", "KsKh2d2hTc9c"], ""),
        ("stud8", ["As2h3s5dKdQc", "KsKh2d2cTc9c"], ""),
        ("stud8", ["As2h3s5dKdQc", "KsKh2d2c4c7c"], ""),
        ("razz", ["As2h3s5dKdQc", "2d3h4c6c8dJd"], ""),
        ("five-card-draw", ["AsAh2s3d", "KsKhKd2h"], ""),
        ("2-7-single-draw", ["2s3d4h7c", "2h4d5s8cTd"], ""),
        ("2-7-triple-draw", ["2s3d4h7c", "2h3h5s8c"], ""),
        ("a-5-triple-draw", ["As2d3h5c", "2h3c4s6d"], ""),
        ("badugi", ["As2d3h", "4c5d7h9s"], ""),
        ("badacey", ["As2d3h4c", "2h3c5s6d8h"], ""),
        ("badeucy", ["2s3d4h5c", "2h3c5s7d8h"], ""),
    ],
)
def test_exact_shares_are_those_of_every_deal_tried(game: str, hands: list[str], board: str) -> None:
    found = equity(hands, board, game=game)
    expected = by_every_deal(game, hands, board)
    assert found.exact
    assert [player.share for player in found.players] == pytest.approx([float(share) for share in expected])
    assert sum(player.share for player in found.players) == pytest.approx(1)


def test_the_whole_pot_is_won_and_a_part_of_it_tied() -> None:
    first, second = equity(["AsAh2s3d", "KdKcQsQc"], "4c5d8hKhQh", game="omaha8").players
    assert (first.share, first.win, first.tie) == (0.5, 0.0, 1.0)
    assert (second.share, second.win, second.tie) == (0.5, 0.0, 1.0)
    first, second = equity(["AsAh2s3d", "KdKcQsQc"], "4c9d9hKhQh", game="omaha8").players
    assert (second.share, second.win, first.win) == (1.0, 1.0, 0.0)


def test_a_quarter_is_half_of_a_half() -> None:
    shares = [
        p.share for p in equity(["AsAh2s3d", "AdKc2dQc", "KsKhQdJd"], "4c5d8hKdTh", game="omaha8").players
    ]
    assert shares == [0.25, 0.25, 0.5]


@pytest.mark.parametrize("game", ["omaha8", "stud8", "razz", "badugi", "2-7-triple-draw"])
def test_random_deals_come_near_the_exact_shares_and_repeat_with_their_seed(game: str) -> None:
    hands = {
        "omaha8": ["AsAh2s3d", "Ad2dKsKc"],
        "stud8": ["As2h3s5dKdQc", "KsKh2d2cTc"],
        "razz": ["As2h3s5dKdQc", "2d3h4c6c8d"],
        "badugi": ["As2d3h", "4c5d"],
        "2-7-triple-draw": ["2s3d4h7c", "2h3h5s"],
    }[game]
    board = "4c5d9h" if game == "omaha8" else ""
    exact = equity(hands, board, game=game, method="exact")
    sampled = equity(hands, board, game=game, trials=4000, seed=5)
    assert not sampled.exact
    assert sampled.boards == 4000
    for truth, guess in zip(exact.players, sampled.players, strict=True):
        assert abs(truth.share - guess.share) < 5 * guess.stderr
    assert equity(hands, board, game=game, trials=4000, seed=5) == sampled
    assert equity(hands, board, game=game, trials=4000, seed=6) != sampled


def test_an_unknown_hand_is_random_and_an_error_wanted_ends_the_deals() -> None:
    found = equity(["As2h3s", "random"], game="razz", stderr=0.008)
    assert not found.exact
    assert max(player.stderr for player in found.players) <= 0.008
    assert found.players[0].share > 0.6


@pytest.mark.parametrize(
    ("question", "error", "message"),
    [
        ({"players": ["AsAh2s3d"], "game": "omaha8"}, BadSpec, "2 to 10 players, not 1"),
        ({"players": ["AsAh2s3d", "AsKhQdJd"], "game": "omaha8"}, DuplicateCard, "As is given twice"),
        ({"players": ["AsAh2s", "KsKhQdJd"], "game": "omaha8"}, BadSpec, "has 4 or 5 or 6 cards"),
        ({"players": ["AsAh2s3d", "KsKhQdJdTd"], "game": "omaha8"}, BadSpec, "the same number in all hands"),
        ({"players": ["AsAh2s3d5c", "KsKh"], "game": "badugi"}, BadSpec, "has at most 4 cards"),
        ({"players": ["AsAh", "KsKh"], "board": "2c", "game": "razz"}, BadSpec, "too long: razz has 0"),
        ({"players": ["AsXn", "KsKh"], "game": "razz"}, BadSpec, "Xn is not in the deck of 52"),
        ({"players": ["QQ+", "KsKh"], "game": "razz"}, BadCard, "is not a card"),
        ({"players": ["random"] * 8, "game": "stud"}, BadSpec, "need more than the 52 cards"),
    ],
)
def test_a_question_that_cannot_be_is_refused(
    question: dict[str, Any], error: type[BadInput], message: str
) -> None:
    with pytest.raises(error, match=message):
        equity(**question)


def test_with_one_draw_left_what_the_rule_throws_away_is_dead_and_the_share_exact() -> None:
    hands = ["2s3d4h7cKs", "2h4d5s8c9d"]
    drawn = equity(hands, game="2-7-single-draw", draws=1)
    kept = equity(["2s3d4h7c", "2h4d5s8c9d"], dead="Ks", game="2-7-single-draw")
    assert drawn.exact
    assert [player.share for player in drawn.players] == [player.share for player in kept.players]


@pytest.mark.parametrize(
    ("game", "draws", "hands"),
    [
        ("2-7-triple-draw", 3, ["2s3d4h7cKs", "KhQdJs9cTd"]),
        ("badugi", 2, ["As2d3hKs", "KcQdJh9s"]),
        ("five-card-draw", 1, ["AsAh2s3dKd", "random"]),
        ("badeucy", 3, ["2s3d4h5cKs", "random", "random"]),
    ],
)
def test_draws_to_come_are_dealt_and_repeat_with_their_seed(game: str, draws: int, hands: list[str]) -> None:
    found = equity(hands, game=game, draws=draws, trials=1500, seed=3)
    assert not found.exact
    assert sum(player.share for player in found.players) == pytest.approx(1)
    assert found.players[0].share > 1 / len(hands)
    assert equity(hands, game=game, draws=draws, trials=1500, seed=3) == found


def test_the_last_of_several_draws_is_the_one_draw_that_is_left() -> None:
    hands = ["2s3d4h7cKs", "2h4d5s8cQd"]
    exact = equity(hands, game="2-7-triple-draw", draws=1)
    drawn = drawings(RANKINGS["deuce-to-seven"], [parse_cards(hand) for hand in hands], 5, STUB, 1, seed=1)
    won = [deuce(first) > deuce(second) for first, second, _ in islice(drawn, 3000)]
    assert abs(sum(won) / 3000 - exact.players[0].win) < 4 * (0.25 / 3000) ** 0.5


def test_nobody_is_dealt_a_card_again_that_he_threw_away_and_no_card_is_held_twice() -> None:
    full = list(STANDARD_DECK)
    for hands in islice(drawings(RANKINGS["badugi"], [()] * 7, 4, full, 3, seed=2), 300):
        held = [card for hand in hands for card in hand]
        assert len(held) == len(set(held)) == 28


def test_arrays_and_plain_python_share_alike() -> None:
    pytest.importorskip("numpy", reason="the extra [fast] is not installed")
    for game, hands, board in (
        ("stud8", ["As2h3s5dKdQc", "KsKh2d2cTc", "random"], ""),
        ("omaha8", ["AsAh2s3d", "Ad2dKsKc"], "4c5d9h"),
        ("badeucy", ["2s3d4h", "2h3c5s"], ""),
        ("2-7-triple-draw", ["2s3d4h", "2h3c5s"], ""),
    ):
        plain = equity(hands, board, game=game, trials=3000, seed=4, using="python")
        assert equity(hands, board, game=game, trials=3000, seed=4, using="numpy") == plain
    assert equity(["2s3d4h7c", "2h3h5s8c"], game="2-7-triple-draw", using="numpy") == equity(
        ["2s3d4h7c", "2h3h5s8c"], game="2-7-triple-draw", using="python"
    )


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"players": ["AsKs", "QhQd"], "draws": 1}, "nothing is drawn in holdem"),
        ({"players": ["AsKs", "QhQd"], "game": "razz", "draws": 1}, "nothing is drawn in razz"),
        ({"players": ["2s3d", "2h4d"], "game": "2-7-single-draw", "draws": 2}, "outside 1 to 1"),
        ({"players": ["2s3d", "2h4d"], "game": "badugi", "draws": 0}, "outside 1 to 3"),
        ({"players": ["2s3d", "2h4d"], "game": "badugi", "draws": 2, "method": "exact"}, "no exact equity"),
        ({"players": ["random"] * 10, "game": "badeucy", "draws": 1}, "too few of 52 to draw from"),
    ],
)
def test_draws_that_cannot_be_are_refused(question: dict[str, Any], message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        equity(**question)


def test_every_game_is_asked_for_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", "AsAh2s3d", "KdKcQsQc", "--board", "4c5d8hKhQh", "--game", "omaha8"]) == 0
    assert "50.0000 %" in capsys.readouterr().out
    assert main(["equity", "As2d3h", "4c5d7h9s", "--game", "badugi"]) == 0
    assert "all of them" in capsys.readouterr().out
    assert main(["equity", "AsKs", "QhQd", "--game", "short-deck"]) == 0


def test_every_ranking_of_a_shared_game_takes_its_cards() -> None:
    for game in SHARED_GAMES.values():
        for size in game.hole:
            cards = STANDARD_DECK[: size + game.board]
            for ranking in game.shares:
                ranking.evaluate(cards[:size], cards[size:])
    assert RANKINGS["high"] in SHARED_GAMES["stud"].shares


def double_board_by_every_deal(hands: list[str], boards: list[str]) -> list[Fraction]:
    """Give each player's share of two boards of hold'em, board by board, from the strength of each hand alone."""
    known = [parse_cards(hand) for hand in hands]
    lying = [parse_cards(board) for board in boards]
    gone = {card for cards in (*known, *lying) for card in cards}
    stub = [card for card in STANDARD_DECK if card not in gone]
    shares, deals = [Fraction(0)] * len(hands), 0
    for come in every_deal(stub, [5 - len(cards) for cards in lying]):
        deals += 1
        for before, cards in zip(lying, come, strict=True):
            values = [evaluate((*hand, *before, *cards)) for hand in known]
            winners = [seat for seat, value in enumerate(values) if value == max(values)]
            for seat in winners:
                shares[seat] += Fraction(1, 2 * len(winners))
    return [share / deals for share in shares]


@pytest.mark.parametrize("using", ["python", "numpy"])
def test_half_the_pot_goes_to_each_of_two_boards(using: Any) -> None:
    hands, boards = ["AsKs", "QhQd", "7c6c"], ["Qs4s2h9d", "Kd5c4c8h"]
    result = equity(hands, "/".join(boards), game="double-board-holdem", using=using)
    assert result.exact
    assert result.boards == 38 * 37
    expected = double_board_by_every_deal(hands, boards)
    assert [player.share for player in result.players] == pytest.approx([float(one) for one in expected])


@pytest.mark.parametrize("using", ["python", "numpy"])
def test_double_board_omaha_by_chance_agrees_with_every_deal(using: Any) -> None:
    hands, board = ["AsKsQd2c", "9h9d7c7s"], "Qs4s9c3d/Kd5c4c8h"
    exact = equity(hands, board, game="double-board-omaha", method="exact", using=using)
    sampled = equity(hands, board, game="double-board-omaha", trials=4000, using=using)
    for one, other in zip(exact.players, sampled.players, strict=True):
        assert abs(one.share - other.share) < 5 * other.stderr
    assert sum(player.share for player in exact.players) == pytest.approx(1)


@pytest.mark.parametrize(
    ("board", "says"),
    [
        ("Qs4s2h", "1 boards: double-board-holdem has 2, with / between"),
        ("Qs4s2h/5c", "boards of 3 and 1 cards: they must have the same number"),
        ("Qs4s2h/Qs5c6c", "Qs is given twice"),
        ("Qs4s2h/3s5c6c/7d8d9d", "3 boards"),
    ],
)
def test_boards_that_cannot_be_are_refused(board: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        equity(["AsKs", "JhJd"], board, game="double-board-holdem")
