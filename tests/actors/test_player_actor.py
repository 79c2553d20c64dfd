"""A player's actor alone: what it says to a hand, on which message, with which bot."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from poker_actors.actors.command import RETRY_SECONDS, GetState, TakeUp
from poker_actors.actors.player.actor import _TABLES, PlayerActor, _OpenTurn
from poker_actors.actors.player.messages import (
    AllIn,
    Audience,
    Change,
    DeckOpened,
    HandHeader,
    HandState,
    HandStates,
    Listen,
    Play,
    PlayBy,
    PutIn,
    Refusal,
    SpreadNews,
    TableNews,
    Turn,
)
from poker_actors.actors.runtime import LoopRuntime
from poker_actors.bots import BotFault, Faults, OutsideBot, SeedTree
from poker_actors.bots.awaiting import AwaitedBot
from poker_actors.bots.faults import FaultLimits
from poker_actors.cards import Deck
from poker_actors.rules import Action, Call, Fold, Hand, Stakes, View
from tests.actors.lone_player import Alone


def caller(view: View) -> Action:
    return view.legal.passive


def late(view: View) -> Action:
    raise BotFault("late", "always")


def raising(error: BaseException) -> Callable[[View], Action]:
    def bot(view: View) -> Action:
        raise error

    return bot


CALLED = "main/hand-7 #0 call"
OVER = (Fold(),)


def test_without_a_bot_it_waits_and_with_one_it_acts_once_a_turn() -> None:
    assert Alone().tell(Alone().state()) == []
    one = Alone(caller)
    state = one.state()
    assert one.tell(one.state(turn=False)) == []
    assert one.tell(state) == [one_action(one, "main", 7)]
    assert one.tell(state) == [], "the hand repeats it after a crash"
    assert one.tell(one.state(turn=False, table="side")) == []
    assert one.tell(_OpenTurn(state)) == []
    one.memory.acted = None
    assert one.tell(_OpenTurn(state)) == [one_action(one, "main", 7)]
    one.memory.acted = None
    assert one.tell(_OpenTurn(one.state())) == [], "a newer state has come"


def one_action(one: Alone, table: str, number: int) -> str:
    legal = one.state(table=table, number=number).legal
    return f"{table}/hand-{number} #0 {legal.passive}"


def test_after_a_crash_or_with_another_bot_it_decides_on_open_turns_again() -> None:
    one = Alone()
    one.tell(one.state(turn=False, table="side"))
    one.tell(one.state())
    assert one.tell(PlayBy(caller)) == [one_action(one, "main", 7)]
    one.memory.acted = None
    assert one.tell(TakeUp()) == [one_action(one, "main", 7)]
    assert one.tell(PlayBy(None)) == []
    one.memory.acted = None
    assert one.tell(TakeUp()) == []


def test_states_are_kept_by_table_in_the_order_heard() -> None:
    one = Alone()
    for table in ("a", "b", "a"):
        one.tell(one.state(table=table, turn=False))
    assert list(one.address.ask(GetState())) == ["b", "a"]


def test_of_many_tables_the_one_heard_from_least_recently_is_forgotten_once_its_hand_is_over() -> None:
    one = Alone()
    one.tell(one.state(table="open", turn=False))
    one.tell(one.state(*OVER, table="my turn"))
    for number in range(_TABLES - 1):
        one.tell(one.state(*OVER, table=f"t{number}", turn=False))
        one.memory.records[f"t{number}"] = SimpleNamespace()  # type: ignore[assignment]
        assert len(one.memory.latest) == min(number + 3, _TABLES)
    assert "t0" not in one.memory.latest
    assert "t0" not in one.memory.records
    assert {"open", "my turn", "t1"} <= set(one.memory.latest)
    assert len(one.memory.records) == _TABLES - 2


def test_a_listener_hears_states_but_not_the_one_a_hand_repeats() -> None:
    one = Alone().listening()
    mine = Turn("main/hand-7", 0, 0)
    told = [
        one.state(turn=mine),
        one.state(turn=mine),
        one.state(turn=False),
        one.state(turn=False),
        one.state(),
    ]
    for state in told:
        one.tell(state)
    assert [told.index(one) for one in one.heard] == [0, 2, 3, 4]


class Heard:
    """A bot that hears."""

    __slots__ = ("told",)

    def __init__(self) -> None:
        self.told: list[str] = []

    def __call__(self, view: View) -> Action:
        return view.legal.passive

    def hand_started(self, news: Any) -> None:
        self.told.append(f"start {news.number}")

    def hand_over(self, news: Any) -> None:
        self.told.append(f"end {news.number}")


def test_a_bot_that_hears_is_told_of_a_start_and_an_end() -> None:
    bot = Heard()
    one = Alone(bot)
    assert one.tell(one.state(turn=False)) == []
    one.tell(one.state(Call(), turn=False))
    one.tell(one.state(*OVER, turn=False))
    assert bot.told == ["start 7", "end 7"]


def test_a_bot_ejected_for_how_it_hears_is_sat_out_then_and_not_again() -> None:
    class Bad(Heard):
        def hand_started(self, news: Any) -> None:
            raise ValueError

    one = Alone(Bad(), faults=Faults(limits=FaultLimits(faults=1)))
    assert one.tell(one.state(turn=False)) == ["sit out ann"]
    assert one.memory.faults.ejected == 7
    assert one.tell(one.state(turn=False, number=8)) == []


# -- one audience for many --------------------------------------------------------------------------


def said_to_many(one: Alone, audience: Audience, *, to_act: int = 0, table: str = "main") -> list[str]:
    """Have a hand tell ann and bob of a change."""
    hand = Hand([100, 100], Stakes(1, 2), deck=Deck.seeded(1), button=0)
    header = HandHeader(f"{table}/hand-7", 7, table, one.hand, ("ann", "bob"), [0, 1])
    turn = Turn(header.hand_id, 0, 0) if to_act >= 0 else None
    one.said.clear()
    states = HandStates(audience, header, hand.public(), hand.holes, to_act, turn)
    one.runtime.tell_each(audience.players, states)
    one.runtime.run()
    return list(one.said)


def audience_of(one: Alone) -> Audience:
    return Audience([one.address, one.runtime.address("bob")])


def test_who_plays_at_one_table_is_called_to_act_only_and_reads_what_it_is_asked_for() -> None:
    one = Alone(caller)
    audience = audience_of(one)
    assert said_to_many(one, audience, to_act=-1) == []
    assert audience.called == [0, 1], "at its first change it does not know the table"
    assert said_to_many(one, audience, to_act=-1) == []
    assert audience.called == [1]
    assert said_to_many(one, audience) == [one_action(one, "main", 7)]
    [(table, state)] = one.address.ask(GetState()).items()
    assert (table, state.hole, state.turn is None) == ("main", state.hole, False)
    one.tell(one.state(table="side", turn=False))
    assert audience.called == [0, 1], "at two tables it hears every change"
    assert list(one.memory.heard) == ["main", "side"]
    said_to_many(one, audience)
    assert audience.called == [0, 1]


@pytest.mark.parametrize("why", ["listener", "class", "hears", "other table", "turn"])
def test_who_has_a_reason_hears_every_change(why: str) -> None:
    one = Alone(Heard() if why == "hears" else caller)
    if why == "class":
        one.actor.__class__ = type("Own", (PlayerActor,), {})
    audience = audience_of(one)
    said_to_many(one, audience, to_act=-1, table="side" if why == "other table" else "main")
    if why == "listener":
        one.listening()
    said = said_to_many(one, audience, to_act=0 if why == "turn" else -1)
    assert audience.called == ([1] if why == "turn" else [0, 1])
    assert said == ([one_action(one, "main", 7)] if why == "turn" else [])
    if why == "listener":
        assert len(one.heard) == 1


def test_a_bot_that_hears_is_told_though_the_bot_before_it_only_read() -> None:
    one, bot = Alone(caller), Heard()
    audience = audience_of(one)
    for _ in range(2):
        said_to_many(one, audience, to_act=-1)
    assert audience.called == [1]
    one.tell(PlayBy(bot))
    said_to_many(one, audience, to_act=-1)
    assert (audience.called, bot.told) == ([0, 1], ["start 7"])


def test_news_calls_everybody_there_but_players_who_only_read_states() -> None:
    one = Alone(caller)
    audience, away = audience_of(one), one.runtime.address("away")
    news, told = TableNews("main", "sat"), [one.address, audience.players[1], away]
    everybody = [(0, news), (1, news), (2, news)]
    assert list(SpreadNews(news, told, None)) == [news] * 3
    assert SpreadNews(news, told, None).calls() == everybody
    spread = SpreadNews(news, told, audience)
    assert spread.calls() == everybody
    for _ in range(2):
        said_to_many(one, audience, to_act=-1)
    assert spread.calls() == everybody[1:], "its first player reads since it was told"
    one.tell(Listen(print))
    assert spread.calls() == everybody
    audience.called.clear()
    assert spread.calls() == [(2, news)], "who is there and does not play is always called"
    assert not SpreadNews(news, [*audience.players], audience).calls()


def test_who_may_block_hears_every_change_and_reads_no_newer_state_than_it_has_heard() -> None:
    one = Alone(caller)
    audience = audience_of(one)
    for _ in range(2):
        said_to_many(one, audience, to_act=-1)
    assert audience.called == [1]
    older, turn = audience.newest, Turn("main/hand-7", 0, 0)
    mine, bobs = (
        HandStates(audience, older.header, older.public, older.holes, place, turn) for place in (0, 1)
    )
    assert not one.actor.may_block(bobs)
    assert audience.called == [1]
    assert one.actor.may_block(mine)
    assert audience.called == [0, 1]
    audience.newest = mine
    one.actor.change(older)
    assert one.memory.latest == {"main": older[0]}, "kept while it was busy: newer ones come"
    assert audience.called == [0, 1]
    one.actor.change(mine)
    assert (audience.called, one.memory.latest) == ([1], {"main": mine[0]})


def test_without_a_bot_a_turn_of_an_audience_waits() -> None:
    one = Alone()
    audience = audience_of(one)
    for _ in range(3):
        assert said_to_many(one, audience) == []
    one.address.ask(Listen(one.heard.append))
    assert audience.called == [0, 1]
    one.address.ask(Listen(print))
    one.address.ask(Listen(print, on=False))
    assert one.memory.listeners == (one.heard.append,)


# -- faults -----------------------------------------------------------------------------------------


def test_faults_are_counted_told_and_end_in_sitting_out_once_a_hand() -> None:
    told: list[tuple[Any, ...]] = []
    one = Alone(raising(ValueError("no")), on_fault=lambda *what: told.append(what[:4]))
    one.memory.faults.limits = FaultLimits(faults=2)
    first = one.state()
    assert one.tell(first) == [f"main/hand-7 #0 {first.legal.passive}"]
    assert told == [("main", "ann", "raised", "raised ValueError: no")]
    assert one.memory.faults.told is None
    assert one.memory.late_at is None
    assert one.tell(one.state()) == ["sit out ann", f"main/hand-7 #0 {first.legal.passive}"]
    assert one.tell(one.state()) == [f"main/hand-7 #0 {first.legal.passive}"], "sat out in this hand"
    assert one.tell(one.state(number=8))[0] == "sit out ann", "it has been seated in again"
    assert len(told) == 2, "an ejected bot is not asked"


def test_a_lent_bot_is_never_sat_out() -> None:
    one = Alone(raising(ValueError("no")), lent=True, faults=Faults(limits=FaultLimits(faults=1)))
    assert one.tell(one.state()) == [one_action(one, "main", 7)]


def test_who_is_late_by_its_own_deadline_is_not_counted_late_by_the_table_too() -> None:
    one = Alone(late)
    one.tell(one.state())
    assert one.memory.late_at == ("main/hand-7", 0)
    one.tell(Refusal("main/hand-7", 0, "ask_timeout", ""))
    assert one.memory.faults.late == 1
    one.tell(Refusal("main/hand-7", 1, "ask_timeout", ""))
    one.tell(Refusal("main/hand-7", 1, "ask_timeout", ""))
    assert one.memory.faults.late == 2
    one.tell(Refusal("main/hand-6", 0, "ask_timeout", ""))
    one.tell(Refusal("main/hand-7", 2, "illegal_action", ""))
    assert one.memory.faults.late == 2, "another hand, another refusal"
    assert one.memory.late_at == ("main/hand-6", 0)


def test_who_is_late_too_often_is_sat_out_with_a_bot_and_not_without() -> None:
    for bot, said in ((caller, ["sit out ann"]), (None, [])):
        one = Alone(bot, faults=Faults(limits=FaultLimits(faults=2)))
        one.tell(one.state(turn=False))
        assert one.tell(Refusal("main/hand-7", 0, "ask_timeout", "")) == []
        assert one.tell(Refusal("main/hand-7", 1, "ask_timeout", "")) == said


def test_a_failed_write_is_tried_again_by_a_bot_and_heard_by_listeners() -> None:
    for bot, calls in ((caller, 1), (None, 0)):
        one = Alone(bot).listening()
        state = one.state()
        one.tell(state)
        refusal = Refusal("main/hand-7", 0, "storage_failed", "no space is left")
        one.tell(refusal)
        assert one.heard[-1] is refusal
        one.said.clear()
        one.runtime.advance(RETRY_SECONDS)
        assert len(one.said) == calls
        one.tell(Refusal("main/hand-7", 0, "illegal_action", ""))
        one.said.clear()
        one.runtime.advance(RETRY_SECONDS)
        assert one.said == []


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, ValueError])
def test_only_a_real_ctrl_c_is_no_fault_of_a_bot_or_listener(
    error: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    def heard(news: object) -> None:
        raise error

    one = Alone(raising(error()))
    if error is KeyboardInterrupt:
        with pytest.raises(KeyboardInterrupt):
            one.tell(one.state())
        one = Alone(listeners=(heard,))
        with pytest.raises(KeyboardInterrupt):
            one.tell(one.state())
        one = Alone(raising(error()))
    else:
        one.memory.listeners = (heard,)
        assert one.tell(one.state()) == [one_action(one, "main", 7)]
    elsewhere = Alone(raising(error()), listeners=(heard,))
    thread = threading.Thread(target=lambda: elsewhere.tell(elsewhere.state()))
    thread.start()
    thread.join(60)
    assert elsewhere.said == [one_action(elsewhere, "main", 7)], "on another thread there is no Ctrl-C"
    assert elsewhere.memory.faults.raised == 1
    assert "a listener of ann raised at HandState" in caplog.messages


class Outside(OutsideBot):
    """Counts what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = 0

    def __call__(self, view: View) -> Action:
        return view.legal.passive

    def close(self) -> None:
        self.closed += 1


