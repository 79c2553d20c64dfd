"""Seed inputs for fuzzers: hands of several games, played with a fixed seed and written in every format."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from poker_actors.cards import Deck
from poker_actors.history import FORMATS, Entry, HandHistory, record
from poker_actors.history.source import read_lines, unread_of
from poker_actors.rules import GAMES, Game, Hand, Stakes

PLAYED = ("holdem", "limit-holdem", "omaha", "short-deck")


def played(luck: Random, game: Game, stacks: list[int], stakes: Stakes) -> Hand:
    """Return a finished hand of random legal actions."""
    hand = Hand(
        stacks,
        stakes,
        deck=Deck.seeded(luck.getrandbits(64), game.pack),
        button=luck.randrange(len(stacks)),
        game=game,
    )
    while not hand.over:
        legal = hand.legal
        roll = luck.random()
        if roll < 0.15:
            hand.fold()
        elif roll < 0.75 or not legal.can_raise or _most_called(hand) <= hand.bet:
            hand.check_or_call()
        else:
            hand.raise_to(min(legal.max_raise_to, legal.min_raise_to + luck.randrange(1, 60)))
    return hand


def _most_called(hand: Hand) -> int:
    """Return the highest bet that another player can match: pokerkit rejects raises that nobody can call."""
    others = [seat for seat in hand.live if seat != hand.to_act[0]]
    return max(hand.bets[seat] + hand.stacks[seat] for seat in others)


def recorded(count: int, seed: int = 1, *, antes: bool = False) -> Iterator[HandHistory]:
    """Yield histories of hands of two to nine players with short and deep stacks."""
    luck = Random(seed)
    for number in range(count):
        game = GAMES[PLAYED[number % len(PLAYED)]]
        stacks = [luck.choice((3, 20, 90, 200, 1000)) for _ in range(luck.randint(2, 9))]
        stakes = Stakes(1, 2, ante=luck.choice((0, 1)) if antes else 0)
        names = [f"player {seat}" for seat in range(len(stacks))]
        yield record(played(luck, game, stacks, stakes), players=names, hand_id=str(number))


def texts(name: str, count: int, seed: int = 1) -> list[str]:
    """Return hands as texts of one format, without those it cannot express."""
    skipped = {"ohh": ("short-deck",)}.get(name, ())
    found = FORMATS[name]
    return [found.text(hand, 0) for hand in recorded(count, seed) if hand.game.name not in skipped]


def read_all(data: bytes, name: str) -> list[Entry]:
    """Return every hand of `data`, read as a file of one format."""
    found = FORMATS[name]
    cut = found.cut(read_lines([data]))
    return [each.read(found.parse) for each in unread_of("input", name, cut)]
