"""The player actor: it hears the news of tables and hands, and acts through a bot or for a caller.

Keeps: the latest `HandState` of each table, and its bot. Receives: `HandState`, `Refusal`, `TableNews`.
Answers: play, put in (from callers). Asks hands. `bots.decide` acts for a bot that fails; a player
without a bot waits for commands from callers.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import attrs

from poker_actors.actors.command import RETRY_SECONDS, GetState, TakeUp
from poker_actors.actors.player.messages import (
    Act,
    AllIn,
    Audience,
    Change,
    DeckOpened,
    HandHeader,
    HandState,
    HandStates,
    Listen,
    News,
    Play,
    PlayBy,
    PutIn,
    Refusal,
    SitOut,
    TableNews,
    Turn,
    is_taken,
)
from poker_actors.actors.runtime import Actor, Address, on
from poker_actors.bots import (
    Bot,
    Ear,
    Faults,
    HandEnd,
    HandStream,
    OutsideBot,
    decide,
    hears,
    is_ctrl_c,
    is_quick,
)
from poker_actors.bots.awaiting import AwaitedBot
from poker_actors.errors import (
    AskTimeout,
    BadSpec,
    IllegalAction,
    Refused,
    RoomClosed,
    StaleAction,
    StorageFailed,
)
from poker_actors.frozen import message
from poker_actors.rules import Action, View
from poker_actors.store.fairness import FairnessRecord

_log: Final = logging.getLogger("poker_actors.player")

_TABLES: Final = 64
"""How many tables' last hands a player remembers, besides those it plays at: changing tables must not fill memory."""


_ACTIONS: Final = (Play, PutIn, AllIn)
_STATES: Final = (HandStates, HandState)
_HARMLESS: Final = (GetState, TakeUp, Listen)
_NEWS: Final = (TableNews, DeckOpened)
"""News that only listeners are told."""


@message
class _Thought:
    """From an awaited bot to its player: `answer` returns the bot's action, or raises its error."""

    hand: HandHeader | Change
    turn: Turn
    view: View
    answer: Callable[[], Action]


@message
class _OpenTurn:
    """From a player to itself: decide again on a turn that was open at a crash or a change of bot."""

    state: HandState


@attrs.define
class PlayerMemory:
    """What a player remembers across crashes of its actor."""

    name: str
    bot: Bot | None = None
    stream: HandStream | None = None
    faults: Faults = attrs.field(factory=Faults)
    heard: dict[str, HandState] = attrs.field(factory=dict)
    """table -> the last state it was called with there; see `latest`"""
    reading: Audience | None = None
    """the audience of its only table; None while it is called at every change"""
    place: int = -1
    """its index among the players of that audience"""
    ear: Ear = attrs.field(factory=Ear)
    """the hands whose start its bot was told, if it wants to be"""
    records: dict[str, FairnessRecord] = attrs.field(factory=dict)
    """table -> the fairness record of the last hand there"""
    listeners: tuple[Callable[..., object], ...] = ()
    lent: bool = False
    """its bot and faults belong to a match, which keeps it seated and stops the bot itself"""
    acted: Turn | None = None
    """the last turn for which an action was sent"""
    late_at: tuple[str, int] | None = None
    """hand and seq of the last turn counted as missed"""
    out_of: str = ""
    """the hand in which it last had to sit out because its bot was ejected"""
    own: dict[str, Any] = attrs.field(factory=dict)
    """what your own player actor keeps across crashes; it is not in the journal"""
    on_fault: Callable[..., None] | None = None
    """called at each fault of its bot, with the table, the player's name and the arguments of `Faults.told`"""

    @property
    def latest(self) -> dict[str, HandState]:
        """Table -> the latest state heard there."""
        if self.reading is not None:
            newest = self.reading.newest
            self.heard[newest.header.table] = newest[self.place]
        return self.heard

    def read(self, audience: Audience, place: int) -> None:
        """Be called only to act from now on; read the newest state of `audience` when needed."""
        self.reading, self.place = audience, place
        audience.called.remove(place)

    def stop_reading(self) -> dict[str, HandState]:
        """Ask to be called at every change again; return `latest`, which the caller may then change."""
        latest = self.latest
        if self.reading is not None:
            self.reading.called = sorted([*self.reading.called, self.place])
            self.reading = None
        return latest


