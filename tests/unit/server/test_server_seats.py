"""Seats of a game: who gets one, who waits, what a bot does with its own, and what an interruption leaves."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from poker_actors.actors import HandState, LiveHand, News, Table
from poker_actors.actors.table.messages import Deal
from poker_actors.bots import HandStream
from poker_actors.cards import Deck
from poker_actors.errors import StorageFailed, TableRefusal, UnknownBot
from poker_actors.rules import Action, RaiseTo
from poker_actors.server import Lobby, Notes, Rules
from poker_actors.server.hspe import NamedAction, Order, Setting
from poker_actors.server.hspe.house import HouseSeat
from poker_actors.server.live import ledger
from tests.unit.server.conftest import House, picture
from tests.unit.server.test_server_games import refused, to_act
from tests.unit.server.test_server_pace import fold, folded, owed, table_of

if TYPE_CHECKING:
    from poker_actors.server import User
    from poker_actors.server.hspe import Game


def test_so_many_wait_for_a_seat_each_once_and_by_name() -> None:
    house = House(rules=Rules(waiting=2))
    with house.room:
        game, _ = house.game_of("ann", "bob", seats=2)
        cat, dan, eve = (house.user(name) for name in ("cat", "dan", "eve"))
        for user in (cat, dan):
            house.lobby.join(user, game.id)
        refused("already_joined", lambda: house.lobby.join(cat, game.id))
        refused("too_many", lambda: house.lobby.join(eve, game.id))
        assert game.roster.queue == (cat.id, dan.id)
        assert picture(game, None)["waiting"] == ["cat", "dan"]


def test_nobody_passes_who_left_and_waits_for_the_end_of_the_hand(house: House) -> None:
    game, _ = house.game_of("ann", "bob", "cat", pause=60)
    gone = house.users.get(next(one for one in game.roster.playing if one != to_act(game)))
    assert gone is not None
    game.leave(gone.id)
    assert not game.roster.plays(gone.id)
    with pytest.raises(TableRefusal, match="only players seated"):
        house.lobby.say(gone, game.id, "wait for me", None)
    dan = house.user("dan")
    assert [house.lobby.join(user, game.id)[1] for user in (gone, dan)] == [False, False]
    assert [*game.roster.queue] == [gone.id, dan.id]
    while game.turn is not None:
        fold(house, game)
    house.run(60)
    assert not game.roster.queue
    assert {gone.id, dan.id} <= game.roster.playing.keys()


def test_who_sits_out_twice_is_away_since_the_first_time(house: House) -> None:
    game, (ann, _) = table_of(house, Setting(), "ann", "bob")
    game.sit_out(ann.id, out=True)
    since = game.roster.playing[ann.id].away
    house.run(600)
    game.sit_out(ann.id, out=True)
    assert game.roster.playing[ann.id].away == since


def test_who_plays_and_owes_nothing_is_not_made_to_wait_for_the_big_blind(house: House) -> None:
    game, (ann, bob, _) = table_of(house, Setting(missed_blinds=True), "ann", "bob", "cat")
    for _ in range(3):
        folded(house, game)
    told: list[News] = []
    house.room.players[bob.id].listen(told.append)
    before = house.notes.under("game/")
    house.notes.put(f"game/{game.id}", "as it was")
    game.sit_out(ann.id, out=False, wait=True)
    house.run()
    assert owed(game, ann) == (False, False, False)
    assert told == []
    assert house.notes.under("game/") == {game.id: "as it was"}, "nothing to write"
    house.notes.put(f"game/{game.id}", before[game.id])


def test_what_is_usual_of_players_is_not_noted(house: House) -> None:
    game, _ = table_of(house, Setting(time_bank=60), "ann", "bob")
    assert json.loads(house.notes.under("game/")[game.id]).keys() == {
        "members",
        "queue",
        "setting",
        "persons",
    }


def test_a_full_bank_that_is_refilled_costs_no_write_and_who_is_gone_has_none(house: House) -> None:
    game, _ = table_of(house, Setting(time_bank=60, time_bank_refill=5, pause=60), "ann", "bob")
    house.notes.put(f"game/{game.id}", "as it was")
    fold(house, game)
    game.roster.refill_banks([house.user("eve").id])
    assert house.notes.under("game/") == {game.id: "as it was"}


# -- bots -----------------------------------------------------------------------------------------------


def with_bot(house: House) -> tuple[Game, User, str]:
    """A game of ann and a bot, in their first hand; and the bot's id."""
    ann = house.user("ann")
    game, _ = house.lobby.make(ann, Setting(seats=2, pause=60, private=True, ledger=True))
    house.lobby.seat_house(ann, game.id, ["caller"])
    house.run()
    return game, ann, next(iter(game.roster.house))


