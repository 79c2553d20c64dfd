"""The two dialects of the API, of HSPE's README and of its Go server, as one table of differences."""

from __future__ import annotations

from typing import Final, Literal

import attrs

_JSON: Final = "application/json"
_TEXT: Final = "text/plain; charset=utf-8"


@attrs.frozen
class Profile:
    """One dialect: every difference is in the requests and answers.

    Both play the same poker, by the rules.
    """

    name: str
    turn_seconds: float
    """the time for a turn"""
    json_type: str
    """Content-Type of successful answers with a body"""
    id_in_object: bool
    """POST /users/ answers ``{"PlayerID": GUID}`` instead of a bare JSON string"""
    known_user: int
    """status of POST /users/ for a name that is registered with the same password"""
    no_credentials: int
    """status if credentials are missing or unreadable"""
    made: int
    """status of POST /games/"""
    joined: int
    """status of POST /games/ID/players/ if there is a seat; 202 if the player has to wait"""
    join_gives_game: bool
    """joining answers the Game instead of the player's id as a JSON string"""
    out_of_turn: int
    """status of an act on another player's turn"""
    stranger: int
    """status of GET /games/ID with credentials of a user who does not sit there"""
    holes_in_list: bool
    """GET /games/ with credentials shows the asker's hole cards"""
    players_shown: bool
    """GET /games/ID/players/ answers Players instead of empty objects"""
    handles: bool
    """a Player's handle is the username instead of empty"""
    small_blind_keys: tuple[Literal["small_blind", "small blind"], ...]
    """the types say `small_blind`, the README's example `small blind`"""
    last_winners: bool
    """a Game has `last_winners`: null, [] if all others folded, else the winners who showed"""
    says_why: bool
    """a Game has `invalid_bet`: the bet that folded somebody in this hand, and why"""
    negative_folds: bool
    """a negative bet is invalid and folds, instead of being answered as unreadable (400)"""
    loose_orders: bool
    """an Act's keys may be in any case, missing ones are 0, any action but 0 is a bet"""


README: Final = Profile(
    name="readme",
    turn_seconds=15.0,
    json_type=_JSON,
    id_in_object=False,
    known_user=403,
    no_credentials=401,
    made=201,
    joined=201,
    join_gives_game=False,
    out_of_turn=403,
    stranger=200,
    holes_in_list=True,
    players_shown=True,
    handles=True,
    small_blind_keys=("small_blind", "small blind"),
    last_winners=False,
    says_why=True,
    negative_folds=True,
    loose_orders=False,
)

GO: Final = Profile(
    name="go",
    turn_seconds=100.0,
    json_type=_TEXT,
    id_in_object=True,
    known_user=201,
    no_credentials=400,
    made=202,
    joined=202,
    join_gives_game=True,
    out_of_turn=409,
    stranger=403,
    holes_in_list=False,
    players_shown=False,
    handles=False,
    small_blind_keys=("small_blind",),
    last_winners=True,
    says_why=False,
    negative_folds=False,
    loose_orders=True,
)

PROFILES: Final = {profile.name: profile for profile in (README, GO)}
