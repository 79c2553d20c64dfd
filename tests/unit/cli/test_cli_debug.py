"""`poker-actors debug`: the commands from a pipe, the files, and every refusal in one line."""

import io
from pathlib import Path

import pytest

from poker_actors.cli import main
from poker_actors.cli.debug import folded
from poker_actors.cli.output import draws
from poker_actors.debug import Script, Trace, record_threads

GOLDEN = Path(__file__).parents[2] / "traces" / "debug"
RACE = f"{Path(__file__).parents[3] / 'examples' / 'planted_race.py'}:race"
BOTS = ["--bot", "caller", "--bot", "caller", "--bot", "caller"]

Capture = pytest.CaptureFixture[str]


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


@pytest.mark.parametrize("golden", sorted(GOLDEN.glob("*.session")), ids=lambda path: path.stem)
def test_a_session_from_a_pipe_reads_as_it_always_did(
    golden: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    arguments, _, screen = golden.read_text(encoding="utf-8").partition("\n")
    lines = [line.removeprefix("(debug) ") for line in screen.splitlines() if line.startswith("(debug) ")]
    typed(monkeypatch, *lines)
    assert main(["debug", *arguments.split()]) == 0
    shown = capsys.readouterr()
    assert shown.out == screen
    assert shown.err == ""


def test_there_are_golden_sessions() -> None:
    assert len(list(GOLDEN.glob("*.session"))) >= 3


def test_the_files_of_a_hand_are_written_and_the_trace_comes_again(tmp_path: Path, capsys: Capture) -> None:
    names = {"--export": "hand.html", "--mermaid": "hand.mmd", "--svg": "hand.svg", "--trace": "hand.jsonl"}
    options = [word for option, name in names.items() for word in (option, str(tmp_path / name))]
    assert main(["debug", "--seed", "7", *BOTS, *options]) == 0
    assert all((tmp_path / name).stat().st_size > 1000 for name in names.values())
    capsys.readouterr()
    assert main(["debug", "--trace", str(tmp_path / "hand.jsonl"), "--verify"]) == 0
    steps = len(Trace.read(tmp_path / "hand.jsonl").steps)
    assert capsys.readouterr().out == f"the same: {steps} messages, made by stepper\n"


def test_a_trace_opens_where_one_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    place = tmp_path / "threads.jsonl"
    record_threads(Script.of(["caller", "caller"], seed=3)).write(place)
    assert main(["debug", "--trace", str(place), "--verify"]) == 0
    typed(monkeypatch, "p step")
    assert main(["debug", "--trace", str(place), "--goto", "9"]) == 0
    assert "step = 9" in capsys.readouterr().out


def test_a_trace_that_differs_has_exit_status_1(tmp_path: Path, capsys: Capture) -> None:
    trace = Trace.of(Script.of(["caller", "caller"], seed=3))
    place = tmp_path / "hand.jsonl"
    Trace(Script.of(["caller", "caller"], seed=4), trace.steps).write(place)
    assert main(["debug", "--trace", str(place), "--verify"]) == 1
    assert capsys.readouterr().out.startswith("differs: step 0: ")


def test_explore_says_no_violation_for_our_actors(capsys: Capture) -> None:
    assert main(["debug", "--explore", "20", "--seed", "7"]) == 0
    assert capsys.readouterr().out.startswith("20 orders of delivery, ")


def test_explore_finds_the_planted_race_and_leaves_its_trace(tmp_path: Path, capsys: Capture) -> None:
    place = tmp_path / "race.jsonl"
    arguments = ["debug", "--explore", "500", "--seed", "7", "--scene", RACE]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        assert main(arguments) == 1
    shown = capsys.readouterr()
    assert "minted" in shown.out
    assert "poker-actors debug --trace violation.jsonl --goto " in shown.err
    place = tmp_path / "violation.jsonl"
    assert main(["debug", "--trace", str(place), "--verify"]) == 0


def test_a_recorded_hand_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    place = tmp_path / "hand.phh"
    place.write_text(
        'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\n'
        'starting_stacks = [100, 100]\nplayers = ["Ann", "Bob"]\n'
        'actions = ["d dh p1 AsAd", "d dh p2 KsKd", "p2 f"]\n',
        encoding="utf-8",
    )
    typed(monkeypatch, "c")
    assert main(["debug", "--phh", str(place)]) == 0
    assert "Ann +1, Bob -1" in capsys.readouterr().out
    assert main(["debug", "--phh", str(place), "--hand", "1"]) == 2
    assert "it has 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--seed", "x"],
        ["--seed", "7", "--hand", "-1"],
        ["--seed", "7", "--goto", "-1"],
        ["--seed", "7", "--view", "everything"],
        ["--seed", "7", "--view", "9"],
        ["--seed", "7", "--explore", "0"],
        ["--seed", "7", "--every"],
        ["--verify"],
        ["--trace", "no-such-file.jsonl"],
        ["--phh", "no-such-file.phh"],
        ["--seed", "7", "--bot", "nobody", "--bot", "caller"],
        ["--seed", "7", "--view", "1", "--trace", "x.jsonl"],
        ["--seed", "7", "--scene", "no_such_module:scene"],
        ["--seed", "7", "--scene", f"{__name__}:typed"],
        ["--stacks", "1,1"],
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    typed(monkeypatch)
    assert main(["debug", *arguments]) == 2
    shown = capsys.readouterr()
    assert len(shown.err.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--scene nobody", "scene 'nobody' names no function: write FILE.py:FUNCTION or MODULE:FUNCTION"),
        ("--scene tight", "scene 'tight' names no function"),
        ("--scene none.py:x", "file none.py does not exist"),
        ("--scene nomod:x", "no scene is called 'nomod' and there is no such module"),
        ("--scene json:nosuch", "json has no function 'nosuch'"),
        ("--program nobody", "program 'nobody' names no function"),
        ("--program tight:vpip=1", "no program is called 'tight' and there is no such module"),
        ("--promise none:x", "no promise is called 'none' and there is no such module"),
    ],
)
def test_a_function_that_is_not_there_is_not_called_a_bot(words: str, said: str, capsys: Capture) -> None:
    assert main(["debug", *words.split()]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_without_a_seed_one_is_drawn_and_said(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    typed(monkeypatch, "q")
    assert main(["debug"]) == 0
    shown = capsys.readouterr()
    seed = shown.err.removeprefix("seed ").strip()
    assert f"of seed {seed}:" in shown.out


PROGRAM = """
from poker_actors import Deck
from poker_actors.actors import Room, StepRuntime

def play(watch):
    runtime = StepRuntime()
    watch(runtime)
    with Room(runtime, seed=7) as room:
        table = room.open_table("green", seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=100)
            table.sit(player)
            table.buy_in(player, 50)
        table.deal(Deck.seeded(7)).result()
"""


def test_a_program_of_ones_own_is_stepped_through_and_its_trace_comes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    source = tmp_path / "mine.py"
    source.write_text(PROGRAM, encoding="utf-8")
    typed(monkeypatch, "b message Act", "c", "actors", "back 2", "fork fold", "q")
    assert main(["debug", "--program", f"{source}:play"]) == 0
    shown = capsys.readouterr().out
    assert "breakpoint" in shown
    assert "player ann" in shown
    assert "plays by itself: change it, and open it again" in shown
    left = str(tmp_path / "left.jsonl")
    assert main(["debug", "--program", f"{source}:play", "--trace", left]) == 0
    assert main(["debug", "--trace", left, "--verify"]) == 0
    capsys.readouterr()
    assert main(["debug", "--program", f"{source}:play", "--explore", "5"]) == 2
    assert "a --program plays by itself" in capsys.readouterr().err


def test_a_terminal_that_has_no_lines_to_draw_with_gets_lines_of_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for encoding, drawn in (("utf-8", True), ("latin-1", False), ("ascii", False), ("cp437", False)):
        monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
        assert draws() is drawn


def test_lines_are_folded_between_words() -> None:
    long = "   12  main/hand-000000000 -> player caller: HandState #2 preflop, pot 8, 2h 3d and so on and on and on"
    lines = folded(long, 60)
    assert [len(line) <= 60 for line in lines] == [True] * len(lines)
    assert " ".join(" ".join(lines).split()) == " ".join(long.split())
    assert all(line.startswith("       ") for line in lines[1:])
    assert folded("x" * 100, 60) == ["x" * 60, "  " + "x" * 40]


def test_no_line_is_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    typed(monkeypatch, "n 40", "l", "h", "p nothing", "why pot", "q")
    assert main(["debug", "--seed", "7", "--plain"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_promises_are_named_at_the_command_line(tmp_path: Path, capsys: Capture) -> None:
    assert main(["debug", "--promise", "list"]) == 0
    listed = capsys.readouterr().out
    for name in ("payouts", "ends", "hidden", "pots"):
        assert f"\n{name} " in listed
    assert main(["debug", "--explore", "5", "--seed", "7", *BOTS, "--promise", "nothing"]) == 2
    assert "--promise: no promise is called 'nothing' (choose from crash, " in capsys.readouterr().err
    assert main(["debug", "--promise", "payouts"]) == 2
    assert main(["debug", "--promise", "no_such.py:promise"]) == 2
    own = f"{Path(RACE).parent / 'broken' / 'promises.py'}:small_pots"
    assert main(["debug", "--attach", "127.0.0.1:1", "--promise", own]) == 2
    assert "--promise needs a hand" in capsys.readouterr().err
    bots = ["--bot", "maniac", "--bot", "tight", "--seed", "3", "--hand", "2", "--promise", own]
    assert main(["debug", "--explore", "3", *bots, "--trace", str(tmp_path / "own.jsonl")]) == 1
    said = capsys.readouterr()
    assert "small_pots does not hold" in said.out
    assert said.err.rstrip().endswith(f"--promise {own}")
    capsys.readouterr()
    place = str(tmp_path / "race.jsonl")
    words = ["debug", "--explore", "500", "--seed", "7", "--scene", RACE, "--trace", place]
    assert main([*words, "--promise", "books"]) == 1
    shown = capsys.readouterr().out
    assert "states seen" in shown
    assert "the orders part at message" in shown
    assert shown.count("  good ") == shown.count("  bad ") > 0
