"""The command line: arguments in, one package called, one exit status out.

`main` is the console script `poker-actors`. Each command is a module of its own, listed in
`commands.py` and imported when it is used.
"""

from __future__ import annotations

from poker_actors.cli.entry import main

__all__ = ["main"]
