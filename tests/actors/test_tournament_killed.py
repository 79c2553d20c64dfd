"""A tournament that is killed at random moments and resumed ends as the one that is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.actors.killed_tournament import LARGE, SMALL, killed, straight


def test_a_tournament_killed_up_to_five_times_has_the_same_winner_and_digest(tmp_path: Path) -> None:
    result, _ = killed(SMALL, 7, tmp_path / "t.db", "stepper", 1.0, 5)
    whole = straight(SMALL, 7)
    assert (result["winner"], result["digest"]) == (whole["winner"], whole["digest"])
    assert result == whole


@pytest.mark.heavy
@pytest.mark.parametrize("driver", ["stepper", "threads"])
def test_ten_tournaments_killed_until_they_are_over_have_the_same_results(
    driver: str, tmp_path: Path
) -> None:
    times = 0
    for seed in range(10):
        result, kills = killed(LARGE, seed, tmp_path / f"{seed}.db", driver, 1.5, 1000)
        assert result == straight(LARGE, seed)
        times += kills
    assert times > 20
