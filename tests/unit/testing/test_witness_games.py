"""The witness hears rooms of every game, restarts included, and everything that was told stays true."""

from __future__ import annotations

import pytest

from poker_actors.actors import Room
from poker_actors.rules import GAMES
from poker_actors.store import MemoryStorage, open_journal
from poker_actors.testing import Witness

BOTS = ("random", "caller", "maniac")
NAMES = ("ann", "bob", "cat")


@pytest.mark.parametrize("name", GAMES)
def test_everything_told_of_a_hand_stays_true_in_every_game(name: str) -> None:
    game, storage = GAMES[name], MemoryStorage()
    seats = min(3, game.max_seats)
    witness = Witness()
    with Room(witness.stepper(), seed=3, store=open_journal(storage)) as room:
        table = room.open_table("main", seats=seats, game=game, stakes=game.stakes, restack=500)
        witness.knows(table)
        for player, bot in list(zip(NAMES, BOTS, strict=True))[:seats]:
            sitting = room.player(player, bot, chips=10_000)
            table.sit(sitting)
            table.buy_in(sitting, 500)
        for _ in range(2):
            table.deal().result(timeout=60)
        table.deal()  # the room closes in the middle of it
    with Room(witness.stepper(), seed=3, store=open_journal(storage)) as room:
        table = room.tables["main"]
        witness.knows(table)
        live = table.live()
        if live is not None:
            live.result(timeout=60)
        table.deal().result(timeout=60)
        room.audit()
    witness.rest()
    assert witness.verdicts == []
