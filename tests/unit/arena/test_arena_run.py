"""An arena that runs: who is admitted, what is played and kept, and that an end at any moment costs nothing."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import attrs
import pytest

from poker_actors.arena import Arena, Board, board_text, playing
from poker_actors.arena.entrants import Entrant
from poker_actors.arena.settings import ArenaSettings
from poker_actors.arena.state import Score, State
from poker_actors.errors import BadSpec, StorageFailed
from poker_actors.history import histories, replay
from tests.unit.arena.places import (
    CALLS,
    CRASHES,
    FOLDS,
    RAISES,
    SLEEPS,
    TOML,
    copied,
    laid,
    made,
    put,
    run_here,
    scores,
)

RUN = "import sys; from pathlib import Path; from poker_actors.arena import Arena; Arena(Path(sys.argv[1])).run()"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Board]:
    folder = made(tmp_path_factory.mktemp("arenas") / "a")
    return folder, Arena(folder).run()


def test_every_pair_meets_and_the_best_is_first(played: tuple[Path, Board]) -> None:
    _, board = played
    assert len(board.matches) == 3
    assert all(pair.score.hands == 32 and sum(pair.score.net) == 0 for pair in board.matches)
    means = [board.estimates.means[player] for player in board.order]
    assert means == sorted(means, reverse=True)
    assert "cat" in board_text(board)


def test_the_rating_is_the_mean_of_the_matches(played: tuple[Path, Board]) -> None:
    _, board = played
    for player in range(3):
        won = [board.cells[player, other].mean for other in range(3) if other != player]
        assert board.estimates.means[player] == pytest.approx(sum(won) / 2)


def test_a_second_run_plays_nothing_and_says_the_same(played: tuple[Path, Board]) -> None:
    folder, board = played
    files = {path: path.stat().st_mtime_ns for path in (folder / ".arena/matches").rglob("*.txt")}
    again = Arena(folder).run()
    assert again.digest == board.digest
    assert board_text(again) == board_text(board)
    assert {path: path.stat().st_mtime_ns for path in (folder / ".arena/matches").rglob("*.txt")} == files


def test_every_hand_is_kept_and_replays(played: tuple[Path, Board]) -> None:
    folder, board = played
    arena = Arena(folder)
    for pair in board.matches:
        hands = list(histories(arena.files_of(pair.key) / "hands.phhs"))
        assert len(hands) == 32
        net = {board.competitors[player].name: 0 for player in pair.fixture.players}
        for history in hands:
            for seat, payoff in enumerate(replay(history).payoffs or ()):
                net[history.name(seat)] += payoff
        assert tuple(net.values()) == pair.score.net


def test_nobody_else_reads_the_root_and_no_file_of_a_match_holds_it(tmp_path: Path) -> None:
    folder = laid(tmp_path / "a")
    board = run_here(folder)
    assert (folder / ".arena/arena.db").stat().st_mode & 0o777 == 0o600
    assert (folder / ".arena").stat().st_mode & 0o777 == 0o700
    with State(folder / ".arena/arena.db") as state:
        root, seeds = state.root, [state.seed(pair.key) for pair in board.matches]
    assert root.bit_length() == 129
    assert len(set(seeds)) == 3
    texts = [path.read_text() for path in (folder / ".arena/matches").rglob("*.*")]
    assert not any(str(number) in text for number in (root, *seeds) for text in texts)


def test_a_new_version_plays_its_own_matches_again_and_no_others(
    played: tuple[Path, Board], tmp_path: Path
) -> None:
    folder = copied(played[0], tmp_path / "a")
    before = scores(folder)
    put(folder, "cat", CALLS)
    board = run_here(folder)
    after = scores(folder)
    assert len(before) == len(after) == len(board.matches) == 3
    [same] = before.keys() & after.keys()
    assert before[same] == after[same]
    assert len(board.before) == 2


def kept(folder: Path) -> set[str]:
    """The keys of matches of which there are files."""
    return {path.name for path in (folder / ".arena/matches").glob("*/*")}


def noted(folder: Path) -> set[str]:
    with sqlite3.connect(folder / ".arena/arena.db") as db:
        keys = {key for (key,) in db.execute("SELECT key FROM played")}
    db.close()
    return keys


def test_matches_of_a_version_that_was_replaced_are_removed_and_no_others(tmp_path: Path) -> None:
    folder = made(tmp_path / "a", ann=CALLS, bob=RAISES, cat=FOLDS, dan=CALLS)
    first = run_here(folder)
    named = {pair.key for pair in first.pairs}
    assert kept(folder) == scores(folder).keys() == noted(folder) == named
    # one who is away, and one whose new version does not play, may come back: nothing is played twice
    (folder / "dan").rename(tmp_path / "dan")
    (folder / "bob/bot").write_text("no program")
    run_here(folder)
    assert kept(folder) == named
    (tmp_path / "dan").rename(folder / "dan")
    put(folder, "bob", RAISES)
    times = {key: (Arena(folder).files_of(key) / "log.txt").stat().st_mtime_ns for key in named}
    assert run_here(folder).digest == first.digest
    assert times == {key: (Arena(folder).files_of(key) / "log.txt").stat().st_mtime_ns for key in named}
    # other settings are another arena, of which nothing is removed
    (folder / "arena.toml").write_text(TOML.replace("hands = 32", "hands = 16"))
    few = {pair.key for pair in run_here(folder).pairs}
    assert kept(folder) == named | few
    (folder / "arena.toml").write_text(TOML)
    put(folder, "cat", CALLS)
    seen: set[str] = set()
    board = run_here(folder, lambda board: seen.update(kept(folder)))
    after = {pair.key for pair in board.pairs}
    assert len(after - named) == 3
    assert seen >= named | few, "nothing is removed before the board is out"
    of_cat = {pair.key for pair in first.pairs if 2 in pair.fixture.players}
    assert kept(folder) == scores(folder).keys() == noted(folder)
    assert kept(folder) >= after | (named - of_cat)
    assert not kept(folder) & of_cat
    assert len(kept(folder) & few) == 3, "those of cat under other settings are gone, too"
    assert not [path for path in (folder / ".arena/matches").glob("*") if not [*path.iterdir()]]
    # the old one plays as it did
    put(folder, "cat", FOLDS)
    assert run_here(folder).digest == first.digest


REMOVES = """
import os, shutil, sys
from poker_actors.arena import arena
whole, left = shutil.rmtree, int(sys.argv[2])
def cut(place, **rest):
    global left
    if "matches" in str(place) and os.path.isdir(place):
        if not left:
            os.unlink(os.path.join(place, "log.txt"))
            os.kill(os.getpid(), 9)
        left -= 1
    whole(place, **rest)
