"""The two research games of examples/own_games.py against pokerkit's: every hand's rank, and random hands turn by turn."""

from __future__ import annotations

from itertools import combinations, groupby
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pokerkit import (
    Automation,
    Numeral211Holdem,
    Numeral211HoldemHand,
    RhodeIslandHoldemHand,
    RoyalRhodeIslandHoldem,
)

from poker_actors.cards import Deck
from poker_actors.rules import Game, Hand, game_named

OWN = Path(__file__).parents[2] / "examples" / "own_games.py"
ROWS = {
    "ROYAL_RHODE_ISLAND": (RoyalRhodeIslandHoldem, RhodeIslandHoldemHand),
    "NUMERAL_211": (Numeral211Holdem, Numeral211HoldemHand),
}
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def named(row: str) -> Game:
    return game_named(f"{OWN}:{row}")


@pytest.mark.parametrize("row", ROWS)
def test_every_three_cards_stand_where_pokerkit_has_them(row: str) -> None:
    game, (_, peer) = named(row), ROWS[row]
    found = []
    for cards in combinations(game.pack, 3):
        strength = game.strengths([cards[:1]], cards[1:])[0]
        found.append((strength, peer("".join(map(str, cards))).entry.index))
    found.sort()
    for _, tied in groupby(found, key=lambda pair: pair[0]):
        assert len({index for _, index in tied}) == 1
    assert [index for _, index in found] == sorted(index for _, index in found)
    assert len({strength for strength, _ in found}) == len({index for _, index in found})


@pytest.mark.parametrize("row", ROWS)
def test_random_hands_are_played_and_paid_as_pokerkit_does(row: str) -> None:
    game, luck = named(row), Random(row)
    for number in range(300):
        stacks = luck.choice([(game.stack, game.stack), (2 * game.stack, game.stack)])
        hand = Hand(stacks, game.stakes, deck=Deck.seeded(number, game.pack), button=1, game=game)
        play_both(hand, ROWS[row][0].create_state(AUTOMATIONS, raw_starting_stacks=stacks), luck)


def play_both(hand: Hand, state: Any, luck: Random) -> None:
    for seat in (0, 1):
        state.deal_hole(str(hand.holes[seat][0]))
    shown = 0
    while not hand.over:
        shown = deal_board(hand, state, shown)
        (seat, *_), legal = hand.to_act, hand.legal
        assert (seat, legal.to_call, legal.can_raise) == (
            state.actor_index,
            state.checking_or_calling_amount,
            state.can_complete_bet_or_raise_to(),
        )
        roll = luck.random()
        if roll < 0.08 and legal.to_call:
            hand.fold()
            state.fold()
        elif roll < 0.5 or not legal.can_raise:
            hand.check_or_call()
            state.check_or_call()
        else:
            assert legal.min_raise_to == state.min_completion_betting_or_raising_to_amount
            hand.raise_to(legal.min_raise_to)
            state.complete_bet_or_raise_to(legal.min_raise_to)
    deal_board(hand, state, shown)
    assert list(hand.stacks) == list(state.stacks)


def deal_board(hand: Hand, state: Any, shown: int) -> int:
    """Deal pokerkit the board cards that it has not been dealt; return how many there are."""
    for card in hand.board[shown:]:
        state.burn_card("??")
        state.deal_board(str(card))
    return len(hand.board)
