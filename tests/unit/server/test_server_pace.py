"""Time banks, turns decided before they come, and what may be added to a stack: for people and programs alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import pytest

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.server import README
from poker_actors.server.hspe import Game, Order, Rules, Setting, read_plan, read_setting
from poker_actors.server.live import Hands, Views
from tests.unit.server.conftest import House, picture, table

if TYPE_CHECKING:
    from poker_actors.server import User

BANK = Setting(time_bank=60, time_bank_refill=5)


def table_of(house: House, setting: Setting, *names: str) -> tuple[Game, list[User]]:
    users = [house.user(name) for name in names]
    game, _ = house.lobby.make(users[0], setting, keeps_seat=True)
    for user in users[1:]:
        house.lobby.join(user, game.id, keeps_seat=True)
    house.run()
    return game, users


def to_act(game: Game) -> str:
    assert game.turn is not None
    return game.turn.user


def fold(house: House, game: Game) -> None:
    game.act(to_act(game), Order(None))
    house.run()


def refused(code: str, command: Callable[[], object]) -> None:
    with pytest.raises(TableRefusal) as caught:
        command()
    assert caught.value.code == code


def test_who_is_out_of_time_draws_on_the_bank_and_keeps_what_is_left(house: House) -> None:
    game, _ = table_of(house, BANK, "ann", "bob", "cat")
    slow, seat = to_act(game), game.turn.state.seat if game.turn else -1
    before = game.version
    house.run(15)
    assert to_act(game) == slow
    shown = picture(game, None)
    assert game.version > before, "everybody is shown that the bank runs"
    assert shown["turn"] == {"seat": seat, "expiry": house.clock.time + 60, "seconds": 60, "bank": True}
    house.run(20)
    fold(house, game)
    assert game.roster.playing[slow].bank == 40
    assert game.roster.playing[slow].away is None
    assert picture(game, None)["seats"][seat]["bank"] == 40


def test_who_has_used_up_the_bank_sits_out_and_the_next_turn_has_its_window_alone(house: House) -> None:
    game, _ = table_of(house, BANK, "ann", "bob", "cat")
    slow = to_act(game)
    house.run(15 + 60)
    member = game.roster.playing[slow]
    assert member.away is not None
    assert member.bank == 0
    other = to_act(game)
    assert other != slow
    assert game.turn is not None
    assert game.turn.expiry == house.clock.time + 15


def test_every_hand_dealt_in_refills_the_bank_as_far_as_it_goes(house: House) -> None:
    game, _ = table_of(house, BANK, "ann", "bob")
    slow = to_act(game)
    house.run(15 + 58)
    fold(house, game)
    left = [game.roster.playing[slow].bank]
    for _ in range(12):
        fold(house, game)
        left.append(game.roster.playing[slow].bank)
    assert left == [min(7 + 5 * hand, 60) for hand in range(13)]


def test_a_game_has_no_time_bank_unless_it_is_asked_for(house: House) -> None:
    game, _ = table_of(house, Setting(), "ann", "bob")
    slow = to_act(game)
    house.run(15)
    assert game.roster.playing[slow].away is not None
    assert read_setting(b'{"time_bank": 30, "time_bank_refill": 2}', "ann").time_bank == 30
    for body in (b'{"time_bank": -1}', b'{"time_bank": 601}', b'{"time_bank": true}'):
        with pytest.raises(BadSpec):
            read_setting(body, "ann")


def test_a_bank_survives_a_kill_in_the_hand_it_was_used_in(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, (_, _, _) = table_of(house, BANK, "ann", "bob", "cat")
    slow = to_act(game)
    house.run(15 + 20)
    fold(house, game)
    again = reopened().lobby.game(game.id)
    assert {one: member.bank for one, member in again.roster.playing.items()} == {
        one: 40 if one == slow else 60 for one in game.roster.playing
    }


def test_a_bank_is_shown_after_a_kill_as_before_it(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, (_, _, _) = table_of(house, BANK, "ann", "bob", "cat")
    house.run(15 + 1.5503)
    fold(house, game)
    again = reopened().lobby.game(game.id)
    banks = [[seat["bank"] for seat in picture(one, None)["seats"]] for one in (game, again)]
    assert banks[0] == banks[1]
    assert 58.4 in banks[0] or 58.5 in banks[0]


def test_a_turn_decided_before_is_taken_at_once_and_nobody_else_is_told(house: House) -> None:
    game, _ = table_of(house, Setting(), "ann", "bob", "cat")
    first = to_act(game)
    others = [user for user in game.roster.playing if user != first]
    version = game.version
    for user in others:
        game.plan(user, "call_any", game.hand_id)
    assert [game.planned(user) for user in (first, *others)] == [None, "call_any", "call_any"]
    assert game.version == version, "who looks on sees nothing of it"
    game.act(first, Order(100))
    house.run()
    assert game.public is not None
    assert len(game.public.board) == 3
    assert sum(game.public.setup.stacks) - sum(game.public.chips_behind) == 300
    assert game.planned(others[0]) is None, "once"


def test_check_or_fold_checks_where_that_is_free_and_folds_where_it_is_not(house: House) -> None:
    game, _ = table_of(house, Setting(), "ann", "bob")
    first = to_act(game)
    second = next(user for user in game.roster.playing if user != first)
    game.plan(second, "check_fold")
    game.act(first, Order(10))
    house.run()
    assert game.public is not None
    assert len(game.public.board) == 3, "the big blind has checked"
    before = game.hand_id
    game.plan(first, "check_fold")
    game.act(second, Order(20))
    house.run()
    assert game.hand_id != before, "and on the flop the other has folded"


def test_a_plan_is_for_one_hand_and_for_who_is_still_asked_in_it(house: House) -> None:
    game, (ann, bob, _) = table_of(house, Setting(), "ann", "bob", "cat")
    first = to_act(game)
    other = next(user for user in game.roster.playing if user != first)
    refused("stale_action", lambda: game.plan(first, "check_fold"))
    refused("stale_action", lambda: game.plan(other, "check_fold", "another hand"))
    refused("not_joined", lambda: game.plan(house.user("eve").id, "check_fold"))
    game.plan(other, "call_any")
    game.plan(other, None)
    assert game.planned(other) is None
    fold(house, game)
    refused("not_active", lambda: game.plan(first, "check_fold"))
    sure = next(user for user in game.roster.playing if user not in (first, to_act(game)))
    game.plan(sure, "call_any")
    fold(house, game)
    assert [game.planned(user) for user in game.roster.playing] == [None, None, None], "the hand is over"
    assert {ann.id, bob.id} <= set(game.roster.playing)


@pytest.mark.parametrize(
    "body", [b"", b"{}", b'{"plan": "raise"}', b'{"plan": []}', b'{"plan": null, "hand_id": 7}']
)
def test_what_is_no_plan_is_refused(body: bytes) -> None:
    with pytest.raises(BadSpec):
        read_plan(body)


def test_a_picture_says_what_a_top_up_would_add_by_the_rule_that_adds_it(house: House) -> None:
    game, (ann, bob) = table_of(house, Setting(pause=5), "ann", "bob")
    assert picture(game, ann.id)["you"]["top_up"] == 0
    game.act(to_act(game), Order(None))
    house.run()
    offers = {user.id: picture(game, user.id)["you"]["top_up"] for user in (ann, bob)}
    assert sorted(offers.values()) == [0, 10]
    poor = max(offers, key=lambda one: offers[one])
    assert game.top_up(poor) == 10
    assert picture(game, poor)["you"]["top_up"] == 0


def test_who_leaves_after_the_hand_plays_it_to_its_end(house: House) -> None:
    game, users = table_of(house, Setting(pause=4), "ann", "bob", "cat")
    goer = next(user for user in users if user.id != to_act(game))
    game.leave_after_hand(goer.id, leave=True)
    house.run()
    shown = picture(game, goer.id)["you"]
    assert (shown["leaves"], shown["seat"] is None) == (True, False)
    assert not any(picture(game, user.id)["you"]["leaves"] for user in users if user is not goer)
    fold(house, game)
    assert goer.id in game.roster.playing, "the hand goes on"
    fold(house, game)
    assert goer.id in game.roster.playing, "until the next hand, one may stay after all"
    house.run(4)
    assert goer.id not in game.roster.members
    assert len(game.roster.playing) == 2
    assert house.wealth(game) == sum(one.wealth for one in game.roster.playing.values())


def test_who_stays_after_all_stays_and_who_is_in_no_hand_leaves_at_once(house: House) -> None:
    game, users = table_of(house, Setting(pause=4), "ann", "bob", "cat")
    ann, bob, _ = users
    game.leave_after_hand(ann.id, leave=True)
    game.leave_after_hand(ann.id, leave=False)
    dan = house.user("dan")
    house.lobby.join(dan, game.id)
    game.leave_after_hand(dan.id, leave=True)
    house.run()
    assert dan.id not in game.roster.members
    fold(house, game)
    fold(house, game)
    house.run(4)
    assert ann.id in game.roster.playing
    assert bob.id in game.roster.playing
    refused("not_joined", lambda: game.leave_after_hand(dan.id, leave=True))


def test_who_waits_and_leaves_after_the_hand_gives_up_the_place_at_once(house: House) -> None:
    game, _ = table_of(house, Setting(seats=2), "ann", "bob")
    cat = house.user("cat")
    house.lobby.join(cat, game.id)
    game.leave_after_hand(cat.id, leave=False)
    assert cat.id in game.roster.queue
    game.leave_after_hand(cat.id, leave=True)
    assert cat.id not in game.roster.queue


def test_who_leaves_after_the_hand_leaves_after_it_though_the_server_was_killed(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    game, users = table_of(house, Setting(pause=4), "ann", "bob", "cat")
    goer = next(user for user in users if user.id != to_act(game))
    game.leave_after_hand(goer.id, leave=True)
    house.run()
    house = reopened()
    game = house.lobby.games[game.id]
    assert picture(game, goer.id)["you"]["leaves"]
    fold(house, game)
    fold(house, game)
    house.run(4)
    assert goer.id not in game.roster.members


def test_cards_are_shown_by_their_owner_alone_and_until_the_next_hand(house: House) -> None:
    game, users = table_of(house, Setting(pause=4), "ann", "bob")
    folder = to_act(game)
    other = next(user for user in users if user.id != folder)
    stranger = house.user("dan")
    refused("hand_in_progress", lambda: game.show(other.id))
    fold(house, game)
    assert picture(game, folder)["you"]["may_show"]
    assert not any(seat["cards"] for seat in picture(game, None)["seats"])
    refused("not_joined", lambda: game.show(stranger.id))
    before = game.version
    game.show(other.id)
    house.run()
    assert game.version > before, "everybody is told"
    seen = [seat["cards"] for seat in picture(game, None)["seats"] if seat["cards"]]
    assert seen == [picture(game, other.id)["you"]["cards"]]
    assert not picture(game, other.id)["you"]["may_show"], "they are up already"
    assert picture(game, folder)["you"]["may_show"], "each shows its own"
    house.run(4)
    assert not any(seat["cards"] for seat in picture(game, None)["seats"])
    refused("hand_in_progress", lambda: game.show(other.id))


def test_a_join_just_before_the_end_of_a_hand_does_not_cut_the_pause(house: House) -> None:
    game, _ = table_of(house, Setting(pause=4), "ann", "bob")
    folder, hand = to_act(game), game.hand_id
    house.lobby.join(house.user("cat"), game.id)  # seen to as soon as the loop is free
    fold(house, game)
    house.run(3)
    assert game.hand_id == hand
    assert picture(game, folder)["you"]["may_show"]
    house.run(1)
    assert game.hand_id != hand


def test_cards_that_were_shown_are_in_the_hand_that_is_kept(reopened: Callable[[], House]) -> None:
    house = reopened()
    hands = Hands(house.lobby)
    game, users = table_of(house, Setting(pause=60), "ann", "bob")
    fold(house, game)
    ann, bob = users
    cards = "".join(picture(game, bob.id)["you"]["cards"])
    assert cards not in hands.text(game.id, game.hand_id, ann.id)
    for _ in range(2):
        game.show(bob.id)
        house.run()
        assert hands.text(game.id, game.hand_id, ann.id).count(cards) == 1, "shown"
    again = reopened()
    assert cards in Hands(again.lobby).text(game.id, game.hand_id, ann.id)


def test_who_was_not_dealt_in_has_nothing_to_show(house: House) -> None:
    game, _ = table_of(house, Setting(pause=4), "ann", "bob")
    cat = house.user("cat")
    house.lobby.join(cat, game.id)
    house.run()
    fold(house, game)
    assert not picture(game, cat.id)["you"]["may_show"]
    refused("not_at_table", lambda: game.show(cat.id))


def test_who_left_and_was_cleared_up_has_nothing_to_show_before_a_restart_or_after(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    hands = Hands(house.lobby)
    game, (ann, bob) = table_of(house, Setting(pause=60), "ann", "bob")
    fold(house, game)
    for user in (ann, bob):
        game.leave(user.id)
    house.run(60)
    house.lobby.dismiss_idle(9)
    house.lobby.join(bob, game.id)
    house.run()
    seen = picture(game, None), hands.text(game.id, game.hand_id, ann.id)
    for _ in range(2):
        refused("not_at_table", partial(game.show, bob.id))
        assert (picture(game, None), hands.text(game.id, game.hand_id, ann.id)) == seen
        house = reopened()
        hands, game = Hands(house.lobby), house.lobby.games[game.id]
        assert picture(game, None)["text"] == seen[0]["text"]
        seen = picture(game, None), seen[1]


def test_who_left_and_came_back_may_show_nothing_and_the_page_says_so(house: House) -> None:
    game, (_, bob) = table_of(house, Setting(pause=60), "ann", "bob")
    fold(house, game)
    assert picture(game, bob.id)["you"]["may_show"]
    game.leave(bob.id)
    house.run(60)
    house.lobby.join(bob, game.id)
    assert not picture(game, bob.id)["you"]["may_show"]
    refused("not_at_table", lambda: game.show(bob.id))


def test_who_left_and_waits_again_has_no_cards_after_a_restart_when_another_shows(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    game, (ann, bob) = table_of(house, Setting(pause=60, seats=2), "ann", "bob")
    fold(house, game)
    game.sit_out(ann.id, out=True)  # so that the start deals no new hand
    house.lobby.join(house.user("cat"), game.id)
    game.leave(bob.id)
    house.lobby.join(bob, game.id)
    house = reopened()
    game = house.lobby.games[game.id]
    before = picture(game, bob.id)["you"]
    assert (before["waiting"], before["cards"], before["may_show"]) == (True, None, False)
    game.show(ann.id)
    house.run()
    assert picture(game, bob.id)["you"] == before


def test_a_game_counts_the_hands_before_a_restart(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, users = table_of(house, Setting(pause=4), "ann", "bob")
    for _ in range(2):
        fold(house, game)
        house.run(4)
    assert game.hands == 2
    house = reopened()
    game = house.lobby.games[game.id]
    assert game.hands == 2, "the third is being played"
    fold(house, game)
    for user in users:
        game.sit_out(user.id, out=True)
    assert game.hands == 3
    assert reopened().lobby.games[game.id].hands == 3


def test_cards_may_be_shown_after_a_restart_between_two_hands(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, users = table_of(house, Setting(pause=60), "ann", "bob")
    fold(house, game)
    for user in users:
        game.sit_out(user.id, out=True)  # so that the start deals no new hand
    house = reopened()
    game = house.lobby.games[game.id]
    ann = users[0]
    assert picture(game, ann.id)["you"]["may_show"]
    game.show(ann.id)
    house.run()
    assert [seat["cards"] for seat in picture(game, None)["seats"] if seat["cards"]] == [
        picture(game, ann.id)["you"]["cards"]
    ]


# -- missed blinds -------------------------------------------------------------------------------------


def name_of(game: Game, user: User) -> str:
    return game.roster.playing[user.id].player.name


def owed(game: Game, user: User) -> tuple[bool, bool, bool]:
    """Whether the user owes the small blind, the big one, and waits for it."""
    owing = {one.player: (one.small, one.big, one.waits) for one in game.table.state().owed}
    return owing.get(name_of(game, user), (False, False, False))


def dealt(game: Game, user: User) -> bool:
    return name_of(game, user) in {seat.player for seat in game.table.state().in_hand.values()}


def folded(house: House, game: Game) -> None:
    """Fold until the next hand is dealt."""
    hand_id = game.hand_id
    while game.hand_id == hand_id:
        fold(house, game)


def away_for_a_round(house: House, setting: Setting) -> tuple[Game, User]:
    """A game of four in which both blinds have passed ann, who is away."""
    game, (ann, *_) = table_of(house, setting, "ann", "bob", "cat", "dan")
    game.sit_out(ann.id, out=True)
    for _ in range(6):
        folded(house, game)
    assert not dealt(game, ann)
    return game, ann


def test_blinds_missed_at_a_table_made_so_are_owed_and_posted_on_coming_back_after_a_restart(
    reopened: Callable[[], House],
) -> None:
    game, ann = away_for_a_round(reopened(), Setting(missed_blinds=True))
    assert owed(game, ann) == (True, True, False)
    house = reopened()
    game = house.lobby.games[game.id]
    assert owed(game, ann) == (True, True, False)
    game.sit_out(ann.id, out=False)
    while not dealt(game, ann):
        folded(house, game)
    assert owed(game, ann) == (False, False, False)


def test_a_picture_says_what_is_owed_as_soon_as_it_is(house: House) -> None:
    views = Views(house.lobby, README)
    game, (ann, bob, *_) = table_of(house, Setting(missed_blinds=True), "ann", "bob", "cat", "dan")
    seen = []

    def look() -> None:
        """Look at the view that is kept with the game's version: it must not be behind."""
        for user in (ann, bob):
            owes = table(views, game, user)["you"]["owes"]
            assert owes == picture(game, user.id)["you"]["owes"]
            assert (None if owes is None else tuple(owes.values())) == (
                owed(game, user) if any(owed(game, user)) else None
            )
        seen.append(owed(game, ann))

    game.sit_out(ann.id, out=True)
    while seen[-6:] != [(True, True, False)] * 6:
        look()
        fold(house, game)
    game.sit_out(ann.id, out=False, wait=True)
    look()
    assert seen[-1] == (True, True, True)
    assert picture(game, None)["you"] is None
    game.sit_out(ann.id, out=False)
    while not dealt(game, ann):
        look()
        fold(house, game)
    look()
    assert seen[-1] == (False, False, False)


