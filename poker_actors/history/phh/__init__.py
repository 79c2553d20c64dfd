"""The Poker Hand History standard: `.phh` and `.phhs`, a dialect of TOML."""

from poker_actors.history.phh.read import parse_phh
from poker_actors.history.phh.sections import sections
from poker_actors.history.phh.write import phh_text, step_text

__all__ = ["parse_phh", "phh_text", "sections", "step_text"]
