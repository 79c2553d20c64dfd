"""Arrays of lows, badugis and all other rankings: equal to plain Python, hand by hand, with every engine."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from poker_actors.cards import STANDARD_DECK, parse_cards
from poker_actors.errors import BadSpec, DuplicateCard
from poker_actors.evaluator import RANKINGS, fast
from poker_actors.evaluator.fast import Engine, ranking_strengths

np = pytest.importorskip("numpy", reason="the extra [fast] is not installed")
ENGINES: list[Any] = ["numba", "numpy"]
SHAPES = [
    (name, hole, board)
    for name, ranking in RANKINGS.items()
    for hole in range(ranking.hole[0], ranking.hole[1] + 1)
    for board in {ranking.board[0], ranking.board[1]}
    if ranking.total[0] <= hole + board <= ranking.total[1]
]


@pytest.mark.parametrize(("name", "hole", "board"), SHAPES)
def test_every_ranking_by_arrays_is_that_of_plain_python(name: str, hole: int, board: int) -> None:
    luck, ranking = Random(f"{name} {hole} {board}"), RANKINGS[name]
    pack = [card for card in STANDARD_DECK if card.rank >= ranking.lowest_rank]
    few = [card for card in pack if card.rank in (0, 1, 2, 3, 6, 12)] if ranking.low else pack
    rows = [luck.sample(pack if number % 3 else few, hole + board) for number in range(240)]
    rows += (
        [sorted(luck.sample([card for card in pack if card.suit == 1], min(hole + board, 9)))]
        if not ranking.lowest_rank and hole + board <= 9
        else []
    )
    holes, boards = [row[:hole] for row in rows], [row[hole:] for row in rows]
    expected = [ranking.strengths([tuple(h)], tuple(b))[0] for h, b in zip(holes, boards, strict=True)]
    arrays = np.array(holes, dtype=np.uint8), np.array(boards, dtype=np.uint8).reshape(len(rows), board)
    for engine in ENGINES:
        assert ranking_strengths(name, *arrays, using=engine).tolist() == expected
    assert list(ranking_strengths(name, holes, boards, using="python")) == expected


@pytest.mark.heavy
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["ace-to-five", "deuce-to-seven", "eight-or-better", "badugi-ace-high"])
def test_all_hands_of_five_by_arrays_are_those_of_plain_python(name: str, engine: Engine) -> None:
    hands = np.array(list(combinations(range(52), 5)), dtype=np.uint8)
    found = ranking_strengths(name, hands, checked=False, using=engine)
    plain = RANKINGS[name].strengths([tuple(hand) for hand in hands.tolist()], ())
    assert found.tolist() == plain


@pytest.mark.parametrize("engine", [*ENGINES, "python"])
def test_a_hand_that_cannot_be_ranked_is_named(engine: Engine) -> None:
    good = list(parse_cards("2s3s4s5s7h"))
    with pytest.raises(DuplicateCard, match="hand 1: "):
        ranking_strengths("deuce-to-seven", [good, [good[0], *good[:4]]], using=engine)
    with pytest.raises(BadSpec, match=r"hand 0: .* cannot be ranked by 'badugi'"):
        ranking_strengths("badugi", [[*good, *parse_cards("8h")]], using=engine)
    with pytest.raises(BadSpec, match=r"hand 0: Xn is not in the pack"):
        ranking_strengths("ace-to-five", [[*good[:4], *parse_cards("Xn")]], using=engine)
    with pytest.raises(BadSpec, match="one for each, or one for all"):
        ranking_strengths("omaha-eight", [good[:4]] * 3, [good[:3]] * 2, using=engine)
    with pytest.raises(BadSpec, match="no ranking is called"):
        ranking_strengths("razz", [good], using=engine)


def test_one_board_is_that_of_all_hands() -> None:
    board = parse_cards("2c5d8hKdKs")
    holes = [parse_cards(hole) for hole in ("As3s4hKh", "AhAd6h7h", "QsQdJhJd")]
    for engine in (*ENGINES, "python"):
        found = fast.ranking_strengths("omaha-eight", holes, [board], using=engine)
        assert list(found) == RANKINGS["omaha-eight"].strengths(holes, board)
