"""The log of a hand is read in one place; what it says is what the hand did."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import poker_actors
from poker_actors.cards import Card, Deck
from poker_actors.errors import IllegalAction
from poker_actors.rules import GAMES, Bet, Call, Hand, Lay, RaiseTo, Stakes
from poker_actors.rules.event import Acted, Posted
from poker_actors.rules.log import laid, laid_in_order, laid_of

ROOT = Path(poker_actors.__file__).parent
NOT_OF_A_HAND = {"evaluator", "cards"}
"""Packages that never see a log: their bits are of cards."""
OTHER_BITS = {"bots/expert/compiled.py", "bots/house/compiled.py", "bots/house/judging.py"}
"""Files whose 15 is four ranks in a row."""


def reads_of_bits(path: Path) -> list[int]:
    """Lines that mask by 15, 112 or 127, or shift by 7, as an entry of the log is packed."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant):
            masked = isinstance(node.op, ast.BitAnd) and node.right.value in (15, 112, 127)
            shifted = isinstance(node.op, ast.RShift | ast.LShift) and node.right.value == 7
            if masked or shifted:
                found.append(node.lineno)
    return found


def test_no_bit_of_the_log_is_known_outside_its_file() -> None:
    readers = {
        str(path.relative_to(ROOT)): lines
        for path in ROOT.rglob("*.py")
        if path.relative_to(ROOT).parts[0] not in NOT_OF_A_HAND and (lines := reads_of_bits(path))
    }
    assert {name for name in readers if name not in OTHER_BITS} == set()


@pytest.mark.parametrize(
    "read", ["entry & 15", "entry & 112", "entry & 127", "entry >> 7", "chips << 7 | 32"]
)
def test_the_look_for_bits_finds_them(read: str, tmp_path: Path) -> None:
    path = tmp_path / "reader.py"
    path.write_text(f"x = {read}\n")
    assert reads_of_bits(path) == [1]


def test_a_replay_refuses_a_kind_that_the_game_has_not() -> None:
    hand = Hand([100, 100], Stakes(1, 2), deck=Deck.seeded(1))
    with pytest.raises(IllegalAction, match="no cards are laid here"):
        hand.replay([112 | hand.to_act[0]])


@given(seed=st.integers(0, 10_000), data=st.data())
def test_the_log_says_what_every_action_paid_and_what_its_seat_has_put_in(
    seed: int, data: st.DataObject
) -> None:
    game = data.draw(st.sampled_from(sorted(GAMES.values(), key=str)))
    seats = data.draw(st.integers(2, min(6, game.max_seats)))
    stakes = game.stakes if not game.stakes.big_blind else Stakes(1, 2, ante=data.draw(st.integers(0, 1)))
    stacks = data.draw(st.lists(st.integers(1, 60), min_size=seats, max_size=seats))
    hand = Hand(stacks, stakes, deck=Deck.seeded(seed, game.pack), game=game, button=seed % seats)
    while hand.to_act:
        hand.act(data.draw(st.sampled_from(list(hand.legal))))
    put_in = [0] * seats
    acted = []
    for event in hand.events():
        if isinstance(event, Posted):
            put_in[event.seat] += event.amount
        elif isinstance(event, Acted):
            put_in[event.seat] += event.paid
            acted.append((event.seat, event.paid, put_in[event.seat]))
    log = hand.public().log
    assert [(one.seat, one.paid, one.put_in) for one in log] == acted
    assert list(log.put_in) == put_in
    assert [one for street in log.streets() for one in street] == list(log)


def test_a_bet_says_what_it_paid_and_a_raise_what_it_added() -> None:
    hand = Hand([100, 100], Stakes(1, 2), deck=Deck.seeded(1))
    hand.act(RaiseTo(6))
    hand.act(Call())
    hand.act(Bet(10))
    hand.act(RaiseTo(30))
    read = [(one.street, one.seat, one.paid, one.in_front, one.put_in) for one in hand.public().log]
    assert read == [(0, 0, 5, 6, 6), (0, 1, 4, 6, 6), (1, 1, 10, 10, 16), (1, 0, 30, 30, 36)]


@given(cards=st.permutations([Card(number) for number in range(14)]), seat=st.integers(0, 3))
def test_a_laying_entry_keeps_the_order_in_a_row_and_without_one_that_of_the_hand(
    cards: list[Card], seat: int
) -> None:
    named = Lay(tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:13]))
    hole = tuple(sorted(cards))
    entry = laid(seat, [named.row_of(card) for card in hole])
    dealt = laid_of(entry, hole)
    assert dealt.rows == tuple(tuple(sorted(row)) for row in named.rows)
    assert laid_of(laid_in_order(entry, named, hole), hole) == named
    assert laid_in_order(entry, dealt, hole) == entry
