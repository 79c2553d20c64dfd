"""`python -m poker_actors` is the command `poker-actors`."""

import sys

from poker_actors.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
