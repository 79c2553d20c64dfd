"""Bots of ours join by `poker-actors join`, and play on after the server was killed mid-hand."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.bots import HandEnd, HandStart
from poker_actors.bots.program import heard_line
from poker_actors.cli import main
from poker_actors.rules import Action, Fold, View
from poker_actors.server import Client, Guest, ServerRefusal
from tests.warm import CommandLine

if TYPE_CHECKING:
    from tests.conformance.server.conftest import Site


def joining(site: Site, user: str, *options: str, bot: str = "caller") -> subprocess.Popen[str]:
    given = ("--user", user, "--bot", bot, "--poll", "0.01", "--seed", "1", *options)
    return CommandLine("join", site.url, *given, env={**os.environ, "POKER_ACTORS_PASSWORD": "secret"})


SEATS = {"ann": ("--hands", "15"), "bob": ()}


# each journal and each dialect once: neither knows of the other
PAIRS = [
    ("sqlite", "readme"),
    ("postgresql", "go"),
    pytest.param("sqlite", "go", marks=pytest.mark.heavy),
    pytest.param("postgresql", "readme", marks=pytest.mark.heavy),
]


@pytest.mark.parametrize(("sites", "profile"), PAIRS, indirect=["sites"])
def test_two_joins_play_until_one_has_had_its_hands(sites: Callable[..., Site], profile: str) -> None:
    site = sites("--profile", profile)
    game = Client(site.url, "maker", "secret")
    game.register()
    game_id = game.make()["gameID"]
    game.leave(game_id)
    players = [joining(site, name, "--game", game_id, "--json", "-", *ends) for name, ends in SEATS.items()]
    site.until(lambda: any(player.poll() is not None for player in players))
    for player in players:
        if player.poll() is None:  # alone at the table, and waits for somebody
            player.send_signal(signal.SIGINT)
    results = [json.loads(player.communicate(timeout=30)[0]) for player in players]
    assert [player.returncode for player in players] == [0, 130]
    assert results[0]["hands"] == 15
    assert results[1]["hands"] >= 7, "a big blind that nobody contests is not a turn"
    assert [result["faults"] for result in results] == [0, 0]
    game.close()


def wealth(site: Site, game: str) -> int:
    shown = site.ask("GET", f"/games/{game}/").json
    chips = [player["wealth"] for player in shown["table"]] + [pot["size"] for pot in shown["pots"] or []]
    return sum(map(int, chips))


def until_mid_hand(site: Site, game: str) -> None:
    site.until(lambda: site.ask("GET", f"/games/{game}/").json["cards"]["flop"] is not None)


def until_it_goes_on(site: Site, game: str) -> None:
    before = site.ask("GET", f"/games/{game}/").json["cards"]
    site.until(lambda: site.ask("GET", f"/games/{game}/").json["cards"] != before)


# test_live_client kills a server on PostgreSQL, test_server_postgres PostgreSQL itself
@pytest.mark.parametrize(
    "sites", ["sqlite", pytest.param("postgresql", marks=pytest.mark.heavy)], indirect=True
)
def test_a_server_killed_mid_hand_goes_on_when_started_again(sites: Callable[..., Site]) -> None:
    site = sites()
    with Client(site.url, "watcher", "secret") as client:
        client.register()
        game = client.make()["gameID"]
        client.leave(game)
    players = [joining(site, name, "--game", game) for name in ("ann", "bob")]
    try:
        for _ in range(3):
            until_mid_hand(site, game)
            assert wealth(site, game) == 20_000
            site.kill()
            site = sites(port=site.port)
            assert wealth(site, game) == 20_000
            until_it_goes_on(site, game)
        assert [player.poll() for player in players] == [None, None], "both play on"
    finally:
        for player in players:
            player.kill()
            player.communicate()


class Listener:
    """A bot that checks and calls, and asks the server what it tells programs of each hand's end."""

    def __init__(self, client: Client, game: str) -> None:
        self.client, self.game = client, game
        self.told: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self.starts: list[HandStart] = []

    def __call__(self, view: View) -> Action:
        start = self.starts[-1]
        assert (view.seat, view.public.setup.stacks) == (start.seat, start.stacks)
        return view.legal.passive

    def hand_started(self, start: HandStart) -> None:
        self.starts.append(start)

    def hand_over(self, end: HandEnd) -> None:
        assert (end.number, end.names, end.stacks) == (
            self.starts[-1].number,
            self.starts[-1].names,
            self.starts[-1].stacks,
        )
        self.told.append((json.loads(heard_line(end)), self.client.heard(self.game)["end"]))


