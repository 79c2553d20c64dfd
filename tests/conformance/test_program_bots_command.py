"""`poker-actors simulate` with programs as bots: what it prints, how it fails, what it leaves behind."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.bots.test_bots_program import program
from tests.warm import WORDS, CommandLine, command_line

ROOT = Path(__file__).parents[2]
BOT = f"cmd:seconds=30:{sys.executable} -S examples/bots/line_bot.py"


def simulate(*arguments: str) -> subprocess.CompletedProcess[str]:
    return command_line("simulate", *arguments, cwd=ROOT)


# docs/bots.md runs two thousand hands of a program by default
@pytest.mark.parametrize("hands", [400, pytest.param(2000, marks=pytest.mark.heavy)])
def test_hands_of_a_program_have_one_digest_whoever_plays_them(hands: int) -> None:
    digests = set()
    for more in ((), (), ("--workers", "2"), ("--driver", "stepper")):
        done = simulate(
            "--bot", BOT, "--bot", "tight", "--hands", str(hands), "--seed", "4", "--json", "-", *more
        )
        assert (done.returncode, done.stderr) == (0, "")
        result = json.loads(done.stdout)
        digests.add(result["digest"])
        assert result["time_outs"] == 0
        assert result["players"][0]["faults"]["used"]["calls"] > hands / 2
    assert len(digests) == 1


@pytest.mark.skipif(shutil.which("python") is None, reason="there is no python on the PATH")
def test_a_program_is_looked_for_where_a_shell_would() -> None:
    done = simulate(
        "--bot", "cmd:seconds=30:python examples/bots/line_bot.py", "--bot", "tight", "--hands", "20"
    )
    assert done.returncode == 0, done.stderr
    assert "asked " in done.stdout


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("cmd:no-such-program", "no-such-program is not on the PATH"),
        ("cmd:", "does not name a command"),
        (f"cmd:{sys.executable} -S nowhere.py", "does not start: ended with exit status 2"),
        ("cmd:echo hi", "does not start: says 'hi' instead of hello"),
        ("cmd:seconds=-1:sh", "seconds=-1 is not within"),
        ("tihgt", "did you mean tight?"),
    ],
)
def test_a_program_that_cannot_start_is_one_line_and_exit_status_2(bot: str, words: str) -> None:
    workers = "2" if "nowhere" in bot else "1"
    done = simulate("--bot", bot, "--bot", "tight", "--hands", "50", "--seed", "1", "--workers", workers)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_fault_is_a_line_below_the_table(tmp_path: Path) -> None:
    bot = program(tmp_path, "raise SystemExit('I give up')", seconds=30)
    done = simulate("--bot", bot, "--bot", "tight", "--hands", "60", "--seed", "1")
    assert done.returncode == 1, done.stderr  # a bot was ejected
    shown = " ".join(done.stdout.split())
    assert "5 faults, the first: ended with exit status 1: I give up; died 5; ejected in hand" in shown


@pytest.mark.skipif(sys.platform != "linux", reason="watches a process that is not its own")
@pytest.mark.parametrize(
    ("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -9)]
)
def test_however_a_simulation_ends_its_programs_end_with_it(
    tmp_path: Path, sent: signal.Signals, status: int
) -> None:
    pipe = tmp_path / "pid"
    os.mkfifo(pipe)
    bot = program(tmp_path, f"open({str(pipe)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)", seconds=600)
    arguments = ["--bot", bot, "--bot", "tight", "--hands", "60", "--seed", "1"]
    with CommandLine("simulate", *arguments, cwd=ROOT, stdout=-3, stderr=-3) as running:
        end = os.pidfd_open(int(pipe.read_text()))
        running.send_signal(sent)
        assert running.wait(timeout=30) == status
    try:
        assert select.select([end], [], [], 10)[0], "the program is still there"
    finally:
        os.close(end)


@pytest.mark.parametrize("more", [(), ("--workers", "2")])
@pytest.mark.parametrize("to_all", [False, True])
def test_a_simulation_told_to_end_shows_what_was_played(
    tmp_path: Path, more: tuple[str, ...], to_all: bool
) -> None:
    told, pipe = tmp_path / "told.py", tmp_path / "pipe"
    os.mkfifo(pipe)
    told.write_text(
        f"""
from poker_actors import Check, Fold

def told(view):
    if view.hand_number == 20_000:  # some pieces are over
        open({str(pipe)!r}, "w").close()
    return Fold() if view.to_call else Check()
""",
        encoding="utf-8",
    )
    arguments = ["--bot", f"{told}:told", "--bot", "caller", "--hands", "2000000", "--seed", "1", *more]
    command = [*WORDS, "simulate", *arguments]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=-1, stderr=-1, text=True, start_new_session=True
    ) as running:
        pipe.read_text(encoding="utf-8")
        # as docker stop does, and as Slurm does, which tells every process
        (os.killpg if to_all else os.kill)(running.pid, signal.SIGTERM)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert " of 2,000,000 hands of holdem" in out
    # where nobody has compiled it yet, that is said first
    said = [line for line in err.splitlines() if not line.startswith("compiling poker_actors ")]
    assert said == ["poker-actors: interrupted"]


@pytest.mark.skipif(sys.platform != "linux", reason="reads another process's arguments")
def test_a_program_finds_no_seed_among_the_arguments_of_who_started_it(tmp_path: Path) -> None:
    bot = tmp_path / "reads.py"
    bot.write_text(
        "import os, sys\n"
        "sys.stdin.readline()\n"
        "shown = open(f'/proc/{os.getppid()}/cmdline').read().split('\\0')\n"
        "sys.exit(f'found {shown[:6]}')\n",
        encoding="utf-8",
    )
    given = ["--bot", f"cmd:{sys.executable} -S {bot}", "--bot", "caller", "--seed", "31337", "--hands", "2"]
    # of its own: in a fork, they are those of whoever forked
    done = subprocess.run(
        [*WORDS, "simulate", *given], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 2
    assert "does not start" in done.stderr
    assert "'simulate'" in done.stderr
    assert "31337" not in done.stderr.partition("found")[2]
