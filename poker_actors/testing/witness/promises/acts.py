"""Actions: a seat acts itself or runs out of time, its time bank too, and an accepted action is in the log."""

from __future__ import annotations

import math
from typing import Any, Final

from poker_actors.actors import HandResult, HandState, Refusal, TableNews, TableState, TimeBank
from poker_actors.actors.messages import Act, ActorDown, Change, Deadline, Deal, GetState, GetTimeBank
from poker_actors.errors import AskTimeout
from poker_actors.rules import Action, BringIn, Call, Check, Discard, Fold, Lay
from poker_actors.testing.witness.promise import Answer, Heard, Hears, Promise

_ROUNDING: Final = 1e-6
"""Tolerance in seconds for sums of times."""


def same_action(taken: Action, action: Action) -> bool:
    """Return whether the log's action `taken` is `action`.

    A bet and a raise to the same total are the same, and so is a bring-in that was announced as a call. Of
    discards the log has only the number of cards, of cards laid face down only the number in each row.
    """
    if taken == action or (isinstance(taken, BringIn) and isinstance(action, Call)):
        return True
    if isinstance(taken, Discard) and isinstance(action, Discard):
        return taken.count == action.count
    if isinstance(taken, Discard) and isinstance(action, Check):
        return taken.count == 0  # a check in a draw stands pat
    if isinstance(taken, Lay) and isinstance(action, Lay):
        return taken == action.hidden()
    totals = [getattr(one, "total", getattr(one, "amount", None)) for one in (taken, action)]
    return totals[0] is not None and totals[0] == totals[1]


class AcceptedHappened(Promise):
    """An accepted action is in the log."""

    name = "accepted"
    says = "An accepted action is in the log, at its turn."

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears({Change: self.change, HandResult: self.result}, answered={Act: self.act})

    def act(self, heard: Heard[Answer[Act, Any]]) -> None:
        """Remember an accepted action: the answer is None."""
        act = heard.what.command
        if heard.what.value is None:
            self.note(act.turn.hand_id, act.turn.seq, heard, (act.turn.seat, act.action))

    def change(self, heard: Heard[Change]) -> None:
        """Check the last action of the log."""
        public = heard.what.public
        if public.seq:
            self._there(heard.what.hand_id, public.seq - 1, public.actions[-1], heard)

    def result(self, heard: Heard[HandResult]) -> None:
        """Check every action of the log, and that none is missing."""
        hand = heard.what.hand
        if hand is None:
            return
        actions = hand.public().actions
        for seq, taken in enumerate(actions):
            self._there(heard.what.hand_id, seq, taken, heard)
        late = [key for key in self._facts.get(heard.what.hand_id, ()) if key not in range(len(actions))]
        self.holds(
            not late, heard, lambda: f"actions {late} of {heard.what.hand_id} were accepted and are gone"
        )

    def _there(self, hand_id: str, seq: int, taken: Any, heard: Heard[Any]) -> None:
        accepted = self.fact(hand_id, seq)
        if accepted is not None:
            seat, action = accepted.what
            self.holds(
                seat == taken.seat and same_action(taken.action, action),
                heard,
                lambda: (
                    f"{action} of seat {seat} was accepted at #{seq} of {hand_id} (heard {accepted.number}), "
                    f"and the log has {taken.action} of seat {taken.seat}"
                ),
            )


