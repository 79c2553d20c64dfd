"""Strings and rules of the competition, from its specification, its dealer's logs and its rules as others carry them."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from poker_actors.wire.acpc import DEFINITIONS, Dealer, DealerEvent, Event, MatchPlan, MatchState
from poker_actors.wire.acpc.protocol import state_text


def script() -> ModuleType:
    """The script that made the vectors, which compares them, too."""
    place = Path(__file__).with_name("hands_of_others.py")
    spec = importlib.util.spec_from_file_location("hands_of_others", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


OTHERS = script()
HANDS: dict[str, list[dict[str, Any]]] = json.loads(OTHERS.VECTORS.read_text(encoding="ascii"))

# What the competition's dealer (version 1.0.41, seed 0) logged of a match between its example players.
LOGGED = """\
STATE:0:cr13024c/r16916f:5d5c|9hQd/8dAs8s:13024|-13024:Alice|Bob
STATE:1:r19015r20000c///:6sKs|5dJd/2sTh2h/Qh/8h:20000|-20000:Bob|Alice
STATE:2:cc/r6420f:Ah8s|2h4c/Qd7h6c:100|-100:Alice|Bob
STATE:3:cr16298r20000c///:4s8s|6hJd/QhJs9d/Qc/9h:-20000|20000:Bob|Alice
STATE:4:r10312r20000f:5s4c|Kc7d:10312|-10312:Alice|Bob
STATE:5:cc/cr16845r20000c//:KhTh|8s7d/9c8d5c/Qd/Td:20000|-20000:Bob|Alice
STATE:6:cc/cc/cc/cr1109c:Kc8h|5cAs/9dAh4d/7h/Qs:-1109|1109:Alice|Bob
"""

# A hand of each kind, written by hand from the specification: what one player hears (>) and answers (<).
DIALOGUES = {
    "holdem.limit.2p": """\
> MATCHSTATE:0:0::5d5c|
> MATCHSTATE:0:0:r:5d5c|
< MATCHSTATE:0:0:r:5d5c|:r
> MATCHSTATE:0:0:rr:5d5c|
> MATCHSTATE:0:0:rrc/:5d5c|/8dAs8s
< MATCHSTATE:0:0:rrc/:5d5c|/8dAs8s:r
> MATCHSTATE:0:0:rrc/r:5d5c|/8dAs8s
> MATCHSTATE:0:0:rrc/rc/:5d5c|/8dAs8s/4h
< MATCHSTATE:0:0:rrc/rc/:5d5c|/8dAs8s/4h:c
> MATCHSTATE:0:0:rrc/rc/c:5d5c|/8dAs8s/4h
> MATCHSTATE:0:0:rrc/rc/cc/:5d5c|/8dAs8s/4h/6d
< MATCHSTATE:0:0:rrc/rc/cc/:5d5c|/8dAs8s/4h/6d:c
> MATCHSTATE:0:0:rrc/rc/cc/c:5d5c|/8dAs8s/4h/6d
> MATCHSTATE:0:0:rrc/rc/cc/cc:5d5c|9hQd/8dAs8s/4h/6d
""",
    "holdem.nolimit.2p": """\
> MATCHSTATE:0:0::5d5c|
> MATCHSTATE:0:0:r300:5d5c|
< MATCHSTATE:0:0:r300:5d5c|:c
> MATCHSTATE:0:0:r300c/:5d5c|/8dAs8s
< MATCHSTATE:0:0:r300c/:5d5c|/8dAs8s:c
> MATCHSTATE:0:0:r300c/c:5d5c|/8dAs8s
> MATCHSTATE:0:0:r300c/cr900:5d5c|/8dAs8s
< MATCHSTATE:0:0:r300c/cr900:5d5c|/8dAs8s:r20000
> MATCHSTATE:0:0:r300c/cr900r20000:5d5c|/8dAs8s
> MATCHSTATE:0:0:r300c/cr900r20000c//:5d5c|9hQd/8dAs8s/4h/6d
""",
    "holdem.nolimit.3p": """\
