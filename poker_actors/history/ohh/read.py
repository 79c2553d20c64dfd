"""Read Open Hand History 1.4."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from poker_actors.cards import Card
from poker_actors.errors import BadCard, BadHistory, Unplayed
from poker_actors.history.draft import Draft, Owed
from poker_actors.history.hand_history import HandHistory
from poker_actors.history.source import LONGEST_HAND, Chunk
from poker_actors.history.unknown import parse_known_or_not
from poker_actors.jsontext import parse_json
from poker_actors.rules import GAMES, Game

__all__ = ["ohh_objects", "parse_ohh"]

_GAMES: Final = {
    ("Holdem", "NL"): GAMES["holdem"],
    ("Holdem", "FL"): GAMES["limit-holdem"],
    ("Holdem", "PL"): GAMES["pot-limit-holdem"],
    ("Omaha", "PL"): GAMES["omaha"],
    ("OmahaHiLo", "PL"): GAMES["omaha8"],
    ("OmahaHiLo", "FL"): GAMES["limit-omaha8"],
}
_POSTS: Final = {
    "Post Ante": Owed.ANTE,
    "Post SB": Owed.SMALL,
    "Post BB": Owed.BIG,
    "Straddle": Owed.STRADDLE,
    "Post Dead": Owed.DEAD,
    "Post Extra Blind": Owed.EXTRA,
}
_NOT_PLAY: Final = ("Added Chips", "Sits Down", "Stands Up")


def ohh_objects(lines: Iterable[str]) -> Iterator[Chunk]:
    """Cut the lines into hands: an object ends where a blank line or another object follows its last brace."""
    held: list[str] = []
    first = size = 0
    for number, line in enumerate(lines, start=1):
        last = held[-1].rstrip() if held else ""
        begins = line.startswith("{") and last.endswith("}")
        ends = not line.strip() and (last == "}" or (last.endswith("}") and len(held) == 1))
        if begins or ends:
            yield Chunk("".join(held), first)
            held, size = [], 0
        if not held and not line.strip():
            continue
        first = first if held else number
        held.append(line)
        size += len(line)
        if size > LONGEST_HAND:
            raise BadHistory(f"line {first}: the hand is above the limit of {LONGEST_HAND} characters")
    if held:
        yield Chunk("".join(held), first)


def parse_ohh(chunk: Chunk) -> HandHistory:
    """Read one hand; raise `BadHistory` with its line, or `Unplayed` for a game not played here."""
    try:
        found = parse_json(chunk.text, parse_float=Decimal, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise BadHistory(f"line {chunk.line + error.lineno - 1}: no JSON: {error.msg}") from None
    except (ValueError, ArithmeticError):
        raise BadHistory(f"line {chunk.line}: a number of too many digits") from None
    try:
        return _Hand(_member(found, "ohh", dict)).read()
    except (BadHistory, BadCard) as error:
        kind = type(error) if isinstance(error, BadHistory) else BadHistory
        raise kind(f"line {chunk.line}: {error}") from None


def _refuse_constant(word: str) -> object:
    raise ValueError(word)


def _member(found: object, key: str, kind: type[Any], default: object = ...) -> Any:
    """Return a member of an object, checking its type; `default` if it is null or absent."""
    if type(found) is not dict:
        raise BadHistory(f"{found!r:.40} is no object")
    value = found.get(key)
    if value is None:
        if default is ...:
            raise BadHistory(f"there is no {key!r}")
        return default
    if kind is Decimal and type(value) in (int, Decimal):
        return value
    if type(value) is not kind:  # not isinstance: true would pass for a number
        raise BadHistory(f"{key} is {value!r:.40}: it must be {_WORDS[kind]}")
    return value


_WORDS: Final = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    Decimal: "a number",
}


class _Hand:
    """The `ohh` object of one hand."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.found = found
        self.draft = Draft()

    def read(self) -> HandHistory:
        game = self._game()
        draft, found = self.draft, self.found
        draft.small_blind = _member(found, "small_blind_amount", Decimal, 0)
        draft.big_blind = _member(found, "big_blind_amount", Decimal, 0)
        draft.ante = _member(found, "ante_amount", Decimal, 0)
        draft.min_bet = _member(found, "_min_bet", Decimal, None)
        draft.scale = _member(found, "_chips_per_unit", int, None)
        if draft.scale not in (None, 1, 100, 1000, 10**4, 10**5, 10**6):
            raise BadHistory(f"_chips_per_unit is {draft.scale}: it is a power of ten up to a million")
        draft.button = _member(found, "dealer_seat", int) - 1
        for player in _member(found, "players", list):
            name = _member(player, "name", str)
            seat = _member(player, "seat", int) - 1
            draft.seat(_member(player, "id", int), seat, name, _member(player, "starting_stack", Decimal))
        for round_ in _member(found, "rounds", list):
            self._round(round_)
        self._pots()
        return draft.history(game, self._fields())

    def _game(self) -> Game:
        name = _member(self.found, "game_type", str)
        limit = _member(_member(self.found, "bet_limit", dict), "bet_type", str)
        game = _GAMES.get((name, limit))
        if game is None:
            raise Unplayed(f"{name[:20]!r} with bets {limit[:20]!r} is not played here")
        return game

    def _round(self, found: object) -> None:
        cards = _cards(found)
        if cards:
            self.draft.board(cards)
        for action in _member(found, "actions", list, []):
            self._action(action)

    def _action(self, found: object) -> None:
        draft = self.draft
        word = _member(found, "action", str)
        if word in _NOT_PLAY:
            return
        key = _member(found, "player_id", int)
        if word in _POSTS:
            draft.post(key, _POSTS[word], _member(found, "amount", Decimal))
        elif word == "Dealt Cards":
            draft.deal(key, _cards(found))
        elif word == "Fold":
            draft.fold(key)
        elif word == "Check":
            draft.call(key, 0)
        elif word == "Call":
            draft.call(key, _member(found, "amount", Decimal))
        elif word in ("Bet", "Raise"):
            draft.bet(key, cost=_member(found, "amount", Decimal))
        elif word == "Shows Cards":
            draft.show(key, _cards(found))
        elif word == "Mucks Cards":
            draft.show(key, ())
        else:
            raise BadHistory(f"action {word[:40]!r} cannot be replayed")

    def _pots(self) -> None:
        rakes: list[Decimal | int] = []
        for pot in _member(self.found, "pots", list, []):
            rakes += [_member(pot, key, Decimal) for key in ("rake", "jackpot") if _number(pot, key)]
            for win in _member(pot, "player_wins", list, []):
                self.draft.collect(_member(win, "player_id", int), _member(win, "win_amount", Decimal))
        if rakes and self.draft.collects:
            self.draft.rake = sum(rakes)

    def _fields(self) -> dict[str, object]:
        """Return further facts, under the names of the Poker Hand History standard."""
        found = self.found
        fields: dict[str, object] = {}
        for key, ours in (("site_name", "venue"), ("game_number", "hand"), ("table_name", "table")):
            text = _member(found, key, str, "")
            if text:
                fields[ours] = text
        currency = _member(found, "currency", str, "")
        if currency not in ("", "XPM", "PPC"):
            fields["currency"] = currency
        size = _member(found, "table_size", int, 0)
        if size:
            fields["seat_count"] = size
        return fields | _moment(_member(found, "start_date_utc", str, ""))


def _number(found: object, key: str) -> bool:
    return type(found) is dict and found.get(key) is not None


def _cards(found: object) -> tuple[Card, ...]:
    """Read cards given as a list of texts or as one text; both occur in practice."""
    cards = found.get("cards") if type(found) is dict else None
    if cards is None or cards in ("", []):
        return ()
    if type(cards) is str:
        return parse_known_or_not(cards.replace(" ", "").replace(",", ""))
    if type(cards) is not list or any(type(card) is not str for card in cards):
        raise BadHistory(f"cards are {cards!r:.40}: they must be a list of texts")
    return parse_known_or_not("".join(cards))


def _moment(text: str) -> dict[str, object]:
    if not text:
        return {}
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadHistory(
            f"start_date_utc is {text[:40]!r}: it must be such as 2024-03-04T05:06:07Z"
        ) from None
    utc = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    said = {"time": utc.time(), "time_zone": "UTC", "day": utc.day, "month": utc.month, "year": utc.year}
    return dict(said)
