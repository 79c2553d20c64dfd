"""The compiled single call: a numba C function that Python calls like one of its builtins.

It uses only public functions of the C API (`PyList_GetItem`, `PyLong_AsLong` and the like), so it assumes no object
layout. A list or tuple of five to seven natural cards is looked up directly; everything else (texts, jokers, faults)
goes to the plain `evaluate` and its errors.

Cards and small integers are interned, so a hash table of their addresses identifies a card without a call; the objects
are kept alive for that. Any other object is converted with `PyLong_AsLong`.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from random import Random
from typing import Any, Final

import numba
import numpy as np
import numpy.typing as npt
from numba import carray
from numba.core import types

from poker_actors.cards import CARDS
from poker_actors.evaluator.fast.compiling import bit_count, compiled, lowest_bit, pointer
from poker_actors.evaluator.fast.tables import (
    BAD_SHIFT,
    CARD_WORDS,
    FIVE_SUITED,
    HIGH_BITS,
    HIGH_SHIFT,
    JOKER_STRIDE,
    LOW_BITS,
    LOW_KEYS,
    SUIT_OVERFLOW,
    SUIT_SHIFT,
    flush_table,
    hand_tables,
)
from poker_actors.evaluator.single import evaluate as plain_evaluate

_WORD = np.uint64
_SIZES: Final = (5, 6, 7)
_KEYS_AT: Final = 0
_PLACE_AT: Final = _KEYS_AT + 8 * 256
_START_AT: Final = _PLACE_AT + 4 * (LOW_KEYS + LOW_KEYS % 2)
_FLUSH_AT: Final = _START_AT + 4 * JOKER_STRIDE * len(_SIZES)
_PLAIN_AT: Final = _FLUSH_AT + 2 * (1 << 13)
_SPREAD_AT: Final = _PLAIN_AT + 8
_KNOWN_AT: Final = _SPREAD_AT + 8
_SLOT_BITS: Final = 11
_SLOT_WORDS: Final = 4
_RANKED_AT: Final = _KNOWN_AT + (8 * _SLOT_WORDS << _SLOT_BITS)
"""Byte offsets of the tables within one block; multiples of eight, so that every table is aligned."""

_FIVE_SUITED: Final = _WORD(FIVE_SUITED)
_SUIT_OVERFLOW: Final = _WORD(SUIT_OVERFLOW)
_FIRST_OVERFLOW: Final = _WORD(SUIT_SHIFT + 3)
_HIGH_SHIFT: Final = _WORD(HIGH_SHIFT)
_HIGH_BITS: Final = _WORD(HIGH_BITS)
_LOW_BITS: Final = _WORD(LOW_BITS)
_BAD: Final = _WORD(1 << BAD_SHIFT)
_ONE: Final = _WORD(1)
_TWO: Final = _WORD(2)
_THREE: Final = _WORD(3)
_DECK: Final = _WORD(52)
_TO_SLOT: Final = _WORD(64 - _SLOT_BITS)

_object: Final[Any] = types.intp
_tuple_item: Final[Any] = types.ExternalFunction("PyTuple_GetItem", _object(_object, types.intp))
_tuple_size: Final[Any] = types.ExternalFunction("PyTuple_Size", types.intp(_object))
_list_item: Final[Any] = types.ExternalFunction("PyList_GetItem", _object(_object, types.intp))
_list_size: Final[Any] = types.ExternalFunction("PyList_Size", types.intp(_object))
_bytes_data: Final[Any] = types.ExternalFunction("PyBytes_AsString", types.intp(_object))
_as_long: Final[Any] = types.ExternalFunction("PyLong_AsLong", types.int64(_object))
_from_long: Final[Any] = types.ExternalFunction("PyLong_FromLong", _object(types.int64))
_clear_error: Final[Any] = types.ExternalFunction("PyErr_Clear", types.void())
_call: Final[Any] = types.ExternalFunction("PyObject_CallOneArg", _object(_object, _object))


@compiled
def _look_up(block, size, key, suit_masks):
    """Return the strength of a key of five to seven natural cards."""
    place = carray(pointer(block + _PLACE_AT), (LOW_KEYS,), np.uint32)
    start = carray(pointer(block + _START_AT), (3 * JOKER_STRIDE,), np.uint32)
    ranked = carray(pointer(block + _RANKED_AT), (1,), np.uint16)
    line = _WORD(size - 5) * _WORD(JOKER_STRIDE) + ((key >> _HIGH_SHIFT) & _HIGH_BITS)
    best = ranked[_WORD(start[line]) + _WORD(place[key & _LOW_BITS])]
    suits = (key + _FIVE_SUITED) & _SUIT_OVERFLOW
    if suits:
        flushes = carray(pointer(block + _FLUSH_AT), (1 << 13,), np.uint16)
        suit = (lowest_bit(suits) - _FIRST_OVERFLOW) >> _TWO
        mask = _WORD(0)
        for rank in range(13):
            mask |= ((suit_masks >> (_WORD(4 * rank) + suit)) & _ONE) << _WORD(rank)
        best = max(best, flushes[mask])
    return np.int64(best)


def _evaluate(block, cards):
    """Return a new reference to the strength, or the plain function's result or error."""
    data = _bytes_data(block)
    keys = carray(pointer(data), (256,), np.uint64)
    spread = carray(pointer(data + _SPREAD_AT), (1,), np.uint64)[0]
    known = carray(pointer(data + _KNOWN_AT), (_SLOT_WORDS << _SLOT_BITS,), np.uint64)
    is_list = True
    size = _list_size(cards)
    if size < 0:  # not a list: the error must be cleared before another API call
        _clear_error()
        is_list = False
        size = _tuple_size(cards)
    key = _BAD
    seen = _WORD(0)
    if 5 <= size <= 7:
        key = _WORD(0)
        for index in range(size):
            item = _list_item(cards, index) if is_list else _tuple_item(cards, index)
            slot = ((_WORD(item) * spread) >> _TO_SLOT) << _TWO
            if known[slot] == _WORD(item):
                key += known[slot + _ONE]
                seen |= known[slot + _TWO]
                continue
            card = _WORD(_as_long(item))
            if card >= _DECK:  # also -1, which means an error: no integer
                key = _BAD
                break
            key += keys[card]
            seen |= _ONE << card
    if key < _BAD and bit_count(seen) == _WORD(size):
        return _from_long(_look_up(data, size, key, seen))
    _clear_error()
    return _call(carray(pointer(data + _PLAIN_AT), (1,), np.intp)[0], cards)


