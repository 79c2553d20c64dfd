"""A process that plays with a journal is killed at random moments: what it acknowledged is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.actors.killed_room import CHIPS, Killer
from tests.actors.postgres_server import PostgresServer


def test_a_room_killed_four_times_has_everything_it_acknowledged(tmp_path: Path) -> None:
    killer = Killer(str(tmp_path / "room.db"), tables=8, seed=1)
    killer.run(4, least=20)
    assert killer.lost == []
    assert killer.acknowledged >= 80
    assert killer.hands


@pytest.mark.heavy
def test_a_room_in_postgresql_killed_thirty_times_has_everything_it_acknowledged(
    postgres_server: PostgresServer,
) -> None:
    killer = Killer(postgres_server.url("killed"), tables=8, seed=2)
    killer.run(30, least=5)
    assert killer.lost == []
    assert killer.acknowledged >= 150


@pytest.mark.heavy
def test_a_hundred_tables_killed_two_hundred_times_are_ready_again_in_a_second(tmp_path: Path) -> None:
    killer = Killer(str(tmp_path / "room.db"), tables=100, seed=1)
    killer.run(200)
    assert killer.lost == []
    # of processor time: what the machine does besides is not this room's doing
    assert killer.busiest < 1


ACTED: dict[str, Any] = {
    "what": "acted", "table": "t0", "hand": "t0/hand-000000001", "seq": 1, "seat": 1, "action": "raise_to 4",
}  # fmt: skip


def came_back(**changed: object) -> dict[str, Any]:
    hands = {"t0": ("t0/hand-000000001", [32 | 1 << 7, 64 | 4 << 7 | 1], False)}
    said = {
        "what": "ready",
        "seconds": 0.1,
        "processor": 0.1,
        "torn": "",
        "conserved": True,
        "minted": CHIPS,
        "hands": hands,
    }
    return {**said, **changed}


@pytest.mark.parametrize(
    ("said", "lost"),
    [
        (came_back(), 0),
        (came_back(hands={"t0": ("t0/hand-000000002", [], False)}), 0),
        (came_back(hands={"t0": ("t0/hand-000000001", [32 | 1 << 7], False)}), 1),
        (came_back(hands={"t0": ("t0/hand-000000001", [32 | 1 << 7, 16 | 1], False)}), 1),
        (came_back(hands={"t0": ("t0/hand-000000001", [32 | 1 << 7, 64 | 4 << 7], False)}), 1),
        (came_back(hands={"t0": ("t0/hand-000000000", [], False)}), 1),
        (came_back(hands={}), 1),
        (came_back(minted=0), 1),
        (came_back(minted=CHIPS + 1), 1),
        (came_back(conserved=False), 1),
    ],
)
def test_the_killer_notices_what_is_lost(said: dict[str, Any], lost: int) -> None:
    killer = Killer("", 1, 1)
    for line in ({"what": "minted", "chips": CHIPS}, ACTED, said):
        killer._hear(line)
    assert len(killer.lost) == lost
