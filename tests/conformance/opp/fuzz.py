"""Fuzz OPP: `python fuzz.py connection INPUTS` and `python fuzz.py decoder INPUTS` by coverage with atheris,
`python fuzz.py mutate INPUTS [SEED]` without.

Atheris (`pip install atheris`, in no extra) is guided by coverage: some thousand streams a second
through a connection, and many times as many single messages through the decoder alone. Mutations of
the conformance vectors are not guided. Each ends with a traceback at the first input with an outcome
that `arrivals` forbids.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))


def by_coverage(what: str, inputs: str) -> None:
    """Let atheris find inputs for a whole connection, or for the decoder alone."""
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["poker_actors.wire.opp.protocol"]):
        arrivals = importlib.import_module("tests.conformance.opp.arrivals")
    alone = what == "decoder"
    with tempfile.TemporaryDirectory() as corpus:
        for number, data in enumerate(arrivals.message_seeds() if alone else arrivals.seeds()):
            (Path(corpus) / str(number)).write_bytes(data)
        options = [f"-runs={inputs}", "-max_len=300", "-print_final_stats=1", corpus]
        atheris.Setup([sys.argv[0], *options], arrivals.one_message if alone else arrivals.one_input)
        atheris.Fuzz()


def by_mutation(inputs: int, seed: int = 1) -> None:
    """Run mutations and print the progress."""
    from tests.conformance.opp.arrivals import mutations, one_input

    began = time.monotonic()
    for number, data in enumerate(mutations(inputs, seed), 1):
        one_input(data)
        if number % 1_000_000 == 0:
            print(f"{number:,} inputs, {number / (time.monotonic() - began):,.0f}/s", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "mutate":
        by_mutation(*map(int, sys.argv[2:]))
    else:
        by_coverage(*sys.argv[1:])