class _MethodDef(ctypes.Structure):
    """A `PyMethodDef` of the C API."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_ONE_ARGUMENT: Final = 0x0008
"""`METH_O` of the C API: a function of one argument."""
_KEPT: Final[list[object]] = []
"""Objects that the C function points to, kept alive for good.

If a card were freed, another object could get its address and be taken for that card.
"""


def build() -> Callable[..., int]:
    """Compile or load the builtin, and return it if it agrees with the plain function, else the plain one."""
    if sys.implementation.name != "cpython" or not getattr(sys, "_is_gil_enabled", lambda: True)():
        return plain_evaluate  # the references to items are borrowed, which only the GIL makes safe
    signature = _object(_object, _object)
    try:
        code = numba.cfunc(signature, cache=True)(_evaluate)
    except RuntimeError:  # no writable cache directory: compile in every process
        code = numba.cfunc(signature)(_evaluate)
    definition = _MethodDef(b"evaluate", code.address, _ONE_ARGUMENT, (plain_evaluate.__doc__ or "").encode())
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
    function = make(ctypes.addressof(definition), _block(), "poker_actors.evaluator.fast")
    _KEPT.append((definition, code, plain_evaluate, *CARDS, *range(52)))
    return function if _agrees(function) else plain_evaluate


def _block() -> bytes:
    """Return all tables in one bytes object, which the compiled function receives as its `self`."""
    place = np.zeros(LOW_KEYS + LOW_KEYS % 2, dtype=np.uint32)
    place[:LOW_KEYS] = hand_tables(5).place
    starts, ranked, size = [], [], 0
    for cards in _SIZES:
        tables = hand_tables(cards)
        starts.append(tables.start[:JOKER_STRIDE] + np.uint32(size))
        ranked.append(tables.ranked)
        size += len(tables.ranked)
    parts = (
        CARD_WORDS,
        place,
        np.concatenate(starts),
        flush_table()[: 1 << 13],
        np.array([id(plain_evaluate)], dtype=np.intp),
        *_known_objects(),
        np.concatenate(ranked),
    )
    block = b"".join(part.tobytes() for part in parts)
    assert len(block) == _RANKED_AT + 2 * size
    return block


def _known_objects() -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return a multiplier that hashes each card object to a slot of its own, and the slots.

    A slot holds the object's address, the key of its card and the card's bit.
    """
    objects = {id(one): number for number in range(52) for one in (CARDS[number], number)}
    addresses = np.array(list(objects), dtype=np.uint64)
    # 104 objects in 2048 slots: about one odd factor in fourteen is free of collisions, so a few tries suffice. A
    # collision would not be wrong, only slow: the second object would be converted by a call every time.
    luck = Random(1)
    while True:
        factor = luck.getrandbits(64) | 1
        places = (addresses * np.uint64(factor)) >> np.uint64(64 - _SLOT_BITS)
        if len(np.unique(places)) == len(places):
            break
    slots = np.zeros((1 << _SLOT_BITS, _SLOT_WORDS), dtype=np.uint64)
    cards = np.array(list(objects.values()))
    slots[places, 0], slots[places, 1] = addresses, CARD_WORDS[cards]
    slots[places, 2] = np.uint64(1) << cards.astype(np.uint64)
    return np.array([factor], dtype=np.uint64), slots


def _agrees(function: Callable[..., int]) -> bool:
    """Whether the compiled function agrees with the plain one on hands of every kind."""
    for size in (*_SIZES, 4, 8):
        for first in range(0, 52 - size, 3):
            for step in (1, 2, 4, 5):
                cards = [(first + step * index) % 52 for index in range(size)]
                if len(set(cards)) == size and function(cards) != plain_evaluate(cards):
                    return False
    return True
