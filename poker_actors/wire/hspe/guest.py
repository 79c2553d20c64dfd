"""A room's player actor, with any bot, as a guest at an HSPE server, and the public state that it reads from a game's picture."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

import attrs

from poker_actors.actors import Player
from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.history import HandHistory, Showed, parse, replay
from poker_actors.rules import Bet, Call, Fold, Hand, PublicState, RaiseTo, Stakes
from poker_actors.wire.guest import PlayerGuest
from poker_actors.wire.hspe.client import Client
from poker_actors.wire.hspe.routes import ServerRefusal

STAKES: Final = Stakes(10, 20)
"""The stakes of the contract."""
_HOLE: Final = 2
_BOARD: Final = 5
_SENSELESS: Final = 2**53
"""Above this a minimum raise is the Go server's integer underflow: no wealth can reach it."""

_CHIPS: Final = range(2**64)
_GAME: Final = {
    "table": [{"playerID": str, "state": str, "wealth": _CHIPS, "bet_so_far": _CHIPS}],
    "turn": {"playerID": str, "bet_to_player": _CHIPS, "minimum_raise": _CHIPS},
    "cards": dict.fromkeys(("hole", "flop", "turn", "river"), ([str], None)),
    "pots": ([{"size": _CHIPS, "players": [str]}], None),
    "last_winners": ([{"PlayerID": str, "Hand": [str]}], None),
}
_START: Final = {
    "hand_id": str, "hole": [str], "names": [(str, None)], "button": range(10), "starting_stacks": [_CHIPS],
}  # fmt: skip


def checked(game: Any) -> dict[str, Any]:
    """Return a game if it has every field that guests read; raises `ServerRefusal` if it does not."""
    plain = {"last_winners": None} | game if isinstance(game, dict) else {}
    if not _fits(plain, _GAME):
        raise ServerRefusal("the answer is not an HSPE game", status=200)
    return plain


def start_of(heard: Any) -> dict[str, Any] | None:
    """Return the start of a hand as a poker_actors server has sent it; None if it has sent none."""
    start = heard.get("start")
    if not _fits(start, _START) or len(start["names"]) != len(start["starting_stacks"]):
        return None
    return dict(start)


def _fits(value: Any, shape: object) -> bool:
    """Return whether a value has a shape: keys with theirs, a list of one shape, one of a tuple, a number in a range."""
    match shape:
        case dict():
            return isinstance(value, dict) and all(
                _fits(value.get(key, ...), one) for key, one in shape.items()
            )
        case list():
            return isinstance(value, list) and all(_fits(item, shape[0]) for item in value)
        case tuple():
            return any(_fits(value, one) for one in shape)
        case range():
            return type(value) is int and value in shape
        case type():
            return isinstance(value, shape)
    return value is shape


def hole_of(game: dict[str, Any]) -> tuple[Card, ...]:
    """Return this player's hole cards; empty when not dealt in."""
    return _read(game["cards"]["hole"])


def board_of(game: dict[str, Any]) -> tuple[Card, ...]:
    """Return the common cards."""
    cards = game["cards"]
    return _read(cards["flop"]) + _read(cards["turn"]) + _read(cards["river"])


def _read(cards: list[str] | None) -> tuple[Card, ...]:
    return parse_cards(" ".join(card[:1] + card[1:].lower() for card in cards or ()))


def is_over(game: dict[str, Any]) -> bool:
    """Return whether no hand is being played: nobody is to act, and there are no pots."""
    return not game["turn"]["playerID"] and not game["pots"]


def is_next(table: Sequence[dict[str, Any]], game: dict[str, Any]) -> bool:
    """Return whether the game shows the first street of the very next hand after that of `table`.

    The small blind passes to the next place; on the original server, to the last, which becomes the table's
    first.
    """
    before, now = ([player["playerID"] for player in one] for one in (table, game["table"]))
    small, after = _small_of(table), _small_of(game["table"])
    if is_over(game) or board_of(game) or small is None:
        return False
    if now == before:
        return after == (small + 1) % len(now)
    return now == [*before[-1:], *before[:-1]] and small == after == 0


def arranged(game: dict[str, Any], players: Sequence[str]) -> dict[str, Any]:
    """Return the game with these player ids as its `table`, in this order; those who left count as folded, without chips."""
    table = {player["playerID"]: player for player in game["table"]}
    gone = {"state": "folded", "wealth": 0, "bet_so_far": 0}
    return game | {"table": [table.get(one, gone | {"playerID": one}) for one in players]}


