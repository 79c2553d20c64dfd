"""Who meets whom: schedules follow from players and scores, whichever of them were known before."""

from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest

from poker_actors.arena import ArenaSettings, Fixture, Score
from poker_actors.arena.board import Board, Competitor, Pair, board_of, board_text, flags_of
from poker_actors.arena.schedule import most_matches, names_at, paired, schedule, standing_order
from poker_actors.arena.state import Admission
from poker_actors.sim import Estimate
from poker_actors.sim.ranking import Residual, paired_estimates, residuals_of


def score(mean: float, variance: float = 4.0) -> Score:
    return Score(
        hands=100,
        units=50,
        freedom=49,
        means=(mean, -mean),
        covariance=((variance, -variance), (-variance, variance)),
    )


def played(
    players: int, settings: ArenaSettings, strengths: list[float]
) -> tuple[list[list[Fixture]], dict[Fixture, Score]]:
    """Play a schedule in which the stronger wins by the difference."""
    scores: dict[Fixture, Score] = {}
    rounds = []
    for fixtures in schedule(players, settings, scores):
        rounds.append(fixtures)
        scores |= {each: score(strengths[each.players[0]] - strengths[each.players[1]]) for each in fixtures}
    return rounds, scores


def apart(players: int) -> list[float]:
    """Strengths in an order of their own, each ten from the next."""
    found = [10.0 * place for place in range(players)]
    Random(1).shuffle(found)
    return found


@pytest.mark.parametrize("players", [2, 7, 20, 33])
def test_a_round_robin_has_every_pair_once(players: int) -> None:
    (fixtures,), _ = played(players, ArenaSettings(), apart(players))
    assert [each.players for each in fixtures] == [*combinations(range(players), 2)]
    assert len(fixtures) == most_matches(players, ArenaSettings())


def test_a_control_is_a_match_of_each_with_itself() -> None:
    settings = ArenaSettings(control=True)
    rounds, _ = played(3, settings, apart(3))
    assert [each.players for each in rounds[0]] == [(0, 0), (1, 1), (2, 2)]
    assert sum(map(len, rounds)) == 6 == most_matches(3, settings)


@pytest.mark.parametrize("players", [2, 3, 8, 9, 20])
def test_a_swiss_round_has_everybody_once_and_hardly_anybody_meets_twice(players: int) -> None:
    settings = ArenaSettings(schedule="swiss")
    rounds, _ = played(players, settings, apart(players))
    byes: Counter[int] = Counter()
    for fixtures in rounds:
        there = [player for each in fixtures for player in each.players]
        assert len(there) == len(set(there)) == players // 2 * 2
        byes.update(set(range(players)) - set(there))
    assert sum(map(len, rounds)) == most_matches(players, settings)
    assert not byes or max(byes.values()) == 1
    every = [each for fixtures in rounds for each in fixtures]
    # those left at the end of a round may have met all others who are left: then they meet again, on other decks
    assert len(every) == len(set(every))
    assert sum(each.number > 0 for each in every) <= len(every) // 8


def test_a_swiss_schedule_has_rounds_by_the_size_of_the_field() -> None:
    for players, rounds in ((20, 11), (60, 15), (8, 7), (2, 1)):
        assert len(played(players, ArenaSettings(schedule="swiss"), apart(players))[0]) == rounds
    assert most_matches(1, ArenaSettings(schedule="swiss")) == 0
    assert names_at(Fixture((0, 1)), ["ann", "bob"]) == ("ann", "bob")


def test_a_swiss_schedule_pairs_neighbours_of_the_standings() -> None:
    strengths = apart(16)
    rounds, scores = played(16, ArenaSettings(schedule="swiss", rounds=4), strengths)
    before = {each: scores[each] for fixtures in rounds[:3] for each in fixtures}
    order = standing_order(16, before)
    best = next(each for each in rounds[3] if order[0] in each.players)
    (other,) = set(best.players) - {order[0]}
    met = {player for each in before if order[0] in each.players for player in each.players}
    assert other == next(player for player in order[1:] if player not in met)


def test_a_ladder_stops_once_its_first_places_are_decided() -> None:
    settings = ArenaSettings(schedule="ladder", top=3)
    rounds, scores = played(12, settings, apart(12))
    assert sum(map(len, rounds)) < most_matches(12, settings)
    assert all(rounds), "there is no round of nobody"
    assert len(rounds) < 20
    order = standing_order(12, scores)
    strengths = apart(12)
    assert order[:3] == sorted(range(12), key=lambda player: -strengths[player])[:3]


