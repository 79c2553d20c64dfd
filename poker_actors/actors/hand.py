"""One hand, from the deal to the award: its actor, its messages to and from its table, and its turns' time limits.

Keeps: a `rules.Hand` (the deck, the `to_act` queue, phase advancement, winner declaration).
Answers: act, state. Receives: deadline. Sends: `HandState` to each player on every change,
`HandEndedNews` to the table. Asks no other actor.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final, Protocol

from poker_actors.actors.command import RETRY_SECONDS, GetState
from poker_actors.actors.player.messages import (
    Act,
    Audience,
    HandHeader,
    HandState,
    HandStates,
    Refusal,
    SitOut,
    TableNews,
    Turn,
    is_taken,
)
from poker_actors.actors.runtime import Actor, Address, Handlers, Timer, Word, on
from poker_actors.cards import Deck
from poker_actors.errors import AskTimeout, Refused, StaleAction, StorageFailed
from poker_actors.frozen import message, value
from poker_actors.jsontext import parse_json
from poker_actors.rules import Action, Game, Hand, Positions, PublicState, Stakes, event
from poker_actors.rules.cash import HandOptions, deal_hand
from poker_actors.store import ActionTaken, Journal, Noted

__all__ = [
    "KEPT_SECONDS",
    "TURNS",
    "Deadline",
    "DealtHand",
    "HandActor",
    "HandClass",
    "HandEndedNews",
    "HandPlan",
    "HandResult",
    "HandStopped",
    "RunningBanks",
    "SeatBack",
    "SeatGone",
    "turn_due",
    "turn_fact",
]


@message
class Deadline:
    """The time for a turn is up."""

    turn: Turn


@message
class SeatGone:
    """From a table to its hand: the player in this seat is gone for good."""

    seat: int


@message
class SeatBack:
    """From a table to its hand: the player in this seat was restarted and may have missed its turn."""

    seat: int


@message
class HandEndedNews:
    """From a hand to its table: the hand is over. It is complete, with every card.

    `late` holds the seats that the hand acted for because their players were out of time or gone.
    """

    hand_id: str
    hand: Hand
    late: frozenset[int] = frozenset()
    banks: tuple[float, ...] = ()
    """seconds left in each seat's time bank; empty if there are none"""


@message
class HandStopped:
    """From a hand stopped before its end: `hand` can be continued. `late` is as in `HandEndedNews`."""

    hand: Hand
    late: frozenset[int] = frozenset()


@message
class DealtHand:
    """A hand being played: the address of its actor, and the promise of its result."""

    hand_id: str
    address: Address
    result: Word
    commitment: str = ""
    """the commitment to its deck, in hexadecimal; empty when the deck was given"""


@message
class HandResult:
    """The end of a hand: net chips and stacks by seat. `hand` is the complete hand, cards included.

    A `voided` hand paid nobody: stacks are as before, and `hand` is None.
    """

    hand_id: str
    number: int
    players: tuple[str | None, ...]
    payoffs: tuple[int, ...]
    stacks: tuple[int, ...]
    positions: Positions
    hand: Hand | None
    voided: bool = False

    def __repr__(self) -> str:
        what = "voided" if self.voided else f"payoffs {self.payoffs}"
        return f"<HandResult: {self.hand_id}, {what}>"


TURNS: Final = "turns/"
"""Prefix of the notes that say when a table's open turn ends."""

KEPT_SECONDS: Final = 60.0
"""Turns at least this long are kept in the journal, to go on after a restart with the time that was left.

A shorter one starts over, as each write would cost more than it gains. A turn that goes on has at least this much time,
since nobody could act while the room was down.
"""


def turn_fact(table: str, hand_id: str, seq: int, due: float) -> Noted:
    """Return the fact that says when an open turn ends; `due` is in seconds since 1970."""
    return Noted(f"{TURNS}{table}", json.dumps([hand_id, seq, due]))


def turn_due(notes: Mapping[str, str], table: str, hand_id: str) -> tuple[int, float] | None:
    """Return the number of a hand's open turn and when it ends, as `turn_fact` recorded it; None if unknown."""
    kept = parse_json(notes.get(f"{TURNS}{table}", "[]"))
    return (kept[1], kept[2]) if kept and kept[0] == hand_id else None


