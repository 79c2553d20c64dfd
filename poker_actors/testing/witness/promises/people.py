"""Promises to the people at a table: news, chips in mid-hand, wishes and time."""

from __future__ import annotations

from typing import Any

import attrs

from poker_actors.actors import HandResult, HandState, Refusal, TableNews, TableState
from poker_actors.actors.messages import (
    ActorDown,
    BuyIn,
    CashOut,
    Deal,
    Forfeit,
    GetState,
    Leave,
    RunItOnce,
    Send,
    Shut,
    Sit,
    SitOut,
    TopUp,
    Unwatch,
    Watch,
)
from poker_actors.errors import AskTimeout
from poker_actors.rules.event import RunDealt
from poker_actors.testing.witness.promise import Answer, Heard, Hears, Promise


def _table(hand_id: str) -> str:
    return hand_id.rpartition("/")[0]


@attrs.define
class _Told:
    """Who ought to hear of a hand, and who did."""

    everybody: frozenset[str] | None = None
    """None until the state after the deal is heard: on threads some hear of the hand before that"""
    watchers: frozenset[str] = frozenset()
    strangers: frozenset[str] = frozenset()
    """those who had stopped watching before the deal"""
    players: set[str] = attrs.field(factory=set)
    """those told of a seat of theirs, whether they watch or not"""
    started: set[str] = attrs.field(factory=set)
    seen: dict[str, int] = attrs.field(factory=dict)
    """spectator -> actions of the newest state told"""
    newest: int = -1
    """actions of the newest state told to a player"""


