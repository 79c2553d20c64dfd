"""The first line of a hand in the text of PokerStars, or GGPoker: number, tournament, game, stakes, time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, time
from decimal import Decimal
from typing import Final

import attrs

from poker_actors.errors import BadHistory, Unplayed
from poker_actors.history.draft import amount_text
from poker_actors.history.hand_history import HandHistory
from poker_actors.rules import GAMES, Game

AMOUNT: Final = r"[$€£¥]?[0-9][0-9,]{0,20}(?:\.[0-9]{1,18})?"
"""An amount, with or without a currency sign."""

_HEADER: Final = re.compile(
    r"PokerStars (?:[A-Z][A-Za-z ]* )?(?:Hand|Game) #(?P<hand>[A-Za-z0-9_-]{1,60}): +(?:\{[^}]*\} +)?"
    r"(?:(?P<event>Tournament #[0-9]{1,20}, \S{1,60}(?: [A-Z]{3})?) +)?"
    r"(?:(?:8-Game|HORSE|Mixed [A-Za-z0-9 /-]+?) \()?(?P<game>Hold'em|6\+ Hold'em|Omaha|[A-Z0-9][A-Za-z0-9+/' -]*?) (?P<limit>No Limit|Pot Limit|Limit)\)?,?"
    r"(?: - (?:Match Round [A-Z]+, )?Level (?P<level>[IVXLC]+|[0-9]{1,4}))?"
    rf" \((?P<small>{AMOUNT})/(?P<big>{AMOUNT})(?:\((?:ante )?{AMOUNT}\))?(?: (?P<currency>[A-Z]{{3}}))?[^)]*\)"
    r"(?: - (?P<year>[0-9]{4})/(?P<month>[0-9]{1,2})/(?P<day>[0-9]{1,2})"
    r" (?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2}) (?P<zone>[A-Z]{1,5})(?: \[.*\])?)? *"
)

_GG_HEADER: Final = re.compile(
    r"Poker Hand #(?P<hand>[A-Z]{2}[0-9]{1,30}): +(?:(?P<event>Tournament #[0-9]{1,20}, .{1,100}?) )?"
    r"(?P<game>Hold'em|Omaha|PLO-[456]|PLO|ShortDeck)(?: (?P<limit>No Limit|Pot Limit|Limit))?"
    r"(?: - Level ?(?P<level>[IVXLC]+|[0-9]{1,4}))?"
    rf" ?\((?P<small>{AMOUNT})/(?P<big>{AMOUNT})(?:\({AMOUNT}\))?\)"
    r" - (?P<year>[0-9]{4})/(?P<month>[0-9]{1,2})/(?P<day>[0-9]{1,2})"
    r" (?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})(?P<zone>) *"
)
"""GGPoker's: its number begins with two letters for the kind of game, its time has no zone."""
_GG_GAMES: Final = {"PLO": "Omaha", "PLO-4": "Omaha", "PLO-5": "5 Card Omaha", "PLO-6": "6 Card Omaha"}

_OTHERS: Final = (
    ("Full Tilt Poker", "Full Tilt Poker"),
    ("Game started at", "iPoker"),
    ("Hand History for Game", "PartyPoker"),
    ("Bovada Hand", "Bovada"),
    ("Ignition Hand", "Ignition"),
    ("Bodog Hand", "Bodog"),
    ("888poker", "888poker"),
    ("#Game No", "888poker"),
    ("Game No", "888poker"),
    ("Hand #", "the iPoker or Merge network"),
    ("Stage #", "Absolute Poker"),
    ("Ultimate Bet", "Ultimate Bet"),
    ("CoinPoker", "CoinPoker"),
    ("<session", "iPoker"),
)
"""Openings of other sites' hand histories, and the sites: for the error message."""

