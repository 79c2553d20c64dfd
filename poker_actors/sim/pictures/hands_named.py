"""List the hands behind the figures of a report, with commands that open them."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from poker_actors.sim.results import COUNTED, SimulationResult, position_names
from poker_actors.sim.story import tell_transcript, transcripts_of

_UNKNOWN: Final = ("--ante", "--straddle", "--rake", "--run-it-twice", "--bomb-pot")
"""Options that the debugger does not know."""

__all__ = ["hand_links", "hands_section", "position_links"]


def hand_links(result: SimulationResult, bot: int) -> dict[str, str]:
    """Return the anchor on the page of the hands of each counter of a bot."""
    return {name: _anchor(bot, name) for name in COUNTED.values() if (bot, name) in result.examples}


def position_links(result: SimulationResult) -> dict[tuple[int, str], str]:
    """Return the anchors of the hands by bot and position."""
    return {
        (bot, _position(name)): _anchor(bot, name) for bot, name in result.examples if name[:8] == "position"
    }


def hands_section(result: SimulationResult, command: str) -> str:
    """List the hands of each figure, and below them the commands that open each hand."""
    if not result.examples:
        return ""
    words = {counter: name.replace("_", " ") for name, counter in COUNTED.items()}
    parts = []
    for player in result.players:
        figures = {name: hands for (bot, name), hands in result.examples.items() if bot == player.seat}
        rows = "".join(
            f"<li id='{_anchor(player.seat, name)}'>{escape(words.get(name) or _position(name))}: {_hands(hands)}</li>"
            for name, hands in figures.items()
            if name in words or name[:8] == "position"
        )
        parts.append(f"<h3>{escape(player.bot)}</h3><ul class='hands'>{rows}</ul>")
    named = sorted({hand for hands in result.examples.values() for hand in hands})
    bots = [player.bot for player in result.players]
    said = transcripts_of(bots)
    opened = "".join(
        f"<li id='hand-{hand}'>hand {hand}: <code>{escape(_opens(result, command, hand))}</code>"
        f"{_said(tell_transcript(said, hand, bots))}</li>"
        for hand in named
    )
    return (
        "<p>The first hands that count in each figure.</p>"
        f"{''.join(parts)}<details><summary>Commands that open them in the debugger</summary><ul>{opened}</ul></details>"
    )


def _said(lines: list[str]) -> str:
    """Show what language models said in a hand, folded away; empty if they said nothing."""
    words = "\n".join(map(escape, lines))
    return f"<details><summary>What was said</summary><pre>{words}</pre></details>" if lines else ""


def _hands(hands: tuple[int, ...]) -> str:
    return ", ".join(f"<a href='#hand-{hand}'>{hand}</a>" for hand in hands)


def _anchor(bot: int, name: str) -> str:
    return f"of-{bot}-{name.replace(' ', '-')}"


def _position(name: str) -> str:
    """Return the name of a position: `position 6 0` is the button of six."""
    _, *numbers = name.split()
    if len(numbers) != 2:
        return name
    seats, place = map(int, numbers)
    return position_names(seats)[place]


def _opens(result: SimulationResult, command: str, hand: int) -> str:
    """Return the debugger's command for a hand, or `simulate --hand` for a form that the debugger lacks."""
    alone = re.sub(r" --hands \d+", f" --hand {hand}", command, count=1).removesuffix(" --adjust")
    asked = any(f" {option}" in command for option in _UNKNOWN)
    known = result.form == "cash" and not asked and "ante" not in result.stakes
    return alone.replace(" simulate ", " debug ", 1) if known else alone
