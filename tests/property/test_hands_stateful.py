"""A machine that plays any hand with any actions, legal or not, and checks the room's promises at each step."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from poker_actors.cards import Deck
from poker_actors.errors import IllegalAction
from poker_actors.rules import (
    GAMES,
    Action,
    Bet,
    Call,
    Check,
    Discard,
    Event,
    Fold,
    Hand,
    PublicState,
    RaiseTo,
    Stakes,
    View,
    parse_action,
)
from poker_actors.rules.betting import BETTING_FIELDS
from poker_actors.rules.event import (
    Acted,
    Awarded,
    HandEnded,
    HandStarted,
    Mucked,
    Posted,
    Shown,
    UncalledReturned,
)
from poker_actors.rules.game import Betting
from poker_actors.rules.hand import HAND_FIELDS

CACHES = {"_public", "_dealt"}


class Ledger:
    """A listener that moves chips as the events say, so that each event can be checked on its own."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.behind: list[int] = []
        self.pot = 0
        self.total = 0

    def hear(self, event: Event) -> None:
        self.events.append(event)
        match event:
            case HandStarted(_, stacks):
                self.behind, self.total = list(stacks), sum(stacks)
            case Posted(seat, _, amount) | Acted(seat, _, amount, _):
                self.move(seat, -amount)
            case UncalledReturned(seat, amount) | Awarded(_, seat, amount):
                assert amount > 0
                self.move(seat, amount)
            case HandEnded(stacks, _):
                assert self.pot == 0
                assert list(stacks) == self.behind
            case _:
                pass

    def move(self, seat: int, amount: int) -> None:
        self.behind[seat] += amount
        self.pot -= amount
        assert self.behind[seat] >= 0
        assert self.pot >= 0
        assert sum(self.behind) + self.pot == self.total


def state_of(hand: Hand) -> dict[str, Any]:
    """Everything a hand remembers, by value; what it caches for lookers-on is not remembered."""
    names = {*BETTING_FIELDS, *HAND_FIELDS} - CACHES
    values = {name: getattr(hand, name) for name in names}
    return {name: list(kept) if isinstance(kept, list) else kept for name, kept in values.items()}


@st.composite
def stakes(draw: st.DrawFn, fixed: bool) -> Stakes:
    big = draw(st.integers(0, 20))
    small = draw(st.integers(0, big))
    ante = draw(st.sampled_from([0, 0, 1, big]))
    big_blind_ante = draw(st.sampled_from([0, 0, big]))
    straddle = draw(st.sampled_from([0, 0, 2 * big if fixed else 2 * big + draw(st.integers(0, 9))]))
    return Stakes(small, big, ante, big_blind_ante, straddle)


@st.composite
def hands(draw: st.DrawFn, ledger: Ledger | None = None) -> Hand:
    game = GAMES[draw(st.sampled_from([name for name, game in GAMES.items() if not game.open_face]))]
    stack = st.one_of(st.integers(0, 30), st.integers(1, 1000))
    stacks = draw(
        st.lists(stack, min_size=2, max_size=game.max_seats).filter(lambda found: sum(map(bool, found)) > 1)
    )
    if game.brings_in:
        bring_in = draw(st.integers(1, 9))
        ante, least = draw(st.integers(0, 9)), bring_in + draw(st.integers(1, 9))
        forced = Stakes(0, 0, ante=ante, bring_in=bring_in, min_bet=least)
    else:
        forced = draw(stakes(game.betting is Betting.FIXED_LIMIT))
    return Hand(
        stacks,
        forced,
        deck=Deck.seeded(draw(st.integers(0, 2**32)), game.pack),
        button=draw(st.integers(0, len(stacks) - 1)),
        game=game,
        listener=ledger.hear if ledger is not None else None,
    )


amounts = st.integers(-5, 1200)
anything = st.one_of(
    st.sampled_from([Fold(), Check(), Call()]),
    st.builds(Bet, amounts),
    st.builds(RaiseTo, amounts),
    st.sampled_from([None, "fold", 20, RaiseTo(2.0), Bet(True), RaiseTo(None)]),  # type: ignore[arg-type]  # nonsense on purpose
)


