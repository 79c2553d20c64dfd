"""Read the Poker Hand History standard: `.phh` with one hand, `.phhs` with many."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from poker_actors.cards import Card
from poker_actors.errors import BadCard, BadHistory, Unplayed
from poker_actors.frozen import value
from poker_actors.history.draft import MOST_CHIPS, in_chips, read_amount, scale_of
from poker_actors.history.hand_history import (
    VARIANTS,
    ActionStep,
    Dealt,
    Discarded,
    HandHistory,
    Note,
    Showed,
    Step,
)
from poker_actors.history.phh_sections import HEADER, plain_table
from poker_actors.history.phh_write import DASH, raise_amount, read_step
from poker_actors.history.source import Chunk
from poker_actors.history.unknown import parse_known_or_not
from poker_actors.rules import Game

MOST_PLAYERS: Final = 10
_WHOLE: Final = {int}

Amount = Decimal | int


class Fields:
    """The fields of one hand, taken out one by one; those left at the end are kept unchanged.

    Every method raises `BadHistory`, naming line, field and value.
    """

    def __init__(self, found: dict[str, Any], chunk: Chunk) -> None:
        self.left = found
        self.chunk = chunk

    def wrong(self, key: str, reason: str, *, kind: type[BadHistory] = BadHistory) -> BadHistory:
        """Return an error with the line of a field."""
        place = re.search(rf"(?m)^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*=", self.chunk.text)
        line = self.chunk.line_at(place.start()) if place else self.chunk.line
        return kind(f"line {line}: {reason}")

    def take(self, key: str, kind: type[Any], what: str) -> Any:
        """Return a required field of type `kind`; `what` describes it in the error."""
        if key not in self.left:
            raise self.wrong(key, f"the hand has no {key}")
        found = self.left.pop(key)
        if type(found) is not kind:  # not isinstance: true would pass for a number
            raise self.wrong(key, f"{key} is {_shown(found)}: it must be {what}")
        return found

    def take_size(self, key: str) -> Amount:
        """Return a required amount above 0, in the units of the file."""
        if key not in self.left:
            raise self.wrong(key, f"the hand has no {key}")
        amount = self._amount(key, key, self.left.pop(key))
        if amount <= 0:
            raise self.wrong(key, f"{key} is {amount}: it must be above 0")
        return amount

    def take_amounts(self, key: str, count: int, least: int | None = 0) -> list[Amount]:
        """Return a required list of `count` amounts, each at least `least` unless that is None."""
        found = self.take(key, list, "a list of amounts")
        if len(found) != count:
            raise self.wrong(key, f"{key} has {len(found)} amounts for {count} players")
        whole = least is not None and set(map(type, found)) == _WHOLE
        if whole and least is not None and least <= min(found) and max(found) <= MOST_CHIPS:
            return list(found)  # whole amounts within the limits, as in most files, need no look one by one
        amounts = [self._amount(key, f"{key} of p{player}", one) for player, one in enumerate(found, 1)]
        for player, amount in enumerate(amounts, 1):
            if least is not None and amount < least:
                raise self.wrong(key, f"{key} of p{player} is {amount}: the minimum is {least}")
        return amounts

    def take_list(self, key: str, kind: type[Any], count: int) -> list[Any]:
        """Return an optional list of `count` values of type `kind`, one per player; empty if absent."""
        if key not in self.left:
            return []
        found: list[Any] = self.take(key, list, "a list")
        if len(found) != count or any(type(one) is not kind for one in found):
            word = {str: "texts", int: "whole numbers"}[kind]
            raise self.wrong(key, f"{key} is {_shown(found)}: it must be {count} {word}")
        return found

    def _amount(self, key: str, name: str, found: object) -> Amount:
        try:
            return read_amount(name, found)
        except BadHistory as error:
            raise self.wrong(key, str(error)) from None

    def action_lines(self) -> Iterator[int]:
        """Yield the line of each action, counting quoted strings after `actions =`."""
        opened = re.search(r"(?m)^[ \t]*actions[ \t]*=", self.chunk.text)
        place = opened.end() if opened else 0
        for text in re.finditer(r"\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'", self.chunk.text[place:]):
            yield self.chunk.line_at(place + text.start())


def _shown(found: object) -> str:
    text = repr(found)
    return text if len(text) <= 60 else text[:60] + "…"


_TOKEN: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"""+'
    r"|'''.*?'''+"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|(?P<comment>\#[^\n]*)"
    r"|(?P<open>[\[{])|(?P<close>[\]}])|(?P<comma>,)|(?P<equals>=)|(?P<line>\n)"
    r"|(?P<bare>[^\s\"'\#\[\]{},=]+)",
    re.DOTALL,
)


def notes_of(text: str) -> tuple[Note, ...]:
    """Return the comments in the text of one hand, which must be valid TOML."""
    return tuple(_notes(text))


