"""Build the source archive and the wheel, and try the wheel in empty environments outside the source tree.

`python tests/packaging/wheel.py [EXTRA ...]`: the core and every extra, or those named. Needs `build` (extra
`test`) and an index to install from. Prints one line per check and exits with status 1 at the first that fails.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
CORE: Final = "core"

PROBES: Final = {
    CORE: """
import sys
import poker_actors
loaded = {name.partition(".")[0] for name in sys.modules}
assert not loaded & {"numpy", "numba", "rich", "cyclopts", "starlette", "polars", "textual"}, loaded
from poker_actors import Room, simulate
from poker_actors.actors import StepRuntime
with Room(StepRuntime()) as room:
    table = room.open_table()
    for name in ("ann", "bob"):
        player = room.player(name, "tight", chips=200)
        table.sit(player), table.buy_in(player, 200)
    assert sum(table.deal().result().payoffs) == 0
assert simulate(["tight", "caller"], hands=50, seed=1).hands == 50
from poker_actors.errors import MissingExtra
from poker_actors.cli import main
assert main(["simulate"]) == 3  # without the extra `cli` it says what to install
""",
    "cli": """
import subprocess, sys
from pathlib import Path
command = str(Path(sys.executable).with_name("poker-actors"))
def run(*arguments):
    return subprocess.run([command, *arguments], capture_output=True, text=True)
assert run("--version").stdout.strip()
assert "bb/100" in run("simulate", "--hands", "100", "--seed", "1").stdout
assert run("eval", "--libpoker", "Ah 7c Jd As 7h").stdout == "34363648 TwoPair (A 7 J)\\n"
for name in ("simulate", "debug", "chaos", "tournament", "console", "doctor"):
    assert f"Example: poker-actors {name}" in run(name, "--help").stdout, name
missing = run("simulate", "--hands", "10", "--plot", "x.png")
assert missing.returncode == 3 and "'.[plot]'" in missing.stderr, missing
""",
    "fast": """
from poker_actors.evaluator import evaluate, fast
assert list(fast.strengths(["AsKsQsJsTs9s8s"])) == [evaluate("AsKsQsJsTs9s8s")]
assert fast.engine() == "numba"
""",
    "stats": """
import polars
from poker_actors.cli import main
assert main(["simulate", "--hands", "50", "--seed", "1", "--parquet", "hands.parquet"]) == 0
assert polars.read_parquet("hands.parquet").height > 0
""",
    "plot": """
from pathlib import Path
from poker_actors.cli import main
assert main(["simulate", "--hands", "50", "--seed", "1", "--plot", "won.png", "--report", "won.html"]) == 0
assert Path("won.png").read_bytes().startswith(b"\\x89PNG")
""",
    "tui": "import poker_actors.console.tui, poker_actors.debug.tui",
    "server": """
from importlib.resources import files
from poker_actors.server.http import HspeServer
page = files("poker_actors.server.page") / "static" / "index.html"
assert "<html" in page.read_text(encoding="utf-8")
""",
    "mcp": "from poker_actors.wire.mcp import AgentDoor; from poker_actors.server.http import HspeServer",
    "archives": "import zstandard; from poker_actors.history import entries",
    "packets": "import dpkt; from poker_actors.wire.opp import read_capture",
    "postgres": "import psycopg; from poker_actors.store import open_journal",
    "models": """
import openai
from poker_actors.bots import BotSpec
bot = BotSpec.parse("model:http://127.0.0.1:1/v1#any").make()
bot.open(), bot.close()
""",
    "rl": """
import poker_actors.learn as rl
environment = rl.env()
environment.reset(seed=1)
assert environment.agents
""",
    "ray": "import ray; from poker_actors import simulate",
    "all": "import numba, zstandard, polars, matplotlib, textual, starlette, mcp, dpkt, openai, psycopg, pettingzoo; import poker_actors",
}
"""What must work with the core or with one extra alone, run in an empty folder."""

WITH: Final = {"stats": "cli,stats", "plot": "cli,plot"}
"""Extras whose probe uses the command line, which is therefore installed with them."""

DATA: Final = (
    "poker_actors/py.typed",
    "poker_actors/bots/program/schema.json",
    "poker_actors/browser/static/js/felt.js",
    "poker_actors/server/page/static/index.html",
)
"""Data files that the wheel must contain."""


def main(wanted: list[str]) -> int:
    """Build, check the archives and try each environment; return the exit status."""
    unknown = set(wanted) - set(PROBES)
    if unknown:
        print(f"no such extra: {', '.join(sorted(unknown))}; there are {', '.join(PROBES)}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        wheel, archive = built(work)
        look_into(wheel, archive)
        for extra in wanted or PROBES:
            tried(wheel, extra, work / extra)
            print(f"ok: {extra} installs and works alone", flush=True)
    return 0


def built(work: Path) -> tuple[Path, Path]:
    """Build from the files that git tracks, and return the wheel and the source archive."""
    tree, dist = work / "tree", work / "dist"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).exists():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(dist), str(tree)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return next(dist.glob("*.whl")), next(dist.glob("*.tar.gz"))


def look_into(wheel: Path, archive: Path) -> None:
    """Check that the wheel has the whole package and nothing else, and the archive tests and docs as well."""
    with zipfile.ZipFile(wheel) as opened:
        inside = set(opened.namelist())
        metadata = next(name for name in inside if name.endswith("/METADATA"))
        text = opened.read(metadata).decode()
    listed = subprocess.run(
        ["git", "ls-files", "poker_actors"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    missing = [
        name for name in (*listed.stdout.split(), *DATA) if name not in inside and (ROOT / name).exists()
    ]
    stray = [name for name in inside if not name.startswith("poker_actors") or name.endswith(".pyc")]
    assert not missing, f"the wheel lacks {missing}"
    assert not stray, f"the wheel has {stray}"
    core = [line for line in text.splitlines() if line.startswith("Requires-Dist") and "extra ==" not in line]
    names = sorted(line.split()[1].split("<")[0].split(">")[0] for line in core)
    assert names == ["attrs", "pykka"], names
    print(f"ok: {wheel.name} holds {len(inside)} files", flush=True)
    with tarfile.open(archive) as packed:
        tops = {Path(name).parts[1] for name in packed.getnames() if len(Path(name).parts) > 1}
    assert {"poker_actors", "tests", "docs", "examples", "pyproject.toml"} <= tops, tops
    print(f"ok: {archive.name} holds the tests and the pages", flush=True)


def tried(wheel: Path, extra: str, place: Path) -> None:
    """Install the wheel with one extra in an environment of its own and run the extra's probe there."""
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    python = str(place / "bin" / "python")
    target = str(wheel) if extra == CORE else f"{wheel}[{WITH.get(extra, extra)}]"
    subprocess.run([python, "-m", "pip", "install", "-q", target], check=True)
    empty = place / "empty"
    empty.mkdir()
    subprocess.run([python, "-I", "-W", "error", "-c", PROBES[extra]], cwd=empty, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