class Table(RuleBasedStateMachine):
    """One hand from the blinds to the payout."""

    hand: Hand

    @initialize(data=st.data())
    def deal(self, data: st.DataObject) -> None:
        self.ledger = Ledger()
        self.hand = data.draw(hands(self.ledger))
        self.seen_over = False
        self.seen: list[tuple[PublicState, str, bytes]] = []

    @precondition(lambda self: not self.hand.over)
    @rule(
        place=st.floats(0, 1), kind=st.sampled_from(["fold", "call", "call", "call", "low", "high", "some"])
    )
    def act(self, place: float, kind: str) -> None:
        legal = self.hand.legal
        if legal.discards and kind != "call":
            hole = self.hand.holes[legal.seat]
            count = legal.must_discard or int(place * legal.discards + 0.5)
            self.hand.act(Discard(hole[:count]))
        elif kind == "fold" and Fold() in legal:
            self.hand.fold()
        elif kind == "call" or not legal.can_raise:
            self.hand.check_or_call()
        else:
            low, high = legal.min_raise_to, legal.max_raise_to
            self.hand.raise_to({"low": low, "high": high}.get(kind, low + int(place * (high - low))))

    @rule(action=anything)
    def act_anyhow(self, action: Any) -> None:
        """An action that is not legal is refused and changes nothing; one that is, is taken."""
        legal = self.hand.legal
        before, heard, public = state_of(self.hand), len(self.ledger.events), self.hand.public()
        if action in legal:
            self.hand.act(action)
            assert len(self.hand.log) == len(before["log"]) + 1
            return
        with pytest.raises(IllegalAction):
            self.hand.act(action)
        assert state_of(self.hand) == before
        assert len(self.ledger.events) == heard
        assert self.hand.public() is public

    @rule(amount=amounts)
    def put_in_anyhow(self, amount: int) -> None:
        before = state_of(self.hand)
        turn = self.hand.to_act[:1]
        try:
            self.hand.put_in(amount)
        except IllegalAction:
            assert state_of(self.hand) == before
        else:
            acted = [event for event in self.ledger.events if isinstance(event, Acted)][-1]
            assert (acted.seat, acted.paid) == (turn[0], amount)

    @precondition(lambda self: not self.hand.over)
    @rule()
    def legal_actions_are_those_that_act_accepts(self) -> None:
        legal = self.hand.legal
        tried: list[Action] = [Fold(), Check(), Call(), *bounds(self.hand)]
        for action in tried:
            copy = self.hand.copy()
            try:
                copy.act(action)
            except IllegalAction:
                assert action not in legal
            else:
                assert action in legal
        assert all(parse_action(str(action)) == action for action in tried if "-" not in str(action))
        if legal.discards:
            assert len(legal) == len(list(legal))
            return
        sizes = len(legal) - (1 if legal.bring_in else 2)
        assert sizes == (legal.max_raise_to - legal.min_raise_to + 1 if legal.can_raise else 0)
        assert legal.all_in is None or legal.all_in in legal

    @precondition(lambda self: self.hand.strengths is None and self.hand.extra is None)
    @rule(data=st.data())
    def a_view_does_not_depend_on_hidden_cards(self, data: st.DataObject) -> None:
        seat = data.draw(st.integers(0, len(self.hand.stacks) - 1))
        twin = with_other_hidden_cards(self.hand, seat, data)
        mine, other = self.hand.view(seat), twin.view(seat)
        assert mine == other
        assert (repr(mine), hash(mine), str(mine.legal)) == (repr(other), hash(other), str(other.legal))
        assert pickle.dumps(mine) == pickle.dumps(other)

    @rule(data=st.data())
    def a_view_comes_back_from_a_pickle(self, data: st.DataObject) -> None:
        seat = data.draw(st.integers(0, len(self.hand.stacks) - 1))
        view = self.hand.view(seat)
        again: View = pickle.loads(pickle.dumps(view))
        assert again == view
        assert again.actions == view.actions
        assert again.legal == view.legal

    @rule()
    def copies_replays_and_pickles_are_the_same_hand(self) -> None:
        copy = self.hand.copy()
        for other in (copy, self.hand.replay(), pickle.loads(pickle.dumps(copy))):
            assert other == self.hand
            assert other.public() == self.hand.public()
            assert other.payoffs == self.hand.payoffs
        assert self.hand.events() == self.ledger.events
        before = state_of(self.hand)
        while not copy.over:
            copy.check_or_call()
        assert state_of(self.hand) == before

    @invariant()
    def chips_are_conserved(self) -> None:
        hand = self.hand
        assert min(hand.stacks) >= 0
        assert list(hand.stacks) == self.ledger.behind
        assert hand.pot == self.ledger.pot
        assert sum(hand.stacks) + hand.pot == sum(hand.starting)
        if hand.pot:
            assert sum(pot.amount for pot in hand.pots) == hand.pot
        assert sum(hand.payoffs) == -hand.pot

    @invariant()
    def what_was_shown_to_somebody_is_kept_to_be_looked_at_again(self) -> None:
        public = self.hand.public()
        if not self.seen or self.seen[-1][0] is not public:
            self.seen.append((public, repr(public), pickle.dumps(public)))

    @invariant()
    def cards_are_different_cards_of_the_pack(self) -> None:
        hand = self.hand
        out = [card for hole in hand.holes for card in hole] + list(hand.board)
        assert len(set(out)) == len(out)
        assert set(out) <= set(hand.game.pack)
        if hand.extra is None and (not hand.over or hand.strengths is not None):
            dealt = sum(street.hole for street in hand.game.streets[: hand.street + 1])
            assert all(len(hand.holes[seat]) == dealt for seat in hand.live)

    @invariant()
    def somebody_is_to_act_who_can_or_the_hand_is_over(self) -> None:
        hand = self.hand
        if hand.over:
            assert not hand.legal
            assert hand.phase == "showdown"
            assert type(self.ledger.events[-1]) is HandEnded
            self.seen_over = True
            return
        seat = hand.to_act[0]
        assert hand.legal
        assert hand.legal == hand.view(seat).legal
        if hand.legal.discards:
            assert set(hand.to_act) <= set(hand.live)
        else:
            assert len(hand.can_bet) > 1 or hand.legal.to_call, "a turn that decides nothing"
            assert set(hand.to_act) <= set(hand.can_bet) <= set(hand.live)
        assert all(hand.stacks[other] for other in hand.can_bet)
        assert not any(hand.view(other).legal for other in range(len(hand.stacks)) if other != seat)
        assert not self.seen_over, "a hand that is over stays over"

    def teardown(self) -> None:
        """Whatever was done, calling ends the hand within a turn for each seat on each street."""
        if not hasattr(self, "hand"):
            return
        for _ in range(2 * len(self.hand.live) * len(self.hand.game.streets)):
            if self.hand.over:
                break
            self.hand.check_or_call()
        assert self.hand.over
        self.chips_are_conserved()
        shown = [event.seat for event in self.ledger.events if isinstance(event, Shown | Mucked)]
        assert sorted(shown) == (sorted(self.hand.live) if self.hand.strengths is not None else [])
        returned = [event.seat for event in self.ledger.events if isinstance(event, UncalledReturned)]
        assert set(returned) <= set(self.hand.live)
        assert len(returned) <= 1
        assert self.hand.events() == self.ledger.events
        for public, text, pickled in self.seen:
            assert repr(public) == text, "a state that was given away has changed"
            assert pickle.dumps(public) == pickled