def public_of(
    game: dict[str, Any], stakes: Stakes = STAKES, stacks: tuple[int, ...] | None = None
) -> PublicState:
    """Return the public state at somebody's turn; seats are places in the game's `table`.

    The contract gives neither earlier bets by player nor the order of actions. So earlier chips are divided
    evenly among the players in their pots, and the log of actions is empty. `stacks` are those of the whole
    table at the start, if known. Raises `BadSpec` for a game in which nobody is to act.
    """
    table = game["table"]
    places = {player["playerID"]: place for place, player in enumerate(table)}
    active = places.get(game["turn"]["playerID"])
    if active is None:
        raise BadSpec("nobody is to act")
    bets = tuple([player["bet_so_far"] for player in table])
    behind = [player["wealth"] for player in table]
    pots = game["pots"] or []
    dealt = {places[one] for pot in pots for one in pot["players"] if one in places}
    live = tuple([place for place, player in enumerate(table) if player["state"] != "folded"])
    small, big, button = _positions(table, sorted(dealt | set(live)))
    earlier = sum(pot["size"] for pot in pots) - sum(bets)
    sharing = sorted(dealt | set(live)) if stacks is None else range(len(table))
    if stacks is None:
        shared = [0] * len(table)
        for place in sharing:
            shared[place] = behind[place] + bets[place] + earlier // len(sharing)
        shared[sharing[0]] += earlier % len(sharing)
        stacks = tuple(shared)
    # players who are not in the hand have no chips in it
    left = tuple([chips if place in sharing else 0 for place, chips in enumerate(behind)])
    board = board_of(game)
    street = {0: 0, 3: 1, 4: 2}.get(len(board), 3)
    blank = _blank(stakes).dealt
    setup = blank.setup._replace(stacks=stacks, button=button, small_blind=small, big_blind=big)
    waiting = [place for place in live if table[place]["state"] == "active" and place != active]
    order = sorted(waiting, key=lambda place: (place - active) % len(table))
    opened = blank._replace(setup=setup, street=street, board=board, marks=(0,) * (street + 1))
    bet = game["turn"]["bet_to_player"]
    least = _least_raise(game["turn"], stakes)
    return PublicState(opened, 0, left, bets, live, (active, *order), bet, least)


def end_of(first: PublicState, board: tuple[Card, ...], game: dict[str, Any]) -> PublicState | None:
    """Return the end of a hand that began as `first`, from its `board` and a picture after it, of the same players.

    The picture is of a pause, or of the next hand (`is_next`), where all chips bet are still in front. The contract
    tells neither actions nor shows: the log is empty, and a player in the original's `last_winners` showed if two of
    the five cards are not on a complete board. None if the picture's chips cannot be those after the hand, because
    somebody has left or bought in again.
    """
    table, start = game["table"], first.setup.stacks
    final = tuple([player["wealth"] + (0 if is_over(game) else player["bet_so_far"]) for player in table])
    dealt = [player for player, stack in zip(table, start, strict=True) if stack]
    made = sum(final) - sum(start)
    # the original gives each winner of an odd pot the chip that is left
    if not 0 <= made < len(dealt):
        return None
    places = {player["playerID"]: place for place, player in enumerate(table)}
    shown = []
    for winner in game.get("last_winners") or ():
        own = tuple([card for card in _read(winner["Hand"]) if card not in board])
        if winner["PlayerID"] in places and len(board) == _BOARD and len(own) == _HOLE:
            shown.append((places[winner["PlayerID"]], own))
    blank = (0,) * len(final)
    over = first.dealt._replace(street=len(first.setup.game.streets), board=board, shown=tuple(shown))
    return first._replace(
        dealt=over, chips_behind=final, chips_in_front=blank, seats_to_act=(), bet=0, min_raise_to=0
    )


def end_told(history: HandHistory, hole: tuple[Card, ...], seat: int) -> PublicState | None:
    """Return the end of the hand that `seat` was dealt `hole` in, from its history; None if it is of another hand.

    Seats are the history's players, from the left of the button.
    """
    holes = history.told_cards().holes
    if not seat < history.size or set(holes[seat]) != set(hole):
        return None
    played = replay(history)
    if played.final_stacks is None or not played.hand.over:
        return None
    public = played.hand.public()
    shown = tuple(
        [(step.player, step.cards) for step in history.steps if isinstance(step, Showed) and step.cards]
    )
    return public._replace(dealt=public.dealt._replace(shown=shown), chips_behind=played.final_stacks)


@cache
def _blank(stakes: Stakes) -> PublicState:
    """Return the state of an arbitrary hand at these stakes, to be filled in."""
    return Hand([stakes.big_blind] * 2, stakes, deck=Deck.seeded(0)).public()


