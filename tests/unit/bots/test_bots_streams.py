"""The seed tree: luck is an argument, and everybody has its own."""

import pytest

from poker_actors.bots import HandStream, SeedTree
from poker_actors.errors import BadSpec


def test_a_hand_has_the_same_deck_whatever_came_before() -> None:
    tree, again = SeedTree(7), SeedTree(7)
    for hand in range(10):
        again.deck(hand).draw(17)
    assert tree.deck(9).draw(17) == again.deck(9).draw(17)


def test_decks_differ_by_root_match_and_hand() -> None:
    decks = [
        SeedTree(root, match).deck(hand).draw(52)
        for root in (0, 1, -1)
        for match in (0, 1)
        for hand in (0, 1)
    ]
    assert len(set(decks)) == len(decks)


def test_streams_differ_by_root_match_hand_and_bot() -> None:
    draws = [
        SeedTree(root, match).rng(hand, bot).getrandbits(64)
        for root in (0, 10**30)
        for match in (0, 1)
        for hand in (0, 1, 11)
        for bot in (0, 1, 11)
    ]
    assert len(set(draws)) == len(draws)


def test_a_stream_is_made_when_first_asked_for_and_goes_on_within_a_hand() -> None:
    tree = SeedTree(3)
    stream = HandStream(tree, 2)
    stream.hand = 5
    first, second = stream.rng().random(), stream.rng().random()
    whole = tree.rng(5, 2)
    assert [first, second] == [whole.random(), whole.random()]
    stream.hand = 6
    assert stream.rng().random() == tree.rng(6, 2).random()
    assert tree.stream(6, 2).rng().random() == tree.rng(6, 2).random()


@pytest.mark.parametrize("root", ["7", 1.5, None, True])
def test_a_root_is_a_whole_number(root: object) -> None:
    with pytest.raises(BadSpec, match="is not a whole number"):
        SeedTree(root)  # type: ignore[arg-type]


def test_the_tree_is_what_it_was_in_the_first_release() -> None:
    assert " ".join(map(str, SeedTree(7).deck(0).draw(5))) == FIRST_CARDS
    assert SeedTree(7).rng(3, 1).getrandbits(32) == FIRST_DRAW


FIRST_CARDS = "9s Qs As Ah Th"
FIRST_DRAW = 2501611665
"""Written down once: a change would silently turn every published seed into other hands."""


def test_a_stream_holds_a_key_of_its_own_and_nothing_that_leads_to_a_deck() -> None:
    tree = SeedTree(7)
    stream = HandStream(tree, 2)
    stream.rng()
    held = [getattr(stream, name) for name in HandStream.__slots__]
    assert not any(isinstance(thing, SeedTree) for thing in held)
    assert [thing for thing in held if isinstance(thing, bytes)] == [tree.bot_key(2)]
