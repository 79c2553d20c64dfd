"""`poker-actors completion`: print the script by which a shell completes commands and options."""

from __future__ import annotations

import sys
from typing import Literal

__all__ = ["completion"]


def completion(shell: Literal["bash", "zsh", "fish"], /) -> None:
    """Print the script that completes commands and options in a shell.

    For good, in bash: `poker-actors completion bash > ~/.local/share/bash-completion/completions/poker-actors`;
    zsh reads `_poker-actors` in a directory of `$fpath`, fish `~/.config/fish/completions/poker-actors.fish`.

    Args:
        shell: The shell to complete in.
    """
    from poker_actors.cli.frame import program

    sys.stdout.write(program().generate_completion(shell=shell))
