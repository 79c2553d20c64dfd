"""Tournaments in a room of actors: open, enter, play, and resume after a restart."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from poker_actors.actors import Player, Room, StepRuntime, ThreadRuntime
from poker_actors.actors.runtime import Address
from poker_actors.bots import Faults
from poker_actors.errors import BadSpec
from poker_actors.jsontext import parse_json
from poker_actors.sim.tournaments.actor import (
    Ask,
    Enter,
    Start,
    TournamentActor,
    TournamentMemory,
    events_of,
    header_key,
    header_of,
)
from poker_actors.sim.tournaments.director import Director
from poker_actors.sim.tournaments.field import Entrant
from poker_actors.sim.tournaments.plan import TournamentPlan
from poker_actors.sim.tournaments.prizes import deposit
from poker_actors.sim.tournaments.result import TournamentResult, result_of
from poker_actors.sim.tournaments.structure import Structure
from poker_actors.store import Journal

DEFAULT_NAME: Final = "tournament"


class Tournament:
    """The callers' side of a tournament in a room. Make one with `open` or `resume`.

    Its tables are named "NAME table 1" and so on; the prize pool is the bank account NAME/prizes, the
    fees go to NAME/fees. Players pay from their accounts at the bank and are paid there.
    """

    def __init__(self, address: Address, memory: TournamentMemory, room: Room) -> None:
        self.address = address
        self.room = room
        self._memory = memory

    @classmethod
    def open(
        cls,
        room: Room,
        structure: Structure,
        name: str = DEFAULT_NAME,
        *,
        seed: int | None = None,
        paced: bool = True,
        turn_seconds: float | None = None,
        plan: TournamentPlan | None = None,
        told: Callable[[Director], None] | None = None,
    ) -> Tournament:
        """Open a tournament; raise `BadSpec` for a name that is taken or not allowed.

        `seed`, by default the room's, decides seats and decks. A `paced` tournament has a clock made of
        the hands played, the same in every run. People need `paced=False`: the clock is the room's, and
        decks are shuffled by the system's CSPRNG, each with the table's commitment to it. With `plan`
        all its players enter, and play starts. `told` is called after each hand, in the tournament's
        thread.
        """
        if not name or "/" in name or name != name.strip() or not name.isprintable() or len(name) > 40:
            raise BadSpec(
                f"tournament {name!r:.60}: a name must be 1 to 40 printable characters without a slash"
            )
        if f"tournament {name}" in room.supervisor.alive or header_key(name) in room.books.notes(
            header_key(name)
        ):
            raise BadSpec(f"there is already a tournament called {name!r}")
        taken = next((table for table in room.tables if table.startswith(f"{name} table ")), None)
        if taken is not None:
            raise BadSpec(f"tournament {name!r} would have a table called {taken!r}: there is already one")
        header: dict[str, Any] = {
            "structure": structure.to_dict(),
            "seed": room.seed if seed is None else seed,
            "paced": paced,
            "turn_seconds": turn_seconds,
            "plan": None if plan is None else plan.to_dict(),
        }
        room.books.book({}, {header_key(name): json.dumps(header)})
        tournament = cls._begin(room, name, header, told)
        if plan is not None:
            tournament._set_up(plan)
        return tournament

    @classmethod
    def resume(
        cls, room: Room, name: str = DEFAULT_NAME, *, told: Callable[[Director], None] | None = None
    ) -> Tournament:
        """Continue a tournament of the room's journal; raise `BadSpec` if there is none of that name."""
        header = header_of(room.books.notes(header_key(name)), name)
        if header is None:
            raise BadSpec(f"there is no tournament called {name[:40]!r} in this room's journal")
        tournament = cls._begin(room, name, header, told)
        if header["plan"] is not None:
            tournament._set_up(TournamentPlan.from_dict(header["plan"]))
        return tournament

    @classmethod
    def _begin(
        cls, room: Room, name: str, header: dict[str, Any], told: Callable[[Director], None] | None
    ) -> Tournament:
        notes = room.books.notes(header_key(name))
        memory = TournamentMemory(
            name=name,
            structure=Structure.from_dict(header["structure"]),
            seed=header["seed"],
            over=room.runtime.word(),
            paced=header["paced"],
            turn_seconds=header["turn_seconds"],
            events=events_of(notes, name),
            paid=int(notes.get(f"{header_key(name)}/paid", "0")),
            faults=parse_json(notes.get(f"{header_key(name)}/faults", "{}")),
            told=told,
        )
        for player, kinds in memory.faults.items():
            for kind, count in kinds.items():
                setattr(room.players[player].faults, kind, count)
        address = room.supervisor.start(
            f"tournament {name}", lambda address: TournamentActor(address, memory, room)
        )
        return cls(address, memory, room)

    def _set_up(self, plan: TournamentPlan) -> None:
        """Enter all players of a plan who are not in yet, and start.

        Players are made in the plan's order, even those already entered, because the order decides the bots'
        random streams.
        """
        entered: set[str] = self.look(
            lambda director: {*director.players, *(entrant.name for entrant in director.coming)}
        )
        for entrant, bot in zip(plan.entrants, plan.bots, strict=True):
            if entrant.name not in self.room.players:
                self.room.player(entrant.name, bot, chips=deposit(plan.structure, entrant))
            if entrant.name not in entered:
                self.address.ask(Enter(entrant))
        if not self.look(lambda director: director.started):
            self.start()

    @property
    def name(self) -> str:
        """The tournament's name."""
        return self._memory.name

    def enter(self, player: Player, *, rebuys: int = 0, add_on: bool = False) -> None:
        """Enter a player of the room, now or, once it has begun, late.

        The buy-in, the fee, and the most that `rebuys` and the add-on can cost are taken from the player's
        account; the rest comes back. Refused as `insufficient_funds` or `registration_closed`; raises
        `BadSpec` for a player of another room.
        """
        if self.room.players.get(player.name) is not player:
            raise BadSpec(f"{player.name} is not a player of this room")
        time: int = self.look(lambda director: director.time if director.started else 0)
        self.address.ask(Enter(Entrant(player.name, time, rebuys, add_on)))

    def start(self) -> None:
        """Draw the seats and deal; from then on it runs by itself. Raises `BadSpec` for fewer than two players."""
        self.address.ask(Start())

    def look(self, at: Callable[[Director], Any]) -> Any:
        """Return the result of `at`, called with the director in the actor's turn; it must not change the director."""
        return self.address.ask(Ask(at))

    def when_over(self, told: Callable[[], None]) -> None:
        """Call `told` when the tournament is over, in its turn; at once if it is over already."""
        self._memory.over.when_done(told)

    def standing(self, plan: TournamentPlan | None = None) -> TournamentResult:
        """Return the standing now; `plan` adds the players' bots."""
        bots = {} if plan is None else plan.bot_of()
        faults: dict[str, Faults] = {name: player.faults for name, player in self.room.players.items()}
        result: TournamentResult = self.look(lambda director: result_of(director, bots, faults))
        return result

    def result(self, timeout: float | None = None, plan: TournamentPlan | None = None) -> TournamentResult:
        """Wait until it is over and return the result; raise `AskTimeout` after `timeout` seconds."""
        self._memory.over.get(timeout, f"tournament {self.name}")
        return self.standing(plan)

    def __repr__(self) -> str:
        return f"<Tournament: {self.name}, {self._memory.structure.name}>"


