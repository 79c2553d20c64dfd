"""Games as clients see them: HSPE's JSON in either dialect, with hole cards for their owner only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, Literal

from poker_actors.cards import Card
from poker_actors.rules import Call, Pot, PublicState
from poker_actors.rules.log import Logged
from poker_actors.server.contract import tables
from poker_actors.server.hspe.game import Game
from poker_actors.server.hspe.roster import Member
from poker_actors.server.hspe.setting import SEATS, Profile

_NEVER: Final = "0001-01-01 00:00:00 +0000 UTC"
"""The zero time of Go, as the reference server writes it."""


def game_json(game: Game, profile: Profile, owner: str | None = None) -> tables.Game:
    """Return a Game, with the hole cards of user id `owner` if dealt in."""
    public = game.public
    own = None if owner is None else game.own_hand(owner)
    pots: list[tables.OldPot] | None = None
    if public is not None and not public.over:
        pots = [
            {"size": pot.amount, "players": [game.at[seat].user.id for seat in pot.seats]}
            for pot in round_pots(public)
        ]
    plain: tables.Game = {
        "gameID": game.id,
        "table": players_json(game, profile),
        "turn": _turn(game),
        "cards": _cards(() if own is None else own.hole, () if public is None else public.board),
        "pots": pots,
    }
    if profile.last_winners:
        plain["last_winners"] = _winners(game)
    if profile.says_why:
        plain["invalid_bet"] = _invalid_bet(game)
    return plain


def players_json(game: Game, profile: Profile) -> list[tables.Player]:
    """Return the Players of a game by seat, those dealt in first."""
    members, public = game.roster.playing.values(), game.public
    seats = {
        member.user.id: seat
        for seat, member in game.at.items()
        if member in members and public is not None and public.setup.stacks[seat]
    }
    order = sorted(members, key=lambda member: seats.get(member.user.id, SEATS))
    return [_player(game, member, seats.get(member.user.id), profile) for member in order]


def _player(game: Game, member: Member, seat: int | None, profile: Profile) -> tables.Player:
    user = member.user
    public = game.public
    plain: tables.Player = {
        "playerID": user.id,
        "handle": user.name if profile.handles else "",
        "state": "folded",  # not dealt in yet: nothing to do in this hand
        "wealth": member.wealth,
        "bet_so_far": 0,
    }
    small = False
    if seat is not None and public is not None:
        plain["state"] = _state(public, seat)
        plain["wealth"] = public.chips_behind[seat]
        plain["bet_so_far"] = 0 if public.over else public.chips_in_front[seat]
        small = public.setup.small_blind == seat
    for key in profile.small_blind_keys:
        plain[key] = small
    return plain


def _state(public: PublicState, seat: int) -> Literal["active", "called", "folded"]:
    if seat in public.seats_to_act:
        return "active"
    return "called" if seat in public.seats_live else "folded"


def _turn(game: Game) -> tables.OldTurn:
    turn = game.turn
    if turn is None:
        return {
            "playerID": "",
            "bet_so_far": 0,
            "bet_to_player": 0,
            "minimum_raise": 0,
            "expiry": _NEVER,
        }
    public = turn.state.public
    return {
        "playerID": turn.user,
        "bet_so_far": public.chips_in_front[turn.state.seat],
        "bet_to_player": public.bet,
        "minimum_raise": max(0, public.min_raise_to - public.bet),
        "expiry": _go_time(turn.expiry),
    }


def _go_time(seconds: float) -> str:
    """Write a time as Go prints it, `2014-09-24 15:14:53.021303 +0000 UTC`."""
    offset = len("+00:00")
    return f"{datetime.fromtimestamp(seconds, UTC).isoformat(' ', 'microseconds')[:-offset]} +0000 UTC"


def _cards(hole: Iterable[Card], board: tuple[Card, ...]) -> tables.OldCards:
    def texts(cards: Iterable[Card]) -> list[str] | None:
        return sorted(map(_card, cards)) or None

    return {
        "hole": texts(hole),
        "flop": texts(board[:3]),
        "turn": texts(board[3:4]),
        "river": texts(board[4:5]),
    }


def _card(card: Card | str) -> str:
    return str(card).upper()


def _winners(game: Game) -> list[tables.OldWinner] | None:
    if game.winners is None:
        return None
    return [{"PlayerID": user_id, "Hand": [_card(card) for card in five]} for user_id, five in game.winners]


def _invalid_bet(game: Game) -> tables.Invalid | None:
    bet = game.invalid_bet
    if bet is None:
        return None
    return {"playerID": bet.user, "betAmount": bet.amount, "reason": bet.reason}


# -- pots and words ---------------------------------------------------------------------------

_ALL_IN = " all-in"


def round_pots(public: PublicState) -> list[Pot]:
    """Return the pots of a hand, the earliest first; `Pot.seats` are the seats that have bet into it.

    A round without bets has an empty pot of those still in the hand. Their sum is `public.pot`; a finished
    hand has none.
    """
    if public.over:
        return []
    setup = public.setup
    size = len(setup.stacks)
    live = [seat for seat in range(size) if setup.stacks[seat]]
    behind = list(setup.stacks)
    pots: list[Pot] = []
    for front, folded in public.log.rounds():
        sharing = live
        live = [seat for seat in live if seat not in folded]
        behind = [chips - bet for chips, bet in zip(behind, front, strict=True)]
        all_in = [seat for seat in live if not behind[seat]]
        pots += _layers(front, all_in) or [Pot(0, tuple(sharing))]
    return pots


def side_pots(public: PublicState) -> list[Pot]:
    """Return main and side pots as a dealer stacks them; `Pot.seats` are the seats that can win each."""
    if public.over:
        return []
    live = public.seats_live
    all_in = [seat for seat in live if not public.chips_behind[seat]]
    pots: list[Pot] = []
    for pot in _layers(public.log.put_in, all_in):
        seats = tuple(seat for seat in pot.seats if seat in live)
        if pots and seats in (pots[-1].seats, ()):
            pots[-1] = Pot(pots[-1].amount + pot.amount, pots[-1].seats)
        else:
            pots.append(Pot(pot.amount, seats))
    return pots


def last_words(public: PublicState) -> dict[int, str]:
    """Return each seat's last action on this street, such as `call 20`; a fold or all-in stays on later streets."""
    said: dict[int, str] = {}
    begun = 0
    for taken in public.log.streets():
        if begun < public.seq or not public.over:  # the streets of a run-out have no actions
            said = {seat: word for seat, word in said.items() if word == "fold" or word.endswith(_ALL_IN)}
        for one in taken:
            word = _said(one)
            everything = one.put_in == public.setup.stacks[one.seat]
            said[one.seat] = word + _ALL_IN if everything else word
        begun += len(taken)
    return said


def _said(one: Logged) -> str:
    """Return an action in words."""
    if isinstance(one.action, Call):
        return f"call {one.paid}"
    return str(one.action)


def _layers(front: Sequence[int], all_in: Sequence[int]) -> list[Pot]:
    """Divide a round's chips into pots, with a new pot above each all-in seat."""
    pots = []
    below = 0
    for level in sorted({*(front[seat] for seat in all_in), max(front)}):
        seats = tuple(seat for seat, chips in enumerate(front) if chips > below)
        amount = sum(min(front[seat], level) - below for seat in seats)
        if amount:
            pots.append(Pot(amount, seats))
        below = level
    return pots