class PlayerActor(Actor):
    """A player of the room."""

    def __init__(self, address: Address, memory: PlayerMemory) -> None:
        self.memory = memory
        self._charge()
        self._look_at_code()
        super().__init__(address)

    def may_block(self, message: object) -> bool:
        """Whether the message needs a bot or a listener that may be slow; a hand's states come as `HandStates`."""
        memory, kind = self.memory, type(message)
        if kind is HandStates and self._is_quick:
            return False  # nearly all messages; it is a hand of this room that tells so
        if kind in _STATES and not memory.listeners:
            blocks = self._blocks_at(message)  # type: ignore[arg-type]  # its kind is known
        elif kind in _ACTIONS:  # the application's code sends them over a wire, but only to a hand elsewhere
            blocks = any(
                type(one.change.hand_address) is not type(self.address) for one in memory.latest.values()
            )
        else:
            asked = memory.listeners if kind in _NEWS else (memory.bot, *memory.listeners)
            blocks = kind not in _HARMLESS and not all(map(is_quick, asked))
        if blocks:
            # on a worker it gets each state in its turn: what it reads must not be newer than what it has heard
            memory.stop_reading()
        return blocks

    def _blocks_at(self, states: HandState | HandStates) -> bool:
        """Whether these states give this player a turn for which a bot that may be slow, or a hand elsewhere, is asked."""
        bot = self.memory.bot
        if states.turn is None or bot is None:
            return False
        hand = states.header if isinstance(states, HandStates) else states.change
        if is_quick(bot) and type(hand.hand_address) is type(self.address):
            return False
        return isinstance(states, HandState) or states.audience.players[states.to_act] is self.address

    def begin(self) -> None:
        """Decide again on open turns: a crash or a failed write may have lost the first decision."""
        for state in self.memory.latest.values():
            if state.turn is not None:
                self.address.tell(_OpenTurn(state))

    @on(TakeUp)
    def take_up(self, _: TakeUp) -> None:
        self.begin()

    @on(GetState)
    def states(self, _: GetState) -> dict[str, HandState]:
        """Return the latest state of each table, in the order of arrival."""
        return dict(self.memory.latest)

    @on(_OpenTurn)
    def look_again(self, news: _OpenTurn) -> None:
        """Decide on a turn again, unless a newer state has arrived."""
        state = news.state
        if self.memory.latest.get(state.change.table) is state:
            self._decide_on(state)

    @on(HandStates)
    def change(self, states: HandStates) -> None:
        """Take in a change. From then on, a player of one table without listeners is called only to act."""
        memory = self.memory
        if memory.reading is not states.audience and not self._starts_reading(states):
            self.hand_state(states[states.audience.players.index(self.address)])
            return
        turn, bot = states.turn, memory.bot
        if turn is not None and bot is not None and memory.place == states.to_act:
            view = View(states.public, turn.seat, states.holes[turn.seat], memory.stream)  # type: ignore[arg-type]  # a hand with an open turn is not over, so `public` is a PublicState
            self._decide(states.header, turn, view, bot)

    def _starts_reading(self, states: HandStates) -> bool:
        """Read the newest state when needed from now on, if nobody needs this player to hear of each."""
        memory, audience = self.memory, states.audience
        if (
            memory.listeners
            or type(self) is not PlayerActor  # a custom class may look at every state
            or self._bot_hears
            or [*memory.heard] != [states.header.table]
            or audience.newest is not states  # kept while this player was busy: the newer ones come after it
        ):
            return False
        memory.read(audience, audience.players.index(self.address))
        return True

    @on(HandState)
    def hand_state(self, state: HandState) -> None:
        """Remember the state, and act if it is this player's turn and a bot decides."""
        memory, place, turn = self.memory, state.change.table, state.turn
        latest = memory.stop_reading()
        known = latest.pop(place, None)  # so that it moves to the end: `latest` is in the order of arrival
        latest[place] = state
        if len(latest) > _TABLES:
            self._forget_a_table()
        if memory.listeners and (turn is None or known is None or known.turn is not turn):
            self.hear(state)  # not a state that its hand repeats after a crash
        if self._bot_hears:
            self._tell_bot(state)
        if turn is not None:
            self._decide_on(state)

    def _decide_on(self, state: HandState) -> None:
        """Decide, if this turn is a bot's and it has not yet decided."""
        memory, turn = self.memory, state.turn
        if turn is not None and memory.bot is not None and turn is not memory.acted:
            self._decide(state.change, turn, state.view(memory.stream), memory.bot)

    def _tell_bot(self, state: HandState) -> None:
        """Tell the bot that a hand began or ended, if the state says so."""
        memory, change = self.memory, state.change
        bot, faults = memory.bot, memory.faults
        assert bot is not None
        if isinstance(bot, AwaitedBot):
            bot.aside = getattr(self.address.runtime, "awaits", None)
        told = HandEnd(
            number=change.number, seat=state.seat, hole=state.hole, names=change.names, public=state.public
        )
        ejected = faults.ejected is not None
        memory.ear.hear(bot, change.table, state.hand_id, told, faults)
        if faults.ejected is not None and not ejected:
            self._sit_out(change)

    def _decide(self, hand: HandHeader | Change, turn: Turn, view: View, bot: Bot) -> None:
        stream = self.memory.stream
        if stream is not None:
            stream.hand = hand.number
        if not (isinstance(bot, AwaitedBot) and self._awaits(bot, hand, turn, view)):
            self._act(hand, turn, view, bot)

    def _forget_a_table(self) -> None:
        """Of the tables whose hand is over, forget the one heard from least recently."""
        memory = self.memory
        for table, state in memory.latest.items():
            if state.public.over and state.turn is None:
                del memory.latest[table]
                memory.records.pop(table, None)
                return

    def _awaits(self, bot: AwaitedBot, hand: HandHeader | Change, turn: Turn, view: View) -> bool:
        """On a loop, which must not block, arrange for the answer to come as a message; return whether it will."""
        awaits = getattr(self.address.runtime, "awaits", None)
        if awaits is None or self.memory.faults.ejected is not None:
            return False
        # its answer is judged by this copy: the bot could write to the view it is given
        kept = View(view.public, view.seat, view.hole)
        awaits(bot.answer(view), partial(self._tell_thought, hand, turn, kept))
        return True

    def _tell_thought(self, hand: HandHeader | Change, turn: Turn, view: View, task: Any) -> None:
        self.address.tell(_Thought(hand, turn, view, task.result))

    @on(_Thought)
    def thought(self, news: _Thought) -> None:
        """Take the action that an awaited bot chose, unless its time ran out first."""
        turn = news.turn
        if (turn.hand_id, turn.seq) != self.memory.late_at:
            self._act(news.hand, turn, news.view, partial(_answer, news))

    def _act(self, hand: HandHeader | Change, turn: Turn, view: View, bot: Bot) -> None:
        memory = self.memory
        faults = memory.faults
        late = faults.late
        if memory.on_fault is not None:
            faults.told = partial(memory.on_fault, hand.table, memory.name)
        action = decide(bot, view, faults, hand.number)
        faults.told = None  # it refers to the room; faults outlive the room and are pickled
        if faults.late != late:
            memory.late_at = (turn.hand_id, turn.seq)
        if faults.ejected is not None:
            self._sit_out(hand)
        hand.hand_address.tell(Act(turn, action))
        memory.acted = turn

    def _sit_out(self, hand: HandHeader | Change) -> None:
        """Ask the table to sit out an ejected bot, once per hand; the hand passes the message on."""
        memory = self.memory
        if not memory.lent and memory.out_of != hand.hand_id:
            memory.out_of = hand.hand_id
            hand.hand_address.tell(SitOut(memory.name))

    @on(Refusal)
    def refused(self, news: Refusal) -> None:
        """Count a missed turn, once; retry after a failed write."""
        memory = self.memory
        if news.code == AskTimeout.default_code and (news.hand_id, news.seq) != memory.late_at:
            memory.late_at = (news.hand_id, news.seq)
            for state in memory.latest.values():
                if state.hand_id == news.hand_id:
                    memory.faults.at(state.change.number).was_late(state.view())
                    if memory.bot is not None and memory.faults.ejected is not None:
                        self._sit_out(state.change)
        if memory.bot is not None and news.code == StorageFailed.default_code:
            memory.acted = None
            self.address.runtime.later(RETRY_SECONDS, self.address, TakeUp())
        self.hear(news)

    @on(TableNews)
    def table_news(self, news: TableNews) -> None:
        """Drop the open turn of a voided hand, and pass the news on."""
        memory = self.memory
        if news.what == "hand_voided":
            latest = memory.stop_reading()
            state = latest.get(news.table)
            if state is not None:
                latest[news.table] = attrs.evolve(state, turn=None)
        if memory.listeners:
            self.hear(news)

    @on(DeckOpened)
    def deck_opened(self, news: DeckOpened) -> None:
        """Keep the last fairness record of each table."""
        self.memory.records[news.table] = news.record
        self.hear(news)

    def hear(self, news: News) -> None:
        """Pass news on to the listeners."""
        for listener in self.memory.listeners:
            try:
                listener(news)
            except BaseException as error:  # the application's code: logged, so that the player goes on
                if is_ctrl_c(error):
                    raise
                _log.exception("a listener of %s raised at %s", self.memory.name, type(news).__name__)

    @on(Listen)
    def listen(self, news: Listen) -> None:
        memory = self.memory
        memory.stop_reading()
        if news.on:
            memory.listeners = (*memory.listeners, news.listener)
        else:
            memory.listeners = tuple(one for one in memory.listeners if one != news.listener)
        self._look_at_code()

    @on(PlayBy)
    def play_by(self, command: PlayBy) -> None:
        """Change who decides, and have the new bot decide on open turns.

        Faults of an earlier bot, or of turns played by callers, are not counted against it.
        """
        memory = self.memory
        self._stop_bot()
        if memory.bot is None or memory.faults.ejected is not None:
            memory.faults = Faults()
        memory.bot = command.bot
        memory.stop_reading()  # this one may want to hear of every hand
        self._charge()
        self._look_at_code()
        self.begin()

    def on_stop(self) -> None:
        """Stop whatever the bot has started."""
        self._stop_bot()

    def _look_at_code(self) -> None:
        """Note what the bot and the listeners are like: each message would ask again."""
        memory = self.memory
        self._bot_hears = hears(memory.bot)
        self._is_quick = is_quick(memory.bot) and not memory.listeners

    def _charge(self) -> None:
        memory = self.memory
        if isinstance(memory.bot, OutsideBot) and not memory.lent:
            memory.bot.charge(memory.faults)

    def _stop_bot(self) -> None:
        memory = self.memory
        if isinstance(memory.bot, OutsideBot) and not memory.lent:
            memory.bot.close()

    @on(Play)
    def play_command(self, command: Play) -> None:
        if command.hand_id is None:
            self._take_turn(self._open_turn(command.table), command.action)
            return
        if type(command.hand_id) is not str or type(command.seq) is not int or command.seq < 0:
            text = f"hand_id {command.hand_id!r:.40}, seq {command.seq!r:.20}"
            raise BadSpec(f"{text}: name a turn by its hand_id and seq, a number from 0")
        heard = (state for state in self.memory.latest.values() if state.hand_id == command.hand_id)
        state = next(heard, None)
        if state is not None and command.seq >= state.seq:
            self._play_turn(state, command)
        # everything in the log was accepted, so the same action gets the same answer
        elif state is None or not is_taken(state.public.actions[command.seq], state.seat, command.action):
            raise StaleAction(f"{command.hand_id} #{command.seq}: {self.memory.name} no longer has this turn")

    def _play_turn(self, state: HandState, command: Play) -> None:
        if state.turn is None or state.seq != command.seq:
            text = (
                f"{state.hand_id} is at #{state.seq}, and {self.memory.name} is not to act at #{command.seq}"
            )
            raise IllegalAction(text, code="not_active")
        self._ask_hand(state, command.action, StaleAction(f"{state.hand_id} is over"))

    def _ask_hand(self, state: HandState, action: Action, over: Refused) -> None:
        """Take the turn of `state` for a caller; raises what the hand refuses with, and `over` if it has stopped."""
        assert state.turn is not None
        try:
            refused: Refused | StorageFailed | None = state.change.hand_address.ask(Act(state.turn, action))
        except RoomClosed:
            raise over from None
        if refused is not None:
            raise refused

    @on(PutIn)
    def put_in(self, command: PutIn) -> None:
        state = self._open_turn(command.table)
        self._take_turn(state, state.public.action_for(state.seat, command.amount))

    @on(AllIn)
    def all_in(self, command: AllIn) -> None:
        state = self._open_turn(command.table)
        action = state.legal.all_in
        if action is None:
            raise IllegalAction(f"{self.memory.name} cannot go all-in at {state.table}")
        self._take_turn(state, action)

    def _take_turn(self, state: HandState, action: Action) -> None:
        """Take the turn of `state`, which the caller did not name; if that is over, refuse with `not_active`."""
        name = self.memory.name
        over = IllegalAction(f"{name}'s hand {state.hand_id} is over", code="not_active")
        try:
            self._ask_hand(state, action, over)
        except StaleAction:
            raise IllegalAction(f"{name} is not to act", code="not_active") from None

    def _open_turn(self, table: str | None) -> HandState:
        """Return the state with the turn at `table`, or for None the only one; raises `IllegalAction`."""
        name = self.memory.name
        turns = [state for state in self.memory.latest.values() if state.turn is not None]
        if table is not None:
            turns = [state for state in turns if state.table == table]
        if not turns:
            where = "" if table is None else f" at {table}"
            raise IllegalAction(f"{name} is not to act{where}", code="not_active")
        if len(turns) > 1:
            tables = ", ".join(sorted(state.table for state in turns))
            raise IllegalAction(f"{name} is to act at {tables}: name the table", code="several_turns")
        return turns[0]


def _answer(thought: _Thought, _: View) -> Action:
    """Return the action that an awaited bot chose."""
    return thought.answer()
