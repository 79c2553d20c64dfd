"""A fairness record proves the cards somebody has seen, and opens no other."""

from __future__ import annotations

import contextlib
import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_actors.actors import DeckOpened, News, Room, StepRuntime, TableNews
from poker_actors.cards import CARDS, Deck, parse_cards
from poker_actors.errors import BadInput
from poker_actors.rules import GAMES, HOLDEM, Game, Hand, Stakes
from poker_actors.store import MemoryStorage, open_journal
from poker_actors.store.fairness import FairnessRecord, SealedDeal

SECRET = bytes(range(32))


def dealt(game: Game = HOLDEM, seats: int = 4, deck: str = "") -> tuple[SealedDeal, Hand]:
    seats = min(seats, game.max_seats)
    needed = game.hole_cards * seats + game.board_cards
    cards = parse_cards(deck) if deck else Deck.seeded(7, game.pack).draw(needed)
    sealed = SealedDeal("main/hand-000000000", cards, SECRET)
    hand = Hand([100] * seats, Stakes(1, 2), deck=Deck(cards, entropy=-1), game=game)
    return sealed, hand


def played(game: Game = HOLDEM, seats: int = 4, deck: str = "") -> tuple[SealedDeal, Hand]:
    sealed, hand = dealt(game, seats, deck)
    while not hand.over:
        hand.check_or_call()
    return sealed, hand


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.plain], ids=str)
def test_every_seat_of_every_plain_game_can_verify_what_it_saw(game: Game) -> None:
    sealed, hand = played(game)
    records = sealed.records(hand)
    assert set(records) == {None, *hand.live}
    for seat, record in records.items():
        assert record.commitment == sealed.commitment
        assert record.hole == (() if seat is None else hand.holes[seat])
        assert record.board == hand.board
        assert record.shown == dict(hand.public().shown)
        assert record.flaw() is None
        assert FairnessRecord.from_dict(json.loads(json.dumps(record.to_dict()))) == record


def test_cards_nobody_saw_are_not_in_any_record() -> None:
    # seat 0, the button, checks it down last with nothing; seat 1 shows first and wins
    sealed, hand = played(seats=3, deck="2c7d AsAh 3c8d Ad Kh Qs 5c 4s")
    assert [seat for seat, _ in hand.public().shown] == [1]
    records = sealed.records(hand)
    text = json.dumps({str(seat): record.to_dict() for seat, record in records.items() if seat != 2})
    assert '"3c"' not in text
    assert '"8d"' not in text
    assert '"2c"' in text
    # places 4 and 5 are seat 2's: no salt of theirs leaves the dealer
    assert all({4, 5}.isdisjoint(record.proofs) for seat, record in records.items() if seat != 2)


def test_a_hand_that_ends_early_opens_the_board_as_far_as_it_was_dealt() -> None:
    sealed, hand = dealt(seats=2)
    for _ in range(2):
        hand.check_or_call()
    hand.fold()
    records = sealed.records(hand)
    assert len(records[0].board) == 3
    assert set(records[0].proofs) == {0, 1, 4, 5, 6}
    assert records[0].shown == {}
    assert records[0].flaw() is None


def test_the_commitment_is_the_one_written_down_here() -> None:
    """A later version must verify records of this one."""
    sealed, _ = dealt()
    assert sealed.commitment.hex() == GOLDEN_COMMITMENT


GOLDEN_COMMITMENT = "eec98996014055ee65ebc4f447181d4adb7fb8432ae37a2af8bf5bb1999e99f0"


def plain() -> dict[str, Any]:
    sealed, hand = played()
    return sealed.records(hand)[1].to_dict()


def flaw_of(changed: dict[str, Any]) -> str | None:
    return FairnessRecord.from_dict(changed).flaw()


@given(st.data())
def test_no_other_card_can_be_claimed_in_any_place(data: st.DataObject) -> None:
    record = plain()
    where = data.draw(st.sampled_from([record["hole"], record["board"], *record["shown"].values()]))
    at = data.draw(st.integers(0, len(where) - 1))
    where[at] = data.draw(st.sampled_from([str(card) for card in CARDS if str(card) != where[at]]))
    # a card twice on one board is not even a record
    with contextlib.suppress(BadInput):
        assert flaw_of(record) is not None


