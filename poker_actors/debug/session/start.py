"""The start of a live table's recording: the table between two hands, where a replay begins."""

from __future__ import annotations

from typing import Any

import attrs

from poker_actors.actors import Room, Table, runtime, table
from poker_actors.rules import Positions
from poker_actors.store import TableOpened

__all__ = ["TableStart", "open_start"]


@attrs.frozen
class TableStart:
    """A table between two hands, and its players; the fields are JSON values."""

    settings: dict[str, Any] = attrs.field(hash=False)
    """the table's settings, as in a journal"""
    seats: list[list[Any] | None] = attrs.field(hash=False)
    """by seat: player, stack, whether sitting out, and hands in a row with a timeout"""
    players: list[str] = attrs.field(hash=False)
    waiting: list[list[Any]] = attrs.field(hash=False)
    """player and buy-in"""
    once: list[str] = attrs.field(hash=False)
    """players who never run a board more than once"""
    number: int
    """number of the next hand"""
    positions: dict[str, Any] | None = attrs.field(hash=False)
    """positions of the previous hand"""
    banks: dict[str, float] = attrs.field(hash=False)
    """seconds left in each player's time bank"""
    plays_on: bool = False
    """whether players check or call once the recording has ended, as in a fork"""
    owed: list[list[Any]] = attrs.field(factory=list, hash=False)
    """missed blinds, as in a journal"""
    at_bank: int = 0
    """chips each player has at the bank besides: enough to restore the stack after every hand, if the table does"""

    @classmethod
    def of(cls, recording: dict[str, Any]) -> TableStart:
        """Return the start of a recording; raise `KeyError`, `TypeError` or `ValueError` for anything else."""
        kept, stacks = recording["seats"], recording["stacks"]
        seats = [
            None if one is None else [one[0], stack, *one[1:]]
            for one, stack in zip(kept["seats"], stacks, strict=True)
        ]
        names = [one[0] for one in (*seats, *kept["waiting"]) if one is not None]
        names += [said["player"] for _, _, said, _ in recording["heard"] if "player" in said]
        return cls(
            settings=dict(recording["table"]),
            seats=seats,
            players=list(dict.fromkeys(names)),
            waiting=list(kept["waiting"]),
            once=list(kept["once"]),
            number=recording["number"],
            positions=recording["positions"],
            banks=dict(recording["banks"]),
            owed=list(kept.get("owed", ())),
            at_bank=recording["table"]["restack"]
            * sum(said["type"] == "Deal" for _, _, said, _ in recording["heard"]),
        )

    @property
    def config(self) -> table.TableConfig:
        """The table's settings; raises `BadJournal` for an unknown game."""
        return table.config_from(TableOpened(**self.settings))


def open_start(start: TableStart, steps: runtime.Runtime) -> tuple[Room, Table]:
    """Open a room with this table and players without bots: the recording holds their decisions."""
    room = Room(steps, seed=0)
    try:
        config = start.config
        opened = room.open_table(
            config.name, seats=config.seats, stakes=config.stakes, game=config.game,
            turn_seconds=config.turn_seconds, restack=config.restack, button=config.button,
            first_hand=config.first_hand, button_moves=config.button_moves, options=config.options,
            time_bank=config.time_bank, missed_blinds=config.missed_blinds,
        )  # fmt: skip
        stacks = {one[0]: one[1] for one in start.seats if one is not None}
        players = {
            name: room.player(name, chips=stacks.get(name, 0) + start.at_bank) for name in start.players
        }
        for number, seat in enumerate(start.seats):
            if seat is not None:
                opened.sit(players[seat[0]], number)
                if seat[1]:
                    opened.buy_in(players[seat[0]], seat[1])
        _remember(start, room, opened)
    except BaseException:
        room.close()
        raise
    return room, opened


def _remember(start: TableStart, room: Room, opened: Table) -> None:
    """Set the parts of the table's memory that no message can: positions, late players, time banks."""
    actor = opened.address.actor
    assert isinstance(actor, table.TableActor)
    memory, where = actor.memory, start.positions
    seats = tuple(
        None if kept is None or seat is None else attrs.evolve(kept, out=seat[2], late=seat[3])
        for kept, seat in zip(memory.seating.seats, start.seats, strict=True)
    )
    waiting = tuple(table.Waiting(name, room.players[name].address, buy_in) for name, buy_in in start.waiting)
    before = None
    if where is not None:
        before = Positions(where["button"], where["small_seat"], where["big_blind"], tuple(where["dealt"]))
    owed = tuple(table.OwedBlinds(*one) for one in start.owed)
    memory.seating = table.Seating(
        seats, before, start.number, waiting=waiting, once=tuple(start.once), owed=owed
    )
    memory.banks.update(start.banks)
