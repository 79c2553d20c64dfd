"""Listeners to a game: its owner is told of all changes, its members of their hands and the chat.

House bots are told through their methods, people and programs on request.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from typing import Any, Final, Protocol, TypeVar

import attrs

from poker_actors.actors import HandState
from poker_actors.bots import Bot, Ear, Faults, HandEnd, HandStart, hears
from poker_actors.bots.program import heard_line
from poker_actors.cards import Card
from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.evaluator import made_hand
from poker_actors.jsontext import parse_json
from poker_actors.rules import Action, Hand, PublicState, View
from poker_actors.server.contract import Emote, Talk, bodies, tables
from poker_actors.server.hspe.roster import Member
from poker_actors.server.hspe.turn import Due, Key, NamedAction, Order
from poker_actors.server.shapes import read
from poker_actors.server.users import User

G_contra = TypeVar("G_contra", contravariant=True)


class Heard(Protocol[G_contra]):
    """The owner of a game, which is told of its changes."""

    def changed(self, game: G_contra) -> None:
        """Something visible has changed."""

    def talked(self, game: G_contra) -> None:
        """A line was said, or forgotten."""

    def taken(self, game: G_contra, member: Member, key: Key, done: NamedAction | Order) -> None:
        """A turn was taken that may be sent again; pass it to `remember` after a restart."""

    def due(self, game: G_contra, due: Due) -> None:
        """A long turn, or its time bank, has begun; after a restart, pass it on as one of `before`."""

    def ended(self, game: G_contra, hand: Hand, hand_id: str, players: Mapping[int, Member]) -> None:
        """A hand has been paid; `players` maps seats to members."""

    def shown(self, game: G_contra, hand_id: str, user_id: str, cards: tuple[Card, ...]) -> None:
        """A player has turned up the cards of the hand that is over."""


@attrs.define(eq=False)
class _Notes:
    """A bot that records what it is told and is never asked to act: it stands for a player who decides elsewhere."""

    started: tuple[str, HandStart] | None = None
    over: tuple[str, HandEnd] | None = None
    hand_id: str = ""

    def __call__(self, view: View) -> Action:
        return view.legal.passive

    def hand_started(self, start: HandStart) -> None:
        self.started = self.hand_id, start

    def hand_over(self, end: HandEnd) -> None:
        self.over = self.hand_id, end

    cards_shown = hand_over


class HandsHeard:
    """The last hand start and hand end that each member of one game was told; in memory only."""

    def __init__(self) -> None:
        self._notes: dict[str, _Notes] = {}
        self._ears: dict[str, Ear] = {}
        self._faults = Faults()

    def hear(self, user_id: str, state: HandState, at: Mapping[int, Member]) -> None:
        """Take a member's state of a hand and pass it to a house bot that listens; `at` maps seats to members."""
        ear, change = self._ears.get(user_id), state.change
        if ear is not None and ear.knows(change.table, change.hand_id, change.public):
            return  # most states: each player hears of each action
        member = at.get(state.seat)
        house = None if member is None or member.user.id != user_id else member.house
        bot: Bot
        if house is None:
            bot = notes = self._notes.setdefault(user_id, _Notes())
            notes.hand_id = state.hand_id
        elif hears(house.decider):
            bot = house.decider
        else:
            return
        people = [at.get(seat) for seat in range(len(state.public.setup.stacks))]
        told = HandEnd(
            number=state.change.number,
            seat=state.seat,
            hole=state.hole,
            names=tuple([None if one is None else one.user.name for one in people]),
            public=state.public,
        )
        faults = self._faults if house is None else house.faults
        self._ears.setdefault(user_id, Ear()).hear(bot, state.table, state.hand_id, told, faults)

    def keep(self, users: Mapping[str, object]) -> None:
        """Forget everybody but these members."""
        for gone in self._ears.keys() - users.keys():
            del self._ears[gone]
            self._notes.pop(gone, None)

    def of(self, user_id: str) -> tables.Heard:
        """Return `start` and `end` in the form of protocol 2, with the hand's id; None for one not yet told."""
        notes = self._notes.get(user_id, _Notes())
        return {"start": _plain(notes.started), "end": _plain(notes.over)}


def _plain(told: tuple[str, HandStart] | None) -> Any:
    if told is None:
        return None
    plain: dict[str, Any] = parse_json(heard_line(told[1]))
    return {"hand_id": told[0], **plain}


def won_by_showing(
    public: PublicState, dealt: Mapping[int, str], by_choice: Collection[int] = ()
) -> list[tuple[str, list[str]]]:
    """Return, by seat, HSPE's winners: users who had to show a hold'em hand and won more than they put in.

    `dealt` maps seats to user ids; the seats `by_choice` have shown only after the hand.
    """
    shown = {seat: hole for seat, hole in public.shown if seat not in by_choice}
    return [
        (dealt[seat], [str(card) for card in made_hand([*shown[seat], *public.board]).cards])
        for seat in sorted(shown)
        if seat in dealt and public.chips_behind[seat] > public.setup.stacks[seat]
    ]


# -- the chat ---------------------------------------------------------------------------------

LINES_KEPT: Final = 30
"""Lines kept: each picture has them all."""


class Chat:
    """The last lines said at one table, and who may read them.

    No journal keeps them: lines vanish with the table, a restart or their author's account, and cost no disk
    writes.
    """

    def __init__(self, to: Talk) -> None:
        self._to = to
        self._lines: deque[tuple[float, tables.Said]] = deque(maxlen=LINES_KEPT)
        """when each was said, unrounded, and the line as it is told to everybody"""
        self._said = 0

    def say(self, user: User, text: str, emote: Emote | None, now: float) -> tables.Said:
        """Add a line; raises as `check`."""
        self.check()
        self._said += 1
        line: tables.Said = {
            "number": self._said,
            "name": user.name,
            "player_id": user.id,
            "time": round(now, 3),
            "text": text,
            "emote": emote,
        }
        self._lines.append((now, line))
        return line

    def check(self) -> None:
        """Raise `TableRefusal` (`not_active`) at a table without chat."""
        if self._to == "off":
            raise TableRefusal("this table has no chat", code="not_active")

    def forget(self, user_id: str) -> bool:
        """Forget a user's lines; return whether there were any."""
        kept = [(time, line) for time, line in self._lines if line["player_id"] != user_id]
        forgot = len(kept) < len(self._lines)
        self._lines = deque(kept, LINES_KEPT)
        return forgot

    @property
    def silent(self) -> bool:
        """Whether there are no lines for anybody to read."""
        return not self._lines

    def heard(self, *, seated: bool, until: float) -> list[tables.Said]:
        """Return the lines that somebody may read, oldest first; without a seat, only those said up to a time."""
        if not (seated or self._to == "everyone"):
            return []
        return [line for time, line in self._lines if seated or time <= until]


def read_saying(body: bytes) -> tuple[str, Emote | None]:
    """Read ``{"text": "nice"}`` or ``{"emote": "wow"}``; raises `BadSpec`."""
    plain = read(bodies.Saying, body)
    text, emote = (plain.get("text") or "").strip(), plain.get("emote")
    if bool(text) == bool(emote):
        raise BadSpec("a line must have either a text or an emote")
    if not text.isprintable():
        raise BadSpec("a text must be one line of printable characters")
    return text, emote
