"""Keep the last hands of each table, for the players dealt in, with the cards each may see."""

from __future__ import annotations

import json
import logging
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final, NotRequired, TypedDict

import attrs

from poker_actors.cards import Card
from poker_actors.errors import BadHistory, BadJournal, BadSpec, StorageFailed, TableRefusal
from poker_actors.history import FORMATS, UNKNOWN, HandHistory, Scene, Showed, page, parse, record
from poker_actors.jsontext import compact_json, parse_json
from poker_actors.rules import Bet, Call, Check, Event, Fold, Hand, Lay, RaiseTo, game_named
from poker_actors.rules import event as events
from poker_actors.server.contract import answers
from poker_actors.server.hspe import Game, Lobby, Member
from poker_actors.server.live.picture import winners
from poker_actors.server.live.tournaments import Tournaments
from poker_actors.server.shapes import read
from poker_actors.store import RoomImage

_log: Final = logging.getLogger("poker_actors.server")

HANDS_KEPT: Final = 25
"""Hands kept per game: people talk about the last ones only."""
_NOTE: Final = "hands/"
_PHH: Final = FORMATS["phh"]


@attrs.frozen
class _Kept:
    """A kept hand, with all cards."""

    hand_id: str
    ids: tuple[str, ...]
    """user ids, by player of the history"""
    told: answers.PastHand
    """the part that everybody may see"""
    phh: str = attrs.field(repr=False)
    nets: tuple[int, ...] = ()
    """net chips by player; empty in a tournament, and in records of older versions"""
    line: str = attrs.field(default="", repr=False)
    """instead of `phh`, for games that hand histories cannot express"""

    @property
    def history(self) -> HandHistory:
        """The hand with all cards, if hand histories can express it."""
        return parse(self.phh, "jsonl" if self.phh.startswith("{") else "phh")[0]

    def with_shown(self, player: int, cards: tuple[Card, ...]) -> _Kept:
        """Return the hand with the cards that a player has turned up after it; they replace a muck."""
        if self.line:
            return attrs.evolve(self, line=line_with_shown(self.line, player, cards))
        history, shown = self.history, Showed(player, cards)
        if shown in history.steps:
            return self
        steps = [step for step in history.steps if step != Showed(player, ())]
        return attrs.evolve(self, phh=_text(attrs.evolve(history, steps=(*steps, shown))))


class _Told(TypedDict):
    """The fields required in the public part of a kept hand's record."""

    hands: int
    time: str
    players: list[str]


class _Note(TypedDict):
    """The record of a kept hand; those of older versions have neither `nets` nor `line`."""

    hand_id: str
    ids: list[str]
    told: _Told
    phh: str
    nets: NotRequired[list[int]]
    line: NotRequired[str]


