"""An account has a life: log-ins that are listed and ended, another password, and an end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.server.conftest import basic, refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conformance.server.conftest import Site


def log_in(site: Site, name: str, password: str = "secret") -> dict[str, str]:
    answer = site.ask("POST", "/session", auth=basic(name, password))
    assert answer.status == 204, answer.text
    return {"Cookie": answer.headers["set-cookie"].partition(";")[0]}


def test_log_ins_are_listed_without_their_secrets_and_ended_one_by_one_or_all(readme: Site) -> None:
    name, player = readme.user()
    phone, desk = log_in(readme, name), log_in(readme, name)
    shown = readme.ask("GET", "/account", headers=desk).json
    assert (shown["name"], shown["player_id"], shown["games"]) == (name, player, [])
    assert [one["here"] for one in shown["sessions"]] == [False, True]
    assert phone["Cookie"].partition("=")[2] not in str(shown)
    other = shown["sessions"][0]["id"]
    assert readme.ask("DELETE", f"/account/sessions/{other}", headers=desk).json == {"ended": 1}
    assert readme.ask("DELETE", f"/account/sessions/{other}", headers=desk).status == 404
    assert readme.ask("GET", "/session", headers=phone).status == 401
    assert readme.ask("GET", "/session", headers=desk).status == 200
    stranger = log_in(readme, readme.user()[0])
    mine = readme.ask("GET", "/account", headers=desk).json["sessions"][0]["id"]
    assert readme.ask("DELETE", f"/account/sessions/{mine}", headers=stranger).status == 404
    assert readme.ask("DELETE", "/account/sessions", headers=desk).json == {"ended": 1}
    assert readme.ask("GET", "/session", headers=desk).status == 401


def test_another_password_ends_the_old_one_and_all_other_log_ins(readme: Site) -> None:
    name, _ = readme.user()
    here, elsewhere = log_in(readme, name), log_in(readme, name)

    def change(old: str, new: str) -> int:
        return readme.ask("POST", "/account/password", body={"old": old, "new": new}, headers=here).status

    assert change("wrong", "new") == 401
    assert change("secret", "x" * 129) == 400
    assert change("secret", "a longer one") == 204
    assert readme.ask("GET", "/session", auth=basic(name, "secret")).status == 401
    assert readme.ask("GET", "/session", auth=basic(name, "a longer one")).status == 200
    assert readme.ask("GET", "/session", headers=here).status == 200
    assert readme.ask("GET", "/session", headers=elsewhere).status == 401


def test_an_account_ends_with_its_password_once_more_and_in_no_game(readme: Site) -> None:
    name, player = readme.user()
    here = log_in(readme, name)
    game = readme.ask("POST", "/games/", headers=here).json["gameID"]

    def delete(password: str) -> int:
        return readme.ask("DELETE", "/account", body={"password": password}, headers=here).status

    assert delete("wrong") == 401
    assert delete("secret") == 409
    assert readme.ask("DELETE", f"/games/{game}/players/{player}", headers=here).status == 200
    readme.until(lambda: delete("secret") == 204)
    assert readme.ask("GET", "/session", headers=here).status == 401
    assert readme.ask("GET", "/session", auth=basic(name, "secret")).status == 401
    assert readme.ask("POST", "/users/", name).status == 201, "the name is free again"


def test_another_sites_page_can_do_nothing_with_an_account(readme: Site) -> None:
    name, _ = readme.user()
    here = log_in(readme, name) | {"Origin": "https://evil.example"}
    for method, path, body in (
        ("POST", "/account/password", {"old": "secret", "new": "x"}),
        ("DELETE", "/account", {"password": "secret"}),
        ("DELETE", "/account/sessions", None),
        ("POST", "/account/hook", {"webhook": "https://evil.example/"}),
        ("DELETE", "/account/hook", None),
    ):
        assert readme.ask(method, path, body=body, headers=here).status == 403, path


def test_a_webhook_is_set_shown_to_its_user_only_replaced_and_ended(sites: Callable[..., Site]) -> None:
    site = sites("--webhooks", "public")
    (name, _), (other, _) = site.user(), site.user()
    assert site.ask("GET", "/account/hook", name).json == {"offered": True, "webhook": None}
    for url in ("https://a.example/turn?key=1", "https://b.example/"):
        kept = site.ask("POST", "/account/hook", name, {"webhook": url})
        assert (kept.status, kept.json) == (200, {"offered": True, "webhook": url})
    assert site.ask("GET", "/account/hook", name).json["webhook"] == "https://b.example/"
    assert site.ask("GET", "/account/hook", other).json["webhook"] is None
    for wrong in ("http://127.0.0.1:1/", "ftp://a.example/", ""):
        refused(site.ask("POST", "/account/hook", name, {"webhook": wrong}), 400, "bad_spec")
    for method, body in (("GET", None), ("POST", {"webhook": "https://c.example/"}), ("DELETE", None)):
        assert site.ask(method, "/account/hook", body=body).status == 401
    assert site.ask("DELETE", "/account/hook", name).status == 204
    assert site.ask("GET", "/account/hook", name).json["webhook"] is None


def test_a_server_that_was_not_told_to_calls_no_webhook(readme: Site) -> None:
    name, _ = readme.user()
    assert readme.ask("GET", "/account/hook", name).json == {"offered": False, "webhook": None}
    refused(readme.ask("POST", "/account/hook", name, {"webhook": "https://a.example/"}), 409, "no_hooks")


@pytest.mark.parametrize(
    "body",
    [{"name": 7, "password": "x"}, {"name": "ann"}, {"name": "ann", "password": None}, {"password": "x"}],
)
def test_a_log_in_by_a_body_of_other_types_is_refused(readme: Site, body: object) -> None:
    answer = readme.ask("POST", "/session", body=body)
    assert (answer.status, answer.json["code"]) == (400, "bad_spec")


def test_half_a_character_is_refused_as_no_text_and_changes_nothing(readme: Site) -> None:
    name, _ = readme.user()
    here, half = log_in(readme, name), "\ud800"
    asked = [
        ("POST", "/session", {"name": name, "password": half}, {}),
        ("POST", "/session", {"name": half, "password": "secret"}, {}),
        ("POST", "/account/password", {"old": half, "new": "another one"}, here),
        ("POST", "/account/password", {"old": "secret", "new": half}, here),
        ("DELETE", "/account", {"password": half}, here),
    ]
    for method, path, body, headers in asked:
        answer = readme.ask(method, path, body=body, headers=headers)
        assert answer.status == 400, (path, body, answer.text)
        assert "is not a text" in answer.text
    log_in(readme, name)