class EverybodyIsTold(Promise):
    """Players, waiting players and spectators hear the same."""

    name = "audience"
    says = "If one hears of a hand, so do all who sit, wait or watch; spectators see every state until they stop watching, and players are told as players only."

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self._watchers: dict[str, dict[str, bool]] = {}
        """table -> spectator -> whether it watches; missing where nothing is known"""
        self._hands: dict[str, _Told] = {}
        self._gone: set[tuple[str, str]] = set()
        """table and actor, gone for good"""
        self._dealt: set[str] = set()
        """hands whose deal was answered; one that goes on in a new process has another audience"""

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears(
            {TableNews: self.news, HandState: self.state},
            asked={ActorDown: self.down},
            answered={Watch: self.watches, Unwatch: self.watches, Deal: self.dealt, GetState: self.picture},
            lost=dict.fromkeys((Watch, Unwatch), self.unknown),
        )

    def died(self) -> None:
        """Forget spectators, whom no journal keeps, and hands whose news may be lost."""
        self._watchers.clear()
        self._hands.clear()
        self._dealt.clear()
        self._gone.clear()

    def forget(self, hand_id: str) -> None:
        """Forget a hand."""
        super().forget(hand_id)
        self._hands.pop(hand_id, None)

    def down(self, heard: Heard[ActorDown]) -> None:
        """Expect an actor that is gone to hear nothing."""
        self._gone.add((heard.table, heard.what.name))

    def watches(self, heard: Heard[Answer[Watch | Unwatch, None]]) -> None:
        """Note that somebody watches, or no longer does."""
        command = heard.what.command
        self._watchers.setdefault(heard.table, {})[command.address.name] = isinstance(command, Watch)
        for told in self._hands.values():  # anything it still hears of a hand in play is already on its way
            told.watchers -= {command.address.name}
            told.strangers -= {command.address.name}

    def unknown(self, heard: Heard[Watch | Unwatch]) -> None:
        """Forget whether a spectator watches."""
        self._watchers.get(heard.table, {}).pop(heard.what.address.name, None)
        for told in self._hands.values():
            told.watchers -= {heard.what.address.name}
            told.strangers -= {heard.what.address.name}

    def dealt(self, heard: Heard[Answer[Deal, Any]]) -> None:
        """Expect everybody in the next state to hear of this hand."""
        self._dealt.add(heard.what.value.hand_id)

    def picture(self, heard: Heard[Answer[GetState, Any]]) -> None:
        """Note who should hear of a hand, when it is first seen."""
        state = heard.what.value
        if not isinstance(state, TableState) or state.hand_id not in self._dealt:
            return
        self._dealt.discard(state.hand_id)
        known = self._watchers.get(heard.table, {})
        watchers = frozenset(name for name, watches in known.items() if watches)
        there = [seat.address.name for seat in state.seats if seat is not None]
        there += [one.address.name for one in state.waiting]
        told = self._told(state.hand_id)
        told.everybody, told.watchers = frozenset(there) | watchers, watchers
        told.strangers = frozenset(known) - watchers - {*there}
        for watcher in told.seen:
            self._is_no_stranger(heard, watcher, state.hand_id, told)

    def _told(self, hand_id: str) -> _Told:
        return self._hands.setdefault(hand_id, _Told())

    def news(self, heard: Heard[TableNews]) -> None:
        """Note who hears that a hand begins; anybody who hears news is back, if gone before."""
        self._gone.discard((heard.what.table, heard.who))
        if heard.what.what == "hand_started" and heard.what.hand_id is not None:
            self._told(heard.what.hand_id).started.add(heard.who)

    def state(self, heard: Heard[HandState]) -> None:
        """Note how far a spectator and the players have seen a hand."""
        state = heard.what
        told = self._told(state.hand_id)
        if state.seat >= 0:
            told.newest = max(told.newest, state.seq)
            told.players.add(heard.who)
            return
        what = f"{heard.who} plays in {state.hand_id}, and was told #{state.seq} of it as a spectator"
        self.holds(heard.who not in told.players, heard, lambda: what)
        told.seen[heard.who] = state.seq
        self._is_no_stranger(heard, heard.who, state.hand_id, told)

    def _is_no_stranger(self, heard: Heard[Any], who: str, hand_id: str, told: _Told) -> None:
        what = f"{who} had stopped watching before {hand_id} was dealt, and was told #{told.seen[who]} of it"
        self.holds(who not in told.strangers, heard, lambda: what)

    def rest(self, number: int) -> None:
        """Compare what everybody has heard."""
        for hand_id, told in self._hands.items():
            heard = Heard(number, "", None)
            if told.everybody is None:
                continue
            gone = {name for table, name in self._gone if table == _table(hand_id)}
            missing = sorted(told.everybody - told.started - gone) if told.started else []
            self.holds(
                not missing,
                heard,
                lambda: f"{missing} were not told that {hand_id} began, as others were",  # noqa: B023  called at once
            )
            for watcher in sorted(told.watchers - gone - told.players):
                seen = told.seen.get(watcher, -1)
                what = f"{watcher} watches, and was told #{seen} of {hand_id}, of which players saw #{told.newest}"
                self.holds(seen >= told.newest, heard, lambda: what)  # noqa: B023  called at once
        self._hands.clear()


class NothingTakenInMidHand(Promise):
    """A player in a hand stays in it."""

    name = "in hand"
    says = "Nobody who is in a hand moves chips or changes seats before it ends."

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self._states: dict[str, TableState] = {}
        """table -> its state as last told"""
        self._taken: dict[str, tuple[str, str]] = {}
        """table -> player and command just answered, until its state is heard"""

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        taken = dict.fromkeys((BuyIn, CashOut, TopUp, Forfeit, Send, Leave), self.taken)
        return Hears(answered={**taken, Sit: self.sat, GetState: self.picture})

    def died(self) -> None:
        """Forget who is in a hand."""
        self._states.clear()
        self._taken.clear()

    def picture(self, heard: Heard[Answer[GetState, Any]]) -> None:
        """Note who is in the hand; check that the command just answered concerned none of them.

        The hand may have ended unheard since the last state, at a table that came back from a crash: the
        check needs the same hand before and after the command.
        """
        state = heard.what.value
        if not isinstance(state, TableState):
            return
        before, taken = self._states.get(heard.table), self._taken.pop(heard.table, None)
        self._states[heard.table] = state
        if taken is not None and before is not None and before.hand_id is not None:
            player, command = taken
            in_hand = any(seat.player == player for seat in before.in_hand.values())
            what = f"{command} of {player} was answered in {before.hand_id}"
            self.holds(not in_hand or state.hand_id != before.hand_id, heard, lambda: what)

    def taken(self, heard: Heard[Answer[Any, Any]]) -> None:
        """Note a command that moves chips or a seat."""
        if heard.table:
            command = heard.what.command
            self._taken[heard.table] = command.player, type(command).__name__

    def sat(self, heard: Heard[Answer[Sit, int]]) -> None:
        """Note a player who got another seat."""
        state, player = self._states.get(heard.table), heard.what.command.player
        if state is not None and state.number_of(player) not in (None, heard.what.value):
            self._taken[heard.table] = player, f"a move to seat {heard.what.value}"


