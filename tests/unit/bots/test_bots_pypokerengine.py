"""Players of PyPokerEngine, written against its documented callbacks, as bots."""

from typing import Any

import pytest

from poker_actors.bots import BotFault, SeedTree
from poker_actors.bots.pypokerengine import PyPokerEngineBot, _cards, _hand_info
from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.rules import Hand, Stakes
from poker_actors.sim import simulate

HEARD: list[tuple[Any, ...]] = []


class Player:
    """Calls always, and writes down what it hears."""

    def set_uuid(self, uuid: str) -> None:
        self.uuid = uuid

    def declare_action(
        self, valid_actions: list[dict[str, Any]], hole_card: list[str], round_state: dict[str, Any]
    ) -> object:
        HEARD.append(("ask", valid_actions, hole_card, round_state))
        return "call", valid_actions[1]["amount"]

    def receive_game_start_message(self, game_info: dict[str, Any]) -> None:
        HEARD.append(("game", game_info))

    def receive_round_start_message(self, round_count: int, hole_card: list[str], seats: list[Any]) -> None:
        HEARD.append(("round", round_count, hole_card, seats))

    def receive_street_start_message(self, street: str, round_state: dict[str, Any]) -> None:
        HEARD.append(("street", street, round_state))

    def receive_game_update_message(self, new_action: dict[str, Any], round_state: dict[str, Any]) -> None:
        HEARD.append(("update", new_action, round_state))

    def receive_round_result_message(
        self, winners: list[Any], hand_info: list[Any], round_state: dict[str, Any]
    ) -> None:
        HEARD.append(("result", winners, hand_info, round_state))


class Caller(PyPokerEngineBot):
    player = Player


class Raiser(PyPokerEngineBot):
    class player(Player):  # noqa: N801  the name that the adapter reads
        def declare_action(
            self, valid_actions: list[dict[str, Any]], hole_card: list[str], round_state: dict[str, Any]
        ) -> object:
            most = valid_actions[2]["amount"]["max"]
            return ("raise", most) if most > 0 else ("call", valid_actions[1]["amount"])


@pytest.fixture(autouse=True)
def nothing_heard() -> None:
    HEARD.clear()


def kinds() -> list[str]:
    return [row[0] for row in HEARD]


def test_a_round_is_told_from_its_start_to_its_result() -> None:
    result = simulate([Caller, "caller"], hands=1, seed=1)
    assert result.players[0].faults.total == 0
    streets = [row[1] for row in HEARD if row[0] == "street"]
    assert streets == ["preflop", "flop", "turn", "river"]
    assert kinds()[:3] == ["game", "round", "street"]
    assert kinds()[-1] == "result"
    assert kinds().count("update") == 8  # each action of anybody, its own included
    game = HEARD[0][1]
    assert (game["player_num"], game["rule"]["initial_stack"], game["rule"]["small_blind_amount"]) == (
        2,
        200,
        1,
    )
    _, count, hole, seats = HEARD[1]
    assert (count, len(hole)) == (1, 2)
    assert [(seat["stack"], seat["state"]) for seat in seats] == [
        (199, "participating"),
        (198, "participating"),
    ]


def test_what_is_asked_and_told_is_the_documented_shape() -> None:
    simulate([Caller, "caller"], hands=1, seed=1)
    _, valid, _, state = next(row for row in HEARD if row[0] == "ask")
    assert valid == [
        {"action": "fold", "amount": 0},
        {"action": "call", "amount": 2},
        {"action": "raise", "amount": {"min": 4, "max": 200}},
    ]
    assert state["action_histories"] == {
        "preflop": [
            {"action": "SMALLBLIND", "amount": 1, "add_amount": 1, "uuid": "uuid-0"},
            {"action": "BIGBLIND", "amount": 2, "add_amount": 1, "uuid": "uuid-1"},
        ]
    }
    assert {key: state[key] for key in ("street", "pot", "community_card", "next_player", "round_count")} == {
        "street": "preflop",
        "pot": {"main": {"amount": 3}, "side": []},
        "community_card": [],
        "next_player": 0,
        "round_count": 1,
    }
    assert (state["dealer_btn"], state["small_blind_pos"], state["big_blind_pos"]) == (0, 0, 1)
    _, action, after = next(row for row in HEARD if row[0] == "update")
    assert action == {"player_uuid": "uuid-0", "action": "call", "amount": 2}
    assert after["action_histories"]["preflop"][-1] == {
        "action": "CALL",
        "amount": 2,
        "paid": 1,
        "uuid": "uuid-0",
    }


