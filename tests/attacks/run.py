"""Try every attack on a cage, and without one, and say on a line how it went: `python tests/attacks/run.py`.

An attack that fails without a cage, too, proves nothing of cages, and counts as wrong here. Exit status 1 if anything is
wrong, 3 if this machine lacks what a cage needs.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[2]))

from poker_actors.errors import MissingFeature
from tests.attacks.arena import OTHERS, attacked, made_place
from tests.attacks.attacks import ATTACKS


def main() -> int:
    """Run all; return the exit status."""
    wrong = 0
    with TemporaryDirectory() as root, made_place(Path(root)) as place:
        tries = [(attack.name, partial(attacked, attack, place)) for attack in ATTACKS]
        tries += [(name, partial(other, place)) for name, other in OTHERS.items()]
        for number, (name, tried) in enumerate(tries, start=1):
            free, caged = tried(cage=False), tried(cage=True)
            wrong += caged or not free
            print(
                f"{number:2} {name}: {'SUCCEEDS' if caged else 'fails'} in a cage, "
                f"{'succeeds' if free else 'FAILS'} without one",
                flush=True,
            )
    print(f"{len(tries)} attacks, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MissingFeature as error:
        print(error, file=sys.stderr)
        sys.exit(3)
