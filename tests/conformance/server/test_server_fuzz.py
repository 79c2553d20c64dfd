"""Requests made up from the OpenAPI document: no 5xx, nothing undocumented, and nobody acts for somebody else.

What is sent is schemathesis's, by the schema and against it, with ids that exist in most of it; who sends
it is a player, another player, a stranger, somebody with a wrong password, or nobody.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    positive_data_acceptance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from poker_actors.server.shapes import object_of
from tests.conformance.server.conftest import Answer, Site, basic
from tests.unit.arena.places import CALLS, laid

LIMITS = (
    *("guesses=1000000", "guesses_per_address=1000000", "games_per_hour=1000000", "games=3000"),
    *("uploads_per_hour=1", "upload_bytes=5000"),  # each starts a process
)
ENDLESS = ("/lobby/stream", "/games/{game_id}/stream", "/games/{game_id}/socket")
"""answers that do not end; their own tests hold them"""
GUARDED = "fuzz gus"
"""whose password nobody here has: nobody can delete the account, and register it again with a wrong one"""
NOBODY = ("", "Basic d3Jvbmc6d3Jvbmc=", "Basic ???", "Bearer x", basic(GUARDED, "wrong"))
"""what proves nothing"""
AnyCase = Case[Any]


def wrong_data_is_refused(context: Any, response: Any, case: AnyCase) -> bool | None:
    """schemathesis's check of that name, which does not count 413 and 431 among the refusals.

    Who joins a game by HSPE may send whatever there is in place of an object: it says nothing.
    """
    sent = response.request.body
    joins = case.operation.label == "POST /games/{game_id}/players/" and object_of(sent or b"") is None
    if joins or response.status_code in (413, 431):
        return None
    return negative_data_rejection(context, response, case)


UNSAID = (
    r"^(big_blind|buy_in) \d+ is not \d+ to",
    r"^seats \d+ is not",
    r"^missed_blinds: \S+ has no blinds",
    r"printable characters",
    r"is not an entrant's name",
    r"^no entrant on the board",
    r"^You must provide properly-formatted credentials",
)
"""what a schema cannot say of a body, and the document says in words; and refusals that are not of the body"""


def right_data_is_taken(context: Any, response: Any, case: AnyCase) -> bool | None:
    """schemathesis's check of that name, which leaves out what no schema can say, and keys of other requests."""
    said = object_of(response.content) or {"text": response.text}
    why = said.get("text") or ""  # null in the picture of a table without a hand
    if response.status_code == 422 or any(re.search(words, why) for words in UNSAID):
        return None
    return positive_data_acceptance(context, response, case)


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    wrong_data_is_refused,
    right_data_is_taken,
    response_headers_conformance,
    response_schema_conformance,
]


class World:
    """A game of two, a game of one, and a stranger; put right again when the cases have taken it apart."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.url = site.url
        self.names = ("fuzz ann", "fuzz bob", "fuzz eve")
        self._sure("POST", "/users/", GUARDED)
        self.ids = {name: self._sure("POST", "/users/", name).json for name in self.names}
        self._own = {basic(name): user_id for name, user_id in self.ids.items()}
        """credentials that prove something -> whose"""
        self.seen: Counter[tuple[str, int]] = Counter()
        self.cases = 0
        self._session = requests.Session()
        self.games: list[str] = []
        self.tournaments: list[str] = []
        self.tables: list[str] = []
        """of tournaments that are played"""
        self.mend()

    def close(self) -> None:
        """Hang up."""
        self._session.close()

    def mend(self) -> None:
        """See to it that both games are there, and who plays in them."""
        for name in self.names:  # an account that is in no game may have been deleted
            made = self.site.ask("POST", "/users/", name)
            if made.status == 201:
                self.ids[name] = self._own[basic(name)] = made.json
        there = {game["gameID"] for game in self._sure("GET", "/games/").json}
        if len(self.games) < 2 or not there.issuperset(self.games):
            self.games = [self._sure("POST", "/games/", name).json["gameID"] for name in self.names[:2]]
        for name in self.names[:2]:
            self.site.ask("POST", f"/games/{self.games[0]}/players/", name)
        self.site.ask("POST", f"/games/{self.games[1]}/players/", self.names[1])
        open_ones = self._sure("GET", "/tournaments").json["tournaments"]
        self.tournaments = [one["id"] for one in open_ones if one["state"] == "open"][:2]
        self.tables = [f"{one['id']} table 1" for one in open_ones if one["state"] == "playing"][:2]
        if not self.tournaments:
            self.tournaments = [self._sure("POST", "/tournaments", self.names[0]).json["id"]]

    def _sure(
        self, method: str, path: str, user: str | None = None, body: object = None, auth: str | None = None
    ) -> Answer:
        """Ask what cannot be refused."""
        answer = self.site.ask(method, path, user, body, auth)
        assert answer.status < 300, f"{method} {path} by {user or auth} is {answer.status}: {answer.text}"
        return answer

    def _take_back(self, who: str, new: str) -> None:
        """Have somebody's password be what it was: one was changed with the old one, which the document has as its example."""
        name = next(name for name in self.names if basic(name) == who)
        self._sure("POST", "/account/password", None, {"old": new, "new": "secret"}, basic(name, new))

    def send(self, case: AnyCase, who: str) -> None:
        """Send one case as somebody, and hold the answer to the document and to the laws here."""
        case.headers.pop("Authorization", None)
        case.cookies.clear()
        self._session.cookies.clear()
        if who:
            case.headers["Authorization"] = who
        self.cases += 1
        if self.cases % 40 == 0:
            self.mend()
        response = case.call(base_url=self.url, session=self._session, timeout=600)
        self.seen[case.operation.label, response.status_code] += 1
        case.validate_response(response, checks=CHECKS)
        status = response.status_code
        player = (case.path_parameters or {}).get("player_id")
        if case.operation.label == "POST /users/" and status == 201:
            self._own[who] = response.json()
        if case.operation.label == "POST /account/password" and status == 204:
            sent = response.request.body
            assert isinstance(sent, bytes | str)
            self._take_back(who, json.loads(sent)["new"])
        if status < 300 and player is not None:
            assert self._own.get(who) == player, f"{case.operation.label} for somebody else's id is {status}"
        if status < 300 and secured(case) and case.operation.path != "/users/":
            assert who in self._own, f"{case.operation.label} without a password is {status}"


