"""The command line: arguments in, one package called, one exit status out.

`main` is the console script `poker-actors`. Each command has its own module, listed in `commands.py`
and imported only when used.
"""

from __future__ import annotations

from poker_actors.cli.entry import main

__all__ = ["main"]