_GAMES: Final = {
    ("Hold'em", "No Limit"): GAMES["holdem"],
    ("Hold'em", "Limit"): GAMES["limit-holdem"],
    ("Omaha", "Pot Limit"): GAMES["omaha"],
    ("6+ Hold'em", "No Limit"): GAMES["short-deck"],
    ("Hold'em", "Pot Limit"): GAMES["pot-limit-holdem"],
    ("Omaha Hi/Lo", "Limit"): GAMES["limit-omaha8"],
    ("Omaha Hi/Lo", "Pot Limit"): GAMES["omaha8"],
    ("5 Card Omaha", "Pot Limit"): GAMES["omaha5"],
    ("6 Card Omaha", "Pot Limit"): GAMES["omaha6"],
    ("5 Card Omaha Hi/Lo", "Pot Limit"): GAMES["big-o"],
    ("Courchevel", "Pot Limit"): GAMES["courchevel"],
    ("Courchevel Hi/Lo", "Pot Limit"): GAMES["courchevel8"],
    ("7 Card Stud", "Limit"): GAMES["stud"],
    ("7 Card Stud Hi/Lo", "Limit"): GAMES["stud8"],
    ("Razz", "Limit"): GAMES["razz"],
    ("5 Card Draw", "No Limit"): GAMES["five-card-draw"],
    ("5 Card Draw", "Limit"): GAMES["limit-five-card-draw"],
    ("Single Draw 2-7 Lowball", "No Limit"): GAMES["2-7-single-draw"],
    ("Triple Draw 2-7 Lowball", "Limit"): GAMES["2-7-triple-draw"],
    ("Badugi", "Limit"): GAMES["badugi"],
}
GAME_NAMES: Final = {game.name: f"{name} {limit}" for (name, limit), game in _GAMES.items()}
_SIGNS: Final = {"USD": "$", "EUR": "€", "GBP": "£", "CNY": "¥"}
_CURRENCIES: Final = {sign: currency for currency, sign in _SIGNS.items()}
_ROMAN: Final = (
    *((100, "C"), (90, "XC"), (50, "L"), (40, "XL")),
    *((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)


@attrs.frozen
class Header:
    """The first line; `small` and `big` are the blinds, in limit games the bets."""

    game: Game
    small: Decimal | int
    big: Decimal | int
    fields: Mapping[str, object]


def read_money(text: str) -> Decimal | int:
    """Read a text matched by `AMOUNT`; raise `BadHistory` for commas that do not separate thousands."""
    digits = text.lstrip("$€£¥")
    if "," in digits and re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?", digits) is None:
        raise BadHistory(f"{text[:30]!r} is not an amount")
    digits = digits.replace(",", "")
    return Decimal(digits) if "." in digits else int(digits)


def money_text(chips: int, history: HandHistory) -> str:
    """Write chips as PokerStars does: in dollars without `.00`."""
    sign = _SIGNS.get(str(history.fields.get("currency", "")), "")
    text = amount_text(chips, history.scale)
    return f"{sign}{text.removesuffix('.00') if sign else text}"


def read_header(line: str) -> Header:
    """Read the line; raise `BadHistory`, or `Unplayed` for a game not played here."""
    found = _HEADER.fullmatch(line) or _GG_HEADER.fullmatch(line)
    if found is None:
        site = next((name for opening, name in _OTHERS if line.lstrip("*# ").startswith(opening)), None)
        whose = f"this is a hand of {site}, which is not read here: it" if site else repr(line[:60])
        raise BadHistory(f"{whose} does not open a hand of PokerStars, GGPoker or Winamax")
    name = _GG_GAMES.get(found["game"], found["game"])
    limit = found["limit"] or "Pot Limit"  # GGPoker's PLO says no more
    game = _GAMES.get((name, limit))
    if game is None:
        raise Unplayed(f"{name[:30]} {limit} is not played here")
    venue = "PokerStars" if found.re is _HEADER else "GGPoker"
    fields: dict[str, object] = {"venue": venue, "hand": found["hand"]}
    if found["event"]:
        fields["event"] = found["event"]
    if found["level"]:
        fields["level"] = int(found["level"]) if found["level"].isdecimal() else _from_roman(found["level"])
    currency = found.groupdict().get("currency") or _CURRENCIES.get(found["small"][0])
    if currency:
        fields["currency"] = currency
    if found["year"]:
        fields |= _moment(found)
    return Header(game, read_money(found["small"]), read_money(found["big"]), fields)


def _moment(found: re.Match[str]) -> dict[str, object]:
    try:
        day = date(int(found["year"]), int(found["month"]), int(found["day"]))
        clock = time(int(found["hour"]), int(found["minute"]), int(found["second"]))
    except ValueError as error:
        raise BadHistory(f"there is no such time: {error}") from None
    said: dict[str, object] = {"time": clock, "day": day.day, "month": day.month, "year": day.year}
    if found["zone"]:
        said["time_zone" if found["zone"] == "UTC" else "time_zone_abbreviation"] = found["zone"]
    return said


def header_text(history: HandHistory) -> str:
    """Return the first line of a hand; raise `BadHistory` for stakes or an id that it cannot express."""
    fields = history.fields
    hand_id = history.hand_id or "0"
    if re.fullmatch(r"[A-Za-z0-9_-]{1,60}", hand_id) is None:
        raise BadHistory(f"PokerStars' text cannot carry the hand number {hand_id[:40]!r}")
    event = fields.get("event")
    text = f"PokerStars Hand #{hand_id}: "
    if isinstance(event, str) and re.fullmatch(r"Tournament #[0-9]{1,20}, \S{1,60}(?: [A-Z]{3})?", event):
        text += f" {event}"
    text += f" {GAME_NAMES[history.game.name]}"
    level = fields.get("level")
    if type(level) is int and 0 < level < 400:  # 400 is CD, and `_ROMAN` and the header's pattern end at C
        text += f" - Level {_roman(level)}"
    small, big = _stakes(history)
    currency = str(fields.get("currency", ""))
    named = f" {currency}" if re.fullmatch("[A-Z]{3}", currency) else ""
    text += f" ({money_text(small, history)}/{money_text(big, history)}{named})"
    return text + _moment_text(fields)


def _stakes(history: HandHistory) -> tuple[int, int]:
    """Return the blinds, or the bets of a limit game, in chips."""
    if history.game.brings_in:
        return history.min_bet, 2 * history.min_bet
    blinds = history.blinds
    small, big = (blinds[1], blinds[0]) if history.size == 2 else (blinds[0], blinds[1])
    if history.dead_small:
        small, big = history.dead_small, next(blind for blind in blinds if blind > 0)
    elif big <= 0:
        # the small blind is dead, or only the button has posted
        small, big = 0, max(blinds)
    if history.game.bets_per_street:
        if big != history.min_bet:
            raise BadHistory("PokerStars' text cannot carry a big blind that is not the small bet")
        return history.min_bet, 2 * history.min_bet
    if big != history.min_bet:
        text = f"a smallest bet of {history.min_bet} beside a big blind of {big}"
        raise BadHistory(f"PokerStars' text cannot carry {text}")
    return max(small, 0), big


def _moment_text(fields: Mapping[str, object]) -> str:
    clock = fields.get("time")
    day = [fields.get(key) for key in ("year", "month", "day")]
    zone = fields.get("time_zone_abbreviation", fields.get("time_zone"))
    if not isinstance(clock, time) or any(type(part) is not int for part in day):
        return ""
    if not isinstance(zone, str) or re.fullmatch("[A-Z]{1,5}", zone) is None:
        return ""
    year, month, date_ = day
    return f" - {year:04d}/{month:02d}/{date_:02d} {clock:%H:%M:%S} {zone}"


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        text += letters * count
    return text


def _from_roman(text: str) -> int:
    number = 0
    rest = text
    for value, letters in _ROMAN:
        while rest.startswith(letters):
            number += value
            rest = rest.removeprefix(letters)
    return number
