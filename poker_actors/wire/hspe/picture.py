"""Convert a game, as the server shows it, to the public state that our bots read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.history import HandHistory, Showed, replay
from poker_actors.rules import Hand, PublicState, Stakes
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
    """Return a game if all that is read of it here is there; raises `ServerRefusal` if it is not."""
    plain = {"last_winners": None} | game if isinstance(game, dict) else {}
    if not _fits(plain, _GAME):
        raise ServerRefusal("the answer is not an HSPE game", status=200)
    return plain


def start_of(heard: Any) -> dict[str, Any] | None:
    """Return the start of a hand as a server of ours has told it; None if it has told none."""
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
    """Return the game with these player ids for its `table`, in this order; who left has folded and has no chips."""
    table = {player["playerID"]: player for player in game["table"]}
    gone = {"state": "folded", "wealth": 0, "bet_so_far": 0}
    return game | {"table": [table.get(one, gone | {"playerID": one}) for one in players]}


def public_of(
    game: dict[str, Any], stakes: Stakes = STAKES, stacks: tuple[int, ...] | None = None
) -> PublicState:
    """Return the public state at somebody's turn; seats are places in the game's `table`.

    The contract tells neither earlier bets by player nor the order of actions: earlier chips are divided
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
    """Return the state of some hand at these stakes, to be filled in."""
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
