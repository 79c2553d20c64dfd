"""A person's own hands over all tables, and links that show others what their owner may see."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from tests.conformance.server.conftest import Site


def played(site: Site, name: str) -> tuple[str, dict[str, list[str]], dict[str, str]]:
    """A game called so in which one hand has been folded: its id, holes by user, and users by player id."""
    users = dict(site.user() for _ in range(2))
    ann, bob = users
    game = site.ask("POST", "/games/", ann, {"name": name, "pause": 60}).json["gameID"]
    site.ask("POST", f"/games/{game}/players/", bob)
    site.until(lambda: site.turn(game) != "")
    holes = {user: site.ask("GET", f"/games/{game}/table", user).json["you"]["cards"] for user in users}
    names = {player: user for user, player in users.items()}
    site.ask("POST", f"/games/{game}/actions", names[site.turn(game)], {"act": "fold"})
    site.until(lambda: bool(site.ask("GET", f"/games/{game}/hands").json))
    return game, holes, names


def test_a_hand_is_found_by_its_table_with_what_it_brought_and_shared_by_a_link_that_hides_the_others_cards(
    sites: Callable[..., Site],
) -> None:
    site = sites()
    game, holes, _ = played(site, "Friday night")
    ann, bob = holes
    own = {user: site.ask("GET", "/account/hands?name=FRIDAY", user).json for user in holes}
    assert own[ann]["net"] == -own[bob]["net"] != 0
    [hand] = own[ann]["hands"]
    assert (hand["game"], hand["table"], hand["shared"]) == (game, "Friday night", None)
    assert site.ask("GET", "/account/hands?name=monday", ann).json["hands"] == []
    assert site.ask("GET", "/account/hands", site.user()[0]).json == {"hands": [], "net": 0}
    which = {"game": game, "hand_id": hand["hand_id"]}
    assert site.ask("POST", "/shared", site.user()[0], which).status == 403
    assert site.ask("POST", "/shared", None, which).status == 401
    made = site.ask("POST", "/shared", ann, which).json
    assert site.ask("POST", "/shared", ann, which).json == made
    site.kill()
    site = sites()  # links survive the process
    shown = site.ask("GET", f"/shared/{made['token']}")
    text = shown.text
    replayed = site.ask("GET", f"/shared/{made['token']}?format=html")
    assert replayed.headers["content-type"] == "text/html; charset=utf-8"
    unknown = site.ask("GET", f"/shared/{made['token']}?format=phh")
    assert (unknown.status, "format 'phh' must be one of html, json" in unknown.text) == (400, True)
    assert replayed.headers["content-security-policy"].endswith("frame-ancestors 'self'")
    assert holes[ann][0] in replayed.text
    assert not cards_in(replayed.text.partition('type="application/json">')[2]) & set(holes[bob])
    assert "".join(holes[ann]) in text.replace('", "', "")
    assert not cards_in(text.replace(game, "")) & set(holes[bob])
    assert len(json.loads(text)["players"]) == 2
    assert site.ask("DELETE", f"/shared/{made['token']}", bob).status == 404
    assert site.ask("DELETE", f"/shared/{made['token']}", ann).status == 204
    assert site.ask("GET", f"/shared/{made['token']}").status == 404


def cards_in(text: str) -> set[str]:
    """The cards of a text: words of nothing but cards, which what is hexadecimal hardly ever is."""
    words = re.findall(r"\b(?:[2-9TJQKA][cdhs])+\b", text)
    return {word[place : place + 2] for word in words for place in range(0, len(word), 2)}


@pytest.mark.parametrize("body", [b"", b"[]", b'{"game": 1, "hand_id": "x"}', b"\xff"])
def test_what_names_no_hand_is_refused(readme: Site, body: bytes) -> None:
    assert readme.ask("POST", "/shared", readme.user()[0], body).status == 400
