"""A fairness record of stud, draw, split pots and several boards proves what was seen, over a reshuffle too, and no more."""

from __future__ import annotations

import contextlib
import copy
import json
from random import Random
from typing import Any

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadInput
from poker_actors.rules import GAMES, Discard, Game, Hand, Lay, Stakes
from poker_actors.rules.cash import HandOptions
from poker_actors.rules.laying import Layout
from poker_actors.store import MemoryStorage, open_journal
from poker_actors.store.fairness import FairnessRecord, SealedDeal, reshuffles
from poker_actors.store.fairness.course import Step, flaw_in_course

NOT_PLAIN = [game for game in GAMES.values() if not game.plain]
TRIPLE_DRAW = GAMES["2-7-triple-draw"]


def sealed_hand(
    game: Game, seats: int, seed: int, options: HandOptions | None = None, chips: int = 400
) -> tuple[SealedDeal, Hand]:
    """Commit to a deck as a table does, and begin a hand with it."""
    runs, boards = (1, 1) if options is None else (options.boards, options.bomb_boards)
    fresh = Deck.seeded(seed, game.pack)
    cards = fresh.draw(game.cards_needed(seats, len(game.pack), boards=boards, runs=runs))
    key = fresh.reshuffle_key()
    deck = Deck(cards, entropy=-1, key=key)
    hand = Hand([chips] * seats, game.stakes, deck=deck, game=game, options=options)
    return SealedDeal("main/hand-000000000", cards, bytes(32), reshuffles(game, seats, key)), hand