def test_a_bot_of_its_own_is_charged_and_stopped_and_one_that_is_lent_is_not() -> None:
    for lent in (False, True):
        bot = Outside()
        one = Alone(bot, lent=lent)
        assert (bot.account is one.memory.faults) is not lent
        other = Outside()
        one.tell(PlayBy(other))
        assert (bot.closed, other.closed) == (0 if lent else 1, 0)
        assert (other.account is one.memory.faults) is not lent
        one.actor.on_stop()
        assert other.closed == (0 if lent else 1)
    one = Alone(caller)
    one.tell(PlayBy(None))
    one.actor.on_stop()


def test_a_new_bot_does_not_answer_for_an_ejected_one_or_for_play_from_outside() -> None:
    for before, ejected, kept in ((caller, None, True), (caller, 3, False), (None, None, False)):
        faults = Faults(raised=2, ejected=ejected)
        one = Alone(before, faults=faults)
        one.tell(PlayBy(late))
        assert (one.memory.faults is faults) is kept


# -- awaited ----------------------------------------------------------------------------------------


def test_an_awaited_bot_is_awaited_on_a_loop_and_asked_elsewhere() -> None:
    async def decide(view: View) -> Action:
        return view.legal.passive

    begun: list[tuple[Any, Any]] = []
    bot = AwaitedBot(decide)
    one = Alone(bot)
    one.runtime.awaits = lambda steps, told: begun.append((steps, told))
    assert one.tell(one.state()) == []
    [(steps, told)] = begun
    steps.close()
    told(SimpleNamespace(result=Fold))
    one.runtime.run()
    assert one.said == ["main/hand-7 #0 fold"]
    one.memory.late_at = ("main/hand-7", 0)
    told(SimpleNamespace(result=Fold))
    one.runtime.run()
    assert len(one.said) == 1, "its time ran out first"
    begun.clear()
    one.memory.faults.ejected = 7
    one.tell(one.state())
    assert begun == []
    one.memory.faults.ejected = None
    one.runtime.awaits = None
    assert one.tell(one.state(number=8)) == [one_action(one, "main", 8)]
    bot.close()
    plain = Alone(caller)
    plain.runtime.awaits = lambda steps, told: begun.append((steps, told))
    assert plain.tell(plain.state()) == [one_action(plain, "main", 7)]
    assert begun == []


