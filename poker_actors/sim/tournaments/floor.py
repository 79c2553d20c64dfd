"""The floor: open, balance and break tables, and draw the final table.

By the rules of the Tournament Directors Association (TDA 2024): 10 breaking tables, 11 balancing tables and
halting play. Chips play no part here.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from poker_actors.sim.tournaments.field import FloorTable, draw_seats, tournament_positions, worst_seat

Told = Callable[..., None]
"""Called with each event: `told(what, player=, table=, to=, seat=)`, see `Moment`."""


class Floor:
    """The tables of a tournament by number, including closed ones."""

    def __init__(self, seats: int, final_size: int, luck: Callable[[], Random], told: Told) -> None:
        self.tables: dict[int, FloorTable] = {}
        self.seats = seats
        self.final_size = final_size
        self.final: int | None = None
        """the number of the final table, once it has been drawn"""
        self.halted = False
        """whether no table deals, as the final table is drawn when all hands are over"""
        self.breaking: int | None = None
        """the table to be broken when its hand is over"""
        self._luck = luck
        self._told = told

    @property
    def open(self) -> list[FloorTable]:
        """The tables that are not closed, by number."""
        return [table for table in self.tables.values() if not table.closed]

    @property
    def in_play(self) -> list[FloorTable]:
        """The tables in the middle of a hand."""
        return [table for table in self.tables.values() if table.playing is not None]

    def draw(self, players: list[str]) -> None:
        """Draw seats for all players at the start."""
        tables = -(-len(players) // self.seats)
        for drawn in draw_seats(players, tables, self._luck()):
            self._sit_down(self._new_table(self.seats), drawn)

    def seat_late(self, player: str) -> None:
        """Seat a latecomer at the shortest table, in a drawn seat.

        If all seats are taken a table is opened, and balancing brings it more players.
        """
        free = [table for table in self.open if None in table.seats and table.number != self.breaking]
        table = min(free, key=lambda table: table.count) if free else self._open_one()
        self._seat_at_random(player, table, self._luck())
        self._told("seated", player=player, table=table.number, seat=table.seats.index(player))

    def _open_one(self) -> FloorTable:
        table = self._new_table(self.seats)
        self._told("opened", table=table.number)
        return table

    def leave(self, table: FloorTable, player: str) -> None:
        """Free the seat of an eliminated player."""
        table.seats[table.seats.index(player)] = None

    def arrange(self, *, final_due: bool) -> None:
        """Break and balance tables as far as possible now.

        `final_due` says that nobody can enter any more, so the final table is drawn once players fit on it.
        """
        self.halted, self.breaking = False, None
        while True:
            tables = self.open
            players = sum(table.count for table in tables)
            last = final_due and players <= self.final_size
            if last and len(tables) > 1:
                self._final_table(tables)
                return
            if len(tables) > 1 and players <= self.seats * (len(tables) - 1):
                if not self._break(tables[-1]):
                    return
            elif not self._balance(tables):
                return

    def may_deal(self, table: FloorTable) -> bool:
        """Whether a table may deal its next hand.

        It may not while other hands finish before the final table is drawn, if it is about to be broken, or
        if it has two players fewer than the fullest table, so that play there halts (TDA 11-D).
        """
        if self.halted or table.playing is not None or table.number == self.breaking or table.count < 2:
            return False
        most = max(other.count for other in self.open)
        return self.breaking is not None or table.count >= most - 1

    def _final_table(self, tables: list[FloorTable]) -> None:
        if self.in_play:
            self.halted = True
            return
        players = [player for table in tables for player in table.players]
        for table in tables:
            self._close(table)
        (drawn,) = draw_seats(players, 1, self._luck())
        final = self._new_table(self.final_size)
        self.final = final.number
        self._sit_down(final, drawn)
        self._told("final_table", table=final.number)

    def _break(self, table: FloorTable) -> bool:
        """Move the players of a table to drawn seats at the others; return False while it is in a hand."""
        if table.playing is not None:
            self.breaking = table.number
            return False
        luck = self._luck()
        players = table.players
        luck.shuffle(players)
        self._close(table)
        for player in players:
            to = min(self.open, key=lambda table: table.count)
            self._seat_at_random(player, to, luck)
            seat = to.seats.index(player)
            self._told("moved", player=player, table=table.number, to=to.number, seat=seat)
        self._told("broken", table=table.number)
        return True

    def _balance(self, tables: list[FloorTable]) -> bool:
        """Move a player from the fullest table between hands to the shortest one; return whether one moved.

        Nobody moves if sizes differ by one at most, or if the tables that are too full are in a hand.
        """
        shortest = min(tables, key=lambda table: table.count)
        between = [table for table in tables if table.playing is None and table.count - shortest.count > 1]
        if not between:
            return False
        source = max(between, key=lambda table: table.count)
        # the next big blind moves (TDA 11-A)
        seat = tournament_positions(source.positions, source.ready, len(source.seats)).big_blind
        player = source.seats[seat]
        assert player is not None, f"nobody sits in seat {seat} of table {source.number}"
        source.seats[seat] = None
        to = worst_seat(shortest.seats, shortest.positions)
        shortest.seats[to] = player
        self._told("moved", player=player, table=source.number, to=shortest.number, seat=to)
        return True

    def _new_table(self, seats: int) -> FloorTable:
        number = len(self.tables) + 1
        table = self.tables[number] = FloorTable(number, [None] * seats)
        return table

    def _close(self, table: FloorTable) -> None:
        table.seats = [None] * len(table.seats)
        table.closed = True

    def _sit_down(self, table: FloorTable, players: list[str]) -> None:
        for seat, player in enumerate(players):
            table.seats[seat] = player
            self._told("seated", player=player, table=table.number, seat=seat)

    def _seat_at_random(self, player: str, table: FloorTable, luck: Random) -> None:
        free = [seat for seat, name in enumerate(table.seats) if name is None]
        table.seats[free[luck.randrange(len(free))]] = player
