"""Run a function as a command of the real program."""

import sys
from collections.abc import Callable
from types import ModuleType

import pytest

from poker_actors.cli import frame, main
from poker_actors.cli.commands import Command

Probe = Callable[..., int]


@pytest.fixture
def probe(monkeypatch: pytest.MonkeyPatch) -> Probe:
    """`probe(function, *arguments)` runs the function as the command `probe` and returns its status."""

    def run(function: Callable[..., object], *arguments: str) -> int:
        module = ModuleType("poker_actors.cli.probe")
        vars(module)["probe"] = function
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setattr(frame, "COMMANDS", (Command("probe", "Try.", "poker-actors probe"),))
        return main(["probe", *arguments])

    return run
