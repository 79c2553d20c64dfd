"""No chain of references leads from what a seat is given to cards it may not know."""

from __future__ import annotations

import gc
import types
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_actors.cards import Card, Deck
from poker_actors.rules import GAMES, Fold, Hand, Stakes

CODE = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType)


def reached(start: object) -> Iterator[object]:
    """Every object that `start` leads to, code left out: it leads everywhere and holds no hand."""
    todo, seen = [start], {id(start)}
    while todo:
        found = todo.pop()
        yield found
        for other in gc.get_referents(found):
            if id(other) not in seen and not isinstance(other, CODE):
                seen.add(id(other))
                todo.append(other)


def cards_in(found: object) -> list[Card]:
    return [card for card in found if type(card) is Card] if isinstance(found, tuple | list) else []


def check_views(hand: Hand) -> None:
    pack = list(hand.game.pack)
    public = {card for _, cards in hand.public().shown for card in cards} | seen_by_all(hand)
    for seat in range(len(hand.stacks)):
        may_know = public | set(hand.holes[seat])
        secret = {id(hand), id(hand.cards), id(hand.holes)}
        for found in reached(hand.view(seat)):
            assert id(found) not in secret
            cards = cards_in(found)
            assert cards == pack or set(cards) <= may_know


@st.composite
def positions_in_a_hand(draw: st.DrawFn) -> Hand:
    game = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    seats = draw(st.integers(2, min(9, game.max_seats)))
    hand = Hand(
        [draw(st.integers(5, 200)) for _ in range(seats)],
        game.stakes,
        deck=Deck.seeded(draw(st.integers(0, 999)), game.pack),
        button=draw(st.integers(0, seats - 1)),
        game=game,
    )
    for choice in draw(st.lists(st.sampled_from("fccccr"), max_size=40)):
        if hand.over:
            break
        if choice == "f" and Fold() in hand.legal:
            hand.fold()
        elif choice != "c" and hand.legal.discards:
            hand.act(draw(st.sampled_from(list(hand.legal))))
        elif choice == "r" and hand.legal.can_raise:
            hand.raise_to(hand.legal.min_raise_to)
        else:
            hand.check_or_call()
    return hand


def seen_by_all(hand: Hand) -> set[Card]:
    """Boards, open cards, and what was laid in rows: face up at once, but in fantasy land only when it is scored."""
    extra = hand.extra
    rows = [] if extra is None else [row for seat, row in enumerate(extra.rows) if seat not in extra.fantasy]
    if extra is not None:
        rows += [row for deal in extra.scored for row in deal.rows]
    laid = [cards for row in rows for cards in row]
    return {card for cards in (*hand.boards, *hand.open, *laid) for card in cards}


@given(positions_in_a_hand())
def test_a_view_never_reaches_another_seats_cards_or_the_deck(hand: Hand) -> None:
    check_views(hand)


@pytest.mark.parametrize("name", ["open-face", "open-face-pineapple"])
def test_a_view_reaches_of_rows_only_what_was_laid(name: str) -> None:
    for seed in range(10):
        game = GAMES[name]
        hand = Hand([100] * game.max_seats, game.stakes, deck=Deck.seeded(seed, game.pack), game=game)
        while not hand.over:
            check_views(hand)
            hand.check_or_call()


@given(positions_in_a_hand())
def test_the_public_state_never_reaches_hole_cards_that_were_not_shown(hand: Hand) -> None:
    pack = list(hand.game.pack)
    public = {card for _, cards in hand.public().shown for card in cards} | seen_by_all(hand)
    for found in reached(hand.public()):
        cards = cards_in(found)
        assert cards == pack or set(cards) <= public


@given(positions_in_a_hand())
def test_what_prints_of_a_hand_names_no_hidden_card(hand: Hand) -> None:
    hidden = {str(card) for hole in hand.holes for card in hole} - set(map(str, seen_by_all(hand)))
    shown = {str(card) for _, cards in hand.public().shown for card in cards}
    for text in (
        repr(hand),
        repr(hand.public()),
        str(hand.public().legal(hand.to_act[0] if hand.to_act else 0)),
    ):
        assert not [card for card in hidden - shown if f"{card} " in text or f"'{card}'" in text]


def test_the_walk_does_find_what_is_within_reach() -> None:
    hand = Hand([100] * 3, Stakes(1, 2), deck=Deck.seeded(1))
    found = list(reached(hand))
    assert any(other is hand.cards for other in found)
    assert any(other is hand.holes[2] for other in found)
    assert any(other is hand.holes[1] for other in reached(hand.view(1)))


@pytest.mark.parametrize("secret", ["cards", "holes", "strengths", "deck"])
def test_a_view_has_no_attribute_with_a_secret(secret: str) -> None:
    hand = Hand([100] * 3, Stakes(1, 2), deck=Deck.seeded(1))
    assert not hasattr(hand.view(0), secret)
    assert not hasattr(hand.public(), secret)
