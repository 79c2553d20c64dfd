"""A server killed under load at random moments has whatever it acknowledged, and whatever it showed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.actors.postgres_server import PostgresServer
from tests.conformance.server.killed_server import Killer

KILLS = int(os.environ.get("POKER_KILLS", "20"))
"""How often the heavy test of people kills its server."""


def test_a_server_killed_twice_has_all_it_has_acknowledged_and_shown(tmp_path: Path) -> None:
    killer = Killer(str(tmp_path / "room.db"), tables=8, seed=1)
    killer.run(2)
    assert killer.lost == []
    assert killer.acknowledged > 20
    assert killer.shown > killer.acknowledged


@pytest.mark.heavy
def test_a_killed_server_knows_who_sits_out_and_what_is_left_in_the_time_banks(tmp_path: Path) -> None:
    killer = Killer(str(tmp_path / "room.db"), tables=12, seed=3, people=True)
    killer.run(KILLS)
    assert killer.lost == []
    assert killer.sat > KILLS
    assert killer.report()["banks_drawn_on"] != 0


@pytest.mark.heavy
def test_a_server_on_postgresql_killed_twenty_times_has_all_it_has_acknowledged_and_shown(
    postgres_server: PostgresServer,
) -> None:
    killer = Killer(postgres_server.url("killed_server"), tables=20, seed=2)
    killer.run(20)
    assert killer.lost == []
    assert killer.acknowledged > 200