class DeadlineHitsItsSeat(Promise):
    """A deadline hits the seat whose turn it is, and never early."""

    name = "deadline"
    says = (
        "A deadline checks or folds only the seat whose turn it was, and never early; every other "
        "action is the seat's own."
    )

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears(
            {Refusal: self.refusal, HandState: self.state, HandResult: self.result},
            asked={Act: self.said, Deadline: self.since, Deal: self.deals, ActorDown: self.down},
            answered={Act: self.taken, Deal: self.dealt},
        )

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self.turn_seconds: dict[str, float] = {}
        """table -> seconds for a turn"""
        self._asked_at: dict[str, float] = {}
        """table -> time at which it was asked to deal"""
        self._gone: set[tuple[str, str]] = set()
        """table and player whose actor is gone for good: the table acts for them without a word"""

    def down(self, heard: Heard[ActorDown]) -> None:
        """Note that this player's turns will go unheard."""
        self._gone.add((heard.table, heard.what.name.removeprefix("player ")))

    def deals(self, heard: Heard[Deal]) -> None:
        """Note the earliest time at which the first turn may begin."""
        self._asked_at[heard.table] = heard.time

    def dealt(self, heard: Heard[Answer[Deal, Any]]) -> None:
        """Note the hand dealt."""
        asked = Heard(heard.number, heard.who, None, self._asked_at.pop(heard.table, 0.0))
        self.note(heard.what.value.hand_id, ("since", 0), asked, None)

    def since(self, heard: Heard[Any]) -> None:
        """Note the earliest time at which the next turn may begin."""
        turn = heard.what.turn
        if isinstance(heard.what, Deadline) and self.fact(turn.hand_id, ("since", turn.seq)) is None:
            # it follows the turn of a seat that is gone, whose late deadline says nothing about when this turn began
            unknown = Heard(heard.number, heard.who, None, -math.inf)
            self.note(turn.hand_id, ("since", turn.seq), unknown, None)
        if self.fact(turn.hand_id, ("since", turn.seq + 1)) is None:
            self.note(turn.hand_id, ("since", turn.seq + 1), heard, isinstance(heard.what, Deadline))

    def died(self) -> None:
        """Excuse hands being played: news of a time-out may be lost, and clocks start again."""
        for facts in self._facts.values():
            for key in [key for key in facts if isinstance(key, tuple) and key[0] == "since"]:
                del facts[key]
            facts["excused"] = Heard(0, "", True)
        self._asked_at.clear()
        self._gone.clear()

    def state(self, heard: Heard[HandState]) -> None:
        """Note a player's seat; a player who hears of one is back, if gone before."""
        if heard.what.seat >= 0:
            self._gone.discard((heard.what.table, heard.who.removeprefix("player ")))
            self.note(heard.what.hand_id, heard.who, heard, heard.what.seat)

    def said(self, heard: Heard[Act]) -> None:
        """Note an action before it is carried out; `taken` follows with the answer."""
        turn = heard.what.turn
        self.since(heard)
        self._causes(turn.hand_id, turn.seq, heard).append((turn.seat, heard.what.action))

    def taken(self, heard: Heard[Answer[Act, Any]]) -> None:
        """Forget an action that was refused."""
        if heard.what.value is not None:
            turn = heard.what.command.turn
            self._causes(turn.hand_id, turn.seq, heard).remove((turn.seat, heard.what.command.action))

    def _causes(self, hand_id: str, seq: int, heard: Heard[Any]) -> list[tuple[int, Action]]:
        before = self.fact(hand_id, seq)
        if before is None:
            self.note(hand_id, seq, heard, [])
            before = self.fact(hand_id, seq)
            assert before is not None
        causes: list[tuple[int, Action]] = before.what
        return causes

    def refusal(self, heard: Heard[Refusal]) -> None:
        """Note a player whose time ran out, and check that it was up."""
        refusal = heard.what
        if refusal.code != AskTimeout.default_code:
            return
        self.note(refusal.hand_id, ("late", refusal.seq), heard, heard.who)
        since = self.fact(refusal.hand_id, ("since", refusal.seq))
        if since is not None and since.what and self.fact(refusal.hand_id, ("late", refusal.seq - 1)) is None:
            return  # the deadline before may have been that of a seat that is gone, whose turn was over long before
        seconds = self.turn_seconds.get(refusal.hand_id.rpartition("/")[0])
        if since is not None and seconds is not None:
            took = heard.time - since.time
            self.holds(
                took >= seconds - _ROUNDING,
                heard,
                lambda: (
                    f"{heard.who} was told at #{refusal.seq} of {refusal.hand_id} that its time was up, "
                    f"{took:.3f} of {seconds} s after the turn before was taken"
                ),
            )

    def result(self, heard: Heard[HandResult]) -> None:
        """Keep the log until `rest`: news of a time-out may still be on its way."""
        if heard.what.hand is not None:
            table = heard.what.hand_id.rpartition("/")[0]
            gone = [(table, player) in self._gone for player in heard.what.players]
            told = heard.what.hand.public().actions, gone
            self.note(heard.what.hand_id, "log", heard, told)

    def rest(self, number: int) -> None:
        """Check that every action has a cause."""
        for hand_id, facts in self._facts.items():
            log = facts.pop("log", None)
            if log is None or "excused" in facts:
                continue
            actions, gone = log.what
            for seq, taken in enumerate(actions):
                cause = self._cause(facts, seq, taken, gone=gone[taken.seat])
                self.holds(cause is None, log, lambda: f"{hand_id} #{seq}: {cause}")  # noqa: B023  called at once

    @staticmethod
    def _cause(facts: dict[Any, Heard[Any]], seq: int, taken: Any, *, gone: bool) -> str | None:
        """Return what is wrong with an action; None if its seat took it or ran out of time."""
        late = facts.get(("late", seq))
        said = facts.get(seq)
        if any(
            seat == taken.seat and same_action(taken.action, one) for seat, one in (said.what if said else ())
        ):
            return None
        what = f"the log has {taken.action} of seat {taken.seat}"
        passive = isinstance(taken.action, Check | Fold | BringIn | Discard | Lay)
        if gone and passive:
            return None
        if late is None:
            return f"{what}, which neither acted nor was told that its time was up"
        seat = facts.get(late.what)
        if seat is not None and seat.what != taken.seat:
            return f"{what}, and {late.what} in seat {seat.what} was told that its time was up"
        if passive:
            return None
        return f"{what}, and {late.what} was told that its time was up"