def play(hand: Hand, rng: Random, folds: float = 0.1, throws: int = 5) -> Hand:
    """Play it out: now and then somebody folds, and who may throws up to so many cards away."""
    while not hand.over:
        legal = hand.legal
        if legal.lays:
            hand.act(legal.passive)
        elif legal.discards:
            most = min(throws, legal.discards)
            throw = hand.game.streets[hand.street].throw or rng.randint(most // 2, most)
            hand.act(Discard(hand.holes[hand.to_act[0]][:throw]))
        elif not hand.decision and rng.random() < folds and len(hand.live) > 2:
            hand.fold()
        else:
            hand.check_or_call()
    return hand


def read_back(record: FairnessRecord) -> FairnessRecord:
    return FairnessRecord.from_dict(json.loads(json.dumps(record.to_dict())))


@pytest.mark.parametrize("game", NOT_PLAIN, ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_every_seat_of_every_game_can_verify_what_it_saw(game: Game, seed: int) -> None:
    sealed, hand = sealed_hand(game, (game.max_seats, min(3, game.max_seats))[seed], seed)
    play(hand, Random(seed))
    records = sealed.records(hand)
    assert set(records) == {None, *range(len(hand.starting))}
    for seat, record in records.items():
        assert record.commitment == sealed.commitment
        assert record.flaw() is None
        assert record.hole == (() if seat is None else hand.holes[seat])
        assert (record.board, *record.runs) == hand.boards
        assert set(hand.open[seat or 0]) <= set(record.cards.values())
        assert read_back(record) == record


def reshuffled_hand() -> tuple[SealedDeal, Hand]:
    sealed, hand = sealed_hand(TRIPLE_DRAW, 6, 11)
    play(hand, Random(3), folds=0)
    assert hand.extra is not None
    assert hand.extra.stub.reshuffles >= 2
    return sealed, hand


def test_cards_dealt_after_a_reshuffle_are_those_of_an_order_committed_to_before_the_deal() -> None:
    sealed, hand = reshuffled_hand()
    for seat, record in sealed.records(hand).items():
        assert record.flaw() is None
        if seat is not None:
            mixed = [step for step in record.course if step.seat == seat and step.mixed]
            assert mixed
            assert all(len(step.places) == step.count for step in mixed)


def test_a_record_over_a_reshuffle_names_no_card_its_seat_has_not_seen() -> None:
    sealed, hand = reshuffled_hand()
    assert hand.extra is not None
    shown = {card for _, cards in hand.public().shown for card in cards}
    dealt = {seat: set(hand.holes[seat]) | hand.extra.thrown_by(seat) for seat in hand.live}
    for seat, record in sealed.records(hand).items():
        own = set() if seat is None else dealt[seat]
        assert set(record.cards.values()) <= own | shown
        for step in record.course:
            # where others' cards lay in a new stub would tell which of them somebody had thrown away
            assert not step.mixed or step.seat == seat or not step.places


def fantasy_land_hand() -> tuple[SealedDeal, Hand]:
    """Seat 1 lays queens on top and throws the twos away: the next deal is in fantasy land."""
    game = GAMES["open-face-pineapple"]
    laid = ["QsQd2c", "AsAd3c4c5d", "KsKdKc6h7h"], ["2s3d5c", "7s7d9c8c4d", "8h8d9hThJh"]
    orders = [[*parse_cards("".join(rows))] for rows in laid]
    thrown = [parse_cards("2d2hJcTd"), parse_cards("6c6d6sTs")]
    first = [card for cards in orders for card in cards[:5]]
    rest = [
        card
        for turn in range(4)
        for cards, gone in zip(orders, thrown, strict=True)
        for card in (*cards[5 + 2 * turn : 7 + 2 * turn], gone[turn])
    ]
    left = [card for card in game.pack if card not in {*first, *rest}]
    key = bytes(16)
    cards = (*first, *rest, *left)
    sealed = SealedDeal("main/hand-000000000", cards, bytes(32), reshuffles(game, 2, key))
    deck = Deck(list(cards), entropy=-1, key=key)
    hand = Hand([200, 200], game.stakes, deck=deck, game=game, button=0)
    wanted = [[parse_cards(row) for row in rows] for rows in laid]
    while not layout_of(hand).scored:
        seat = hand.to_act[0]
        rows = wanted[1 - seat]
        hand.act(Lay(*[tuple([card for card in row if card in hand.holes[seat]]) for row in rows]))  # type: ignore[arg-type]
    return sealed, play(hand, Random(1))


def layout_of(hand: Hand) -> Layout:
    layout = hand.public().layout
    assert layout is not None
    return layout


def test_deals_in_fantasy_land_are_proven_and_what_was_thrown_away_is_not_told() -> None:
    sealed, hand = fantasy_land_hand()
    deals = layout_of(hand).scored
    assert len(deals) >= 2
    records = sealed.records(hand)
    for seat, record in records.items():
        assert record.flaw() is None
        assert read_back(record) == record
        for step in record.course:
            laid = {card for row in deals[step.mixed].rows[step.seat or 0] for card in row}
            seen = {record.cards[place] for place in step.places if place in record.cards}
            assert seen <= laid or step.seat == seat
    assert len(records[0].cards) > len(records[None].cards)


@pytest.mark.parametrize(
    "game", ["2-7-triple-draw", "stud", "crazy-pineapple", "double-board-holdem", "open-face-pineapple"]
)
def test_a_record_that_claims_anything_else_does_not_verify(game: str) -> None:
    sealed, hand = sealed_hand(GAMES[game], min(6, GAMES[game].max_seats), 11)
    assert_no_change_verifies(sealed.records(play(hand, Random(3), folds=0))[hand.live[0]].to_dict())


def test_a_record_of_fantasy_land_that_claims_anything_else_does_not_verify() -> None:
    sealed, hand = fantasy_land_hand()
    assert_no_change_verifies(sealed.records(hand)[1].to_dict())


def assert_no_change_verifies(record: dict[str, Any]) -> None:
    assert FairnessRecord.from_dict(record).flaw() is None
    for change in changes(record):
        changed = copy.deepcopy(record)
        change(changed)
        assert changed != record
        with contextlib.suppress(BadInput):
            assert FairnessRecord.from_dict(changed).flaw() is not None, changed["course"]


def changes(record: dict[str, Any]) -> list[Any]:
    """Every card for another one, every step left out, given to another or made longer, every proof away."""
    found: list[Any] = [
        lambda r: r["hole"].__setitem__(0, other_than(r["hole"][0])),
        lambda r: r.update(count=r["count"] + 1),
        lambda r: r.update(course=[]),
    ]
    mine = {
        str(place)
        for seat, _, _, _, places in record["course"]
        for place in places
        if seat in (None, record["seat"])
    }
    for place, card in record["cards"].items():
        found.append(lambda r, at=place, was=card: r["cards"].update({at: other_than(was)}))
        found.append(lambda r, at=place: r["proofs"].pop(at))
        if place in mine:  # to say less of others is no claim
            found.append(lambda r, at=place: (r["cards"].pop(at), r["proofs"].pop(at)))
    for number, (seat, _, _, mixed, places) in enumerate(record["course"]):
        if mixed and not places:
            continue  # another seat's cards of a new stub: of them there is only how many they were
        found.append(lambda r, at=number: r["course"].pop(at))
        found.append(lambda r, at=number, to=seat: r["course"][at].__setitem__(0, 9 if to is None else None))
        found.append(
            lambda r, at=number: r["course"][at].__setitem__(4, [one + 1 for one in r["course"][at][4]])
        )
    return found


def other_than(card: str) -> str:
    return "2c" if card != "2c" else "3c"


@pytest.mark.parametrize("boards", [1, 2])
def test_bomb_pots_on_two_boards_and_boards_run_twice_are_proven(boards: int) -> None:
    options = HandOptions(bomb_pot=10, bomb_boards=boards, boards=2)
    sealed, hand = sealed_hand(GAMES["holdem"], 3, 5, options)
    while not hand.over:
        legal = hand.legal
        hand.raise_to(legal.max_raise_to) if legal.can_raise else hand.check_or_call()
    assert len(hand.boards) > boards
    for record in sealed.records(hand).values():
        assert record.flaw() is None
        assert (record.board, *record.runs) == hand.boards
        assert read_back(record) == record


@pytest.mark.parametrize("name", ["holdem", "stud"])
def test_a_hand_that_the_blinds_end_is_proven(name: str) -> None:
    game = GAMES[name]
    options = HandOptions(boards=2) if name == "holdem" else None
    sealed, hand = sealed_hand(game, 2, 5, options, chips=1)
    assert hand.over
    assert not hand.log
    for record in sealed.records(hand).values():
        assert record.flaw() is None
        assert read_back(record) == record


def test_a_hand_that_ends_before_a_draw_is_proven_as_far_as_it_was_dealt() -> None:
    sealed, hand = sealed_hand(GAMES["badugi"], 3, 1)
    hand.fold()
    hand.fold()
    records = sealed.records(hand)
    assert [record.flaw() for record in records.values()] == [None] * 4
    assert len(records[0].cards) == 4
    assert not records[None].cards


def test_orders_are_committed_to_only_where_cards_can_run_out() -> None:
    assert reshuffles(GAMES["stud"], 8, b"") == []
    assert reshuffles(TRIPLE_DRAW, 2, b"") == []
    assert len(reshuffles(TRIPLE_DRAW, 6, b"")) == 7
    assert len({*reshuffles(GAMES["badugi"], 8, b"key")}) == 8


def test_a_draw_hand_that_outlives_its_process_is_opened_against_the_commitment_of_before() -> None:
    storage = MemoryStorage()
    with Room(StepRuntime(), store=open_journal(storage)) as room:
        table = room.open_table("main", seats=6, game="badugi", stakes=Stakes(1, 2))
        for name in "abcdef":
            player = room.player(name, "caller", chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        commitment = table.deal().commitment
    for _ in range(2):
        with Room(StepRuntime(), store=open_journal(storage)) as room:
            live = room.tables["main"].live()
            if live is not None:
                assert live.commitment == commitment
                live.result()
    with Room(StepRuntime(), store=open_journal(storage)) as room:
        record = room.players["b"].record("main")
        assert record is not None
        assert record.commitment.hex() == commitment
        assert record.flaw() is None
        assert len(record.hole) == 4


@pytest.mark.parametrize("game", ["open-face", "open-face-pineapple"])
def test_a_step_that_claims_any_number_of_cards_is_a_flaw(game: str) -> None:
    sealed, hand = sealed_hand(GAMES[game], 2, 5)
    record = sealed.records(play(hand, Random(5)))[None]
    step = Step(0, 0, 10**19, record.course[-1].mixed + 1, ())
    flaw = flaw_in_course(GAMES[game], record.dealt, (*record.course, step))
    assert flaw is not None
    assert "does not deal the next 10000000000000000000 cards" in flaw