@pytest.mark.parametrize("players", [5, 6])
def test_a_ladder_of_equals_ends_with_its_rounds(players: int) -> None:
    settings = ArenaSettings(schedule="ladder", top=3, rounds=8)
    rounds, _ = played(players, settings, [0.0] * players)
    assert len(rounds) == 8
    for fixtures in rounds:
        assert max(Counter(player for each in fixtures for player in each.players).values()) == 1
    numbers = Counter(each for fixtures in rounds for each in fixtures)
    assert max(numbers.values()) == 1  # a second match of two has a number of its own


@pytest.mark.parametrize(("known", "rounds"), [(Score(void="did not start"), 4), (None, 7)])
def test_a_ladder_plays_on_where_errors_are_unknown_and_not_where_all_is_void(
    known: Score | None, rounds: int
) -> None:
    scores: dict[Fixture, Score] = {}
    found = []
    for fixtures in schedule(8, ArenaSettings(schedule="ladder", rounds=7), scores):
        found.append(fixtures)
        # the lower number wins, by as much as it is before the other
        sure = [score(10.0 * (each.players[1] - each.players[0])) for each in fixtures]
        scores |= {
            each: known or attrs.evolve(won, covariance=None)
            for each, won in zip(fixtures, sure, strict=True)
        }
    assert len(found) == rounds


@pytest.mark.parametrize("kind", ["round-robin", "swiss", "ladder"])
def test_a_schedule_asked_again_asks_for_the_same(kind: str) -> None:
    settings = ArenaSettings.of({"schedule": kind, "rounds": 6, "hands": 100}, Path())
    rounds, known = played(9, settings, apart(9))
    scores: dict[Fixture, Score] = {}
    again = []
    for fixtures in schedule(9, settings, scores):
        again.append(fixtures)
        scores |= {each: known[each] for each in fixtures}
    assert again == rounds


def test_nobody_alone_meets_anybody() -> None:
    assert list(schedule(1, ArenaSettings(), {})) == []
    assert list(schedule(0, ArenaSettings(control=True), {})) == []
    assert most_matches(0, ArenaSettings(schedule="swiss")) == 0


def test_void_matches_and_controls_count_for_nothing() -> None:
    scores = {
        Fixture((0, 1)): score(5.0),
        Fixture((0, 2)): Score(void="did not start"),
        Fixture((1, 1)): score(9.0),
    }
    assert [(each.players, each.means[0]) for each in paired(scores)] == [((0, 1), 5.0)]


@pytest.mark.parametrize(
    ("players", "spread", "style", "rounds"),
    [(12, 0.0, 0.0, 5), (20, 0.0, 0.0, 11), (20, 30.0, 12.0, 5), (8, 30.0, 12.0, 3)],
)
def test_intervals_hold_although_the_results_decide_who_meets_whom(
    players: int, spread: float, style: float, rounds: int
) -> None:
    """Least squares hold in 80, 70, 91 and 89 of 100: who was lucky at first meets others who were."""
    settings = ArenaSettings(schedule="swiss", rounds=rounds)
    rng, held, runs = Random(f"{players} {spread} {style}"), 0.0, 600 // players
    for _ in range(runs):
        strengths = [rng.gauss(0, spread) for _ in range(players)]
        pairs = {
            (one, other): strengths[one] - strengths[other] + rng.gauss(0, style)
            for one, other in combinations(range(players), 2)
        }
        scores: dict[Fixture, Score] = {}
        for fixtures in schedule(players, settings, scores):
            scores |= {
                each: score(pairs[each.players[0], each.players[1]] + rng.gauss(0, 15), 225.0)
                for each in fixtures
            }
        found = paired_estimates(players, paired(scores), by_results=settings.pairs_by_results)
        for player in range(players):
            won = [
                mean if player == one else -mean
                for (one, *two), mean in pairs.items()
                if player in (one, *two)
            ]
            margin = found.of(player).margin or 0.0
            held += abs(found.means[player] - sum(won) / (players - 1)) <= margin
    assert held / runs / players >= 0.94


