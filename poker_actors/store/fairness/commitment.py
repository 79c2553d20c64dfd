"""Commitment to a deck: a Merkle tree over salted hashes, one for each card and its place.

A leaf is ``BLAKE2b("poker card", salt, place, card)``, a node ``BLAKE2b("poker node", left, right)``; an odd
node moves up unchanged. The commitment also covers the hand's name and the number of cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

from poker_actors.cards import Card
from poker_actors.frozen import value
from poker_actors.rules import Game

__all__ = [
    "HASH_BYTES",
    "SALT_BYTES",
    "Opening",
    "Places",
    "commit",
    "opening_at",
    "places_of",
    "root_of",
    "salt_at",
    "tree_of",
]


@value
class Places:
    """Places in the deck, from 0, of each seat's hole cards and of the board."""

    holes: dict[int, tuple[int, ...]]
    board: tuple[int, ...]
    count: int
    """the most cards that can be dealt"""


def places_of(game: Game, dealt: Sequence[int]) -> Places:
    """Return the places that `game` deals to the seats `dealt` if nobody folds."""
    holes: dict[int, tuple[int, ...]] = dict.fromkeys(sorted(dealt), ())
    board: tuple[int, ...] = ()
    at = 0
    for street in game.streets:
        if street.hole:
            for seat in holes:
                holes[seat] += tuple(range(at, at + street.hole))
                at += street.hole
        board += tuple(range(at, at + street.board))
        at += street.board
    return Places(holes, board, at)


HASH_BYTES: Final = 32
SALT_BYTES: Final = 16
"""128 bits that nobody can guess. Without a salt, 52 tries would reveal the card behind a hash."""


@value
class Opening:
    """The proof of one card: its salt, and the sibling hashes on the path to the root."""

    salt: bytes
    path: tuple[bytes, ...]


def salt_at(secret: bytes, place: int) -> bytes:
    """Return the salt of a place; it reveals nothing about the secret or other salts."""
    return blake2b(b"%d" % place, key=secret, digest_size=SALT_BYTES, person=b"poker salt").digest()


def tree_of(cards: Sequence[Card], secret: bytes) -> list[list[bytes]]:
    """Return the levels of the tree, from the leaves to the root."""
    level = [_leaf(salt_at(secret, place), place, card) for place, card in enumerate(cards)]
    levels = [level]
    while len(level) > 1:
        pairs = [_node(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
        level = pairs + level[len(pairs) * 2 :]
        levels.append(level)
    return levels


def opening_at(levels: Sequence[Sequence[bytes]], secret: bytes, place: int) -> Opening:
    """Return the proof of the card at `place`."""
    path = []
    at = place
    for level in levels[:-1]:
        if at ^ 1 < len(level):
            path.append(level[at ^ 1])
        at >>= 1
    return Opening(salt_at(secret, place), tuple(path))


def root_of(card: Card, place: int, count: int, opening: Opening) -> bytes | None:
    """Return the root that an opening leads to; None if its path has the wrong length."""
    found = _leaf(opening.salt, place, card)
    path = iter(opening.path)
    at = place
    while count > 1:
        if at ^ 1 < count:
            beside = next(path, None)
            if beside is None:
                return None
            found = _node(beside, found) if at & 1 else _node(found, beside)
        at >>= 1
        count = (count + 1) >> 1
    return found if next(path, None) is None else None


def commit(hand_id: str, count: int, root: bytes) -> bytes:
    """Return the commitment, published before the deal: it binds the hand's name and every card."""
    text = b"%s\n%d\n%s" % (hand_id.encode(), count, root)
    return blake2b(text, digest_size=HASH_BYTES, person=b"poker deal").digest()


def _leaf(salt: bytes, place: int, card: Card) -> bytes:
    text = b"%s%d %s" % (salt, place, str(card).encode())
    return blake2b(text, digest_size=HASH_BYTES, person=b"poker card").digest()


def _node(left: bytes, right: bytes) -> bytes:
    return blake2b(left + right, digest_size=HASH_BYTES, person=b"poker node").digest()