def stored_plan(journal: Journal, name: str = DEFAULT_NAME) -> TournamentPlan | None:
    """Return the plan of a tournament in a journal; None if there is none of that name or it has no plan."""
    return _plan_in(journal.look(lambda image: dict(image.notes)), name)


def _plan_in(notes: dict[str, str], name: str) -> TournamentPlan | None:
    header = header_of(notes, name)
    return None if header is None or header["plan"] is None else TournamentPlan.from_dict(header["plan"])


def play_in_room(
    plan: TournamentPlan,
    *,
    runtime: StepRuntime | ThreadRuntime | None = None,
    store: str | Path | Journal | None = None,
    progress: Callable[[Director], None] | None = None,
) -> TournamentResult:
    """Play a plan to its end with the actors of a room, by default on a stepper.

    With a `store` it is journaled; a journal of the same plan is continued. `progress` is called with the
    director after each hand. Raises `BadSpec` for another tournament's store.
    """
    with Room(runtime or StepRuntime(), seed=plan.seed, store=store) as room:
        there = _plan_in(room.books.notes(header_key(DEFAULT_NAME)), DEFAULT_NAME)
        if there is not None and there.to_dict() != plan.to_dict():
            text = f"the store has another tournament, of seed {there.seed} with {len(there.bots)} players"
            raise BadSpec(text)
        if there is None:
            tournament = Tournament.open(room, plan.structure, plan=plan, told=progress)
        else:
            tournament = Tournament.resume(room, told=progress)
        return tournament.result(plan=plan)
