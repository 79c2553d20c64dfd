"""The register of users: names, ids, digests, and a cache of proven passwords; names that look alike, or are reserved."""

from __future__ import annotations

import hmac
import json
import secrets
import threading
import time
import unicodedata
import uuid
from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from typing import Final

import attrs

from poker_actors.errors import BadJournal, BadSpec, TableRefusal
from poker_actors.guard import Passwords
from poker_actors.jsontext import parse_json
from poker_actors.server.notes import Notes
from poker_actors.store import RoomImage

NAME_LENGTH: Final = 32
"""The longest name, in characters: what a table on a phone can show."""
_PASSWORD_LENGTH: Final = 128
"""The longest password, in characters: a longer one would only cost time to digest."""
_REMEMBERED: Final = 10_000
"""The most proven log-ins kept in memory; the least recently used is forgotten first."""
_NOTE: Final = "user/"


@attrs.frozen
class User:
    """A registered user. `id` is a GUID, and the player's name in the Room."""

    name: str
    id: str
    digest: str = attrs.field(repr=False)


class Users:
    """All registered users; calls may come from any thread.

    `add` and `check` are as slow as a digest, to make guessing slow; `recall` is fast for a password that has
    been checked before, so that a polling client does not pay for a digest on each request.
    """

    def __init__(
        self,
        notes: Notes,
        passwords: Passwords,
        *,
        most: int = 100_000,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.notes: Final = notes
        """where they are kept, with the rest of the server's notes"""
        self._passwords = passwords
        self._most = most
        self._now = now
        self._lock = threading.Lock()
        self._key = secrets.token_bytes(32)
        self._proven: OrderedDict[str, bytes] = OrderedDict()
        self._by_name: dict[str, User] = {}
        self._by_id: dict[str, User] = {}
        self._looks: dict[str, tuple[str, ...]] = {}
        """key of `look_alikes` -> names with it; several only if registered before look-alikes were refused"""
        self.dropped = 0
        """how many were deleted since the start"""
        self._unused: dict[str, float] = {}
        """names of users who have not played yet -> time of registration (seconds since 1970)"""
        # unknown names are checked against this digest: a faster answer would reveal that a name is free
        self._nobody = passwords.digest(secrets.token_hex(16))
        for name, (user, made) in notes.read(_NOTE, self._read).items():
            self._keep(user)
            if made is not None:
                self._unused[name] = made
        for name in notes.under(f"{RoomImage.SET_ASIDE}{_NOTE}"):
            # nobody else may take the name before its owner is back
            for key in look_alikes(name):
                self._looks[key] = (*self._looks.get(key, ()), name)

    def _read(self, name: str, text: str) -> tuple[User, float | None]:
        user, made = _user_from(name, text)
        self._passwords.check_readable(user.digest)
        return user, made

    def again(self, notes: Notes) -> Users:
        """Return a register over other notes that shares this cache of proven passwords."""
        users = Users(notes, self._passwords, most=self._most, now=self._now)
        with self._lock:
            users._key, users._proven = self._key, self._proven.copy()
        return users

    def get(self, user_id: str) -> User | None:
        """Return the user with this id, or None."""
        return self._by_id.get(user_id)

    def has(self, name: str) -> bool:
        """Return whether a name is taken."""
        return name in self._by_name

    def add(self, name: str, password: str) -> User:
        """Register a user durably; raises `BadSpec` and `TableRefusal` (`name_taken`, `too_many`).

        A name that looks like an existing one, or like one of the house, counts as taken.
        """
        return self.enter(name, password, self.first_digest(name, password))

    def first_digest(self, name: str, password: str) -> str:
        """Return the digest to `enter` a new name with. Slow, by design; raises like `add`."""
        self.check_name(name, password)
        self._check_free(name)
        return self._passwords.digest(password)

    def enter(self, name: str, password: str, digest: str) -> User:
        """Register a user durably by a password's digest; raises `TableRefusal` (`name_taken`, `too_many`)."""
        user = User(name, str(uuid.uuid4()), digest)
        with self._lock:
            self._check_free(name)  # again: the name may have been taken while the digest was made
            made = self._now()
            # write first: a user kept in memory only would be gone after a restart
            self._note(user, made)
            self._keep(user)
            self._unused[name] = made
            self._remember(name, password)
        return user

    def check(self, name: str, password: str) -> User | None:
        """Return the user if the password is right; None for a wrong password or an unknown name.

        None too if the password was changed or the account deleted while the digest was made.
        """
        user = self._by_name.get(name)
        digest = self._nobody if user is None else user.digest
        same = self._passwords.matches(digest, password[:_PASSWORD_LENGTH])
        if not same or user is None or len(password) > _PASSWORD_LENGTH:
            return None
        with self._lock:
            if self._by_name.get(name) is not user:  # else the old password would be recalled from here on
                return None
            self._remember(name, password)
        return user

    def recall(self, name: str, password: str) -> User | None:
        """Return the user if this password has been proven before, else None; compares in constant time."""
        with self._lock:
            proven = self._proven.get(name)
            if proven is None or not hmac.compare_digest(proven, self._seal(name, password)):
                return None
            self._proven.move_to_end(name)
        return self._by_name.get(name)

    def use(self, user: User) -> None:
        """Record durably that a user has played, so that `forget_unused` spares the account."""
        if user.name in self._unused:
            with self._lock:
                self._note(user, None)
                self._unused.pop(user.name, None)

    def find(self, name: str) -> User:
        """Return the user with exactly this name; raises `TableRefusal` (`no_user`)."""
        user = self._by_name.get(name)
        if user is None:
            raise TableRefusal(f"no user is called {name[:NAME_LENGTH]!r}", code="no_user")
        return user

    def _find_same(self, user: User) -> None:
        """Raise `TableRefusal` (`no_user`) if the account is gone, even if another user now has its name."""
        if self.find(user.name).id != user.id:
            raise TableRefusal(f"the account {user.name!r} is deleted", code="no_user")

    def names(self) -> list[str]:
        """Return all names, in order of registration."""
        return list(self._by_name)

    def next_digest(self, password: str) -> str:
        """Return the digest of a new password, for `set_digest`. Slow, by design; raises `BadSpec`."""
        self._check_password(password)
        return self._passwords.digest(password)

    def set_digest(self, user: User, digest: str) -> User:
        """Change a user's password durably to the digest's; raises `TableRefusal` (`no_user`)."""
        changed = attrs.evolve(user, digest=digest)
        with self._lock:
            self._find_same(user)
            self._note(changed, self._unused.get(user.name))
            self._by_name[user.name] = self._by_id[user.id] = changed
            self._proven.pop(user.name, None)  # else the old password would go on being recalled
        return changed

    def delete(self, user: User) -> None:
        """Delete a user durably, and free the name. The caller checks that the user is in no game."""
        with self._lock:
            self._find_same(user)
            self.notes.put(f"{_NOTE}{user.name}", None)
            self._drop(user)

    def forget_unused(self, before: float) -> int:
        """Delete users who registered before that time (seconds since 1970) and never played; return how many."""
        # listed under the lock, too: a user who plays meanwhile stays
        with self._lock:
            old = [name for name, made in self._unused.items() if made < before]
            for name in old:
                user = self._by_name[name]
                self.notes.put(f"{_NOTE}{name}", None)
                self._drop(user)
        return len(old)

    def _note(self, user: User, made: float | None) -> None:
        plain: dict[str, object] = {"id": user.id, "digest": user.digest}
        if made is not None:
            plain["made"] = int(made)
        self.notes.put(f"{_NOTE}{user.name}", json.dumps(plain))

    @staticmethod
    def check_name(name: str, password: str) -> None:
        """Raise `BadSpec` for an impossible name or password."""
        if not name:
            raise BadSpec("Username cannot be zero-length; choose another username.")
        if len(name) > NAME_LENGTH or not name.isprintable() or name != name.strip():
            raise BadSpec(
                f"a username must be 1 to {NAME_LENGTH} printable characters, without blanks at its ends"
            )
        Users._check_password(password)

    @staticmethod
    def _check_password(password: str) -> None:
        """Raise `BadSpec` for a password that is too long, or empty and so the first guess.

        Accounts of earlier versions that have an empty one keep it.
        """
        if not password:
            raise BadSpec("Password cannot be zero-length; choose a password.")
        if len(password) > _PASSWORD_LENGTH:
            raise BadSpec(f"a password must be at most {_PASSWORD_LENGTH} characters")

    def _check_free(self, name: str) -> None:
        if name in self._by_name:
            raise TableRefusal("Username already exists; choose another username.", code="name_taken")
        if is_of_house(name):
            text = f"{name!r} looks like a house bot's name; choose another username."
            raise TableRefusal(text, code="name_taken")
        like = next((key for key in look_alikes(name) if key in self._looks), None)
        if like is not None:
            text = f"{name!r} looks like {self._looks[like][0]!r}, which exists; choose another username."
            raise TableRefusal(text, code="name_taken")
        if len(self._by_name) >= self._most:
            raise TableRefusal(f"there are {self._most} users, the most allowed", code="too_many")

    def collisions(self) -> list[tuple[str, ...]]:
        """Return groups of names that look alike, registered before look-alikes were refused."""
        return sorted({names for names in self._looks.values() if len(names) > 1})

    def _keep(self, user: User) -> None:
        self._by_name[user.name] = self._by_id[user.id] = user
        for key in look_alikes(user.name):
            self._looks[key] = (*self._looks.get(key, ()), user.name)

    def _drop(self, user: User) -> None:
        del self._by_name[user.name], self._by_id[user.id]
        self.dropped += 1
        self._unused.pop(user.name, None)
        self._proven.pop(user.name, None)
        for key in look_alikes(user.name):
            rest = tuple([name for name in self._looks[key] if name != user.name])
            if rest:
                self._looks[key] = rest
            else:
                del self._looks[key]

    def _remember(self, name: str, password: str) -> None:
        """Remember a proven password; the caller holds the lock."""
        self._proven[name] = self._seal(name, password)
        self._proven.move_to_end(name)
        while len(self._proven) > _REMEMBERED:
            self._proven.popitem(last=False)

    def _seal(self, name: str, password: str) -> bytes:
        """Return a keyed digest, so that the process keeps no password in memory."""
        data = f"{len(name)}:{name}{password}".encode("utf-8", "surrogateescape")
        return blake2b(data, key=self._key, digest_size=32).digest()  # hmac starts OpenSSL each time

    def __len__(self) -> int:
        return len(self._by_name)

    def __repr__(self) -> str:
        return f"<Users: {len(self)}>"


def _user_from(name: str, text: str) -> tuple[User, float | None]:
    """Read a record; return the user, and the time of registration if the user has not played yet."""
    try:
        plain = parse_json(text)
        made = plain.get("made")
        return User(name, str(plain["id"]), str(plain["digest"])), None if made is None else float(made)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadJournal(f"the record of user {name[:40]!r} cannot be read") from None


# -- names that look alike, and names of the house --------------------------------------------

_LEVELS: Final = (
    *("beginner", "casual", "expert", "regular", "strong"),
    *("gambler", "stubborn", "tame", "timid", "wild"),
)
"""Levels and characters of the bot expert; named here, since its module loads numpy."""
HOUSE_BOTS: Final = tuple(
    sorted(("adaptive", "caller", "equity", "loose", "maniac", "pot-odds", "random", "tight", *_LEVELS))
)
"""Bots that may be requested over the network: built-in ones that see only their own cards and decide within
milliseconds; never a file, which would run a stranger's code. Levels of the bot expert go by their names."""
HOUSE_NUMBERS: Final = range(1, 100)
"""Numbers appended to a bot's name to name a house player."""

ENTRANT: Final = "arena/"
"""Prefix of house bots' names that are entrants of the arena."""

_RESERVED: Final = ("house", "operator", "admin", "administrator", "moderator", "support", "system", "dealer")
"""Names that others would mistake for the house or its operator."""

_UNSEEN: Final[dict[int, str | None]] = {
    **dict.fromkeys([0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0], " "),
    **dict.fromkeys([0x034F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10)]),
    **dict.fromkeys(range(0xE0100, 0xE01F0)),
}
"""Printable characters that show nothing: fillers become blanks; joiners and variation selectors are dropped.

Without it a name could be copied invisibly.
"""


