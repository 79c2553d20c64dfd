"""`check_game` passes the games of the house, and finds what is planted in others."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from poker_actors.cards import CARDS, STANDARD_DECK, Card, Deck, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.evaluator import Ranking, evaluate, ranking_named
from poker_actors.evaluator.order.classes import RANK_KEYS, RANKED
from poker_actors.referee import best
from poker_actors.rules import GAMES, Action, Game, Hand, Stakes
from poker_actors.rules.games import Betting, Share, Street, flop_streets, game_named, row
from poker_actors.testing import bots, check_game

OWN = Path(__file__).parents[3] / "examples" / "own_games.py"
FOUR = (Street("preflop", hole=4), *flop_streets(2)[1:])
"""Four hole cards, of which any may count: nine cards in all."""


def of_ranks(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
    """The strengths of hands as if there were no suits: straights and flushes are read wrongly."""
    return [RANKED[sum(RANK_KEYS[card] for card in (*hole, *board))] for hole in holes]


def own(ranking: Ranking | str | Sequence[Share] = "high", **more: Any) -> Game:
    return row("own", "A game of one's own", FOUR, Betting.POT_LIMIT, ranking, **{"max_seats": 3} | more)


@pytest.fixture
def undriven(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the drivers out: the hands themselves are what a test is about."""
    monkeypatch.setattr(bots, "_compare_drivers", lambda *_: None)


@pytest.mark.usefixtures("undriven")
@pytest.mark.parametrize("name", GAMES)
def test_every_game_of_the_house_passes(name: str) -> None:
    checked = check_game(name, hands=3)
    assert checked.hands == 3 * (GAMES[name].max_seats - 1)
    assert checked.showdowns
    assert bool(checked.shares) is not GAMES[name].open_face


@pytest.mark.parametrize("name", ["holdem", "omaha8", "badugi"])
def test_every_driver_plays_it(name: str) -> None:
    assert check_game(name, hands=1).hands == GAMES[name].max_seats - 1


@pytest.mark.usefixtures("undriven")
def test_a_row_of_nine_cards_is_judged_by_every_five_of_them() -> None:
    game = own("high/eight-or-better")
    assert check_game(game, hands=40).shares > 100


def test_a_limit_row_whose_first_street_bets_two_units_is_judged_by_them() -> None:
    streets = (Street("first", hole=2, bet_units=2), Street("second", board=3))
    own = row("own", "A game of one's own", streets, Betting.FIXED_LIMIT, "high", max_seats=3)
    hand = Hand((100, 100, 100), Stakes(1, 2), deck=Deck.seeded(1), game=own)
    assert (hand.legal.min_raise_to, hand.legal.max_raise_to) == (6, 6)
    check_game(own, hands=60)


def test_full_houses_above_flushes_in_nine_cards_are_ranked_as_evaluate_ranks_them() -> None:
    board = parse_cards("2h2d2cTh3h")
    holes = [parse_cards("ThQhQd4h".replace("Th", "Ts")), parse_cards("QhJhTdTc")]
    strengths = ranking_named("high").strengths(holes, board)
    assert strengths == [evaluate((*hole, *board)) for hole in holes]
    pack = STANDARD_DECK[::2]
    for start in range(17):
        nine = pack[start : start + 9]
        assert ranking_named("high").strengths([nine[:4]], nine[4:]) == [evaluate(nine)]


@pytest.mark.parametrize("ranking", ["omaha", "greek", "short-deck", "badugi"])
def test_a_row_whose_cards_are_too_many_for_its_ranking_is_refused(ranking: str) -> None:
    streets = (Street("preflop", hole=7), *flop_streets(2)[1:])
    with pytest.raises(BadSpec, match=r"cannot be played: the share '' (takes|needs)"):
        row("own", "Own", streets, Betting.POT_LIMIT, ranking, max_seats=3)


def test_a_row_whose_cards_are_too_many_in_all_is_refused_by_their_number() -> None:
    streets = (Street("preflop", hole=5), *flop_streets(2)[1:])
    with pytest.raises(BadSpec, match="takes 5 to 9 cards in all, not 5 hole and 5 board cards"):
        row("own", "Own", streets, Betting.POT_LIMIT, "deuce-to-seven", max_seats=3)


def test_a_row_without_a_ranking_is_refused() -> None:
    with pytest.raises(BadSpec, match="nothing says who wins the pot"):
        row("own", "Own", FOUR, Betting.POT_LIMIT, ())


