"""A hand's record holds all that was decided, and nothing else."""

import struct

from poker_actors.cards import Deck
from poker_actors.rules import HOLDEM, Hand, Positions, Stakes
from poker_actors.sim.record import digest_text, hand_dict, hand_digest, hand_record


def played(seed: int = 1, stack: int = 200, button: int = 0, fold: bool = False) -> Hand:
    hand = Hand([stack] * 3, Stakes(), deck=Deck.seeded(seed), button=button)
    if fold:
        hand.fold()
    while hand.to_act:
        hand.check_or_call()
    return hand


def test_the_record_is_cards_then_numbers() -> None:
    hand = played()
    record = hand_record(5, hand)
    cards = list(record[:11])
    assert cards == [*hand.holes[0], *hand.holes[1], *hand.holes[2], *hand.board]
    numbers = struct.unpack(f"<{(len(record) - 11) // 8}q", record[11:])
    assert numbers == (5, 11, 0, 200, 200, 200, *hand.stacks, *hand.log)


def test_whatever_differs_makes_another_digest() -> None:
    hands = [played(), played(seed=2), played(stack=201), played(button=1), played(fold=True)]
    digests = [hand_digest(0, hand) for hand in hands] + [hand_digest(1, hands[0])]
    assert len(set(digests)) == len(digests)


def test_cards_never_dealt_are_not_in_the_record() -> None:
    one, other = (
        Hand([200] * 2, Stakes(), deck=Deck.stacked(["AsAh", "KsKh"], board))
        for board in ("2c3c4c", "5d6d7d")
    )
    one.fold()
    other.fold()
    assert hand_record(0, one) == hand_record(0, other)


def test_a_hand_with_named_positions_is_the_same_hand() -> None:
    plain = Hand([200] * 3, Stakes(), deck=Deck.seeded(4), button=1)
    named = Hand([200] * 3, Stakes(), deck=Deck.seeded(4), button=1, positions=Positions(1, 2, 0, (0, 1, 2)))
    assert hand_record(0, plain) == hand_record(0, named)


def test_digests_add_up_whatever_the_order() -> None:
    parts = [hand_digest(number, played(seed=number)) for number in range(9)]
    assert digest_text(sum(parts)) == digest_text(sum(reversed(parts)))
    assert len(digest_text(sum(parts))) == len(digest_text(0)) == 32


def test_a_hand_as_plain_values_reads_like_a_hand() -> None:
    hand = Hand([200] * 2, Stakes(), deck=Deck.stacked(["AsAh", "KsKh"], "2c3c4c5d9h"))
    while hand.to_act:
        hand.check_or_call()
    told = hand_dict(3, hand)
    assert told["holes"] == ["AsAh", "KsKh"]
    assert told["board"] == "2c3c4c5d9h"
    assert told["actions"][0] == {"street": "preflop", "seat": 0, "action": "call"}
    assert told["payoffs"] == [2, -2]
    assert (told["hand"], told["game"], told["stakes"], told["button"]) == (3, HOLDEM.name, "1/2", 0)
