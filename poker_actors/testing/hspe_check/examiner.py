"""The kit as an HTTP/1.1 server: answer a client by the contract, and record its mistakes route by route."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import attrs

from poker_actors.errors import from_extra
from poker_actors.jsontext import parse_json
from poker_actors.testing.hspe_check.script import CLIENT, GAME_ID, ScriptedGame, least_raise
from poker_actors.wire.framing import CHUNK, Listener

ROUTES: Final = {
    "POST /users/": r"/users",
    "GET /games/": r"/games",
    "POST /games/": r"/games",
    "GET /games/ID/": r"/games/([^/]+)",
    "GET /games/ID/players/": r"/games/([^/]+)/players",
    "POST /games/ID/players/": r"/games/([^/]+)/players",
    "POST /games/ID/players/PID/acts/": r"/games/([^/]+)/players/([^/]+)/acts",
    "DELETE /games/ID/players/PID/": r"/games/([^/]+)/players/([^/]+)",
}
"""The contract's routes, and the paths they have with or without a slash at the end."""

_TURN_SECONDS: Final = 15.0
"""The contract's window for a turn."""
_POLL_SECONDS: Final = 0.05
_MOST_NOTES: Final = 20
"""Most notes kept per route: a client repeats its mistake a thousand times."""


@attrs.frozen
class Asked:
    """A request: its method, path, `Authorization` (None for none) and body."""

    method: str
    path: str
    authorization: str | None = None
    body: bytes = b""


@attrs.frozen
class Answer:
    """An answer: HTTP's status, and a value for JSON or an error's text."""

    status: int
    value: Any = None
    error: str = ""


@attrs.define
class RouteReport:
    """How a client used one route."""

    route: str
    asked: int = 0
    wrong: list[str] = attrs.field(factory=list)
    """mistakes, at most twenty"""
    wrong_count: int = 0
    advice: list[str] = attrs.field(factory=list)
    """acts that the contract only advises against"""

    def note(self, text: str) -> None:
        """Note something wrong."""
        self.wrong_count += 1
        if len(self.wrong) < _MOST_NOTES:
            self.wrong.append(text)


