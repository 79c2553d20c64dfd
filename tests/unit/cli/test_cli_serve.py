"""What `serve` makes of its options; that it serves is in tests/conformance and tests/unit/wire/opp."""

import gc
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from poker_actors.cli import main
from poker_actors.cli.serving import HttpPlan, OppPlan

pytest.importorskip("starlette")
Plans = list[tuple[OppPlan | None, HttpPlan | None, str | None]]


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> Plans:
    found: Plans = []

    async def noted(opp: Any, http: Any, data: Any) -> None:
        found.append((opp, http, data))

    monkeypatch.setattr("poker_actors.cli.serve.serve_until_stopped", noted)
    return found


def test_without_a_place_the_rest_api_is_served_on_this_machine(plans: Plans) -> None:
    assert main(["serve", "--data", "room.db"]) == 0
    (opp, http, data) = plans[0]
    assert opp is None
    assert http is not None
    assert (http.place, data) == (("127.0.0.1", 8080), "room.db")


def test_opp_alone_is_served_alone_and_both_share_the_data(plans: Plans) -> None:
    assert main(["serve", "--opp", "127.0.0.1:0", "--data", "room.db"]) == 0
    assert main(["serve", "--opp", "127.0.0.1:0", "--http", "127.0.0.1:0"]) == 0
    assert plans[0][1] is None
    assert all(plan is not None for plan in plans[1][:2])


def test_limits_hold_at_every_door(plans: Plans) -> None:
    given = ["--limit", "connections_per_address=7", "--limit", "messages-per-second=9"]
    assert main(["serve", "--opp", "127.0.0.1:0", *given, "--limit", "ping_seconds=5"]) == 0
    assert main(["serve", "--opp", "127.0.0.1:0", "--http", "127.0.0.1:0", *given]) == 0
    for opp, http, _ in plans:
        assert opp is not None
        assert (opp.limits.connections_per_address, opp.limits.messages_per_second) == (7, 9)
        assert http is None or http.limits.connections_per_address == 7
    assert plans[0][0] is not None
    assert plans[0][0].limits.ping_seconds == 5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--opp", "127.0.0.1:0", "--limit", "games=5"],
            "limit 'games=5' is not NAME=VALUE, where NAME is one of connections, ",
        ),
        (
            ["--opp", "127.0.0.1:0", "--proxy", "10.0.0.1"],
            "--proxy, --mcp and --missed-blinds need --http",
        ),
        (["--limit", "gmaes=5"], "limit 'gmaes=5' is not NAME=VALUE, where NAME is one of"),
        (["--http", "8080"], "--http"),
        (["--turn-seconds", "0"], "--turn-seconds 0.0 must be above 0"),
    ],
)
def test_wrong_options_are_one_line(
    plans: Plans, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(["serve", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert plans == []


def test_an_address_of_another_machine_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--http", "192.0.2.1:8080"]) == 3  # an address kept for documents
    error = capsys.readouterr().err
    assert error == (
        "poker-actors: 192.0.2.1:8080: cannot assign requested address; choose an address of this machine\n"
    )


@pytest.fixture(params=["frozen", "nothing frozen"])
def garbage_collector(request: pytest.FixtureRequest) -> Iterator[None]:
    """A program that has frozen objects of its own, and one that has not."""
    (gc.freeze if request.param == "frozen" else gc.unfreeze)()
    yield
    gc.freeze()  # as `conftest` leaves it


@pytest.mark.usefixtures("garbage_collector")
def test_a_server_that_cannot_start_leaves_the_garbage_collector_as_it_was(
    capsys: pytest.CaptureFixture[str],
) -> None:
    threshold, frozen = gc.get_threshold(), gc.get_freeze_count()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["serve", "--http", f"127.0.0.1:{taken.getsockname()[1]}"]) != 0
    assert "in use" in capsys.readouterr().err
    assert gc.get_threshold() == threshold
    assert 0.9 * frozen <= gc.get_freeze_count() <= frozen, "some of what is frozen may be freed meanwhile"
