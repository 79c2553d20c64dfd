"""Where the seed of a command comes from: typed, in a file, or drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from poker_actors.cli import acpc, main, play
from poker_actors.cli.debug import Opened

COMMANDS = ["simulate", "rank", "tournament", "play", "debug", "acpc dealer"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "seed"
    path.write_text("4711\n")
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_a_seed_in_two_places_and_a_file_without_one_are_refused(
    command: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command.split(), "--seed", "1", "--seed-file", str(file)]) == 2
    assert "--seed and --seed-file both give the seed: choose one" in capsys.readouterr().err
    file.write_text("seven\n")
    assert main([*command.split(), "--seed-file", str(file)]) == 2
    assert "holds no seed: 'seven' is not a whole number" in capsys.readouterr().err


def test_play_debug_and_the_dealer_take_the_seed_of_a_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def ends(kept: Any, *_: object, **__: object) -> None:
        seen.append(kept.setup.seed if hasattr(kept, "setup") else kept.seed)
        raise KeyboardInterrupt

    monkeypatch.setattr(play, "play_session", ends)
    monkeypatch.setattr(acpc, "_played", ends)
    assert main(["play", "--seed-file", str(file)]) == 130
    assert main(["acpc", "dealer", "--seed-file", str(file)]) == 130
    assert seen == [4711, 4711]
    assert Opened(seed_file=file).script().seed == 4711
