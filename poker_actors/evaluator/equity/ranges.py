"""Ranges: many hands, each with a weight, in players' notation (`QQ+, AKs, 76s-54s, 22+:0.5, 10%, !AA`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from attrs import frozen

from poker_actors.cards import RANKS, STANDARD_DECK, Card, parse_cards
from poker_actors.errors import BadSpec

STARTING_HANDS: Final = """
AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o KJo 55
QJs K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44 A4o K6s K8o Q8s
A3o K5s J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o
T9o J8o K3o Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o J5s T8o J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o
96s J2s Q2o T5s J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o T2s 85s 96o J2o T5o 94s 75s T4o 93s 86o
65s 84s 95o T3o 92s 76o 74s T2o 54s 85o 64s 83s 94o 75o 82s 73s 93o 65o 53s 63s 84o 92o 43s 74o 72s
54o 64o 52s 62s 83o 42s 82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o
"""
"""Best first, by the exact share of the pot against one random hand; no two classes are equal."""
_COMBOS: Final = 1326


def best_classes(above: float, upto: float) -> list[str]:
    """Return the classes between two percentages of all 1,326 hands, counted from the best.

    The last hand of a class decides: `best_classes(0, 10)` never returns more than a tenth of all hands.
    """
    chosen, combos = [], 0
    for name in STARTING_HANDS.split():
        combos += 6 if name[0] == name[1] else 4 if name[2] == "s" else 12
        if above * _COMBOS < 100 * combos <= upto * _COMBOS:
            chosen.append(name)
    return chosen


Combo = tuple[Card, ...]
_RANDOM: Final = ("random", "any", "*")
_RANK: Final = f"([{RANKS}])"
_PAIRS: Final = re.compile(rf"{_RANK}\1(?:(\+)|-{_RANK}\3)?")
_UNPAIRED: Final = re.compile(rf"{_RANK}{_RANK}([so]?)(?:(\+)|-{_RANK}{_RANK}([so]?))?")
_CARDS: Final = re.compile(rf"([{RANKS}][cdhs]\s*|[XY]n\s*)+")
_WEIGHTED: Final = re.compile(r"([^:@]*)(?:([:@])(.*))?", re.DOTALL)
_PERCENT: Final = re.compile(r"(\d+(?:\.\d+)?)%(?:-(\d+(?:\.\d+)?)%)?")
_TOP: Final = re.compile(r"\btop\s+(?=\d)", re.IGNORECASE)
"""The word in `top 10%`, which means `10%`."""
_MOST_RANDOM: Final = 4
"""Most hole cards of a random hand: there are 270,725 hands of four cards, too many of five to list."""


@frozen
class Range:
    """Hands that a player may hold, with their relative weights."""

    text: str
    combos: tuple[Combo, ...]
    weights: tuple[float, ...]

    def without(self, cards: Iterable[Card]) -> Range:
        """Return the range without hands that contain any of these cards."""
        gone = set(cards)
        if not gone:
            return self
        left = [place for place, combo in enumerate(self.combos) if gone.isdisjoint(combo)]
        return Range(
            self.text,
            tuple(self.combos[place] for place in left),
            tuple(self.weights[place] for place in left),
        )

    def __len__(self) -> int:
        return len(self.combos)

    def __str__(self) -> str:
        return self.text


def parse_range(text: str, *, hole: int = 2, deck: tuple[Card, ...] = STANDARD_DECK) -> Range:
    """Parse a range: hands like `AsKs`, classes like `QQ+`, `AKs`, `A5s-A2s`, `76s-54s`, `T9o+`, `10%`, `random`.

    Commas or blanks separate parts. `:0.5` or `@50` after a part is its weight, as a fraction or in percent, 1 by
    default; a hand in several parts has the weight of the first. `!AA` excludes hands, wherever it stands; a range of
    exclusions only is all other hands. `10%`, or `top 10%`, is the best tenth of all hands and `10%-25%` the hands from there to the
    best quarter, by the share of the pot against one random hand, whole classes only. `A2s+` raises the lower card up
    to the one below the ace, `76s-54s` lowers both cards step by step.

    Classes and percentages need two hole cards, percentages also the 52-card deck. With other `hole` sizes there are
    only hands, and `random` up to four cards. Raises `BadSpec` for anything else, and as `parse_cards` does.

    >>> len(parse_range("QQ+, AKs")), len(parse_range("10%, !AA"))
    (22, 124)
    """
    found: dict[Combo, float] = {}
    excluded: set[Combo] = set()
    parts = list(_parts(text))
    if parts and all(part.startswith("!") for part, _ in parts):
        parts.append(("random", 1.0))
    for part, weight in parts:
        combos = [tuple(sorted(combo, reverse=True)) for combo in _combos(part.removeprefix("!"), hole, deck)]
        if part.startswith("!"):
            excluded.update(combos)
        else:
            for combo in combos:
                found.setdefault(combo, weight)
    found = {combo: weight for combo, weight in found.items() if combo not in excluded}
    if not found:
        raise BadSpec(f"range {text!r} names no hand")
    return Range(text.strip(), tuple(found), tuple(found.values()))


def _parts(text: str) -> Iterator[tuple[str, float]]:
    whole = _TOP.sub("", text.strip())
    if _CARDS.fullmatch(whole):  # one hand, perhaps with blanks between its cards
        yield whole, 1.0
        return
    for word in re.split(r"[,\s]+", whole):
        if not word:
            continue
        part, mark, number = _WEIGHTED.fullmatch(word).groups()  # type: ignore[union-attr]  # any word matches
        if mark and part.startswith("!"):
            raise BadSpec(f"{word!r} cannot be read: an excluded hand has no weight")
        yield part, _weight(word, mark, number) if mark else 1.0


def _weight(word: str, mark: str, number: str) -> float:
    most = 1 if mark == ":" else 100
    try:
        weight = float(number.removesuffix("%") if mark == "@" else number)
    except ValueError:
        weight = -1.0
    if not 0 < weight <= most:
        raise BadSpec(f"weight {number!r} of {word!r} is not above 0 and at most {most}")
    return weight / most


def _combos(part: str, hole: int, deck: tuple[Card, ...]) -> Iterable[Combo]:
    if part.lower() in _RANDOM:
        if hole > _MOST_RANDOM:
            raise BadSpec(f"random hands of {hole} cards are too many to list: at most {_MOST_RANDOM} cards")
        return combinations(deck, hole)
    if _CARDS.fullmatch(part):
        cards = parse_cards(part)
        if len(cards) != hole:
            raise BadSpec(f"{part} has {len(cards)} cards: a hand has {hole}")
        for card in cards:
            if card not in deck:
                raise BadSpec(f"{card} is not in this deck of {len(deck)} cards")
        return [cards]
    if hole != 2:
        raise BadSpec(f"{part!r} is not a hand of {hole} cards: ranges of classes have two hole cards")
    if "%" in part:
        return _best_share(part, deck)
    return [combo for combo in _classes(part) if combo[0] in deck and combo[1] in deck]


def _best_share(part: str, deck: tuple[Card, ...]) -> list[Combo]:
    match = _PERCENT.fullmatch(part)
    if not match:
        raise BadSpec(f"{part!r} is not a percentage of hands: write 10%, or 10%-25%")
    if deck != STANDARD_DECK:
        raise BadSpec(f"{part!r} is a percentage of the hands of 52 cards: this deck has {len(deck)}")
    above, upto = sorted((float(match[1]), float(match[2] or 0)))
    if not above < upto <= 100:
        raise BadSpec(f"{part!r} names no hands: percentages must differ, be above 0 and at most 100")
    return [combo for name in best_classes(above, upto) for combo in _classes(name)]


def _classes(part: str) -> Iterator[Combo]:
    if match := _PAIRS.fullmatch(part):
        low = RANKS.index(match[1])
        high = 12 if match[2] else RANKS.index(match[3]) if match[3] else low
        for rank in range(min(low, high), max(low, high) + 1):
            yield from combinations(_of_rank(rank), 2)
        return
    match = _UNPAIRED.fullmatch(part)
    if not match or match[1] == match[2]:
        raise BadSpec(
            f"{part!r} is not a range: write hands like AsKs, classes like QQ+, AKs, A5s-A2s, T9o, or 10%"
        )
    for high, low in _steps(part, match):
        for first in _of_rank(high):
            for second in _of_rank(low):
                if match[3] in ("", "s" if first.suit == second.suit else "o"):
                    yield (first, second)


def _steps(part: str, match: re.Match[str]) -> list[tuple[int, int]]:
    """Return the pairs of ranks, higher first, that an unpaired class with `+` or `-` spans."""
    high, low = _ordered(match[1], match[2])
    if match[4]:
        return [(high, other) for other in range(low, high)]
    if not match[5]:
        return [(high, low)]
    last_high, last_low = _ordered(match[5], match[6])
    if match[7] != match[3]:
        raise BadSpec(f"{part!r} mixes suited and offsuit: both ends must be s, or o, or neither")
    if high == last_high:
        return [(high, other) for other in range(min(low, last_low), max(low, last_low) + 1)]
    if high - low == last_high - last_low > 0:
        return [(top, top - high + low) for top in range(min(high, last_high), max(high, last_high) + 1)]
    raise BadSpec(f"{part!r} is not a range: both ends share the higher card, or the gap between their cards")


def _ordered(first: str, second: str) -> tuple[int, int]:
    one, two = RANKS.index(first), RANKS.index(second)
    return max(one, two), min(one, two)


def _of_rank(rank: int) -> tuple[Card, ...]:
    return STANDARD_DECK[4 * rank : 4 * rank + 4]
