"""Kuhn poker and Leduc hold'em whole: every deal and every line of play, against OpenSpiel and against a model written down here."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

from poker_actors.cards import Card, Deck
from poker_actors.rules import GAMES, Game, Hand

KUHN, LEDUC = GAMES["kuhn"], GAMES["leduc"]


def begun(game: Game, cards: tuple[Card, ...]) -> Hand:
    """Deal these cards, seat 0 first to act."""
    deck = Deck.stacked([[cards[0]], [cards[1]]], cards[2:], game.pack)
    return Hand([100, 100], game.stakes, deck=deck, game=game, button=1)


def deals(game: Game) -> Iterator[tuple[int, ...]]:
    """Every deal, as places in the pack."""
    return permutations(range(len(game.pack)), 2 + game.board_cards)


def moves(hand: Hand) -> str:
    """Give what the seat to act may do: f, c (check or call) and r; to fold where nothing is owed is left out."""
    owed = hand.bet > hand.bets[hand.to_act[0]]
    return ("f" if owed else "") + "c" + ("r" if hand.legal.can_raise else "")


def after(hand: Hand, move: str) -> Hand:
    there = hand.copy()
    if move == "f":
        there.fold()
    elif move == "c":
        there.check_or_call()
    else:
        there.raise_to(there.legal.min_raise_to)
    return there


def lines(hand: Hand, path: str = "") -> Iterator[tuple[str, tuple[int, ...]]]:
    """Give every line of play from here with what it pays."""
    if hand.over:
        yield path, hand.payoffs
        return
    for move in moves(hand):
        yield from lines(after(hand, move), path + move)


# -- a model: ante 1, bets of 1 (Kuhn) or 2 and then 4 (Leduc), one or two of them a round ------------------------


def model(bets: tuple[int, ...], most: int, ranks: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Give every line and what it pays, from the rules alone; `ranks` are the two hands' and the board's."""

    def walk(
        street: int, put_in: tuple[int, int], turn: int, raises: int, path: str, checked: bool
    ) -> Iterator[tuple[str, tuple[int, ...]]]:
        owed = put_in[1 - turn] - put_in[turn]
        if owed:
            yield path + "f", pay(1 - turn, put_in[turn])
        level = max(put_in)
        if owed or checked:  # the round is over
            if street + 1 < len(bets):
                yield from walk(street + 1, (level, level), 0, 0, path + "c", checked=False)
            else:
                yield path + "c", pay(winner(), level)
        else:
            yield from walk(street, put_in, 1 - turn, raises, path + "c", checked=True)
        if raises < most:
            raised = (level + bets[street], level) if turn == 0 else (level, level + bets[street])
            yield from walk(street, raised, 1 - turn, raises + 1, path + "r", checked=True)

    def pay(seat: int | None, amount: int) -> tuple[int, ...]:
        return (0, 0) if seat is None else (amount, -amount) if seat == 0 else (-amount, amount)

    def winner() -> int | None:
        strengths = [(rank in ranks[2:], rank) for rank in ranks[:2]]
        return None if strengths[0] == strengths[1] else strengths.index(max(strengths))

    return walk(0, (1, 1), 0, 0, "", checked=False)


@pytest.mark.parametrize(("game", "bets", "most", "count"), [(KUHN, (1,), 1, 5), (LEDUC, (2, 4), 2, 49)])
def test_every_line_of_every_deal_pays_what_the_rules_say(
    game: Game, bets: tuple[int, ...], most: int, count: int
) -> None:
    for places in deals(game):
        cards = tuple(game.pack[place] for place in places)
        expected = dict(model(bets, most, tuple(card.rank for card in cards)))
        assert dict(lines(begun(game, cards))) == expected
        assert len(expected) == count


# -- OpenSpiel ------------------------------------------------------------------------------------------------------


def compare(hand: Hand, state: Any, coming: tuple[int, ...], *, pass_and_bet: bool) -> int:
    """Walk both trees side by side; gives how many ends there are."""
    while state.is_chance_node():
        state.apply_action(coming[0])
        coming = coming[1:]
    assert state.is_terminal() == hand.over
    if hand.over:
        assert tuple(state.returns()) == hand.payoffs
        return 1
    assert state.current_player() == hand.to_act[0]
    ends = 0
    theirs = moves(hand)
    if pass_and_bet:  # Kuhn's: to pass is to check or fold, to bet is to bet or call
        numbers = {"c": 1, "f": 0} if "f" in theirs else {"c": 0, "r": 1}
    else:
        numbers = {move: "fcr".index(move) for move in theirs}
    assert sorted(numbers.values()) == sorted(state.legal_actions())
    for move in theirs:
        child = state.child(numbers[move])
        ends += compare(after(hand, move), child, coming, pass_and_bet=pass_and_bet)
    return ends


@pytest.mark.parametrize(
    ("game", "name", "ends"), [(KUHN, "kuhn_poker", 6 * 5), (LEDUC, "leduc_poker", 120 * 49)]
)
def test_every_line_of_every_deal_is_openspiels(game: Game, name: str, ends: int) -> None:
    spiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel, of the extra bench")
    there = spiel.load_game(name)
    found = 0
    for places in deals(game):
        hand = begun(game, tuple(game.pack[place] for place in places))
        found += compare(hand, there.new_initial_state(), places, pass_and_bet=game is KUHN)
    assert found == ends