def _positions(table: list[dict[str, Any]], dealt: list[int]) -> tuple[int, int, int]:
    """Return small blind, big blind and button, guessed where the server does not mark them."""
    marked = _small_of(table)
    small = marked if marked in dealt else dealt[0]
    around = sorted(dealt, key=lambda place: (place - small) % len(table))
    big = around[1 % len(around)]
    return small, big, around[0] if len(around) == 2 else around[-1]


def _small_of(table: Sequence[dict[str, Any]]) -> int | None:
    """Return the place that is marked as the small blind."""
    marked = [
        place for place, player in enumerate(table) if player.get("small_blind", player.get("small blind"))
    ]
    return marked[0] if marked else None


def _least_raise(turn: dict[str, Any], stakes: Stakes) -> int:
    """Return the total of the smallest raise; 0 when none is possible."""
    bet, least = turn["bet_to_player"], turn["minimum_raise"]
    if least > _SENSELESS:
        return 0
    if not bet:
        return int(max(least, stakes.min_bet))
    return int(bet + least) if least else 0


_POLL_SECONDS: Final = 0.05
"""The original's README asks clients for at most one request per 50 ms."""
_LOST_SECONDS: Final = 60.0
"""How long a server may be away, as during a restart."""
_END_POLLS: Final = 20
"""Polls after a hand for which its end is asked for: a poker_actors server has it when the chips are paid."""
_AWAY: Final = 503
_NOT_NOW: Final = (403, 409, 429)
"""Refusals that later turns need not meet: another's turn, a hand that is over, too many requests."""


@attrs.define
class _Heard:
    """A hand as it is followed from picture to picture."""

    players: tuple[str, ...]
    """ids, by seat"""
    names: tuple[str, ...]
    first: PublicState
    """when it was first seen"""
    seat: int
    hole: tuple[Card, ...]
    table: list[dict[str, Any]]
    """as it was first seen"""
    board: tuple[Card, ...] = ()
    """as far as it was seen"""
    stacks: tuple[int, ...] | None = None
    """at the start; None if it was first seen too late to know"""
    hand_id: str = ""
    """its id at a poker_actors server, which has told who plays, and will tell how it ended; empty at others"""
    waited: int = 0
    """polls since it was over"""
    over: bool = False
    """whether its end was told, or will never be known"""
    played: bool = False
    """whether the player has had a turn"""