class Hands:
    """The last `each` hands of every game and of every table of a known tournament, in the room's journal.

    Of a tournament, only hands with a person dealt in are kept.
    """

    def __init__(
        self, lobby: Lobby, tournaments: Tournaments | None = None, *, each: int = HANDS_KEPT
    ) -> None:
        self._lobby = lobby
        self._tournaments = tournaments
        self._each = each
        self._kept: dict[str, deque[_Kept]] = {}
        notes = lobby.notes
        gone = [f"{_NOTE}{key}" for key in notes.under(_NOTE) if self._title(key.partition("/")[0]) is None]
        # leftovers of an older version: not worth a failed start, and tried again at the next
        with suppress(StorageFailed):
            notes.forget(gone)
        found = notes.read(_NOTE, lambda key, text: _read(text))
        for key, kept in sorted(found.items(), key=lambda one: int(one[1].told["hands"])):
            self._of(key.partition("/")[0]).append(kept)
        self._asides = list(notes.under(f"{RoomImage.SET_ASIDE}{_NOTE}").values())
        lobby.is_kept = self._has
        lobby.on_ended.append(self._ended)
        lobby.on_shown.append(self._shown)
        lobby.on_dropped.append(lambda game: self._forget_gone(game.id))
        lobby.on_clear_up.append(lambda: self._forget_gone(*self._kept))

    def _title(self, table: str) -> str | None:
        """Return a table's title; None if it neither exists nor belongs to a known tournament."""
        game = self._lobby.games.get(table)
        if game is not None:
            return game.setting.name
        return None if self._tournaments is None else self._tournaments.title(table)

    def told(self, table: str, user_id: str | None) -> list[answers.Hand]:
        """Return the public part of the last hands, newest first; `yours` marks those that `user_id` was dealt into.

        With a delay, only users who sit see recent hands. Raises `TableRefusal` (`no_game`).
        """
        seen = [kept for kept in reversed(self._at(table)) if self._may_see(table, kept, user_id)]
        return [{**kept.told, "yours": user_id in kept.ids} for kept in seen]

    def _may_see(self, table: str, kept: _Kept, user_id: str | None) -> bool:
        """Return whether a user (None for a stranger) can already see a hand of its table."""
        game = self._lobby.games.get(table)
        if game is None or game.sees_now(user_id):
            return True
        ended = datetime.fromisoformat(kept.told["time"]).timestamp() + 1  # written without parts of a second
        return ended + game.setting.watch_delay <= self._lobby.now()

    def _at(self, table: str) -> Sequence[_Kept]:
        """Return the hands of a known table; raises `TableRefusal` (`no_game`)."""
        if self._title(table) is None:
            raise TableRefusal("Game not found.", code="no_game")
        return self._kept.get(table, ())

    def of_user(
        self, user_id: str, name: str = "", links: Mapping[str, str] = MappingProxyType({})
    ) -> list[answers.OwnHand]:
        """Return the hands a user was dealt in, over all games, newest first, with the user's net chips.

        `name`, case-folded, selects hands by part of the name of the table or of a player. `links` are the user's.
        """
        found: list[answers.OwnHand] = []
        for game_id, hands in self._kept.items():
            table = self._title(game_id) or ""
            for kept in hands:
                names = (table, *kept.told["players"])
                if not self._may_see(game_id, kept, user_id):
                    continue
                if user_id not in kept.ids or not any(name in one.casefold() for one in names):
                    continue
                net = kept.nets[kept.ids.index(user_id)] if kept.nets else 0
                shared = links.get(kept.hand_id)
                found.append(
                    {
                        **kept.told,
                        "yours": True,
                        "game": game_id,
                        "table": table,
                        "net": net,
                        "shared": shared,
                    }
                )
        return sorted(found, key=lambda one: (one["time"], one["hands"]), reverse=True)

    def history(self, table: str, hand_id: str, user_id: str) -> HandHistory:
        """Return a hand as `user_id` may see it: own and shown cards, the others unknown.

        `hand_id` is complete, or its last part. Raises `TableRefusal` (`no_game`, `no_hand`, `not_dealt_in`),
        and `BadSpec` for a game that hand histories cannot express.
        """
        kept = self._find(table, hand_id, user_id)
        if kept.line:
            raise BadSpec(f"{parse_json(kept.line)['game']} has no hand history: see the page")
        return kept.history.seen_by(kept.ids.index(user_id))

    def text(self, table: str, hand_id: str, user_id: str, form: str = "jsonl") -> str:
        """Return a hand as `history` does, as text in `phh` or `jsonl`, or as `html`, the page that replays it.

        Raises `BadSpec` for a game that `phh` cannot express.
        """
        kept = self._find(table, hand_id, user_id)
        mine = kept.ids.index(user_id)
        if kept.line and form != "phh":
            line = line_seen_by(kept.line, mine)
            return line if form == "jsonl" else page([scene_of(line)], mine=mine)
        history = self.history(table, hand_id, user_id)
        return page([history], mine=mine) if form == "html" else FORMATS[form].text(history, 0)

    def shareable(self, table: str, hand_id: str, user_id: str) -> str:
        """Return a hand as `text` does, in a form fit for anybody; refuse one that spectators cannot see yet."""
        if not self._may_see(table, self._find(table, hand_id, user_id), None):
            text = f"spectators see this table {self._lobby.games[table].setting.watch_delay:g} s late: share the hand then"
            raise TableRefusal(text, code="too_soon")
        return self.text(table, hand_id, user_id)

    def _find(self, table: str, hand_id: str, user_id: str) -> _Kept:
        names = (hand_id, f"{table}/{hand_id}")
        kept = next((one for one in self._at(table) if one.hand_id in names), None)
        if kept is None or not self._may_see(table, kept, user_id):
            raise TableRefusal(
                f"there is no hand {hand_id[:80]!r}: not over yet, or no longer kept", code="no_hand"
            )
        if user_id not in kept.ids:
            raise TableRefusal("only players who were dealt in may see this hand", code="not_dealt_in")
        return kept

    def _forget_gone(self, *tables: str) -> None:
        """Forget the hands of tables closed for good; raises `StorageFailed`."""
        for table in tables:
            if self._title(table) is None:
                self._kept.pop(table, None)
                self._lobby.notes.forget([f"{_NOTE}{table}/{number}" for number in range(self._each)])

    def _of(self, game_id: str) -> deque[_Kept]:
        return self._kept.setdefault(game_id, deque(maxlen=self._each))

    def _has(self, table: str, hand_id: str) -> bool:
        """Return whether a hand was recorded; this counts a record set aside, because its results were recorded too."""
        if any(kept.hand_id == hand_id for kept in self._kept.get(table, ())):
            return True
        return any(f'\\"{hand_id}\\"' in aside for aside in self._asides)

    def _place(self, hand_id: str) -> int:
        # a ring of notes, as long as the deque: a hand's note is overwritten when the deque drops the hand
        return int(hand_id.rpartition("-")[2]) % self._each

    def _ended(
        self, game: Game, hand: Hand, hand_id: str, players: Mapping[int, Member]
    ) -> dict[str, str | None]:
        """Keep a hand; return its note. If the journal cannot be written, it stays in memory."""
        names = {seat: member.user.name for seat, member in players.items()}
        time = datetime.fromtimestamp(int(self._lobby.now()), UTC)
        seated = [names.get(seat, "") for seat in range(len(hand.starting))]
        table, phh, line = game.setting.name or game.id, "", ""
        try:
            history = record(hand, players=seated, hand_id=hand_id, table=table, time=time)
        except BadHistory:
            line = line_of(hand, seated, hand_id, table, time)
            seats = parse_json(line)["seats"]
        else:
            phh, seats = _text(history), history.seats
        ids = tuple([players[seat].user.id if seat in players else "" for seat in seats])
        if not any(self._lobby.users.get(one) for one in ids):
            return {}  # only bots of a tournament: nobody could ever look at it
        public = hand.public()
        won = winners(public, names)
        told: answers.PastHand = {
            "hand_id": hand_id,
            "hands": int(hand_id.rpartition("-")[2]) + 1,
            "time": time.isoformat(),
            "pot": sum(one["amount"] for one in won),
            "board": [str(card) for card in public.board],
            "boards": [[str(card) for card in board] for board in public.boards],
            "winners": won,
            "players": [seated[seat] for seat in seats],
        }
        cash = game.id in self._lobby.games
        nets = tuple([hand.stacks[seat] - hand.starting[seat] for seat in seats if cash])
        kept = _Kept(hand_id, ids, told, phh, nets, line)
        self._of(game.id).append(kept)
        return self._note(game.id, kept)

    def _shown(self, game: Game, hand_id: str, user_id: str, cards: tuple[Card, ...]) -> None:
        """Add cards that a player has since turned up to a kept hand."""
        hands = self._of(game.id)
        for place, kept in enumerate(hands):
            if kept.hand_id == hand_id and user_id in kept.ids:
                hands[place] = after = kept.with_shown(kept.ids.index(user_id), cards)
                self._lobby.notes.keep(f"hand {hand_id}", self._note(game.id, after))

    def _note(self, game_id: str, kept: _Kept) -> dict[str, str | None]:
        return {
            f"{_NOTE}{game_id}/{self._place(kept.hand_id)}": json.dumps(attrs.asdict(kept, recurse=False))
        }

    def __repr__(self) -> str:
        return f"<Hands: {sum(map(len, self._kept.values()))} of {len(self._kept)} games>"


