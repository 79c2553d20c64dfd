"""AIVAT over hands by the rules: the mean is that of the chips, exactly where every hand can be gone through."""

import json
from collections.abc import Iterator
from itertools import permutations
from math import perm, sqrt
from random import Random
from statistics import mean, stdev

import pytest

from poker_actors.bots.odds import odds_of
from poker_actors.cards import Deck, parse_cards
from poker_actors.cli import main
from poker_actors.errors import BadSpec
from poker_actors.evaluator.equity import equity
from poker_actors.rules import HOLDEM, Action, Game, Hand, View
from poker_actors.rules.action import CALL, CHECK, FOLD
from poker_actors.rules.cash import CashOptions
from poker_actors.rules.games import GAMES, KUHN, LEDUC
from poker_actors.sim import CarryOver, Duplicate, simulate
from poker_actors.sim.exploiting import (
    HandAivat,
    SmallGame,
    aivat,
    aivat_match,
    strategy_of,
    streets,
    value,
)
from poker_actors.sim.exploiting.shares import first_table, next_table

pytest.importorskip("numba", reason="the extra [fast] is not installed")


class Shy:
    """Checks, and calls with the better cards more often than with others."""

    def __call__(self, view: View) -> Action:
        raise AssertionError

    def probabilities(self, view: View) -> dict[Action, float]:
        if not view.to_call:
            return {CHECK: 1.0}
        calls = (view.hole[0].rank - 8) / 4
        return {CALL: calls, FOLD: 1 - calls}


def every_hand(game: Game, bots: tuple[object, object]) -> Iterator[tuple[Hand, float]]:
    """Every hand that two bots can play, with its chance."""
    odds = [odds_of(bot) for bot in bots]  # type: ignore[arg-type]
    cards_dealt = 2 + game.board_cards
    for cards in permutations(game.pack, cards_dealt):
        deck = Deck.stacked([cards[:1], cards[1:2]], cards[2:], game.pack)
        hand = Hand([100, 100], game.stakes, deck=deck, button=1, game=game)
        todo = [(hand, 1 / perm(len(game.pack), cards_dealt))]
        while todo:
            hand, chance = todo.pop()
            if not hand.to_act:
                yield hand, chance
                continue
            seat = hand.to_act[0]
            for taken, share in odds[seat].probabilities(hand.view(seat)).items():
                if share:
                    after = hand.copy()
                    after.act(taken)
                    todo.append((after, chance * share))


def check_every_hand(game: Game, bots: tuple[object, object], known: tuple[int, ...]) -> float:
    """Hold the mean of the estimate to the exact value; give its standard deviation to that of the chips."""
    truth, sums = every_estimate(game, bots, known, Random(1))
    assert sums[0] == pytest.approx(truth)
    assert sums[2] == pytest.approx(truth)
    return sqrt(max(0.0, sums[3] - sums[2] ** 2) / (sums[1] - sums[0] ** 2))


def every_estimate(
    game: Game, bots: tuple[object, object], known: tuple[int, ...], rng: Random
) -> tuple[float, list[float]]:
    """The exact value; the means of results and estimates over every hand, and of their squares."""
    tree = SmallGame.of(game, free_folds=True)
    truth = value(tree, strategy_of(bots[0]), strategy_of(bots[1]))  # type: ignore[arg-type]
    said = [odds_of(bot) if seat in known else None for seat, bot in enumerate(bots)]  # type: ignore[arg-type]
    aivat = HandAivat((said[0], said[1]))
    sums = [0.0] * 4
    for hand, chance in every_hand(game, bots):
        won, found = hand.payoffs[0], aivat.estimate(hand, rng)
        for place, each in enumerate((won, won * won, found, found * found)):
            sums[place] += chance * each
    return truth, sums


@pytest.mark.parametrize("known", [(), (0,), (1,), (0, 1)], ids=str)
@pytest.mark.parametrize("bots", [("random", Shy), (Shy, "maniac")], ids=["random-shy", "shy-maniac"])
def test_the_mean_over_every_hand_of_kuhn_is_the_exact_value(
    bots: tuple[object, object], known: tuple[int, ...]
) -> None:
    ratio = check_every_hand(KUHN, bots, known)
    assert ratio < 1
    if known == (0, 1):
        # one street, looked into to its end: nothing is left to luck
        assert ratio < 1e-6


@pytest.mark.parametrize("known", [(1,), (0, 1)], ids=str)
def test_the_mean_over_every_hand_of_leduc_is_the_exact_value(known: tuple[int, ...]) -> None:
    assert check_every_hand(LEDUC, ("caller", Shy), known) < 0.75