@given(st.data())
def test_no_bit_of_a_proof_or_of_the_commitment_can_change(data: st.DataObject) -> None:
    record = plain()
    proof = record["proofs"][data.draw(st.sampled_from(sorted(record["proofs"])))]
    kind = data.draw(st.sampled_from(["salt", "path", "commitment"]))
    places = {"salt": (proof, "salt"), "path": (proof["path"], 0), "commitment": (record, "commitment")}
    holder, key = places[kind]
    found = bytearray.fromhex(holder[key])
    found[data.draw(st.integers(0, len(found) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    holder[key] = found.hex()
    assert flaw_of(record) is not None


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record.update(hand_id="main/hand-000000001"),
        lambda record: record.update(seat=2),
        lambda record: record.update(game="omaha"),
        lambda record: record.update(dealt=[0, 1, 2]),
        lambda record: record.update(dealt=[0, 1, 2, 3, 4]),
        lambda record: record["hole"].reverse(),
        lambda record: record["board"].reverse(),
        lambda record: record.update(hole=record["board"][:2]),
        lambda record: record["proofs"].pop(min(record["proofs"])),
        lambda record: record["proofs"].update({"99": record["proofs"][min(record["proofs"])]}),
        lambda record: record.update(board=record["board"][:4]),
        lambda record: record.update(shown={}),
        lambda record: record.update(format=2),
        lambda record: record.update(hole=[]),
        lambda record: record.update(dealt=[]),
        lambda record: record.update(seat=7),
        lambda record: record.update(shown={"1": ["As"]}),
        lambda record: record.update(proofs={}),
        lambda record: record.pop("commitment"),
        lambda record: record.update(commitment="00"),
        lambda record: record.update(dealt=[True, 1, 2, 3]),
        lambda record: record.update(board="AsKs"),
        lambda record: record.update(game="tarock"),
    ],
)
def test_a_record_that_claims_anything_else_does_not_verify(change: Any) -> None:
    record = plain()
    before = copy.deepcopy(record)
    change(record)
    assert record != before
    with contextlib.suppress(BadInput):
        assert flaw_of(record) is not None


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_what_is_no_record_is_refused_in_one_way(value: object) -> None:
    with pytest.raises(BadInput):
        FairnessRecord.from_dict(value)


def test_the_dealers_side_prints_no_card_and_no_secret() -> None:
    sealed, hand = dealt()
    assert repr(sealed) == f"<SealedDeal: main/hand-000000000, {sealed.commitment.hex()}>"
    assert not any(str(card) in repr(sealed) for card in hand.cards[:2])


# -- in a room -----------------------------------------------------------------------------------


def seat_two(room: Room) -> None:
    table = room.open_table()
    for name in ("ann", "bob"):
        player = room.player(name, "caller", chips=100)
        table.sit(player)
        table.buy_in(player, 100)


def test_the_commitment_is_told_before_a_card_is_dealt_and_the_proofs_when_the_hand_is_over() -> None:
    with Room(StepRuntime()) as room:
        seat_two(room)
        room.runtime.run()  # type: ignore[attr-defined]
        heard: list[News] = []
        room.players["ann"].listen(heard.append)
        live = room.tables["main"].deal()
        live.result()
        room.runtime.run()  # type: ignore[attr-defined]
        first, last = heard[0], heard[-1]
        assert isinstance(first, TableNews)
        assert (first.what, first.commitment) == ("hand_started", live.commitment)
        assert len(live.commitment) == 64
        assert isinstance(last, DeckOpened)
        assert last.record.commitment.hex() == live.commitment
        assert last.record.flaw() is None
        assert room.players["ann"].record("main") == last.record
        assert sum(isinstance(news, DeckOpened) for news in heard) == 1


def test_decks_of_a_live_room_differ_and_commit_differently() -> None:
    with Room(StepRuntime(), seed=1) as room:
        seat_two(room)
        commitments = set()
        boards = set()
        for _ in range(5):
            live = room.tables["main"].deal()
            result = live.result()
            commitments.add(live.commitment)
            assert result.hand is not None
            boards.add(result.hand.board)
        assert len(commitments) == len(boards) == 5


def test_a_deck_that_was_given_has_no_commitment() -> None:
    with Room(StepRuntime()) as room:
        seat_two(room)
        live = room.tables["main"].deal(Deck.seeded(1))
        live.result()
        assert live.commitment == ""
        assert room.players["ann"].record("main") is None


def test_a_hand_that_outlives_its_process_is_opened_against_the_commitment_of_before() -> None:
    storage = MemoryStorage()
    with Room(StepRuntime(), store=open_journal(storage)) as room:
        seat_two(room)
        commitment = room.tables["main"].deal().commitment
    with Room(StepRuntime(), store=open_journal(storage)) as room:
        state = room.tables["main"].state()
        assert state.commitment == commitment
        live = room.tables["main"].live()
        assert live is not None
        live.result()
    with Room(StepRuntime(), store=open_journal(storage)) as room:
        record = room.players["bob"].record("main")
        assert record is not None
        assert record.commitment.hex() == commitment
        assert record.flaw() is None
