"""Thousands of random hands of stud, draw, badugi and hi-lo against pokerkit: who acts, what is allowed, who is paid.

Both play the same cards and the same turns. What is different on purpose is a row of `ACCEPTED`, found by a condition on the hand.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import attrs
import pytest
from pokerkit import (
    BettingStructure,
    FixedLimitBadugi,
    FixedLimitDeuceToSevenLowballTripleDraw,
    FixedLimitOmahaHoldemHighLowSplitEightOrBetter,
    FixedLimitRazz,
    FixedLimitSevenCardStud,
    FixedLimitSevenCardStudHighLowSplitEightOrBetter,
    NoLimitDeuceToSevenLowballSingleDraw,
    State,
)

from poker_actors.cards import Deck
from poker_actors.evaluator import open_strengths
from poker_actors.rules import GAMES, BringIn, Discard, Game, Hand, Stakes
from poker_actors.rules.games import Betting
from tests.oracles.test_rules_pokerkit import AUTOMATIONS, uneven

ACCEPTED = {
    "equal open hands": "Equal open hands are parted by the suit of the highest card (TDA 2024, RP-10-D). pokerkit takes "
    "the seat nearest to the left of the dealer. A hand is compared until then.",
    "idle turn": "Nobody is asked when nothing can be answered. pokerkit asks for a check.",
    "idle raise": "A seat may raise while another has chips behind, though that one could not call more. pokerkit refuses.",
    "half bet": "Fixed limit: an all-in of half a bet reopens the betting (TDA 2024, 47-B) and counts as a bet; one of less "
    "is completed. pokerkit counts every all-in as a raise and adds a whole bet to it.",
    "short first raise": "An all-in that is no full bet does not reopen the betting to who has checked or called (TDA 2024, "
    "47-A). pokerkit takes a first raise for a full one.",
    "short sum": "Who faces a full raise in sum may raise (TDA 2024, 47-A). pokerkit begins to count anew after short all-ins.",
    "side pot without a low": "The low half of a pot that nobody in it qualifies for goes to its high half. pokerkit shares the low half "
    "of such a side pot among all who are in it, when somebody has a low in another pot.",
    "short blind": "A blind or bring-in posted short is still a whole one to call (TDA 2024, 54-B). pokerkit goes by the "
    "chips posted. A hand is compared until the calls differ.",
}
"""Settled before the cards: caps (pokerkit is told ours), odd chips (stacks leave none), reshuffles and a last card for all (there are
cards enough), and who owes the bring-in for a seat that is all-in for its ante (none is)."""

THEIRS: dict[str, Callable[..., State]] = {
    "limit-omaha8": FixedLimitOmahaHoldemHighLowSplitEightOrBetter.create_state,
    "stud": FixedLimitSevenCardStud.create_state,
    "stud8": FixedLimitSevenCardStudHighLowSplitEightOrBetter.create_state,
    "razz": FixedLimitRazz.create_state,
    "2-7-single-draw": NoLimitDeuceToSevenLowballSingleDraw.create_state,
    "2-7-triple-draw": FixedLimitDeuceToSevenLowballTripleDraw.create_state,
    "badugi": FixedLimitBadugi.create_state,
}
UNIT = 5040
"""Chips in multiples of this leave no odd chip, whatever the winners of a quarter."""
MOST_SEATS = {"stud": 7, "stud8": 7, "razz": 7, "badugi": 6}


@attrs.define
class Duel:
    """One hand on two engines."""

    ours: Hand
    theirs: State
    order: list[int]
    """our seats, in the order of theirs"""
    most_thrown: int
    found: Counter[str] = attrs.Factory(Counter)
    parted: bool = False

    def accept(self, name: str, holds: bool) -> None:
        assert holds, (
            f"{name}: {self.ours!r} {self.ours.legal} {self.ours.bets} {self.ours.stacks}, theirs {self.theirs.bets}"
        )
        self.found[name] += 1

    def deal(self) -> None:
        """Give their table the cards that ours has."""
        theirs = self.theirs
        while True:
            if theirs.can_burn_card("??"):
                theirs.burn_card("??")
            elif theirs.can_deal_hole():
                index = theirs.hole_dealee_index
                assert index is not None
                held = {f"{card.rank}{card.suit}" for card in theirs.hole_cards[index]}
                hole = self.ours.holes[self.order[index]]
                theirs.deal_hole(next(str(card) for card in hole if str(card) not in held))
            elif theirs.can_deal_board():
                have = len(list(theirs.get_board_cards(0)))
                board = self.ours.board[have : have + (1 if have else 3)]
                theirs.deal_board("".join(map(str, board)))
            else:
                return

    def idle(self) -> None:
        """Their table asks who can change nothing, where ours goes on to the draw or is over."""
        while self.theirs.actor_index is not None and (self.ours.over or self.ours.legal.discards):
            self.accept("idle turn", self.theirs.checking_or_calling_amount == 0)
            self.theirs.check_or_call()
            self.deal()

    def compare_turn(self) -> None:
        ours, theirs = self.ours, self.theirs
        seat = ours.to_act[0]
        if ours.legal.discards:
            index = theirs.stand_patter_or_discarder_index
            assert index is not None
            assert self.order[index] == seat
            return
        assert theirs.actor_index is not None, f"only we ask: {ours!r}"
        if self.order[theirs.actor_index] != seat:
            first = ours.game.streets[ours.street].first
            shown = open_strengths([ours.open[who] for who in ours.live], low=first.low)
            self.accept("equal open hands", not first.brings_in and shown.count(max(shown)) > 1)
            self.parted = True
            return
        self.compare_sizes()

    def compare_sizes(self) -> None:
        ours, theirs, legal = self.ours, self.theirs, self.ours.legal
        brings_in = theirs.can_post_bring_in()
        assert brings_in == bool(legal.bring_in)
        if not brings_in and theirs.checking_or_calling_amount != legal.to_call:
            self.accept("short blind", ours.street == 0 and (ours.missing_blinds > 0 or ours.game.brings_in))
            self.parted = True
            return
        low = theirs.min_completion_betting_or_raising_to_amount or 0
        high = theirs.max_completion_betting_or_raising_to_amount or 0
        if (low, high) != (legal.min_raise_to, legal.max_raise_to):
            self.accept(*self.difference(bool(high)))

    def difference(self, they_raise: bool) -> tuple[str, bool]:
        ours, legal = self.ours, self.ours.legal
        seat = ours.to_act[0]
        if ours.game.betting is Betting.FIXED_LIMIT and (uneven(ours) or (they_raise and legal.can_raise)):
            return "half bet", any(not ours.stacks[other] for other in ours.live)
        if legal.can_raise:
            able = [
                o
                for o in ours.live
                if o != seat and ours.stacks[o] and ours.stacks[o] + ours.bets[o] > ours.bet
            ]
            if not they_raise and self.theirs.consecutive_short_all_in_amounts and able:
                return "short sum", ours.acted[seat] >= 0
            return "idle raise", not they_raise and not able
        short = ours.acted[seat] >= 0 and ours.bet - ours.acted[seat] < ours.min_raise
        return "short first raise", they_raise and short

    def take_turn(self, luck: Random) -> None:
        ours, theirs = self.ours, self.theirs
        legal = ours.legal
        if legal.discards:
            hole = ours.holes[ours.to_act[0]]
            cards = tuple(luck.sample(hole, luck.randint(0, min(self.most_thrown, len(hole)))))
            ours.act(Discard(cards))
            theirs.stand_pat_or_discard("".join(map(str, cards)))
            return
        low = max(legal.min_raise_to, theirs.min_completion_betting_or_raising_to_amount or 0)
        high = min(legal.max_raise_to, theirs.max_completion_betting_or_raising_to_amount or 0)
        choice = luck.random()
        if 0 < low <= high and choice > 0.7:
            total = luck.choice([low, low, high])
            ours.raise_to(total)
            theirs.complete_bet_or_raise_to(total)
        elif legal.bring_in:
            ours.act(BringIn())
            theirs.post_bring_in()
        elif choice < 0.12 and theirs.can_fold():
            ours.fold()
            theirs.fold()
        else:
            ours.check_or_call()
            theirs.check_or_call()

    def play(self, luck: Random) -> None:
        self.deal()
        while not self.ours.over:
            self.idle()
            self.compare_turn()
            if self.parted:
                return
            self.take_turn(luck)
            self.deal()
        self.idle()
        assert not self.theirs.status
        payoffs = dict(zip(self.order, self.theirs.payoffs, strict=True))
        if self.ours.payoffs != tuple(payoffs[seat] for seat in range(len(payoffs))):
            self.accept("side pot without a low", self.some_pot_has_no_low())

    def some_pot_has_no_low(self) -> bool:
        """Whether somebody has a low, and nobody has one in some pot."""
        lows = [claim for board in self.ours.claims for claim in board if claim.qualifier]
        pots = self.pots()
        return any(claim.winners(self.ours.live) and not all(map(claim.winners, pots)) for claim in lows)

    def pots(self) -> list[tuple[int, ...]]:
        """Who can win each pot, from what everybody has put in."""
        put_in = self.ours.public().log.put_in
        live = self.ours.live
        return [
            tuple(seat for seat in live if put_in[seat] >= level) for level in {put_in[seat] for seat in live}
        ]


def duel_of(luck: Random, game: Game) -> Duel:
    seats = luck.randint(2, MOST_SEATS.get(game.name, game.max_seats))
    small = luck.choice([4, 8, 40])
    stakes = Stakes(small // 2 * UNIT, small * UNIT)
    if game.brings_in:
        ante = luck.choice([0, small // 4]) or 1
        stakes = Stakes(
            0,
            0,
            ante=ante * UNIT,
            bring_in=luck.choice([small // 4, small // 2]) * UNIT,
            min_bet=small * UNIT,
        )
    least = small + stakes.ante // UNIT
    tops = [least + 2 * small, least + 10 * small, least + 60 * small]
    stacks = [luck.randint(least, luck.choice(tops)) * UNIT for _ in range(seats)]
    hand = Hand(
        stacks,
        stakes,
        deck=Deck.seeded(luck.getrandbits(64), game.pack),
        button=luck.randrange(seats),
        game=game,
    )
    order = [(hand.button + 1 + place) % seats for place in range(seats)]
    draws = sum(1 for street in game.streets if street.draw)
    most = (len(game.pack) - seats * game.hole_cards) // (seats * draws) if draws else 0
    return Duel(hand, state_of(hand, order), order, min(most, 3))


def state_of(hand: Hand, order: list[int]) -> State:
    """Their table for our hand, told of the four bets of a street."""
    stakes, game = hand.stakes, hand.game
    limit = game.betting is Betting.FIXED_LIMIT
    forced: tuple[object, ...] = (
        (stakes.bring_in,) if game.brings_in else ((stakes.small_blind, stakes.big_blind),)
    )
    bets = (stakes.min_bet, 2 * stakes.min_bet) if limit else (stakes.min_bet,)
    stacks = tuple(hand.starting[seat] for seat in order)
    state: State = THEIRS[game.name](AUTOMATIONS, True, stakes.ante, *forced, *bets, stacks, len(order))
    if limit:
        state.betting_structure = BettingStructure.FIXED_LIMIT  # of its limit Omaha hi-lo it says pot limit
        caps = [4 if number or game.brings_in else 3 for number in range(len(state.streets))]
        state.streets = tuple(
            [
                replace(street, max_completion_betting_or_raising_count=cap)
                for street, cap in zip(state.streets, caps, strict=True)
            ]
        )
    return state


def play_many(game: Game, hands: int, seed: int) -> Counter[str]:
    found: Counter[str] = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
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
            found["compared to the end"] += not duel.parted
    return found


@pytest.mark.parametrize("game", [GAMES[name] for name in THEIRS], ids=str)
def test_random_hands_have_the_turns_and_payoffs_of_pokerkit(game: Game) -> None:
    found = play_many(game, 12, seed=1)
    assert set(found) <= {"hands", "compared to the end", *ACCEPTED}


@pytest.mark.heavy
@pytest.mark.parametrize("game", [GAMES[name] for name in THEIRS], ids=str)
def test_20000_hands_of_a_game_have_the_turns_and_payoffs_of_pokerkit(game: Game) -> None:
    print(game, dict(play_many(game, 20_000, seed=2)))
