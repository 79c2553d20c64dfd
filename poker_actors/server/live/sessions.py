"""What a random token gives access to: a log-in, which replaces the password for a while, or a shared hand."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable
from typing import Any, Final

import attrs

from poker_actors.errors import BadJournal, TableRefusal
from poker_actors.jsontext import parse_json
from poker_actors.server.contract import answers
from poker_actors.server.notes import Notes
from poker_actors.server.users import User, Users

SESSION_SECONDS: Final = 30 * 86_400
_NOTE: Final = "session/"
_ID_LENGTH: Final = 16
"""Digits of a digest that serve as its public id."""
_EACH: Final = 16
"""The most log-ins of one user: enough for all devices, too few to crowd out other users."""


@attrs.frozen
class _Session:
    user: str
    until: float


class Sessions:
    """Browser log-ins in the room's journal. Only digests of tokens are kept: a leaked journal logs nobody in.

    At most `most` at a time; the oldest goes first. `now` returns seconds since 1970.
    """

    def __init__(self, users: Users, notes: Notes, now: Callable[[], float], *, most: int = 10_000) -> None:
        self._users = users
        self._notes = notes
        self._now = now
        self._most = most
        self._open: dict[str, _Session] = notes.read(_NOTE, lambda digest, text: _read(text))
        self.forget_over()

    def forget_over(self) -> None:
        """Forget expired log-ins; raises `StorageFailed`."""
        now = self._now()
        self._forget([digest for digest, one in self._open.items() if one.until <= now])

    def begin(self, user: User) -> str:
        """Log in a user whose password has been proven; return the token."""
        own = [digest for digest, one in self._open.items() if one.user == user.id]
        self._forget(own[: len(own) - _EACH + 1] if len(own) >= _EACH else [])
        self._forget(list(self._open)[: max(0, len(self._open) - self._most + 1)])
        token = secrets.token_urlsafe(32)
        digest, session = _digest(token), _Session(user.id, self._now() + SESSION_SECONDS)
        # write first: a log-in kept in memory only would end at the next restart
        self._notes.put(f"{_NOTE}{digest}", json.dumps({"user": session.user, "until": int(session.until)}))
        self._open[digest] = session
        return token

    def user(self, token: str) -> User | None:
        """Return the user logged in with this token, or None.

        The token is looked up by its digest, so that timing reveals nothing about any token.
        """
        session = self._open.get(_digest(token))
        if session is None or session.until <= self._now():
            return None
        return self._users.get(session.user)

    def end(self, token: str) -> None:
        """End the log-in of this token, if there is one."""
        self._forget([_digest(token)] if _digest(token) in self._open else [])

    def of(self, user: User, here: str | None = None) -> list[answers.Session]:
        """Return a user's log-ins: a public id, and when each expires (seconds since 1970); `here` is one."""
        return [
            {"id": digest[:_ID_LENGTH], "until": int(one.until), "here": digest[:_ID_LENGTH] == here}
            for digest, one in self._open.items()
            if one.user == user.id and one.until > self._now()
        ]

    def id_of(self, token: str | None) -> str | None:
        """Return the public id of a token."""
        return None if token is None else _digest(token)[:_ID_LENGTH]

    def revoke(self, user: User, *, only: str | None = None, but: str | None = None) -> int:
        """End a user's log-ins: all, only the one with the id `only`, or all but `but`; return how many."""
        ended = [
            digest
            for digest, one in self._open.items()
            if one.user == user.id and only in (None, digest[:_ID_LENGTH]) and digest[:_ID_LENGTH] != but
        ]
        self._forget(ended)
        return len(ended)

    def _forget(self, digests: list[str]) -> None:
        # write first: if that fails, the log-in is still listed and can be ended again
        self._notes.forget([f"{_NOTE}{digest}" for digest in digests])
        for digest in digests:
            del self._open[digest]

    def __len__(self) -> int:
        return len(self._open)

    def __repr__(self) -> str:
        return f"<Sessions: {len(self)}>"


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def _read(text: str) -> _Session:
    try:
        plain = parse_json(text)
        return _Session(str(plain["user"]), float(plain["until"]))
    except (ValueError, KeyError, TypeError):
        raise BadJournal("the record of a session cannot be read") from None


# -- links to hands: anyone with a link sees the hand as the sharing player does --------------

SHARED_EACH: Final = 50
"""The most links of one user; beyond it the oldest is forgotten."""
_LINKS: Final = "shared/"


@attrs.frozen
class _Shared:
    user_id: str
    hand_id: str
    text: str = attrs.field(repr=False)
    """the history, with the cards its owner may see"""


class Shares:
    """Links to hands, by unguessable token; kept in the room's journal."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._kept = notes.read(_LINKS, lambda token, text: _read_shared(text))

    def share(self, user_id: str, hand_id: str, text: str) -> str:
        """Return the token for a hand as this user sees it; the same token for the same hand."""
        own = [token for token, one in self._kept.items() if one.user_id == user_id]
        for token in own:
            if self._kept[token].hand_id == hand_id:
                return token
        if len(own) >= SHARED_EACH:
            self._forget(own[0])
        token, shared = secrets.token_urlsafe(16), _Shared(user_id, hand_id, text)
        # write first: a link kept in memory only would break at the next restart
        self._notes.put(f"{_LINKS}{token}", json.dumps(attrs.asdict(shared)))
        self._kept[token] = shared
        return token

    def find(self, token: str) -> str:
        """Return the history behind a link; raises `TableRefusal` (`no_hand`)."""
        shared = self._kept.get(token)
        if shared is None:
            raise TableRefusal("there is no shared hand here, or it is no longer shared", code="no_hand")
        return shared.text

    def end(self, user_id: str, token: str) -> None:
        """Stop sharing a hand; raises `TableRefusal` (`no_hand`) for a link that is not this user's."""
        shared = self._kept.get(token)
        if shared is None or shared.user_id != user_id:
            raise TableRefusal("you do not share a hand by this link", code="no_hand")
        self._forget(token)

    def forget_gone(self, users: Users) -> None:
        """Stop sharing the hands of deleted accounts."""
        for token in [token for token, one in self._kept.items() if users.get(one.user_id) is None]:
            self._forget(token)

    def of(self, user_id: str) -> dict[str, str]:
        """Return a user's links: hand id -> token."""
        return {one.hand_id: token for token, one in self._kept.items() if one.user_id == user_id}

    def _forget(self, token: str) -> None:
        self._notes.put(f"{_LINKS}{token}", None)
        del self._kept[token]

    def __repr__(self) -> str:
        return f"<Shares: {len(self._kept)}>"


def _read_shared(text: str) -> _Shared:
    try:
        plain: Any = parse_json(text)
        return _Shared(str(plain["user_id"]), str(plain["hand_id"]), str(plain["text"]))
    except (ValueError, KeyError, TypeError):
        raise BadJournal("the record of a shared hand cannot be read") from None
