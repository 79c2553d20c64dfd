"""`poker-actors doctor` tells the truth about what is installed."""

import json
from importlib import metadata

import pytest

from poker_actors.actors import commands
from poker_actors.cli import main
from poker_actors.cli.extras import Package, Part

Capture = pytest.CaptureFixture[str]


def test_doctor_lists_the_core_and_every_extra_of_the_metadata(capsys: Capture) -> None:
    assert main(["doctor", "--json", "-"]) == 0
    parts = {part["extra"]: part for part in json.loads(capsys.readouterr().out)["parts"]}
    extras = set(metadata.metadata("poker-actors").get_all("Provides-Extra") or ())
    assert set(parts) == extras - {"all", "bench", "docs", "test"} | {"core"}
    assert parts["core"]["complete"]
    assert parts["cli"]["complete"]
    assert {package["name"] for package in parts["core"]["packages"]} == {"attrs", "pykka"}


def test_doctor_shows_a_table(capsys: Capture) -> None:
    assert main(["doctor", "cli"]) == 0
    out = capsys.readouterr().out
    assert "cyclopts" in out
    assert "ok" in out


def test_doctor_names_every_command_of_a_room(capsys: Capture) -> None:
    calls = [spec.call for spec in commands() if spec.call]
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    named = {
        f"{face.strip()}.{name.strip()}"
        for face, _, names in (line.partition(":") for line in out.splitlines() if line.startswith("  "))
        for name in names.split(",")
    }
    assert named >= set(calls)
    assert main(["doctor", "--json", "-"]) == 0
    assert [one["call"] for one in json.loads(capsys.readouterr().out)["commands"]] == calls


def test_doctor_answers_no_for_an_extra_that_is_missing(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    requirements = ["pykka<5,>=4", "nothing-of-that-name<2,>=1; extra == 'ray'"]
    monkeypatch.setattr(metadata, "requires", lambda name: requirements)
    assert main(["doctor", "ray"]) == 1
    out = capsys.readouterr().out
    assert "nothing-of-that-name is missing" in out
    assert "-m pip install 'nothing-of-that-name<2,>=1'" in out
    assert main(["doctor"]) == 0


def test_doctor_suggests_the_nearest_extra(capsys: Capture) -> None:
    assert main(["doctor", "servr"]) == 2
    assert capsys.readouterr().err.startswith(
        "poker-actors: no extra is called 'servr', did you mean server? (choose from core, "
    )


def test_a_version_outside_the_range_is_told() -> None:
    part = Part("ray", (Package("ray", "<3,>=2.48", "3.0.1"),))
    assert part.state == "wrong version"
    assert str(part.packages[0]) == "ray 3.0.1 is outside <3,>=2.48"


@pytest.mark.parametrize(
    ("version", "fits"), [("2.48", True), ("2.48.0", True), ("2.9", False), ("2.99.1", True), ("3.0", False)]
)
def test_a_range_includes_its_lower_bound_only(version: str, fits: bool) -> None:
    assert Package("ray", "<3,>=2.48", version).fits is fits
