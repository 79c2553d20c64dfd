"""A Room's table over OPP: seats users, starts hands and sends every change to everybody."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Final

import attrs

from poker_actors.actors import HandState, News, Player, Refusal, Room, Table, TableNews
from poker_actors.actors.aio import AsyncRoom
from poker_actors.errors import AskTimeout, BadSpec, PokerError, StorageFailed, TableRefusal
from poker_actors.rules import GAMES, Stakes, whole_chips
from poker_actors.wire.opp.protocol.messages import Message, Op
from poker_actors.wire.opp.server.seat import Announcer, Funding, Life, Seated
from poker_actors.wire.opp.server.telling import Chunk, chunk, inform
from poker_actors.wire.opp.server.visitor import Visitor

_log: Final = logging.getLogger("poker_actors.opp")

_CHAT_LENGTH: Final = 500
"""Most characters of a chat message: a few lines of a client's window."""
_FACES: Final = 64
"""Player pictures that a client may go through; the server only keeps the number."""
_AGAIN_SECONDS: Final = 1.0
"""Wait before the next try when the Room could not begin a hand or take an action."""


@attrs.frozen
class TableOptions:
    """How tables are played. Chips are whole numbers, times seconds.

    `bet` is the small bet and the big blind; the small blind is half of it, bets on turn and river are double. Players
    buy in for `buy_in`, or all they have, and again when that is lost. With `credit` the bank lends play money so that
    everybody can always pay, and bankrolls may go negative, as on the original server. A turn takes at most
    `turn_seconds`, or `patience` without a connection; the seat of a lost connection is kept for `grace`. Hands follow
    each other after `pause`. House bots wait until a client is connected, unless `house_alone`. Clients whose program
    name begins with one of `perl` get hands in the form for Games::Poker::OPP, since derived classes send
    their own names.
    """

    bet: int = 10
    seats: int = 10
    buy_in: int = 1_000
    credit: bool = False
    turn_seconds: float = 30.0
    patience: float = 5.0
    grace: float = 120.0
    pause: float = 0.0
    house_alone: bool = False
    perl: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        whole_chips("bet", self.bet, least=2)
        whole_chips("buy_in", self.buy_in, least=self.bet)
        if self.turn_seconds <= 0 or min(self.patience, self.grace, self.pause) < 0:
            raise BadSpec("turn_seconds must be above 0, patience, grace and pause 0 or more")
        if "" in self.perl:
            raise BadSpec("a program name in perl is empty: it would match every client")