class BoardsAsWished(Promise):
    """Boards are run several times by consent."""

    name = "boards"
    says = "A board is run more than once only if nobody left in the hand had declined before the deal."

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self._once: dict[str, dict[str, Heard[bool]]] = {}
        self._at_the_deal: dict[str, dict[str, Heard[bool]]] = {}

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears(
            {HandResult: self.result},
            asked={Deal: self.deals},
            answered={RunItOnce: self.wished, Deal: self.dealt},
            lost={RunItOnce: self.unknown},
        )

    def forget(self, hand_id: str) -> None:
        """Forget a hand."""
        super().forget(hand_id)
        self._at_the_deal.pop(hand_id, None)

    def wished(self, heard: Heard[Answer[RunItOnce, None]]) -> None:
        """Note a wish."""
        command = heard.what.command
        self._once.setdefault(heard.table, {})[command.player] = Heard(heard.number, heard.who, command.once)

    def unknown(self, heard: Heard[RunItOnce]) -> None:
        """Forget a wish that may or may not have been heard."""
        self._once.get(heard.table, {}).pop(heard.what.player, None)

    def deals(self, heard: Heard[Deal]) -> None:
        """Keep the wishes that count for the next hand."""
        self._at_the_deal[heard.table] = {**self._once.get(heard.table, {})}

    def dealt(self, heard: Heard[Answer[Deal, Any]]) -> None:
        """Note the hand dealt."""
        self._at_the_deal[heard.what.value.hand_id] = self._at_the_deal.pop(heard.table, {})

    def result(self, heard: Heard[HandResult]) -> None:
        """Check that nobody left in the hand had declined to run it again."""
        hand, wishes = heard.what.hand, self._at_the_deal.get(heard.what.hand_id)
        if hand is None or wishes is None or hand.game.boards > 1 or (hand.options and hand.options.bomb_pot):
            return  # a game or a bomb pot of several boards asks nobody
        if not any(isinstance(one, RunDealt) for one in hand.events()):
            return
        for seat in hand.live:
            wish = wishes.get(heard.what.players[seat] or "")
            if wish is not None:
                what = f"{heard.what.players[seat]} declined (heard {wish.number}), and {heard.what.hand_id} was run again"
                self.holds(not wish.what, heard, lambda: what)  # noqa: B023  called at once


