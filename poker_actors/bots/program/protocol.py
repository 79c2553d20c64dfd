"""The protocol of program bots, without processes: it turns views into lines and lines into actions.

The program reads lines of JSON on stdin, first a hello, then a turn whenever it is to act, and answers each with one
line of JSON on stdout. A program that answers the hello with version 2 is also told, before its next turn, that hands
began and how they ended; it does not answer these lines. `schema.json` beside this file defines all lines. The end of
stdin is the end of the match.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final

from poker_actors.bots.faults import BotFault
from poker_actors.bots.hearing import HandEnd, HandStart
from poker_actors.jsontext import parse_json
from poker_actors.rules import Action, Bet, Call, Check, Fold, RaiseTo, Taken, View

VERSION: Final = 1
HEARING: Final = 2
"""The version of a program that hears hands begin and end."""
LONGEST_REPLY: Final = 4096
"""Longest line of a program in bytes: an action takes at most 60, and a flood must not fill memory."""

_SEED_BITS: Final = 53
"""Bits of a seed: languages whose only numbers are doubles read 53 bits exactly."""
_PLAIN: Final[dict[str, Action]] = {"fold": Fold(), "check": Check(), "call": Call()}
_SIZED: Final[dict[str, type[Bet] | type[RaiseTo]]] = {"bet": Bet, "raise_to": RaiseTo}
_REPLY_KEYS: Final = frozenset(("act", "amount", "seat", "hand", "seq"))
_ENCODE: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of all lines: `hello`, `turn`, `hello_reply` and `reply` in `$defs`."""
    text = resources.files("poker_actors.bots.program").joinpath("schema.json").read_text(encoding="utf-8")
    read: dict[str, Any] = parse_json(text)
    return read


def hello_line() -> bytes:
    """Return the first line sent to a program."""
    return _line({"type": "hello", "protocol": "poker-actors-bot", "version": VERSION})


def turn_line(view: View) -> bytes:
    """Return the line that asks for an action: all the seat may know, and a seed for its luck.

    Amounts are chips, seats count from 0, cards are texts such as `As`.
    """
    public, legal, stakes = view.public, view.legal, view.stakes
    setup = public.setup
    bounds: dict[str, object] = {"fold": True, "check": legal.can_check, "call": legal.to_call}
    if legal.can_raise:
        bounds["bet" if legal.opening else "raise_to"] = [legal.min_raise_to, legal.max_raise_to]
    bounds["all_in"] = legal.all_in is not None
    return _line(
        {
            "type": "turn",
            "hand": view.hand_number,
            "seq": public.seq,
            "seed": None if view.hand_number is None else view.rng.getrandbits(_SEED_BITS),
            "game": view.game.name,
            "stakes": [stakes.small_blind, stakes.big_blind, stakes.ante],
            "seat": view.seat,
            "button": setup.button,
            "position": _position(view),
            "street": view.street,
            "hole": list(map(str, view.hole)),
            "board": list(map(str, view.board)),
            "pot": view.pot,
            "to_call": legal.to_call,
            "starting_stacks": list(setup.stacks),
            "stacks": list(public.chips_behind),
            "bets": list(public.chips_in_front),
            "live": list(public.seats_live),
            "legal": bounds,
            "actions": list(map(_taken, public.actions)),
        }
    )


def heard_line(news: HandStart) -> bytes:
    """Return the line that tells of a hand's start, or of its end.

    `names` and amounts are by seat. An end has the cards that were shown and the actions since the seat's last turn.
    """
    stakes, public = news.stakes, news.public
    told: dict[str, object] = {
        "type": "start",
        "hand": news.number,
        "game": news.game.name,
        "stakes": [stakes.small_blind, stakes.big_blind, stakes.ante],
        "seat": news.seat,
        "button": news.button,
        "names": list(news.names),
        "starting_stacks": list(news.stacks),
        "hole": list(map(str, news.hole)),
    }
    if isinstance(news, HandEnd):
        told |= {
            "type": "end",
            "boards": [list(map(str, board)) for board in public.boards],
            "shown": {str(seat): list(map(str, cards)) for seat, cards in public.shown},
            "actions": list(map(_taken, news.unheard)),
            "payoffs": list(news.payoffs),
            "stacks": list(news.final_stacks),
        }
    return _line(told)


