"""The canonical record of a hand, and the digest that shows whether two runs played the same hands."""

from __future__ import annotations

import struct
from hashlib import blake2b
from typing import Any, Final

from poker_actors.rules import Hand

Played = tuple[int, Hand, tuple[int, ...]]
"""A hand's number, the finished hand, and the bots by seat."""

DIGEST_BITS: Final = 128
ENTRY_BYTES: Final = 8
"""The size of an entry of the log, which ends a record."""
_MASK: Final = (1 << DIGEST_BITS) - 1
_BEGUN: Final = blake2b(digest_size=DIGEST_BITS // 8)
"""Copied for each record: cheaper than a new hash."""
_PACKERS: Final[dict[int, struct.Struct]] = {}


def hand_record(number: int, hand: Hand) -> bytes:
    """Return everything decided in hand `number`, as the same bytes on every machine.

    First the cards dealt, a byte each, in the order of the deck: holes by seat, the board as far as
    it was dealt, then further boards. Then, as 64-bit little-endian integers: the number of the
    hand, the number of cards, the button, the stacks at the start and at the end by seat, and the
    log of actions, which includes the cards of discards.
    """
    cards = bytes(hand.cards_dealt)
    log = hand.log if hand.extra is None else hand.entries()  # saves a call for most hands
    values = (number, len(cards), hand.button, *hand.starting, *hand.stacks, *log)
    packer = _PACKERS.get(len(values))
    if packer is None:
        packer = _PACKERS[len(values)] = struct.Struct(f"<{len(values)}q")
    return cards + packer.pack(*values)


def hand_digest(number: int, hand: Hand) -> int:
    """Return the hash of a hand's record as a number.

    The digest of many hands is the sum of theirs, modulo 2**128: the order of the hands and their
    division among workers do not change it.
    """
    return record_digest(hand_record(number, hand))


def record_digest(record: bytes) -> int:
    """Return the hash of a record as a number."""
    begun = _BEGUN.copy()
    begun.update(record)
    return int.from_bytes(begun.digest(), "little")


def digest_text(total: int) -> str:
    """Write a sum of digests as 32 hexadecimal digits."""
    return f"{total & _MASK:032x}"


def hand_dict(number: int, hand: Hand) -> dict[str, Any]:
    """Return a finished hand as plain values: cards as text, chips whole, seats from 0."""
    extra: dict[str, Any] = {}
    if hand.options is not None:
        boards = ["".join(map(str, board)) for board in hand.boards[1:]]
        declined = list(hand.options.declined)
        extra = {
            "rake": hand.rake,
            "bomb_pot": hand.options.bomb_pot,
            "further_boards": boards,
            "declined": declined,
        }
    return {
        "hand": number,
        "game": hand.game.name,
        "stakes": str(hand.stakes),
        "button": hand.button,
        "stacks": list(hand.starting),
        "holes": ["".join(map(str, hole)) for hole in hand.holes],
        "board": "".join(map(str, hand.board)),
        "actions": [
            {"street": taken.street, "seat": taken.seat, "action": str(action)}
            for taken, action in zip(hand.public().actions, hand.whole_actions(), strict=True)
        ],
        "payoffs": list(hand.payoffs),
        **extra,
        "digest": digest_text(hand_digest(number, hand)),
    }