class Guest(PlayerGuest):
    """Plays for `player` at a game of `client`'s server, polling it every `poll` seconds.

    The room of `player` must be on a `StepRuntime`; the guest steps it until the player has decided. A request without
    an answer is not repeated: the next poll shows whether it is still this player's turn. A player whose bot listens is
    told of starts and ends: in full from a poker_actors server, from pictures elsewhere; see docs/bots.md.
    """

    def __init__(
        self,
        player: Player,
        client: Client,
        game_id: str,
        *,
        poll: float = _POLL_SECONDS,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(player)
        self.client: Final = client
        self.game_id: Final = game_id
        self.wealth = 0
        """chips at the last poll"""
        self._poll = poll
        self._sleep = sleep
        self._clock = clock
        self._seated = False
        self._stakes: Stakes | None = None
        self._hand: _Heard | None = None
        self._begun = 0
        """hands whose start was seen"""
        self._ours = True
        """whether the server has routes beyond HSPE's, as far as known"""

    def play(self, hands: int | None = None) -> None:
        """Play until removed, or for `hands` hands in which it had a turn; then leave.

        Raises `OSError` once the server has not answered for a minute, and `ServerRefusal` once it has
        answered 503 for as long, or at once for a status that waiting does not change.
        """
        heard = self._clock()
        while True:
            try:
                if not self._follow(checked(self.client.game(self.game_id)), hands):
                    return
                heard = self._clock()
            except (ServerRefusal, OSError) as error:
                status = error.status if isinstance(error, ServerRefusal) else _AWAY
                if status in _NOT_NOW:
                    heard = self._clock()
                elif status != _AWAY or self._clock() - heard > _LOST_SECONDS:
                    raise
            self._sleep(self._poll)

    def _follow(self, game: dict[str, Any], hands: int | None) -> bool:
        """Act if it is the player's turn; return whether to stay in the game."""
        me = next((one for one in game["table"] if one["playerID"] == self.client.player_id), None)
        if me is None:
            return not self._seated  # not seated yet, it waits in the queue; afterwards it was removed
        self._seated = True
        self.wealth = me["wealth"]
        enough = hands is not None and self.hands >= hands
        self._hear(game, goes_on=not enough)
        heard = self._hand
        if enough and (heard is None or heard.over):
            self.client.leave(self.game_id)
            return False
        if game["turn"]["playerID"] == self.client.player_id and hole_of(game):
            assert heard is not None, "a hand in which it has cards has begun"
            self.hands += not heard.played
            heard.played = True
            self._act(game, heard)
        return True

    def _stakes_here(self) -> Stakes:
        """Ask a poker_actors server for the stakes, once; others lack that route and play HSPE's own stakes."""
        if self._stakes is None:
            try:
                told = self.client.table(self.game_id)["stakes"]
                self._stakes = Stakes(told["small_blind"], told["big_blind"])
            except (ServerRefusal, BadSpec, KeyError, TypeError):
                self._stakes = STAKES
        return self._stakes

    # -- hearing -----------------------------------------------------------------------------------

    def _hear(self, game: dict[str, Any], *, goes_on: bool) -> None:
        """Begin or end a hand when a picture shows it, and tell a player who listens."""
        heard, hole, board = self._hand, hole_of(game), board_of(game)
        playing, new = bool(game["turn"]["playerID"]), True
        if heard is not None and not heard.over:
            new = bool(hole and hole != heard.hole) or (playing and len(board) < len(heard.board))
            if not new and hole:
                heard.board = board
            if new or is_over(game):
                self._ends(heard, game, new=new)
        if goes_on and new and hole and playing:
            self._hand = self._began(game, hole)
            self.begin(self.game_id, self._begun if self.player.hears else self.hands)
            self._begun += 1
            self.tell(self._hand.first, self._hand.seat, hole, self._hand.names)

    def _ends(self, heard: _Heard, game: dict[str, Any], *, new: bool) -> None:
        """Tell the player how a hand ended; with a `new` hand in the picture, or after some polls, do so now or never."""
        heard.waited += 1
        last = new or heard.waited > _END_POLLS or not self.player.hears
        public = self._end_told(heard)
        known = heard.stacks is not None and (not new or is_next(heard.table, game))
        if public is None and known and (last or not heard.hand_id):
            public = end_of(heard.first, heard.board, arranged(game, heard.players))
        heard.over = last or public is not None
        if public is not None:
            self.tell(public, heard.seat, heard.hole, heard.names)

    def _began(self, game: dict[str, Any], hole: tuple[Card, ...]) -> _Heard:
        """Return a hand as it is first seen; seats are from the left of the button if the server says who was dealt in."""
        stakes = self._stakes_here()
        players = [player["playerID"] for player in game["table"]]
        names = {player["playerID"]: player.get("handle") or player["playerID"] for player in game["table"]}
        hand_id, stacks, start = "", None, self._start_told()
        if self.player.hears and not board_of(game):
            stacks = tuple([player["wealth"] + player["bet_so_far"] for player in game["table"]])
        if start is not None and set(start["hole"]) == set(map(str, hole)):
            ids = {name: player for player, name in names.items()}
            size = len(start["names"])
            around = [(start["button"] + 1 + step) % size for step in range(size)]
            dealt = [seat for seat in around if start["starting_stacks"][seat]]
            if all(start["names"][seat] in ids for seat in dealt):
                hand_id, players = start["hand_id"], [ids[start["names"][seat]] for seat in dealt]
                stacks = tuple([start["starting_stacks"][seat] for seat in dealt])
        return _Heard(
            players=tuple(players),
            names=tuple([names[one] for one in players]),
            first=public_of(arranged(game, players), stakes, stacks),
            seat=players.index(self.client.player_id),
            hole=hole,
            table=game["table"],
            board=board_of(game),
            stacks=stacks,
            hand_id=hand_id,
        )

    def _start_told(self) -> dict[str, Any] | None:
        """Ask a poker_actors server how the hand began."""
        if not (self.player.hears and self._ours):
            return None
        try:
            return start_of(self.client.heard(self.game_id))
        except ServerRefusal:
            self._ours = False
            return None

    def _end_told(self, heard: _Heard) -> PublicState | None:
        """Ask a poker_actors server for the history of a hand; None if it does not have it, or not yet."""
        if not heard.hand_id:
            return None
        try:
            line = json.dumps(self.client.hand(self.game_id, heard.hand_id))
        except ServerRefusal:
            return None
        return end_told(parse(line, "jsonl")[0], heard.hole, heard.seat)

    def _act(self, game: dict[str, Any], heard: _Heard) -> None:
        public = public_of(arranged(game, heard.players), self._stakes_here(), heard.stacks)
        seat = public.seats_to_act[0]
        match self.answer_of(public, seat, hole_of(game), heard.names):
            case Fold() | None:
                self.client.fold(self.game_id)
            case Call():
                self.client.bet(self.game_id, public.to_call(seat))
            case Bet(total) | RaiseTo(total):
                self.client.bet(self.game_id, total - public.chips_in_front[seat])
            case _:
                self.client.bet(self.game_id, 0)