def test_who_waits_for_the_big_blind_is_dealt_in_with_it(house: House) -> None:
    game, ann = away_for_a_round(house, Setting(missed_blinds=True))
    game.sit_out(ann.id, out=False, wait=True)
    house.run()
    assert game.roster.playing[ann.id].away is None
    assert owed(game, ann) == (True, True, True)
    while not dealt(game, ann):
        folded(house, game)
    state = game.table.state()
    assert state.positions is not None
    assert state.positions.big_blind == state.seat_of(name_of(game, ann))


def test_who_waits_may_post_after_all(house: House) -> None:
    game, ann = away_for_a_round(house, Setting(missed_blinds=True))
    game.sit_out(ann.id, out=False, wait=True)
    game.sit_out(ann.id, out=False)
    assert owed(game, ann) == (True, True, False)


def test_a_new_player_may_wait_for_the_big_blind(house: House) -> None:
    game, _ = table_of(house, Setting(missed_blinds=True), "ann", "bob")
    cat = house.user("cat")
    house.lobby.join(cat, game.id)
    house.run()
    assert owed(game, cat) == (False, True, False)
    game.sit_out(cat.id, out=False, wait=True)
    assert owed(game, cat) == (False, True, True)


@pytest.mark.parametrize(
    ("server", "maker", "owes"), [(True, None, True), (True, False, False), (False, None, False)]
)
def test_a_table_whose_maker_does_not_say_has_blinds_owed_as_the_server_says(
    *, server: bool, maker: bool | None, owes: bool
) -> None:
    house = House(rules=Rules(missed_blinds=server))
    with house.room:
        game, ann = away_for_a_round(house, Setting(missed_blinds=maker))
        assert owed(game, ann) == (owes, owes, False)
        razz, _ = house.lobby.make(ann, read_setting(b'{"game": "razz"}', ann.id))
        assert not razz.table.config.missed_blinds, "it has none"


def test_a_game_without_blinds_is_not_made_to_owe_them() -> None:
    with pytest.raises(BadSpec, match="missed_blinds: razz has no blinds to miss"):
        read_setting(b'{"game": "razz", "missed_blinds": true}', "x")
    assert read_setting(b'{"game": "horse", "missed_blinds": true}', "x").missed_blinds