def test_a_ranking_of_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(BadSpec, match="there is already a ranking called 'high'"):
        Ranking.of("high", evaluate)


@pytest.mark.parametrize("ranking", ["high", Ranking.of("mine", evaluate)])
def test_a_wrong_faster_function_is_found_by_definition(ranking: str | Ranking) -> None:
    with pytest.raises(AssertionError, match=r"own, 2 seats, seed 1, hand \d+: .* against .* by definition"):
        check_game(own(ranking, strengths=of_ranks), hands=200)


def test_the_flush_that_hid_a_full_house_is_found() -> None:
    def final(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
        """A flush was taken for the best hand, as it is among seven cards."""
        found = []
        for hole in holes:
            cards = (*hole, *board)
            suited = [[card for card in cards if card.suit == suit] for suit in range(4)]
            found.append(max(evaluate(some) if len(some) > 4 else 0 for some in suited) or evaluate(cards))
        return found

    short = tuple(card for card in STANDARD_DECK if card.rank < 6)  # many full houses beside flushes
    with pytest.raises(AssertionError, match="by definition"):
        check_game(own(strengths=final, pack=short, max_seats=4), hands=400)


@pytest.mark.usefixtures("undriven")
def test_a_hand_that_ends_otherwise_the_second_time_is_found() -> None:
    luck = Random(2)
    with pytest.raises(AssertionError, match="the same cards and actions ended differently"):
        check_game(own(Ranking.of("moody", lambda cards: luck.randint(1, 10**6))), hands=20)


@pytest.mark.usefixtures("undriven")
def test_chips_that_are_lost_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lossy(Hand):
        def act(self, action: Action) -> None:
            super().act(action)
            if self.over:
                self.stacks = (0, *self.stacks[1:])

    monkeypatch.setattr(bots, "Hand", Lossy)
    with pytest.raises(AssertionError, match=r"\d+ chips became \d+"):
        check_game("kuhn", hands=20)


@pytest.mark.usefixtures("undriven")
def test_a_card_that_can_be_seen_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hand, "public", lambda hand: hand.holes)
    with pytest.raises(AssertionError, match="face down before seat 0, can be seen"):
        check_game("holdem", hands=1)


@pytest.mark.usefixtures("undriven")
def test_what_the_referee_finds_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "verdicts", lambda hand: [SimpleNamespace(words="seat 1 wins 5, not 4")])
    with pytest.raises(AssertionError, match="kuhn, 2 seats, seed 3, hand 0: seat 1 wins 5, not 4"):
        check_game("kuhn", hands=1, seed=3)


def test_drivers_that_differ_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "simulate", lambda *_, driver, **more: SimpleNamespace(digest=driver))
    with pytest.raises(AssertionError, match="kuhn, 2 seats, seed 1: drivers differ"):
        check_game("kuhn", hands=1)


@pytest.mark.parametrize("hands", [0, -1, 1.5, True])
def test_a_number_of_hands_that_is_none_is_refused(hands: Any) -> None:
    with pytest.raises(BadSpec, match="the minimum is 1"):
        check_game("kuhn", hands=hands)


# -- strengths that are not whole numbers ---------------------------------------------------------------------


class Endless:
    """Has a strength for every number, but no end."""

    def __getitem__(self, number: int) -> int:
        return 1

    def __repr__(self) -> str:
        return "Endless()"


WRONG: list[tuple[Any, str]] = [
    (lambda holes, board: [1.5 for _ in holes], r"1\.5 \(float\)"),
    (lambda holes, board: [(2, 5) for _ in holes], r"\(2, 5\) \(tuple\)"),
    (lambda holes, board: [None for _ in holes], r"None \(NoneType\)"),
    (lambda holes, board: 7, r"7 \(int\)"),
    (lambda holes, board: [1], r"\[1\] \(list\)"),
    (lambda holes, board: {1, 2}, r"{1, 2} \(set\)"),
    (lambda holes, board: Endless(), r"Endless\(\) \(Endless\)"),
]


@pytest.mark.parametrize(("strengths", "value"), WRONG)
@pytest.mark.parametrize("ranking", ["high", Ranking.of("mine", evaluate)])
def test_strengths_that_are_not_whole_numbers_are_refused_in_the_row(
    ranking: str | Ranking, strengths: Any, value: str
) -> None:
    with pytest.raises(
        BadSpec, match=f"the game 'own' cannot be played: .*{value}.* whole number"
    ) as refused:
        own(ranking, strengths=strengths)
    assert refused.value.code == "bad_spec"


