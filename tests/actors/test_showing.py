"""Show or muck by choice after a hand: cards turned up are told to all and kept, and nobody else's are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest

from poker_actors.actors import (
    DeckOpened,
    HandState,
    LiveHand,
    News,
    Player,
    Room,
    StepRuntime,
    Table,
    TableNews,
)
from poker_actors.bots import Ear, Faults, HandEnd
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, IllegalAction, PokerError, StorageFailed, TableRefusal
from poker_actors.history import FORMATS, Showed, histories, parse, record, replay
from poker_actors.history.refereed import verdicts
from poker_actors.rules import Fold, RaiseTo, Stakes, View
from poker_actors.rules.event import Shown
from poker_actors.store import open_journal
from tests.actors.durable_evening import FailingStorage
from tests.actors.faulty_runtime import Fault, FaultyRuntime

HOLES = ["KsKh", "AsAh", "7c2d"]
"""Of ann, bob and cyd."""
BOARD = "Qd9c5h3sJd"


def folds_to_the_button(view: View) -> Any:
    """The first to act raises, and all others fold: there is no showdown."""
    return Fold() if view.public.seq else RaiseTo(view.legal.min_raise_to)


def three(room: Room, bot: Any = folds_to_the_button, **settings: Any) -> tuple[Table, dict[str, Player]]:
    table = room.open_table("main", seats=3, stakes=Stakes(1, 2), button=0, **settings)
    players = {name: room.player(name, bot, chips=200) for name in ("ann", "bob", "cyd")}
    for player in players.values():
        table.sit(player)
        table.buy_in(player, 100)
    return table, players


def dealt(table: Table, holes: list[str] = HOLES) -> LiveHand:
    live = table.deal(Deck.stacked(holes, BOARD))
    live.result(timeout=60)
    return live


def shown(player: Player) -> dict[int, str]:
    state = player.state()
    assert state is not None
    return {seat: "".join(map(str, cards)) for seat, cards in state.public.shown}


def listening(players: dict[str, Player]) -> dict[str, list[News]]:
    heard: dict[str, list[News]] = {name: [] for name in players}

    def listener(name: str) -> Callable[[News], None]:
        return heard[name].append

    for name, player in players.items():
        player.state()  # what was told before has been handled
        player.listen(listener(name))
    return heard


def test_who_wins_as_all_fold_may_show_and_everybody_sees_it(room: Room) -> None:
    table, players = three(room)
    eve = room.player("eve")
    table.watch(eve)
    live = dealt(table)
    assert [shown(player) for player in players.values()] == [{}, {}, {}]
    heard = listening({**players, "eve": eve})
    table.show_cards("ann", hand_id=live.hand_id)
    for name, player in {**players, "eve": eve}.items():
        assert shown(player) == {0: "KsKh"}
        news, state = heard[name]
        assert isinstance(news, TableNews)
        assert (news.what, news.player, news.seat, news.hand_id) == ("showed", "ann", 0, live.hand_id)
        assert isinstance(state, HandState)
        assert (state.turn, state.public.over, state.seat) == (None, True, _seat(name))
        assert f"{'you show' if name == 'ann' else 'ann shows'} Ks Kh" in state.text()


def test_who_was_in_the_hand_and_has_left_hears_the_news_before_the_state(room: Room) -> None:
    """A player who has left was told another state, and never why."""
    table, players = three(room)
    live = dealt(table)
    table.cash_out("bob")
    table.leave("bob")
    table.watch(players["bob"])
    table.cash_out("cyd")
    table.leave("cyd")
    heard = listening(players)
    table.show_cards("ann", hand_id=live.hand_id)
    for player in players.values():
        player.state()
    assert [[type(news) for news in heard[name]] for name in players] == [[TableNews, HandState]] * 3


def _seat(name: str) -> int:
    return {"ann": 0, "bob": 1, "cyd": 2}.get(name, -1)


def test_who_has_folded_may_show_too_and_once_is_enough(room: Room) -> None:
    table, players = three(room)
    dealt(table)
    heard = listening(players)
    table.show_cards("cyd")
    table.show_cards(players["cyd"])
    table.show_cards("bob")
    assert list(shown(players["ann"])) == [2, 1]
    assert [news.what for news in heard["ann"] if isinstance(news, TableNews)] == ["showed", "showed"]


def test_what_a_showdown_has_turned_up_stays_and_a_beaten_hand_may_be_shown(room: Room) -> None:
    table, players = three(room, "caller")
    dealt(table)
    before = shown(players["ann"])
    assert 0 < len(before) < 3, "somebody mucks"
    heard = listening(players)
    for name in players:
        table.show_cards(name)
    assert shown(players["ann"]).items() >= before.items()
    assert len(shown(players["ann"])) == 3
    players["bob"].state()
    told = [news.player for news in heard["bob"] if isinstance(news, TableNews)]
    assert len(told) == 3 - len(before), "nothing is said of what everybody saw"


def test_it_is_refused_with_a_reason(room: Room) -> None:
    table, players = three(room, None)
    with pytest.raises(TableRefusal, match="main has no finished hand") as refused:
        table.show_cards("ann")
    assert refused.value.code == "not_at_table"
    live = table.deal(Deck.seeded(1))
    with pytest.raises(TableRefusal, match="is being played") as refused:
        table.show_cards("ann")
    assert refused.value.code == "hand_in_progress"
    for player in players.values():
        player.play_by("folder")
    live.result(timeout=60)
    room.player("new")
    with pytest.raises(TableRefusal, match="new was not dealt into main/hand-000000000") as refused:
        table.show_cards("new")
    with pytest.raises(TableRefusal, match="main/hand-000000007 is not the hand that is over") as refused:
        table.show_cards("ann", hand_id="main/hand-000000007")
    assert refused.value.code == "not_at_table"
    for player in players.values():
        player.play_by(None)
    void = table.deal(Deck.seeded(2))
    room.supervisor.stop(void.address)
    assert void.result(timeout=60).voided
    with pytest.raises(TableRefusal, match="main has no finished hand"):
        table.show_cards("ann")


def test_results_that_were_told_stay_as_they_are(room: Room) -> None:
    table, _ = three(room)
    result = table.deal(Deck.stacked(HOLES, BOARD)).result(timeout=60)
    table.show_cards("ann")
    assert result.hand is not None
    assert result.hand.public().shown == ()


@pytest.mark.parametrize("shows", ["ann", "bob", None])
def test_two_worlds_that_differ_in_cards_nobody_chose_to_show_are_told_alike(
    room: Room, shows: str | None
) -> None:
    """Cyd holds other cards in each world; nobody but cyd can tell, whoever else shows."""
    worlds = []
    for holes in (HOLES, [*HOLES[:2], "8d8s"]):
        with Room(type(room.runtime)(), seed=1) as world:
            table, players = three(world)
            players["eve"] = world.player("eve")
            table.watch(players["eve"])
            heard = listening(players)
            dealt(table, holes)
            if shows is not None:
                table.show_cards(shows)
            for player in players.values():
                player.state()
            worlds.append({name: [_seen(news) for news in heard[name]] for name in heard if name != "cyd"})
    assert worlds[0] == worlds[1]
    assert ("showed" in str(worlds[0])) is (shows is not None)


def test_the_worlds_differ_for_all_once_the_owner_has_shown() -> None:
    ends = []
    for holes in (HOLES, [*HOLES[:2], "8d8s"]):
        with Room(StepRuntime(), seed=1) as world:
            table, players = three(world)
            dealt(table, holes)
            table.show_cards("cyd")
            ends.append(shown(players["bob"]))
    assert ends == [{2: "7c2d"}, {2: "8d8s"}]


def _seen(news: Any) -> str:
    if isinstance(news, HandState):
        return f"{news.public.shown} {news.hole} {news.text()} {news.public.entries}"
    return "a record" if isinstance(news, DeckOpened) else repr(news)


def test_it_is_written_before_it_is_told_and_a_restart_remembers_it() -> None:
    storage = FailingStorage()
    with Room(StepRuntime(), store=open_journal(storage)) as room:
        table, players = three(room)
        live = dealt(table)
        assert "show" not in [row.kind for row in storage.rows]
        storage.fail_next = 1
        with pytest.raises(StorageFailed):
            table.show_cards("ann")
        assert shown(players["bob"]) == {}
        table.show_cards("ann")
        left = FailingStorage()
        left.rows = list(storage.rows)
    with Room(StepRuntime(), store=open_journal(left)) as again:
        assert shown(again.players["bob"]) == {0: "KsKh"}
        again.tables["main"].show_cards("cyd", hand_id=live.hand_id)
        assert shown(again.players["bob"]) == {0: "KsKh", 2: "7c2d"}
        third = FailingStorage()
        third.rows = list(left.rows)
    with Room(StepRuntime(), store=open_journal(third)) as again:
        found = again.books.last_hand("main")
        assert found is not None
        assert found[1] is not None
        assert [seat for seat, _ in found[1].public().shown] == [0, 2]
        for player in again.players.values():
            player.play_by("folder")
        again.tables["main"].deal(Deck.stacked(HOLES, BOARD)).result()
        assert shown(again.players["bob"]) == {}, "another hand"


def test_a_new_player_by_the_name_of_one_who_left_has_no_cards_of_that_hand_to_show_or_see() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table, _ = three(room)
        dealt(table)
        table.leave_after_hand("cyd")
        room.bank.withdraw("cyd", room.bank.balance("cyd"))
        room.dismiss("cyd")
        again = room.player("cyd", chips=200)
        table.sit(again, 2)
        with pytest.raises(TableRefusal, match="cyd was not dealt into main/hand-000000000") as refused:
            table.show_cards("cyd")
        assert refused.value.code == "not_at_table"
        table.show_cards("ann")
        assert again.state() is None


class _HandsLast(StepRuntime):
    """Delivers what hands tell players last of all that may come next."""

    def take_next(self) -> Any:
        items = self.queue
        place = min(self.choices, key=lambda at: "/" in str(items[at][3]) and "player" in str(items[at][0]))
        item = items[place]
        del items[place]
        return item


def test_cards_shown_come_after_the_last_states_of_their_hand_in_every_order_of_delivery() -> None:
    runtime = _HandsLast(Random(1))
    with Room(runtime, seed=1) as room:
        table, players = three(room)
        eve = room.player("eve")
        table.watch(eve)
        heard = listening({**players, "eve": eve})
        dealt(table)
        assert runtime.waiting, "the last states of the hand are on their way"
        table.show_cards("ann")
        runtime.run()
        for name, news in heard.items():
            states = [(one.seq, len(one.public.shown)) for one in news if isinstance(one, HandState)]
            assert states == sorted(states)
            assert states[-1][1] == 1, name
            told = [one.what for one in news if isinstance(one, TableNews)]
            assert "showed" in told


@pytest.mark.parametrize("journal", [False, True], ids=["memory", "journal"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_while_somebody_shows_tells_nobody_less_than_the_others(after: bool, journal: bool) -> None:
    def evening(runtime: FaultyRuntime) -> Room:
        room = Room(runtime, seed=1, store=open_journal(FailingStorage()) if journal else None)
        table, _ = three(room)
        dealt(table)
        runtime.handled.append("the hand is over")
        for _ in range(2):
            try:
                table.show_cards("ann")
                break
            except (PokerError, Fault):
                runtime.run()
        runtime.run()
        return room

    runtime = FaultyRuntime()
    with evening(runtime):
        handled = list(runtime.handled)
    begins = handled.index("the hand is over") + 1
    ends = next(at for at in range(begins, len(handled)) if "Stop" in handled[at] or at == len(handled) - 1)
    for at in range(begins, ends):
        runtime = FaultyRuntime(at, after=after)
        with evening(runtime) as room:
            runtime.at = -1
            runtime.run()
            seen = [shown(player) for player in room.players.values()]
            assert seen == [{0: "KsKh"}] * 3, (at, handled[at], seen)


def test_a_bot_that_hears_is_told_once_of_cards_shown_after_the_end(room: Room) -> None:
    class Hears:
        def __init__(self) -> None:
            self.said: list[tuple[str, list[int]]] = []

        def __call__(self, view: View) -> Any:
            return folds_to_the_button(view)

        def hand_over(self, end: HandEnd) -> None:
            self.said.append(("over", list(end.shown)))

        def cards_shown(self, end: HandEnd) -> None:
            self.said.append(("shown", list(end.shown)))

    table, players = three(room)
    bot = Hears()
    players["bob"].play_by(bot)
    for hand in range(2):
        dealt(table)
        if not hand:
            table.show_cards("cyd")
            table.show_cards("bob")
    players["bob"].state()
    assert bot.said == [("over", []), ("shown", [2]), ("shown", [2, 1]), ("over", [])]


def test_an_end_that_is_told_again_is_no_show() -> None:
    class Hears:
        said = 0

        def __call__(self, view: View) -> Any:
            return Fold()

        def cards_shown(self, end: HandEnd) -> None:
            self.said += 1

    with Room(StepRuntime(), seed=1) as room:
        table, _ = three(room, "caller")
        hand = table.deal(Deck.stacked(HOLES, BOARD)).result().hand
    assert hand is not None
    bot, ear = Hears(), Ear()
    begun, over, shown_too = hand.replay([]).public(), hand.public(), hand.copy()
    shown_too.show(2)
    for public in (begun, over, over, shown_too.public(), shown_too.public()):
        end = HandEnd(number=0, seat=0, hole=hand.holes[0], names=("ann", "bob", "cyd"), public=public)
        ear.hear(bot, "main", "main/hand-000000000", end, Faults())
    assert bot.said == 1


def test_histories_have_what_was_shown_in_every_format(tmp_path: Path) -> None:
    path = tmp_path / "night.phhs"
    with Room(StepRuntime(), seed=1, histories=path) as room:
        table, _ = three(room)
        for hand in range(3):
            dealt(table)
            if hand == 1:
                table.show_cards("ann")
                table.show_cards("cyd")
    found = list(histories(path))
    assert [one.hand_id for one in found] == [f"main/hand-{number:09d}" for number in range(3)]
    shows = [[step for step in one.steps if isinstance(step, Showed)] for one in found]
    assert [len(steps) for steps in shows] == [0, 2, 0]
    assert {"".join(map(str, step.cards)) for step in shows[1]} == {"KsKh", "7c2d"}
    for kind in ("phh", "jsonl", "pokerstars", "ohh"):
        (again,) = parse(FORMATS[kind].text(attrs.evolve(found[1], fields={"hand": "1"}), 0), kind)
        played = replay(again)
        assert len(played.hand.public().shown) == 2, kind
        assert [step for step in again.steps if isinstance(step, Showed)] == shows[1], kind
        assert verdicts(played.hand) == ()


def test_a_hand_that_is_shown_can_be_copied_replayed_and_compared() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table, _ = three(room)
        hand = table.deal(Deck.stacked(HOLES, BOARD)).result().hand
    assert hand is not None
    before = hand.copy()
    hand.show(1)
    assert hand != before
    assert hand.copy() == hand.replay() == hand
    assert hand.replay(hand.entries()) == before, "a log alone says nothing of shows"
    assert hand.events()[-1] == Shown(1, hand.holes[1])
    with pytest.raises(IllegalAction):
        hand.replay([]).show(1)
    for wrong in (7, -1, True, "1"):
        with pytest.raises(BadSpec, match="was dealt no cards to show"):
            hand.show(wrong)  # type: ignore[arg-type]
    assert record(hand, hand_id="1").steps[-1] == Showed(0, hand.holes[1])
