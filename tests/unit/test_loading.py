"""A user's file is run as a program would be, and nothing that it does ends ours without a word."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from poker_actors.bots import BotSpec
from poker_actors.cards import Deck
from poker_actors.cli import main
from poker_actors.errors import BadSpec, UnknownBot
from poker_actors.rules import Call, Fold, Hand, Stakes, View
from poker_actors.rules.games import game_named

BOT = "import answers\ndef mine(view):\n    return answers.ANSWER\n"
ANSWERS = "from poker_actors.rules import {0}\nANSWER = {0}()\n"
ODDITIES = {
    "import sys; sys.exit(0)": r"it calls sys.exit\(0\)",
    "raise SystemExit": r"it calls sys.exit\(None\)",
    "class Odd(BaseException): ...\nraise Odd('no')": "Odd: no",
    "raise GeneratorExit": "GeneratorExit",
    "1 / 0": "ZeroDivisionError: division by zero",
    "import nothing_of_this_name": "ModuleNotFoundError: No module named 'nothing_of_this_name'",
    "def (": "SyntaxError",
}


def view() -> View:
    hand = Hand((100, 100), Stakes(1, 2), deck=Deck.seeded(1))
    return View(hand.public(), hand.to_act[0], hand.holes[hand.to_act[0]])


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("code", ODDITIES)
def test_a_file_that_ends_the_program_is_refused_by_name(code: str, tmp_path: Path) -> None:
    path = write(tmp_path / "mine.py", code)
    for _ in range(2):
        with pytest.raises(BadSpec, match=f"mine.py cannot be loaded: {ODDITIES[code]}"):
            BotSpec.parse(f"{path}:mine")
        with pytest.raises(BadSpec, match=f"mine.py cannot be loaded: {ODDITIES[code]}"):
            game_named(f"{path}:MINE")


@pytest.mark.parametrize("code", [code for code in ODDITIES if "(" not in code or "exit" in code])
def test_a_module_that_ends_the_program_is_refused_by_name(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    write(tmp_path / "odd_module.py", code)
    with pytest.raises(
        (BadSpec, UnknownBot),
        match=f"(odd_module cannot be loaded|there is no such module): .*{ODDITIES[code].removeprefix('ModuleNotFoundError: ')}",
    ):
        BotSpec.parse("odd_module:mine")


def test_ctrl_c_while_a_file_is_loaded_still_interrupts(tmp_path: Path) -> None:
    path = write(tmp_path / "mine.py", "raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        BotSpec.parse(f"{path}:mine")


@pytest.mark.parametrize(
    "words",
    [
        "simulate --hands 3 --bot {0}:mine --bot tight",
        "simulate --hands 3 --game {0}:MINE",
        "debug --plain --seed 1 --scene {0}:mine",
        "debug --plain --seed 1 --program {0}:mine",
        "play --bot {0}:mine",
        "tournament --bot {0}:mine",
    ],
)
def test_every_command_says_so_in_one_line(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "mine.py", "import sys; sys.exit(0)")
    assert main(words.format(path).split()) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == f"poker-actors: {str(path)[:100]} cannot be loaded: it calls sys.exit(0)\n"


@pytest.mark.parametrize("code", ["import sys; sys.exit(0)", "raise BaseException('no')", "1 / 0"])
def test_a_class_that_cannot_be_instantiated_is_refused_by_name(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(
        tmp_path / "mine.py",
        f"class Mine:\n  def __init__(self):\n    {code}\n  def __call__(self, view): ...",
    )
    assert main(["simulate", "--hands", "3", "--bot", f"{path}:Mine", "--bot", "tight"]) == 2
    assert "Mine cannot be loaded: " in capsys.readouterr().err


@pytest.mark.parametrize("driver", ["direct", "stepper"])
def test_a_bot_that_raises_anything_loses_its_own_hand(driver: str, tmp_path: Path) -> None:
    path = write(tmp_path / "mine.py", "class Odd(BaseException): ...\ndef mine(view): raise Odd")
    simulate = ["simulate", "--hands", "3", "--seed", "1", "--driver", driver]
    assert main([*simulate, "--bot", f"{path}:mine", "--bot", "tight"]) == 0


# -- files beside it --------------------------------------------------------------------------------------


def test_a_file_imports_the_file_beside_it(tmp_path: Path) -> None:
    write(tmp_path / "answers.py", ANSWERS.format("Fold"))
    assert BotSpec.parse(str(write(tmp_path / "mine.py", BOT)) + ":mine").make()(view()) == Fold()


def test_files_of_one_name_beside_two_bots_are_two_files(tmp_path: Path) -> None:
    specs = []
    for folder, answer in (("one", "Fold"), ("two", "Call")):
        write(tmp_path / folder / "answers.py", ANSWERS.format(answer))
        specs.append(BotSpec.parse(str(write(tmp_path / folder / "mine.py", BOT)) + ":mine"))
    assert [spec.make()(view()) for spec in specs] == [Fold(), Call()]


def test_a_package_beside_it_may_import_its_own_parts(tmp_path: Path) -> None:
    write(tmp_path / "brain" / "__init__.py", "from brain.part import ANSWER\nfrom .other import SAME\n")
    write(tmp_path / "brain" / "part.py", ANSWERS.format("Fold"))
    write(tmp_path / "brain" / "other.py", "SAME = 1\n")
    path = write(tmp_path / "mine.py", "import brain\ndef mine(view):\n    return brain.ANSWER\n")
    assert BotSpec.parse(f"{path}:mine").make()(view()) == Fold()


def test_a_file_beside_it_does_not_stand_in_for_the_standard_library_or_this_package(tmp_path: Path) -> None:
    write(tmp_path / "random.py", "raise AssertionError")
    write(tmp_path / "poker_actors.py", "raise AssertionError")
    code = "import random\nfrom poker_actors.rules import Fold\ndef mine(view):\n    return Fold()\n"
    script = f"from poker_actors.bots import BotSpec; BotSpec.parse({str(write(tmp_path / 'mine.py', code))!r} + ':mine')"
    # a new process, as here `random` has been imported
    subprocess.run([sys.executable, "-c", script], check=True)


def test_an_import_inside_a_function_finds_the_file_too(tmp_path: Path) -> None:
    write(tmp_path / "late_answers.py", ANSWERS.format("Fold"))
    path = write(
        tmp_path / "mine.py", "def mine(view):\n    import late_answers\n    return late_answers.ANSWER\n"
    )
    assert BotSpec.parse(f"{path}:mine").make()(view()) == Fold()


def test_a_worker_imports_the_file_beside_it(tmp_path: Path) -> None:
    write(tmp_path / "answers.py", ANSWERS.format("Fold"))
    path = write(tmp_path / "mine.py", BOT)
    script = "import sys; from poker_actors.cli import main; sys.exit(main(sys.argv[1:]))"
    words = [
        "simulate",
        "--hands",
        "600",
        "--seed",
        "1",
        "--bot",
        f"{path}:mine",
        "--bot",
        "tight",
        "--workers",
        "2",
    ]
    run = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "went wrong" not in run.stderr


def restored(spec: BotSpec) -> subprocess.CompletedProcess[bytes]:
    """Make the bot in a new process, as a worker does."""
    script = "import pickle, sys; pickle.load(sys.stdin.buffer).make()"
    return subprocess.run(
        [sys.executable, "-c", script], input=pickle.dumps(spec), capture_output=True, check=False
    )


def test_a_class_of_the_file_beside_it_is_made_by_a_worker(tmp_path: Path) -> None:
    write(tmp_path / "answering.py", "class Answering:\n    def __call__(self, view): ...\n")
    spec = BotSpec.parse(str(write(tmp_path / "mine.py", "from answering import Answering\n")) + ":Answering")
    assert restored(spec).stderr == b""


def test_a_worker_refuses_a_file_beside_it_that_has_changed(tmp_path: Path) -> None:
    write(tmp_path / "answers.py", ANSWERS.format("Fold"))
    path = write(tmp_path / "mine.py", BOT)
    spec = BotSpec.parse(f"{path}:mine")
    write(tmp_path / "answers.py", ANSWERS.format("Call"))
    error = restored(spec).stderr.decode()
    assert f"BadSpec: {path} imports answers from its folder, which is missing or has changed" in error


def test_a_run_with_another_file_beside_the_bot_is_a_run_of_other_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "mine.py", BOT)
    run = [
        "simulate",
        "--hands",
        "400",
        "--seed",
        "1",
        "--bot",
        f"{path}:mine",
        "--bot",
        "tight",
        "--until-decided",
    ]
    run += ["--data", str(tmp_path / "run.json")]
    write(tmp_path / "answers.py", ANSWERS.format("Fold"))
    assert main(run) == 0
    write(tmp_path / "answers.py", ANSWERS.format("Call"))
    assert main([*run, "--resume"]) == 2
    assert "holds a run of the same bots with different code" in capsys.readouterr().err


def test_a_file_that_has_changed_is_run_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    answers = []
    for answer in ("Fold", "Call"):
        write(path, f"from poker_actors.rules import {answer}\ndef mine(view):\n    return {answer}()\n")
        answers.append(BotSpec.parse(f"{path}:mine").make()(view()))
    assert answers == [Fold(), Call()]
    write(path, "1 / 0")
    with pytest.raises(BadSpec, match="ZeroDivisionError"):
        BotSpec.parse(f"{path}:mine")
