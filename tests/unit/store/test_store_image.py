"""The image of a room: what cannot follow is refused, a copy goes its own way, and as text it comes back the same."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest

from poker_actors.errors import BadJournal
from poker_actors.store import (
    ActionTaken,
    Booked,
    CardsShown,
    Fact,
    HandDealt,
    HandOver,
    MemoryStorage,
    Noted,
    PlayerJoined,
    PlayerLeft,
    RoomImage,
    RoomOpened,
    SeatsChanged,
    TableOpened,
    open_journal,
)
from poker_actors.store.journal.facts import decode

TABLE = TableOpened("main", 3, (1, 2, 0, 0, 0, 2), "holdem", None, 0, None, 0, True, 2)
FIRST, SECOND = "main/hand-000000000", "main/hand-000000001"
DEALT = HandDealt(
    "main", FIRST, 0, 0, 0, 1, ("ann", "bob", None), (50, 50, 0), "AsKsQsJsTs9s8s7s6s", "ab" * 32
)
STAKED = {"bank/ann": -50, "bank/bob": -50, f"escrow/{FIRST}/ann": 50, f"escrow/{FIRST}/bob": 50}
PAID = {"bank/ann": 60, "bank/bob": 40, f"escrow/{FIRST}/ann": -50, f"escrow/{FIRST}/bob": -50}
FACTS: list[Fact] = [
    RoomOpened(7),
    PlayerJoined("ann", None),
    PlayerJoined("eve", None),
    PlayerJoined("bob", "tight:aggression=0.5"),
    PlayerLeft("eve"),
    Booked({"mint": -100, "bank/ann": 50, "bank/bob": 50}, ""),
    TABLE,
    SeatsChanged("main", (("ann", False, 0), ("bob", True, 1), None), (("cid", 40),), ("ann",)),
    Booked(STAKED, ""),
    DEALT,
    Noted("tournament", "deep"),
    ActionTaken(FIRST, 0, 16),
    ActionTaken(FIRST, 1, 16),
    HandOver(FIRST, voided=False),
    Booked(PAID, FIRST),
    attrs.evolve(DEALT, hand_id=SECOND),
    HandOver(SECOND, voided=True),
    Noted("tournament", None),
    SeatsChanged("main", ()),
]


def room(count: int = len(FACTS)) -> RoomImage:
    """The room after so many facts."""
    image = RoomImage()
    for fact in FACTS[:count]:
        image.apply(fact)
    return image


DURING_HAND, AFTER_HAND = FACTS.index(DEALT) + 2, len(FACTS) - 5


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (SeatsChanged("side", ()), "there is no table 'side'"),
        (ActionTaken("s" * 99 + "/hand-000000000", 0, 1), f"there is no table '{'s' * 80}'"),
        (PlayerLeft("zoe"), "player 'zoe' leaves but is not in the room"),
        (PlayerLeft("z" * 81), f"player '{'z' * 80}' leaves but is not in the room"),
        (attrs.evolve(DEALT, hand_id=SECOND), f"{SECOND} was dealt while {FIRST} was being played"),
        (HandOver(SECOND, voided=False), f"{SECOND} is over but was not dealt"),
        (CardsShown(FIRST, 0), f"cards of {FIRST} are shown, but it is not the hand that is over"),
        (ActionTaken(FIRST, 3, 16), f"{FIRST}: action 3 follows 1 actions"),
        (ActionTaken(FIRST, 0, 16), f"{FIRST}: action 0 follows 1 actions"),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)
def test_a_fact_that_cannot_follow_is_refused_and_says_what_went_before(fact: Fact, text: str) -> None:
    image = room(DURING_HAND + 1)
    before = image.to_json()
    with pytest.raises(BadJournal) as refusal:
        image.apply(fact)
    assert str(refusal.value) == text
    assert image.to_json() == before


def refused(image: RoomImage, facts: list[Fact]) -> str | None:
    """Return why these facts cannot follow one after the other; None if they can."""
    try:
        for fact in facts:
            image.apply(fact)
    except BadJournal as refusal:
        return str(refusal)
    return None


@pytest.mark.parametrize("count", range(len(FACTS) + 1))
def test_facts_are_refused_before_they_are_written_as_they_would_be_after(count: int) -> None:
    image = room(count)
    before = image.to_json()
    overdrawn = Booked({"bank/ann": -51, "bank/bob": 51}, "")
    again: list[Fact] = [
        CardsShown(FIRST, 0),
        attrs.evolve(DEALT, hand_id=SECOND),
        HandOver(SECOND, voided=False),
    ]
    runs: list[list[Fact]] = [[fact] for fact in [*FACTS, overdrawn, *again, SeatsChanged("side", ())]]
    runs += [FACTS[start:] for start in range(len(FACTS))]
    runs += [FACTS[count : count + 3] + again, FACTS[:count], [PlayerJoined("zoe", None), PlayerLeft("zoe")]]
    for facts in runs:
        why = refused(image.copy(), facts)
        if why is None:
            image.check(facts)
        else:
            with pytest.raises(BadJournal) as refusal:
                image.check(facts)
            assert str(refusal.value) == why
        assert image.to_json() == before


@pytest.mark.parametrize("count", range(len(FACTS)))
def test_a_journal_stores_no_fact_that_the_next_start_would_refuse(count: int) -> None:
    storage = MemoryStorage()
    journal = open_journal(storage)
    if count:
        journal.append(*FACTS[:count])
    wrong = SeatsChanged("side", ())
    attempts: list[list[Fact]] = [[wrong], [Noted("half", "of it"), wrong]]
    for facts in attempts:
        with pytest.raises(BadJournal, match="there is no table 'side'"):
            journal.append(*facts)
    journal.append(FACTS[count])
    told = open_journal(storage).look(lambda image: image.to_json())
    assert told == room(count + 1).to_json()


def test_no_hand_is_over_that_nobody_dealt() -> None:
    with pytest.raises(BadJournal, match="is over but was not dealt"):
        room(FACTS.index(DEALT)).apply(HandOver(FIRST, voided=True))


def test_a_booking_that_does_not_balance_is_refused_as_what_it_is() -> None:
    with pytest.raises(BadJournal, match="impossible booking: "):
        room().apply(Booked({"bank/ann": 5}, ""))


def test_an_action_in_a_hand_that_is_over_comes_to_nothing() -> None:
    image = room(AFTER_HAND)
    before = image.to_json()
    image.apply(ActionTaken(FIRST, 2, 16))
    image.apply(ActionTaken(SECOND, 0, 16))
    assert image.to_json() == before


def test_the_log_of_a_hand_begins_anew_with_the_next() -> None:
    table = room(AFTER_HAND).tables["main"]
    assert (table.log, table.over, table.voided, table.open_hand) == ([16, 16], True, False, None)
    table = room(AFTER_HAND + 2).tables["main"]
    assert (table.log, table.over, table.voided, table.open_hand) == ([], False, False, table.dealt)


def test_a_closed_table_is_gone_and_its_hands_may_be_booked_by_another() -> None:
    image = room()
    assert image.tables == {}
    assert list(image.ledger.keys) == []


def test_who_comes_back_has_a_number_of_its_own() -> None:
    image = room()
    image.apply(PlayerJoined("eve", None))
    assert image.numbers == {"ann": 0, "bob": 2, "eve": 3}


@pytest.mark.parametrize("count", range(len(FACTS) + 1))
def test_a_copy_and_its_original_go_their_own_ways(count: int) -> None:
    image = room(count)
    other = image.copy()
    assert other.to_json() == image.to_json()
    for fact in FACTS[count:]:
        other.apply(fact)
    assert image.to_json() == room(count).to_json()
    assert other.to_json() == room().to_json()


@pytest.mark.parametrize("count", range(len(FACTS) + 1))
def test_as_text_it_comes_back_the_same_and_goes_on(count: int) -> None:
    text = room(count).to_json()
    assert text == json.dumps(json.loads(text), separators=(",", ":"))
    image = RoomImage.from_json(text)
    assert image.to_json() == text
    for fact in FACTS[count:]:
        image.apply(fact)
    assert image.to_json() == room().to_json()


def spoiled(change: str, value: object) -> str:
    """The text of the room in mid-hand, with one field of its table changed, or a field of its own."""
    plain: dict[str, Any] = json.loads(room(DURING_HAND).to_json())
    if change in plain:
        plain[change] = value
    else:
        plain["tables"][0][change] = value
    return json.dumps(plain)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[", "the snapshot cannot be read: JSONDecodeError: Expecting value: line 1 column 2 (char 1)"),
        ("{}", "the snapshot cannot be read: KeyError: 'seed'"),
        (spoiled("players", [[1]]), "the snapshot cannot be read: ValueError: not enough values to unpack"),
        (spoiled("tables", [{}]), "the snapshot cannot be read: KeyError: 'opened'"),
        (
            spoiled("opened", {"name": "main"}),
            "the snapshot cannot be read: a record of kind 'table' cannot be read: ",
        ),
        (
            spoiled("dealt", {"table": "main"}),
            "the snapshot cannot be read: a record of kind 'deal' cannot be read: ",
        ),
        (spoiled("log", 5), "the snapshot cannot be read: TypeError: 'int' object is not iterable"),
    ],
    ids=lambda value: value[:50],
)
def test_a_snapshot_that_does_not_read_says_where(text: str, words: str) -> None:
    with pytest.raises(BadJournal) as refusal:
        RoomImage.from_json(text)
    assert str(refusal.value).startswith(words)


@pytest.mark.parametrize(
    ("word", "payload", "text"),
    [
        ("act", "{", "a record of kind 'act' is not JSON: "),
        ("act", "[]", "a record of kind 'act' is not a JSON object"),
        ("act", "{}", "a record of kind 'act' cannot be read: "),
        ("x" * 50, "{}", f"'{'x' * 40}' is not a kind of record: the kinds are room, player, gone, table, "),
    ],
)
def test_a_record_that_does_not_read_says_why(word: str, payload: str, text: str) -> None:
    with pytest.raises(BadJournal) as refusal:
        decode(word, payload)
    assert str(refusal.value).startswith(text)


def dealt_in(image: RoomImage) -> dict[str, int]:
    return image.dealt_in(image.tables["main"])


def test_who_has_left_the_room_since_the_last_hand_was_not_dealt_in_nor_a_namesake() -> None:
    image = room(AFTER_HAND)
    assert dealt_in(image) == {"ann": 0, "bob": 1}
    image.apply(PlayerLeft("bob"))
    assert dealt_in(image) == {"ann": 0}
    image.apply(PlayerJoined("bob", None))
    assert (
        dealt_in(image)
        == dealt_in(image.copy())
        == dealt_in(RoomImage.from_json(image.to_json()))
        == {"ann": 0}
    )
    assert dealt_in(room(FACTS.index(TABLE) + 1)) == {}


def test_a_snapshot_that_does_not_say_who_came_later_takes_everybody_there_for_dealt_in() -> None:
    image = room(AFTER_HAND)
    image.apply(PlayerLeft("bob"))
    plain = json.loads(image.to_json())
    del plain["tables"][0]["came"]
    assert dealt_in(RoomImage.from_json(json.dumps(plain))) == {"ann": 0}