class SatOutWhenLate(Promise):
    """Only consecutive time-outs sit a player out."""

    name = "late"
    says = "A table sits a player out by itself only when time ran out in as many hands in a row as it says."

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self.most: dict[str, int] = {}
        """table -> hands in a row"""
        self._out: dict[tuple[str, str], bool] = {}
        self._row: dict[tuple[str, str], int] = {}
        """table and player -> hands in a row with a time-out; missing where unknown"""
        self._late: set[tuple[str, str]] = set()
        """hand and player"""
        self._results: list[HandResult] = []
        self._sat_out: dict[tuple[str, int], list[tuple[str, Heard[Any]]]] = {}
        """table and hand -> players who sat out when it ended"""
        self._shut: set[str] = set()
        self._gone: set[tuple[str, str]] = set()
        """table and player whose actor is gone for good, maybe with the word of a time-out unheard"""
        self._counted: dict[str, int] = {}
        """table -> the number of the last hand counted"""

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears(
            {Refusal: self.refusal, HandState: self.state, HandResult: self.result},
            asked={SitOut: self.asked_out, ActorDown: self.down, Shut: self.shuts},
            answered={GetState: self.picture, Sit: self.sat},
        )

    def died(self) -> None:
        """Forget everything: news of time-outs may be lost."""
        for kept in (self._out, self._row, self._late, self._results, self._sat_out, self._shut, self._gone):
            kept.clear()
        self._counted.clear()

    def forget(self, hand_id: str) -> None:
        """Forget a hand."""
        super().forget(hand_id)
        self._results = [result for result in self._results if result.hand_id != hand_id]
        self._late = {(hand, player) for hand, player in self._late if hand != hand_id}

    def shuts(self, heard: Heard[Shut]) -> None:
        """Note that the room is closing: as its players end, their seats sit out."""
        self._shut.add(heard.table)

    def refusal(self, heard: Heard[Refusal]) -> None:
        """Note a player whose time ran out."""
        if heard.what.code == AskTimeout.default_code:
            self._late.add((heard.what.hand_id, heard.who.removeprefix("player ")))

    def asked_out(self, heard: Heard[SitOut]) -> None:
        """Note a command to sit a player out."""
        self._out[heard.table, heard.what.player] = True

    def down(self, heard: Heard[ActorDown]) -> None:
        """Expect a player whose actor is gone to sit out."""
        player = heard.what.name.removeprefix("player ")
        self._gone.add((heard.table, player))
        self._out[heard.table, player] = True

    def state(self, heard: Heard[HandState]) -> None:
        """Note who plays; a player who hears of a hand is back, if gone before."""
        self._gone.discard((heard.what.table, heard.who.removeprefix("player ")))

    def sat(self, heard: Heard[Answer[Sit, int]]) -> None:
        """Begin to count for a new player."""
        if (heard.table, heard.what.command.player) not in self._out:
            self._row[heard.table, heard.what.command.player] = 0

    def picture(self, heard: Heard[Answer[GetState, Any]]) -> None:
        """Note players who newly sit out."""
        state = heard.what.value
        if not isinstance(state, TableState) or heard.table in self._shut:
            return
        there = {(heard.table, seat.player): seat.out for seat in state.seats if seat is not None}
        for key, out in there.items():
            if out and self._out.get(key) is False:
                self._sat_out.setdefault((heard.table, state.number - 1), []).append((key[1], heard))
        for key in [key for key in self._out if key[0] == heard.table and key not in there]:
            del self._out[key]
            self._row.pop(key, None)
        self._out |= there

    def result(self, heard: Heard[HandResult]) -> None:
        """Keep the result until the news of time-outs has arrived."""
        self._results.append(heard.what)

    def rest(self, number: int) -> None:
        """Count the hands in a row, and check why players sit out."""
        for result in self._results:
            table = _table(result.hand_id)
            if self._counted.get(table, result.number - 1) != result.number - 1:
                # nobody has heard the result of the hand before, as its deal was not answered
                self._row = {key: row for key, row in self._row.items() if key[0] != table}
            self._counted[table] = result.number
            for seat in result.positions.dealt:
                player = result.players[seat]
                if player is not None:
                    self._count(table, player, result)
            for player, heard in self._sat_out.pop((table, result.number), []):
                row, most = self._row.pop((table, player), None), self.most.get(table)
                if row is not None and most is not None:
                    what = f"{player} sits out at {table}, after time ran out in {row} hands in a row, not {most}"
                    self.holds(row >= most, heard, lambda: what)  # noqa: B023  called at once
        # of counted hands only: on threads a dealer may have begun the next one, which is counted at the next rest
        counted = {result.hand_id for result in self._results}
        self._late = {(hand, player) for hand, player in self._late if hand not in counted}
        self._results.clear()
        self._sat_out.clear()

    def _count(self, table: str, player: str, result: HandResult) -> None:
        late = (result.hand_id, player) in self._late
        if result.voided or (table, player) in self._gone:
            self._row.pop((table, player), None)
        elif not late:
            self._row[table, player] = 0
        elif (table, player) in self._row:
            self._row[table, player] += 1
