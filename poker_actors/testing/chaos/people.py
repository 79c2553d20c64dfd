"""The people of a run: outside players, spectators, custom actors, and their commands in mid-hand."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import pykka

from poker_actors.actors import HandResult, HandState, Player
from poker_actors.actors.runtime import stop_message
from poker_actors.errors import PokerError
from poker_actors.rules import Action, Call, Check, Fold, RaiseTo, Taken
from poker_actors.testing.chaos.faults import kind_of
from poker_actors.testing.chaos.floor import Course, Floor, patiently
from poker_actors.testing.chaos.requests import REQUESTS
from poker_actors.testing.witness.promises.acts import same_action

_ROUNDS: Final = 300
"""Turns of one hand for which the bench acts or lets time pass: more than any hand has."""
_OWN: Final = 0.1
"""Share of players, on threads, that are custom actors."""


class OwnPlayer(pykka.ThreadingActor):
    """A player that is a custom actor: checks and calls, and sometimes makes a minimum raise."""

    use_daemon_thread = True

    def __init__(self, often: int) -> None:
        super().__init__()
        self.often = often
        self.turns = 0

    def on_receive(self, message: object) -> None:
        """Act when it is told of its turn."""
        if isinstance(message, HandState) and message.turn is not None:
            self.turns += 1
            legal = message.legal
            raises = legal.can_raise and self.turns % self.often == 0
            message.act(RaiseTo(legal.min_raise_to) if raises else legal.passive)


class People:
    """Everybody in the room of a run who is not a house bot."""

    def __init__(self, run: Course) -> None:
        self.run = run
        self._arrivals = 0
        self._arriving: tuple[str, int, Floor] | None = None
        """name, chips and table of the player who is being made"""
        self.outside: dict[str, None] = {}
        """names of players without a bot; the bench acts for them"""
        self.own: dict[str, pykka.ActorRef[OwnPlayer]] = {}
        self.spectators: dict[str, Player] = {}
        self._moving: tuple[str, Floor] | None = None
        """who has been sent to a table and may not sit there yet"""
        self._acted: dict[str, dict[int, tuple[int, Action]]] = {}
        """hand -> turn -> the seat and the action that was accepted"""

    # -- who comes --------------------------------------------------------------------------

    def arrive(self, floor: Floor) -> None:
        """Let one more player into the room and to a table; an outside player may sit at two."""
        run = self.run
        bot, who = self._bot(), f"p{self._arrivals}"
        if bot is None:
            self.outside[who] = None
        elif isinstance(bot, pykka.ActorRef):
            self.own[who] = bot
        with run.quiet():  # what is minted here is not under test: the bench must know how many chips exist
            run.look_for_death()
            chips = 100 * run.settings.stack
            self._arriving = who, chips, floor
            player = run.room.player(who, bot, chips=chips)
            run.look_for_death()  # if it died in between, the journal says whether the player exists
            self._has_arrived(player)
        floor.take_a_seat(player)
        others = [one for one in run.floors if one is not floor]
        if bot is None and others and run.luck.random() < 0.7:
            others[0].players.append(player)
            run.played["players at two tables"] += 1

    def _bot(self) -> Any:
        """Choose who decides for the next player: a bot, nobody, or a custom actor."""
        self._arrivals += 1
        run, roll = self.run, self.run.luck.random()
        if roll < run.settings.outside:
            run.played["players from outside"] += 1
            return None
        if roll < run.settings.outside + _OWN and run.kind != "stepper":
            run.played["custom actors"] += 1
            return OwnPlayer.start(2 + self._arrivals % 3)
        return run.settings.crowd[self._arrivals % len(run.settings.crowd)]

    def _has_arrived(self, player: Player) -> None:
        assert self._arriving is not None
        _, chips, floor = self._arriving
        self._arriving = None
        self.run.chips.minted += chips
        floor.players.append(player)

    def back(self) -> None:
        """Continue as the same people in a reopened room: spectators must ask again, and custom actors are gone."""
        run = self.run
        newcomer = None if self._arriving is None else run.room.players.get(self._arriving[0])
        if newcomer is not None:
            self._has_arrived(newcomer)
        self._arriving = None
        self.outside |= dict.fromkeys(self.own)
        self.stop_own()
        self.spectators = {
            name: run.room.players[name] for name in self.spectators if name in run.room.players
        }
        for spectator in self.spectators.values():
            for floor in run.floors:
                run.give("watches", partial(floor.table.watch, spectator))
        self._sit_who_moves()

    def stop_own(self) -> None:
        """Stop the custom actors."""
        for ref in self.own.values():
            ref.stop(block=False)
        self.own.clear()

    # -- spectators -------------------------------------------------------------------------

    def spectate(self) -> None:
        """Let spectators in, and now and then let one go, come back or leave the room."""
        run, luck = self.run, self.run.luck
        while len(self.spectators) < run.settings.spectators:
            self._arrivals += 1
            name = f"rail{self._arrivals}"
            with run.quiet():
                self.spectators[name] = run.room.player(name)
            run.played["spectators"] += 1
            for floor in run.floors:
                run.give("watches", partial(floor.table.watch, self.spectators[name]))
        if self.spectators and luck.random() < 0.2:
            name, spectator = luck.choice([*self.spectators.items()])
            table = luck.choice(run.floors).table
            if luck.random() < 0.5:
                run.give("watches", lambda: table.watch(spectator))
            elif (
                run.give("watches no more", lambda: table.unwatch(spectator)) == "done"
                and luck.random() < 0.3
            ):
                for floor in run.floors:
                    run.give("watches no more", partial(floor.table.unwatch, spectator))
                if run.give("dismissed", lambda: run.room.dismiss(name)) == "done":
                    del self.spectators[name]

    # -- what happens in mid-hand -----------------------------------------------------------

    def in_mid_hand(self) -> None:
        """Act from outside, ask for something, move, stop an actor or kill one."""
        run, luck = self.run, self.run.luck
        for floor in run.floors:
            self._act(floor)
        roll = luck.random()
        if roll < 0.35:
            self._request()
        elif roll < 0.42:
            self._stop_an_actor()
        elif roll < 0.44:
            self._kill()
        elif roll < 0.47 and len(run.floors) > 1:
            self._move()

    def _request(self) -> None:
        """Give one of all commands there are."""
        run, luck = self.run, self.run.luck
        floor = luck.choice(run.floors)
        if floor.players:
            name = luck.choice([*REQUESTS])
            run.given[name] += 1
            REQUESTS[name](run, floor, luck.choice(floor.players))

    def _stop_an_actor(self) -> None:
        """End an actor as pykka's `stop` does; whatever it is, it or its hand must go on."""
        run, luck = self.run, self.run.luck
        kind = luck.choice(("bank", "table", "player", "hand", "hand", "hand"))
        addresses = [one for one in run.room.supervisor.addresses if kind_of(one.name) == kind]
        if addresses:
            luck.choice(addresses).tell(stop_message())
            run.played[f"stops of a {kind}"] += 1

    def _kill(self) -> None:
        """End a player's actor for good; its seat is acted for, and sits out."""
        run = self.run
        floor = run.luck.choice(run.floors)
        if len(floor.players) > 2:
            player = run.luck.choice(floor.players)
            run.room.supervisor.stop(player.address)
            for one in run.floors:
                if player in one.players:
                    one.players.remove(player)
                    one.gone.append(player)
            run.played["players killed"] += 1

    def _move(self) -> None:
        """Send a player who is not in a hand to the other table, stack and all."""
        run = self.run
        here, there = run.luck.sample(run.floors, k=2)
        state = here.look()
        seated = [
            player
            for player in here.players
            if (number := state.number_of(player.name)) is not None and number not in state.in_hand
        ]
        free = there.look()
        if not seated or free.waiting or None not in free.seats:
            return
        player = run.luck.choice(seated)
        if player in there.players:
            return
        self._moving = player.name, there
        outcome = run.give("sent", lambda: here.table.send(player, there.table))
        if outcome == "refused":
            self._moving = None
            return
        run.look_for_death()
        if here.look().number_of(player.name) is None:
            here.players.remove(player)
            there.players.append(player)
            run.played["moves between tables"] += 1
            self._sit_who_moves()
        self._moving = None

    def _sit_who_moves(self) -> None:
        """Seat a player whose stack is at a table already, however often the table crashes meanwhile."""
        if self._moving is None:
            return
        run, (name, floor) = self.run, self._moving
        player = run.room.players[name]
        if all(one.look().number_of(name) is None for one in run.floors):
            for one in run.floors:
                if player in one.players and one is not floor:
                    one.players.remove(player)
                    floor.players.append(player)
            if run.give("arrives", lambda: floor.table.sit(player, with_stack=True)) != "done":
                with run.quiet():
                    floor.table.sit(player, with_stack=True)
        self._moving = None

    # -- players from outside ---------------------------------------------------------------

    def act_to_the_end(self, floor: Floor) -> None:
        """Act for everybody from outside, or let time pass, until none of them has a turn."""
        for _ in range(_ROUNDS):
            if not self._act(floor):
                return
            self.run.settle()

    def _act(self, floor: Floor) -> bool:
        """Act for whoever is from outside and has a turn at this table; return whether anybody had one."""
        run, luck = self.run, self.run.luck
        for player in floor.players:
            if player.name not in self.outside:
                continue
            state = self._state(player.at(floor.table))
            if state is not None and state.turn is not None:
                if luck.random() < 0.3:
                    run.runtime.pass_time(luck.uniform(0.5, 6.0))
                else:
                    self._take_turn(player.at(floor.table), state)
                return True
        return False

    def _state(self, player: Player) -> HandState | None:
        with self.run.quiet():
            return patiently(player.state)

    def _take_turn(self, player: Player, state: HandState) -> None:
        """Act, mostly with the turn's keys, and sometimes again with the same keys."""
        run, luck = self.run, self.run.luck
        action = self._choice(state)
        if luck.random() < 0.35:
            self._act_without_keys(player, action, state)
            return
        again = partial(player.act, hand_id=state.hand_id, seq=state.seq)
        if run.give("acted with keys", lambda: again(action)) != "done":
            return
        self._acted.setdefault(state.hand_id, {})[state.seq] = state.seat, action
        run.look_for_death()
        if luck.random() < 0.3:
            run.give("acted again with the same keys", lambda: again(action))
        elif luck.random() < 0.2:
            other = Check() if isinstance(action, Fold) else Fold()
            outcome = run.give("acted otherwise with the same keys", lambda: again(other))
            run.look_for_death()
            run.holds(
                "keys",
                outcome != "done",
                lambda: f"{other} was accepted for {state.hand_id} #{state.seq}, where {action} was before",
            )

    def _act_without_keys(self, player: Player, action: Action, state: HandState) -> None:
        """Act whatever the turn is by now; it must be one at this table, or one that was answered before."""
        run = self.run
        before = self._taken(state)
        if run.give("acted without keys", lambda: player.act(action)) != "done" or before is None:
            return
        run.look_for_death()
        after = self._taken(state)
        run.holds(
            "keys",
            after is None
            or len(after) > len(before)
            or (bool(after) and same_action(after[-1].action, action)),
            lambda: f"{action} of {player.name} was accepted at {state.table}, and is not in {state.hand_id}",
        )

    def _taken(self, state: HandState) -> list[Taken] | None:
        """Return what a seat has done in a hand; None if that is over."""
        live = self.run.room.live_hands.get(state.table)
        if live is None or live.hand_id != state.hand_id:
            return None
        try:
            with self.run.quiet():
                return [taken for taken in live.state().actions if taken.seat == state.seat]
        except PokerError:
            return None

    def _choice(self, state: HandState) -> Action:
        """Choose an action: mostly check or call, sometimes anything else."""
        legal, roll = state.legal, self.run.luck.random()
        if roll < 0.15 and legal.can_raise:
            return RaiseTo(legal.min_raise_to)
        if roll < 0.2 and legal.all_in is not None:
            return legal.all_in
        if roll < 0.9 and not (legal.discards or legal.lays or legal.bring_in):
            return Call() if state.to_call else Check()
        return legal.passive

    def ended(self, result: HandResult) -> None:
        """Check that each accepted action of outside players is in the hand's log, at its turn."""
        acted = self._acted.pop(result.hand_id, {})
        if result.hand is None:
            return
        log = result.hand.public().actions
        for seq, (seat, action) in acted.items():
            there = log[seq] if seq < len(log) else None
            self.run.holds(
                "keys",
                there is not None and there.seat == seat and same_action(there.action, action),
                partial(
                    "{} of seat {} was accepted for {} #{}, and {} is there".format,
                    action,
                    seat,
                    result.hand_id,
                    seq,
                    there,
                ),
            )