def test_the_luck_of_a_bot_is_that_of_the_hand() -> None:
    one = Alone(caller, stream=SeedTree(1).stream(0, 0))
    one.tell(one.state(number=9))
    assert one.memory.stream is not None
    assert one.memory.stream.hand == 9


# -- what may block ---------------------------------------------------------------------------------


def test_what_may_block_is_a_bot_or_listener_that_is_not_quick_and_a_hand_elsewhere() -> None:
    def quick(_: object) -> Action:
        return Fold()

    quick.quick = True  # type: ignore[attr-defined]
    slow = caller

    def blocks(message: Any, bot: Any = None, *listeners: Any) -> bool:
        one.memory.bot, one.memory.listeners = bot, listeners
        return one.actor.may_block(message)

    one = Alone()
    mine, other = one.state(), one.state(turn=False)
    assert not blocks(mine)
    assert not blocks(mine, quick)
    assert blocks(mine, slow)
    assert not blocks(other, slow)
    assert blocks(other, quick, slow)
    assert blocks(mine, None, slow)
    assert not blocks(mine, None, quick)
    assert not blocks(mine, quick, quick)
    assert blocks(mine, slow, quick)
    for harmless in (GetState(), TakeUp(), Listen(print)):
        assert not blocks(harmless, slow, slow)
    news = TableNews("main", "sat")
    assert not blocks(news, slow), "bots are not told"
    assert blocks(Refusal("main/hand-7", 0, "not_enough", "no"), slow)
    assert blocks(news, quick, slow)
    assert blocks(news, None, quick, slow)
    assert not blocks(news, quick, quick)
    for action in (Play(Call()), PutIn(2), AllIn()):
        assert not blocks(action, slow, slow)
    loop = LoopRuntime()
    far = loop.address("far")
    change = Change("main/hand-7", 7, "main", far, mine.public)
    away = HandState(change, 0, mine.hole, mine.turn)
    assert blocks(away, quick)
    assert not blocks(away)
    one.memory.heard["main"] = away
    for action in (Play(Call()), PutIn(2), AllIn()):
        assert blocks(action, quick)


# -- news -------------------------------------------------------------------------------------------


def test_a_void_hand_takes_its_turn_with_it_and_no_other() -> None:
    one = Alone().listening()
    one.tell(one.state())
    one.tell(one.state(table="side"))
    for news in (TableNews("main", "hand_ended"), TableNews("nowhere", "hand_voided")):
        one.tell(news)
        assert all(state.turn for state in one.memory.latest.values())
    one.tell(TableNews("main", "hand_voided"))
    assert [table for table, state in one.memory.latest.items() if state.turn] == ["side"]
    assert [type(news).__name__ for news in one.heard[-3:]] == ["TableNews"] * 3
    record: Any = SimpleNamespace()
    one.tell(DeckOpened("main", "main/hand-7", record))
    assert one.memory.records == {"main": record}
    assert isinstance(one.heard[-1], DeckOpened)
