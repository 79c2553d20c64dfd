"""What commands show where there is little room, or where only ASCII can be written."""

import re
import subprocess
import sys

import pytest

from poker_actors.cli import main

Capture = pytest.CaptureFixture[str]
MATCH = ["--hands", "600", "--seed", "7", "--bot", "tight", "--bot", "pot-odds", "--bot", "maniac"]
SHORT = ["--hands", "60", *MATCH[2:]]
LINES = [
    ["simulate", *MATCH],
    ["tournament", *SHORT],
    ["tournament", "--format", "sng", "--seed", "1"],
    ["rank", *SHORT],
]


def figures(text: str) -> list[str]:
    """Every number with its sign and separators."""
    return sorted(re.findall(r"[+-]?[0-9][0-9,.]*[0-9]|[0-9]", text))


@pytest.mark.parametrize("line", LINES, ids=lambda line: " ".join(line[:3]))
def test_forty_columns_keep_names_and_figures(
    line: list[str], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert main(line) == 0
    out = capsys.readouterr().out
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= 40
    assert all(
        re.search(rf"(?m)^( *[-0-9=]+ +)?{name} ", out) for name in ("tight", "pot-odds") if name in line
    )
    monkeypatch.setenv("COLUMNS", "200")
    assert main(line) == 0
    wide = capsys.readouterr().out
    for heading in ("bb/100 ± 95 %", "VPIP %", "illegal", "net chips", "place", "prize"):
        assert (heading in out) == (heading in wide), heading
    of_the_run = [row for row in wide.splitlines() if not re.search(r"hands/s|microseconds", row)]
    assert set(figures("\n".join(of_the_run))) <= set(figures(out))


def test_an_ascii_terminal_gets_lines_and_signs_it_can_show() -> None:
    script = "import sys; from poker_actors.cli import main; sys.exit(main())"
    run = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", script, "simulate", *MATCH],
        capture_output=True,
        env={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"},
        check=True,
    )
    out = run.stdout.decode("ascii")
    assert "\\" not in out
    assert re.search(r"bb/100 \+- 95 %", out)
    (row,) = [line for line in out.splitlines() if line.startswith("1  pot-odds")]
    assert set(row.split()[-1]) <= set("_.:-=+*#")


def test_the_five_card_game_is_simulated_with_its_defaults(capsys: Capture) -> None:
    assert main(["simulate", "--game", "five-card", "--hands", "20", "--seed", "1"]) == 0
    assert "20 hands of five-card" in capsys.readouterr().out
