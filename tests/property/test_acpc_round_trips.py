"""Hands of ours as match states and back; what a player is told does not depend on cards it cannot see."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from poker_actors.cards import Deck
from poker_actors.errors import BadInput, RemoteProtocolError
from poker_actors.history import parse, replay
from poker_actors.rules import Hand
from poker_actors.wire.acpc import (
    DEFINITIONS,
    Dealer,
    GameDefinition,
    MatchLimits,
    MatchPlan,
    MatchState,
    amounts_text,
    betting_text,
    hand_values,
    match_state,
)
from poker_actors.wire.acpc.protocol import Lines, play_betting, state_text

GAMES = st.sampled_from(list(DEFINITIONS.values()))
CHOICES = st.lists(st.integers(0, 99), max_size=60)


def play(hand: Hand, choices: list[int]) -> None:
    """Take turns by the numbers: few folds, raises of every size, calls when they run out."""
    for choice in choices:
        if hand.over:
            return
        legal = hand.legal
        if choice < 8 and legal.to_call:
            hand.fold()
        elif choice > 60 and legal.can_raise:
            reach = (legal.max_raise_to - legal.min_raise_to) * (choice - 61) ** 4 // 38**4
            hand.raise_to(legal.min_raise_to + reach)
        else:
            hand.check_or_call()


@given(GAMES, st.integers(0, 10**6), CHOICES)
def test_a_hand_is_told_to_each_player_and_played_again_from_what_it_heard(
    definition: GameDefinition, seed: int, choices: list[int]
) -> None:
    hand = definition.hand(Deck.seeded(seed))
    play(hand, choices)
    for position in range(definition.players):
        text = str(match_state(hand, seed, position))
        state = MatchState.parse(text)
        assert str(state) == text
        again = state.hand(definition)
        assert betting_text(again) == betting_text(hand)
        assert again.holes[position] == hand.holes[position]
        assert (again.board, again.to_act) == (hand.board, hand.to_act)
        if hand.over:
            assert hand_values(again)[position] == hand_values(hand)[position]
        else:
            assert again.view(position) == hand.view(position)


@given(GAMES, st.integers(0, 10**6), CHOICES)
def test_a_player_hears_the_same_whatever_others_hold(
    definition: GameDefinition, seed: int, choices: list[int]
) -> None:
    hand = definition.hand(Deck.seeded(seed))
    play(hand, choices)
    if hand.strengths is not None:
        return
    size = definition.players
    unseen = [card for card in Deck.seeded(seed + 1).draw(52) if card not in (*hand.holes[0], *hand.board)]
    holes = [hand.holes[0], *(tuple(unseen[2 * at : 2 * at + 2]) for at in range(size - 1))]
    other = definition.hand(Deck.stacked(holes, hand.board))
    play_betting(other, betting_text(hand))
    assert str(match_state(other, 3, 0)) == str(match_state(hand, 3, 0))


@given(GAMES, st.integers(0, 10**6), CHOICES)
def test_a_finished_hand_is_logged_conserves_chips_and_replays(
    definition: GameDefinition, seed: int, choices: list[int]
) -> None:
    hand = definition.hand(Deck.seeded(seed))
    play(hand, choices)
    while not hand.over:
        hand.check_or_call()
    values = hand_values(hand)
    assert sum(values) == 0
    assert all(
        abs(value - paid) < definition.players for value, paid in zip(values, hand.payoffs, strict=True)
    )
    assert all(value >= -spent for value, spent in zip(values, hand.public().log.put_in, strict=True))
    names = "|".join("abc"[: definition.players])
    line = f"{definition.comment}\n{state_text(hand, seed)}:{amounts_text(values)}:{names}\n"
    [history] = parse(line, "acpc")
    replayed = replay(history)
    assert replayed.hand.over
    assert replayed.payoffs is not None
    assert [paid / history.scale for paid in replayed.payoffs] == [float(value) for value in values]


@given(st.binary(max_size=300), st.integers(1, 40))
def test_any_bytes_are_lines_or_refused(data: bytes, size: int) -> None:
    lines = Lines()
    found = []
    try:
        for at in range(0, len(data), size):
            lines.receive_data(data[at : at + size])
            while (line := lines.next_line()) is not None:
                found.append(line)
    except RemoteProtocolError:
        assert not data.isascii()
    else:
        assert found == [line.removesuffix(b"\r").decode() for line in data.split(b"\n")[:-1]]


SAID = st.sampled_from(["c", "f", "r", "r300", "r-1", "r99999999999", "x", "", "k", "b1"])


@given(GAMES, st.lists(SAID | st.binary(max_size=30), max_size=60), st.integers(0, 2))
def test_whatever_players_say_a_dealer_goes_on_or_ends_and_no_chip_is_lost(
    definition: GameDefinition, said: list[str | bytes], strikes: int
) -> None:
    dealer = Dealer(MatchPlan(definition, 5, 1, limits=MatchLimits(strikes=strikes)))
    dealer.start(0.0)
    for seat in range(definition.players):
        dealer.receive(seat, b"VERSION:2.0.0\r\n", 0.0)
    last = [""] * definition.players
    for now, words in enumerate(said):
        for seat, data in dealer.outgoing():
            last[seat] = data.decode().strip()
        waiting = dealer.waiting
        if waiting is None:
            break
        answer = words if isinstance(words, bytes) else f"{last[waiting]}:{words}\r\n".encode()
        dealer.receive(waiting, answer, float(now))
        dealer.expire(float(now))
    assert sum(seat.value for seat in dealer.outcome.seats) == 0
    assert not dealer.broken or not strikes or all(seat.gone for seat in dealer.seats)


@given(st.text(alphabet="MATCHSE:0123cfr/|AsKd", max_size=60))
def test_any_text_is_a_state_or_refused(text: str) -> None:
    for candidate in (text, f"MATCHSTATE:0:0:{text}", f"MATCHSTATE:0:0::AsKd|{text}"):
        try:
            state = MatchState.parse(candidate)
        except BadInput:
            continue
        assert str(state) == candidate
        try:
            state.hand(DEFINITIONS["holdem.nolimit.2p"])
        except BadInput:
            continue
