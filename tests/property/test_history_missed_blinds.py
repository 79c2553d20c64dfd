"""Hands with missed blinds, dead and short ones: the referee agrees, and every format gives them back."""

from __future__ import annotations

import random

import pytest

from poker_actors.cards import Deck
from poker_actors.errors import BadHistory
from poker_actors.history import FORMATS, parse, record, replay
from poker_actors.history.refereed import verdicts
from poker_actors.rules import GAMES, Game, Hand, Positions, Stakes
from poker_actors.rules.cash import posts_with_owed
from poker_actors.rules.games import Betting

HANDS = 60
STACKS = (1, 2, 3, 4, 5, 30, 100, 100, 200)


def random_hand(rng: random.Random, game: Game) -> Hand:
    """Play a hand at random: most have a dead small blind, a short stack or somebody who posts what was missed."""
    straddle = 0 if game.betting is Betting.FIXED_LIMIT else rng.choice([0, 0, 4])
    stakes = rng.choice([Stakes(rng.choice([1, 2]), 2, ante=rng.choice([0, 0, 1]), straddle=straddle),
                         Stakes(1, 2, big_blind_ante=2)])  # fmt: skip
    size, button = rng.randint(3, 8), rng.randrange(3)
    dealt = sorted(rng.sample(range(size), rng.randint(3, size)))
    order = sorted(dealt, key=lambda seat: (seat - button - 1) % size)
    gone = (button + 1) % size
    small, big = (order[0], order[1]) if gone in dealt else (gone, order[0])
    positions = Positions(button, small, big, tuple(dealt))
    stacks = [rng.choice(STACKS) if seat in dealt else 0 for seat in range(size)]
    owed = {
        seat: (rng.random() < 0.5, rng.random() < 0.7)
        for seat in dealt
        if seat not in (small, big) and rng.random() < 0.3
    }
    posts = posts_with_owed(positions, stacks, stakes, owed) if owed else None
    deck = Deck.seeded(rng.randrange(2**32))
    hand = Hand(stacks, stakes, deck=deck, button=button, game=game, positions=positions, posts=posts)
    while not hand.over:
        legal, luck = hand.legal, rng.random()
        if legal.max_raise_to and luck < 0.4:
            hand.raise_to(rng.choice([legal.min_raise_to, legal.max_raise_to]))
        elif luck < 0.9 or not legal.to_call:
            hand.check_or_call()
        else:
            hand.fold()
    return hand


@pytest.mark.parametrize("name", ["holdem", "limit-holdem", "pot-limit-holdem", "omaha"])
def test_random_hands_with_missed_dead_and_short_blinds_come_back_from_every_format(name: str) -> None:
    rng = random.Random(name)
    carried = dict.fromkeys(["jsonl", "phh", "pokerstars", "ohh"], 0)
    for number in range(HANDS):
        hand = random_hand(rng, GAMES[name])
        assert verdicts(hand) == (), number
        history = record(hand, hand_id=str(number + 1))
        for kind in carried:
            try:
                text = FORMATS[kind].text(history, 0)
            except BadHistory as error:
                assert "cannot carry" in str(error) or "no name for" in str(error)  # noqa: PT017  others are faults
                continue
            (found,) = parse(text, kind)
            again = replay(found)
            assert again.final_stacks == tuple(hand.stacks[seat] for seat in found.seats), (number, kind)
            assert verdicts(again.hand) == (), (number, kind)
            carried[kind] += 1
    assert carried["jsonl"] == HANDS
    assert carried["phh"] == (0 if name == "pot-limit-holdem" else HANDS)
    assert min(carried["pokerstars"], carried["ohh"]) > HANDS / 2
