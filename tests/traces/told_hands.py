"""Hands of every game, told line by line in `told_hands.txt`: `python -m tests.traces.told_hands` rewrites it."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final
from zlib import crc32

import attrs

from poker_actors.cards import Card, Deck
from poker_actors.errors import BadSpec
from poker_actors.rules import GAMES, Action, Bet, Call, Check, Discard, Fold, Game, Hand, RaiseTo, Stakes
from poker_actors.rules.cash import HandOptions, Rake
from poker_actors.rules.event import Acted, Event, Post, Posted

BOOK: Final = Path(__file__).with_name("told_hands.txt")


def numbers_of(name: str) -> range:
    """Return the numbers of a game's hands: two, or 20 for hold'em, which stay the same when games are added."""
    first = 2 * (crc32(name.encode()) % 4)
    return range(20) if name == "holdem" else range(first, first + 2)


NUMBERS: Final = [(name, number) for name in GAMES for number in numbers_of(name)]
"""The hands told."""
STAKES: Final = (
    Stakes(1, 2),
    Stakes(1, 2, ante=1),
    Stakes(2, 5, big_blind_ante=5),
    Stakes(1, 2, straddle=4),
    Stakes(0, 3),
)
STACKS: Final = (3, 9, 20, 40, 41, 100, 250)


def words(value: object) -> str:
    """Write a value in short, with cards in players' notation."""
    if isinstance(value, list | tuple):
        if value and all(isinstance(one, Card) for one in value):
            return "".join(map(str, value))
        return f"({' '.join(map(words, value))})"
    return str(value)


def line_of(event: Event) -> str:
    """Return the line of an event."""
    values = [words(getattr(event, field.name)) for field in attrs.fields(type(event))]
    said = f": {event.words()}" if isinstance(event, Acted) else ""
    return f"{type(event).__name__} {' '.join(values)}{said}"


def choose(hand: Hand, luck: Random) -> Action:
    """Choose a legal action of any kind."""
    legal = hand.legal
    if hand.game.open_face:
        return luck.choice(list(legal))
    if legal.discards:
        count = luck.randint(legal.must_discard, legal.discards)
        return Discard(tuple(luck.sample(hand.holes[hand.to_act[0]], count)))
    dice = luck.random()
    if legal.can_raise and dice < 0.35:
        low, high = legal.min_raise_to, legal.max_raise_to
        total = high if dice < 0.07 else low if dice < 0.25 else luck.randint(low, high)
        return RaiseTo(total) if hand.public().bet else Bet(total)
    if dice > 0.85 and Fold() in legal:
        return Fold()
    return legal.passive if legal.bring_in else Call() if legal.to_call else Check()


def settings(game: Game, number: int, luck: Random) -> dict[str, Any]:
    """Return the arguments of a hand; `number` decides rake, boards, bomb pots and posts."""
    size = luck.randint(2, min(game.max_seats, 6))
    stacks = [luck.choice(STACKS) for _ in range(size)]
    stakes = game.stakes_like(STAKES[number % len(STAKES)])
    chosen: dict[str, Any] = {
        "stacks": stacks,
        "stakes": stakes,
        "button": luck.randrange(size),
        "game": game,
    }
    if number % 4 == 1:
        chosen["options"] = HandOptions(Rake.parse("5%/3"), boards=2 if game.board_cards else 1)
    elif number % 4 == 2 and game.board_cards and not game.brings_in:
        chosen["options"] = HandOptions(bomb_pot=3, bomb_boards=1 + number % 8 // 4)
    elif number % 8 == 3 and not game.brings_in:
        order = [(chosen["button"] + place) % size for place in range(1, size + 1)]
        kinds = [
            (Post.SMALL_BLIND, 1),
            (Post.BIG_BLIND, 2),
            (Post.EXTRA_BLIND, 2),
            (Post.DEAD_BLIND, 1),
            (Post.ANTE, 1),
        ]
        chosen["posts"] = [Posted(order[place % size], *kind) for place, kind in enumerate(kinds)]
    return chosen


def told(game: Game, number: int) -> Iterator[str]:
    """Yield the lines of one hand."""
    luck = Random(f"{game.name} {number}")
    chosen = settings(game, number, luck)
    told = {name: words(value) for name, value in chosen.items() if name != "game"}
    yield f"== {game.name} {number}: {told}"
    heard: list[Event] = []
    try:
        hand = Hand(**chosen, deck=Deck.seeded(number, game.pack), listener=heard.append)
    except BadSpec as error:
        yield str(error)
        return
    played: list[Action] = []
    while True:
        yield from map(line_of, heard)
        heard.clear()
        public = hand.public()
        again = pickle.loads(pickle.dumps(public))
        assert (again, again.actions, hash(again)) == (public, public.actions, hash(public))
        if hand.over:
            break
        yield f"  {hand!r} bets {words(public.bets)} dead {words(hand.dead)} {words([(pot.amount, pot.seats) for pot in hand.pots])}"
        seat = hand.to_act[0]
        action, ways = choose(hand, luck), list(hand.legal)
        assert len(ways) == len(hand.legal)
        owed = [public.to_call(other) for other in range(len(public.stacks))]
        yield f"  {words(public.to_act)} owe {words(owed)}; {seat} may {hand.legal} up to {hand.legal.all_in}, {len(ways)} ways from {ways[0]} to {ways[-1]}: {action}"
        held = hand.holes[seat]
        hand.act(action)
        if isinstance(action, Discard):
            action = Discard(tuple(sorted(action.cards, key=held.index)))
        played.append(action)
    assert hand.whole_actions() == played
    yield from ending(hand)


def ending(hand: Hand) -> Iterator[str]:
    """Yield the lines for the results of a finished hand."""
    public = hand.public()
    yield f"paid {words(hand.payoffs)} raked {hand.rake} won {public.won} shown {words(hand.shown_seats())}"
    yield f"boards {words(hand.boards)} open {words(hand.open)} missing {hand.missing_blinds}"
    yield f"log {words(hand.entries())} marks {words(hand.marks)} stacks {words(public.log.put_in)}"
    yield " ".join(f"{one.street}:{one.seat}:{one.action}" for one in public.actions)
    if public.layout is not None:
        yield f"scored {[(words(deal.rows), deal.points, deal.chips) for deal in public.layout.scored]}"
    again = hand.replay()
    assert (again, again.copy()) == (hand, hand)
    options = hand.options
    if options is not None:
        assert HandOptions.unpacked(options.packed()) == options


if __name__ == "__main__":
    pages = ["\n".join(told(GAMES[name], number)) for name, number in NUMBERS]
    BOOK.write_text("\n".join(pages) + "\n", encoding="utf-8")
