"""The build hook: with POKER_ACTORS_COMPILE=1 in the environment, mypyc compiles what is hot."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FLAG: Final = "POKER_ACTORS_COMPILE"
PACKAGE: Final = "poker_actors"
COMPILED: Final = (
    "bots/house/judging.py",
    "cards/deck.py",
    "evaluator/showdown.py",
    "rules/betting.py",
    "rules/hand.py",
    "rules/legal.py",
    "rules/openface.py",
    "rules/opening.py",
    "rules/public.py",
    "rules/payout.py",
    "rules/settlement.py",
    "rules/streets.py",
    "rules/view.py",
    "sim/drivers/direct.py",
    "sim/record.py",
    "sim/statistics/lines.py",
    "sim/statistics/seating.py",
    "sim/statistics/tally.py",
)
"""A hand, from the deck to the statistics. Bots stay Python: their signatures are read at run time."""

SETUP: Final = """
from mypyc.build import mypycify
from setuptools import setup

setup(name={name!r}, packages=[], ext_modules=mypycify({arguments!r}, group_name={name!r}, opt_level="3"))
"""


class CompiledBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles in a copy of the sources, so that no compiled module ever hides a file of a checkout."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Give what compiling needs, the project's own dependencies for their types included."""
        return ["mypy>=2.4,<3", "setuptools>=75", *self.metadata.core.dependencies] if wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled modules to the wheel, beside their sources."""
        if not wanted():
            return
        if version == "editable":
            raise RuntimeError(f"{FLAG} is set: an editable install stays Python, so install without -e")
        self._copy = TemporaryDirectory(prefix=PACKAGE, ignore_cleanup_errors=True)
        copy = Path(self._copy.name)
        for module in compile_in(copy, Path(self.root) / PACKAGE):
            build_data["force_include"][str(module)] = str(module.relative_to(copy))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def wanted() -> bool:
    """Tell whether the compiled build is asked for."""
    return os.environ.get(FLAG, "") not in ("", "0")


def compile_in(copy: Path, package: Path) -> list[Path]:
    """Copy the package to the folder `copy`, compile there, and give the files that came of it."""
    shutil.copytree(package, copy / PACKAGE, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    # what is not compiled is not checked here, and extras may be missing
    checks = ["--config-file=", "--follow-imports=silent", "--ignore-missing-imports"]
    arguments = [*checks, *(f"{PACKAGE}/{name}" for name in COMPILED)]
    (copy / "setup.py").write_text(SETUP.format(name=PACKAGE, arguments=arguments), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=copy,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"mypyc and the C compiler ended with {done.returncode}:\n{done.stdout[-4000:]}")
    shutil.rmtree(copy / "build")
    return sorted([*copy.rglob("*.so"), *copy.rglob("*.pyd")])