def test_a_bot_in_a_hand_makes_room_once_it_is_over(house: House) -> None:
    game, ann, bot = with_bot(house)
    bob = house.user("bob")
    assert house.lobby.join(bob, game.id)[1] is False
    house.run()
    assert bot in game.roster.house
    while game.turn is not None:
        if game.turn.user == ann.id:
            game.act(ann.id, Order(None))
        house.run(1)
    house.run(60)
    assert set(game.roster.playing) == {ann.id, bob.id}


@pytest.mark.parametrize("meanwhile", ["nothing", "sent away", "bob waits"])
def test_a_bot_that_has_lost_all_buys_in_again_but_for_who_waits_or_when_it_is_sent_away(
    house: House, meanwhile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = Deck.seeded(1)
    monkeypatch.setattr(Table, "deal", lambda table, game=None: LiveHand(table.ask(Deal(deck.copy()))))
    game, ann, bot = with_bot(house)
    member = game.roster.members[bot]
    seat = member.seat
    if meanwhile == "bob waits":
        house.lobby.join(house.user("bob"), game.id)
    while game.turn is not None:
        state = game.turn.state
        state.act(state.legal.all_in or state.legal.passive)
        house.run(1)
    assert member.wealth == 0
    if meanwhile == "sent away":
        house.lobby.send_house_away(ann, game.id)
    house.run(60)
    assert game.roster.members.get(bot) is (member if meanwhile == "nothing" else None)
    (told,) = [one for one in ledger(house.lobby, game, ann)["players"] if one["player_id"] == bot]
    assert (told["times"], member.seat) == (2 if meanwhile == "nothing" else 1, seat)


# -- what was interrupted -------------------------------------------------------------------------------


def full(*_: object, **__: object) -> None:
    raise StorageFailed("the disk is full")


def test_who_has_no_seat_yet_for_a_full_disk_adds_no_chips_and_is_seated_before_the_next_hand(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, _ = table_of(house, Setting(), "ann", "bob")
    cat = house.user("cat")
    monkeypatch.setattr(Table, "sit", full)
    with pytest.raises(StorageFailed):
        house.lobby.join(cat, game.id)
    assert picture(game, cat.id)["you"]["top_up"] == 0
    refused("hand_in_progress", lambda: game.top_up(cat.id))
    game.sit_out(cat.id, out=True)
    game.sit_out(cat.id, out=False)
    monkeypatch.undo()
    fold(house, game)
    assert game.roster.playing[cat.id].seat is not None
    assert game.roster.playing[cat.id].wealth == 10_000
    assert house.wealth(game) == 30_000


@pytest.mark.parametrize("at", ["sit", "buy_in", "playing"])
def test_a_join_that_was_interrupted_anywhere_is_finished_at_the_next_start(
    reopened: Callable[[], House], monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    house = reopened()
    ann, bob = house.user("ann"), house.user("bob")
    game, _ = house.lobby.make(ann, Setting())
    put = Notes.put

    def put_all_but_the_last(notes: Notes, key: str, text: str | None) -> None:
        if text is not None and text.count("playing") == 2:
            raise StorageFailed("the disk is full")
        put(notes, key, text)

    if at == "playing":
        monkeypatch.setattr(Notes, "put", put_all_but_the_last)
    else:
        monkeypatch.setattr(Table, at, full)
    with pytest.raises(StorageFailed):
        house.lobby.join(bob, game.id, seat=7)
    monkeypatch.undo()
    again = reopened()
    game = again.lobby.games[game.id]
    assert [one.user.name for one in game.roster.playing.values()] == ["ann", "bob"]
    assert (game.roster.playing[bob.id].seat == 7) == (at != "sit"), "a seat that was taken is kept"
    assert again.wealth(game) == 20_000
    assert to_act(game) in (ann.id, bob.id)


def test_a_seat_that_was_given_up_and_not_noted_is_cleared_at_the_next_start(
    reopened: Callable[[], House], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = reopened()
    game, (ann, bob) = house.game_of("ann", "bob", pause=60)
    fold(house, game)
    put = Notes.put

    def put_all_but_the_last(notes: Notes, key: str, text: str | None) -> None:
        if text is not None and bob.id not in text:
            raise StorageFailed("the disk is full")
        put(notes, key, text)

    game.leave(bob.id)
    monkeypatch.setattr(Notes, "put", put_all_but_the_last)
    house.run(60)
    assert bob.id in game.roster.members
    monkeypatch.undo()
    again = reopened()
    game = again.lobby.games[game.id]
    assert [*game.roster.members] == [ann.id]
    assert again.wealth(game) == game.roster.members[ann.id].wealth


def test_programs_are_no_persons_after_a_restart_nor_is_one_that_waits(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    game, _ = house.game_of("ann", "bob", seats=2)
    for name, person in (("cat", False), ("dan", True)):
        house.lobby.join(house.user(name), game.id, keeps_seat=person)
    house = reopened()
    game = house.lobby.games[game.id]
    for _ in range(2):
        late = to_act(game)
        house.run(15)
        assert late not in game.roster.playing
    keeps = {one.user.name: one.keeps_seat for one in game.roster.playing.values()}
    assert keeps == {"cat": False, "dan": True}


# -- games of a server ----------------------------------------------------------------------------------


def test_a_note_without_its_table_and_turns_without_their_game_are_forgotten_at_a_start(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    gone = str(uuid.uuid4())
    house.notes.put(f"game/{gone}", '{"members": {}, "queue": [], "setting": {}}')
    house.notes.put(f"taken/{gone}/0", json.dumps([f"{gone}/hand-000000000", {"ann": [7, None]}]))
    again = reopened()
    assert not again.lobby.games
    assert not again.notes.under("")


def test_a_last_hand_of_another_game_has_no_winners_of_hspe_after_a_restart(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    game, users = table_of(house, Setting(game="omaha", pause=60), "ann", "bob")
    while game.turn is not None:
        legal = game.turn.state.legal
        game.take(game.turn.user, NamedAction("check" if legal.can_check else "call"))
        house.run()
    assert game.winners == []
    for user in users:
        game.sit_out(user.id, out=True)  # so that the start deals no new hand
    back = reopened().lobby.games[game.id]
    assert back.public is not None
    assert back.public.shown
    assert not back.winners


def test_a_bad_note_without_a_table_is_set_aside_alone(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, _ = house.game_of("ann", "bob")
    house.notes.put(f"game/{uuid.uuid4()}", "{")
    Lobby.set_bad_games_aside(house.users)
    assert len(house.notes.asides) == 1
    assert [*reopened().lobby.games] == [game.id]


def test_a_turn_keeps_its_end_when_a_room_is_reopened_in_the_same_process(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    game, _ = house.game_of("ann", "bob")
    house.game_of("cat")
    house.run(5)
    turns = house.lobby.turns
    assert [one.expiry for one in turns.values()] == [house.clock.time + 10]
    again = reopened()
    again.clock.time += 7
    lobby = Lobby(again.room, again.users, again.notes, Rules(), again.clock, turns=turns)
    lobby.go_on()
    assert lobby.games[game.id].turn is not None
    assert lobby.turns == turns


def test_who_sat_out_the_last_hands_does_not_bring_back_the_one_it_played(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    game, (_, _, cat) = table_of(house, Setting(), "ann", "bob", "cat")
    folded(house, game)
    game.sit_out(cat.id, out=True)
    for _ in range(3):
        folded(house, game)
    back = reopened().lobby.games[game.id]
    assert back.hand_id == game.hand_id
    assert to_act(back) == to_act(game)
    assert back.own_hand(cat.id) is None


def test_a_server_has_so_many_games(house: House) -> None:
    lobby = Lobby(house.room, house.users, house.notes, Rules(), house.clock, most_games=1)
    ann = house.user("ann")
    game, _ = lobby.make(ann)
    refused("too_many", lambda: lobby.make(ann))
    assert [*lobby.games] == [game.id]


def test_a_refused_action_and_news_of_a_table_that_is_no_game_are_no_errors(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    game, _ = house.game_of("ann", "bob")
    turn = game.turn
    assert turn is not None
    turn.state.act(RaiseTo(1))
    house.room.open_table("another door's").sit(house.room.players[turn.user], 0)
    house.run()
    assert game.turn is turn
    assert not [one for one in caplog.records if one.levelname == "ERROR"]


def test_a_game_and_the_player_in_it_are_found_or_refused_by_code(house: House) -> None:
    game, (ann, bob) = house.game_of("ann", "bob", seats=2)
    cat, eve = house.user("cat"), house.user("eve")
    house.lobby.join(cat, game.id)
    refused("no_game", lambda: house.lobby.game("none"))
    assert [house.lobby.own(user, game.id, user.id) for user in (ann, cat)] == [game, game]
    refused("not_yours", lambda: house.lobby.own(ann, game.id, bob.id))
    refused("no_player", lambda: house.lobby.own(eve, game.id, eve.id))


def test_only_players_of_this_server_who_neither_play_nor_wait_are_let_go(house: House) -> None:
    game, (ann, bob) = house.game_of("ann", "bob", seats=2)
    cat, eve = house.user("cat"), house.user("eve")
    house.lobby.join(cat, game.id)
    house.lobby.player(eve)
    others = ["a-b-c-d-e", "x" * len(eve.id)]
    for name in others:
        house.room.player(name)
    assert house.lobby.dismiss_idle(0)
    assert not house.lobby.dismiss_idle(9)
    assert {*house.room.players} == {ann.id, bob.id, cat.id, *others}


def test_a_player_of_two_games_is_heard_once_in_each(house: House) -> None:
    game, (ann, _) = house.game_of("ann", "bob", pause=60)
    changes = []
    for _ in range(2):
        before = game.version
        fold(house, game)
        house.run(60)
        changes.append(game.version - before)
        house.lobby.make(ann)
    assert changes[0] == changes[1]


def test_bots_are_seated_for_a_player_or_the_maker_with_numbers_and_while_seats_last(house: House) -> None:
    game, (ann, bob) = house.game_of("ann", "bob", seats=4, maker=house.user("dan").id)
    dan = house.users.get(game.setting.maker)
    assert dan is not None
    refused("not_yours", lambda: house.lobby.seat_house(house.user("eve"), game.id, ["tight"]))
    assert house.lobby.seat_house(dan, game.id, ["tight"]) == ["tight 1"]
    assert house.lobby.seat_house(ann, game.id, ["tight", "tight", "loose"]) == ["tight 2"]
    refused("seat_unavailable", lambda: house.lobby.seat_house(bob, game.id, ["loose"]))


def test_a_table_that_is_seen_late_counts_in_lists_when_it_is_seen(house: House) -> None:
    behind: list[Game] = []
    house.lobby.on_behind = behind.append
    late, _ = house.game_of("ann", "bob", watch_delay=60)
    assert behind
    assert {*behind} == {late}
    version = house.lobby.version
    fold(house, late)
    assert house.lobby.version == version
    at_once, _ = house.game_of("cat", "dan")
    assert house.lobby.version > version
    assert at_once not in behind


def test_only_games_in_which_a_deleted_account_spoke_are_shown_anew(house: House) -> None:
    game, (ann, _) = house.game_of("ann", "bob")
    house.lobby.make(ann)
    shown: list[Game] = []
    house.lobby.on_change = shown.append
    house.lobby.say(ann, game.id, "nice", None)
    house.run(1)
    assert shown == [game], "once, where nobody sees it late"
    shown.clear()
    for delete in house.lobby.on_delete:
        delete(ann)
    assert shown == [game]


def test_who_has_left_since_the_last_hand_is_named_in_it_after_a_restart(
    reopened: Callable[..., House],
) -> None:
    house = reopened()
    game, (ann, bob) = table_of(house, Setting(pause=60), "ann", "bob")
    fold(house, game)
    game.leave(bob.id)
    house.run(60)
    assert [*game.roster.members] == [ann.id]
    again = reopened(lambda lobby: setattr(lobby, "is_kept", lambda *_: False))
    assert again.ended == [game.hand_id], "as it was not noted"
    back = again.lobby.games[game.id]
    assert [*back.gone.values()] == ["bob"]
    assert back.hand_id == game.hand_id
    assert back.own_hand(ann.id) is not None


class Entrants:
    """An arena with some entrants, which check or call."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def check(self, name: str, game: str, seated: int, theirs: int) -> None:
        if name not in self.names:
            raise UnknownBot(f"there is no entrant {name!r}")

    def decide(self, seat: HouseSeat, state: HandState, stream: HandStream) -> Action | None:
        return state.legal.passive


def test_an_entrant_that_is_withdrawn_gives_up_its_seats_and_no_other_does(house: House) -> None:
    house.lobby.entrants = Entrants("deep", "thin")
    ann = house.user("ann")
    game, _ = house.lobby.make(ann, Setting(pause=60))
    house.lobby.seat_house(ann, game.id, ["arena/deep", "arena/thin", "tight"])
    house.run()
    version = game.version
    house.lobby.dismiss_entrant("none")
    assert game.version == version
    for _ in range(2):  # the second time they are leaving already
        house.lobby.dismiss_entrant("deep")
    assert [one.house.bot for one in game.roster.house.values() if one.house] == ["arena/thin", "tight"]
    assert [house.lobby.name_at(game, one) for one in game.roster.house] == ["arena/thin 1", "tight 1"]


def test_a_start_says_in_one_line_which_entrants_are_back_and_which_are_gone(
    reopened: Callable[..., House], caplog: pytest.LogCaptureFixture
) -> None:
    def opened(*names: str) -> House:
        caplog.clear()
        return reopened(lambda lobby: setattr(lobby, "entrants", Entrants(*names)))

    def said() -> list[str]:
        return [one.getMessage() for one in caplog.records if one.getMessage().startswith("entrants")]

    house = opened("deep", "thin")
    ann = house.user("ann")
    game, _ = house.lobby.make(ann, Setting(pause=60))
    house.lobby.seat_house(ann, game.id, ["tight"])
    opened("deep", "thin")
    assert said() == []
    house = opened("deep", "thin")
    house.lobby.seat_house(ann, game.id, ["arena/deep", "arena/deep", "arena/thin"])
    opened("deep", "thin")
    assert said() == ["entrants at tables again: deep (2), thin (1)"]
    house = opened("deep")
    assert said() == ["entrants at tables again: deep (2); no longer in the arena, and leave: thin (1)"]
    assert [
        seat.entrant
        for _, seat in house.lobby.entrants_seated
        if house.lobby.games[game.id].roster.plays(seat.user.id)
    ] == ["deep", "deep"]
