"""The command line: arguments in, one package called, one exit status out.

`main` is the console script `poker-actors`. Each command is a module of its own, named in the table
of `frame.py` and imported when it is asked for.
"""

from __future__ import annotations

from poker_actors.cli.entry import main

__all__ = ["main"]