def _position(view: View) -> int:
    """Return the seat's position among the seats dealt in: 0 is the button, 1 the first after it."""
    setup = view.public.setup
    size = len(setup.stacks)
    away = (view.seat - setup.button) % size
    return sum(1 for step in range(away) if setup.stacks[(setup.button + step) % size])


def _taken(taken: Taken) -> list[object]:
    action = taken.action
    match action:
        case Bet(amount):
            return [taken.street, taken.seat, "bet", amount]
        case RaiseTo(total):
            return [taken.street, taken.seat, "raise_to", total]
        case _:
            return [taken.street, taken.seat, str(action), 0]


def _line(value: dict[str, object]) -> bytes:
    return _ENCODE(value).encode("ascii") + b"\n"


def read_hello(line: bytes) -> int:
    """Return the version a program asks for in its hello; raises `BotFault` (`died`) for anything else."""
    answer = _object(line)
    if isinstance(answer, str) or answer.get("type") != "hello":
        raise BotFault("died", f"says {_shown(line)} instead of hello")
    version = answer.get("version")
    if type(version) is not int or version not in (VERSION, HEARING):
        spoken = f"{VERSION} or {HEARING}"
        raise BotFault("died", f"speaks version {version!r:.20} of the protocol: it must be {spoken}")
    return version


def read_reply(line: bytes, view: View) -> Action:
    """Parse a program's answer to `turn_line(view)`; legality is checked elsewhere.

    Raises `BotFault`: `nonsense` for a malformed answer, `lied` for one to another seat or turn, `illegal` for an
    `all_in` that the rules do not allow.
    """
    answer = _object(line)
    if isinstance(answer, str):
        raise BotFault("nonsense", f"answered {answer}")
    _check_turn(answer, view)
    act = answer.get("act")
    sized = _SIZED.get(act) if isinstance(act, str) else None
    if sized is not None:
        amount = answer.get("amount")
        if type(amount) is not int:
            raise BotFault("nonsense", f"answered {_shown(line)}: {act} needs an amount, a whole number")
        return sized(amount)
    if "amount" in answer:
        raise BotFault("nonsense", f"answered {_shown(line)}: only bet and raise_to have an amount")
    if act == "all_in":
        action = view.legal.all_in
        if action is None:
            raise BotFault("illegal", "all_in is not possible here")
        return action
    plain = _PLAIN.get(act) if isinstance(act, str) else None
    if plain is None:
        words = ", ".join((*_PLAIN, *_SIZED, "all_in"))
        raise BotFault("nonsense", f"answered {_shown(line)}: act must be {words}")
    return plain


def _check_turn(answer: dict[str, Any], view: View) -> None:
    """Check the parts of the turn that an answer may repeat: seat, hand and seq, if present, must be right."""
    unknown = answer.keys() - _REPLY_KEYS
    if unknown:
        raise BotFault("nonsense", f"answered with {min(unknown)!r:.40}, which is not part of an answer")
    for key, right in (("seat", view.seat), ("hand", view.hand_number), ("seq", view.public.seq)):
        if key in answer and answer[key] != right:
            raise BotFault("lied", f"answered for {key} {answer[key]!r:.40}: it was asked for {key} {right}")


def _object(line: bytes) -> dict[str, Any] | str:
    """Parse a JSON object; return a description of the line if it is not one."""
    try:
        value = parse_json(line)
    except ValueError:
        return f"{_shown(line)}, which is not JSON"
    return value if isinstance(value, dict) else f"{_shown(line)}, which is not a JSON object"


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "replace").strip()
    return repr(text if len(text) <= 60 else f"{text[:59]}…")
