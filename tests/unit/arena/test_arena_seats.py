"""Tables of six, sit-and-gos, games of one's own, and Ray: the same arena with other matches, or elsewhere."""

import gc
import warnings
from pathlib import Path

import pytest

from poker_actors.arena import Arena, ArenaSettings, Board, board_text, write_site
from poker_actors.arena.playing import Playing
from poker_actors.bots import BotSpec
from poker_actors.errors import BadSpec
from poker_actors.history import histories, replay
from poker_actors.rules import GAMES
from tests.unit.arena.places import CALLS, CRASHES, FOLDS, RAISES, TOML, made, run_here

SIX = {"ann": CALLS, "bob": RAISES, "cat": FOLDS, "dan": CALLS, "eve": FOLDS, "fay": RAISES, "gus": CALLS}
GAME = """
import attrs
from poker_actors.rules import HOLDEM

mine = attrs.evolve(HOLDEM, name="mine", title="Hold'em of our own")
"""


@pytest.fixture(scope="module")
def six(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Board]:
    folder = made(tmp_path_factory.mktemp("arenas") / "a", f'seats = "six-max"\n{TOML}', **SIX)
    return folder, run_here(folder)


def test_seven_meet_at_tables_of_six_and_the_chips_add_up(six: tuple[Path, Board]) -> None:
    _, board = six
    assert board.title == "7 entrants, 7 matches of 36 hands at tables of 6, No-limit hold'em"
    for pair in board.matches:
        assert pair.score.hands == 36
        assert sum(pair.score.net) == 0
        assert sum(pair.score.means) == pytest.approx(0)
        # each was ahead of another, or behind, or even, on each of six decks
        assert all(
            pair.score.beaten[one][other] + pair.score.beaten[other][one] == 6
            for one in range(6)
            for other in range(one)
        )
    # those who play the same are told apart by nothing but their cards
    assert sum(board.estimates.means) == pytest.approx(0)


def test_hands_of_a_table_of_six_are_kept_with_all_names(six: tuple[Path, Board]) -> None:
    folder, board = six
    pair = board.matches[0]
    names = [board.competitors[player].name for player in pair.fixture.players]
    net = dict.fromkeys(names, 0)
    kept = list(histories(Arena(folder).files_of(pair.key) / "hands.phhs"))
    for history in kept:
        for seat, payoff in enumerate(replay(history).payoffs or ()):
            net[history.name(seat)] += payoff
    assert tuple(net.values()) == pair.score.net
    number, *won = pair.score.largest[0]
    payoffs = replay(kept[number]).payoffs or ()
    assert sorted(won) == sorted(payoffs)
    assert pair.score.moved[number] == tuple(won)


def test_a_second_run_at_tables_of_six_plays_nothing(six: tuple[Path, Board]) -> None:
    folder, board = six
    before = {path: path.stat().st_mtime_ns for path in (folder / ".arena/matches").rglob("*.txt")}
    again = Arena(folder).run()
    assert again.digest == board.digest
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_the_site_of_tables_of_six_names_everybody_at_a_match(
    six: tuple[Path, Board], tmp_path: Path
) -> None:
    folder, board = six
    write_site(Arena(folder), board, tmp_path)
    pair = board.matches[0]
    text = (tmp_path / f"match-{pair.key}.html").read_text()
    for player in pair.fixture.players:
        assert f">{board.competitors[player].name}</a>" in text
    assert "leads the column by, at their tables" in (tmp_path / "index.html").read_text()
    assert "UTG" in (tmp_path / "entrant-ann.html").read_text()


def test_a_sit_and_go_is_played_to_its_winner_and_prizes_add_up(tmp_path: Path) -> None:
    folder = made(tmp_path / "a", f'seats = "sit-and-go"\ntournaments = 8\nstacks = "100"\n{TOML}', **SIX)
    board = run_here(folder)
    assert board.measure == "% of a buy-in"
    assert board.title.startswith("7 entrants, 7 matches of 8 sit-and-gos at tables of 6")
    for pair in board.matches:
        assert (pair.score.tournaments, pair.score.units, pair.score.weight) == (8, 8, 8)
        assert sum(pair.score.net) == 0
        assert sum(pair.score.won) >= 8
        assert min(pair.score.net) >= -800
        kept = list(histories(Arena(folder).files_of(pair.key) / "hands.phhs"))
        assert len(kept) == pair.score.hands
        assert {2, 6} <= {history.size for history in kept} <= {2, 3, 4, 5, 6}
    text = board_text(board)
    assert "% of a buy-in ± 95 %" in text
    assert run_here(folder).digest == board.digest
    write_site(Arena(folder), board, tmp_path / "site")
    assert "tournaments won" in (tmp_path / f"site/match-{board.matches[0].key}.html").read_text()
    assert "BTN" in (tmp_path / "site/entrant-ann.html").read_text()


def test_whoever_fails_in_sit_and_gos_is_named_and_costs_nobody_a_fault(tmp_path: Path) -> None:
    folder = made(
        tmp_path / "a",
        f'seats = "sit-and-go"\ntournaments = 8\n{TOML}restarts = 1\n',
        ann=CALLS,
        bob=RAISES,
        crash=CRASHES.replace("hand < 20", "hand < 2_000_000"),
    )
    board = run_here(folder)
    assert board.playing == 3
    assert board.faults(0) == board.faults(1) == {}
    assert "IndexError" in board.first_fault(2)
    assert board.faults(2)["ejected"] == 1


@pytest.mark.parametrize("seats", ["heads-up", "six-max", "sit-and-go"])
def test_a_game_of_ones_own_is_played_to_the_end(tmp_path: Path, seats: str) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/games.py").write_text(GAME)
    toml = f'game = "games.py:mine"\nseats = "{seats}"\ntournaments = 8\nstacks = "100"\n{TOML}'
    folder = made(tmp_path / "a", toml, ann=CALLS, bob=RAISES, cat=FOLDS)
    board = Arena(folder).run()
    assert board.title.endswith("Hold'em of our own")
    assert board.matches
    assert all(not pair.score.void and sum(pair.score.net) == 0 for pair in board.pairs)
    write_site(Arena(folder), board, tmp_path / "site")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_any_row_of_the_games_is_played_to_the_end(game: str) -> None:
    settings = ArenaSettings(game=game, house=("caller", "random"), hands=16)
    players = tuple(map(BotSpec.parse, settings.house))
    played = Playing(key="", names=settings.house, players=players, seed=1, hands=16, settings=settings)()
    assert not played.score.void
    assert played.score.hands == 16
    assert sum(played.score.net) == 0


def test_a_rotation_of_games_is_refused() -> None:
    with pytest.raises(BadSpec, match="is a rotation, but only one game"):
        ArenaSettings(game="horse")


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")  # Ray's own: it leaves sockets and files to the collector
def test_ray_plays_the_same_board(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", reason="the extra [ray] is not installed")
    here, there = made(tmp_path / "here"), made(tmp_path / "there")
    board = Arena(here).run()
    assert Arena(there, 1, "local").run().digest == board.digest
    assert not ray.is_initialized()
    for pair in board.matches:
        one, other = (Arena(folder).files_of(pair.key) / "hands.phhs" for folder in (here, there))
        assert one.read_bytes() == other.read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()