def _notes(text: str) -> Iterator[Note]:
    key = ""
    depth = items = 0
    fresh = True  # whether the line is empty so far
    after_comma = False
    waiting: list[str] = []  # comments on lines of their own, which belong to the next field
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "line":
            fresh = True
            key = key if depth else ""
            continue
        if kind == "comment":
            words = token[0][1:].strip()
            if depth == 0 and not key:
                waiting.append(words)
            elif depth == 0:
                yield Note(key, -1, words, own_line=False)
            else:
                # after a comma on the same line, it belongs to the item before the comma
                yield Note(key, items - (after_comma and not fresh), words, own_line=fresh)
            continue
        if depth == 0 and kind in ("bare", None) and not key:
            key = token[0].strip("\"'")
            yield from (Note(key, -1, words, own_line=True) for words in waiting)
            waiting, items, after_comma = [], 0, False
        elif kind == "open":
            # the bracket of a header such as [1] opens no list
            depth += bool(depth or key)
        elif kind == "close":
            depth -= bool(depth)
        elif kind == "comma" and depth == 1:
            items += 1
        fresh = False
        after_comma = kind == "comma"
    yield from (Note("", -1, words, own_line=True) for words in waiting)


_AT_LINE: Final = re.compile(r" \(at line ([0-9]+), column [0-9]+\)$")
_OF_PLAYERS: Final = (ActionStep, Dealt, Discarded, Showed)
_AT_END: Final = " (at end of document)"


def parse_phh(chunk: Chunk) -> HandHistory:
    """Read one hand; raise `BadHistory` with its line, or `Unplayed` for bet sizes not played here."""
    fields = Fields(_table(chunk), chunk)
    game = _game(fields)
    money = _money(fields, game)
    size = len(money.stacks)
    actions = fields.take("actions", list, "a list of texts")
    scale = scale_of([*money.all(), *_raises(fields, actions)])
    trimmed = fields.left.pop("ante_trimming_status", False)
    if type(trimmed) is not bool:
        raise fields.wrong("ante_trimming_status", "ante_trimming_status is neither true nor false")

    run_again = _run_again(fields)

    def chips(found: list[Amount]) -> tuple[int, ...]:
        # at a scale of 1 no amount has decimals
        return tuple(found if scale == 1 else [in_chips(amount, scale) for amount in found])  # type: ignore[arg-type]  # so all are int

    return HandHistory(
        game=game,
        stacks=chips(money.stacks),
        blinds=chips(money.blinds),
        min_bet=in_chips(money.min_bet, scale),
        steps=_steps(fields, actions, scale, size),
        antes=chips(money.antes) if any(money.antes) else (),
        trimmed_antes=trimmed,
        players=tuple(fields.take_list("players", str, size)),
        seats=tuple([number - 1 for number in fields.take_list("seats", int, size)]),
        finishing=None if money.finishing is None else chips(money.finishing),
        winnings=None if money.winnings is None else chips(money.winnings),
        rake=None if money.rake is None else in_chips(money.rake, scale),
        scale=scale,
        fields=fields.left,
        notes=notes_of(chunk.text) if "#" in chunk.text else (),
        bring_in=in_chips(money.bring_in, scale),
        dead_small=in_chips(money.dead_small, scale),
        run_again=run_again,
    )


@value
class _Money:
    """The amounts of a hand, in the units of the file."""

    stacks: list[Amount]
    antes: list[Amount]
    blinds: list[Amount]
    min_bet: Amount
    finishing: list[Amount] | None
    winnings: list[Amount] | None
    rake: Amount | None
    bring_in: Amount
    dead_small: Amount

    def all(self) -> list[Amount]:
        """Return every amount, to find the scale that makes them whole."""
        found = [*self.stacks, *self.antes, *self.blinds, self.min_bet, self.bring_in]
        found += [*(self.finishing or ()), *(self.winnings or ())]
        return [*found, self.dead_small, self.rake or 0]


def _money(fields: Fields, game: Game) -> _Money:
    found = fields.left.get("starting_stacks")
    size = len(found) if isinstance(found, list) else 0
    if found is not None and not 2 <= size <= MOST_PLAYERS:
        raise fields.wrong("starting_stacks", f"{size} starting stacks: 2 to {MOST_PLAYERS} can play")
    stacks = fields.take_amounts("starting_stacks", size)
    if 0 in stacks:
        raise fields.wrong("starting_stacks", f"the stack of p{stacks.index(0) + 1} is 0: it cannot play")
    antes = fields.take_amounts("antes", size)
    blinds: list[Amount] = [0] * size
    if not game.brings_in or "blinds_or_straddles" in fields.left:
        blinds = fields.take_amounts("blinds_or_straddles", size, least=None)
    if size == 2:
        # heads-up the standard lists the small blind first, whose player, on the button, is last here
        antes.reverse()
        blinds.reverse()
    return _Money(
        stacks=stacks,
        antes=antes,
        blinds=blinds,
        min_bet=_min_bet(fields, game),
        finishing=fields.take_amounts("finishing_stacks", size)
        if "finishing_stacks" in fields.left
        else None,
        winnings=fields.take_amounts("winnings", size) if "winnings" in fields.left else None,
        rake=_ours(fields, "_rake"),
        bring_in=fields.take_size("bring_in") if game.brings_in else 0,
        dead_small=_ours(fields, "_dead_small_blind") or 0,
    )


