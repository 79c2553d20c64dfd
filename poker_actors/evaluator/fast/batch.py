"""Strengths of arrays of hands, by the fastest engine installed."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from poker_actors.cards import Card, parse_cards
from poker_actors.errors import BadCard, BadInput, BadSpec, MissingExtra
from poker_actors.evaluator.order import SHORT_DECK, STANDARD
from poker_actors.evaluator.showdown import evaluate_omaha
from poker_actors.evaluator.single import MOST_CARDS, evaluate, evaluate_short_deck

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Strengths: TypeAlias = npt.NDArray[np.uint32]
    Hands: TypeAlias = npt.ArrayLike | Sequence[str] | Sequence[Sequence[Card]]


Engine: TypeAlias = Literal["auto", "numba", "numpy", "python"]
_NEEDS: Final = {"numba": ("numpy", "numba"), "numpy": ("numpy",), "python": ()}
_LOADED: Final = "poker_actors.evaluator.fast.compiling"
_SECONDS_A_HAND: Final = 2e-6
_SECONDS_AN_OMAHA_HAND: Final = 1e-5
"""Both measured on one core in plain Python; used only to choose an engine."""
_plain_seconds = 0.5
"""Seconds that small jobs may still spend in plain Python before compiled code is loaded.

Loading alone, without compiling, takes longer than this: numpy, numba, and what numba registers at its first call. So a
small job never waits for it, and many small jobs cost at most twice what loading at once would have. It needs no lock:
threads that subtract at the same time only blur the bound a little.
"""


@cache
def engine(wanted: Engine = "auto") -> Engine:
    """Return the best engine installed (numba, numpy, python), or check that the wanted one is.

    With `auto`, functions use numba only after enough work: see `engine_for`. Raises `MissingExtra` when the wanted
    engine is not installed, `BadSpec` for an unknown one.
    """
    if wanted == "auto":
        return next(name for name in ("numba", "numpy", "python") if not _missing(name))
    if wanted not in _NEEDS:
        raise BadSpec(f"engine {wanted!r} must be one of auto, {', '.join(_NEEDS)}")
    for module in _missing(wanted):
        raise MissingExtra("fast", module)
    return wanted


def engine_for(wanted: Engine, plain_seconds: Callable[[], float]) -> Engine:
    """Return the engine for a job; `plain_seconds` estimates its time in plain Python.

    It is plain Python while compiled code is not loaded and all such jobs together take less time than loading it.
    Raises as `engine` does.
    """
    global _plain_seconds  # noqa: PLW0603  # one allowance per process: numba is loaded once per process
    chosen = engine(wanted)
    if wanted != "auto" or chosen != "numba" or _LOADED in sys.modules:
        return chosen
    seconds = plain_seconds()
    if seconds > _plain_seconds:
        return chosen
    _plain_seconds -= seconds
    return "python"


def _missing(name: str) -> list[str]:
    return [module for module in _NEEDS[name] if find_spec(module) is None]


def strengths(hands: Hands, *, checked: bool = True, using: Engine = "auto") -> Strengths:
    """Return the strength of every hand, as `evaluate` gives it, jokers included.

    `hands` is an array of card numbers 0 to 53 of shape (n, k) with k up to nine, a sequence of sequences of cards, or
    a sequence of texts. Texts or sequences of different lengths work, but slowly. The result is an array of n uint16
    (without numpy an `array.array`).

    Raises as `evaluate` does, naming the hand. With ``checked=False`` a card given twice goes unnoticed; invalid
    numbers still raise, because the tables have no row for them.
    """
    return cast("Strengths", _evaluated(hands, using, STANDARD, checked=checked))


def short_deck_strengths(hands: Hands, *, checked: bool = True, using: Engine = "auto") -> Strengths:
    """Return the short-deck strength of every hand, as `evaluate_short_deck` does; see `strengths`.

    The result is an array of uint32, because these strengths exceed 16 bits.
    """
    return cast("Strengths", _evaluated(hands, using, SHORT_DECK, checked=checked))


def categories(values: Strengths) -> npt.NDArray[np.uint8]:
    """Return the categories, uint8 from 0 high card to 8 straight flush, of an array of standard strengths."""
    those: Any = values
    if isinstance(those, array):
        return cast("npt.NDArray[np.uint8]", array("B", [value >> 12 for value in those]))
    return cast("npt.NDArray[np.uint8]", (those >> 12).astype("uint8"))


def omaha_strengths(holes: Hands, boards: Hands, *, using: Engine = "auto") -> Strengths:
    """Return the strength of every Omaha hand: two of four to six hole cards, three of five board cards.

    The shapes are (n, 4 to 6) and (n, 5), or (1, 5) for a board shared by all; texts and sequences work too. The result
    is an array of n uint16. Raises as `evaluate_omaha` does, naming the hand.
    """
    if engine(using) == "python":
        return cast("Strengths", array("H", _each_omaha(holes, boards)))
    from poker_actors.evaluator.fast import dispatch

    rows = _sized(holes)
    chosen = engine_for(using, lambda: _SECONDS_AN_OMAHA_HAND * len(rows))
    held, shared = dispatch.read_hands(rows, chosen), dispatch.read_hands(boards, chosen)
    if held is None or shared is None:
        raise BadSpec("Omaha hands in one call must have the same number of cards, and boards of five")
    found, fault = dispatch.omaha(held, shared, chosen)
    if fault >= 0:
        board = shared[0 if len(shared) == 1 else fault]
        _explain(fault, lambda: evaluate_omaha(held[fault].tolist(), board.tolist()))
    return cast("Strengths", found)


def _each_omaha(holes: Any, boards: Any) -> Iterable[int]:
    rows, shared = list(holes), [parse_cards(board) for board in boards]
    if len(shared) not in (1, len(rows)):
        raise BadSpec(f"{len(shared)} boards for {len(rows)} hands: give one for each, or one for all")
    for row, hole in enumerate(rows):
        board = shared[0 if len(shared) == 1 else row]
        if len(board) != 5:
            raise BadSpec(
                f"hand {row}: a board of {len(board)} cards cannot be evaluated at once: it must have 5"
            )
        yield _named(row, lambda hole=hole, board=board: evaluate_omaha(hole, board))


def _evaluated(hands: Any, using: Engine, scale: int, *, checked: bool) -> Any:
    one = evaluate if scale == STANDARD else evaluate_short_deck
    if engine(using) == "python":
        return _one_by_one(hands, one, scale)
    from poker_actors.evaluator.fast import dispatch

    hands = _sized(hands)
    chosen = engine_for(using, lambda: _SECONDS_A_HAND * len(hands))
    read = dispatch.read_hands(hands, chosen)
    if read is None:
        return dispatch.as_array(_one_by_one(hands, one, scale))
    if read.shape[1] > MOST_CARDS:
        raise BadSpec(f"hands of {read.shape[1]} cards are too long: at most {MOST_CARDS} can be evaluated")
    found, fault = dispatch.evaluated(read, chosen, scale, checked=checked)
    if fault >= 0:
        _explain(fault, lambda: one(read[fault].tolist()))
    return found


def _sized(hands: Any) -> Any:
    return hands if hasattr(hands, "__len__") else list(hands)


def _one_by_one(hands: Iterable[Any], one: Any, scale: int) -> array[int]:
    rows = (hand if isinstance(hand, str) else list(hand) for hand in hands)
    found = [_named(row, lambda hand=hand: one(hand)) for row, hand in enumerate(rows)]
    return array("H" if scale == STANDARD else "I", found)


def _named(row: int, call: Any) -> int:
    try:
        return cast(int, call())
    except BadInput as error:
        raise type(error)(f"hand {row}: {error}") from None


def _explain(row: int, call: Any) -> None:
    """Raise the plain function's error for a hand that the fast one refused."""
    _named(row, call)
    raise BadCard(f"hand {row} is refused")


Evaluate: TypeAlias = Callable[[str | Iterable[Card | str | int]], int]


@cache
def fast_evaluate() -> Evaluate:
    """Return a compiled `evaluate`, about six times as fast, with the same results and errors.

    Call this once and keep the result: ``evaluate = fast_evaluate()``. Without numba it is `evaluate` itself.
    """
    if engine() != "numba":
        return evaluate
    from poker_actors.evaluator.fast import builtin

    return builtin.build()
