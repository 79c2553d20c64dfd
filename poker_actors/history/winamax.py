"""Winamax's text in the words of PokerStars', line by line: it says the same, with other signs around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from poker_actors.errors import BadHistory, Unplayed

__all__ = ["WINAMAX", "in_pokerstars_words"]

WINAMAX: Final = "Winamax Poker "
"""How a hand begins."""

_EUROS: Final = re.compile(r"([0-9]+)(?:[.,]([0-9]{1,2}))? ?€")
"""An amount, with the decimal sign of the language it was played in."""
_HEADER: Final = re.compile(
    r'Winamax Poker - (?:CashGame|Tournament "(?P<event>.*)" buyIn: .*?level: (?P<level>[0-9]{1,4})) - '
    r"HandId: #(?P<hand>[0-9-]{1,60}) - (?P<game>[A-Za-z0-9 ]+?) (?P<limit>no limit|pot limit|fixed limit) "
    r"\((?:[^/()]+/)?(?P<small>[^/()]+)/(?P<big>[^/()]+)\)(?P<moment> - .*)"
)
_GAMES: Final = {
    "Holdem": "Hold'em",
    "Omaha": "Omaha",
    "Omaha Hi/Lo": "Omaha Hi/Lo",
    "5 Card Omaha": "5 Card Omaha",
}
_LIMITS: Final = {"no limit": "No Limit", "pot limit": "Pot Limit", "fixed limit": "Limit"}
_SEAT: Final = re.compile(
    r"Seat (?P<seat>[0-9]{1,2}): (?P<name>.+) \((?P<stack>[€0-9.]+)(?P<bounty>, [^)]*)?\)"
)
_DOES: Final = r"(?P<words>(?:folds|checks|calls|bets|raises|posts|shows)\b.*)"


def in_pokerstars_words(lines: Sequence[str]) -> Iterator[str]:
    """Yield each line of a hand as PokerStars would write it; raise `BadHistory` for a first line that cannot be read."""
    yield _header(_in_euros(lines[0]))
    names: list[str] = []
    acts = re.compile("(?!)")
    for line in map(_in_euros, lines[1:]):
        seat, act = _SEAT.fullmatch(line), acts.fullmatch(line)
        if seat is not None:
            names.append(re.escape(seat["name"]))
            # the longest first, or `Al` would be found in a line of `Al B`
            acts = re.compile(f"(?P<name>{'|'.join(sorted(names, key=len, reverse=True))}) {_DOES}")
            yield f"Seat {seat['seat']}: {seat['name']} ({seat['stack']} in chips{seat['bounty'] or ''})"
        elif act is not None:
            yield f"{act['name']}: {act['words'].removesuffix(' out of position')}"
        elif line.startswith("Table: "):
            yield line.replace("Table:", "Table", 1)
        else:
            yield line.replace("| No rake", "| Rake 0")


def _in_euros(line: str) -> str:
    return _EUROS.sub(lambda found: f"€{found[1]}" + (f".{found[2]}" if found[2] else ""), line)


def _header(line: str) -> str:
    found = _HEADER.fullmatch(line)
    if found is None:
        raise BadHistory(f"{line[:60]!r} does not open a hand of Winamax")
    if found["game"] not in _GAMES:
        raise Unplayed(f"{found['game'][:30]} {found['limit']} is not played here")
    level = f" - Level {found['level']}" if found["level"] else ""
    game = f"{_GAMES[found['game']]} {_LIMITS[found['limit']]}"
    return (
        f"PokerStars Hand #{found['hand']}: {game}{level} ({found['small']}/{found['big']}){found['moment']}"
    )
