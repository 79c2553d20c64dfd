"""Our own JSON lines: one hand a line without loss, each with the version of the format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any, Final, assert_never

from poker_actors.errors import BadCard, BadHistory
from poker_actors.history.hand_history import (
    RECORDED,
    ActionKind,
    ActionStep,
    BoardDealt,
    Comment,
    Dealt,
    Discarded,
    HandHistory,
    Note,
    Showed,
    Step,
)
from poker_actors.history.source import Chunk
from poker_actors.history.unknown import cards_text, parse_known_or_not
from poker_actors.jsontext import parse_json

VERSION: Final = 2
"""Increment it when older readers would misread a line of the new format.

Only a board that was run again needs 2; every other line is still written as 1, for older readers."""


def jsonl_text(history: HandHistory) -> str:
    """Return a hand as one line without its newline; raise `BadHistory` for a field that JSON cannot hold."""
    line: dict[str, object] = {
        "poker_actors": VERSION if history.run_again else 1,
        "game": history.game.name,
        "stacks": history.stacks,
        "blinds": history.blinds,
        "min_bet": history.min_bet,
    }
    for key in ("antes", "trimmed_antes", "players", "seats", "bring_in", "dead_small"):
        if getattr(history, key):
            line[key] = getattr(history, key)
    line["events"] = [_event(step) for step in history.steps]
    if history.run_again:
        line["run_again"] = list(map(cards_text, history.run_again))
    for key in ("finishing", "winnings", "rake"):
        if getattr(history, key) is not None:
            line[key] = getattr(history, key)
    if history.scale != 1:
        line["scale"] = history.scale
    if history.fields:
        line["fields"] = {key: _tagged(found) for key, found in history.fields.items()}
    if history.notes:
        line["notes"] = [[note.key, note.item, note.text, note.own_line] for note in history.notes]
    return json.dumps(line, ensure_ascii=True, separators=(",", ":"))


def _event(step: Step) -> dict[str, object]:
    event: dict[str, object]
    match step:
        case ActionStep(player, move, total):
            event = {"acted": player, "move": move.name.lower()}
            if move is ActionKind.RAISE:
                event["to"] = total
            if step.said is not None:
                event["paid"] = step.said
        case Dealt(player, cards):
            event = {"hole_dealt": player, "cards": cards_text(cards)}
        case Discarded(player, cards):
            event = {"discarded": player, "cards": cards_text(cards)}
        case BoardDealt(cards):
            event = {"street_dealt": cards_text(cards)}
        case Showed(player, ()):
            event = {"mucked": player}
        case Showed(player, cards):
            event = {"shown": player, "cards": cards_text(cards)}
        case Comment():
            event = {}
        case _:
            assert_never(step)
    if step.comment:
        event["comment"] = step.comment
    return event


def _tagged(found: object) -> object:
    """Return a TOML value as JSON; types that JSON lacks become an object with a `$` key."""
    match found:
        case Decimal():
            return {"$decimal": str(found)}
        case datetime():
            return {"$datetime": found.isoformat()}
        case date():
            return {"$date": found.isoformat()}
        case time():
            return {"$time": found.isoformat()}
        case list() | tuple():
            return [_tagged(one) for one in found]
        case Mapping():
            return {"$table": {key: _tagged(one) for key, one in found.items()}}
        case bool() | int() | str():
            return found
        case _:
            raise BadHistory(f"a {type(found).__name__} cannot be written as a field")


def jsonl_lines(lines: Iterable[str]) -> Iterator[Chunk]:
    """Yield each line that is not blank."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield Chunk(line, number)


def parse_jsonl(chunk: Chunk) -> HandHistory:
    """Read one line; raise `BadHistory`, naming the line."""
    try:
        found = parse_json(chunk.text)
    except ValueError as error:
        reason = getattr(error, "msg", "a number of too many digits")
        raise BadHistory(f"line {chunk.line}: not JSON: {reason}") from None
    try:
        return _history(found)
    except (BadHistory, BadCard) as error:
        raise BadHistory(f"line {chunk.line}: {error}") from None


def _history(found: object) -> HandHistory:
    line = _Line(found)
    if "poker_actors" not in line.left and "holes" in line.left:
        raise BadHistory(
            "this is a log of `simulate --jsonl`, which cannot be read back; write hands with --history"
        )
    version = line.take("poker_actors", int)
    if not 1 <= version <= VERSION:
        raise BadHistory(f"version {version} of the format: this reads versions 1 to {VERSION}")
    game = RECORDED.get(line.take("game", str))
    if game is None:
        raise BadHistory(f"the game must be one of {', '.join(RECORDED)}")
    stacks = line.numbers("stacks")
    size = len(stacks)
    if not 2 <= size <= game.max_seats or min(stacks) < 1:
        raise BadHistory(f"stacks {stacks!r:.40}: 2 to {game.max_seats} stacks above 0 are needed")
    history = HandHistory(
        game=game,
        stacks=stacks,
        blinds=line.numbers("blinds", size),
        min_bet=line.take("min_bet", int),
        steps=tuple([_step(event, size) for event in line.take("events", list)]),
        antes=line.numbers("antes", size) if "antes" in line.left else (),
        trimmed_antes=line.take("trimmed_antes", bool, False),
        players=line.texts("players"),
        seats=line.numbers("seats", size) if "seats" in line.left else (),
        finishing=line.numbers("finishing", size) if "finishing" in line.left else None,
        winnings=line.numbers("winnings", size) if "winnings" in line.left else None,
        rake=line.take("rake", int, None),
        scale=line.take("scale", int, 1),
        fields={key: _plain(one) for key, one in line.take("fields", dict, {}).items()},
        notes=tuple([_note(note) for note in line.take("notes", list, [])]),
        bring_in=line.take("bring_in", int, 0),
        dead_small=line.take("dead_small", int, 0),
        run_again=tuple(map(parse_known_or_not, line.texts("run_again"))),
    )
    line.check_end(history)
    return history


