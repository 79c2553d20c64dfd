"""Find names that look alike, by Unicode's tables, and names reserved for the house."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.util import find_spec
from typing import Final

_LEVELS: Final = (
    *("beginner", "casual", "expert", "regular", "strong"),
    *("gambler", "stubborn", "tame", "timid", "wild"),
)
"""Levels and characters of the bot expert; named here, since its module loads numpy."""
HOUSE_BOTS: Final = tuple(
    sorted(("adaptive", "caller", "equity", "loose", "maniac", "pot-odds", "random", "tight", *_LEVELS))
)
"""Bots that may be requested over the network: built-in ones that see only their own cards and decide within
milliseconds; never a file, which would run a stranger's code. Levels of the bot expert go by their names."""
HOUSE_NUMBERS: Final = range(1, 100)
"""Numbers appended to a bot's name to name a house player."""

ENTRANT: Final = "arena/"
"""Prefix of house bots' names that are entrants of the arena."""

_RESERVED: Final = ("house", "operator", "admin", "administrator", "moderator", "support", "system", "dealer")
"""Names that others would take for the house or whoever runs it."""

_UNSEEN: Final[dict[int, str | None]] = {
    **dict.fromkeys([0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0], " "),
    **dict.fromkeys([0x034F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)]),
    **dict.fromkeys(range(0xE0100, 0xE01F0)),
}
"""Printable characters that show nothing: fillers become blanks; joiners and variation selectors are dropped.

Without it a name could be copied invisibly.
"""


def look_alikes(name: str) -> frozenset[str]:
    """Return the keys of a name; two names that share a key look alike.

    A key is the skeleton (Unicode TR39) of the name in NFKC, case-folded before (Ann, ann) or after
    (Ian, lan). Look-alikes of other scripts are found only with the extra [server], which has the table.
    """
    plain = " ".join(unicodedata.normalize("NFKC", name).translate(_UNSEEN).split())
    return frozenset((_skeleton(plain.casefold()), _skeleton(plain).casefold()))


def house_bots() -> tuple[str, ...]:
    """Return the `HOUSE_BOTS` available here: the levels of the bot expert need numpy."""
    if find_spec("numpy") is not None:
        return HOUSE_BOTS
    return tuple([bot for bot in HOUSE_BOTS if bot not in _LEVELS])


def spec_of_house(bot: str) -> str:
    """Return the spec of one of `HOUSE_BOTS`."""
    return f"expert:level={bot}" if bot in _LEVELS else bot


def is_of_house(name: str) -> bool:
    """Return whether a name belongs to a house player, or looks like one."""
    keys = _closed_up(name)
    return not keys.isdisjoint(_house_keys()) or any(key.startswith(ENTRANT) for key in keys)


def _closed_up(name: str) -> frozenset[str]:
    """Return the keys of a name without blanks: `tight1` looks too much like `tight 1`."""
    return frozenset(key.replace(" ", "") for key in look_alikes(name))


@cache
def _house_keys() -> frozenset[str]:
    names = [f"{bot} {number}" for bot in HOUSE_BOTS for number in HOUSE_NUMBERS]
    names += [f"house-{number}" for number in HOUSE_NUMBERS]
    return frozenset().union(*map(_closed_up, (*names, *HOUSE_BOTS, *_RESERVED)))


def _skeleton(text: str) -> str:
    seen = unicodedata.normalize("NFD", text).translate(_prototypes())
    return unicodedata.normalize("NFD", seen)


@cache
def _prototypes() -> dict[int, str]:
    """Map each character to a prototype: of its look-alikes, the one with the most look-alikes."""
    try:
        from confusable_homoglyphs.confusables import confusables_data
    except ImportError:
        return {}
    bare = {
        one.replace("\u200e", ""): [other["c"].replace("\u200e", "") for other in others]
        for one, others in confusables_data.items()
    }
    table = {}
    for one, others in bare.items():
        if len(one) == 1 and len(others) == 1 and (len(bare.get(others[0], ())), others[0]) > (1, one):
            table[ord(one)] = others[0]
    return {code: text.translate(table) for code, text in table.items()}
