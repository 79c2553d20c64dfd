"""`poker-actors eval` and `equity`: rate hands in words and numbers, and compute equities of hands and ranges."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, cast

import attrs
from cyclopts import Parameter

from poker_actors.cli.output import INTERRUPTED, console, note, progress
from poker_actors.cli.values import JsonOption, to_be_printed
from poker_actors.errors import BadInput, BadSpec

if TYPE_CHECKING:
    from io import BufferedReader

    from poker_actors.evaluator import MadeHand
    from poker_actors.evaluator.equity import EquityResult

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

    Without a hand, read one hand per line from standard input, and answer each at once.

    Args:
        hand: Cards like `"Ah 7c Jd As 7h"`; a joker is `Xn`. HOLE/BOARD is an Omaha hand.
        omaha: An Omaha hand, HOLE/BOARD: two of its four to six cards, three of the board.
        short_deck: Rank by the order of the 36-card deck, where a flush beats a full house.
        low: Rank as a low instead; an Omaha hand has an eight-or-better low.
        row: Rank as an open-face row of three or five cards, and print its royalties.
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
        raise BadSpec("--omaha, --short-deck, --low and --row exclude each other: choose one")
    if row:
        return _row
    if low is not None:
        return lambda text: _low(text, low)
    if short_deck:
        return _short_deck
    return lambda text: _omaha(text) if "/" in text else _high(text)


def _show(*, libpoker: bool, seed5: bool) -> Callable[[dict[str, Any]], str]:
    """Return the function that makes the printed line of an answer; raise `BadSpec` if both are given."""
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
        raise BadSpec(f"{found['hand']} has no such number: give five cards ranked in the usual order")
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
        raise BadSpec(f"an open-face row of {size} cards is not finished: it needs 3 or 5")
    found = _high(text)
    strength = found["strength"]
    if size == 3:
        found["royalties"] = {"top": top_royalty(strength)}
    else:
        found["royalties"] = {"middle": middle_royalty(strength), "bottom": bottom_royalty(strength)}
    points = ", ".join(f"{name} {points}" for name, points in found["royalties"].items())
    found["line"] += f", royalty {points}"
    return found


Game = Literal[
    "holdem", "omaha", "short-deck", "omaha8", "limit-omaha8", "big-o", "courchevel8", "double-board-holdem",
    "double-board-omaha", "stud", "stud8", "razz", "five-card-draw", "2-7-single-draw",
    "2-7-triple-draw", "a-5-triple-draw", "badugi", "badacey", "badeucy",
]  # fmt: skip


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Deals:
    """Options that choose the deals and their number."""

    board: Annotated[str, Parameter(metavar="CARDS")] = ""
    """Up to five cards already on the board; two boards with / between them."""
    dead: Annotated[str, Parameter(metavar="CARDS")] = ""
    """Dead cards, which cannot be dealt."""
    game: Game = "holdem"
    """The game: in stud and draw games, give the cards known or kept, or `random` for none."""
    draws: int | None = None
    """In draw games, draws still to come; each hand keeps the cards that house bots would."""
    exact: bool = False
    """Count every board, however long it takes."""
    trials: int | None = None
    """Sample at most this many random deals, instead of counting every board."""
    stderr: float | None = None
    """Sample until no standard error is above this, in percent of the pot."""
    seed: int = 0
    """Seed of everything random: any whole number; the same gives the same random deals."""

    @property
    def error(self) -> float | None:
        """The wanted standard error as a fraction of the pot; raise `BadSpec` if it is out of range."""
        if self.stderr is not None and not 0 < self.stderr < 100:
            raise BadSpec(f"--stderr {self.stderr:g} is not between 0 and 100 (percent of the pot)")
        return None if self.stderr is None else self.stderr / 100


def equity(
    *hands: str,
    range: Annotated[list[str] | None, Parameter(name="--range")] = None,  # noqa: A002  the option's name
    deals: Deals | None = None,
    json: JsonOption = None,
) -> int | None:
    """Print the equities of two to ten hands or ranges: how much of the pot each can expect.

    Every board is counted if that takes a few seconds at most; otherwise boards are dealt at random. An interrupt ends
    random deals early with the equities so far.

    Args:
        hands: Known hands, `AsKs`, or ranges, `"QQ+, AKs, 76s-54s, 22+:0.5"`, one per player.
        range: The range of another player.
    """
    from poker_actors.evaluator.equity import equity as asked

    chosen = deals or Deals()
    with _shown() as advance:
        result = asked(
            [*hands, *(range or [])],
            chosen.board,
            dead=chosen.dead,
            game=chosen.game,
            method="exact" if chosen.exact else "auto",
            trials=chosen.trials,
            stderr=chosen.error,
            seed=chosen.seed,
            draws=chosen.draws,
            progress=advance,
        )
    if to_be_printed(json, attrs.asdict(result)):
        _print(result)
    if result.interrupted:
        note(f"interrupted after {result.boards:,} deals")
        return INTERRUPTED
    return None


@contextmanager
def _shown() -> Iterator[Callable[[int, int], None]]:
    """Yield a function of the work done and the total; its first call opens the progress bar.

    The total is not known before: the calculation decides whether to go through all boards or to sample.
    """
    with ExitStack() as stack:
        bar: list[Any] = []
        before = 0

        def advance(done: int, total: int) -> None:
            nonlocal before
            if not bar:
                bar.append(stack.enter_context(progress("equity", total)))
            bar[0](done - before)
            before = done

        yield advance


def _print(result: EquityResult) -> None:
    from rich.table import Table

    out = console()
    sign = "+-" if out.options.ascii_only else "\u00b1"
    table = Table(box=None, pad_edge=False)
    for name in ("hand", "equity", "win", "tie", *([] if result.exact else [sign])):
        table.add_column(name, justify="left" if name == "hand" else "right")
    for player in result.players:
        cells = [f"{100 * part:.4f} %" for part in (player.share, player.win, player.tie)]
        error = [] if result.exact else [f"{100 * player.stderr:.4f} %"]
        table.add_row(player.hand, *cells, *error)
    out.print(table)
    how = "boards, all of them" if result.exact else f"random deals; {sign} is one standard error"
    out.print(f"{result.boards:,} {how}")
