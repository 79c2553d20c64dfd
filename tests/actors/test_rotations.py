"""Tables that play several games: in turn, or as the dealer says."""

from __future__ import annotations

from pathlib import Path

import pytest

from poker_actors.actors import Room, StepRuntime, Table
from poker_actors.errors import BadSpec
from poker_actors.rules import GAMES, Stakes
from poker_actors.sim.tournaments import TournamentPlan, play_direct, play_in_room, sit_and_go


def seated(room: Room, game: str) -> Table:
    table = room.open_table("main", seats=2, stakes=Stakes(2, 4), game=game)
    for name in ("ann", "bob"):
        player = room.player(name, "caller", chips=1000)
        table.sit(player)
        table.buy_in(player, 1000)
    return table


def played(table: Table, hands: int, game: str | None = None) -> list[str]:
    found = []
    for _ in range(hands):
        hand = table.deal(game=game).result(timeout=60).hand
        assert hand is not None
        found.append(hand.game.name)
    return found


def test_a_table_plays_an_orbit_of_each_game(room: Room) -> None:
    table = seated(room, "holdem+razz+badugi")
    assert played(table, 7) == ["holdem", "holdem", "razz", "razz", "badugi", "badugi", "holdem"]
    assert room.audit().conserved


def test_the_dealer_chooses_the_game_of_a_hand(room: Room) -> None:
    table = seated(room, "dealers-choice")
    assert played(table, 1, game="stud8") + played(table, 1, game="2-7-triple-draw") == [
        "stud8",
        "2-7-triple-draw",
    ]
    with pytest.raises(BadSpec, match="the dealer names the game"):
        table.deal()
    with pytest.raises(BadSpec, match="a hand is of one game, and horse is a rotation"):
        table.deal(game="horse")
    plain = room.open_table("wide", seats=9)
    with pytest.raises(BadSpec, match="stud seats 2 to 8: the table has 9"):
        plain.deal(game="stud")


def test_a_tournament_of_a_rotation_is_the_same_in_a_room() -> None:
    plan = TournamentPlan.of(
        sit_and_go(3, game="8-game", by="hands", length=2), 3, ["caller", "maniac", "random"], seed=2
    )
    assert play_in_room(plan, runtime=StepRuntime()).digest == play_direct(plan).digest


@pytest.mark.parametrize("game", ["horse", "holdem+2-7-triple-draw", "dealers-choice"])
def test_a_hand_of_a_rotation_goes_on_after_a_restart(tmp_path: Path, game: str) -> None:
    store = tmp_path / "room.db"
    chosen = "razz" if game == "dealers-choice" else None
    runtime = StepRuntime()
    with Room(runtime, store=store) as room:
        table = room.open_table("main", seats=2, stakes=Stakes(2, 4), game=game)
        for name in ("ann", "bob"):
            player = room.player(name, chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        live = table.deal(game=chosen)
        runtime.run()
    with Room(StepRuntime(), store=store) as room:
        table = room.tables["main"]
        assert str(table.config.game) == game
        going_on = table.live()
        assert going_on is not None
        assert going_on.hand_id == live.hand_id
        for name in ("ann", "bob"):
            state = room.players[name].state()
            assert state is not None
            first = "razz" if chosen else str(game.partition("+")[0])
            assert state.public.setup.game is GAMES[first.replace("horse", "limit-holdem")]
