"""`poker-actors eval`: rate a hand, in words and in numbers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from poker_actors.cli.values import JsonOption, to_be_printed
from poker_actors.errors import BadInput, BadSpec

if TYPE_CHECKING:
    from io import BufferedReader

    from poker_actors.evaluator import MadeHand

__all__ = ["eval"]

_CHUNK: Final = 1 << 16
Low = Literal["ace-to-five", "deuce-to-seven"]
Answer = Callable[[str], dict[str, Any]]
"""Rates a hand, given as text; the dictionary is the JSON answer, and its `line`, if any, the text to print."""


def eval(  # noqa: A001  the command is called eval
    *hand: str,
    omaha: str | None = None,
    short_deck: bool = False,
    low: Low | None = None,
    row: bool = False,
    libpoker: bool = False,
    seed5: bool = False,
    json: JsonOption = None,
) -> None:
    """Say how strong a hand of up to nine cards is, jokers included.

    Without a hand, read one hand a line from standard input, and answer each at once.

    Args:
        hand: Cards like `"Ah 7c Jd As 7h"`; a joker is `Xn`. HOLE/BOARD is an Omaha hand.
        omaha: An Omaha hand, HOLE/BOARD: two of its four to six cards, three of the board.
        short_deck: Rank by the order of the 36-card deck, where a flush beats a full house.
        low: Rank as a low instead; an Omaha hand has an eight-or-better low.
        row: Rank as an open-face row of three or five cards, and say its royalties.
        libpoker: Print the number and the text of the poker-eval library.
        seed5: Print the rank from 0, the royal flush, to 7461, seven high, and the words.
    """
    answer = _chosen(short_deck=short_deck, low=low, row=row, omaha=omaha is not None)
    show = _show(libpoker=libpoker, seed5=seed5)
    if omaha is not None:
        if hand:
            raise BadSpec("a hand and --omaha are two hands: give one of them")
        if "/" not in omaha:
            raise BadSpec(f'--omaha "{omaha}" is not HOLE/BOARD')
    text = omaha if omaha is not None else " ".join(hand)
    if not text and not hand:
        _stream(answer, show, json)
        return
    found = answer(text)
    if to_be_printed(json, _data(found)):
        print(show(found))


def _stream(answer: Answer, show: Callable[[dict[str, Any]], str], json: JsonOption) -> None:
    """Answer the hands of standard input as they arrive: the program that writes them may wait for each answer."""
    if json is None:
        for answers in _answered(answer):
            lines: list[str] = []
            try:
                lines.extend(show(found) for found in answers)
            finally:  # a bad line must not swallow the answers to the good lines before it
                sys.stdout.write("".join(f"{line}\n" for line in lines))
                sys.stdout.flush()
        return
    with json.lines() as write_line:
        for answers in _answered(answer):
            for found in answers:
                write_line(_data(found))
            sys.stdout.flush()


def _answered(answer: Answer) -> Iterator[Iterator[dict[str, Any]]]:
    """Yield the answers in batches, one for each batch of lines that arrives."""
    number = 0
    for lines in _lines():
        yield _answers(answer, lines, number)
        number += len(lines)


def _answers(answer: Answer, lines: list[str], before: int) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, start=before + 1):
        text = line.strip()
        if text:
            try:
                yield answer(text)
            except BadInput as error:
                raise type(error)(f"line {number}: {error}") from None


def _lines() -> Iterator[list[str]]:
    """Yield the lines of standard input in batches: all that have arrived, without waiting for more."""
    rest = b""
    # typeshed declares a BinaryIO, which has no read1; read() would block until the buffer is full
    source = cast("BufferedReader", sys.stdin.buffer)
    while chunk := source.read1(_CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        yield [line.decode(errors="backslashreplace") for line in lines]
    if rest:
        yield [rest.decode(errors="backslashreplace")]


def _data(found: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without its `line`, which is for printing only."""
    return {name: value for name, value in found.items() if name != "line"}


def _chosen(*, short_deck: bool, low: Low | None, row: bool, omaha: bool) -> Answer:
    """Return the function that rates hands of the chosen kind; raise `BadSpec` if several are chosen."""
    if short_deck + (low is not None) + row > 1 or (omaha and (short_deck or row)):
        raise BadSpec("--omaha, --short-deck, --low and --row are kinds of hands: choose one")
    if row:
        return _row
    if low is not None:
        return lambda text: _low(text, low)
    if short_deck:
        return _short_deck
    return lambda text: _omaha(text) if "/" in text else _high(text)