def shared_page(text: str) -> str:
    """Return the page that replays a shared hand."""
    plain = parse_json(text)
    return page([parse(text, "jsonl")[0] if "poker_actors" in plain else scene_of(text)])


def _text(history: HandHistory) -> str:
    """Return a hand in the PHH standard's format, or as a line if the standard has no name for its game."""
    try:
        return _PHH.text(history, 0)
    except BadHistory:
        return FORMATS["jsonl"].text(history, 0)


def _read(text: str) -> _Kept:
    try:
        plain = read(_Note, text)
        told: Any = plain["told"]
        datetime.fromisoformat(told["time"])
        nets, ids = tuple(plain.get("nets", ())), tuple(plain["ids"])
    except (BadSpec, ValueError):
        raise BadJournal("the record of a hand cannot be read") from None
    if nets and len(nets) != len(ids):
        raise BadJournal(f"the record of a hand has {len(ids)} players, but the results of {len(nets)}")
    return _Kept(plain["hand_id"], ids, told, plain["phh"], nets, plain.get("line", ""))


# -- lines for hands that histories cannot express: two boards, open-face ---------------------
#
# A line resembles one of `poker_actors.history`, which cannot read it: its events are those of the rules, and are read back
# for the page that replays hands.

_MOVES = {Fold: "fold", Check: "call", Call: "call", Bet: "raise", RaiseTo: "raise"}