def secured(case: AnyCase) -> bool:
    """Whether the document asks for credentials."""
    needs = case.operation.definition.raw.get("security", [])
    return bool(needs) and {} not in needs


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    toml = "hands = 16\ncage = false\nhouse = ['caller', 'tight']\n"
    arena = laid(tmp_path_factory.mktemp("fuzz") / "night", toml, ann=CALLS)
    site = Site(
        "--arena", str(arena), "--workers", "1", *(option for text in LIMITS for option in ("--limit", text))
    )
    made = World(site)
    yield made
    made.close()
    assert site.stop()[0] == 0


def operations(site: Site) -> list[Any]:
    """Every operation of the document that the server gives, but those that do not end."""
    schema = schemathesis.openapi.from_dict(site.ask("GET", "/openapi.json").json)
    found = [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
    return [operation for operation in found if operation.path not in ENDLESS]


def whole(world: World, case: AnyCase, choose: Callable[[Any], Any]) -> None:
    """Give a case ids that exist, mostly."""
    named = case.path_parameters or {}
    real = {
        "game_id": [*world.games, *world.tables],
        "tournament_id": world.tournaments,
        "player_id": [*world.ids.values()],
        "hand_id": ["hand-000000000"],
        "session_id": ["x"],
        "token": ["Zm9yIHNoYXJlZCBoYW5kcw"],
        "entrant": ["ann", "fuzz", "tight"],
        "match": ["0123456789abcdef01234567"],
    }
    query: dict[str, Any] = dict(case.query)
    if isinstance(query.get("wait"), int | float):
        case.query = query | {"wait": min(query["wait"], 0.05)}  # a look waits for news: there may be none
    for name in named:
        named[name] = choose(st.sampled_from([*real[name], *real[name], named[name]]))


def send_made_up(world: World, operation: Any, mode: GenerationMode, number: int, luck: int) -> None:
    """Make up so many cases of one operation and send them."""
    people = [basic(name) for name in world.names]

    @seed(luck)
    @settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        operation.as_strategy(generation_mode=mode), st.sampled_from([*people, *people, *NOBODY]), st.data()
    )
    def each(case: AnyCase, who: str, data: st.DataObject) -> None:
        whole(world, case, data.draw)
        world.send(case, who)

    try:
        each()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE, "what has no parameter has nothing to get wrong"


def fuzz(world: World, cases: int) -> None:
    """Go round the operations until so many cases have been sent."""
    found = operations(world.site)
    rounds = 0
    while world.cases < cases:
        rounds += 1
        share = 3 if cases < 1000 else 60
        for operation in found:
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                send_made_up(world, operation, mode, share, rounds)


def check_reach(world: World) -> None:
    """The cases have reached the game, not only its door."""
    statuses = {status for _, status in world.seen}
    assert statuses >= {200, 201, 400, 401, 403, 404}, world.seen


def test_nothing_made_up_breaks_the_server_or_its_document(world: World) -> None:
    fuzz(world, 150)
    check_reach(world)


@pytest.mark.heavy
def test_nothing_of_twenty_thousand_cases_breaks_the_server_or_its_document(world: World) -> None:
    fuzz(world, world.cases + 20_000)
    check_reach(world)
    for (label, status), count in sorted(world.seen.items()):
        print(f"{label:50} {status} {count:6,}")
    print(f"{world.cases:,} cases")


def test_a_missing_status_would_be_noticed(world: World) -> None:
    told = world.site.ask("GET", "/openapi.json").json
    del told["paths"]["/session"]["get"]["responses"]["401"]
    schema = schemathesis.openapi.from_dict(told)
    operation = schema["/session"]["GET"]
    with pytest.raises(BaseException, match="Undocumented status code"):
        world.send(operation.Case(), "")