def bounds(hand: Hand) -> list[Action]:
    """Bets and raises at and just beyond what is allowed."""
    legal = hand.legal
    mine = hand.bets[hand.to_act[0]]
    edges = {legal.min_raise_to, legal.max_raise_to, legal.all_in_total, hand.bet, mine}
    totals = sorted({edge + step for edge in edges for step in (-1, 0, 1)})
    return [kind(total) for total in totals for kind in (Bet, RaiseTo)]


def with_other_hidden_cards(hand: Hand, seat: int, data: st.DataObject) -> Hand:
    """The same hand so far as `seat` can tell: its cards, the board and every action are the same."""
    known = {*hand.holes[seat], *hand.board}
    hidden = data.draw(st.permutations([card for card in hand.game.pack if card not in known]))
    cards = [card if card in known else hidden.pop() for card in hand.cards]
    deck = Deck.stacked([cards], cards=hand.game.pack)
    twin = Hand(hand.starting, hand.stakes, deck=deck, button=hand.button, game=hand.game)
    for taken in hand.public().actions:
        twin.act(taken.action)
    return twin


TestTable = Table.TestCase
TestTable.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


@pytest.mark.heavy
def test_many_hands_keep_the_promises() -> None:
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        Table, settings=settings(max_examples=3000, stateful_step_count=60, deadline=None)
    )