> MATCHSTATE:0:0::5d5c||
> MATCHSTATE:0:0:c:5d5c||
< MATCHSTATE:0:0:c:5d5c||:r500
> MATCHSTATE:0:0:cr500:5d5c||
> MATCHSTATE:0:0:cr500c:5d5c||
> MATCHSTATE:0:0:cr500cf/:5d5c||/8s4h6d
< MATCHSTATE:0:0:cr500cf/:5d5c||/8s4h6d:c
> MATCHSTATE:0:0:cr500cf/c:5d5c||/8s4h6d
> MATCHSTATE:0:0:cr500cf/cr1000:5d5c||/8s4h6d
< MATCHSTATE:0:0:cr500cf/cr1000:5d5c||/8s4h6d:f
> MATCHSTATE:0:0:cr500cf/cr1000f:5d5c||/8s4h6d
""",
}


class Table:
    """A dealer whose players answer by a script of actions, and what each of them hears."""

    def __init__(self, name: str, hands: int = 1) -> None:
        self.events: list[DealerEvent] = []
        self.dealer = Dealer(MatchPlan(DEFINITIONS[name], hands, 0), self.events.append)
        self.heard: list[list[str]] = [[] for _ in self.dealer.seats]
        self.dealer.start(0.0)
        for seat in range(len(self.heard)):
            self.dealer.receive(seat, b"VERSION:2.0.0\r\n", 0.0)
        self.listen()

    def listen(self) -> None:
        for seat, data in self.dealer.outgoing():
            assert data.endswith(b"\r\n")
            self.heard[seat].append(data.decode()[:-2])

    def say(self, action: str) -> None:
        seat = self.dealer.waiting
        assert seat is not None
        states = [line for line in self.heard[seat] if line.startswith("MATCHSTATE")]
        self.dealer.receive(seat, f"{states[-1]}:{action}\r\n".encode(), 0.0)
        self.listen()


@pytest.mark.parametrize("name", DIALOGUES)
def test_a_player_hears_what_the_specification_says(name: str) -> None:
    lines = DIALOGUES[name].splitlines()
    table = Table(name)
    final = MatchState.parse(lines[-1][2:])
    for action in actions_of(final.betting):
        table.say(action)
    hand_0 = [line for line in table.heard[0] if line.split(":")[2] == "0"]
    assert hand_0 == [line[2:] for line in lines if line.startswith("> ")]
    answers = [line[2:] for line in lines if line.startswith("< ")]
    assert [event.text for event in table.events if event.kind is Event.HEARD and event.seat == 0][
        1:
    ] == answers


@pytest.mark.parametrize(
    "line", sorted({line[2:] for text in DIALOGUES.values() for line in text.splitlines()})
)
def test_every_state_is_read_and_written_again(line: str) -> None:
    state = line.rpartition(":")[0] if line.count(":") == 5 else line
    assert str(MatchState.parse(state)) == state


def test_the_same_seed_deals_the_cards_and_pays_the_chips_of_the_competitions_dealer() -> None:
    wanted = LOGGED.replace("Alice", "p1").replace("Bob", "p2").splitlines()
    table = Table("holdem.nolimit.2p", len(wanted))
    for line in wanted:
        for action in actions_of(line.split(":")[2]):
            table.say(action)
    assert [event.text for event in table.events if event.kind is Event.HAND] == wanted
    assert table.dealer.over


def test_the_log_of_the_competitions_dealer_replays() -> None:
    from poker_actors.history import parse, replay

    hands = parse(f"# name/game/hands/seed x holdem.nolimit.2p.reverse_blinds.game 7 0\n{LOGGED}", "acpc")
    assert [replay(hand).payoffs for hand in hands][:2] == [(13024, -13024), (20000, -20000)]


def actions_of(betting: str) -> list[str]:
    """`cr300c/` -> c, r300, c."""
    return betting.replace("/", "").replace("c", " c").replace("f", " f").replace("r", " r").split()


VECTOR_IDS = [(name, place) for name, rows in HANDS.items() for place in range(len(rows))]


@pytest.mark.parametrize(("name", "place"), VECTOR_IDS, ids=str)
def test_our_rules_are_the_competitions_own(name: str, place: int) -> None:
    OTHERS.compare(DEFINITIONS[name], HANDS[name][place])


def test_a_changed_vector_is_noticed() -> None:
    vector = HANDS["holdem.nolimit.3p"][1]
    turns = [[before, fold, least + bool(least), most] for before, fold, least, most in vector["turns"]]
    with pytest.raises(AssertionError):
        OTHERS.compare(DEFINITIONS["holdem.nolimit.3p"], vector | {"turns": turns})


def test_all_cards_of_a_hand_are_in_its_line_of_the_log() -> None:
    from poker_actors.cards import Deck

    hand = DEFINITIONS["holdem.limit.3p"].hand(Deck.stacked(["2c3c", "AsKs", "AdKd"], "QcJcTd4s4d"))
    assert state_text(hand, 5) == "STATE:5::2c3c|AsKs|AdKd"
