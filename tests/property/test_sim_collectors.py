"""Who was paid, worked out without playing again, against what the hand says happened."""

from hypothesis import given
from hypothesis import strategies as st

from poker_actors.bots import BotSpec, Faults, SeedTree, decide
from poker_actors.rules import Hand, Stakes
from poker_actors.rules.event import Awarded
from poker_actors.sim.statistics import collectors


@given(
    st.lists(st.integers(10, 60), min_size=2, max_size=7),
    st.integers(0, 10**6),
    st.sampled_from([Stakes(1, 2), Stakes(1, 2, ante=3), Stakes(2, 5, big_blind_ante=5)]),
)
def test_whoever_is_paid_is_found(stacks: list[int], seed: int, stakes: Stakes) -> None:
    tree = SeedTree(seed)
    hand = Hand(stacks, stakes, deck=tree.deck(0), button=seed % len(stacks))
    bots = [
        BotSpec.parse(("random", "caller", "maniac")[(seed + seat) % 3]).make() for seat in range(len(stacks))
    ]
    while hand.to_act:
        seat = hand.to_act[0]
        hand.act(decide(bots[seat], hand.view(seat, tree.stream(0, seat)), Faults()))
    paid = {news.seat for news in hand.events() if isinstance(news, Awarded)}
    found = collectors(hand)
    assert len(found) == len(set(found))
    assert set(found) == paid
