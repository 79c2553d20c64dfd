"""A room writes down the hands it plays, and they replay to what it paid."""

from __future__ import annotations

from pathlib import Path

import pytest

from poker_actors.actors import HandResult, Room, StepRuntime, Table
from poker_actors.actors.table import recent
from poker_actors.cards import Deck
from poker_actors.cli import main
from poker_actors.history import histories, replay
from poker_actors.rules import Stakes
from tests.actors.conftest import RUNTIMES

HANDS = 20


def play(path: Path, kind: str) -> list[HandResult]:
    runtime = RUNTIMES[kind]()
    results = []
    with Room(runtime, seed=1, histories=path) as room:
        for name in ("one", "two"):
            table = room.open_table(name, seats=4, stakes=Stakes(5, 10))
            for number, bot in enumerate(("caller", "random", "maniac")):
                player = room.player(f"{name} {bot}", bot, chips=100_000)
                table.sit(player, number + 1)
                table.buy_in(player, 1_000)
            for hand in range(HANDS):
                results.append(table.deal(Deck.seeded(hand)).result(timeout=60))
                for player in room.players.values():
                    if player.name.startswith(name) and not results[-1].stacks[table.sit(player)]:
                        table.buy_in(player, 1_000)
    return results


@pytest.mark.parametrize("kind", RUNTIMES)
def test_every_hand_of_a_room_is_written_down_and_replays_to_the_same_payoffs(
    tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "night.phhs"
    results = play(path, kind)
    written = list(histories(path))
    assert len(written) == len(results) == 2 * HANDS
    # of each table in order; the last hand of a table is held back, as its cards may still be shown
    assert [one.hand_id for one in written if one.hand_id.startswith("one")] == [
        one.hand_id for one in results if one.hand_id.startswith("one")
    ]
    by_id = {one.hand_id: one for one in results}
    for history in written:
        result, payoffs = by_id[history.hand_id], replay(history).payoffs
        assert payoffs is not None
        paid = dict(zip(history.seats, payoffs, strict=True))
        assert paid == {seat: chips for seat, chips in enumerate(result.payoffs) if seat in paid}
    assert main(["replay", str(path)]) == 0


def one_hand(table: Table) -> HandResult:
    return table.deal(Deck.seeded(1)).result(timeout=60)


def with_two(room: Room) -> Table:
    """A table of three seats, the one in the middle empty."""
    table = room.open_table("main", seats=3)
    for seat, name in ((0, "ann"), (2, "bob")):
        player = room.player(name, "caller", chips=100)
        table.sit(player, seat)
        table.buy_in(player, 100)
    return table


def test_a_hand_is_written_down_with_its_players_its_table_and_the_time(tmp_path: Path) -> None:
    path = tmp_path / "night.phhs"
    with Room(StepRuntime(), histories=path) as room:
        one_hand(with_two(room))
    (history,) = histories(path)
    fields = history.fields
    assert (fields["table"], fields["hand"]) == ("main", "main/hand-000000000")
    assert history.players == ("ann", "bob")
    assert {"year", "month", "day", "time"} <= fields.keys(), "and when it was"


def test_what_cannot_be_written_down_is_logged_once_and_stops_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def no_space(*_: object, **__: object) -> None:
        raise OSError("no space is left")

    monkeypatch.setattr(recent, "record", no_space)
    with Room(StepRuntime(), histories=tmp_path / "night.phhs") as room:
        table = with_two(room)
        assert [one_hand(table).number for _ in range(2)] == [0, 1]
    text = "main/hand-000000000 cannot be written, nor perhaps the hands after it"
    assert [one.getMessage() for one in caplog.records] == [text]


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "night.phhs"
    path.write_text("mine")
    with pytest.raises(FileExistsError):
        Room(StepRuntime(), histories=path)
    assert path.read_text() == "mine"
