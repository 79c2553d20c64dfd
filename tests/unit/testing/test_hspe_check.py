"""The conformance kit: a client that does everything right is faultless, and each fault is found at its route."""

import asyncio
import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from poker_actors.testing.hspe_check import Answer, Asked, CheckServer, Examiner
from poker_actors.wire.hspe import AsyncClient, ServerRefusal
from tests.warm import CommandLine, command_line

ACTS = "POST /games/ID/players/PID/acts/"
LOOK = "GET /games/ID/"


def basic(user: str = "ann", password: str = "pw") -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


class Client:
    """Asks an examiner without a socket; its clock moves by 0.1 s a request."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.examiner = Examiner(lambda: self.seconds)
        self.game_id = self.me = ""

    def ask(self, method: str, path: str, body: Any = None, authorization: str | None = "right") -> Answer:
        self.seconds += 0.1
        known = basic() if authorization == "right" else authorization
        data = b"" if body is None else json.dumps(body).encode()
        return self.examiner.answer(Asked(method, path, known, data))

    def sit(self) -> "Client":
        self.me = self.ask("POST", "/users/").value
        self.game_id = self.ask("GET", "/games/").value[0]["gameID"]
        assert self.ask("POST", f"/games/{self.game_id}/players/").status == 201
        return self

    def look(self) -> dict[str, Any]:
        game: dict[str, Any] = self.ask("GET", f"/games/{self.game_id}/").value
        return game

    def act(self, amount: int | None, player: str | None = None) -> int:
        body = {"action": 0} if amount is None else {"action": 1, "betAmount": amount}
        return self.ask("POST", f"/games/{self.game_id}/players/{player or self.me}/acts/", body).status

    def my_turn(self) -> dict[str, Any]:
        while (game := self.look())["turn"]["playerID"] != self.me:
            assert not self.examiner.over
        return game

    def play(self, decide: Callable[[dict[str, Any], int], int | None]) -> None:
        while not self.examiner.over:
            game = self.look()
            if game["turn"]["playerID"] == self.me:
                (mine,) = [one for one in game["table"] if one["playerID"] == self.me]
                to_call = min(game["turn"]["bet_to_player"] - game["turn"]["bet_so_far"], mine["wealth"])
                self.act(decide(game, to_call))

    @property
    def wrong(self) -> dict[str, list[str]]:
        return {route: report.wrong for route, report in self.examiner.routes.items() if report.wrong}


def raise_or_call(game: dict[str, Any], to_call: int) -> int:
    wealth = next(one["wealth"] for one in game["table"] if one["playerID"] == game["turn"]["playerID"])
    other = next(one["wealth"] for one in game["table"] if one["playerID"] != game["turn"]["playerID"])
    more = to_call + game["turn"]["minimum_raise"]
    return more if more < wealth and other and game["pots"][0]["size"] < 500 else to_call


@pytest.mark.parametrize(
    "decide", [lambda game, to_call: to_call, lambda game, to_call: None, raise_or_call],
    ids=["calls", "folds", "raises"],
)  # fmt: skip
def test_a_client_that_keeps_to_the_contract_is_faultless(
    decide: Callable[[dict[str, Any], int], Any],
) -> None:
    client = Client().sit()
    client.play(decide)
    assert client.wrong == {}
    assert client.examiner.faultless
    assert client.examiner.game.number == 6


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (5, "betAmount 5 is below the 10 to call, and not all that is left"),
        (15, "betAmount 15 raises by 5: the minimum is 20"),
        (10_001, "betAmount 10001 is more than the wealth of 9990"),
    ],
)
def test_an_invalid_bet_is_found_and_folds(amount: int, text: str) -> None:
    client = Client().sit()
    client.my_turn()
    assert client.act(amount) == 201
    assert client.wrong == {ACTS: [f"hand 1 (the small blind acts first): {text}"]}
    assert client.look()["turn"]["playerID"] == ""


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"action": 2}, "action 2 must be 0 (fold) or 1 (bet)"),
        ({"action": "1"}, "action '1' must be 0"),
        ({"action": 1, "betAmount": -5}, "betAmount -5 is not a whole number"),
        ({"action": 1, "betAmount": 10.5}, "betAmount 10.5 is not a whole number"),
        ([], "is not a JSON object"),
    ],
)
def test_an_act_that_is_none_is_400(body: Any, text: str) -> None:
    client = Client().sit()
    client.my_turn()
    assert client.ask("POST", f"/games/{client.game_id}/players/{client.me}/acts/", body).status == 400
    assert text in client.wrong[ACTS][0]


def test_a_bet_beyond_what_the_opponent_has_left_is_valid_and_calls() -> None:
    client = Client().sit()
    client.play(lambda game, to_call: to_call or 0)
    client = Client().sit()
    client.play(lambda game, to_call: game["table"][0]["wealth"] if to_call > 1_000 else to_call)
    assert client.wrong == {}


def test_an_act_out_of_turn_is_403_and_found() -> None:
    client = Client().sit()
    client.my_turn()
    client.act(10)
    assert client.act(0) == 403
    assert "out of this player's turn" in client.wrong[ACTS][0]


def test_an_act_for_somebody_else_or_in_another_game_is_404() -> None:
    client = Client().sit()
    client.my_turn()
    assert client.act(0, player="somebody") == 404
    assert client.ask("GET", "/games/another/").status == 404
    assert "'somebody' is not this client" in client.wrong[ACTS][0]
    assert "no game 'another'" in client.wrong[LOOK][0]


@pytest.mark.parametrize(
    ("authorization", "status", "text"),
    [
        (None, 400, "there is no Authorization"),
        ("Bearer x", 400, "is not Basic"),
        ("Basic ???", 400, "not base64"),
        ("Basic " + base64.b64encode(b"ann").decode(), 400, "no colon"),
        (basic(""), 400, "the name is empty"),
        (basic("bob"), 401, "has not registered"),
    ],
)
def test_a_log_in_that_is_none_is_found_where_it_is_sent(
    authorization: str | None, status: int, text: str
) -> None:
    client = Client()
    path = "/games/fbbbbb44-bc4f-c3f6-6519-d81bd1a66d8a/players/"
    assert client.ask("POST", path, authorization=authorization).status == status
    assert text in client.wrong["POST /games/ID/players/"][0]


def test_another_password_another_join_and_haste_are_found() -> None:
    client = Client().sit()
    assert client.ask("POST", "/users/", authorization=basic("ann", "other")).status == 403
    assert client.ask("POST", f"/games/{client.game_id}/players/").status == 409
    client.look()
    client.seconds -= 0.09
    client.look()
    assert client.examiner.routes[LOOK].advice == ["looked more often than once in 50 ms, 1 times"]
    assert set(client.wrong) == {"POST /users/", "POST /games/ID/players/"}


def test_a_turn_that_is_not_taken_ends_the_examination() -> None:
    client = Client().sit()
    client.my_turn()
    client.seconds += 15.1
    assert client.look()["table"][0]["playerID"] != client.me
    assert "no act in the 15 seconds" in client.wrong[ACTS][0]
    assert not client.examiner.faultless


def test_hole_cards_are_shown_to_the_client_only_and_what_is_beyond_the_contract_is_counted() -> None:
    client = Client().sit()
    client.my_turn()
    path = f"/games/{client.game_id}/"
    assert len(client.look()["cards"]["hole"]) == 2
    assert client.ask("GET", path, authorization=None).value["cards"]["hole"] is None
    assert client.ask("GET", "/lobby").status == 404
    assert client.ask("PUT", path).status == 405
    assert client.examiner.beyond == {"GET /lobby": 1, f"PUT {path}": 1}
    assert client.wrong == {}


def test_leaving_ends_the_script(runner: asyncio.Runner) -> None:
    async def session() -> Examiner:
        server = CheckServer()
        await server.start()
        try:
            host, port = server.address
            async with AsyncClient(f"http://{host}:{port}", "ann", "pw") as client:
                await client.register()
                game = (await client.games())[0]["gameID"]
                await client.join(game)
                while (await client.game(game))["turn"]["playerID"] != client.player_id:
                    pass
                await client.bet(game, 10)
                with pytest.raises(ServerRefusal, match="403"):
                    await client.bet(game, 10)
                await client.leave(game)
            await server.finished()
            return server.examiner
        finally:
            await server.close()

    examiner = runner.run(session())
    assert examiner.over
    assert [route for route, report in examiner.routes.items() if report.wrong] == [ACTS]


def test_a_client_that_goes_away_is_not_waited_for_for_ever(runner: asyncio.Runner) -> None:
    async def session() -> Examiner:
        server = CheckServer(silence=0.1)
        await server.start()
        try:
            host, port = server.address
            async with AsyncClient(f"http://{host}:{port}", "ann", "pw") as client:
                await client.register()
            await server.finished()
            return server.examiner
        finally:
            await server.close()

    assert not runner.run(session()).over


def test_the_command_examines_a_bot_of_ours_and_reports_route_by_route(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    kit = CommandLine("serve", "--check-client", "--http", "127.0.0.1:0", "--json", str(report))
    assert kit.stderr is not None
    place = re.search(r"http://127\.0\.0\.1:\d+", kit.stderr.readline())
    assert place is not None
    command_line("join", place[0], "--user", "ann", "--bot", "random", "--seed", "5").check_returncode()
    output, _ = kit.communicate(timeout=120)
    assert kit.returncode == 0, output
    assert re.search(r"^POST /games/ID/players/PID/acts/ +\d+ asked, 0 wrong$", output, re.MULTILINE)
    assert "hands of the script were played" in output
    figures = json.loads(report.read_text(encoding="utf-8"))
    assert (figures["faultless"], figures["complete"]) == (True, True)
    assert any(route["asked"] for route in figures["routes"])