class TimeBanksAreUsed(Promise):
    """A time bank runs down before its player is acted for."""

    name = "time bank"
    says = "A time bank is never above full, gains at most its refill per hand, and runs out before its player is acted for."

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self.banks: dict[str, TimeBank] = {}
        """table -> its time banks"""
        self._told: dict[tuple[str, str], tuple[Heard[float], int]] = {}
        """table and player -> seconds told, and the table's hands by then"""
        self._hands: dict[str, int] = {}

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears(
            {TableNews: self.news, Refusal: self.refusal, HandResult: self.result},
            asked={Deadline: self.rings, ActorDown: self.down},
            answered={GetTimeBank: self.told, GetState: self.picture},
        )

    def died(self) -> None:
        """Forget all seconds told: the time of a hand that goes on is given back."""
        self._told.clear()
        self._facts.clear()

    def picture(self, heard: Heard[Answer[GetState, Any]]) -> None:
        """Count the hands that have ended at a table."""
        state = heard.what.value
        if isinstance(state, TableState):
            self._hands[heard.table] = state.number - (state.hand_id is not None)

    def told(self, heard: Heard[Answer[GetTimeBank, float]]) -> None:
        """Compare the seconds told with those told before."""
        bank, player, seconds = self.banks.get(heard.table), heard.what.command.player, heard.what.value
        if bank is None:
            return
        hands = self._hands.get(heard.table, 0)
        before, since = self._told.get((heard.table, player), (None, hands))
        most = (
            bank.seconds if before is None else min(bank.seconds, before.what + bank.refill * (hands - since))
        )
        what = f"{player} has {seconds} s in the time bank at {heard.table}, and at most {most} s can be left"
        self.holds(0 <= seconds <= most + _ROUNDING, heard, lambda: what)
        self._told[heard.table, player] = Heard(heard.number, heard.who, seconds), hands

    def rings(self, heard: Heard[Deadline]) -> None:
        """Note the first and last time at which a turn's deadline passes."""
        turn = heard.what.turn
        if self.fact(turn.hand_id, ("first", turn.seq)) is None:
            self.note(turn.hand_id, ("first", turn.seq), heard, None)
            facts = self._facts[
                turn.hand_id
            ]  # of an earlier turn: this one may find an empty bank, without a word
            for key in [key for key in facts if isinstance(key, tuple) and key[::2] == ("runs", turn.seat)]:
                del facts[key]
        self.note(turn.hand_id, ("last", turn.seq), heard, turn.seat)

    def news(self, heard: Heard[TableNews]) -> None:
        """Note how long a time bank runs, for each player told: others may hear of an earlier turn only now."""
        news = heard.what
        if news.what == "time_bank" and news.hand_id is not None:
            self.note(news.hand_id, ("runs", heard.who, news.seat), heard, news.seconds)

    def refusal(self, heard: Heard[Refusal]) -> None:
        """Check that a time bank had run out."""
        news = heard.what
        first, last = (self.fact(news.hand_id, (one, news.seq)) for one in ("first", "last"))
        if news.code != AskTimeout.default_code or first is None or last is None:
            return
        # once: the hand may be turns ahead of what this player has heard, at one that finds an empty bank
        runs = self._facts[news.hand_id].pop(("runs", heard.who, last.what), None)
        if runs is None:
            return
        took = last.time - first.time
        what = f"{heard.who} had {runs.what} s in the time bank, and was acted for after {took:.3f} s of them"
        self.holds(took >= runs.what - _ROUNDING, heard, lambda: what)
        self.note(news.hand_id, ("empty", heard.who.removeprefix("player ")), heard, None)

    def down(self, heard: Heard[ActorDown]) -> None:
        """Note that a hand was stopped: if it goes on, the time drawn in it is given back."""
        self.note(heard.what.name, "stopped", heard, None)

    def result(self, heard: Heard[HandResult]) -> None:
        """Expect players who used up a time bank to have at most its refill."""
        result, table = heard.what, heard.what.hand_id.rpartition("/")[0]
        bank = self.banks.get(table)
        if bank is None or result.voided or self.fact(result.hand_id, "stopped") is not None:
            return
        for player in result.players:
            if player is not None and self.fact(result.hand_id, ("empty", player)) is not None:
                left = Heard(heard.number, heard.who, min(bank.refill, bank.seconds))
                self._told[table, player] = left, self._hands.get(table, 0)
