"""The tournament director: takes results of hands, and gives out hands to play.

A state machine without cards, clocks, actors or threads. The caller (a loop, or tables of a room) plays
the hands in `deals` and reports each when it is over, in any order: they are taken in the order of the
tournament's clock, so that the same hands make the same tournament.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from random import Random
from typing import Any, Final

from poker_actors.bots import SeedTree
from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.jsontext import parse_json
from poker_actors.sim.tournaments.field import (
    HANDS_A_TABLE,
    Contestant,
    Deal,
    Entrant,
    FloorTable,
    Moment,
    tournament_positions,
)
from poker_actors.sim.tournaments.floor import Floor
from poker_actors.sim.tournaments.prizes import PrizeMoney, Ranking
from poker_actors.sim.tournaments.structure import Structure, prizes

_DIGEST_BYTES: Final = 16
_DRAWS: Final = -1
"""The stream of seat draws in the seed tree, where bots count from 0."""

Ended = tuple[int, tuple[int, ...], int]
"""(actions, stacks by seat, the end on the tournament's clock)"""


class Director:
    """A tournament from the first entry to the last payout.

    A `paced` tournament has a clock of its own, made of the hands played; others are given the time with
    each report. All inputs of a director are in `events`, from which `replay` makes the same director.
    An impossible input raises `BadSpec` and changes nothing.
    """

    def __init__(self, structure: Structure, seed: int, *, paced: bool = True) -> None:
        self.structure: Final = structure
        self.seed: Final = seed
        self.paced: Final = paced
        self.tree: Final = SeedTree(seed)
        self.time = 0
        self.started = False
        self.over = False
        self.closed = False
        """whether nobody can enter or buy chips any more, so that the prizes are fixed"""
        self.hand_for_hand = False
        self.prizes: tuple[int, ...] = ()
        """by place, once they are known"""
        self.players: dict[str, Contestant] = {}
        self.left = 0
        """the number of players still in"""
        self.coming: list[Entrant] = []
        """latecomers still to enter, the next one first"""
        self.money = PrizeMoney(structure)
        self.ranking = Ranking()
        self.floor = Floor(structure.seats, structure.final_size, self._luck, self._tell)
        self.events: list[str] = []
        self.written: Callable[[str], None] | None = None
        """called with each event before it is applied; if it raises, the event is not"""
        self.moments: list[Moment] = []
        self.curve: list[dict[str, int]] = []
        """stacks at the start of each level: player -> chips"""
        self.chips_in = 0
        self.hands = 0
        self.rounds = 0
        """rounds dealt hand for hand, at all tables at once"""
        self.digest = ""
        self._draws = 0
        self._ended: dict[int, Ended] = {}

    # -- inputs -----------------------------------------------------------------------------

    def check_entry(self, entrant: Entrant) -> None:
        """Raise the error that `enter` would."""
        if entrant.name in self.players or any(each.name == entrant.name for each in self.coming):
            raise BadSpec(f"{entrant.name[:60]} has already entered")
        if entrant.at and not self.paced and not self.started:
            raise BadSpec(
                f"{entrant.name[:60]} has the time of entry {entrant.at}: in real time, latecomers enter when they come"
            )
        late = self.structure.late_until * self.structure.length
        when = max(entrant.at, self.time)
        if self.over or (when and when >= late) or (self.started and self.closed):
            text = f"{entrant.name[:60]} comes at {when}: registration is open until {late}"
            raise TableRefusal(text, code="registration_closed")
        if entrant.rebuys > self.structure.rebuys:
            raise BadSpec(
                f"{entrant.name[:60]} wants {entrant.rebuys} rebuys: the maximum is {self.structure.rebuys}"
            )

    def enter(self, entrant: Entrant) -> None:
        """Enter a player, now or at time `at`; raise `BadSpec`, or `TableRefusal` (`registration_closed`)."""
        self.check_entry(entrant)
        self._note("enter", entrant.name, entrant.at, entrant.rebuys, int(entrant.add_on))
        if not self.started and entrant.at == 0:
            self._enter(entrant)
            return
        self.coming.append(entrant)
        self.coming.sort(key=lambda entrant: entrant.at)
        if self.started:
            self._advance()

    def start(self) -> None:
        """Draw the seats and deal; raise `BadSpec` for fewer than two players or a second start."""
        if self.started:
            raise BadSpec("the tournament has already begun")
        if len(self.players) < 2:
            raise BadSpec(f"{len(self.players)} players at the start: a tournament needs at least 2")
        self._note("start")
        self.started = True
        self.floor.draw(list(self.players))
        self.curve.append({name: player.stack for name, player in self.players.items()})
        self._arrange()
        self._advance()

    def report(self, number: int, stacks: Iterable[int], actions: int, at: int | None = None) -> None:
        """Report the end of a hand: its number, the stacks by seat, the number of actions.

        `at` is the time, in seconds, for a director that is not paced. Raises `BadSpec` for a hand that
        is not being played, and for stacks that do not add up to those it began with.
        """
        deal = self._deal_of(number)
        after = tuple(stacks)
        if len(after) != len(deal.stacks) or sum(after) != sum(deal.stacks) or min(after) < 0:
            raise BadSpec(f"hand {number} began with {deal.stacks} and cannot end with {after}")
        end = deal.start + self.structure.takes(actions)
        if not self.paced and self.structure.by == "minutes":
            end = max(self.time, deal.start, 0 if at is None else at)
        self._note("hand", number, actions, list(after), *(() if at is None else (at,)))
        self._ended[number] = (actions, after, end)
        self._advance()

    def void(self, number: int) -> None:
        """Report a void hand: the stacks are as before, and the table deals another."""
        deal = self._deal_of(number)
        self._note("void", number)
        self._ended[number] = (-1, deal.stacks, deal.start + self.structure.takes(0))
        self._advance()

    @classmethod
    def replay(
        cls, structure: Structure, seed: int, events: Iterable[str], *, paced: bool = True
    ) -> Director:
        """Return a director rebuilt from these events; raise `BadSpec` for impossible ones."""
        director = cls(structure, seed, paced=paced)
        for text in events:
            try:
                what, *told = parse_json(text)
                _TOLD[what](director, told)
            except (ValueError, KeyError, TypeError, IndexError) as error:
                raise BadSpec(f"the event {text[:80]!r} of a tournament cannot be read: {error}") from None
        return director

    def _note(self, *event: object) -> None:
        text = json.dumps(event, separators=(",", ":"))
        if self.written is not None:
            self.written(text)
        self.events.append(text)

    def _deal_of(self, number: int) -> Deal:
        table = self.floor.tables.get(number // HANDS_A_TABLE)
        deal = None if table is None else table.playing
        if deal is None or deal.number != number or number in self._ended:
            raise BadSpec(f"hand {number} is not being played")
        return deal

    # -- outputs ----------------------------------------------------------------------------

    @property
    def deals(self) -> list[Deal]:
        """The hands to play or in progress; those already reported are not included."""
        playing = [table.playing for table in self.floor.in_play]
        return [deal for deal in playing if deal is not None and deal.number not in self._ended]

    @property
    def alive(self) -> list[Contestant]:
        """The players still in, in the order of entry."""
        return [player for player in self.players.values() if player.out_at is None]

    @property
    def level(self) -> int:
        """The current level, from 0."""
        return self.structure.level(self.time)

    @property
    def winner(self) -> str | None:
        """The winner, once the tournament is over."""
        return next((name for name, player in self.players.items() if player.place == 1), None)

    @property
    def chips_out(self) -> int:
        """All chips on the tables."""
        return sum(player.stack for player in self.players.values())

    @property
    def settled(self) -> list[Contestant]:
        """The players who have been paid out."""
        return [player for player in self.players.values() if player.settled]

    # -- hands in the order of the clock ----------------------------------------------------

    def _advance(self) -> None:
        """Process reports and latecomers by the clock, up to the earliest time a hand in progress can end."""
        while self.started and not self.over:
            ends = {end for _, _, end in self._ended.values()}
            first = min(ends, default=None)
            soonest = self._soonest()
            arrival = self.coming[0].at if self.coming else None
            if (
                first is not None
                and (soonest is None or first < soonest)
                and (arrival is None or first <= arrival)
            ):
                self._finish(first)
            elif (
                arrival is not None
                and (soonest is None or arrival < soonest)
                and (first is None or arrival < first)
            ):
                self._arrive(max(arrival, self.time))
            else:
                return

    def _soonest(self) -> int | None:
        """Return the earliest time at which a hand in progress can end; None if unpaced, since time is then real."""
        if not self.paced:
            return None
        least = self.structure.takes(0)
        return min((deal.start + least for deal in self.deals), default=None)

    def _arrive(self, time: int) -> None:
        self._tick(time)
        entrant = self.coming.pop(0)
        self._enter(entrant)
        self.floor.seat_late(entrant.name)
        self._arrange()

    def _enter(self, entrant: Entrant) -> None:
        player = Contestant(entrant, len(self.players), self.structure.stack)
        self.players[entrant.name] = player
        self.money.entered(entrant)
        self.chips_in += player.stack
        self.left += 1
        self._tell("entered", player=entrant.name)

    def _finish(self, end: int) -> None:
        """Process all hands that ended at this time, by number: the order must not depend on who reported first."""
        self._tick(end)
        numbers = sorted(number for number, ended in self._ended.items() if ended[2] == end)
        for number in numbers:
            actions, stacks, _ = self._ended.pop(number)
            table = self.floor.tables[number // HANDS_A_TABLE]
            deal, table.playing = table.playing, None
            assert deal is not None, f"hand {number} was not being played"
            self._chain(number, actions, stacks)
            self._pay_out(table, deal, stacks, counted=actions >= 0)
        if not self._in_round:
            self._rank_round()
        self._arrange()

    def _pay_out(self, table: FloorTable, deal: Deal, stacks: tuple[int, ...], *, counted: bool) -> None:
        self.hands += counted
        for seat in deal.positions.dealt:
            name = deal.players[seat]
            assert name is not None, f"nobody sat in seat {seat} of hand {deal.number}"
            player = self.players[name]
            player.stack = stacks[seat]
            player.hands += counted
            if player.stack == 0 and not self._rebuys(player, deal):
                self.floor.leave(table, name)
                self.ranking.out(name, deal.stacks[seat])

    def _rebuys(self, player: Contestant, deal: Deal) -> bool:
        structure = self.structure
        if deal.level >= structure.rebuy_until or player.rebuys >= player.entrant.rebuys:
            return False
        player.rebuys += 1
        self._chips(player, structure.rebuy_chips, structure.rebuy_price)
        self._tell("rebuy", player=player.name, table=deal.table)
        return True

    def _chips(self, player: Contestant, chips: int, price: int) -> None:
        self.money.bought(player.name, price)
        player.stack += chips
        self.chips_in += chips

    def _rank_round(self) -> None:
        for group in self.ranking.rank():
            for name in group:
                player = self.players[name]
                player.out_at, player.out_level, player.table = self.time, self.level, None
                self.left -= 1
                self._tell("out", player=name, to=self.left + 1)

    # -- between hands ----------------------------------------------------------------------

    def _arrange(self) -> None:
        """Do everything due between hands, and deal where possible."""
        self._add_ons()
        self._close()
        if self.left == 1 and not self.coming:
            self._end()
            return
        self.floor.arrange(final_due=self.closed)
        for table in self.floor.open:
            for name in table.players:
                self.players[name].table = table.number
        self._settle()
        self._switch_hand_for_hand()
        self._deal()
        assert self.floor.in_play or self.coming, "nobody plays, and nobody comes"

    def _add_ons(self) -> None:
        """Sell the add-on, once rebuys are over, to players between hands."""
        structure = self.structure
        if not structure.add_on_stack or self.level < structure.rebuy_until:
            return
        for table in self.floor.open:
            if table.playing is None:
                for name in table.players:
                    player = self.players[name]
                    if player.entrant.add_on and not player.added_on and player.stack:
                        player.added_on = True
                        self._chips(player, structure.add_on_stack, structure.add_on_cost)
                        self._tell("add_on", player=name, table=table.number)

    def _close(self) -> None:
        """Fix the prizes once nobody can enter or buy chips any more."""
        if self.closed or not self._is_closing():
            return
        self.closed = True
        entries = len(self.players)
        shares = self.structure.shares_of(entries)
        self.prizes = prizes(self.money.pool, shares, self.structure.prize_unit)

    def _is_closing(self) -> bool:
        structure = self.structure
        if self.left == 1 and not self.coming:
            return True
        if self.level < structure.last_level or self.coming:
            return False
        if any(table.playing.level < structure.rebuy_until for table in self.floor.in_play if table.playing):
            return False
        return not structure.add_on_stack or all(
            player.added_on or not player.entrant.add_on for player in self.alive
        )

    @property
    def _in_round(self) -> bool:
        """Whether a hand-for-hand round is still being played."""
        return any(table.playing.hand_for_hand for table in self.floor.in_play if table.playing)

    def _switch_hand_for_hand(self) -> None:
        """Play hand for hand while one player more than the places paid is left, at several tables."""
        if self._in_round:
            return
        bubble = self.closed and self.left == len(self.prizes) + 1 and len(self.floor.open) > 1
        if bubble and not self.hand_for_hand:
            self._tell("hand_for_hand")
        self.hand_for_hand = bubble

    def _deal(self) -> None:
        if self.hand_for_hand and self.floor.in_play:
            return
        dealt = [self._deal_at(table) for table in self.floor.open if self.floor.may_deal(table)]
        self.rounds += self.hand_for_hand and bool(dealt)

    def _deal_at(self, table: FloorTable) -> Deal:
        positions = tournament_positions(table.positions, table.ready, len(table.seats))
        dealt = set(positions.dealt)
        seats = enumerate(table.seats)
        table.hands += 1
        table.positions = positions
        deal = table.playing = Deal(
            table=table.number,
            number=table.number * HANDS_A_TABLE + table.hands,
            level=self.level,
            stakes=self.structure.stakes(self.level),
            players=tuple(table.seats),
            stacks=tuple(self.players[name].stack if name and seat in dealt else 0 for seat, name in seats),
            positions=positions,
            start=self.time,
            hand_for_hand=self.hand_for_hand,
        )
        return deal

    def _end(self) -> None:
        (winner,) = self.alive
        self.over = True
        self.hand_for_hand = False
        self.ranking.won(winner.name)
        winner.out_level = self.level
        self._tell("won", player=winner.name)
        self._settle()
        assert self.chips_out == self.chips_in, f"{self.chips_in} chips came in, {self.chips_out} are left"
        assert self.money.pool == 0, f"{self.money.pool} of the prizes are left"

    def _settle(self) -> None:
        """Place and pay the players who are out, once the prizes are fixed."""
        if self.closed:
            self.ranking.settle(self.players, self.prizes, self.money.settle)
            assert self.money.conserved, "prize money has appeared or vanished"

    # -- draws, clock, records --------------------------------------------------------------

    def _luck(self) -> Random:
        self._draws += 1
        return self.tree.rng(self._draws, _DRAWS)

    def _tick(self, time: int) -> None:
        before, self.time = self.level, max(self.time, time)
        for level in range(before, self.level):
            self._tell("level", to=level + 2)
            self.curve.append({player.name: player.stack for player in self.alive})

    def _tell(self, what: str, **about: Any) -> None:
        self.moments.append(Moment(self.time, what, **about))
        if what == "moved":
            self.players[about["player"]].moves += 1

    def _chain(self, number: int, actions: int, stacks: tuple[int, ...]) -> None:
        text = f"{self.digest} {self.time} {number} {actions} {stacks}".encode()
        self.digest = blake2b(text, digest_size=_DIGEST_BYTES, person=b"poker tournament").hexdigest()


def _entered(director: Director, told: list[Any]) -> None:
    name, at, rebuys, add_on = told
    director.enter(Entrant(name, at, rebuys, bool(add_on)))


def _reported(director: Director, told: list[Any]) -> None:
    number, actions, stacks, *at = told
    director.report(number, stacks, actions, at[0] if at else None)


_TOLD: Final[Mapping[str, Any]] = {
    "enter": _entered,
    "start": lambda director, _: director.start(),
    "hand": _reported,
    "void": lambda director, told: director.void(told[0]),
}
