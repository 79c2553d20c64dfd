"""All-in hands by what they were worth: the mean of what could have come."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_actors.bots import BotSpec, Faults, SeedTree, decide
from poker_actors.cards import STANDARD_DECK, Card, Deck
from poker_actors.rules import Hand, Stakes
from poker_actors.sim import SimulationResult, simulate
from poker_actors.sim.luck import expected_payoffs

HOLES = ["AsAh", "KsKh", "QdQc"]
BOARD = "2c7dKdJs"


def all_in_on_the_turn(river: str, stacks: tuple[int, ...] = (80, 200, 150)) -> Hand:
    """Seat 1 has a set, seats 0 and 2 draw to it; the board is complete but for the river."""
    hand = Hand(stacks, Stakes(), deck=Deck.stacked(HOLES, BOARD + river))
    for _ in range(6):
        hand.check_or_call()
    hand.raise_to(hand.stacks[hand.to_act[0]])
    while hand.to_act:
        hand.check_or_call()
    return hand


def rivers() -> list[Card]:
    used = {Card(text) for text in ("As", "Ah", "Ks", "Kh", "Qd", "Qc", "2c", "7d", "Kd", "Js")}
    return [card for card in STANDARD_DECK if card not in used]


def test_what_a_hand_was_worth_is_the_mean_over_every_card_that_could_come() -> None:
    hands = [all_in_on_the_turn(str(card)) for card in rivers()]
    assert len(hands) == 42
    mean = [sum(hand.payoffs[seat] for hand in hands) / 42 for seat in range(3)]
    for hand in hands:
        expected = expected_payoffs(hand, random.Random(1))
        assert expected is not None
        assert [chips / 1000 for chips in expected] == pytest.approx(mean, abs=0.001)


def test_a_hand_without_chance_left_is_worth_what_it_won() -> None:
    hand = Hand([200] * 3, Stakes(), deck=Deck.stacked(HOLES, BOARD + "2s"))
    while hand.to_act:
        hand.check_or_call()
    assert expected_payoffs(hand, random.Random(1)) is None
    folded = Hand([200] * 3, Stakes(), deck=Deck.seeded(1))
    folded.raise_to(200)
    folded.fold()
    folded.fold()
    assert expected_payoffs(folded, random.Random(1)) is None
    river = Hand([200] * 2, Stakes(), deck=Deck.stacked(HOLES[:2], BOARD + "2s"))
    while river.street < 3:
        river.check_or_call()
    river.raise_to(198)
    river.check_or_call()
    assert expected_payoffs(river, random.Random(1)) is None


@given(st.lists(st.integers(5, 80), min_size=2, max_size=6), st.integers(0, 10**6))
def test_what_hands_are_worth_adds_up_to_nothing(stacks: list[int], seed: int) -> None:
    tree = SeedTree(seed)
    hand = Hand(stacks, Stakes(1, 2, ante=seed % 2), deck=tree.deck(0), button=seed % len(stacks))
    bots = [BotSpec.parse(("random", "caller")[(seed + seat) % 2]).make() for seat in range(len(stacks))]
    while hand.to_act:
        seat = hand.to_act[0]
        hand.act(decide(bots[seat], hand.view(seat, tree.stream(0, seat)), Faults()))
    expected = expected_payoffs(hand, random.Random(seed))
    if expected is not None:
        assert abs(sum(expected)) <= len(stacks)
        assert all(-1000 * stack <= chips for chips, stack in zip(expected, stacks, strict=True))


def test_the_adjusted_interval_is_narrower_and_holds_the_same_mean() -> None:
    result = simulate(["random", "caller", "maniac"], hands=600, seed=3, adjust=True)
    for player in result.players:
        adjusted = player.bb_per_100_adjusted
        assert adjusted is not None
        assert (adjusted.margin or 0) < 0.8 * (player.bb_per_100.margin or 0)
        # the difference of the two is luck alone: within four of its standard errors
        assert abs(adjusted.mean - player.bb_per_100.mean) < 2 * (player.bb_per_100.margin or 0)
    assert result.digest == simulate(["random", "caller", "maniac"], hands=600, seed=3).digest


def test_the_adjustment_is_the_same_for_any_split_and_is_saved(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    one, two = (simulate(hands=60, seed=3, adjust=True, workers=workers) for workers in (1, 2))
    assert one == two
    path = tmp_path_factory.mktemp("results") / "result.json"
    one.save(path)
    assert SimulationResult.load(path) == one
    assert "with the luck of the cards taken out" in "\n".join(one.remarks)
