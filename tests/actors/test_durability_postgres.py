"""A PostgreSQL server that restarts, or stays away, under a room that plays."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.errors import StorageFailed
from poker_actors.store import open_journal
from tests.actors.conftest import RUNTIMES
from tests.actors.durable_evening import CLOSING, EVENING, HANDS, OPENING, check_ends
from tests.actors.postgres_server import PostgresServer

SCHEMAS = itertools.count()


@pytest.fixture(scope="module")
def own_server() -> Iterator[PostgresServer]:
    """A server that the tests here may stop as they like."""
    server = PostgresServer()
    yield server
    server.remove()


@pytest.mark.parametrize(
    ("kind", "every"),
    [("stepper", 8), ("threads", 9), ("loop", 9), pytest.param("loop", 1, marks=pytest.mark.heavy)],
    ids=["stepper", "threads", "loop", "loop-every-action"],
)
def test_a_server_restarted_in_mid_hand_loses_nothing(
    own_server: PostgresServer, kind: str, every: int
) -> None:
    url = own_server.url(f"room_{next(SCHEMAS)}")
    room = Room(RUNTIMES[kind](), store=url)
    for step in OPENING:
        step(room)
    for number, step in enumerate(HANDS):
        if number % every == every - 1:
            own_server.stop("immediate" if number % 2 else "fast")
            own_server.start()
        step(room)
    for step in CLOSING:
        step(room)
    check_ends(room)
    room.close()
    with Room(StepRuntime(), store=url) as again:
        check_ends(again)


def test_a_server_that_stays_away_refuses_commands_and_the_room_goes_on_when_it_is_back(
    own_server: PostgresServer,
) -> None:
    room = Room(StepRuntime(), store=own_server.url(f"room_{next(SCHEMAS)}"))
    for step in EVENING[:15]:
        step(room)
    before = room.tables["main"].state()
    own_server.stop()
    for _ in range(3):
        with pytest.raises(StorageFailed):
            EVENING[15](room)
        assert room.tables["main"].state() == before
    own_server.start()
    for step in EVENING[15:]:
        step(room)
    check_ends(room)
    room.close()


def test_a_write_whose_answer_was_lost_is_not_written_twice(own_server: PostgresServer) -> None:
    url = own_server.url(f"room_{next(SCHEMAS)}")
    journal = open_journal(url)
    room = Room(StepRuntime(), store=journal)
    storage = journal._storage
    for step in EVENING:
        # as if each write before had failed without an answer: every one is looked for first
        storage._unsure = True  # type: ignore[attr-defined]
        step(room)
    check_ends(room)
    room.close()
    with Room(StepRuntime(), store=url) as again:
        check_ends(again)


def test_another_room_that_has_written_meanwhile_is_not_overwritten(own_server: PostgresServer) -> None:
    url = own_server.url(f"room_{next(SCHEMAS)}")
    room = Room(StepRuntime(), store=url)
    for step in OPENING:
        step(room)
    own_server.stop("immediate")
    own_server.start()
    # the lock went with the server: another process may come first
    with Room(StepRuntime(), store=url) as other:
        other.bank.deposit("one", 5)
    with pytest.raises(StorageFailed, match="another room has written to this journal meanwhile"):
        room.bank.deposit("one", 7)
    room.close()
    with Room(StepRuntime(), store=url) as again:
        assert again.audit().minted == 3005


def test_a_password_is_not_in_messages() -> None:
    with pytest.raises(StorageFailed) as error:
        open_journal("postgresql://room:verysecret@/journal?host=/nowhere")
    assert "verysecret" not in str(error.value)
    assert "/nowhere" in str(error.value)