@pytest.mark.parametrize("known", [(1,), (0, 1)], ids=str)
def test_the_mean_stays_exact_where_little_is_looked_into(
    known: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streets, "_LEAST", 1.0)
    check_every_hand(LEDUC, ("caller", Shy), known)


@pytest.mark.heavy
@pytest.mark.parametrize("known", [(1,), (0, 1)], ids=str)
def test_boards_drawn_keep_the_mean(known: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aivat, "_FLOPS", 2)
    monkeypatch.setattr(streets, "_LEAST", 1.0)
    rng = Random(7)
    runs = [every_estimate(LEDUC, (Shy, "maniac"), known, rng) for _ in range(20)]
    found = [sums[2] for _, sums in runs]
    assert stdev(found) > 1e-3
    assert abs(mean(found) - runs[0][0]) < 4 * stdev(found) / sqrt(len(found))


@pytest.mark.heavy
@pytest.mark.parametrize(("known", "most"), [((), 0.86), ((0,), 0.48), ((1,), 0.75), ((0, 1), 0.01)], ids=str)
def test_the_more_is_known_the_less_is_left_to_luck_in_leduc(known: tuple[int, ...], most: float) -> None:
    assert check_every_hand(LEDUC, ("random", "maniac"), known) < most


@pytest.mark.parametrize("board", ["2c7dKh", "2c7dKh8s", "2c7dKh8s9s"])
def test_showdowns_against_a_range_are_those_of_its_hands(board: str) -> None:
    import numpy as np

    first = first_table(HOLDEM)
    cards = tuple(parse_cards(board))
    texts = ["AsAh", "9d8d", "KsQs", "AsKd", "8h8c"]
    places = [first.place(tuple(parse_cards(text))) for text in texts]
    may_have = np.isin(np.arange(len(first.holes)), places)
    exact, kept = next_table(HOLDEM, first, cards, may_have, None)
    drawn = [next_table(HOLDEM, first, cards, may_have, Random(seed))[0] for seed in range(60)]
    assert sorted(kept) == sorted(places)
    for one, other in permutations(range(len(texts)), 2):
        mine, theirs = (exact.holes.index(first.holes[places[each]]) for each in (one, other))
        alone = np.zeros(len(kept))
        alone[theirs] = 1.0
        if set(exact.holes[mine]) & set(exact.holes[theirs]):
            assert exact.apart(alone)[mine] == exact.ahead(alone)[mine] == 0
            continue
        assert exact.apart(alone)[mine] == 1
        ahead, behind = equity([texts[one], texts[other]], board).players
        assert exact.ahead(alone)[mine] == pytest.approx(ahead.share - behind.share)
        found = [float(table.ahead(alone)[mine]) for table in drawn]
        slack = 4 * stdev(found) / sqrt(len(found)) + 1e-9
        assert abs(mean(found) - ahead.share + behind.share) < slack


@pytest.mark.heavy
def test_two_that_say_their_odds_leave_little_to_luck_in_holdem() -> None:
    found = aivat_match("tight", "loose", hands=60, seed=5)
    assert found.ratio < 0.3
    assert found == aivat_match("tight", "loose", hands=60, seed=5)
    assert str(found).startswith("tight wins ")


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("bots", "hands", "known", "most"),
    [
        (("tight", "loose"), 500, (0, 1), 0.15),
        (("caller", "tight"), 200, (0, 1), 0.15),
        (("loose", "pot-odds"), 200, (0, 1), 0.15),
        (("tight", "loose"), 500, (1,), 0.95),
    ],
    ids=str,
)
def test_the_estimate_agrees_with_the_chips(
    bots: tuple[str, str], hands: int, known: tuple[int, ...], most: float
) -> None:
    found = aivat_match(*bots, hands=hands, seed=6, known=known)
    assert found.ratio < most
    apart = found.raw.mean - found.estimate.mean
    assert abs(apart) < 2 * ((found.raw.margin or 0) + (found.estimate.margin or 0))


def test_what_it_is_not_for_is_refused_by_name() -> None:
    with pytest.raises(BadSpec, match="not for omaha"):
        aivat_match("caller", "folder", hands=2, game="omaha")
    with pytest.raises(BadSpec, match="hands is 1: the minimum is 2"):
        aivat_match("caller", "folder", hands=1)
    odds = odds_of("caller")
    hand = Hand([100] * 3, GAMES["holdem"].stakes, deck=Deck.seeded(1))
    with pytest.raises(BadSpec, match="AIVAT is for two seats"):
        HandAivat((odds, odds)).estimate(hand, Random(1))


