"""Share hands by link: anyone with the link sees the hand as the sharing player does."""

from __future__ import annotations

import json
import secrets
from typing import Any, Final

import attrs

from poker_actors.errors import BadJournal, TableRefusal
from poker_actors.jsontext import parse_json
from poker_actors.server.users import Notes, Users

SHARED_EACH: Final = 50
"""The most links of one user; beyond it the oldest is forgotten."""
_NOTE: Final = "shared/"


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
        self._kept = notes.read(_NOTE, lambda token, text: _read(text))

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
        self._notes.put(f"{_NOTE}{token}", json.dumps(attrs.asdict(shared)))
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
            raise TableRefusal("you share no hand by this link", code="no_hand")
        self._forget(token)

    def forget_gone(self, users: Users) -> None:
        """Stop sharing the hands of deleted accounts."""
        for token in [token for token, one in self._kept.items() if users.get(one.user_id) is None]:
            self._forget(token)

    def of(self, user_id: str) -> dict[str, str]:
        """Return a user's links: hand id -> token."""
        return {one.hand_id: token for token, one in self._kept.items() if one.user_id == user_id}

    def _forget(self, token: str) -> None:
        self._notes.put(f"{_NOTE}{token}", None)
        del self._kept[token]

    def __repr__(self) -> str:
        return f"<Shares: {len(self._kept)}>"


def _read(text: str) -> _Shared:
    try:
        plain: Any = parse_json(text)
        return _Shared(str(plain["user_id"]), str(plain["hand_id"]), str(plain["text"]))
    except (ValueError, KeyError, TypeError):
        raise BadJournal("the record of a shared hand cannot be read") from None