def look_alikes(name: str) -> frozenset[str]:
    """Return the keys of a name; two names that share a key look alike.

    A key is the skeleton (Unicode TR39) of the name in NFKC, case-folded before (Ann, ann) or after
    (Ian, lan). Look-alikes of other scripts are found only with the extra [server], which has the table.
    """
    plain = " ".join(unicodedata.normalize("NFKC", name).translate(_UNSEEN).split())
    return frozenset((_skeleton(plain.casefold()), _skeleton(plain).casefold()))


def house_bots() -> tuple[str, ...]:
    """Return the `HOUSE_BOTS` available here: the levels of the bot expert need numpy."""
    if find_spec("numpy") is not None:
        return HOUSE_BOTS
    return tuple([bot for bot in HOUSE_BOTS if bot not in _LEVELS])


def spec_of_house(bot: str) -> str:
    """Return the spec of one of `HOUSE_BOTS`."""
    return f"expert:level={bot}" if bot in _LEVELS else bot


def is_of_house(name: str) -> bool:
    """Return whether a name belongs to a house player, or looks like one."""
    keys = _closed_up(name)
    return not keys.isdisjoint(_house_keys()) or any(key.startswith(ENTRANT) for key in keys)


def _closed_up(name: str) -> frozenset[str]:
    """Return the keys of a name without blanks, because `tight1` looks too much like `tight 1`."""
    return frozenset(key.replace(" ", "") for key in look_alikes(name))


@cache
def _house_keys() -> frozenset[str]:
    names = [f"{bot} {number}" for bot in HOUSE_BOTS for number in HOUSE_NUMBERS]
    names += [f"house-{number}" for number in HOUSE_NUMBERS]
    return frozenset().union(*map(_closed_up, (*names, *HOUSE_BOTS, *_RESERVED)))


def _skeleton(text: str) -> str:
    seen = unicodedata.normalize("NFD", text).translate(_prototypes())
    return unicodedata.normalize("NFD", seen)


@cache
def _prototypes() -> dict[int, str]:
    """Map each character to a prototype: the one of its look-alikes that has the most look-alikes."""
    try:
        from confusable_homoglyphs.confusables import confusables_data
    except ImportError:
        return {}
    bare = {
        one.replace("\u200e", ""): [other["c"].replace("\u200e", "") for other in others]
        for one, others in confusables_data.items()
    }
    table = {}
    for one, others in bare.items():
        if len(one) == 1 and len(others) == 1 and (len(bare.get(others[0], ())), others[0]) > (1, one):
            table[ord(one)] = others[0]
    return {code: text.translate(table) for code, text in table.items()}