def on_board(settings: ArenaSettings, playing: int, found: dict[Fixture, Score], refused: str = "") -> Board:
    names = [f"bot{each}" for each in range(playing)]
    rows = [Competitor(name=name, version="1", house=False, admission=Admission()) for name in names]
    if refused:
        admission = Admission(refused=refused, refused_code="check_failed")
        rows.append(Competitor(name="gone", version="1", house=False, admission=admission))
    return board_of(
        settings,
        rows,
        [Pair(fixture=each, key=str(at), score=one) for at, (each, one) in enumerate(found.items())],
    )


def test_the_board_of_a_swiss_arena_has_the_ratings_that_allow_for_it() -> None:
    settings = ArenaSettings(schedule="swiss", rounds=3)
    _, scores = played(8, settings, apart(8))
    won = {each: attrs.evolve(found, won=(1.0, 0.0)) for each, found in sorted(scores.items())}
    board = on_board(settings, 8, won)
    assert board.estimates == paired_estimates(8, paired(scores), by_results=True)
    assert board.estimates != paired_estimates(8, paired(scores))


def of_two(mean: float, **known: Any) -> Score:
    shared: dict[str, Any] = {"won": (30.0, 20.0), "net": (1, -1), "faults": ({}, {}), "seconds": (1.5, 2.0)}
    return attrs.evolve(score(mean), **(shared | known))


def test_a_board_tells_void_matches_copies_and_faults_apart() -> None:
    died = {"first": "hand 3: died", "first_hand": 3, "died": 2, "ejected": 1}
    late = {"first": "hand 9: late", "first_hand": 9, "late": 1}
    found = {
        Fixture((0, 0)): of_two(1.0),
        Fixture((1, 1)): of_two(50.0),
        Fixture((2, 2)): Score(void="did not start"),
        Fixture((3, 3)): of_two(0.0, covariance=None),
        Fixture((0, 1)): of_two(20.0, faults=(died, {})),
        Fixture((0, 2)): of_two(10.0, faults=({}, late)),
        Fixture((0, 3)): of_two(30.0),
        Fixture((1, 2)): of_two(-10.0),
        Fixture((1, 3)): Score(void="ran out of time"),
        Fixture((2, 3)): of_two(20.0),
    }
    board = on_board(ArenaSettings(control=True), 4, found, "it has no files")
    assert len(board.matches) == 5
    assert board.controls == (2, 3)
    assert [board.faults(each) for each in range(4)] == [{"died": 2, "ejected": 1}, {}, {"late": 1}, {}]
    assert [board.first_fault(each) for each in range(4)] == ["hand 3: died", "", "hand 9: late", ""]
    assert board.seconds(0) == 1.5 * 4 + 2.0
    plain = board.to_dict()
    assert [each["players"] for each in plain["void"]] == [["bot2", "bot2"], ["bot1", "bot3"]]
    assert len(plain["matches"]) == 8
    assert plain["matches"][3]["bb_per_100"] == 20.0
    lines = board_text(board).splitlines()
    (row,) = [line for line in lines if " bot0 " in line]
    assert row.split()[-3:] == ["2", "8.0", "s"]
    at = lines.index("all places, by bb/100, are right together in 95 arenas of 100; Elo goes by decks won")
    assert lines[at + 1 :] == [
        "control: 2 of 3 came out even with a copy of themselves, at 95 % each",
        "bot0: the first fault: hand 3: died; ejected in 1 match",
        "bot2: the first fault: hand 9: late",
        "void, and counted for nobody: bot2 - bot2: did not start",
        "void, and counted for nobody: bot1 - bot3: ran out of time",
        "refused: gone: it has no files",
    ]


def test_a_board_of_unknown_errors_has_ratings_and_no_places() -> None:
    board = on_board(ArenaSettings(), 2, {Fixture((0, 1)): of_two(5.0, covariance=None)})
    assert (board.judgement, board.places(0), board.cells[1, 0]) == (None, "-", Estimate(-5.0, None))
    assert board.to_dict()["matches"][0]["margin"] is None
    assert len(board_text(board).splitlines()) == 5, "nothing is said of places, nor of copies"


