"""Laws of hands with options: chips are conserved, and without options they are plain hands."""

from __future__ import annotations

import pickle

from hypothesis import given, settings
from hypothesis import strategies as st

from poker_actors.cards import Deck
from poker_actors.rules import GAMES, Hand, Stakes
from poker_actors.rules.cash import CashHand, HandOptions, Rake
from poker_actors.rules.event import Awarded, HandEnded, Raked, RunDealt, StreetDealt

FLOP_GAMES = ["holdem", "limit-holdem", "omaha", "short-deck"]
MOVES = st.lists(st.sampled_from(["fold", "call", "call", "call", "low", "high"]), max_size=60)


def move(hand: Hand, what: str) -> None:
    legal = hand.legal
    if what == "fold":
        hand.fold()
    elif what == "call" or not legal.can_raise:
        hand.check_or_call()
    else:
        hand.raise_to(legal.min_raise_to if what == "low" else legal.max_raise_to)


def played(hand: Hand, moves: list[str]) -> Hand:
    for what in moves:
        if hand.over:
            break
        move(hand, what)
    while not hand.over:
        hand.check_or_call()
    return hand


@st.composite
def options(draw: st.DrawFn, seats: int) -> HandOptions:
    rake = draw(
        st.one_of(
            st.none(),
            st.builds(Rake, st.integers(1, 2000), st.sampled_from([0, 1, 3, 50]), st.booleans()),
        )
    )
    declined = draw(st.sets(st.integers(0, seats - 1), max_size=2)) if draw(st.booleans()) else set()
    bomb = draw(st.sampled_from([0, 0, 1, 7, 40]))
    return HandOptions(rake, bomb, draw(st.integers(1, 4)), tuple(sorted(declined)))


@st.composite
def cash_hands(draw: st.DrawFn) -> CashHand:
    game = GAMES[draw(st.sampled_from(FLOP_GAMES))]
    seats = draw(st.integers(2, 7))
    stacks = draw(st.lists(st.integers(1, 120), min_size=seats, max_size=seats))
    stakes = Stakes(1, 2, draw(st.sampled_from([0, 0, 1])), 0, draw(st.sampled_from([0, 0, 4])))
    return CashHand(
        stacks,
        stakes,
        deck=Deck.seeded(draw(st.integers(0, 2**32)), game.pack),
        options=draw(options(seats)),
        button=draw(st.integers(0, seats - 1)),
        game=game,
    )


@settings(max_examples=150)
@given(cash_hands(), MOVES)
def test_what_goes_into_the_pots_comes_out_as_awards_and_rake(hand: CashHand, moves: list[str]) -> None:
    played(hand, moves)
    assert sum(hand.stacks) + hand.rake == sum(hand.starting)
    assert sum(hand.payoffs) == -hand.rake
    assert hand.pot == hand.public().pot == 0
    events = hand.events()
    taken = sum(event.amount for event in events if isinstance(event, Raked))
    assert taken == hand.rake == hand.public().rake
    assert hand.options is not None
    rake = hand.options.rake
    if rake is not None and rake.cap:
        assert taken <= rake.cap
    if rake is not None and rake.no_flop_no_drop and not hand.board:
        assert taken == 0
    assert all(event.amount > 0 for event in events if isinstance(event, Awarded))
    assert sum(isinstance(event, HandEnded) for event in events) == 1


@settings(max_examples=150)
@given(cash_hands(), MOVES)
def test_all_boards_are_of_different_cards_that_nobody_holds_but_for_what_lay_before(
    hand: CashHand, moves: list[str]
) -> None:
    played(hand, moves)
    assert hand.options is not None
    if hand.strengths is None:
        assert hand.boards == (hand.board,)
        return
    assert hand.boards[0] == hand.board
    assert len(hand.boards) <= hand.options.boards
    shared = [
        cards for cards in zip(*hand.boards, strict=True) if len(hand.boards) > 1 and len(set(cards)) == 1
    ]
    seen = [card for hole in hand.holes for card in hole] + [cards[0] for cards in shared]
    for board in hand.boards:
        seen += board[len(shared) :]
    assert len(set(seen)) == len(seen)
    if len(hand.boards) > 1:
        assert not set(hand.options.declined) & set(hand.live)
        assert len(hand.can_bet) < 2
    streets = [event for event in hand.events() if isinstance(event, StreetDealt)]
    runs = [event for event in hand.events() if isinstance(event, RunDealt)]
    assert sum((event.cards for event in streets), ()) == hand.board
    for number, board in enumerate(hand.boards[1:], start=1):
        cards = sum((run.cards for run in runs if run.board == number), ())
        assert cards == board[len(shared) :]


@settings(max_examples=100)
@given(cash_hands(), MOVES, st.integers(0, 30))
def test_a_copy_a_replay_and_a_listener_make_no_difference(hand: CashHand, moves: list[str], at: int) -> None:
    for what in moves[:at]:
        if not hand.over:
            move(hand, what)
    before = hand.public()
    copied = hand.copy()
    assert copied.public() == before
    assert pickle.loads(pickle.dumps(before)) == before
    played(hand, moves[at:])
    assert copied.public() == before
    played(copied, moves[at:])
    again = hand.replay()
    for other in (copied, again):
        assert isinstance(other, CashHand)
        assert (other.stacks, other.rake, other.boards) == (hand.stacks, hand.rake, hand.boards)
        assert other.public() == hand.public()
        assert other == hand


@settings(max_examples=150)
@given(cash_hands(), MOVES, st.booleans())
def test_without_options_it_is_a_plain_hand(hand: CashHand, moves: list[str], listening: bool) -> None:
    plain = Hand(
        hand.starting, hand.stakes, deck=Deck(hand.cards, entropy=-1), button=hand.button, game=hand.game
    )
    heard: list[object] = []
    other = CashHand(
        hand.starting,
        hand.stakes,
        deck=Deck(hand.cards, entropy=-1),
        options=HandOptions(),
        button=hand.button,
        game=hand.game,
        listener=heard.append if listening else None,
    )
    for one in (plain, other):
        played(one, moves)
    assert (other.stacks, other.log, other.marks) == (plain.stacks, plain.log, plain.marks)
    assert (other.board, other.strengths, other.street) == (plain.board, plain.strengths, plain.street)
    assert other.public().shown == plain.public().shown
    assert other.events() == plain.events()
    if listening:
        assert heard == plain.events()
