"""Every notebook runs from its first cell to its last, and prints what it says it has printed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parents[2] / "examples" / "notebooks"
FILES = sorted(NOTEBOOKS.glob("*.ipynb"))


def test_there_are_a_bot_a_hand_and_an_agent() -> None:
    assert [path.stem for path in FILES] == ["first_bot", "step_a_hand", "train_an_agent"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_says(path: Path) -> None:
    command = [sys.executable, "-W", "error", str(NOTEBOOKS / "run.py"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_notebook_is_small_enough_to_read(path: Path) -> None:
    assert path.stat().st_size < 10_000
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    cells = notebook["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert all(len(cell["source"]) <= 30 for cell in cells)
    assert cells[0]["cell_type"] == "markdown"


def test_a_notebook_that_prints_something_else_is_told(tmp_path: Path) -> None:
    wrong = json.loads(FILES[0].read_text(encoding="utf-8"))
    wrong["cells"] = [{"cell_type": "code", "source": ["print(1)\n", "2"], "outputs": [], "id": "one"}]
    place = tmp_path / "wrong.ipynb"
    place.write_text(json.dumps(wrong), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(NOTEBOOKS / "run.py"), str(place)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "wrong.ipynb, cell 1 prints:\n1\n2\n\n")
