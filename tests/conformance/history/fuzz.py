"""Fuzz a reader of hand histories, guided by coverage: `python fuzz.py FORMAT RUNS [SECONDS]`.

Needs `pip install atheris`. Ends with an error at the first input that causes anything but a
one-line error, or a hand whose chips do not add up.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

atheris = importlib.import_module("atheris")

with atheris.instrument_imports(include=["poker_actors.history"]):
    from tests.conformance.history.oddities import judge
from tests.conformance.history.seeds import texts  # noqa: E402  # after what is instrumented


def main() -> None:
    name, runs, *rest = sys.argv[1:]

    def one_input(data: bytes) -> None:
        judge(data, name)

    with tempfile.TemporaryDirectory() as corpus:
        for number, text in enumerate(texts(name, 24)):
            (Path(corpus) / str(number)).write_text(text)
        options = [
            f"-atheris_runs={runs}",
            "-max_len=6000",
            "-timeout=20",
            "-rss_limit_mb=1500",
            "-print_final_stats=1",
        ]
        options += [f"-max_total_time={seconds}" for seconds in rest]
        atheris.Setup([sys.argv[0], *options, corpus], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
