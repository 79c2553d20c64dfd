"""Thousands of random hands against pokerkit: legal bounds at every turn, and the payoffs.

Both play the same cards and the same actions. Where the two disagree on purpose, the difference is a
row of `ACCEPTED`, found by a condition on the hand and not by skipping it; anything else fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import attrs
import pytest
from pokerkit import (
    Automation,
    FixedLimitTexasHoldem,
    NoLimitShortDeckHoldem,
    NoLimitTexasHoldem,
    PotLimitOmahaHoldem,
    State,
)

from poker_actors.cards import Deck
from poker_actors.rules import GAMES, Game, Hand, Legal, Stakes

ACCEPTED = {
    "short blind": "A big blind posted short is still a whole bet to call, and counts whole in a pot-limit maximum before the flop "
    "(TDA 2024, 54-B). pokerkit goes by the chips posted. A hand is compared until the calls differ.",
    "idle turn": "Nobody is asked when nothing can be answered: the only other seats are all-in for no more. "
    "pokerkit asks for a check.",
    "idle raise": "A seat may raise while another has chips behind, though that one could not call more than the bet "
    "(no rule of TDA 2024 forbids it, the excess comes back). pokerkit refuses.",
    "short first raise": "An all-in that is no full raise of the big blind, or after the flop no full bet, does not reopen "
    "the betting to who has called or checked (TDA 2024, 47-A, example 3-A). pokerkit takes a first raise for a full one.",
    "short sum": "Who faces a full raise in sum may raise (TDA 2024, 47-A, example 1). pokerkit begins to count anew once short "
    "all-ins have added up to one, and takes the rest for too little.",
    "half bet": "Fixed limit: an all-in of half a bet reopens the betting (TDA 2024, 47-B) and counts as a bet; one of "
    "less is completed. pokerkit counts every all-in as a raise and adds a whole bet to it.",
    "odd chips": "Each pot is split on its own (TDA 2024, 21) with one odd chip a seat from the left of the button (20-A). "
    "pokerkit gives all odd chips of a pot to one seat, of pots laid together once the beaten hands are gone.",
    "ante first": "A big blind too short for blind and ante posts the blind first (TDA 2024, RP-11). pokerkit posts the "
    "ante first; such stacks are not dealt here.",
    "equal blinds heads-up": "The button acts first before the flop (TDA 2024, 34-B). With blinds of one size pokerkit has "
    "the other seat open; such stakes are not dealt here.",
    "straddle": "The straddle is the size of the first raise. pokerkit is told so: its own is the big blind.",
    "four bets": "Fixed limit: the big blind is the first of four bets (TDA 2024, 48: the house limit). pokerkit is told "
    "so: its own are four raises over the blind.",
}
"""What is different on purpose, and by which rule. The last four are settled before the cards."""

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
THEIRS: dict[str, Callable[..., State]] = {
    "holdem": NoLimitTexasHoldem.create_state,
    "limit-holdem": FixedLimitTexasHoldem.create_state,
    "omaha": PotLimitOmahaHoldem.create_state,
    "short-deck": NoLimitShortDeckHoldem.create_state,
}
EVEN = 2520
"""Chips in multiples of this leave no odd chip, whatever the number of winners up to ten."""


@attrs.define
class Duel:
    """One hand on two engines; `found` counts the accepted differences it came by."""

    ours: Hand
    theirs: State
    order: list[int]
    """our seats, in the order of theirs"""
    found: Counter[str] = attrs.Factory(Counter)
    parted: bool = False

    def deal(self) -> None:
        """Give their table the cards that ours has."""
        board = self.ours.cards[len(self.ours.cards) - self.ours.game.board_cards :]
        while True:
            if self.theirs.can_burn_card("??"):
                self.theirs.burn_card("??")
            elif self.theirs.can_deal_hole():
                index = self.theirs.hole_dealee_index
                assert index is not None
                have = len(self.theirs.hole_cards[index])
                self.theirs.deal_hole(str(self.ours.holes[self.order[index]][have]))
            elif self.theirs.can_deal_board():
                have = len(list(self.theirs.get_board_cards(0)))
                self.theirs.deal_board("".join(map(str, board[have : have + (1 if have else 3)])))
            else:
                return

    def compare_turn(self) -> None:
        seat = self.ours.to_act[0]
        assert self.theirs.actor_index is not None, f"only we ask: {self.ours!r}"
        assert self.order[self.theirs.actor_index] == seat
        legal = self.ours.legal
        if self.theirs.checking_or_calling_amount != legal.to_call:
            self.accept("short blind", short_blind(self.ours))
            self.parted = True
            return
        low = self.theirs.min_completion_betting_or_raising_to_amount or 0
        high = self.theirs.max_completion_betting_or_raising_to_amount or 0
        if (low, high) != (legal.min_raise_to, legal.max_raise_to):
            self.accept(*difference(self.ours, self.theirs, legal, bool(high)))

    def accept(self, name: str, holds: bool) -> None:
        shown = f"{name}: {self.ours!r} {self.ours.legal} {self.ours.bets} {self.ours.stacks}, theirs {self.theirs.bets}"
        assert holds, shown
        self.found[name] += 1

    def take_turn(self, luck: Random) -> None:
        """Take a turn that both allow."""
        legal = self.ours.legal
        low = max(legal.min_raise_to, self.theirs.min_completion_betting_or_raising_to_amount or 0)
        high = min(legal.max_raise_to, self.theirs.max_completion_betting_or_raising_to_amount or 0)
        choice = luck.random()
        if choice < 0.15 and self.theirs.can_fold():
            self.ours.fold()
            self.theirs.fold()
        elif choice < 0.65 or not 0 < low <= high:
            self.ours.check_or_call()
            self.theirs.check_or_call()
        else:
            unit = self.ours.stakes.big_blind
            total = luck.choice([low, low, high, min(high, low + unit * luck.randint(0, 4))])
            self.ours.raise_to(total)
            self.theirs.complete_bet_or_raise_to(total)

    def play(self, luck: Random) -> None:
        self.deal()
        while not self.ours.over:
            self.compare_turn()
            if self.parted:
                return
            self.take_turn(luck)
            self.deal()
        while self.theirs.actor_index is not None:
            self.accept("idle turn", self.theirs.checking_or_calling_amount == 0)
            self.theirs.check_or_call()
            self.deal()
        self.compare_payoffs()

    def compare_payoffs(self) -> None:
        assert not self.theirs.status
        payoffs = dict(zip(self.order, self.theirs.payoffs, strict=True))
        theirs = tuple(payoffs[seat] for seat in range(len(payoffs)))
        if self.ours.payoffs != theirs:
            odd = sum(abs(mine - other) for mine, other in zip(self.ours.payoffs, theirs, strict=True))
            assert self.ours.strengths is not None
            ties = len(self.ours.strengths) - len(set(self.ours.strengths))
            some_odd = any(amount % EVEN for amount in self.ours.starting)
            self.accept("odd chips", some_odd and 0 < odd <= 2 * len(self.ours.live) * ties)


def short_blind(hand: Hand) -> bool:
    """Whether some blind is short and sets what their table asks for, before the flop."""
    return hand.phase == "preflop" and hand.missing_blinds > 0


def difference(hand: Hand, theirs: State, legal: Legal, they_raise: bool) -> tuple[str, bool]:
    """Say which row a difference of raises is, and whether its condition holds."""
    seat = hand.to_act[0]
    if hand.game.name == "limit-holdem" and uneven(hand):
        return "half bet", True
    if hand.game.name == "omaha" and they_raise and legal.can_raise:
        return "short blind", short_blind(hand)
    if legal.can_raise:
        answers = [
            o for o in hand.live if o != seat and hand.stacks[o] and hand.stacks[o] + hand.bets[o] > hand.bet
        ]
        if not they_raise and theirs.consecutive_short_all_in_amounts and answers:
            return "short sum", 0 <= hand.acted[seat] <= hand.bet - hand.min_raise
        return "idle raise", not they_raise and not answers
    full_bets = hand.raises - (1 if hand.phase == "preflop" else 0)
    short = hand.acted[seat] >= 0 and hand.bet - hand.acted[seat] < hand.min_raise
    return "short first raise", they_raise and full_bets == 0 and short


def uneven(hand: Hand) -> bool:
    """Whether an all-in on this street was no whole number of bets."""
    unit = hand.min_raise
    return any(hand.bets[seat] % unit for seat in range(len(hand.bets)) if not hand.stacks[seat])


def stakes_of(luck: Random, game: Game, seats: int, unit: int) -> Stakes:
    big = luck.choice([2, 10, 100]) * unit
    smalls = [big // 2, big // 2, big // 2, max(unit, big // 3 // unit * unit)]
    small = luck.choice(smalls + ([big] if seats > 2 else []))
    kind = luck.choice(["", "", "ante", "big blind ante", "straddle"])
    return Stakes(
        small,
        big,
        ante=luck.choice([unit, big // 2 // unit * unit, big]) if kind == "ante" else 0,
        big_blind_ante=big if kind == "big blind ante" else 0,
        straddle=2 * big if kind == "straddle" and seats > 2 else 0,
    )


def duel_of(luck: Random, game: Game) -> Duel:
    seats = luck.choice([2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10])
    unit = luck.choice([1, EVEN])
    stakes = stakes_of(luck, game, seats, unit)
    big = stakes.big_blind // unit
    covered = luck.random() < 0.8 or stakes.big_blind_ante
    least = (
        (stakes.big_blind + stakes.straddle + stakes.ante + stakes.big_blind_ante) // unit if covered else 1
    )
    tops = [least + 3 * big, least + 20 * big, least + 200 * big]
    stacks = [luck.randint(least, luck.choice(tops)) * unit for _ in range(seats)]
    deck = Deck.seeded(luck.getrandbits(64), game.pack)
    hand = Hand(stacks, stakes, deck=deck, button=luck.randrange(seats), game=game)
    order = [(hand.button + 1 + place) % seats for place in range(seats)]
    return Duel(hand, state_of(hand, order), order)


def state_of(hand: Hand, order: list[int]) -> State:
    """Their table for our hand; told of `straddle` and `four bets`."""
    stakes = hand.stakes
    blinds = [stakes.small_blind, stakes.big_blind, *([stakes.straddle] if stakes.straddle else [])]
    limit = hand.game.name == "limit-holdem"
    bets = (stakes.min_bet, 2 * stakes.min_bet) if limit else (stakes.min_bet,)
    state = THEIRS[hand.game.name](
        AUTOMATIONS,
        not stakes.big_blind_ante,
        {1: stakes.big_blind_ante} if stakes.big_blind_ante else stakes.ante,
        tuple(blinds),
        *bets,
        tuple(hand.starting[seat] for seat in order),
        len(order),
    )
    first, *later = state.streets
    if stakes.straddle and not limit:
        first = replace(first, min_completion_betting_or_raising_amount=stakes.straddle)
    if limit:
        first = replace(first, max_completion_betting_or_raising_count=2 if stakes.straddle else 3)
    state.streets = (first, *later)
    return state


def play_many(game: Game, hands: int, seed: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for number in range(hands):
        luck = Random(f"{seed}/{game.name}/{number}")
        duel = duel_of(luck, game)
        try:
            duel.play(luck)
        except AssertionError as error:
            error.add_note(f"hand {number} of seed {seed}: {duel.ours!r}, log {duel.ours.log}")
            raise
        found += duel.found
        found["hands"] += 1
    return found


@pytest.mark.parametrize("game", [GAMES[name] for name in THEIRS], ids=str)
def test_random_hands_have_the_bounds_and_payoffs_of_pokerkit(game: Game) -> None:
    found = play_many(game, 60, seed=1)
    assert set(found) <= {"hands", *ACCEPTED}


@pytest.mark.heavy
@pytest.mark.parametrize("game", [GAMES[name] for name in THEIRS], ids=str)
def test_6000_hands_of_a_game_have_the_bounds_and_payoffs_of_pokerkit(game: Game) -> None:
    print(game, dict(play_many(game, 6000, seed=2)))