class RunningBanks:
    """The time banks of one hand's seats, and which seat is drawing on its own."""

    def __init__(self, left: Sequence[float]) -> None:
        self.left = list(left)
        """seconds left by seat"""
        self._seat: int | None = None
        self._since = 0.0

    def open(self, seat: int, now: float) -> float:
        """Start drawing on the bank of `seat`, whose deadline has passed; return its seconds, 0 when they are used up."""
        if self._seat == seat:
            self._seat, self.left[seat] = None, 0.0
        else:
            self._seat, self._since = seat, now
        return self.left[seat]

    def close(self, now: float) -> None:
        """End the turn: take the time used off the bank that was drawn on."""
        if self._seat is not None:
            seat, self._seat = self._seat, None
            self.left[seat] = max(self.left[seat] - (now - self._since), 0.0)


@value
class HandPlan:
    """Everything a table needs to start a hand. `players` and `names` are by seat, None for a seat not dealt in.

    `resume` is a hand to continue; None to deal a new one.
    """

    hand_id: str
    number: int
    table: Address
    table_name: str
    players: tuple[Address | None, ...]
    names: tuple[str | None, ...]
    stacks: tuple[int, ...]
    stakes: Stakes
    game: Game
    positions: Positions
    deck: Deck | None
    turn_seconds: float | None = None
    resume: Hand | None = None
    options: HandOptions | None = None
    banks: tuple[float, ...] = ()
    """seconds in each seat's time bank; empty if there are none"""
    posts: tuple[event.Posted, ...] | None = None
    """every forced bet, if missed blinds are posted in this hand; None for the usual bets of the stakes"""
    turn_due: tuple[int, float] | None = None
    """for a hand to continue, the number of the open turn and when it ends, in seconds since 1970"""
    late: frozenset[int] = frozenset()
    """for a hand to continue, the `late` seats so far"""


class Watched(Protocol):
    """The spectators of a table, and the audience of its previous hand."""

    watchers: tuple[Address, ...]
    audience: Audience | None


class Recent(Protocol):
    """Keeps the messages that actors have handled."""

    def noting(self, receiver: str, handlers: Handlers) -> Handlers:
        """Wrap the handlers of an actor so that the messages they handle are kept."""

    def dealt(self, hand: Hand) -> None:
        """Remember the cards of the hand just dealt."""


