"""Completion, tried in a shell."""

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from poker_actors.cli import main

SCRIPT = str(Path(sys.executable).with_name("poker-actors"))


@cache
def script_of_bash() -> str:
    done = subprocess.run([SCRIPT, "completion", "bash"], capture_output=True, text=True, check=True)
    return done.stdout


def completed(*words: str) -> set[str]:
    """What bash offers for the last of these words."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    quoted = " ".join(f"'{word}'" for word in ("poker-actors", *words))
    lines = (
        script_of_bash(),
        f"COMP_WORDS=({quoted}) COMP_CWORD={len(words)} COMPREPLY=()",
        "_poker_actors",
        'printf "%s\\n" "${COMPREPLY[@]}"',
    )
    done = subprocess.run([bash, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_bash_completes_commands() -> None:
    assert completed("sim") == {"simulate"}
    assert {"simulate", "debug", "serve", "doctor"} <= completed("")


def test_bash_completes_the_options_of_a_command() -> None:
    assert "--hands" in completed("simulate", "--h")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_their_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    shown = capsys.readouterr()
    assert "poker-actors" in shown.out
    assert shown.err == ""


def test_a_shell_that_is_not_known_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith('poker-actors: invalid value "tcsh" for SHELL.')