@pytest.mark.parametrize("bots", [[Caller, Raiser, "maniac"], [Caller, "random", "tight", Raiser]])
def test_chips_are_kept_in_every_state_and_actions_add_up(bots: list[Any]) -> None:
    stacks = [200, 90, 150, 60][: len(bots)]
    result = simulate(bots, hands=60, seed=3, stacks=stacks)
    assert result.players[0].faults.total == 0
    for row in HEARD:
        if row[0] not in ("street", "update", "ask"):
            continue
        state = row[-1]
        pots = [state["pot"]["main"], *state["pot"]["side"]]
        behind = sum(seat["stack"] for seat in state["seats"])
        assert behind + sum(pot["amount"] for pot in pots) == sum(stacks)
        paid = sum(
            each.get("paid", each["amount"] if "BLIND" in each["action"] else 0)
            for rows in state["action_histories"].values()
            for each in rows
        )
        assert behind + paid == sum(stacks)
        assert {seat["state"] for seat in state["seats"] if not seat["stack"]} <= {"allin", "folded"}
    assert any(state["pot"]["side"] for *_, state in (row for row in HEARD if row[0] == "update"))
    ends = [row for row in HEARD if row[0] == "result"]
    assert len(ends) >= 60
    assert all(sum(seat["stack"] for seat in row[3]["seats"]) == sum(stacks) for row in ends)


def test_streets_that_nobody_acts_on_are_told() -> None:
    simulate([Caller, Raiser], hands=1, seed=1)
    streets = [(row[1], len(row[2]["community_card"])) for row in HEARD if row[0] == "street"]
    for street in (("preflop", 0), ("flop", 3), ("turn", 4), ("river", 5)):
        assert streets.count(street) == 2


def test_a_result_tells_winners_and_the_hands_that_were_shown() -> None:
    simulate([Caller, "caller"], hands=1, seed=1)
    _, winners, info, state = HEARD[-1]
    assert [each["uuid"] for each in winners] in (["uuid-0"], ["uuid-1"])
    assert {each["uuid"] for each in info} <= {"uuid-0", "uuid-1"}
    assert info[0]["hand"].keys() == {"hand", "hole"}
    assert state["street"] == "showdown"
    HEARD.clear()
    simulate([Caller, "folder"], hands=2, seed=1)
    results = [row for row in HEARD if row[0] == "result"]

    assert any(row[2] == [] for row in results)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (("call", 1), "illegal"),
        (("raise", 3), "illegal"),
        (("raise", 4.0), "nonsense"),
        (("allin", 4), "nonsense"),
        ("call", "nonsense"),
        (None, "nonsense"),
        (("fold", 0), None),
        (("call", 500), None),  # all that it has, or more: the engine calls for what it has
    ],
)
def test_an_answer_is_taken_as_it_is(answer: object, kind: str | None) -> None:
    class Says(PyPokerEngineBot):
        class player(Player):  # noqa: N801  the name that the adapter reads
            def declare_action(self, *_: object) -> object:
                return answer

    faults = simulate([Says, "caller"], hands=1, seed=1).players[0].faults
    assert (getattr(faults, kind) > 0) if kind else faults.total == 0


def test_it_plays_holdem_only_and_where_bots_hear() -> None:
    with pytest.raises(BadSpec, match="play holdem only, not omaha"):
        simulate([Caller, "caller"], hands=1, game="omaha")
    hand = Hand((200, 200), Stakes(1, 2), deck=Deck.seeded(1))
    with pytest.raises(BotFault, match="was not told that a hand began"):
        Caller()(hand.view(hand.to_act[0], SeedTree(1).stream(0, 0)))


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("2c7d 9hTsKd3c4s", ("HIGHCARD", 7, 2)),
        ("2c7d 7hTsKd3c4s", ("ONEPAIR", 7, 0)),
        ("2c7d 7hTsTd3c2s", ("TWOPAIR", 10, 7)),
        ("7c7d 7hTsKd3c4s", ("THREECARD", 7, 0)),
        ("5c6d 7h8s9d2cKs", ("STRAIGHT", 5, 0)),
        ("Ac2d 3h4s5dKcKs", ("STRAIGHT", 1, 0)),
        ("2c7c 9cTsKc3c4s", ("FLASH", 13, 0)),
        ("7c7d 7hTsTd2c2s", ("FULLHOUSE", 7, 10)),
        ("7c7d 7h7sTd2c2s", ("FOURCARD", 7, 0)),
        ("5c6c 7c8c9c2d9s", ("STRAIGHTFLASH", 5, 0)),
    ],
)
def test_a_shown_hand_is_told_in_its_words(cards: str, told: tuple[str, int, int]) -> None:
    hole, board = (parse_cards(part) for part in cards.split())
    info = _hand_info(hole, board)
    assert (info["hand"]["strength"], info["hand"]["high"], info["hand"]["low"]) == told
    assert _cards(hole)[0] == f"{cards[1].upper()}{cards[0]}"
