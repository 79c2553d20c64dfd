"""HSPE's games over the Room: seats, turns, invalid bets, leaving, and coming back."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from poker_actors.errors import StaleAction, TableRefusal
from poker_actors.server import GO, README
from poker_actors.server.hspe import Game, NamedAction, Order, read_order
from poker_actors.server.hspe.wire import round_pots
from tests.unit.server.conftest import game_json
from tests.unit.server.test_server_pace import fold

if TYPE_CHECKING:
    from poker_actors.server import User
    from tests.unit.server.conftest import House


def to_act(game: Game) -> str:
    assert game.turn is not None
    return game.turn.user


def owed(game: Game) -> int:
    assert game.turn is not None
    state = game.turn.state
    return state.public.to_call(state.seat)


def refused(code: str, command: Callable[[], object]) -> None:
    with pytest.raises(TableRefusal) as caught:
        command()
    assert caught.value.code == code


def test_two_players_with_10000_each_post_10_and_20(house: House) -> None:
    game, _ = house.game_of("ann", "bob")
    shown = game_json(game, README)
    assert [player["wealth"] for player in shown["table"]] in ([9990, 9980], [9980, 9990])
    assert {player["handle"] for player in shown["table"]} == {"ann", "bob"}
    assert shown["pots"] == [{"size": 30, "players": [p["playerID"] for p in shown["table"]]}]
    assert shown["turn"]["bet_to_player"] == 20
    assert shown["turn"]["minimum_raise"] == 20
    small = next(player for player in shown["table"] if player["small_blind"])
    assert small["playerID"] == shown["turn"]["playerID"], "heads-up the small blind acts first"


def test_one_player_waits_for_another(house: House) -> None:
    game, _ = house.game_of("ann")
    shown = game_json(game, README)
    assert shown["turn"]["playerID"] == ""
    assert shown["pots"] is None
    assert shown["cards"] == {"hole": None, "flop": None, "turn": None, "river": None}


def test_hole_cards_are_shown_to_their_owner_alone(house: House) -> None:
    game, users = house.game_of("ann", "bob")
    views = [game_json(game, README, user.id)["cards"]["hole"] for user in users]
    assert len({*views[0], *views[1]}) == 4
    assert game_json(game, README)["cards"]["hole"] is None
    assert game_json(game, README, house.user("eve").id) == game_json(game, README)


@pytest.mark.parametrize("already", range(2, 7))
@pytest.mark.parametrize("hands", [0, 1, 2, 3])
def test_a_joiner_waits_for_the_next_hand_and_no_longer(house: House, already: int, hands: int) -> None:
    game, _ = house.game_of(*"defghi"[:already])
    while game.hands < hands:
        game.act(to_act(game), Order(None))
        house.run()
    _, seated = house.lobby.join(house.user("cyd"), game.id)
    assert seated
    house.run()
    late = game_json(game, README)["table"][-1]
    assert (late["handle"], late["state"], late["wealth"]) == ("cyd", "folded", 10_000)
    while game.hands == hands:
        game.act(to_act(game), Order(None))
        house.run()
    assert game.public is not None
    assert sum(1 for stack in game.public.setup.stacks if stack) == already + 1


def test_the_eleventh_waits_in_the_queue_and_gets_the_first_free_seat(house: House) -> None:
    game, users = house.game_of(*(f"user {number}" for number in range(10)))
    for name in ("eleven", "twelve"):
        _, seated = house.lobby.join(house.user(name), game.id)
        assert not seated
    leaver = users[3]
    game.leave(leaver.id)
    while len(game.roster.queue) == 2:
        game.act(to_act(game), Order(None))
        house.run()
    assert len(game.roster.queue) == 1
    assert "eleven" in {player["handle"] for player in game_json(game, README)["table"]}
    assert house.wealth(game) == 100_000


@pytest.mark.parametrize("amount", [-1, 10_001, 5, 9, 25, 49])
def test_an_invalid_bet_folds_and_the_game_says_why(house: House, amount: int) -> None:
    game, _ = house.game_of("ann", "bob", "cyd")
    folder = to_act(game)
    if amount == 49:  # a raise by 19 over a raise by 30
        game.act(folder, Order(50))
        house.run()
        folder = to_act(game)
        amount = owed(game) + 19
    game.act(folder, Order(amount))
    house.runtime.run()
    shown = game_json(game, README)
    states = {player["playerID"]: player["state"] for player in shown["table"]}
    assert states[folder] == "folded"
    assert shown["invalid_bet"]["playerID"] == folder
    assert shown["invalid_bet"]["betAmount"] == amount
    assert "invalid_bet" not in game_json(game, GO)


def test_less_than_the_call_is_valid_when_it_is_everything(house: House) -> None:
    game, _ = house.game_of("ann", "bob")
    game.act(to_act(game), Order(9_000))  # of 9990 left
    house.run()
    game.act(to_act(game), Order(9_980))
    house.run()
    game.act(to_act(game), Order(990))
    house.run()
    assert game.invalid_bet is None
    assert game.hands == 1
    assert house.wealth(game) in (20_000, 10_000), "a loser of everything has left"


def test_orders_out_of_turn_are_ignored(house: House) -> None:
    game, users = house.game_of("ann", "bob")
    other = next(user.id for user in users if user.id != to_act(game))
    before = game_json(game, README)
    refused("out_of_turn", lambda: game.act(other, Order(None)))
    assert game_json(game, README) == before
    refused("not_joined", lambda: game.act(house.user("eve").id, Order(None)))
    assert game.turn is not None
    hand_id, seq = game.turn.key
    refused("out_of_turn", lambda: game.act(to_act(game), Order(None), (hand_id, seq + 1)))
    refused("out_of_turn", lambda: game.take(other, NamedAction("fold")))
    assert game_json(game, README) == before


def test_who_is_out_of_time_folds_is_removed_and_forfeits(house: House) -> None:
    game, _ = house.game_of("ann", "bob", "cyd")
    slow = to_act(game)
    house.run(14.9)
    assert to_act(game) == slow
    house.run(0.2)
    assert slow not in game.roster.playing
    assert to_act(game) != slow
    game.act(to_act(game), Order(None))
    house.run()
    assert house.wealth(game) == 20_000, "the blinds won or lost stay; its own 10000 have gone"


def test_leaving_in_turn_folds_and_the_chips_in_the_pot_stay_there(house: House) -> None:
    game, users = house.game_of("ann", "bob")
    loser = to_act(game)
    winner = next(user.id for user in users if user.id != loser)
    game.act(loser, Order(490))
    house.run()
    game.act(winner, Order(480))
    house.run()
    game.leave(loser)
    house.run()
    while loser in {member.user.id for member in game.roster.members.values()}:
        game.act(to_act(game), Order(0))
        house.run()
    assert [p["wealth"] for p in game_json(game, README)["table"]] == [10_500]
    assert house.wealth(game) == 10_500, "what the leaver still had is not in play"
    assert house.room.audit().forfeit == 9_500, "it is booked, and counted among the chips there are"


def test_who_left_may_come_back_with_10000(house: House) -> None:
    game, users = house.game_of("ann", "bob")
    game.leave(users[0].id)
    refused("not_joined", lambda: game.leave(users[0].id))
    house.lobby.join(users[0], game.id)
    house.run()
    while users[0].id not in game.roster.playing:
        game.act(to_act(game), Order(None))
        house.run()
    house.run()
    assert game.roster.playing[users[0].id].wealth == 10_000
    assert house.wealth(game) in (19_990, 20_010), "the other has won or lost a blind"


def test_joining_twice_and_acting_for_others_is_refused(house: House) -> None:
    game, users = house.game_of("ann", "bob")
    refused("already_joined", lambda: house.lobby.join(users[0], game.id))
    refused("not_yours", lambda: house.lobby.own(users[0], game.id, users[1].id))
    refused("no_player", lambda: house.lobby.own(users[0], game.id, "nobody"))
    refused("no_game", lambda: house.lobby.game("no such"))


def play(house: House, game: Game, luck: Random, acts: int, look: Callable[[dict[str, Any]], None]) -> None:
    """Have everybody bet at random, invalid bets and leaving included."""
    for _ in range(acts):
        if game.turn is None:
            house.run(1.0)
            if game.turn is None:
                return
        assert game.public is not None
        assert sum(pot.amount for pot in round_pots(game.public)) == game.public.pot
        look(game_json(game, README))
        stack = game.turn.state.public.chips_behind[game.turn.state.seat]
        calls, some = [owed(game)] * 4, luck.randint(0, min(stack, 400))
        amount = stack if luck.random() < 0.03 else luck.choice([*calls, owed(game) + 20, some])
        game.act(to_act(game), Order(None if luck.random() < 0.1 else amount))
        house.run()


@pytest.mark.parametrize("seed", range(12))
def test_pots_hold_what_is_in_the_middle_and_no_chip_is_lost(house: House, seed: int) -> None:
    game, users = house.game_of(*"abcdef"[: 2 + seed % 5])
    minted = [10_000 * len(users)]

    def look(shown: dict[str, Any]) -> None:
        assert len(shown["pots"]) >= sum(1 for street in ("flop", "turn", "river") if shown["cards"][street])
        chips = sum(player["wealth"] for player in shown["table"]) + sum(p["size"] for p in shown["pots"])
        assert chips == minted[0]

    play(house, game, Random(seed), 150, look)
    assert house.wealth(game) == minted[0]
    assert game.hands > 3 or len(game.roster.playing) == 1, "or one has won everything"


def test_a_killed_server_comes_back_mid_hand(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, users = house.game_of("ann", "bob", "cyd")
    waiting = house.user("dan")
    game.act(to_act(game), Order(100))
    house.run()
    gone = next(user.id for user in users if user.id != to_act(game))
    game.leave(gone)
    house.run()
    house.lobby.join(waiting, game.id)
    before = [game_json(game, README, user.id) for user in users]
    again = reopened()
    back = again.lobby.game(game.id)
    after = [game_json(back, README, user.id) for user in users]
    assert after == [{**one, "turn": after[0]["turn"]} for one in before]
    assert to_act(back) == to_act(game)
    assert gone not in back.roster.playing
    while gone in {member.user.id for member in back.roster.members.values()}:
        back.act(to_act(back), Order(None))
        again.run()
    assert len(back.roster.playing) == 3
    assert again.room.audit().conserved
    assert again.users.check("ann", "secret") == users[0]


def test_every_hand_of_a_killed_server_goes_on_whatever_other_games_there_are(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    idle, _ = house.game_of("eve")
    games = [house.game_of(f"ann{number}", f"bob{number}")[0] for number in range(4)]
    turns = [to_act(game) for game in games]
    again = reopened()
    assert [to_act(again.lobby.game(game.id)) for game in games] == turns
    for game in games:
        for user_id in game.roster.playing:
            assert game_json(again.lobby.game(game.id), README, user_id)["cards"]["hole"] is not None
    assert again.lobby.game(idle.id).turn is None


def test_a_hand_that_was_over_and_not_paid_when_the_server_was_killed_is_told_of_after_the_start(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    game, _ = house.game_of("ann", "bob")
    last = game.hand_id
    game.act(to_act(game), Order(None))
    assert house.ended == []
    again = reopened()
    assert again.ended == [last]
    assert again.wealth(again.lobby.game(game.id)) == 20_000


def test_an_act_has_two_fields_of_whole_numbers() -> None:
    assert read_order(b'{"action":1,"betAmount":20}', README) == (Order(20), None)
    assert read_order(b'{"action":0}', README) == (Order(None), None)
    assert read_order(b'{"action":1,"betAmount":-5}', README) == (Order(-5), None)
    assert read_order(b'{"ACTION":2,"betamount":7}', GO) == (Order(7), None)
    assert read_order(b"{}", GO) == (Order(None), None)
    keyed = b'{"action":0,"hand_id":"g/hand-000000001","seq":2}'
    for profile in (README, GO):
        assert read_order(keyed, profile) == (Order(None), ("g/hand-000000001", 2))


@pytest.mark.parametrize(
    "body",
    [b"", b"nonsense", b"[]", b"{}", b'{"action":2,"betAmount":1}', b'{"action":1}', b'{"action":1,"betAmount":1.5}',
     b'{"action":true,"betAmount":1}', b'{"action":1,"betAmount":"5"}', b'{"action":1,"betAmount":1e400}', b"[" * 4000],
)  # fmt: skip
def test_what_is_no_act_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"Couldn't read|must be 0 .fold"):
        read_order(body, README)


@pytest.mark.parametrize("done", [NamedAction("fold"), Order(None)])
def test_the_turn_that_ends_a_hand_sent_again_after_a_kill_is_answered_as_at_first(
    reopened: Callable[[], House], done: NamedAction | Order
) -> None:
    house = reopened()
    game, _ = house.game_of("ann", "bob")
    assert game.turn is not None
    who, key = game.turn.user, game.turn.key

    def send(game: Game) -> None:
        if isinstance(done, NamedAction):
            assert game.take(who, done, key) == key
        else:
            game.act(who, done, key)

    send(game)
    house.run()
    assert game.hand_id != key[0], "the next hand is dealt"
    send(game)
    again = reopened().lobby.game(game.id)
    assert (game.hands, again.hands) == (1, 1), "the one that is played does not count yet"
    before = again.version
    send(again)
    assert again.version == before, "it is answered, and changes nothing"
    with pytest.raises((StaleAction, TableRefusal)):
        again.take(who, NamedAction("call"), key)


@pytest.mark.parametrize("done", [NamedAction("call"), Order(10), Order(5)], ids=str)
def test_a_turn_in_the_midst_of_a_hand_sent_again_after_a_kill_is_answered_as_at_first(
    reopened: Callable[[], House], done: NamedAction | Order
) -> None:
    """An order of 5 is an invalid bet, which folds: sent again it is answered as a bet."""
    house = reopened()
    game, _ = house.game_of("ann", "bob", "cat")
    fold(house, game)
    assert game.turn is not None
    who, key = game.turn.user, game.turn.key

    def send(game: Game) -> None:
        if isinstance(done, NamedAction):
            assert game.take(who, done, key) == key
        else:
            game.act(who, done, key)

    send(game)
    house.run()
    for _ in range(2):  # in the same hand, and when the next is dealt
        house = reopened()
        game = house.lobby.game(game.id)
        before = game.version
        send(game)
        house.run()
        assert game.version == before, "it is answered, and changes nothing"
        with pytest.raises((StaleAction, TableRefusal)):
            game.take(who, NamedAction("all_in"), key)
        if game.hand_id == key[0]:
            fold(house, game)
    assert game.hand_id != key[0]


def test_a_turn_noted_with_its_whole_hand_as_it_once_was_is_answered_again(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    game, (ann, _) = house.game_of("ann", "bob")
    hand_id = f"{game.id}/hand-000000000"
    fold(house, game)
    house.notes.put(f"taken/{game.id}", json.dumps([hand_id, {ann.id: [7, "raise_to", 60]}]))
    again = reopened().lobby.game(game.id)
    key = (hand_id, 7)
    assert again.take(ann.id, NamedAction("raise_to", 60), key) == key


def test_what_is_known_of_a_hands_last_turns_goes_with_its_game(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, users = house.game_of("ann", "bob")
    assert game.turn is not None
    game.act(game.turn.user, Order(None), game.turn.key)
    house.run()
    assert house.notes.under("taken/")
    for user in users:
        game.leave(user.id)
        house.run()
    house.lobby.drop(game)
    assert not house.notes.under("taken/")
    assert not house.notes.under("game/")


# -- people, who keep their seats --------------------------------------------------------------


def of_people(house: House, *names: str) -> tuple[Game, list[User]]:
    """A game whose players keep their seats, as at the page."""
    users = [house.user(name) for name in names]
    game, _ = house.lobby.make(users[0], keeps_seat=True)
    for user in users[1:]:
        house.lobby.join(user, game.id, keeps_seat=True)
    house.run()
    return game, users


def test_a_person_who_misses_a_turn_sits_out_with_seat_and_stack_and_comes_back(house: House) -> None:
    game, _ = of_people(house, "ann", "bob", "cat")
    late = to_act(game)
    house.run(15)
    assert late in game.roster.playing
    assert game.notice is not None
    assert game.notice.endswith("ran out of time and sits out")
    assert game.roster.playing[late].away is not None
    for _ in range(8):
        assert to_act(game) != late
        game.act(to_act(game), Order(None))
        house.run()
    assert game.roster.playing[late].wealth >= 9_970
    game.sit_out(late, out=False)
    for _ in range(12):
        if game.turn is not None and game.turn.user == late:
            break
        game.act(to_act(game), Order(None))
        house.run()
    assert game.turn is not None
    assert game.turn.user == late, "dealt in again"
    assert house.wealth(game) == 30_000


def test_a_person_who_sits_out_in_a_hand_checks_or_folds_at_once(house: House) -> None:
    game, _ = of_people(house, "ann", "bob")
    other = next(user for user in game.roster.playing if user != to_act(game))
    game.sit_out(other, out=True)
    game.act(to_act(game), Order(owed(game)))
    house.run()
    assert game.turn is None or game.turn.user != other


def test_nobody_is_dealt_in_while_all_people_sit_out_though_the_house_plays(house: House) -> None:
    game, (ann,) = of_people(house, "ann")
    house.lobby.seat_house(ann, game.id, ["tight", "loose"])
    house.run(5)
    game.sit_out(ann.id, out=True)
    house.run(60)
    played = game.hands
    house.run(600)
    assert game.hands == played
    game.sit_out(ann.id, out=False)
    house.run(60)
    assert game.hands > played or game.turn is not None


def test_a_program_that_misses_a_turn_leaves_as_ever(house: House) -> None:
    game, _ = house.game_of("ann", "bob", "cat")
    late = to_act(game)
    house.run(15)
    assert late not in game.roster.playing
    assert game.notice is not None
    assert game.notice.endswith("ran out of time and has left")


def test_who_sits_out_sits_out_after_a_kill_and_keeps_its_seat(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, (ann, _, _) = of_people(house, "ann", "bob", "cat")
    game.sit_out(ann.id, out=True)
    house.run()
    again = reopened().lobby.game(game.id)
    member = again.roster.playing[ann.id]
    assert (member.keeps_seat, member.away) == (True, game.roster.playing[ann.id].away)
    again.sit_out(ann.id, out=False)
    assert again.roster.playing[ann.id].away is None


def test_a_seat_may_be_chosen_and_a_stack_topped_up_between_hands(house: House) -> None:
    ann, bob, cat = (house.user(name) for name in ("ann", "bob", "cat"))
    game, _ = house.lobby.make(ann)
    house.lobby.join(bob, game.id, seat=7)
    assert game.roster.playing[bob.id].seat == 7
    refused("seat_taken", lambda: house.lobby.join(cat, game.id, seat=7))
    assert cat.id not in game.roster.playing
    house.run()
    refused("hand_in_progress", lambda: game.top_up(ann.id))
    refused("not_joined", lambda: game.top_up(cat.id))
    for user in (ann, bob):
        game.sit_out(user.id, out=True)
    house.run(1)
    assert game.turn is None
    poor = min(game.roster.playing.values(), key=lambda member: member.wealth)
    missing = 10_000 - poor.wealth
    assert missing > 0
    assert game.top_up(poor.user.id) == missing
    refused("not_enough", lambda: game.top_up(poor.user.id))
    assert house.wealth(game) == 20_000 + missing