# -- in a simulation -------------------------------------------------------------------------------


def stubborn(view: View) -> Action:
    """Says nothing of its odds, and folds its worst card to any bet."""
    if not view.to_call:
        return CHECK
    return FOLD if view.hole[0].rank == min(card.rank for card in view.game.pack) else CALL


@pytest.mark.parametrize("bots", [("maniac", stubborn), (stubborn, "maniac"), ("maniac", "random")])
def test_a_simulation_by_aivat_says_what_aivat_match_says(bots: tuple[object, object]) -> None:
    known = [place for place, bot in enumerate(bots) if bot is not stubborn]
    found = aivat_match(*bots, hands=200, seed=6, game="leduc", known=known)  # type: ignore[arg-type]
    result = simulate(bots, hands=200, seed=6, game="leduc", adjust="aivat")  # type: ignore[arg-type]
    first, second = [player.bb_per_100_adjusted for player in result.players]
    assert first is not None
    assert second is not None
    assert first.mean == pytest.approx(
        found.estimate.mean, abs=0.02
    )  # thousandths of a chip, times 100 hands
    assert second.mean == pytest.approx(-first.mean)
    assert found.estimate.margin is not None
    assert first.margin == pytest.approx(
        found.estimate.margin, rel=0.06
    )  # some degrees of freedom are kept for luck
    assert result.players[0].bb_per_100.mean == pytest.approx(found.raw.mean)


def test_duplicate_hands_and_workers_are_judged_alike() -> None:
    bots = [f"{__file__}:stubborn", "maniac"]
    settings: dict[str, object] = {
        "hands": 96,
        "seed": 6,
        "game": "kuhn",
        "form": Duplicate(),
        "adjust": "aivat",
    }
    alone = simulate(bots, **settings)  # type: ignore[arg-type]
    assert simulate(bots, workers=2, **settings) == alone  # type: ignore[arg-type]
    adjusted, raw = alone.players[0].bb_per_100_adjusted, alone.players[0].bb_per_100
    assert adjusted is not None
    assert (adjusted.margin or 0) < (raw.margin or 0)
    assert abs(adjusted.mean - raw.mean) < 2 * (raw.margin or 0)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"game": "omaha"}, "AIVAT is for hold'em of 52 cards, Kuhn and Leduc poker, not for omaha"),
        ({"game": "horse"}, "not for horse"),
        ({"game": "short-deck"}, "not for short-deck"),
        ({"form": CarryOver(4)}, "stacks must not carry over"),
        ({"options": CashOptions(boards=2)}, "without rake, bomb pots or boards run again"),
        ({"bots": ["caller"] * 3}, "AIVAT is for two seats"),
        (
            {"bots": [stubborn, stubborn]},
            "AIVAT needs a bot that states its odds, by .*: stubborn and stubborn do not",
        ),
        ({"adjust": "luckily"}, "adjust 'luckily' must be luck or aivat"),
    ],
)
def test_what_aivat_is_not_for_is_refused_before_a_hand_is_played(
    settings: dict[str, object], words: str
) -> None:
    asked: dict[str, object] = {
        "bots": ["caller", "tight"],
        "hands": 8,
        "seed": 1,
        "adjust": "aivat",
        **settings,
    }
    with pytest.raises(BadSpec, match=words):
        simulate(**asked)  # type: ignore[arg-type]


def test_the_command_takes_a_way_to_adjust_or_none(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "--bot", "maniac", "--bot", f"{__file__}:stubborn", "--hands", "40", "--seed", "3"]
    words += ["--game", "kuhn"]
    shown = []
    for given in (["--adjust", "aivat"], ["--adjust"], ["--adjust=luck"], []):
        assert main([*words, *given, "--json", "-"]) == 0
        out, err = capsys.readouterr()
        result = json.loads(out)
        shown.append(result["players"][0]["bb_per_100_adjusted"])
        said = f"AIVAT with the odds of maniac known; {__file__}:stubborn is assumed to check and call"
        assert (said in " ".join(err.split())) == ("aivat" in given)
    aivat, luck, written, none = shown
    assert none is None
    assert luck == written is not None
    assert aivat not in (luck, None)
    assert main([*words, "--adjust", "skill"]) == 2
    assert "aivat" in capsys.readouterr().err