def test_elo_at_larger_tables_is_of_who_did_better_there() -> None:
    beaten = ((0.0, 9.0, 1.0), (1.0, 0.0, 1.0), (9.0, 9.0, 0.0))
    means = (1.0, -2.0, 1.0)
    known = tuple(tuple(4.0 * ((one == other) - 1 / 3) for other in range(3)) for one in range(3))
    three = of_two(0.0, means=means, covariance=known, won=(9.0, 0.0, 1.0), beaten=beaten, faults=({},) * 3)
    board = on_board(SIX, 3, {Fixture((0, 1, 2)): three})
    assert board.elo[2] > board.elo[0] > board.elo[1]
    assert board.to_dict()["matches"][0]["results"] == [1.0, -2.0, 1.0]


def field(dumped: float) -> dict[Fixture, Score]:
    """Eight players whose results have an error of 2, of whom the first gives chips to the second."""
    rng, strengths = Random(4), apart(8)
    found = {}
    for one in range(8):
        for other in range(one + 1, 8):
            given = dumped if (one, other) == (0, 1) else 0.0
            found[Fixture((one, other))] = score(strengths[one] - strengths[other] + rng.gauss(0, 2) - given)
    return found


def test_chips_that_are_given_away_are_flagged_and_honest_results_are_not() -> None:
    assert flags_of(residuals_of(8, paired(field(0.0)))) == []
    (flag,) = flags_of(residuals_of(8, paired(field(60.0))))
    assert (flag.loser, flag.winner) == (0, 1)
    assert flag.p <= 0.01


def test_too_few_matches_have_no_flags() -> None:
    few = [each for each in residuals_of(8, paired(field(60.0))) if each.one < 2 and each.other < 8]
    assert len(few) < 15
    assert flags_of(few) == []
    sure = [Residual(one, other, 0.0, 0.0, 0.0) for one, other in combinations(range(7), 2)]
    assert flags_of(sure) == [], "nothing stands out where nothing varies"


# -- tables of six ---------------------------------------------------------------------------------

SIX = ArenaSettings(seats="six-max")


@pytest.mark.parametrize("players", [2, 5, 6, 7, 8, 13, 20, 37, 60])
def test_everybody_meets_everybody_at_tables_of_six_about_as_often(players: int) -> None:
    (fixtures,) = schedule(players, SIX, {})
    assert len(fixtures) == most_matches(players, SIX)
    assert len(set(fixtures)) == len(fixtures)
    seats = Counter(player for each in fixtures for player in each.players)
    assert set(seats) == set(range(players))
    assert len(set(seats.values())) == 1
    assert {len(each.players) for each in fixtures} == {min(players, 6)}
    met = Counter(pair for each in fixtures for pair in combinations(each.players, 2))
    assert len(met) == players * (players - 1) // 2
    even = sum(met.values()) / len(met)
    assert max(met.values()) <= even + 3.5


@pytest.mark.parametrize(("players", "kind"), [(8, "swiss"), (13, "swiss"), (13, "ladder"), (30, "swiss")])
def test_a_round_at_tables_of_six_has_everybody(players: int, kind: str) -> None:
    settings = ArenaSettings.of({"seats": "six-max", "schedule": kind, "rounds": 6, "top": 3}, Path())
    scores: dict[Fixture, Score] = {}
    rounds = []
    for fixtures in schedule(players, settings, scores):
        rounds.append(fixtures)
        scores |= {each: score_of_six(each, apart(players)) for each in fixtures}
    for fixtures in rounds[: 6 if kind == "swiss" else 4]:
        there = [player for each in fixtures for player in each.players]
        assert set(there) == set(range(players))
        assert len(there) == 6 * -(-players // 6)
        assert all(len(set(each.players)) == 6 for each in fixtures)
    assert sum(map(len, rounds)) <= most_matches(players, settings)
    order = standing_order(players, scores)
    assert order[0] == max(range(players), key=lambda player: apart(players)[player])


def score_of_six(fixture: Fixture, strengths: list[float]) -> Score:
    middle = sum(strengths[player] for player in fixture.players) / 6
    return Score(
        hands=96,
        units=16,
        freedom=15,
        means=tuple(1.2 * (strengths[player] - middle) for player in fixture.players),
        covariance=tuple(tuple(4.0 * ((one == other) - 1 / 6) for other in range(6)) for one in range(6)),
    )


def test_a_control_at_tables_of_six_is_six_copies() -> None:
    (first, *_) = schedule(7, ArenaSettings(seats="six-max", control=True), {})
    assert first[3].players == (3,) * 6
    assert names_at(first[3], ["ann"] * 6)[:3] == ("ann", "ann (copy)", "ann (copy 2)")
