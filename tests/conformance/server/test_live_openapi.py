"""The documents of the real server say what there is: routes, messages, the shapes of real ones; and a client made of them plays."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from poker_actors.server import GO, PROFILES, README
from poker_actors.server.http.openapi import document, push_document
from poker_actors.server.http.typescript import client
from tests.conformance.server.test_live_push import events, socket_of

if TYPE_CHECKING:
    from tests.conformance.server.conftest import Site


def shaped(told: dict[str, Any], name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": told["components"]})


def answers_of(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """Method, path, status and schema of every answer in JSON."""
    found = []
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            for status, answer in operation["responses"].items():
                for kind in answer.get("content", {}).values():
                    ref = kind["schema"].get("$ref", "")
                    if ref:
                        found.append((method, path, status, ref.rpartition("/")[2]))
    return found


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_every_example_has_the_shape_that_is_said(profile: Any) -> None:
    told = document(profile, "1", arena=True)
    for schema in told["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for methods in told["paths"].values():
        for operation in methods.values():
            bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
            for kind in [kind for body in bodies for kind in body.get("content", {}).values()]:
                if "$ref" in kind["schema"]:
                    name = kind["schema"]["$ref"].rpartition("/")[2]
                    if (profile, name) not in ((GO, "Game"), (GO, "Games")):  # examples are the README's
                        shaped(told, name).validate(kind["example"])
            for parameter in operation["parameters"]:
                assert parameter["example"]


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_whatever_takes_a_key_may_refuse_one_of_another_request(profile: Any) -> None:
    told = document(profile, "1", arena=True)
    takes = [
        (path, operation["responses"].keys())
        for path, methods in told["paths"].items()
        for operation in methods.values()
        if "Idempotency-Key" in [parameter["name"] for parameter in operation["parameters"]]
    ]
    assert len(takes) > 10
    assert [path for path, statuses in takes if not {"400", "422"} <= statuses] == []


@pytest.mark.parametrize("path", ["/shared/{token}", "/games/{game_id}/hands/{hand_id}"])
def test_a_hand_is_described_as_the_page_that_replays_it_too(path: str) -> None:
    answer = document(README, "1")["paths"][path]["get"]["responses"]["200"]
    assert answer["content"].keys() >= {"application/json", "text/html"}


def test_every_route_is_described_and_every_one_described_is_there(readme: Site) -> None:
    told = readme.ask("GET", "/openapi.json").json
    for path, methods in told["paths"].items():
        place = re.sub(r"\{\w+\}", "x", path)
        allowed = set(readme.ask("PATCH", place).headers["allow"].split(", ")) - {"HEAD"}
        assert allowed == {method.upper() for method in methods}, path
    counted = readme.ask("GET", "/metrics").text
    routes = {path.rstrip("/").replace(":path", "") for path in re.findall(r'route="([^"]*)"', counted)}
    assert routes <= {path.rstrip("/") for path in told["paths"]}


def test_the_document_is_the_one_of_the_dialect(readme: Site, go: Site) -> None:
    for site, profile in ((readme, README), (go, GO)):
        told = site.ask("GET", "/openapi.json").json
        made = told["paths"]["/games/"]["post"]["responses"]
        assert str(profile.made) in made
        assert profile.name in told["info"]["summary"]


def test_real_answers_have_the_shape_that_is_said(readme: Site) -> None:
    told = readme.ask("GET", "/openapi.json").json
    game, players = readme.game(3)
    turn = readme.turn(game)
    name = players[turn]
    readme.ask("POST", f"/games/{game}/actions", name, {"act": "fold"})
    second = readme.turn(game)
    readme.ask("POST", f"/games/{game}/actions", players[second], {"act": "fold"})
    readme.until(lambda: bool(readme.ask("GET", f"/games/{game}/hands").json))
    hand = readme.ask("GET", f"/games/{game}/hands").json[0]["hand_id"]
    one = "/games/{game_id}"
    for path in (
        "/games/", one, f"{one}/players/", f"{one}/table", f"{one}/hands", f"{one}/hands/{{hand_id}}", f"{one}/heard",
        "/lobby", "/account", "/account/hands", "/account/results", "/account/board", "/board", "/session", "/tournaments",
    ):  # fmt: skip
        for user in (name, None):
            answer = readme.ask("GET", path.format(game_id=game, hand_id=hand), user)
            content = told["paths"][path]["get"]["responses"][str(answer.status)]["content"]
            schema = content["application/json"]["schema"]
            Draft202012Validator(schema | {"components": told["components"]}).validate(answer.json)


def test_every_answer_has_a_schema(readme: Site) -> None:
    told = readme.ask("GET", "/openapi.json").json
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            for status, answer in operation["responses"].items():
                for kind, content in answer.get("content", {}).items():
                    said = content["schema"]
                    open_ended = said == {"type": "object", "additionalProperties": {}}
                    assert said, (method, path, status, kind)
                    assert not open_ended or path.endswith(".json"), (method, path, status, kind)


def test_no_outside_host_is_named_in_the_document(readme: Site) -> None:
    hosts = re.findall(r"://([^/\"]*)", readme.ask("GET", "/openapi.json").text)
    assert {host.rpartition(".")[2] for host in hosts} == {"example"}, "which is nobody's"


# -- what is pushed --------------------------------------------------------------------------


def refs(told: Any) -> list[str]:
    """Every reference in a document."""
    if isinstance(told, dict):
        return [told["$ref"]] if "$ref" in told else [ref for one in told.values() for ref in refs(one)]
    return [ref for one in told for ref in refs(one)] if isinstance(told, list) else []


@pytest.mark.parametrize(
    "told", [document(README, "1", arena=True), push_document("1")], ids=["rest", "push"]
)
def test_every_reference_of_a_document_leads_somewhere(told: Any) -> None:
    assert refs(told)
    for ref in refs(told):
        there = told
        for part in ref.removeprefix("#/").split("/"):
            there = there[part]


def test_real_messages_have_the_shape_that_is_said(readme: Site) -> None:
    told = readme.ask("GET", "/asyncapi.json").json
    assert told["asyncapi"] == "3.0.0"

    def holds(name: str, message: Any) -> None:
        payload = told["components"]["messages"][name]["payload"]
        Draft202012Validator(payload | {"components": told["components"]}).validate(message)

    game, players = readme.game(2)
    name = players[readme.turn(game)]
    with socket_of(readme, game, name) as socket:

        def sent(message: object, kind: str) -> Any:
            socket.send(json.dumps(message))
            while (answer := json.loads(socket.recv(30)))["type"] == "table":
                holds("Pushed", answer)
            holds(kind, answer)
            return answer

        holds("Pushed", json.loads(socket.recv(30)))
        for message, taken, kind in (
            ({"type": "ping"}, "Ping", "Pong"),
            ({"type": "act", "act": "check"}, "Doing", "Refused"),
            ({"type": "act", "act": "fold"}, "Doing", "Done"),
        ):
            holds(taken, message)
            sent(message, kind)
    for path, channel, kind in (
        (f"/games/{game}/stream", "table", "Picture"),
        ("/lobby/stream", "lobby", "Lobby"),
    ):
        with events(readme, path, name) as stream:
            event, data = stream.next()
            assert event == told["components"]["messages"][kind]["name"] == channel
            holds(kind, data)


def test_what_is_pushed_is_described_at_its_path(readme: Site) -> None:
    told, rest = readme.ask("GET", "/asyncapi.json").json, readme.ask("GET", "/openapi.json").json
    paths = {channel["address"] for channel in told["channels"].values()}
    streams = {
        path
        for path, methods in rest["paths"].items()
        if "text/event-stream"
        in methods.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
    }
    assert paths == streams | {"/games/{game_id}/socket"}


# -- the client in TypeScript ----------------------------------------------------------------

HAND = """
import { Client, RefusedError, type Picture } from "./client.js";

