"""Open-face hands that reach fantasy land, told line by line in `told_fantasy.txt`.

`python -m tests.traces.told_fantasy` rewrites it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.rules import GAMES, Game, Hand, Lay
from poker_actors.rules.event import Event
from tests.traces.told_hands import ending, line_of, words

BOOK: Final = Path(__file__).with_name("told_fantasy.txt")

QUEENS: Final = ("QsQd2c", "AsAd3c4c5d", "KsKdKc6h7h")
LOW: Final = ("2s3d5c", "7s7d9c8c4d", "8h8d9hThJh")
LADIES: Final = ("QcQh2d", "AcAh3h6d9d", "6s8s9sTsJs")
"""The rows of the first deal: the first and the third reach fantasy land."""

NAMES: Final = ("open-face", "open-face-pineapple")
SEEDS: Final = (1, 44)
"""With the second seed, a seat stays in fantasy land for another deal."""
STACKS: Final = ((200, 200), (200, 200, 200), (60, 11, 200), (200, 9))
"""In the first deal of the last two, a seat loses its last chips: two seats, or none, go on to fantasy land."""
HANDS: Final = [(name, stacks, seed) for name in NAMES for stacks in STACKS for seed in SEEDS]
"""The hands told."""


def title(name: str, stacks: tuple[int, ...], seed: int) -> str:
    """Return the headline of a hand."""
    return f"{name} {words(stacks)} seed {seed}"


def rounds_of(game: Game) -> list[list[tuple[int, int]]]:
    """Return the places that a seat fills, round by round, as (row, card)."""
    places = [(row, card) for row in range(3) for card in range((3, 5, 5)[row])]
    lays = [street.hole - street.throw for street in game.streets if street.hole]
    rounds = []
    for count in lays:
        rounds.append(places[:count])
        del places[:count]
    return rounds


def dealt(game: Game, stacks: tuple[int, ...], seed: int) -> tuple[Hand, list[Lay], list[Event]]:
    """Return a hand just dealt, the turns of its first deal, and the list that collects its events."""
    rows = [[parse_cards(row) for row in seat] for seat in (QUEENS, LOW, LADIES)[: len(stacks)]]
    known = {card for seat in rows for row in seat for card in row}
    left = [card for card in game.pack if card not in known]
    Random(seed).shuffle(left)
    order: list[Card] = []
    turns = []
    for place, laid in enumerate(rounds_of(game)):
        for seat in rows:
            ways = [tuple([seat[row][card] for row, card in laid if row == at]) for at in range(3)]
            turns.append(Lay(ways[0], ways[1], ways[2]))
            order += [card for way in ways for card in way]
            for _ in range(game.streets[min(place, len(game.streets) - 1)].throw):
                order.append(left.pop())
    heard: list[Event] = []
    deck = Deck([*order, *left], entropy=-1, key=b"told %d" % seed)
    hand = Hand(stacks, game.stakes, deck=deck, game=game, button=len(stacks) - 1, listener=heard.append)
    return hand, turns, heard


def choose(hand: Hand, luck: Random) -> Lay:
    """Choose a turn after the first deal: at random, or for 13 cards at once with four of a kind at the bottom, if any."""
    legal = hand.legal
    seat = hand.to_act[0]
    hole = hand.holes[seat]
    if len(hole) < 13:
        chosen = luck.choice(list(legal))
        assert isinstance(chosen, Lay)
        return chosen
    # four of a kind first, then pairs from the highest down, so that no row beats the one below it
    counts = Counter(card.rank for card in hole)
    order = sorted(hole, key=lambda card: (counts[card.rank], card.rank, str(card)), reverse=True)
    bottom, rest = order[:4], sorted(order[4:], key=lambda card: (counts[card.rank], card.rank, str(card)))
    bottom.append(rest.pop(0))
    thrown = len(hole) - 13
    top, middle = rest[thrown : thrown + 3], rest[thrown + 3 :]
    return Lay(tuple(top), tuple(middle), tuple(bottom))


def told(name: str, stacks: tuple[int, ...], seed: int) -> Iterator[str]:
    """Yield the lines of one hand: its events, the public state before each turn, and its end."""
    hand, turns, heard = dealt(GAMES[name], stacks, seed)
    luck = Random(seed)
    yield f"== {title(name, stacks, seed)}"
    while True:
        yield from map(line_of, heard)
        heard.clear()
        if hand.over:
            break
        public = hand.public()
        assert public.layout is not None
        yield f"  {public.phase}: {words(public.to_act)} to act, fantasy {public.layout.fantasy}, {hand.legal}"
        assert (public.bet, hand.min_raise_to, hand.shown_seats()) == (0, 0, ())
        yield f"  rows {words(public.layout.rows)} stacks {words(public.stacks)} hold {words(hand.holes)}"
        if turns:
            hand.act(turns.pop(0))
        elif len(hand.holes[hand.to_act[0]]) < 13 and luck.random() < 0.5:
            assert hand.check_or_call() == 0
        else:
            hand.act(choose(hand, luck))
    yield f"{hand!r}: decision {hand.decision}, street {hand.street}, bet {hand.bet}, strengths {hand.strengths}"
    layout = hand.public().layout
    assert layout is not None
    yield f"rows {words(layout.rows)} to act {list(hand.to_act)}"
    yield f"least raise {hand.min_raise_to} holes {words(hand.holes)}"
    yield from ending(hand)


if __name__ == "__main__":
    BOOK.write_text("\n".join("\n".join(told(*one)) for one in HANDS) + "\n", encoding="utf-8")
