"""Lists of games by the page, filtered and compressed; without a query they are what they always were."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator

import pytest

from tests.conformance.server.conftest import Site


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site()
    yield site
    assert site.stop()[0] == 0


@pytest.fixture(scope="module")
def games(site: Site) -> list[str]:
    name, _ = site.user()
    made = []
    for number in range(7):
        setting = {"name": f"{'Even' if number % 2 == 0 else 'Odd'} {number}", "seats": 2}
        made.append(site.ask("POST", "/games/", name, setting).json["gameID"])
    other, _ = site.user()
    site.ask("POST", f"/games/{made[0]}/players/", other)
    return made


def test_pages_follow_one_another_and_come_to_the_whole_list(site: Site, games: list[str]) -> None:
    whole = site.ask("GET", "/games/")
    assert [one["gameID"] for one in whole.json] == games
    assert "x-total-count" not in whole.headers
    path, seen = "/games/?limit=3", []
    while path:
        answer = site.ask("GET", path)
        seen.append([one["gameID"] for one in answer.json])
        assert answer.headers["x-total-count"] == "7"
        link = re.fullmatch(r'<(.*)>; rel="next"', answer.headers.get("link", ""))
        path = link[1] if link else ""
    assert seen == [games[:3], games[3:6], games[6:]]


def test_a_list_is_filtered_by_name_and_by_a_free_seat(site: Site, games: list[str]) -> None:
    assert [one["gameID"] for one in site.ask("GET", "/games/?name=even").json] == games[::2]
    lobby = site.ask("GET", "/lobby?name=even&free=1&limit=2").json
    assert [one["game"] for one in lobby["games"]] == games[2:6:2]
    assert (lobby["of"], lobby["after"]) == (3, games[4])
    for query in ("limit=0", "limit=51x", "free=2", "free=null", "free=", f"name={'x' * 65}"):
        for path in ("/games/", "/lobby"):
            assert site.ask("GET", f"{path}?{query}").status == 400, f"{path}?{query}"
    assert site.ask("GET", "/lobby?limit=x").status == 400


def test_what_is_alike_for_everybody_is_compressed_and_what_has_cards_is_not(
    site: Site, games: list[str]
) -> None:
    takes = {"Accept-Encoding": "gzip"}
    plain = site.ask("GET", "/games/")
    for path in ("/games/", "/lobby"):
        answer = site.ask("GET", path, headers=takes)
        assert answer.headers["content-encoding"] == "gzip"
        assert "Accept-Encoding" in answer.headers["vary"]
        assert json.loads(gzip.decompress(answer.body)) == site.ask("GET", path).json
    assert len(site.ask("GET", "/games/", headers=takes).body) < len(plain.body) / 5
    name, _ = site.user()
    assert "content-encoding" not in site.ask("GET", "/games/", name, headers=takes).headers
    assert "content-encoding" not in site.ask("GET", f"/games/{games[0]}/table", headers=takes).headers
