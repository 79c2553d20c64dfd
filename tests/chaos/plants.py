"""Bugs to be planted in a room at which people play: what `docs/actors.md` and `docs/reliability.md` promise, broken.

Written from the documents alone, before the bench could see any of them. Each plant replaces one thing of the room
by the same thing with one promise broken; nothing here knows the witness or the bench.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import isroutine, signature
from typing import Any, Final

import attrs
import pytest

from poker_actors.actors import bank, hand, messages, table
from poker_actors.actors.hand import HandStopped
from poker_actors.actors.messages import HandState
from poker_actors.actors.player import PlayerActor
from poker_actors.actors.table.hands import Desk
from poker_actors.errors import Refused, TableRefusal
from poker_actors.store import bank_account, house_account

__all__ = ["AT_PEOPLE", "CAUGHT_BY", "Plant", "patch"]

Plant = Callable[[pytest.MonkeyPatch], None]


def patch(owner: Any, name: str, make: Callable[[Any], Any]) -> Plant:
    """Return a plant that replaces `owner.name` by what `make` makes of it.

    That must take the same arguments: one that fails as it is called would be noticed for a crash, not for its bug.
    """

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        was = getattr(owner, name)
        made = make(was)
        if isroutine(was):
            taken = signature(was).parameters.values()
            named = {one.name: None for one in taken if one.kind is one.KEYWORD_ONLY}
            signature(made).bind(*(None for one in taken if one.kind is one.POSITIONAL_OR_KEYWORD), **named)
        monkeypatch.setattr(owner, name, made)

    return plant


def ignored(handler: Any) -> Any:
    return lambda self, *rest: None


# -- seats ---------------------------------------------------------------------------------------------


def who_moves_sits_in(sit: Any) -> Any:
    def sat(self: Any, command: Any) -> Any:
        before = self.memory.seating.number_of(command.player)
        number = sit(self, command)
        if before is not None and self.memory.seating.seat_at(number).out:
            self.sit_in(messages.SitIn(command.player))
        return number

    return sat


def ahead_of_the_line(sit: Any) -> Any:
    def sat(self: Any, command: Any) -> Any:
        waiting = self.memory.seating.waiting
        self.memory.seating = attrs.evolve(self.memory.seating, waiting=())
        try:
            return sit(self, command)
        finally:
            self.desk.seat_as(attrs.evolve(self.memory.seating, waiting=waiting))

    return sat


def without_the_stack(sit: Any) -> Any:
    return lambda self, command: sit(self, attrs.evolve(command, with_stack=False))


def to_the_end_of_the_line(wait: Any) -> Any:
    def waits(self: Any, command: Any) -> Any:
        self.memory.seating = self.memory.seating.without(command.player)
        return wait(self, command)

    return waits


def one_place_too_far(wait: Any) -> Any:
    return lambda self, command: wait(self, command) + 1


def counts_what_is_refused(buy_in: Any) -> Any:
    def bought_in(self: Any, command: Any) -> Any:
        try:
            return buy_in(self, command)
        except TableRefusal as refusal:
            if refusal.code == "insufficient_funds":
                number = self.memory.seating.seat_of(command.player)
                seat = self.memory.seating.seat_at(number)
                more = attrs.evolve(seat, stack=seat.stack + command.amount)
                self.memory.seating = self.memory.seating.with_seat(number, more)
            raise

    return bought_in


def pays_out_what_is_forfeited(forfeit: Any) -> Any:
    return lambda self, command: self.cash_out(messages.CashOut(command.player))


def ignores_players(down: Any) -> Any:
    return lambda self, news: None if news.name.startswith("player ") else down(self, news)


def forgets_at_a_crash(change: Callable[[Any], None]) -> Any:
    def made(begin: Any) -> Any:
        def begun(self: Any) -> None:
            change(self.memory)
            begin(self)
            change(self.memory)

        return begun

    return made


def without_watchers(memory: Any) -> None:
    memory.watchers = ()


def without_wishes(memory: Any) -> None:
    memory.seating = attrs.evolve(memory.seating, once=())


def says_nothing_to_the_line(tell: Any) -> Any:
    def told(self: Any, what: str, *rest: Any, **more: Any) -> None:
        state = self.memory.seating
        if what == "hand_started":
            self.memory.seating = attrs.evolve(state, waiting=())
        try:
            tell(self, what, *rest, **more)
        finally:
            self.memory.seating = attrs.evolve(self.memory.seating, waiting=state.waiting)

    return told


# -- hands ---------------------------------------------------------------------------------------------


def counts_every_late_hand(sat_out: Any) -> Any:
    def counted(self: Any, late: Any, most: int) -> Any:
        after = sat_out(self, late, most)
        seats = []
        for old, new in zip(self.seats, after.seats, strict=True):
            forgiven = old is not None and new is not None and not new.out and old.late > new.late
            seats.append(attrs.evolve(new, late=old.late) if forgiven else new)
        return attrs.evolve(after, seats=tuple(seats))

    return counted


def takes_an_earlier_deadline_of_the_seat(deadline: Any) -> Any:
    def late(self: Any, news: Any) -> None:
        if self.turn is not None and news.turn.seat == self.turn.seat:
            self.turn = news.turn
        deadline(self, news)

    return late


def tells_spectators(seat: Callable[[Any], int]) -> Any:
    """A plant for `_tell_everybody`: spectators see what seat 0 or the first seat has."""

    def made(tell: Any) -> Any:
        def told(self: Any) -> None:
            first = next(number for number, player in enumerate(self.plan.players) if player is not None)
            tell(self)
            change = self.header.change(self.hand.public())
            for watcher in self.watched.watchers:
                watcher.tell(HandState(change, seat(first), self.hand.holes[first], None))

        return told

    return made


def tells_players_who_watch_as_well(tell: Any) -> Any:
    def told(self: Any) -> None:
        tell(self)
        change = self.header.change(self.hand.public())
        for watcher in self.watched.watchers:
            if watcher in self.told:
                watcher.tell(HandState(change, -1, (), None))

    return told


def forgets_that_a_player_leaves(leave: Any) -> Any:
    def left(self: Any, command: Any) -> Any:
        answer = leave(self, command)
        self.memory.seating = attrs.evolve(self.memory.seating, leaving=())
        return answer

    return left


def twice(handler: Any) -> Any:
    def handled(self: Any, news: Any) -> None:
        handler(self, news)
        live = self.memory.live
        if live is not None and live.hand_id == news.name and isinstance(news.last_words, HandStopped):
            handler(self, attrs.evolve(news, address=live.address))

    return handled


def forgets_what_was_played(handler: Any) -> Any:
    def handled(self: Any, news: Any) -> None:
        stopped = isinstance(news.last_words, HandStopped)
        handler(self, attrs.evolve(news, last_words=None) if stopped else news)

    return handled


def stops_the_bank_at_once(draws: Any) -> Any:
    def drawn(self: Any, news: Any) -> bool:
        runs: bool = draws(self, news)
        if runs:
            self.timer.cancel()
            self.timer = self.address.runtime.later(0.5, self.address, self.bank_deadline)
        return runs

    return drawn


def full_again(banks_after: Any) -> Any:
    def filled(self: Any, news: Any) -> Any:
        bank = self.desk.config.time_bank
        return dict.fromkeys(banks_after(self, news), bank.seconds) if bank else {}

    return filled


def sits_everybody_in(settled: Any) -> Any:
    def ended(self: Any, after: Any, news: Any) -> None:
        seats = tuple(
            seat and attrs.evolve(seat, out=seat.out and number not in self.memory.in_hand)
            for number, seat in enumerate(after.seats)
        )
        settled(self, attrs.evolve(after, seats=seats), news)

    return ended


def leaves_no_hand_to_the_journal(shut: Any) -> Any:
    return lambda self, command: shut(self, attrs.evolve(command, keep=False))


# -- acts and chips ------------------------------------------------------------------------------------


def looks_at_no_keys(play: Any) -> Any:
    def played(self: Any, command: Any) -> None:
        try:
            play(self, command)
        except Refused:
            play(self, attrs.evolve(command, hand_id=None, seq=None))

    return played


def looks_at_no_table(open_turn: Any) -> Any:
    def opened(self: Any, name: Any) -> Any:
        turns = [state for state in self.memory.latest.values() if state.turn is not None]
        return turns[0] if len(turns) > 1 else open_turn(self, name)

    return opened


def mints_every_time(top_up: Any) -> Any:
    return lambda self, command: top_up(self, attrs.evolve(command, key=""))


def pays_back_to_the_mint(lend: Any) -> Any:
    def lent(self: Any, player: str, amount: int) -> int:
        debt: int = lend(self, player, 0)
        if amount >= 0 or debt + amount < 0:
            return int(lend(self, player, amount))
        self._add(bank_account(player), amount, house_account("mint"))
        return debt + amount

    return lent


def voids_every_table(void: Any) -> Any:
    def voided(self: Any, command: Any) -> Any:
        for account in self.ledger.balances("escrow/"):
            other = account.split("/")[1]
            if other != command.table:
                void(self, attrs.evolve(command, table=other, facts=()))
        return void(self, command)

    return voided


def books_no_withdrawal(withdraw: Any) -> Any:
    return lambda self, command: self.ledger.balance(f"bank/{command.player}") - command.amount


# fmt: off
AT_PEOPLE: Final[dict[str, Plant]] = {
    # what the room is asked by the people who play in it
    "who moves while sitting out is dealt in": patch(table.TableActor, "sit", who_moves_sits_in),
    "spectators are forgotten at a crash of the table": patch(table.TableActor, "begin", forgets_at_a_crash(without_watchers)),
    "time-outs that are not in a row sit a player out": patch(table.Seating, "sat_out", counts_every_late_hand),
    "a deadline of an earlier turn of the same seat acts": patch(hand.HandActor, "deadline", takes_an_earlier_deadline_of_the_seat),
    "a spectator is told a hole card": patch(hand.HandActor, "_tell_everybody", tells_spectators(lambda first: -1)),
    "a spectator is told what a seat is told": patch(hand.HandActor, "_tell_everybody", tells_spectators(lambda first: first)),
    "a hand that was stopped is continued twice": patch(table.TableHands, "hand_down", twice),
    "a hand that was stopped is void": patch(table.TableHands, "hand_down", forgets_what_was_played),
    "a player who is gone is dealt in again": patch(table.TableActor, "actor_down", ignores_players),
    "somebody sits down ahead of the line": patch(table.TableActor, "sit", ahead_of_the_line),
    "who waits again goes to the end of the line": patch(table.TableActor, "wait", to_the_end_of_the_line),
    "chips and seats may be taken away in mid-hand": patch(table.TableActor, "_not_in_hand", ignored),
    "the keys of an action are not looked at": patch(PlayerActor, "play_command", looks_at_no_keys),
    "a top-up with a key is minted every time": patch(bank.BankActor, "top_up", mints_every_time),
    "a stack that was sent does not arrive": patch(table.TableActor, "sit", without_the_stack),
    # more of the same
    "who plays and watches is told as a spectator, too": patch(hand.HandActor, "_tell_everybody", tells_players_who_watch_as_well),
    "who leaves after the hand stays": patch(table.TableActor, "leave_after_hand", forgets_that_a_player_leaves),
    "who no longer watches is still told": patch(table.TableActor, "unwatch", ignored),
    "a time bank is empty as soon as it runs": patch(hand.HandActor, "_draws_on_bank", stops_the_bank_at_once),
    "boards are run twice though a player has declined": patch(table.TableActor, "run_it_once", ignored),
    "who has declined is forgotten at a crash of the table": patch(table.TableActor, "begin", forgets_at_a_crash(without_wishes)),
    "a place in line is said to be one too far": patch(table.TableActor, "wait", one_place_too_far),
    "what is paid back is still owed": patch(bank.BankActor, "_lend", pays_back_to_the_mint),
    "what is forfeited is paid out": patch(table.TableActor, "forfeit", pays_out_what_is_forfeited),
    "who sits out in mid-hand is in again after it": patch(table.TableHands, "_settled", sits_everybody_in),
    "a buy-in that was refused is counted": patch(table.TableActor, "buy_in", counts_what_is_refused),
    "time banks are full after every hand": patch(table.TableHands, "_banks_after", full_again),
    "the void hand of one table is that of every table": patch(bank.BankActor, "void", voids_every_table),
    "an action at one of two tables is taken at the other": patch(PlayerActor, "_open_turn", looks_at_no_table),
    "who waits hears of no hand": patch(Desk, "tell_news", says_nothing_to_the_line),
    "a room that is closed keeps no hand for later": patch(table.TableHands, "shut", leaves_no_hand_to_the_journal),
    "chips that were withdrawn are still there": patch(bank.BankActor, "withdraw", books_no_withdrawal),
}
# fmt: on

CAUGHT_BY: Final[dict[str, tuple[str, ...]]] = {
    "who moves while sitting out is dealt in": ("sitting out",),
    "spectators are forgotten at a crash of the table": ("audience",),
    "time-outs that are not in a row sit a player out": ("late",),
    "a deadline of an earlier turn of the same seat acts": ("deadline",),
    "a spectator is told a hole card": ("hidden",),
    "a spectator is told what a seat is told": ("hidden",),
    "a hand that was stopped is continued twice": (
        "result",
        "actions",
        "turn",
        "order",
        "accepted",
        "recovery",
    ),
    "a hand that was stopped is void": ("void",),
    "a player who is gone is dealt in again": ("sitting out",),
    "somebody sits down ahead of the line": ("line",),
    "who waits again goes to the end of the line": ("line",),
    "chips and seats may be taken away in mid-hand": ("in hand",),
    "the keys of an action are not looked at": ("keys",),
    "a top-up with a key is minted every time": ("audit",),
    "a stack that was sent does not arrive": (
        "audit",
        "stack",
    ),
    "who no longer watches is still told": ("audience",),
    "who plays and watches is told as a spectator, too": ("audience",),
    "who leaves after the hand stays": ("sitting out",),
    "a time bank is empty as soon as it runs": ("time bank",),
    "boards are run twice though a player has declined": ("boards",),
    "who has declined is forgotten at a crash of the table": ("boards",),
    "a place in line is said to be one too far": ("line",),
    "what is paid back is still owed": ("balance",),
    "what is forfeited is paid out": ("audit",),
    "who sits out in mid-hand is in again after it": ("sitting out",),
    "a buy-in that was refused is counted": ("stack",),
    "time banks are full after every hand": ("time bank",),
    "the void hand of one table is that of every table": (
        "rest",
        "audit",
        "stack",
    ),
    "an action at one of two tables is taken at the other": ("keys",),
    "who waits hears of no hand": ("audience",),
    "a room that is closed keeps no hand for later": (
        "void",
        "stopped",
    ),
    "chips that were withdrawn are still there": (
        "balance",
        "audit",
    ),
}
"""Plant -> the promises it breaks, of which one must be named."""

FOUND_IN: Final[dict[str, int]] = {
    "who waits is forgotten": 4,
    "who waits has the seat and stays in line": 4,
    "turn and river are exchanged when a hand goes on": 4,
    "a hand takes every deadline": 2,
    "spectators are forgotten at a crash of the table": 1,
    "time-outs that are not in a row sit a player out": 2,
    "a deadline of an earlier turn of the same seat acts": 2,
    "a spectator is told a hole card": 1,
    "a spectator is told what a seat is told": 1,
    "a player who is gone is dealt in again": 1,
    "somebody sits down ahead of the line": 4,
    "who waits again goes to the end of the line": 4,
    "chips and seats may be taken away in mid-hand": 1,
    "the keys of an action are not looked at": 5,
    "a top-up with a key is minted every time": 1,
    "a stack that was sent does not arrive": 9,
    "who plays and watches is told as a spectator, too": 1,
    "who leaves after the hand stays": 7,
    "who no longer watches is still told": 1,
    "a time bank is empty as soon as it runs": 1,
    "boards are run twice though a player has declined": 8,
    "who has declined is forgotten at a crash of the table": 8,
    "a place in line is said to be one too far": 4,
    "what is paid back is still owed": 5,
    "who sits out in mid-hand is in again after it": 3,
    "a buy-in that was refused is counted": 1,
    "time banks are full after every hand": 1,
    "the void hand of one table is that of every table": 2,
    "an action at one of two tables is taken at the other": 7,
    "who waits hears of no hand": 4,
}
"""Plant -> which run of the seed's hands finds it, where that is not the first one."""
