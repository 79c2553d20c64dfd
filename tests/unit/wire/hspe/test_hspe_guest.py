"""A guest at an HSPE server that is away, or has no time."""

from typing import Any

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.wire.hspe import Client, Guest, ServerRefusal


class Away(Client):
    """A client whose server answers nothing but what `fails` raises; each answer takes a second."""

    def __init__(self, *fails: Exception) -> None:
        super().__init__("http://127.0.0.1:1", "ann", "pw")
        self.fails = fails
        self.asked = 0
        self.seconds = 0.0

    def _ask(self, call: Any) -> Any:
        fails = self.fails[min(self.asked, len(self.fails) - 1)]
        self.asked += 1
        self.seconds += 1.0
        raise fails


def played(client: Away) -> None:
    def sleep(seconds: float) -> None:
        client.seconds += seconds

    with Room(StepRuntime(), seed=1) as room:
        guest = Guest(room.player("ann"), client, "game", sleep=sleep, clock=lambda: client.seconds)
        guest.play()


@pytest.mark.parametrize("away", [ConnectionRefusedError("refused"), ServerRefusal("too much", status=503)])
def test_a_server_that_is_away_is_waited_for_a_minute_by_the_clock(away: Exception) -> None:
    client = Away(away)
    with pytest.raises(type(away)):
        played(client)
    assert 60 < client.seconds < 63


def test_a_refusal_shows_that_the_server_is_there() -> None:
    away, late = ConnectionRefusedError("refused"), ServerRefusal("not your turn", status=403)
    client = Away(*[away] * 50, late, away)
    with pytest.raises(ConnectionRefusedError):
        played(client)
    assert client.asked > 100


def test_a_refusal_that_waiting_does_not_change_ends_it_at_once() -> None:
    client = Away(ServerRefusal("no such game", status=404))
    with pytest.raises(ServerRefusal, match="no such game"):
        played(client)
    assert client.asked == 1