class _Refusal(Exception):
    """A request is answered by an error; a fault of the client unless said otherwise."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class Examiner:
    """One client's examination: `answer` each request until the script is `over`.

    `now` returns seconds of any monotonic clock.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self.game: Final = ScriptedGame()
        self.routes: Final = {route: RouteReport(route) for route in ROUTES}
        self.beyond: Final[dict[str, int]] = {}
        """requests that the contract does not know, and how often"""
        self.said_goodbye = False
        """whether the client has been shown that it is not at the table any more"""
        self._now = now
        self._login: tuple[str, str] | None = None
        self._looked_at: float | None = None
        self._too_fast = 0
        self._asked_at: float | None = None

    @property
    def over(self) -> bool:
        """Whether the examination is over."""
        return self.game.over

    @property
    def faultless(self) -> bool:
        """Whether the client has played the script to its end without mistakes."""
        return self.over and not any(report.wrong for report in self.routes.values())

    def answer(self, asked: Asked) -> Answer:
        """Answer a request, and note its mistakes."""
        self.expire()
        path = asked.path.partition("?")[0].rstrip("/")
        for route, pattern in ROUTES.items():
            found = re.fullmatch(pattern, path)
            if found is not None and route.startswith(f"{asked.method} "):
                return self._use(self.routes[route], asked, found.groups())
        known = any(re.fullmatch(pattern, path) for pattern in ROUTES.values())
        text = f"{asked.method} {asked.path}"[:80]
        if len(self.beyond) < _MOST_NOTES or text in self.beyond:
            self.beyond[text] = self.beyond.get(text, 0) + 1
        return Answer(405 if known else 404, error="" if known else "404 page not found")

    def _use(self, report: RouteReport, asked: Asked, ids: tuple[str, ...]) -> Answer:
        report.asked += 1
        serve = {
            "POST /users/": self._register,
            "GET /games/": self._games,
            "POST /games/": self._join,
            "GET /games/ID/": self._look,
            "GET /games/ID/players/": self._players,
            "POST /games/ID/players/": self._join,
            "POST /games/ID/players/PID/acts/": self._act,
            "DELETE /games/ID/players/PID/": self._leave,
        }[report.route]
        try:
            if ids and ids[0] != GAME_ID:
                raise _Refusal(404, f"there is no game {ids[0][:40]!r}")
            if len(ids) > 1 and ids[1] != CLIENT:
                raise _Refusal(404, f"player {ids[1][:40]!r} is not this client, which is {CLIENT!r}")
            return serve(asked, report)
        except _Refusal as refused:
            report.note(f"{self._where()}{refused}")
            return Answer(refused.status, error=str(refused))

    def _where(self) -> str:
        scene = self.game.scene
        return "" if scene is None else f"hand {self.game.number + 1} ({scene.about}): "

    def expire(self) -> None:
        """Remove the client if it has not taken its turn in time."""
        if self.game.turn and self._asked_at is not None and self._now() - self._asked_at > _TURN_SECONDS:
            acts = self.routes["POST /games/ID/players/PID/acts/"]
            acts.note(f"{self._where()}no act in the {_TURN_SECONDS:.0f} seconds of a turn")
            self.game.end()

    # -- who asks ----------------------------------------------------------------------------

    def _credentials(self, asked: Asked) -> tuple[str, str]:
        """Read the log-in; refuse anything but basic authentication."""
        if asked.authorization is None:
            raise _Refusal(400, "there is no Authorization header")
        scheme, _, rest = asked.authorization.partition(" ")
        if scheme != "Basic" or not rest or " " in rest:
            raise _Refusal(
                400, f"Authorization {scheme[:20]!r} with {len(rest.split())} words is not Basic and one word"
            )
        try:
            text = base64.b64decode(rest, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            raise _Refusal(400, "the word after Basic is not base64 of UTF-8") from None
        user, colon, password = text.partition(":")
        if not colon or not user:
            raise _Refusal(400, "the name is empty" if colon else "the credentials have no colon")
        return user, password

    def _known(self, asked: Asked) -> None:
        """Refuse anybody but the user that registered."""
        login = self._credentials(asked)
        if self._login is None:
            raise _Refusal(401, f"user {login[0][:40]!r} has not registered")
        if login != self._login:
            raise _Refusal(401, f"user {login[0][:40]!r} is not the one registered, or has another password")

    # -- routes ------------------------------------------------------------------------------

    def _register(self, asked: Asked, report: RouteReport) -> Answer:
        login = self._credentials(asked)
        if self._login is not None and self._login[0] == login[0] and self._login != login:
            raise _Refusal(403, "Username already exists; choose another username.")
        self._login = login
        return Answer(201, CLIENT)

    def _games(self, asked: Asked, report: RouteReport) -> Answer:
        return Answer(200, [self.game.shown(hole=False, expiry=self._expiry())])

    def _players(self, asked: Asked, report: RouteReport) -> Answer:
        return Answer(200, self.game.shown(hole=False, expiry=self._expiry())["table"])

    def _join(self, asked: Asked, report: RouteReport) -> Answer:
        self._known(asked)
        if self.game.seated or self.game.over:
            raise _Refusal(409, "this player has already joined")
        self.game.seated = True
        if report.route == "POST /games/":
            return Answer(202, self.game.shown(hole=True, expiry=self._expiry()))
        return Answer(201, CLIENT)

    def _look(self, asked: Asked, report: RouteReport) -> Answer:
        hole = asked.authorization is not None
        if hole:
            self._known(asked)
        now = self._now()
        if self._looked_at is not None and now - self._looked_at < 0.9 * _POLL_SECONDS:
            self._too_fast += 1
            text = "looked more often than once in 50 ms"
            report.advice[:] = [f"{text}, {self._too_fast} times"]
        self._looked_at = now
        before = self.game.turn
        self.game.move_on()
        if self.game.turn and not before:
            self._asked_at = now
        self.said_goodbye = self.game.over
        return Answer(200, self.game.shown(hole=hole, expiry=self._expiry()))

    def _act(self, asked: Asked, report: RouteReport) -> Answer:
        self._known(asked)
        amount = _read_act(asked.body)
        hand = self.game.hand
        if hand is None or not self.game.turn:
            raise _Refusal(403, "an act out of this player's turn")
        problem = None if amount is None else _invalid(hand, amount)
        if problem is not None:
            report.note(f"{self._where()}{problem}")
            amount = None  # "invalid bets will lead to you immediately folding"
        self.game.put(amount)
        self._note_turn()
        return Answer(201)

    def _note_turn(self) -> None:
        self._asked_at = self._now() if self.game.turn else None

    def _leave(self, asked: Asked, report: RouteReport) -> Answer:
        self._known(asked)
        if not self.game.seated:
            raise _Refusal(404, "this player is not at the table")
        self.game.end()
        self.said_goodbye = True
        return Answer(200)

    def _expiry(self) -> str:
        left = _TURN_SECONDS if self._asked_at is None else _TURN_SECONDS - (self._now() - self._asked_at)
        return str(datetime.now(UTC) + timedelta(seconds=max(left, 0.0)))


def _read_act(body: bytes) -> int | None:
    """Read an Act: None folds, a number of chips is put in now."""
    try:
        act = parse_json(body)
        fields = {str(key).lower(): value for key, value in act.items()}
    except (ValueError, AttributeError):
        raise _Refusal(400, f"the body {body[:40]!r} is not a JSON object") from None
    action = fields.get("action")
    if type(action) is not int or action not in (0, 1):
        raise _Refusal(400, f"action {action!r:.20} must be 0 (fold) or 1 (bet)")
    if action == 0:
        return None
    amount = fields.get("betamount", 0)
    if type(amount) is not int or amount < 0:
        raise _Refusal(400, f"betAmount {amount!r:.20} is not a whole number of 0 or more")
    return amount


def _invalid(hand: Any, amount: int) -> str | None:
    """Say why a bet is invalid by the contract; None when it is not."""
    wealth, to_call = hand.stacks[0], hand.legal.to_call
    if amount > wealth:
        return f"betAmount {amount} is more than the wealth of {wealth}"
    if amount < to_call and amount < wealth:
        return f"betAmount {amount} is below the {max(hand.bets) - hand.bets[0]} to call, and not all that is left"
    over = amount - to_call
    if over > 0 and amount < wealth and over < least_raise(hand):
        return f"betAmount {amount} raises by {over}: the minimum is {least_raise(hand)}"
    return None


_MOST_BODY: Final = 2**16
_LAST_SECONDS: Final = 1.0
"""How long a client may go on asking after the script's end, so that it can learn of it."""
_SILENT_SECONDS: Final = 60.0
"""After this long without a request, a client that was there counts as gone."""


class CheckServer(Listener):
    """Examines the first client; `await start()`, `await finished()`, `await close()`. Needs the extra `server`."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0, *, silence: float = _SILENT_SECONDS) -> None:
        super().__init__()
        self._place = (host, port)
        self._silence = silence
        self._heard_at: float | None = None

    async def start(self) -> None:
        """Listen. Raises `OSError` when the port is taken."""
        with from_extra("server", "h11"):
            import h11  # noqa: F401  fail at the start if it is missing, not at the first request
        self._loop = asyncio.get_running_loop()
        self.examiner = Examiner(self._loop.time)
        await self.listen(*self._place)

    async def finished(self) -> None:
        """Wait until the client has heard that the script is over, or has gone."""
        ended_at: float | None = None
        while True:
            await asyncio.sleep(0.05)
            now = self._loop.time()
            self.examiner.expire()
            if self._heard_at is not None and now - self._heard_at > self._silence:
                return
            if self.examiner.over:
                ended_at = now if ended_at is None else ended_at
                if (self.examiner.said_goodbye and not self._tasks) or now - ended_at > _LAST_SECONDS:
                    return

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection's requests, one after the other."""
        import h11

        protocol = h11.Connection(h11.SERVER)
        request: h11.Request | None = None
        body = b""
        while True:
            try:
                event = protocol.next_event()
            except h11.RemoteProtocolError:
                return
            if event is h11.NEED_DATA:
                protocol.receive_data(await reader.read(CHUNK))
            elif isinstance(event, h11.Request):
                request, body = event, b""
            elif isinstance(event, h11.Data):
                body = (body + bytes(event.data))[:_MOST_BODY]
            elif isinstance(event, h11.EndOfMessage) and request is not None:
                writer.write(self._answered(protocol, request, body))
                await writer.drain()
                if protocol.our_state is h11.MUST_CLOSE:
                    return
                protocol.start_next_cycle()
            else:
                return

    def _answered(self, protocol: Any, request: Any, body: bytes) -> bytes:
        """Return the bytes that answer a request."""
        import h11

        self._heard_at = self._loop.time()
        headers = {name.decode().lower(): value.decode("latin-1") for name, value in request.headers}
        asked = Asked(request.method.decode(), request.target.decode(), headers.get("authorization"), body)
        answer = self.examiner.answer(asked)
        text, kind = _text(answer)
        fields = [("Content-Type", kind), ("Content-Length", str(len(text)))]
        events = (
            h11.Response(status_code=answer.status, headers=fields),
            h11.Data(data=text),
            h11.EndOfMessage(),
        )
        return b"".join([protocol.send(event) or b"" for event in events])


def _text(answer: Answer) -> tuple[bytes, str]:
    if answer.error or answer.value is None:
        return f"{answer.error}\n".encode() if answer.error else b"", "text/plain; charset=utf-8"
    return json.dumps(answer.value).encode() + b"\n", "application/json"
