"""A public state costs references only, and stays what it was whatever the hand does next."""

from __future__ import annotations

import pickle
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from poker_actors.cards import Deck
from poker_actors.rules import GAMES, Action, Bet, Call, Check, Fold, Hand, PublicState, RaiseTo, Stakes


def everything_in(public: PublicState) -> tuple[object, ...]:
    """All that a public state says, copied."""
    seats = range(len(public.setup.stacks))
    said = (public.stacks, public.bets, public.live, public.to_act, public.over, public.active)
    by_seat = tuple((public.to_call(seat), str(public.legal(seat))) for seat in seats)
    return (
        *said,
        public.phase,
        public.pot,
        public.board,
        public.shown,
        public.actions,
        by_seat,
        hash(public),
    )


@given(
    stacks=st.lists(st.integers(1, 60), min_size=2, max_size=6),
    game=st.sampled_from([name for name, game in GAMES.items() if game.plain]),
    ante=st.integers(0, 2),
    seed=st.integers(0, 10_000),
)
def test_a_snapshot_stays_what_it_was_while_the_hand_goes_on(
    stacks: list[int], game: str, ante: int, seed: int
) -> None:
    luck = Random(seed)
    pack = GAMES[game].pack
    stacks = stacks[: GAMES[game].max_seats]
    hand = Hand(stacks, Stakes(1, 2, ante=ante), deck=Deck.seeded(seed, pack), game=GAMES[game])
    kept = []
    while True:
        public = hand.public()
        kept.append((public, everything_in(public), pickle.dumps(public)))
        if hand.over:
            break
        legal = hand.legal
        actions: list[Action] = [Fold(), Call() if legal.to_call else Check()]
        if legal.can_raise:
            total = luck.randint(legal.min_raise_to, legal.max_raise_to)
            actions += [Bet(total) if legal.opening else RaiseTo(total)] * 2
        hand.act(luck.choice(actions[1:] if luck.random() < 0.8 else actions))
    for public, said, pickled in kept:
        assert everything_in(public) == said
        assert pickle.loads(pickled) == public
    assert len({public.seq for public, _, _ in kept}) == len(kept)