def _show(*, libpoker: bool, seed5: bool) -> Callable[[dict[str, Any]], str]:
    """Return the function that makes the printed line of an answer; raise `BadSpec` for both options."""
    if libpoker and seed5:
        raise BadSpec("--libpoker and --seed5 are two ways to print: choose one")
    if libpoker:
        return lambda found: f"{_number(found, 'libpoker')} {found['libpoker_text']}"
    if seed5:
        return lambda found: f"{_number(found, 'score')} {found['words']}"
    return lambda found: str(found["line"] if "line" in found else found["words"])


def _number(found: dict[str, Any], name: str) -> int:
    number = found.get(name)
    if number is None:
        raise BadSpec(f"{found['hand']} has no such number: it takes five cards ranked in the usual order")
    return int(number)


def _high(text: str) -> dict[str, Any]:
    from poker_actors.evaluator import made_hand

    made = made_hand(text)
    if not made.cards:
        raise BadSpec("a hand of no cards has no strength")
    found = _standard(text, made.strength)
    found |= {
        "cards": [str(card) for card in made.cards],
        "kickers": [str(card) for card in made.kickers],
        "jokers": [str(card) for card in made.stands_for],
    }
    found["line"] = f"{found['words']} ({' '.join(found['cards'])}){_jokers(made)}"
    return found


def _jokers(made: MadeHand) -> str:
    return f", joker {' '.join(map(str, made.stands_for))}" if made.stands_for else ""


def _standard(text: str, strength: int) -> dict[str, Any]:
    """Return the words for a strength of the usual order, and its numbers in the scales of other programs."""
    return {"hand": text, **_named(strength)}


@cache
def _named(strength: int) -> dict[str, Any]:
    from poker_actors.evaluator import category, describe, libpoker, score

    value = libpoker.from_strength(strength)
    try:
        number = score(strength)
    except BadSpec:  # fewer than five cards
        number = None
    return {
        "strength": strength,
        "category": category(strength).name.lower(),
        "words": describe(strength, kickers=True),
        "score": number,
        "libpoker": value,
        "libpoker_text": libpoker.handval(value),
    }


def _omaha(text: str) -> dict[str, Any]:
    from poker_actors.evaluator import describe, evaluate_omaha, evaluate_omaha_low

    hole, _, board = text.partition("/")
    low = evaluate_omaha_low(hole, board)
    found = _standard(text, evaluate_omaha(hole, board))
    found |= {"low": low or None, "low_words": describe(low) if low else None}
    if low:
        found["line"] = f"{found['words']}; {describe(low)}"
    return found


def _low(text: str, kind: Low) -> dict[str, Any]:
    from poker_actors.evaluator import describe, evaluate_omaha_low, low_ace_to_five, low_deuce_to_seven

    if "/" in text:
        hole, _, board = text.partition("/")
        strength = evaluate_omaha_low(hole, board)
        words = describe(strength) if strength else "No low"
    else:
        strength = (low_ace_to_five if kind == "ace-to-five" else low_deuce_to_seven)(text)
        words = describe(strength)
    return {"hand": text, "strength": strength, "low": kind, "words": words}


def _short_deck(text: str) -> dict[str, Any]:
    from poker_actors.evaluator import category, describe, evaluate_short_deck

    strength = evaluate_short_deck(text)
    words = describe(strength, kickers=True)
    return {"hand": text, "strength": strength, "category": category(strength).name.lower(), "words": words}


def _row(text: str) -> dict[str, Any]:
    from poker_actors.cards import parse_cards
    from poker_actors.evaluator.openface import bottom_royalty, middle_royalty, top_royalty

    size = len(parse_cards(text))
    if size not in (3, 5):
        raise BadSpec(f"an open-face row of {size} cards is not finished: it has 3 or 5")
    found = _high(text)
    strength = found["strength"]
    if size == 3:
        found["royalties"] = {"top": top_royalty(strength)}
    else:
        found["royalties"] = {"middle": middle_royalty(strength), "bottom": bottom_royalty(strength)}
    points = ", ".join(f"{name} {points}" for name, points in found["royalties"].items())
    found["line"] += f", royalty {points}"
    return found