def _table(chunk: Chunk) -> dict[str, Any]:
    """Read the TOML; raise `BadHistory` with the line in the file."""
    plain = plain_table(chunk.text)
    if plain is not None:
        return plain
    try:
        found = tomllib.loads(chunk.text, parse_float=Decimal)
    except RecursionError:
        raise BadHistory(f"line {chunk.line}: lists within lists, too deep to read") from None
    except (ValueError, ArithmeticError) as error:
        # tomllib raises plain ValueErrors for dates with a month 13 and numbers of 5,000 digits
        raise BadHistory(_toml_sentence(str(error), chunk)) from None
    first = next(iter(found.values()), None)
    if len(found) == 1 and isinstance(first, dict) and _has_header(chunk.text):
        return first
    return found


def _has_header(text: str) -> bool:
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    return HEADER.match(next(lines, "")) is not None


def _toml_sentence(message: str, chunk: Chunk) -> str:
    at = _AT_LINE.search(message)
    if at is not None:
        return f"line {chunk.line + int(at[1]) - 1}: {message[: at.start()]}"
    last = chunk.line_at(len(chunk.text.rstrip("\n")))
    if message.endswith(_AT_END):
        return f"line {last}: {message.removesuffix(_AT_END)}, the file ends here"
    return f"line {chunk.line}: {message[:200]}"


def _game(fields: Fields) -> Game:
    variant = fields.take("variant", str, "a code such as NT")
    game = VARIANTS.get(variant)
    if game is not None:
        return game
    known = ", ".join(VARIANTS)
    raise fields.wrong("variant", f"{variant[:20]!r} is not a variant of the standard (choose from {known})")


def _min_bet(fields: Fields, game: Game) -> Amount:
    if not game.bets_per_street:
        return fields.take_size("min_bet")
    small, big = fields.take_size("small_bet"), fields.take_size("big_bet")
    if big != 2 * small:
        text = f"big bet {big} is not twice the small bet {small}: no such limit is played here"
        raise fields.wrong("big_bet", text, kind=Unplayed)
    return small


def _ours(fields: Fields, key: str) -> Amount | None:
    """Return an amount in a field of our own: the standard has no rake, and no blind that nobody posted."""
    found = fields.left.get(key)
    if type(found) not in (int, Decimal):
        return None
    try:
        amount = read_amount(key, fields.left.pop(key))
    except BadHistory as error:
        raise fields.wrong(key, str(error)) from None
    if amount < 0:
        raise fields.wrong(key, f"{key} is {amount}: the minimum is 0")
    return amount


def _run_again(fields: Fields) -> tuple[tuple[Card, ...], ...]:
    """Take the cards of further runs, in a field of our own: the standard has one board."""
    found = fields.left.get("_run_again")
    if found is None:
        return ()
    try:
        runs = tuple([parse_known_or_not(text) for text in found])
    except (BadCard, TypeError) as error:
        raise fields.wrong("_run_again", f"_run_again is {found!r:.40}: {error}") from None
    del fields.left["_run_again"]
    return runs


def _raises(fields: Fields, actions: list[object]) -> list[Amount]:
    if set(map(type, actions)) == {str} and "." not in "".join(actions):  # type: ignore[arg-type]  # all are str
        return []  # whole amounts do not change the scale, and `read_step` checks them
    amounts = []
    for number, action in enumerate(actions):
        if type(action) is not str:
            raise fields.wrong("actions", f"action {number + 1} is {action!r:.40}: it must be a text")
        if "." in action and "cbr" in action:
            amount = raise_amount(action)
            try:
                amounts += [] if amount is None else [read_amount("the amount", amount)]
            except BadHistory as error:
                raise _at_action(fields, number, f"action {action[:60]!r}: {error}") from None
    return amounts


def _steps(fields: Fields, actions: list[str], scale: int, size: int) -> tuple[Step, ...]:
    steps: list[Step] = []
    for number, action in enumerate(actions):
        try:
            step = read_step(action, scale)
        except BadHistory as error:
            raise _at_action(fields, number, str(error)) from None
        if type(step) is Showed and step.cards == DASH:
            step = _dash_named(step, steps)
        if isinstance(step, _OF_PLAYERS) and step.player >= size:
            raise _at_action(fields, number, f"action {action[:60]!r}: there are {size} players")
        steps.append(step)
    return tuple(steps)


def _dash_named(show: Showed, before: list[Step]) -> Showed:
    """Put the cards held by the player into a show written as a dash."""
    held: list[Card] = []
    for step in before:
        if type(step) is Dealt and step.player == show.player:
            held += step.cards
        elif type(step) is Discarded and step.player == show.player:
            held = [card for card in held if card not in step.cards]
    return Showed(show.player, tuple(held), show.comment)


def _at_action(fields: Fields, number: int, message: str) -> BadHistory:
    lines = fields.action_lines()
    line = next((line for place, line in enumerate(lines) if place == number), fields.chunk.line)
    return BadHistory(f"line {line}: {message}")
