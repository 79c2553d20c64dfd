"""A hundred rounds of our players on our decks are, line by line, what the engine of 2023 logged of the same.

`rounds.txt` was written by mitpokerbots/engine-2023's engine.py, unchanged but for its deck: it dealt the cards of our seed
5, and was told that every river is black, since it deals on after a red one. A thousand rounds of each pair of players were
compared like that, and of the skeletons in Python and Java; of 2025 with the bounty's ratio at 1 and its constant at 0.
`rounds_2022.txt` was written likewise by engine-2022's, with both chances of a swap at 0 and 200 chips in our players.

`rounds_2021.txt`, `rounds_2022_swaps.txt` and those of 2023 to 2026 are the first twenty of 300 rounds of `player.py` against itself, nonsense
included, by the engines of these years, unchanged but for their decks; the rest stands in `DIGESTS`. The messages were the same, too,
clause by clause; 5,000 rounds of 2025, 3,000 of 2023 and 2,000 of 2022 were compared, and the engines given our luck; one showdown of 13 cards differs, since the
engine takes another suit's flush there (of 20,000 runs, 21 differ, all of 10 cards or more). So were, of the other years, 1,000 rounds of players that do everything at random, and 200 of each skeleton that was built.
"""

import json
import shutil
import sys
from hashlib import blake2b
from pathlib import Path

import pytest

from poker_actors.bots import Faults
from poker_actors.bots.mit import game_log, round_log
from poker_actors.rules import Hand
from poker_actors.sim import Match, simulate
from poker_actors.sim.engines import Job, play_rounds
from poker_actors.sim.engines.block import play_hands
from tests.attacks.arena import lacking

HERE = Path(__file__).parent
PYTHON = HERE.parents[2] / "examples" / "bots" / "mit_python"
CPP = HERE.parents[2] / "examples" / "bots" / "mit_cpp"


@pytest.fixture
def bold(tmp_path: Path) -> Path:
    words = ["python3", str(PYTHON / "player.py"), "--bold"]
    (tmp_path / "commands.json").write_text(json.dumps({"build": [], "run": words}), encoding="utf-8")
    return tmp_path


def logged(*bots: str, hands: int, updates: bool = False) -> list[str]:
    match = Match.of(bots, hands=hands, seed=5)
    played: list[tuple[Hand, tuple[str, str]]] = []
    for _, hand, who in play_hands(Job(match), range(hands), []):
        played.append((hand, ("AB"[who[0]], "AB"[who[1]])))
    return list(game_log(played, updates=updates))


def test_rounds_are_logged_as_the_engine_of_2023_logged_them(bold: Path) -> None:
    recorded = (HERE / "rounds.txt").read_text(encoding="utf-8").split("\n")
    assert logged(f"mit:{PYTHON}", f"mit:{bold}", hands=100) == recorded
    all_in = [line for line in recorded if line.startswith("Turn") and line.endswith("(400)")]
    assert len(all_in) > 1  # streets on which both are all in are asked for, too


def test_rounds_are_logged_as_the_engine_of_2022_logged_them_when_no_card_was_swapped(tmp_path: Path) -> None:
    bots = []
    for name, words in (("A", []), ("B", ["--bold"])):
        folder = tmp_path / name
        folder.mkdir()
        text = (PYTHON / "player.py").read_text(encoding="utf-8")
        (folder / "player.py").write_text(text.replace("STACK, BIG_BLIND = 400", "STACK, BIG_BLIND = 200"))
        run = ["python3", "player.py", *words]
        (folder / "commands.json").write_text(json.dumps({"build": [], "run": run}), encoding="utf-8")
        bots.append(f"mit:year=2022,holdem=1:{folder}")
    recorded = (HERE / "rounds_2022.txt").read_text(encoding="utf-8").split("\n")
    assert logged(*bots, hands=30, updates=True) == recorded
    assert any(line.startswith("Turn") and line.endswith("(200)") for line in recorded)


DIGESTS = {
    "2021": "16d3e326970e2fd6cc6f5a2c71889c39",
    "2022": "4e3c9eb8f52bb5269748c20de7980957",
    "2023": "3c528c9d2397f612b84713fd1c855a31",
    "2024": "c2cfe3b7193134a77a8740e59df825f5",
    "2025": "51e079b0e77067cc96566767931a518b",
    "2026": "04a495e68ea5b41b04b863919ecad5df",
}
"""BLAKE2b of 128 bits of what the engines logged of 300 rounds."""
NAMES = {"2022": "rounds_2022_swaps.txt"}


def players(folder: Path, year: str) -> list[str]:
    bots = []
    for name in "ab":
        place = folder / name
        place.mkdir()
        run = [sys.executable, "-S", str(HERE / "player.py"), year, name]
        (place / "commands.json").write_text(json.dumps({"build": [], "run": run}), encoding="utf-8")
        bots.append(f"mit:year={year}:{place}")
    return bots


@pytest.mark.parametrize("year", DIGESTS)
def test_rounds_of_other_games_are_logged_as_their_engine_logged_them(tmp_path: Path, year: str) -> None:
    faults = [Faults(), Faults()]
    match = Match.of(players(tmp_path, year), hands=300, seed=5)
    lines = list(round_log(play_rounds(match, range(300), faults)))
    recorded = (HERE / NAMES.get(year, f"rounds_{year}.txt")).read_text(encoding="utf-8").split("\n")[:-1]
    assert lines[: len(recorded)] == recorded
    assert blake2b("\n".join(lines).encode(), digest_size=16).hexdigest() == DIGESTS[year]
    assert all(each.nonsense and each.illegal and each.ejected is None for each in faults)


def test_a_log_of_nothing_is_empty() -> None:
    assert list(game_log([])) == list(round_log([])) == []


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
@pytest.mark.parametrize(
    "setting", ["", pytest.param(",cage=1", marks=pytest.mark.skipif(bool(lacking()), reason=lacking()))]
)
def test_the_examples_play_each_other_without_a_fault(tmp_path: Path, setting: str) -> None:
    for folder in (PYTHON, CPP):
        shutil.copytree(folder, tmp_path / folder.name)
    # a compiler on a busy machine takes longer than the engines allow
    bots = [f"mit:build_seconds=600,clock=600{setting}:{tmp_path / folder.name}" for folder in (PYTHON, CPP)]
    result = simulate(bots, hands=60, seed=4)
    assert [player.faults.total for player in result.players] == [0, 0]
    assert all(player.faults.used.calls > 60 for player in result.players)
    assert result.chips_in == result.chips_out == 60 * 800
    assert result.digest == simulate(bots, hands=60, seed=4, driver="stepper").digest


def test_the_bots_of_2025_hear_of_a_bounty_that_nobody_hits(bold: Path) -> None:
    assert logged(f"mit:year=2025,holdem=1:{PYTHON}", f"mit:year=2025:{bold}", hands=20) == logged(
        f"mit:{PYTHON}", f"mit:{bold}", hands=20
    )
