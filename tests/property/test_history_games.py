"""Whatever game is played and however, each format that has a name for it gives the hand back."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_actors.cards import Deck
from poker_actors.errors import BadHistory
from poker_actors.history import FORMATS, HandHistory, parse, record, replay
from poker_actors.rules import GAMES, Discard, Game, Hand

SHORT = 20
"""Chips that are soon all in."""
RECORDED = [
    game
    for game in GAMES.values()
    if game.boards == 1 and not game.open_face and not game.name.startswith("five-card")
]
RECORDED += [GAMES["five-card-draw"], GAMES["limit-five-card-draw"]]


def played(game: Game, luck: Random) -> Hand:
    """A hand of random turns, short stacks among them."""
    seats = luck.randint(2, game.max_seats)
    stacks = [luck.choice([SHORT, 10 * SHORT]) for _ in range(seats)]
    deck = Deck.seeded(luck.getrandbits(40), game.pack)
    hand = Hand(stacks, game.stakes, deck=deck, game=game, button=luck.randrange(seats))
    while hand.to_act:
        legal, roll = hand.legal, luck.random()
        if legal.discards:
            hole = hand.holes[hand.to_act[0]]
            must = hand.game.streets[hand.street].throw
            hand.act(Discard(tuple(luck.sample(hole, must or luck.randint(0, legal.discards)))))
        elif roll < 0.1 and not hand.decision:
            hand.fold()
        elif roll < 0.75 or not legal.can_raise:
            hand.check_or_call()
        else:
            hand.raise_to(min(legal.max_raise_to, legal.min_raise_to * luck.randint(1, 2)))
    return hand


def by_seat(history: HandHistory, amounts: tuple[int, ...] | None) -> dict[int, int]:
    return dict(zip(history.seats, amounts or (), strict=True))


@pytest.mark.parametrize("game", RECORDED, ids=str)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_a_hand_of_any_game_is_paid_the_same_from_every_format(game: Game, seed: int) -> None:
    hand = played(game, Random(seed))
    history = record(hand, players=[f"player {seat}" for seat in range(len(hand.starting))])
    assert replay(history).final_stacks == history.finishing
    assert parse(FORMATS["jsonl"].text(history, 0), "jsonl") == [history]
    if game.code:
        assert parse(FORMATS["phh"].text(history, 0)) == [history]
    for name in ("pokerstars", "ohh"):
        text = ""
        with suppress(BadHistory):  # no name for the game
            text = FORMATS[name].text(history, 0)
        if not text:
            continue
        [back] = parse(text, name)
        assert by_seat(back, replay(back).final_stacks) == by_seat(history, history.finishing)
