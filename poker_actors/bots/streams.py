"""The seed tree: one number determines every deck and every bot's luck, hand by hand.

Root -> match -> hand -> (the deck, the stream of each bot), each step a BLAKE2b hash. So a hand depends on no hand
before it: any worker can play hand k of a match alone.
"""

from __future__ import annotations

import secrets
from hashlib import blake2b
from random import Random
from typing import Final

import attrs

from poker_actors.cards import STANDARD_DECK, Card, Deck
from poker_actors.errors import BadSpec

_KEY_BYTES: Final = 32
"""256 bits: two matches never share a key by chance."""
_ROOT_BITS: Final = 128
"""Bits of a drawn root. A bot sees numbers and cards that follow from the root, so anybody who can try all roots finds it,
and with it every card; 30 bits took an hour on one core."""
_DECK: Final = b"deck"
_BOT: Final = b"bot"


def drawn_seed() -> int:
    """Draw a root seed that nobody can guess: 39 digits, to be shown so that the run can be repeated."""
    return 1 << _ROOT_BITS | secrets.randbits(_ROOT_BITS)


def _root_key(root: int) -> bytes:
    if type(root) is not int:
        raise BadSpec(f"seed {root!r:.40} is not a whole number")
    return blake2b(b"%d" % root, digest_size=_KEY_BYTES, person=b"poker root").digest()


@attrs.frozen
class SeedTree:
    """The luck of match number `match` of those seeded by `root`, any integer.

    Raises `BadSpec` for a root that is not an integer.
    """

    root: int
    match: int = 0
    _key: bytes = attrs.field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        text = b"%d" % self.match
        key = blake2b(text, digest_size=_KEY_BYTES, key=_root_key(self.root), person=b"poker match").digest()
        object.__setattr__(self, "_key", key)

    @property
    def key(self) -> bytes:
        """Return the secret 32-byte key of the decks, for compiled code that deals the same decks as `deck`."""
        return self._key

    def deck(self, hand: int, cards: tuple[Card, ...] = STANDARD_DECK) -> Deck:
        """Return the deck of `hand`; `Deck.seeded` does the last hash."""
        return Deck.seeded(b"%s%s%d" % (self._key, _DECK, hand), cards)

    def rng(self, hand: int, bot: int) -> Random:
        """Return the random generator of bot number `bot` in `hand`."""
        return _rng(self.bot_key(bot), hand)

    def bot_key(self, bot: int) -> bytes:
        """Return the 32-byte key of a bot's luck: a hash, which reveals neither decks nor other bots' luck."""
        return blake2b(b"%s%d" % (_BOT, bot), digest_size=_KEY_BYTES, key=self._key).digest()

    def stream(self, hand: int, bot: int) -> HandStream:
        """Return the stream of `bot` in `hand`, as a `View` takes it."""
        stream = HandStream(self, bot)
        stream.hand = hand
        return stream


def _rng(key: bytes, hand: int) -> Random:
    digest = blake2b(b"%d" % hand, digest_size=_KEY_BYTES, key=key).digest()
    return Random(int.from_bytes(digest, "little"))


class HandStream:
    """A bot's own luck; a hand's generator is created when first asked for.

    A bot can reach its stream, so the stream holds only the bot's key and not the tree: decks and the luck of others
    cannot be derived from it, except by trying roots until one gives this key. See `drawn_seed`.

    Set `hand` to move to another hand. Creating a generator costs as much as dealing a hand, and most bots never use
    theirs.
    """

    __slots__ = ("_key", "_made", "_rng", "bot", "hand")

    def __init__(self, tree: SeedTree, bot: int) -> None:
        self._key = tree.bot_key(bot)
        self.bot: int = bot
        self.hand: int = 0
        self._made = -1
        self._rng: Random | None = None

    def rng(self) -> Random:
        """Return the generator of the current hand, the same object throughout the hand."""
        if self._rng is None or self._made != self.hand:
            self._rng = _rng(self._key, self.hand)
            self._made = self.hand
        return self._rng
