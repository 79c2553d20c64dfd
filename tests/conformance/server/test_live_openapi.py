"""The OpenAPI document of the real server says what there is: routes, and the shapes of real answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from poker_actors.server import GO, PROFILES, README
from poker_actors.server.http.openapi import document

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
    for schema, path in (
        ("Games", "/games/"),
        ("Game", f"/games/{game}"),
        ("Players", f"/games/{game}/players/"),
        ("Picture", f"/games/{game}/table"),
        ("Hands", f"/games/{game}/hands"),
        ("History", f"/games/{game}/hands/{hand}"),
        ("Lobby", "/lobby"),
    ):
        for user in (name, None):
            answer = readme.ask("GET", path, user)
            shaped(told, schema if answer.status == 200 else "Refusal").validate(answer.json)


def test_no_outside_host_is_named_in_the_document(readme: Site) -> None:
    assert "://" not in readme.ask("GET", "/openapi.json").text