class HandActor(Actor):
    """Plays one hand and stops."""

    def __init__(
        self,
        address: Address,
        plan: HandPlan,
        watched: Watched,
        journal: Journal | None = None,
        recent: Recent | None = None,
    ) -> None:
        self.plan = plan
        self.recent = recent
        self.watched = watched
        self.journal = journal
        self.turn: Turn | None = None
        self.timer: Timer | None = None
        self.gone_seats: set[int] = set()
        self.asked: Actor | None = None
        """the incarnation of the player that was given the open turn"""
        self.late = set(plan.late)
        self.banks = RunningBanks(plan.banks) if plan.banks else None
        self.bank_deadline: Deadline | None = None
        """the deadline of the time bank in use"""
        super().__init__(address)
        if plan.resume is not None and plan.resume.over:
            # Before anything can crash: its players saw the end in an earlier process.
            self.last_words = self._ended(plan.resume)

    def handles(self) -> Handlers:
        """Return the marked handlers, wrapped to keep their messages if the table keeps any."""
        handlers = super().handles()
        return handlers if self.recent is None else self.recent.noting(self.plan.hand_id, handlers)

    def begin(self) -> None:
        """Shuffle up and deal, or continue the hand to resume."""
        plan = self.plan
        self.hand = _dealt(plan) if plan.resume is None else plan.resume
        if self.recent is not None:
            self.recent.dealt(self.hand)
        seats = [seat for seat, player in enumerate(plan.players) if player is not None]
        self.places = dict(zip(seats, range(len(seats)), strict=True))
        self.header = HandHeader(plan.hand_id, plan.number, plan.table_name, self.address, plan.names, seats)
        self.told = list(filter(None, plan.players))
        self.audience = self._audience()
        self._tell_everybody()

    def _audience(self) -> Audience:
        """Return the previous hand's audience if the players are the same, so that readers among them stay readers."""
        watched = self.watched
        if watched.audience is None or watched.audience.players != self.told:
            watched.audience = Audience(self.told)
        return watched.audience

    def on_stop(self) -> None:
        """Leave the hand ready to be continued, if something other than the room stopped it."""
        if not (self.address.stopping or self.hand.over):
            self.last_words = HandStopped(self.hand, frozenset(self.late))

    @on(Act)
    def act(self, command: Act) -> Refused | StorageFailed | None:
        """Take a turn; a refused action leaves the turn open, and a repeated one changes nothing."""
        turn = self.turn
        if command.turn is not turn:
            if self._is_repeated(command):
                return None
            refused: Refused = StaleAction(f"{command.turn!r} is over")
            self._tell_refusal(command.turn, refused)
            return refused
        try:
            if self.journal is None:
                self.hand.act(command.action)  # as `_take` does: a call less at nearly every turn
            else:
                self._take(command.action)
        except (Refused, StorageFailed) as error:
            self._tell_refusal(command.turn, error)
            return error
        self._tell_everybody()
        return None

    def _take(self, action: Action) -> None:
        """Write an action to the journal, if there is one, then carry it out."""
        hand, journal = self.hand, self.journal
        if journal is None:
            hand.act(action)
            return
        after = hand.copy()  # if the write fails, the hand must be as it was
        after.act(action)
        journal.append(ActionTaken(self.plan.hand_id, len(hand.log), after.entries(order=True)[-1]))
        self.hand = after

    def _is_repeated(self, command: Act) -> bool:
        """Whether the log has exactly this action at this turn: having been accepted once, it is accepted again."""
        turn = command.turn
        if turn.hand_id != self.plan.hand_id or turn.seq >= len(self.hand.log):
            return False
        return is_taken(self.hand.public().actions[turn.seq], turn.seat, command.action)

    @on(Deadline)
    def deadline(self, news: Deadline) -> None:
        """Act for a player whose time, bank included, is up; a late deadline is ignored."""
        if news.turn is self.turn and not self._draws_on_bank(news) and self._act_for(news.turn.seat, news):
            # Tell the player only after the write: until then it may still act
            seconds = self.plan.turn_seconds
            time = "time" if seconds is None else f"{seconds} s"
            late = AskTimeout(f"seat {news.turn.seat} has not acted in {time}")
            self._tell_refusal(news.turn, late)
            self._tell_everybody()

    def end_turn_in(self, seconds: float) -> None:
        """Let the open turn, if there is one, end `seconds` from now."""
        if self.turn is not None:
            if self.timer is not None:
                self.timer.cancel()
            self.timer = self.address.runtime.later(seconds, self.address, Deadline(self.turn))

    def _draws_on_bank(self, news: Deadline) -> bool:
        """Start a seat's time bank if any time is left in it; return whether there is."""
        seat, runtime, ends = news.turn.seat, self.address.runtime, self.bank_deadline
        if ends is not None and ends.turn is self.turn and news is not ends:
            return True  # the turn's first deadline, repeated: the bank runs on
        seconds = 0.0 if self.banks is None else self.banks.open(seat, runtime.now())
        if not seconds:
            return False
        self.bank_deadline = Deadline(news.turn)
        self.timer = runtime.later(seconds, self.address, self.bank_deadline)
        plan = self.plan
        told = TableNews(plan.table_name, "time_bank", seat=seat, hand_id=plan.hand_id, seconds=seconds)
        for address in dict.fromkeys((*self.told, *self.watched.watchers)):
            address.tell(told)
        return True

    @on(SeatGone)
    def seat_gone(self, news: SeatGone) -> None:
        """Act for a player whose actor is down for good, now and on all later turns."""
        self.gone_seats.add(news.seat)
        if self.turn is not None and self.turn.seat == news.seat and self._act_for(news.seat, news):
            self._tell_everybody()

    @on(SeatBack)
    def seat_back(self, news: SeatBack) -> None:
        """Repeat the state that gave a restarted player its turn, since the player may have lost it in the crash."""
        turn = self.turn
        if turn is None or turn.seat != news.seat:
            return
        address = self.plan.players[news.seat]
        # After a crash of its own, a table reports every seat as back; a player that never crashed has its turn already
        assert address is not None, "a seat with a turn was dealt in"
        if address.actor is not self.asked:
            change = self.header.change(self.hand.public())
            self.asked = address.actor
            address.tell(HandState(change, news.seat, self.hand.holes[news.seat], turn))

    def _act_for(self, seat: int, because: Deadline | SeatGone) -> bool:
        """Check or fold for a seat; if the journal cannot be written, retry later and return False."""
        try:
            self._take(self.hand.legal.passive)
        except StorageFailed:
            self.address.runtime.later(RETRY_SECONDS, self.address, because)
            return False
        self.late.add(seat)
        return True

    @on(SitOut)
    def sit_out(self, command: SitOut) -> None:
        self.plan.table.tell(command)

    @on(GetState)
    def state(self, _: GetState) -> PublicState:
        """Return what everybody can see."""
        return self.hand.public()

    def _tell_refusal(self, turn: Turn, error: Refused | AskTimeout | StorageFailed) -> None:
        if turn.hand_id != self.plan.hand_id:
            return  # a made-up turn, or another hand's: there is nobody to tell
        player = self.plan.players[turn.seat]
        if player is not None:
            player.tell(Refusal(turn.hand_id, turn.seq, error.code, str(error)))

    def _tell_everybody(self) -> None:
        """Tell each player the change: a public part that all share, and a small part of its own."""
        if self.gone_seats:
            self._act_for_gone()
        if self.timer is not None:
            self._stop_timer()
        plan, hand, runtime = self.plan, self.hand, self.address.runtime
        to_act = hand.to_act
        public: PublicState | Hand
        if to_act:
            active, public = to_act[0], hand.public()
            turn = self.turn = Turn(plan.hand_id, len(hand.log), active)
            place = self.places[active]
            self.asked = self.told[place].actor
            if plan.turn_seconds is not None:
                self.end_turn_in(self._seconds_for(turn, plan.turn_seconds))
        else:
            # Before anybody is told: once players have seen the showdown, the result must survive a crash here.
            self.last_words = self._ended(hand)
            turn, place, public = None, -1, hand
            self.turn = None
        # a copy: the hand changes this list when cards are drawn
        states = HandStates(self.audience, self.header, public, hand.holes.copy(), place, turn)
        runtime.tell_each(self.told, states)
        for watcher in self.watched.watchers:
            if watcher not in self.told:  # a player would take the spectator's state for its own
                watcher.tell(HandState(states.change, -1, (), None))
        if not to_act:
            plan.table.tell(self.last_words)
            self.stop()

    def _seconds_for(self, turn: Turn, seconds: float) -> float:
        """Return how long a turn may take; a long one that began before a restart gets the time it had left."""
        plan = self.plan
        if self.journal is None or seconds < KEPT_SECONDS:
            return seconds
        now = self.address.runtime.wall()
        if plan.turn_due is not None and plan.turn_due[0] == turn.seq:
            return max(min(plan.turn_due[1] - now, seconds), KEPT_SECONDS)
        # a failed write costs a player nothing: after a restart the turn would begin anew
        with suppress(StorageFailed):
            self.journal.append(turn_fact(plan.table_name, plan.hand_id, turn.seq, now + seconds))
        return seconds

    def _ended(self, hand: Hand) -> HandEndedNews:
        banks = () if self.banks is None else tuple(self.banks.left)
        return HandEndedNews(self.plan.hand_id, hand, frozenset(self.late), banks)

    def _stop_timer(self) -> None:
        assert self.timer is not None
        self.timer.cancel()
        self.timer = None
        if self.banks is not None:
            self.banks.close(self.address.runtime.now())

    def _act_for_gone(self) -> None:
        while self.hand.to_act and (seat := self.hand.to_act[0]) in self.gone_seats:
            if not self._act_for(seat, SeatGone(seat)):
                return


HandClass = Callable[[Address, HandPlan, Watched, Journal | None, Recent | None], HandActor]
"""Makes the actor of a hand."""


def _dealt(plan: HandPlan) -> Hand:
    assert plan.deck is not None, f"{plan.hand_id} has neither a deck nor a hand to continue"
    return deal_hand(
        plan.stacks,
        plan.stakes,
        deck=plan.deck,
        options=plan.options,
        button=plan.positions.button,
        game=plan.game,
        positions=plan.positions,
        posts=plan.posts,
    )