class OppTable:
    """One table, in the event loop that drains the Room's actors.

    `users` maps the names of logged-in users to their players.
    """

    def __init__(
        self,
        room: AsyncRoom,
        name: str,
        options: TableOptions,
        users: Mapping[str, Player],
    ) -> None:
        self.options: Final = options
        self._room = room.room
        self._bridge = room.bridge
        self._users = users
        self._funding = Funding(self._room.bank, options.bet, options.buy_in, credit=options.credit)
        there = self._room.tables.get(name) if room.recovery is not None else None
        self.table: Final = _opened(self._room, name, options) if there is None else _the_same(there, options)
        self.seated: Final[dict[str, Seated]] = {}
        self.visitors: Final[dict[Visitor, None]] = {}
        self.faces: Final[dict[str, int]] = {}
        self._announcer = Announcer(self.seated, self.visitors, self.faces, self._asked)
        self._playing = False
        self._pausing = False
        self._closed = False
        self.hands = 0
        """hands dealt"""
        self.turns = 0
        """turns asked for"""
        self.late_turns = 0
        """turns that took too long and were taken for the player"""
        # users have no blanks in their names: a player with this one came back with the table
        watcher = self._room.players.get(f"{name} watcher") or self._room.player(f"{name} watcher")
        watcher.listen(self._watched)
        self.table.watch(watcher)
        self._come_back()

    def _come_back(self) -> None:
        """After a recovery: keep every seat for its player, and go on sending the hand in progress."""
        state = self.table.state()
        self._playing = state.hand_id is not None
        for number, seat in enumerate(state.seats):
            if seat is None:
                continue
            seated = self._take(self._room.players[seat.player], number, Life.AWAY)
            seated.gone_at = self._bridge.loop.time()
            if self._playing:
                # of this table: there may be a turn at another, too
                seated.latest = seated.player.at(self.table).state()
        known = [seated.latest for seated in self.seated.values() if seated.latest is not None]
        if known:
            latest = max(known, key=lambda state: state.seq)
            # the change that the watcher missed: without it the open turn would not be announced
            self._bridge.post(self._announcer.hear, HandState(latest.change, -1, (), None))

    # -- people ------------------------------------------------------------------------------

    @property
    def free(self) -> int:
        """The number of free seats."""
        return self.options.seats - len(self.seated)

    def welcome(self, visitor: Visitor, player: Player) -> None:
        """Seat a logged-in user, return the kept seat, or let the user watch."""
        self.visitors[visitor] = None
        visitor.heard, visitor.gone = self._heard, self._gone
        seated = self.seated.get(player.name) or self._sit(player, Life.PLAYING)
        if seated is None:
            visitor.inform("all seats are taken: you watch until one is free")
            self._bridge.post(self._deal)  # house bots may have waited for a client
            return
        old, seated.visitor = seated.visitor, visitor
        if seated.life in (Life.AWAY, Life.LEAVING, Life.LATE):
            seated.life = Life.RETURNING
        # After `visitor` is replaced: the old connection's end then finds no seat, and does not count as a loss.
        if old is not None:
            old.close()
        visitor.inform(f"you sit in seat {seated.seat} of {self.table.name}")
        if self._playing:
            self._announcer.catch_up(seated)
        self._bridge.post(self._deal)

    def seat_bot(self, player: Player) -> None:
        """Seat a house bot's player; raises `TableRefusal` (`seat_unavailable`) when the table is full."""
        seated = self.seated.get(player.name) or self._sit(player, Life.HOUSE)
        if seated is None:
            raise TableRefusal(f"all {self.options.seats} seats are taken", code="seat_unavailable")
        seated.life = Life.HOUSE
        self._bridge.post(self._deal)

    def _gone(self, visitor: Visitor) -> None:
        self.visitors.pop(visitor, None)
        seated = self._seat_of(visitor)
        if seated is not None:
            self._part(seated, Life.AWAY)

    def _part(self, seated: Seated, life: Life) -> None:
        """Mark a seat as without a connection, and act for it if it has a turn."""
        seated.visitor, seated.life = None, life
        seated.gone_at = self._bridge.loop.time()
        self._act_for(seated)
        self._bridge.post(self._deal)

    def _seat_of(self, visitor: Visitor) -> Seated | None:
        """Return the seat that a connection acts for, if any."""
        seated = self.seated.get(visitor.user)
        return seated if seated is not None and seated.visitor is visitor else None

    def _heard(self, visitor: Visitor, message: Message) -> None:
        seated = self._seat_of(visitor)
        if seated is not None and seated.life is Life.LATE:
            seated.life = Life.RETURNING
            self._bridge.post(self._deal)
        match message.op:
            case Op.ACTION if seated is not None:
                self._bridge.do(partial(seated.act, message.values[0]))
            case Op.CHAT:
                self._chat(visitor, message.values[0])
            case Op.QUIT_GAME:
                self.visitors.pop(visitor, None)
                if seated is not None:
                    self._part(seated, Life.LEAVING)
                visitor.close()
            case Op.GET_FACE:
                visitor.say(chunk(Op.SET_FACE, str(self.faces.get(message.values[0], 0))))
            case Op.CHANGE_FACE:
                face = (self.faces.get(visitor.user, 0) + message.values[0]) % _FACES
                self.faces[visitor.user] = face
                visitor.say(chunk(Op.SET_FACE, str(face)))
            case Op.GET_GRAPH:
                visitor.say(chunk(Op.GET_GRAPH, message.values[0], ""))

    def sweep(self) -> None:
        """Free the seats of players who have been away too long; called every second."""
        if not self._playing and self._leaving():
            self._deal()

    def _leaving(self) -> list[Seated]:
        """Return the seats to free, including those whose grace has run out."""
        now = self._bridge.loop.time()
        for seated in self.seated.values():
            if seated.life is Life.AWAY and now - seated.gone_at >= self.options.grace:
                seated.life = Life.LEAVING
        return [seated for seated in self.seated.values() if seated.life is Life.LEAVING]

    def close(self) -> None:
        """Stop dealing."""
        self._closed = True

    def say(self, what: Chunk) -> None:
        """Send messages to everybody at the table."""
        for visitor in list(self.visitors):
            visitor.say(what)

    def _chat(self, visitor: Visitor, text: str) -> None:
        if len(text) > _CHAT_LENGTH or not text.isprintable():
            visitor.inform(f"chat must be at most {_CHAT_LENGTH} printable characters")
            return
        self.say(chunk(Op.CHATTER, f"{visitor.user}: {text}"))

    def _sit(self, player: Player, life: Life) -> Seated | None:
        return self._take(player, self.table.sit(player), life) if self.free else None

    def _take(self, player: Player, number: int, life: Life) -> Seated:
        """Record a player's seat and listen to its news."""
        seated = Seated(player, number, life)
        seated.listener = partial(self._heard_privately, seated)
        player.listen(seated.listener)
        self.seated[player.name] = seated
        return seated

    def _remove(self, seated: Seated) -> None:
        with suppress(TableRefusal):  # it has left already, but its debt could not be written
            self.table.leave_after_hand(seated.player)
        self._funding.settle(seated.player.name)
        assert seated.listener is not None, "it listens while it sits"
        seated.player.unlisten(seated.listener)
        del self.seated[seated.player.name]
        self.say(inform(f"{seated.player.name} leaves"))

    # -- hands -------------------------------------------------------------------------------

    def _deal(self) -> None:
        """Start a hand if none is in progress, the pause after the last is over and two can play."""
        if self._playing or self._pausing or self._closed:
            return
        try:
            self._bridge.do(self._start_hand)
        except PokerError as error:  # an actor is being restarted, or nothing can be written
            _log.warning("%s: no hand for now: %s", self.table.name, error)
            self._bridge.loop.call_later(_AGAIN_SECONDS, self._deal)

    def _start_hand(self) -> None:
        for seated in self._leaving():
            self._remove(seated)
        for visitor in [visitor for visitor in self.visitors if visitor.user not in self.seated]:
            if self.free and (player := self._users.get(visitor.user)) is not None:
                self.welcome(visitor, player)
        seats = self.table.state().seats
        for seated in self.seated.values():
            seat = seats[seated.seat]
            assert seat is not None
            self._prepare(seated, seat.stack, out=seat.out)
        if self.visitors or self.options.house_alone:
            with suppress(TableRefusal):  # too few can play: whoever comes or returns triggers `_deal` again
                self.table.deal()
                self._playing = True
                self.hands += 1

    def _prepare(self, seated: Seated, stack: int, *, out: bool) -> None:
        """Buy in and sit out or in, ready for the next hand."""
        player = seated.player
        if out and seated.life is Life.PLAYING:
            seated.life = Life.LATE
            seated.inform("you were late too often and sit out: say anything to come back")
        if not seated.here:
            if not out:
                self.table.sit_out(player)
        else:
            missing = self._funding.missing(player.name, stack, house=seated.life is Life.HOUSE)
            if missing:
                stack = self.table.buy_in(player, missing)
            if out and seated.life is not Life.LATE:
                self.table.sit_in(player)
            if stack and seated.life in (Life.BROKE, Life.RETURNING):
                seated.life = Life.PLAYING
            elif not stack and seated.life in (Life.PLAYING, Life.RETURNING):
                seated.life = Life.BROKE
                seated.inform("you have no chips left")
        seated.offset = self._funding.offset(player.name)

    def _watched(self, news: News) -> None:
        """Send a change at once; anything that follows a hand's end waits until the current command is done."""
        match news:
            case HandState():
                self._announcer.hear(news)
            case TableNews(what="hand_started"):
                self._playing = True
            case TableNews(what="hand_ended" | "hand_voided" as what):
                self._bridge.post(self._finish, what == "hand_voided")

    def _heard_privately(self, seated: Seated, news: News) -> None:
        """Keep a player's state, which the public news of the same change will need, or pass a refusal on to the player."""
        match news:
            case HandState() if news.change.table == self.table.name:
                seated.latest = news
            case Refusal():
                if news.code == StorageFailed.default_code and seated.again is not None:
                    # a client says its action once; a bot repeats it by itself
                    self._bridge.later(_AGAIN_SECONDS, seated.again)
                self.late_turns += news.code == AskTimeout.default_code
                seated.inform(news.text)

    def _asked(self, seated: Seated, state: HandState) -> None:
        """Record an open turn, and act for an absent player."""
        self.turns += 1
        seated.turn_of = (state.hand_id, state.seq)
        if not seated.here:
            self._act_for(seated)

    def _act_for(self, seated: Seated) -> None:
        """Take the open turn of an absent player after `patience`, or at once if it is leaving."""
        turn = seated.turn_of

        def act() -> None:
            if not seated.here and seated.turn_of == turn:
                with suppress(PokerError):  # the turn may be over, or the Room closed
                    seated.act_absent()

        self._bridge.later(0.0 if seated.life is Life.LEAVING else self.options.patience, act)

    def _finish(self, voided: bool) -> None:
        """End a hand that is booked, and schedule the next."""
        if voided:
            self.say(inform("the hand is void: all stacks are what they were"))
        self._playing = False
        for seated in self.seated.values():
            seated.turn_of = None
        self._pausing = True  # for whoever comes or goes meanwhile, too
        self._bridge.loop.call_later(self.options.pause, self._go_on)

    def _go_on(self) -> None:
        self._pausing = False
        self._deal()

    def __repr__(self) -> str:
        return f"<OppTable: {self.table.name}, {len(self.seated)} seated, {self.hands} hands>"


def _opened(room: Room, name: str, options: TableOptions) -> Table:
    return room.open_table(
        name,
        seats=options.seats,
        stakes=Stakes(options.bet // 2, options.bet),
        game=GAMES["limit-holdem"],
        turn_seconds=options.turn_seconds,
    )


def _the_same(table: Table, options: TableOptions) -> Table:
    """Return a recovered table; raises `BadSpec` when its seats, bet or turn time differ from `options`."""
    config = table.config
    there = {"seats": config.seats, "bet": config.stakes.big_blind, "turn_seconds": config.turn_seconds}
    for name, value in there.items():
        if (asked := getattr(options, name)) != value:
            raise BadSpec(f"{name} {asked}: table {table.name!r} was opened with {value}")
    return table
