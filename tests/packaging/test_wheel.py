"""The wheel in empty environments: minutes, and it installs from the index."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("wheel.py")


@pytest.mark.heavy
def test_the_wheel_works_with_the_core_and_with_each_extra_alone() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_extra_that_does_not_exist_is_refused() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), "fats"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("no such extra: fats; there are core, ")