def by_name(told: dict[str, Any]) -> dict[str, Any]:
    """Return an end with names for seats: a guest counts seats from the left of the button."""
    names = told["names"]
    return {
        "boards": told["boards"],
        "hole": sorted(told["hole"]),
        "shown": {names[int(seat)]: cards for seat, cards in told["shown"].items()},
        "actions": [[street, names[seat], *rest] for street, seat, *rest in told["actions"]],
        **{
            key: {
                name: told[key][seat]
                for seat, name in enumerate(names)
                if name and told["starting_stacks"][seat]
            }
            for key in ("payoffs", "stacks", "starting_stacks")
        },
    }


def test_a_guest_hears_of_a_hand_at_our_server_what_programs_are_told(readme: Site) -> None:
    user, _ = readme.user()
    with Client(readme.url, user, "secret") as client, Room(StepRuntime(), seed=1) as room:
        game = client.make(seats=4, buy_in=1000, pause=0.3, think=0)["gameID"]
        client.seat_house(game, "maniac", "loose", "caller")
        listener = Listener(client, game)
        guest = Guest(room.player("guest", listener), client, game, poll=0.01)
        guest.play(12)
        assert not guest.player.faults.total
    assert len(listener.told) == len(listener.starts) >= 12
    assert [by_name(heard) for heard, _ in listener.told] == [by_name(told) for _, told in listener.told]
    assert any(heard["shown"] for heard, _ in listener.told)
    assert any(heard["actions"] for heard, _ in listener.told)


def test_a_client_says_what_the_server_said(readme: Site) -> None:
    with Client(readme.url, "somebody", "secret") as client:
        client.register()
        with pytest.raises(ServerRefusal, match="403: Username already exists") as caught:
            client.register()
        assert caught.value.status == 403
        game = client.make()["gameID"]
        with pytest.raises(ServerRefusal, match="409"):
            client.join(game)
        assert client.game(game)["gameID"] == game
        assert game in [one["gameID"] for one in client.games()]
        client.leave(game)


def test_a_wrong_password_is_status_1_and_no_server_3(
    readme: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    readme.ask("POST", "/users/", "taken")
    assert main(["join", readme.url, "--user", "taken", "--bot", "tight"]) == 1
    assert main(["join", "http://127.0.0.1:1", "--user", "taken", "--bot", "tight"]) == 3
    assert main(["join", "nonsense", "--user", "taken", "--bot", "tight"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_guest_plays_at_the_stakes_of_its_game(readme: Site) -> None:
    host, _ = readme.user()
    asked = {"small_blind": 100, "big_blind": 200, "buy_in": 4_000, "seats": 2}
    game = readme.ask("POST", "/games/", host, asked).json["gameID"]
    guest, _ = readme.user()
    client = Client(readme.url, guest, "secret")
    client.join(game)
    with client, Room(StepRuntime(), seed=1) as room:
        seen = []

        def look(view: View) -> Action:
            seen.append((view.stakes, view.legal.min_raise_to))
            return Fold()

        playing = Guest(
            room.player("guest", look), client, game, sleep=lambda _: fold_for(readme, game, host)
        )
        playing.play(hands=2)
    assert {stakes.big_blind for stakes, _ in seen} == {200}
    assert {least for _, least in seen} == {400}


def fold_for(site: Site, game: str, name: str) -> None:
    """Fold if it is somebody's turn."""
    site.ask("POST", f"/games/{game}/actions", name, {"act": "fold"})