declare const process: { argv: string[] };
const [, , base, game, ...names] = process.argv;
const people = names.map((name) => new Client(base, name, "secret"));
const look = (): Promise<Picture> => people[0].getGamesGameIdTable(game);
const refused = await people[0].getGamesGameIdTable("nowhere").catch((error: RefusedError) => error);
if (!(refused instanceof RefusedError) || refused.code !== "no_game") throw new Error("no game was found");
const first = await look();
for (let now = first; now.hand_id === first.hand_id && !now.over; now = await look()) {
  const turn = now.turn;
  if (turn === null) continue;
  const person = people[names.indexOf(now.seats[turn.seat].name ?? "")];
  const own = await person.getGamesGameIdTable(game);
  const legal = own.you?.legal;
  if (!legal) continue;
  await person.postGamesGameIdActions(game, { act: legal.check ? "check" : "call", hand_id: own.hand_id, seq: own.seq });
}
const hands = await people[0].getGamesGameIdHands(game);
console.log(JSON.stringify(hands.length));
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A function that compiles a client and returns its folder: once for servers that give the same one."""

    @cache
    def compile_it(client: str) -> Path:
        folder = tmp_path_factory.mktemp("client")
        (folder / "client.ts").write_text(client, encoding="utf-8")
        (folder / "hand.ts").write_text(HAND, encoding="utf-8")
        (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
        options = ["--strict", "--target", "es2022", "--module", "es2022", "--lib", "es2022,dom,dom.iterable"]
        made = subprocess.run(
            ["tsc", *options, "hand.ts"], cwd=folder, capture_output=True, text=True, check=False
        )
        assert made.returncode == 0, made.stdout
        return folder

    return compile_it


@pytest.mark.skipif(not shutil.which("tsc") or not shutil.which("node"), reason="needs tsc and node")
def test_the_client_in_typescript_plays_a_hand(readme: Site, compiled: Callable[[str], Path]) -> None:
    game, players = readme.game(2)
    played = subprocess.run(
        ["node", "hand.js", readme.url, game, *players.values()],
        cwd=compiled(readme.ask("GET", "/client.ts").text),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert played.returncode == 0, played.stderr
    assert int(played.stdout) >= 1


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_the_client_has_a_method_for_every_operation_and_a_type_for_every_schema(profile: Any) -> None:
    told, pushed = document(profile, "1", arena=True), push_document("1")
    text = client(told, pushed)
    for methods in told["paths"].values():
        for operation in methods.values():
            name = re.sub(r"_(\w)", lambda found: found[1].upper(), operation["operationId"])
            assert f"\n  {name}(" in text, name
    for name in {**told["components"]["schemas"], **pushed["components"]["schemas"]}:
        assert f"export interface {name} {{" in text, name