arena.shutil.rmtree = cut
{run}"""


@pytest.mark.parametrize(
    ("removed", "back"),
    [
        (0, False),
        (1, True),
        pytest.param(0, True, marks=pytest.mark.heavy),
        pytest.param(1, False, marks=pytest.mark.heavy),
    ],
)
def test_a_kill_while_matches_are_removed_leaves_no_score_without_files(
    played: tuple[Path, Board], tmp_path: Path, removed: int, back: bool
) -> None:
    folder, first = copied(played[0], tmp_path / "a"), played[1]
    put(folder, "cat", CALLS)
    command = [sys.executable, "-c", REMOVES.format(run=RUN), str(folder), str(removed)]
    assert subprocess.run(command, check=False, timeout=120).returncode == -signal.SIGKILL
    assert len(kept(folder)) == 5 - removed
    assert len(scores(folder)) == 3
    if back:
        put(folder, "cat", FOLDS)
    board = run_here(folder)
    assert (board.digest == first.digest) is back
    assert kept(folder) == scores(folder).keys() == noted(folder) == {pair.key for pair in board.pairs}
    for key in kept(folder):
        assert (Arena(folder).files_of(key) / "log.txt").is_file()


def test_two_arenas_on_one_folder_are_refused(tmp_path: Path) -> None:
    folder = made(tmp_path / "a")
    with State(folder / ".arena/arena.db"), pytest.raises(BadSpec, match="is in use by another arena"):
        Arena(folder).run()


def test_a_file_that_is_no_state_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("hello, this is not a database, whatever it is called")
    with pytest.raises(BadSpec, match="is not an arena's state"):
        State(tmp_path / "x.db").__enter__()
    with sqlite3.connect(tmp_path / "y.db") as db:
        db.execute("CREATE TABLE other (x)")
    db.close()
    with pytest.raises(BadSpec, match="is not an arena's state"):
        State(tmp_path / "y.db").__enter__()
    # empty, but marked: by another program, and as ours of a format that never was
    for mark, said in (
        ("user_version=9", "is not an arena's state"),
        ("application_id=1349206386", "has format 0"),
    ):
        db = sqlite3.connect(tmp_path / "z.db")
        db.execute("PRAGMA user_version=0")
        db.execute(f"PRAGMA {mark}")
        db.close()
        with pytest.raises(BadSpec, match=said):
            State(tmp_path / "z.db").__enter__()


def test_a_state_that_cannot_be_opened_is_an_error_of_storage_and_stays_free(tmp_path: Path) -> None:
    (tmp_path / "x.db").mkdir()
    with pytest.raises(StorageFailed, match="unable to open database file"):
        State(tmp_path / "x.db").__enter__()
    (tmp_path / "x.db").rmdir()
    with State(tmp_path / "x.db") as state:
        assert state.scores() == {}


def test_a_state_of_a_later_format_is_refused(tmp_path: Path) -> None:
    with State(tmp_path / "x.db"):
        pass
    db = sqlite3.connect(tmp_path / "x.db")
    db.execute("PRAGMA user_version=9")
    db.close()
    with pytest.raises(BadSpec, match="has format 9: this version reads 1"):
        State(tmp_path / "x.db").__enter__()


def test_an_arena_with_a_seed_can_be_repeated(tmp_path: Path) -> None:
    def digest(name: str, seed: int) -> str:
        folder = laid(tmp_path / name, f"seed = {seed}\n{TOML}", ann=RAISES, bob=CALLS)
        return run_here(folder).matches[0].score.digest

    assert digest("a", 5) == digest("b", 5) != digest("c", 6)
    assert digest("d", 0) != digest("e", 0)


def test_a_score_reads_back_as_it_was() -> None:
    score = Score(
        hands=2,
        means=(0.1, -0.1),
        covariance=((1 / 3, 0.0), (0.0, 2.5)),
        net=(1, -1),
        curve=((1.5,), (-1.5,)),
        positions=({"SB": [1, 1], "BB": [1, 0]}, {}),
        faults=({"illegal": 3, "ejected": 7}, {}),
    )
    read = Score.of(score.to_text())
    assert (read, repr(read)) == (score, repr(score)), (
        "an arena that was killed writes its board by what it kept"
    )
    assert (score.weight, attrs.evolve(score, tournaments=8).weight) == (2, 8)


def test_whoever_does_not_play_costs_nobody_anything_and_is_named(tmp_path: Path) -> None:
    folder = made(
        tmp_path / "a",
        TOML.replace("decision_seconds = 5", "decision_seconds = 0.3\nrestarts = 1"),
        ann=CALLS,
        bob=FOLDS,
        crash=CRASHES,
        sleep=SLEEPS,
    )
    (folder / "empty").mkdir()
    board = run_here(folder)
    refused = {each.name: each.admission.refused for each in board.competitors[board.playing :]}
    assert refused["empty"] == "it has no files"
    assert refused["sleep"].startswith(
        "its check in 16 hands of holdem 1/2 with random: 2 faults (late 2), the first: no answer in time"
    )
    assert [board.competitors[player].name for player in range(board.playing)] == ["ann", "bob", "crash"]
    assert "IndexError" in board.first_fault(2)
    assert board.faults(2)["ejected"] == 2
    assert board.faults(0) == board.faults(1) == {}
    pair = next(pair for pair in board.matches if 2 in pair.fixture.players)
    assert "hand 20: died" in (Arena(folder).files_of(pair.key) / "errors-2.txt").read_text()


def test_who_was_refused_is_checked_and_what_is_void_is_played_again_on_request(tmp_path: Path) -> None:
    folder = made(tmp_path / "a", ann=CALLS, bob=FOLDS, old=SLEEPS)
    (folder / "old/commands.json").write_text('{"build": ["false"], "run": ["./x"], "protocol": "lines"}')
    assert [each.name for each in run_here(folder).competitors[2:]] == ["old"]
    with State(folder / ".arena/arena.db") as state:
        state.keep("void", Score(void="its process ended twice"))
        assert state.forget_failures() == 2
        assert state.forget_failures() == 0
        assert len(state.scores()) == 1


def test_a_copy_of_oneself_comes_out_even(tmp_path: Path) -> None:
    board = run_here(made(tmp_path / "a", f"control = true\n{TOML}", ann=RAISES, bob=FOLDS))
    assert board.controls == (2, 2)
    assert len(board.matches) == 1


def test_a_script_without_a_guard_gets_one_error_that_names_it(tmp_path: Path) -> None:
    folder, script = made(tmp_path / "a"), tmp_path / "script.py"
    script.write_text(
        f"from pathlib import Path\nfrom poker_actors.arena import Arena\nArena(Path({str(folder)!r}), 2).run()\n"
    )
    done = subprocess.run([sys.executable, script], check=False, timeout=120, capture_output=True, text=True)
    *trace, said = done.stderr.splitlines()
    assert said.startswith("poker_actors.errors.RoomError: ")
    assert 'under `if __name__ == "__main__":`' in said
    assert sum(line.startswith("Traceback") for line in trace) <= 2, "of the script, and of what led to it"
    script.write_text(f"if __name__ == '__main__':\n    {'; '.join(script.read_text().splitlines())}\n")
    subprocess.run([sys.executable, script], check=True, timeout=120)


@contextmanager
def started(*options: str) -> Iterator[subprocess.Popen[str]]:
    """Start a program in a session of its own, which is ended whatever becomes of the test.

    One that is left behind runs on, and makes the test fail that happens to collect the garbage.
    """
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, *options], stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def killed_until_done(folder: Path, after: list[int]) -> int:
    """Run an arena and kill it each time once so many files of matches are there; return how often it was killed."""
    kills = 0
    for files in after:
        with started("-c", RUN, str(folder)) as process:
            while process.poll() is None and len(list((folder / ".arena").rglob("matches/*/*/*"))) < files:
                time.sleep(0.001)
            process.kill()
            kills += process.wait() == -signal.SIGKILL
    return kills


def test_a_run_that_is_killed_goes_on_and_ends_with_the_same_board(
    played: tuple[Path, Board], tmp_path: Path
) -> None:
    (whole, board), cut = played, made(tmp_path / "cut")
    assert killed_until_done(cut, [1, 3]) == 2
    again = run_here(cut)
    assert again.digest == board.digest
    for pair in board.matches:
        one, other = (Arena(folder).files_of(pair.key) / "hands.phhs" for folder in (whole, cut))
        assert one.read_bytes() == other.read_bytes()


def test_the_processes_of_a_killed_run_end_with_it(tmp_path: Path) -> None:
    folder = made(tmp_path / "a", ann=SLEEPS, bob=SLEEPS)
    with started("-c", RUN, str(folder)) as process:
        while len(of_session(process.pid)) < 3:  # itself, the one that tracks what it shares, and a worker
            assert process.poll() is None
            time.sleep(0.02)
        process.kill()
        process.wait()
        while of_session(process.pid):
            time.sleep(0.02)


def test_an_entrant_called_like_a_module_is_imported_by_nobody(tmp_path: Path) -> None:
    """Python puts the folder it is started in before all others."""
    folder = made(tmp_path / "a", socket=CALLS, attrs=CALLS)
    for name in ("socket", "attrs"):
        (folder / name / "__init__.py").write_text(f"open({str(tmp_path / 'taken')!r}, 'w')")
    script = tmp_path / "script.py"
    script.write_text("from poker_actors.cli import main\nif __name__ == '__main__':\n    main()")
    command = [sys.executable, str(script), "arena", ".", "--workers", "1"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)
    assert len(scores(folder)) == 1
    assert not (tmp_path / "taken").exists()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_in_the_middle_is_one_line_and_the_next_run_goes_on(
    played: tuple[Path, Board], tmp_path: Path, sent: signal.Signals
) -> None:
    board, cut = played[1], made(tmp_path / "cut")
    with started("-m", "poker_actors", "arena", str(cut), "--workers", "1") as process:
        while process.poll() is None and not [*(cut / ".arena").rglob("matches/*/*/log.txt")]:
            time.sleep(0.001)
        os.killpg(process.pid, sent)  # as a terminal does, to the workers as well
        output, errors = process.communicate(timeout=120)
        assert (process.returncode, output) == (130, "")
        assert errors == "poker-actors: interrupted\n"
        while of_session(process.pid):
            time.sleep(0.02)
    assert len(scores(cut)) < 3
    assert run_here(cut).digest == board.digest


def test_an_arena_in_which_nobody_plays_has_a_board_that_says_so(tmp_path: Path) -> None:
    folder = made(tmp_path / "a", TOML, ann=CALLS)
    (folder / "ann/bot").unlink()
    board = Arena(folder).run()
    assert board_text(board).splitlines()[-1] == "refused: ann: it has no files"
    assert (board.playing, board.judgement, board.order) == (0, None, [])


def of_session(leader: int) -> list[int]:
    """Return a process and those that it started and that stay in its session."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended in the meantime
            state, _, _, session, *_ = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
            found += [int(stat.parent.name)] if int(session) == leader and state != "Z" else []
    return found


def test_the_board_names_no_place_on_the_machine_when_the_system_refuses_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> bytes:
        return Path("/nowhere/of/mine/bot.py").read_bytes()

    monkeypatch.setattr(playing, "built", refuses)
    entrant = Entrant(name="ann", digest="0")
    settings = ArenaSettings.read(laid(tmp_path / "a", TOML, ann=CALLS))
    admission, _ = playing.Admit(entrant=entrant, folder=tmp_path, place=tmp_path, settings=settings)()
    assert (admission.refused, admission.refused_code) == (
        "No such file or directory: bot.py",
        "build_failed",
    )