class _Line:
    """The object of a line, its members taken out one by one; those left at the end are unknown."""

    def __init__(self, found: object) -> None:
        if type(found) is not dict:
            raise BadHistory(f"{found!r:.40} is not an object")
        self.left: dict[str, Any] = found

    def take(self, key: str, kind: type[Any], default: object = ...) -> Any:
        found = self.left.pop(key, default)
        if found is ...:
            raise BadHistory(f"there is no {key!r}")
        if found is not default and type(found) is not kind:  # not isinstance: true would pass for a number
            raise BadHistory(f"{key} is {found!r:.40}: it must be {_WORDS[kind]}")
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        found = self.take(key, list, [])
        if any(type(one) is not str for one in found):
            raise BadHistory(f"{key} is {found!r:.40}: it must be strings")
        return tuple(found)

    def numbers(self, key: str, count: int | None = None) -> tuple[int, ...]:
        found = self.take(key, list)
        if (count is not None and len(found) != count) or any(type(one) is not int for one in found):
            raise BadHistory(f"{key} is {found!r:.40}: it must be whole numbers, one for each player")
        return tuple(found)

    def check_end(self, history: HandHistory) -> None:
        if self.left:
            raise BadHistory(f"{next(iter(self.left))!r:.40} is unknown to version {VERSION}")
        if history.players and len(history.players) != history.size:
            raise BadHistory(f"{len(history.players)} names for {history.size} players")
        amounts = (*history.antes, history.min_bet - 1, history.rake or 0, history.dead_small)
        if min(amounts) < 0 or history.scale not in _SCALES:
            raise BadHistory("antes, rake or min_bet are below their minimum, or scale is not a power of ten")


_WORDS: Final = {
    int: "a whole number",
    str: "a text",
    list: "a list",
    dict: "an object",
    bool: "true or false",
}
_SCALES: Final = (1, 10**2, 10**3, 10**4, 10**5, 10**6)


def _step(found: object, size: int) -> Step:
    event = _Line(found)
    comment = event.take("comment", str, "")
    step = _read_event(event, comment)
    if getattr(step, "player", 0) not in range(size):
        raise BadHistory(f"event {found!r:.60}: there are {size} players, from 0")
    if event.left:
        raise BadHistory(f"event {found!r:.60} is unknown to version {VERSION}")
    return step


def _read_event(event: _Line, comment: str) -> Step:
    match next(iter(event.left), ""):
        case "acted":
            return _turn(event, comment)
        case "hole_dealt":
            return Dealt(event.take("hole_dealt", int), _cards(event, "cards"), comment)
        case "discarded":
            return Discarded(event.take("discarded", int), _cards(event, "cards"), comment)
        case "street_dealt":
            return BoardDealt(_cards(event, "street_dealt"), comment)
        case "mucked":
            return Showed(event.take("mucked", int), (), comment)
        case "shown":
            return Showed(event.take("shown", int), _cards(event, "cards"), comment)
        case _:
            return Comment(comment)


def _turn(event: _Line, comment: str) -> ActionStep:
    player = event.take("acted", int)
    move = event.take("move", str)
    if move.upper() not in ActionKind.__members__ or move != move.lower():
        raise BadHistory(
            f"move {move!r:.20} must be one of {', '.join(one.name.lower() for one in ActionKind)}"
        )
    total = event.take("to", int) if move == "raise" else 0
    return ActionStep(player, ActionKind[move.upper()], total, comment, event.take("paid", int, None))


def _cards(event: _Line, key: str) -> tuple[Any, ...]:
    return parse_known_or_not(event.take(key, str))


def _note(found: object) -> Note:
    match found:
        case [str(key), int(item), str(text), bool(own_line)]:
            return Note(key, item, text, own_line)
        case _:
            raise BadHistory(f"note {found!r:.60} is not [key, item, text, own line]")


def _plain(found: object) -> object:
    """Return the TOML value of its JSON: the inverse of `_tagged`."""
    if isinstance(found, list):
        return [_plain(one) for one in found]
    if not isinstance(found, dict):
        if found is None or isinstance(found, float):
            raise BadHistory(f"a field holds {found!r}")
        return found
    match list(found.items()):
        case [("$table", dict(table))]:
            return {key: _plain(one) for key, one in table.items()}
        case [(str(tag), str(text))] if tag in _READERS:
            try:
                return _READERS[tag](text)
            except (ValueError, InvalidOperation):
                raise BadHistory(f"{text[:40]!r} is not a {tag[1:]}") from None
        case _:
            raise BadHistory(f"a field holds {found!r:.60}")


_READERS: Final[dict[str, Callable[[str], object]]] = {
    "$decimal": Decimal,
    "$datetime": datetime.fromisoformat,
    "$date": date.fromisoformat,
    "$time": time.fromisoformat,
}