def line_of(hand: Hand, players: Sequence[str], hand_id: str, table: str, time: datetime) -> str:
    """Return a hand with all its cards; `players` are names by seat. Never show it: see `line_seen_by`."""
    size = len(hand.starting)
    around = [(hand.button + 1 + place) % size for place in range(size)]
    order = [seat for seat in around if hand.starting[seat]]
    places = {seat: place for place, seat in enumerate(order)}
    told = [_event(event, places) for event in hand.events()]
    return compact_json(
        {
            "game": hand.game.name,
            "stacks": [hand.starting[seat] for seat in order],
            "min_bet": hand.stakes.min_bet,
            "players": [players[seat] for seat in order],
            "seats": order,
            "events": [event for event in told if event],
            "finishing": [hand.stacks[seat] for seat in order],
            "fields": {"hand": hand_id, "table": table, "time": time.isoformat()},
        }
    )


def line_seen_by(line: str, player: int) -> str:
    """Return a line as a player saw it: hole cards of others are `??`; cards they showed stay visible."""
    plain: dict[str, Any] = parse_json(line)
    for event in plain["events"]:
        if event.get("hole_dealt", player) != player:
            event["cards"] = "??" * (len(event["cards"]) // 2)
    return compact_json(plain)


def line_with_shown(line: str, player: int, cards: tuple[Card, ...]) -> str:
    """Return a line with the cards that a player has turned up after the hand; they replace a muck."""
    plain: dict[str, Any] = parse_json(line)
    shown = {"shown": player, "cards": _joined(cards)}
    if shown not in plain["events"]:
        plain["events"] = [event for event in plain["events"] if event.get("mucked") != player] + [shown]
    return compact_json(plain)


def _event(event: Event, player: dict[int, int]) -> dict[str, object]:
    """Return an event as JSON, seats replaced by players; empty for an event without information."""
    match event:
        case events.Posted(seat, kind, amount):
            return {"posted": player[seat], "kind": kind.value, "amount": amount}
        case events.Acted(seat, action) if not isinstance(action, Lay):
            total = action.amount if isinstance(action, Bet) else getattr(action, "total", 0)
            return {"acted": player[seat], "move": _MOVES[type(action)]} | ({"to": total} if total else {})
        case events.Awarded(_, seat, amount, board, share):
            return {"awarded": player[seat], "amount": amount, "board": board, "share": share}
        case events.Reshuffled():
            return {"reshuffled": True}
        case _:
            return _cards_event(event, player) or _rows_event(event, player)


def _cards_event(event: Event, player: dict[int, int]) -> dict[str, object]:
    match event:
        case events.HoleDealt(seat, cards):
            return {"hole_dealt": player[seat], "cards": _joined(cards)}
        case events.StreetDealt(street, cards):
            return {"street_dealt": _joined(cards), "street": street}
        case events.RunDealt(board, street, cards):
            return {"street_dealt": _joined(cards), "street": street, "board": board}
        case events.Shown(seat, cards):
            return {"shown": player[seat], "cards": _joined(cards)}
        case events.Mucked(seat):
            return {"mucked": player[seat]}
        case _:
            return {}


def _rows_event(event: Event, player: dict[int, int]) -> dict[str, object]:
    match event:
        case events.Acted(seat, Lay() as action):
            return {
                "laid": player[seat],
                "rows": [_joined(row) for row in action.rows],
                "counts": action.counts,
            }
        case events.Scored(seat, points, chips, _, fouled):
            return {"scored": player[seat], "points": points, "chips": chips, "fouled": fouled}
        case _:
            return {}


def _joined(cards: tuple[Card, ...]) -> str:
    return "".join(map(str, cards))


def scene_of(line: str) -> Scene:
    """Return the hand of a line for the page that replays hands."""
    plain: dict[str, Any] = parse_json(line)
    game = game_named(plain["game"])
    return Scene(
        title=game.title,
        players=plain["players"],
        stacks=plain["stacks"],
        finishing=plain["finishing"],
        events=_events(plain),
        street=game.streets[0].name,
        board_cards=game.board_cards,
        open_face=game.open_face,
    )


def _events(plain: dict[str, Any]) -> Iterator[Event]:
    """Yield the events of a line; an action's cost follows from the bets before it."""
    stacks = list(plain["stacks"])
    bets = [0] * len(stacks)
    for one in plain["events"]:
        match one:
            case {"posted": player, "kind": kind, "amount": amount}:
                stacks[player] -= amount
                post = events.Post(kind)
                bets[player] += amount if post.is_bet else 0
                yield events.Posted(player, post, amount)
            case {"acted": player, "move": move}:
                most = max(bets)
                total = one.get("to", bets[player] if move == "fold" else most)
                paid = min(total - bets[player], stacks[player])
                stacks[player], bets[player] = stacks[player] - paid, bets[player] + paid
                yield events.Acted(player, _action(move, total, paid, most), paid, stacks[player] == 0 < paid)
            case {"street_dealt": cards, "street": street}:
                bets = bets if one.get("board") else [0] * len(stacks)
                board = one.get("board", 0)
                new = _cards(cards)
                yield events.RunDealt(board, street, new) if board else events.StreetDealt(street, new)
            case _:
                yield _other_event(one)


def _action(move: str, total: int, paid: int, most: int) -> Fold | Check | Call | Bet | RaiseTo:
    if move == "raise":
        return RaiseTo(total) if most else Bet(total)
    return Fold() if move == "fold" else Call() if paid else Check()


def _other_event(one: dict[str, Any]) -> Event:
    match one:
        case {"hole_dealt": player, "cards": cards}:
            return events.HoleDealt(player, _cards(cards))
        case {"shown": player, "cards": cards}:
            return events.Shown(player, _cards(cards))
        case {"mucked": player}:
            return events.Mucked(player)
        case {"awarded": player, "amount": amount, "board": board, "share": share}:
            return events.Awarded(0, player, amount, board, share)
        case {"laid": player, "rows": rows, "counts": counts}:
            top, middle, bottom = map(_cards, rows)
            return events.Acted(player, Lay(top, middle, bottom, tuple(counts)), 0, False)
        case {"scored": player, "points": points, "chips": chips, "fouled": fouled}:
            return events.Scored(player, points, chips, 0, fouled)
        case _:
            return events.Reshuffled(0)


def _cards(text: str) -> tuple[Card, ...]:
    return tuple([UNKNOWN if name == "??" else Card(name) for name in re.findall("..", text)])
