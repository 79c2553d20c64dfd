"""What the programs before this one printed for these hands, and brute force where they were wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from poker_actors.evaluator import Category, category, evaluate, from_score, libpoker, score
from poker_actors.evaluator.openface import OpenFaceBoard

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("evaluator_vectors.json").read_text())


@pytest.mark.parametrize("row", VECTORS["poker_eval_handval"], ids=lambda row: row["hand"])
def test_libpoker_numbers_and_texts_are_those_of_the_library(row: dict[str, Any]) -> None:
    assert libpoker.evaluate(row["hand"]) == row["value"]
    assert libpoker.handval(row["value"]) == row["text"]


@pytest.mark.parametrize("row", VECTORS["pokerevaluator_scores"], ids=lambda row: row["hand"])
def test_scores_from_0_to_7461_are_those_of_brute_force(row: dict[str, Any]) -> None:
    assert score(evaluate(row["hand"])) == row["true"]


def test_the_first_score_of_each_category_is_where_the_evaluator_before_had_it() -> None:
    names = {"quads": "four_of_a_kind", "trips": "three_of_a_kind", "one_pair": "pair"}
    for name, first in VECTORS["pokerevaluator_bases"].items():
        kind = Category[names.get(name, name).upper()]
        assert category(from_score(first)) == kind
        assert first == 0 or category(from_score(first - 1)) > kind


@pytest.mark.parametrize("row", VECTORS["pokerevaluator_pairs"], ids=lambda row: row["alice"])
def test_matches_between_two_hands_end_as_recorded(row: dict[str, Any]) -> None:
    alice, bob = evaluate(row["alice"]), evaluate(row["bob"])
    assert row["result"] == (1 if alice > bob else 2 if bob > alice else 0)


def test_hands_recorded_from_high_to_low_are_in_order() -> None:
    strengths = [
        evaluate([card[0] + card[1].lower() for card in text.split()])
        for text in VECTORS["hspe_order_high_to_low"]
    ]
    assert strengths == sorted(strengths, reverse=True)


def test_recorded_names_of_hands_are_our_categories() -> None:
    names = {"royal_flush": "straight_flush", "one_pair": "pair"}
    for text, name in VECTORS["elixir_rank"].items():
        if text == "7h Tc 8s Jd Tc":  # recorded from a program that does not notice a card given twice
            text = "7h Tc 8s Jd Th"
        assert category(evaluate(text)) == Category[names.get(name, name).upper()]


@pytest.mark.parametrize("row", VECTORS["libpoker_ofc"], ids=lambda row: " ".join(row["rows"]))
def test_open_face_boards_are_ranked_and_paid_as_recorded(row: dict[str, Any]) -> None:
    board = OpenFaceBoard.of(*row["rows"])
    rows = (board.top, board.middle, board.bottom)
    assert [int(category(each.strength)) for each in rows] == row["categories"]
    assert list(board.royalties) == row["royalties"]
    assert board.fouled == (row["status"] == 1)
    assert board.reaches_fantasy_land == (row["status"] == 3)