@pytest.mark.usefixtures("undriven")
def test_strengths_of_numpy_are_whole_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    high = ranking_named("high").strengths
    check_game(own(strengths=lambda holes, board: numpy.array(high(holes, board))), hands=20)
    check_game(own(Ranking.of("mine", lambda cards: numpy.int64(evaluate(cards)))), hands=20)


def a_second_share(worth: Any) -> Sequence[Share]:
    return [Share("high", ranking_named("high")), Share("odd", Ranking.of("odd", worth, qualifier=True))]


@pytest.mark.parametrize("worth", [lambda cards: 0.5, lambda cards: (2, 5) if cards[0].rank else 0])
def test_a_worth_that_is_not_a_whole_number_is_refused_in_the_row(worth: Any) -> None:
    for ranking in (Ranking.of("odd", worth), a_second_share(worth)):
        with pytest.raises(BadSpec, match=r"the game 'own' cannot be played: .* whole number"):
            own(ranking)


def late(worth: Any) -> Any:
    """Give a worth that becomes wrong with the cards of a later hand, so that the row alone does not show it."""
    return lambda cards: worth if any(card.rank > 10 for card in cards) else 1


@pytest.mark.usefixtures("undriven")
@pytest.mark.parametrize("shares", [lambda worth: Ranking.of("late", worth), a_second_share])
def test_a_worth_that_turns_out_wrong_is_named_when_hands_are_compared(shares: Any) -> None:
    game = own(shares(late(9.5)))
    with pytest.raises(BadSpec, match=r"the game 'own' cannot be played: .*9\.5 \(float\).* whole number"):
        check_game(game, hands=20)


@pytest.mark.usefixtures("undriven")
def test_a_function_that_fails_on_cards_of_no_hand_is_still_a_row() -> None:
    def failing(holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> list[int]:
        raise LookupError("not here yet")

    with pytest.raises(LookupError, match="not here yet"):
        check_game(own(strengths=failing), hands=20)


# -- rankings, shares and jokers of one's own ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["ROYAL_RHODE_ISLAND", "NUMERAL_211", "JOKERS"])
def test_the_rows_of_the_example_pass(name: str) -> None:
    assert check_game(f"{OWN}:{name}", hands=3).shares


def test_a_pack_with_jokers_needs_a_ranking_that_knows_them() -> None:
    with pytest.raises(BadSpec, match="its pack has jokers, but its ranking does not know them"):
        own(pack=CARDS)


@pytest.mark.usefixtures("undriven")
def test_shares_are_given_one_by_one() -> None:
    most_red = Ranking.of(
        "red", lambda cards: sum(card.suit in (1, 2) for card in cards) or 0, qualifier=True
    )
    game = own([Share("high", ranking_named("high")), Share("red", most_red)])
    assert check_game(game, hands=20).shares > 40


def test_a_ranking_of_ones_own_names_its_hands_and_the_cards_that_count() -> None:
    ranking = Ranking.of("pips", lambda cards: sum(card.rank + 2 for card in cards), title="pips")
    hole, board = parse_cards("AsKs"), parse_cards("2c3c4cQdJd")
    assert ranking.strengths([hole], board) == [14 + 13 + 12 + 11 + 4]
    assert ranking.words(54) == "pips 54"
    assert set(ranking.cards(hole, board)) == set(parse_cards("AsKsQdJd4c"))
    assert Ranking.of("other", evaluate, words=str).words(7) == "7"


def test_a_game_of_a_file_is_made_by_a_worker_that_has_not_loaded_it() -> None:
    game = game_named(f"{OWN}:NUMERAL_211")
    assert pickle.loads(pickle.dumps(game)) is game
    script = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    made = subprocess.run(
        [sys.executable, "-c", script], input=pickle.dumps(game), capture_output=True, check=False
    )
    assert made.stdout.decode().strip() == "numeral-211", made.stderr.decode()


def test_the_referee_and_the_ranking_agree_on_nine_cards() -> None:
    nine = parse_cards("2h3h4h5hTs2s2d3d3c")
    assert best("high", nine[:4], nine[4:]) == (6, (1, 0))
    assert (
        ranking_named("high").words(ranking_named("high").strengths([nine[:4]], nine[4:])[0])
        == "Full House, Threes full of Deuces"
    )
