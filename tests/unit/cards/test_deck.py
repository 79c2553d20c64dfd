"""Decks: fair, repeatable from a seed, stacked on request, and silent about what they hold."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_actors.cards import CARDS, SHORT_DECK, STANDARD_DECK, Card, Deck
from poker_actors.errors import BadCard, BadSpec, DuplicateCard

seeds = st.one_of(st.integers(), st.binary())


def text(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def test_the_deck_of_a_seed_never_changes() -> None:
    """Recorded seeds depend on these orders; a new one would be a new kind of seed."""
    assert text(Deck.seeded(0).draw(5)) == SEED_0
    assert text(Deck.seeded(b"table 4, hand 7").draw(5)) == SEED_BYTES
    assert text(Deck.seeded(-3, SHORT_DECK).draw(5)) == SEED_SHORT


SEED_0 = "Jh 2s Kc Jc Ad"
SEED_BYTES = "5s Ts 3h Td 3c"
SEED_SHORT = "8c Jh 7d Js Qd"


def plain_shuffle(seed: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The same order by the book: one long number, a remainder for each place (Fisher and Yates)."""
    number = int.from_bytes(blake2b(b"%d" % seed, digest_size=64, person=b"poker deck").digest(), "little")
    left = list(cards)
    for place in range(len(left)):
        number, offset = divmod(number, len(left) - place)
        left[place], left[place + offset] = left[place + offset], left[place]
    return tuple(left)


@given(st.integers(), st.sampled_from([STANDARD_DECK, SHORT_DECK, CARDS]))
def test_a_seeded_deck_is_a_fisher_yates_shuffle_of_its_hash(seed: int, pack: tuple[Card, ...]) -> None:
    assert Deck.seeded(seed, pack).draw(len(pack)) == plain_shuffle(seed, pack)


@given(seeds, st.lists(st.integers(0, 12), max_size=12))
def test_it_does_not_matter_in_how_many_draws_cards_are_taken(seed: int | bytes, counts: list[int]) -> None:
    whole, parts = Deck.seeded(seed), Deck.seeded(seed)
    taken: list[Card] = []
    for count in counts:
        if count <= len(parts):
            taken += parts.draw(count)
    assert tuple(taken) == whole.draw(len(taken))
    assert len(parts) == 52 - len(taken)


def test_each_order_of_a_small_pack_comes_from_exactly_one_number() -> None:
    pack = STANDARD_DECK[:5]
    orders = Counter(Deck(pack, entropy).draw(5) for entropy in range(math.factorial(5)))
    assert orders == Counter(permutations(pack))


@pytest.mark.parametrize("count", [1, 3, 5])
def test_each_draw_of_a_small_pack_comes_from_exactly_one_number_below_a_limit(count: int) -> None:
    pack, outcomes = STANDARD_DECK[:5], math.perm(5, count)

    class Given:
        def __init__(self, number: int) -> None:
            self.number = number

        def below(self, limit: int) -> int:
            assert limit == outcomes
            return self.number

    draws = Counter(Deck(pack, luck=Given(number)).draw(count) for number in range(outcomes))
    assert draws == Counter(permutations(pack, count))


def test_what_the_hash_leans_by_is_below_one_in_2_to_the_200() -> None:
    assert math.factorial(54) << 200 < 1 << 512


def leaning(cards: Iterable[Card]) -> float:
    """Return the chi-square statistic of 5,200 cards, each of 52 expected equally often."""
    counts = Counter(cards)
    return sum((counts[card] - 100) ** 2 / 100 for card in STANDARD_DECK)


def test_every_card_comes_first_about_as_often_as_any_other() -> None:
    chi_square = leaning(Deck.seeded(seed).draw(1)[0] for seed in range(5200))
    assert chi_square < 100, "51 degrees of freedom: beyond 100 once in 20,000 tables"


def test_every_card_comes_at_each_place_of_a_secure_draw_about_as_often_as_any_other() -> None:
    draws = [Deck.secure().draw(17) for _ in range(5200)]
    for cards in zip(*draws, strict=True):
        assert leaning(cards) < 140, "51 degrees of freedom: beyond 140 once in two billion tables"


@pytest.mark.parametrize("deck", [Deck.seeded(1), Deck.secure(), Deck.stacked(["AsAd"])], ids=str)
def test_a_deck_deals_each_card_of_its_pack_once(deck: Deck) -> None:
    assert sorted(deck.draw(52)) == list(STANDARD_DECK)
    assert len(deck) == 0


def test_two_secure_decks_differ() -> None:
    assert Deck.secure().draw(52) != Deck.secure().draw(52)


def test_different_seeds_give_different_decks_also_negative_and_huge_ones() -> None:
    seeds: list[int | bytes] = [0, 1, -1, 2**64, -(2**64), 10**40, b"", b"\0", b"a"]
    assert len({Deck.seeded(seed).draw(10) for seed in seeds}) == len(seeds)


@given(seeds, st.integers(0, 20))
def test_a_copy_deals_the_same_cards_and_leaves_the_first_alone(seed: int | bytes, drawn: int) -> None:
    deck = Deck.seeded(seed)
    deck.draw(drawn)
    copy = deck.copy()
    assert copy.draw(20) == deck.copy().draw(20) == deck.draw(20)


@pytest.mark.parametrize("count", [53, 10**9, -1])
def test_drawing_what_is_not_there_is_refused_and_takes_nothing(count: int) -> None:
    deck = Deck.seeded(1)
    with pytest.raises(BadSpec, match=f"cannot draw {count} cards: 52 are left in the deck"):
        deck.draw(count)
    assert len(deck) == 52


def test_a_stacked_deck_deals_hole_cards_board_and_the_sorted_rest() -> None:
    deck = Deck.stacked(["AsAd", "KsKd"], "2c3c4c5c6c")
    assert text(deck.draw(9)) == "As Ad Ks Kd 2c 3c 4c 5c 6c"
    rest = deck.draw(43)
    assert list(rest) == sorted(rest)


def test_stacking_a_card_twice_is_refused() -> None:
    with pytest.raises(DuplicateCard, match="As is stacked twice"):
        Deck.stacked(["AsAd", "KsKd"], "2c3cAs")
    with pytest.raises(DuplicateCard):
        Deck.stacked(["AsAs"])


def test_stacking_what_the_pack_has_not_is_refused() -> None:
    with pytest.raises(BadSpec, match="2c is not in this pack of 36 cards"):
        Deck.stacked(["As2c"], cards=SHORT_DECK)
    with pytest.raises(BadCard):
        Deck.stacked(["As1c"])


def test_a_deck_prints_how_many_cards_are_left_and_never_which() -> None:
    deck = Deck.stacked(["AsAd"])
    deck.draw(2)
    assert repr(deck) == str(deck) == "<Deck: 50 of 52 cards left>"


def test_a_deck_knows_the_pack_it_was_made_of_and_a_stacked_one_does_not_pass_for_shuffled() -> None:
    assert Deck.seeded(1).shuffles(STANDARD_DECK)
    assert Deck.seeded(1).copy().shuffles(STANDARD_DECK)
    assert not Deck.seeded(1, SHORT_DECK).shuffles(STANDARD_DECK)
    assert not Deck.stacked(["AsAd"]).shuffles(STANDARD_DECK)
