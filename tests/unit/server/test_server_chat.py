"""What players say at a table: who may, who hears it, how long it is there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.guard import DoorLimits, Guard, TooOften
from poker_actors.server.hspe import Chat, Game, Setting, read_saying
from poker_actors.server.hspe.hearing import LINES_KEPT
from poker_actors.server.http.push import Feed
from tests.unit.server.conftest import table

if TYPE_CHECKING:
    from poker_actors.server.live import Views
    from poker_actors.server.users import User
    from tests.unit.server.conftest import House


def heard(views: Views, game: Game, user: User | None) -> list[str]:
    return [line["text"] or line["emote"] for line in table(views, game, user)["chat"]]


@pytest.mark.parametrize(("chat", "strangers"), [("seated", []), ("everyone", ["hello, bob", "wow"])])
def test_players_hear_each_other_and_spectators_what_the_table_lets_them(
    house: House, chat: str, strangers: list[str]
) -> None:
    game, views, (ann, bob) = house.game_and_views(chat=chat)
    house.lobby.say(ann, game.id, "hello, bob", None)
    house.lobby.say(bob, game.id, "", "wow")
    assert heard(views, game, ann) == heard(views, game, bob) == ["hello, bob", "wow"]
    assert heard(views, game, None) == heard(views, game, house.user("eve")) == strangers


def test_who_does_not_hear_does_not_notice_either(house: House) -> None:
    game, views, (ann, _) = house.game_and_views()
    feed = Feed(house.lobby, views)
    marks = [views.mark(game, None), views.game_tag("t", game, None), house.lobby.version]
    tag, contract = views.game_tag("t", game, ann.id), views.game_tag("g", game, ann.id)
    with (
        feed.listening(game, lambda: views.mark(game, None)) as stranger,
        feed.listening(game, lambda: views.mark(game, ann.id)) as player,
    ):
        house.lobby.say(ann, game.id, "psst", None)
        assert player._news
        assert not stranger._news
    assert marks == [views.mark(game, None), views.game_tag("t", game, None), house.lobby.version]
    assert views.game_tag("t", game, ann.id) != tag
    assert views.game_tag("g", game, ann.id) == contract, "HSPE's Game has no chat"


def test_only_who_sits_talks_and_nobody_where_the_table_has_switched_it_off(house: House) -> None:
    game, _, (ann, _) = house.game_and_views(chat="off", seats=2)
    dan = house.user("dan")
    house.lobby.join(dan, game.id)
    for user in (dan, house.user("eve")):
        with pytest.raises(TableRefusal, match="only players seated") as refused:
            house.lobby.say(user, game.id, "let me in", None)
        assert refused.value.code == "not_joined"
    with pytest.raises(TableRefusal, match="this table has no chat") as refused:
        house.lobby.say(ann, game.id, "hello", None)
    assert refused.value.code == "not_active"


def test_who_leaves_hears_no_more_at_a_table_of_its_players(house: House) -> None:
    game, views, (ann, bob) = house.game_and_views()
    house.lobby.say(ann, game.id, "he bluffs", None)
    assert heard(views, game, bob) == ["he bluffs"]
    game.leave(bob.id)
    house.run()
    assert heard(views, game, bob) == []


def test_spectators_with_a_delay_hear_late_too(house: House) -> None:
    game, views, (ann, _) = house.game_and_views(chat="everyone", watch_delay=60, turn_seconds=120)
    feed = Feed(house.lobby, views)
    house.run(61)
    with feed.listening(game, lambda: views.mark(game, None)) as stranger:
        before = views.mark(game, None)
        house.lobby.say(ann, game.id, "I have aces", None)
        house.run(59)
        assert heard(views, game, None) == []
        assert views.mark(game, None) == before
        early = stranger._news
        house.run(2)
        assert (early, stranger._news) == (False, True)
    assert heard(views, game, None) == ["I have aces"]


def test_the_last_lines_are_kept_and_those_of_a_deleted_account_are_not(house: House) -> None:
    game, views, (ann, bob) = house.game_and_views(chat="everyone")
    for number in range(LINES_KEPT + 5):
        house.lobby.say(ann if number % 2 else bob, game.id, f"line {number}", None)
    assert len(heard(views, game, ann)) == LINES_KEPT
    mark = views.mark(game, None)
    for forget in house.lobby.on_delete:
        forget(bob)
    left = table(views, game, None)["chat"]
    assert {line["name"] for line in left} == {"ann"}
    assert views.mark(game, None) != mark


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": ""},
        {"text": "   "},
        {"text": "a\nb"},
        {"text": "a\u202eb"},
        {"text": "x" * 201},
        {"emote": "rude"},
        {"text": "both", "emote": "wow"},
        {"text": 7},
    ],
)
def test_a_line_is_a_short_text_or_a_known_emote(body: dict[str, Any]) -> None:
    with pytest.raises(BadSpec):
        read_saying(json.dumps(body).encode())


def test_who_sits_hears_at_once_what_others_hear_late(house: House) -> None:
    chat = Chat("everyone")
    line = chat.say(house.user("ann"), "nice", None, 100.0)
    assert chat.heard(seated=True, until=40.0) == [line]
    assert [chat.heard(seated=False, until=until) for until in (99.9, 100.0)] == [[], [line]]


def test_a_text_is_taken_as_it_is_and_markup_is_text() -> None:
    assert read_saying(b'{"text": " <b>hi</b> "}') == ("<b>hi</b>", None)
    assert read_saying(b'{"emote": "wow"}') == ("", "wow")


def test_the_guard_lets_a_user_say_so_many_lines_a_minute() -> None:
    clock = [0.0]
    guard = Guard(DoorLimits(lines_per_minute=3), now=lambda: clock[0])
    for _ in range(3):
        guard.lines.take("ann")
    with pytest.raises(TooOften, match="3 lines of one user a minute: try again in 20 s"):
        guard.lines.take("ann")
    guard.lines.take("bob")
    clock[0] = 20.0
    guard.lines.take("ann")
    guard.close()


def test_a_setting_names_who_hears() -> None:
    with pytest.raises(BadSpec, match="chat"):
        Setting(chat="nobody")  # type: ignore[arg-type]  # on purpose
