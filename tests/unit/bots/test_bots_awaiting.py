"""Coroutine functions as bots: deadlines, budgets, and models whose answers are recorded."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from poker_actors.bots import BotFault, BotSpec, FaultLimits, Priced, limited
from poker_actors.bots.awaiting import Answer, AwaitedBot, RecordedModel, is_awaited
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, Call, Check, Fold, View, parse_action
from poker_actors.sim import simulate
from tests.unit.bots.test_bots_program import turn


async def stay(view: View) -> Action:
    await asyncio.sleep(0)
    return Call() if view.to_call else Check()


class Counter:
    """A bot with a memory of its own, awaited."""

    def __init__(self, *, start: int = 0) -> None:
        self.turns = start

    async def __call__(self, view: View) -> Action:
        self.turns += 1
        return Call() if view.to_call else Check()


def test_a_coroutine_function_plays_the_hands_of_the_plain_one_with_every_driver() -> None:
    plain = simulate(["caller", "tight"], hands=40, seed=2)
    for driver in ("direct", "stepper", "threads"):
        result = simulate([stay, "tight"], hands=40, seed=2, driver=driver)
        assert result.digest == plain.digest
        assert result.players[0].faults.used.calls > 40
        assert result.players[0].illegal_actions == 0


def test_what_is_awaited_is_recognised() -> None:
    assert is_awaited(stay)
    assert is_awaited(Counter())
    assert not is_awaited(turn)
    assert not is_awaited(3)
    bot = BotSpec.parse(f"{__file__}:Counter:start=7").make()
    assert isinstance(bot, AwaitedBot)
    assert bot(turn()) == Call()
    assert bot.account.used.calls == 1
    bot.close()
    bot.close()


def test_a_match_inside_a_running_loop_is_played_as_well() -> None:
    async def main() -> str:
        return simulate([stay, "caller"], hands=5, seed=2).digest

    assert asyncio.run(main()) == simulate([stay, "caller"], hands=5, seed=2).digest


def test_workers_take_an_awaited_bot_along() -> None:
    bots = [f"{__file__}:stay", "tight"]
    assert simulate(bots, hands=48, seed=2, workers=2) == simulate(bots, hands=48, seed=2)


# -- deadlines -------------------------------------------------------------------------------------


def test_what_is_late_is_cancelled_and_then_ejected() -> None:
    ended: list[str] = []

    @limited(seconds=0.02, late=3)
    async def slow(view: View) -> Action:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")
        return Fold()

    result = simulate([slow, "caller"], hands=20, seed=2)
    faults = result.players[0].faults
    assert (faults.late, faults.total, result.time_outs) == (3, 3, 3)
    assert faults.ejected is not None
    assert faults.first == "no answer in 0.02 s"
    assert ended == ["cancelled"] * 3


def test_one_that_does_not_let_itself_be_cancelled_keeps_nobody_waiting() -> None:
    @limited(seconds=0.02, late=1)
    async def stubborn(view: View) -> Action:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0.05)
        return Fold()

    assert simulate([stubborn, "caller"], hands=5, seed=2).players[0].faults.late == 1


def test_its_own_time_out_is_an_error_like_any_other() -> None:
    async def impatient(view: View) -> Action:
        raise TimeoutError("the service is slow")

    faults = simulate([impatient, "caller"], hands=3, seed=2).players[0].faults
    assert faults.raised == faults.total > 0
    assert faults.first == "raised TimeoutError: the service is slow"


def test_one_that_cancels_itself_has_raised() -> None:
    async def quitter(view: View) -> Action:
        raise asyncio.CancelledError

    faults = simulate([quitter, "caller"], hands=3, seed=2).players[0].faults
    assert faults.raised == faults.total > 0


def test_a_function_that_cancels_itself_is_a_fault_of_its_answer() -> None:
    async def cancels(view: View) -> Action:
        raise asyncio.CancelledError

    with pytest.raises(BotFault, match="raised CancelledError"):
        asyncio.run(AwaitedBot(cancels).answer(turn()))


def test_a_late_answer_that_is_cancelled_is_no_news_for_the_loop(caplog: pytest.LogCaptureFixture) -> None:
    async def late(view: View) -> Action:
        await asyncio.sleep(60)
        return Check()

    with pytest.raises(BotFault, match="no answer in"):
        asyncio.run(AwaitedBot(late, 0.001).answer(turn()))
    assert not caplog.records


@pytest.mark.parametrize(
    ("name", "hears"), [("hand_started", True), ("hand_over", True), ("hand_ended", False)]
)
def test_one_of_both_methods_is_enough_to_hear(name: str, hears: bool) -> None:
    heard: list[object] = []

    class Ear:
        async def __call__(self, view: View) -> Action:
            return view.legal.passive

    setattr(Ear, name, lambda self, news: heard.append(news))
    assert AwaitedBot(Ear()).hears is hears
    simulate([Ear, "caller"], hands=3, seed=1)
    assert len(heard) == 3 * hears


def test_an_awaited_answer_that_is_no_action_is_nonsense() -> None:
    async def odd(view: View) -> Any:
        return Priced("call", 1)  # type: ignore[arg-type]  # bad on purpose

    faults = simulate([odd, "caller"], hands=3, seed=2).players[0].faults
    assert faults.nonsense == faults.total > 0


# -- budgets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("driver", ["direct", "stepper", "threads"])
def test_calls_have_a_budget_for_the_match(driver: str) -> None:
    @limited(calls=10)
    async def called(view: View) -> Action:
        return Call() if view.to_call else Check()

    faults = simulate([called, "caller"], hands=20, seed=2, driver=driver).players[0].faults
    assert (faults.used.calls, faults.spent, faults.total) == (10, 1, 1)
    assert faults.first == "its calls for the match: 10 of 10 used up"


def test_cost_has_a_budget_for_the_match_and_is_shown() -> None:
    @limited(cost=0.5)
    async def paid(view: View) -> Priced:
        return Priced(Fold() if view.to_call else Check(), 0.125)

    result = simulate([paid, "caller"], hands=50, seed=2)
    faults = result.players[0].faults
    assert (faults.used.calls, faults.used.cost, faults.spent) == (4, 0.5, 1)
    assert "asked 4 times, 0.0 s, cost 0.5" in "\n".join(result.remarks)
    assert result.to_dict()["players"][0]["faults"]["used"]["cost"] == 0.5


@limited(calls=30)
async def thirty(view: View) -> Action:
    return Call() if view.to_call else Check()


def test_a_budget_is_for_the_match_however_it_is_spread_over_workers() -> None:
    bots = [f"{__file__}:thirty", "tight"]
    alone = simulate(bots, hands=60, seed=2)
    many = simulate(bots, hands=60, seed=2, workers=2)
    assert alone == many
    assert alone.players[0].faults.ejected is not None
    assert many.players[0].faults.used.calls == 30


def test_a_limit_that_cannot_be_is_refused() -> None:
    for name in ("seconds", "match_seconds", "calls", "cost", "late"):
        with pytest.raises(BadSpec, match=f"{name} 0 must be above 0"):
            limited(**{name: 0})
    assert AwaitedBot(stay).limits == FaultLimits()


# -- recorded models -------------------------------------------------------------------------------


def test_what_a_model_said_is_recorded_and_replayed(tmp_path: Path) -> None:
    heard: list[str] = []

    async def real(prompt: str) -> Answer:
        heard.append(prompt)
        return Answer("call" if "to call" in prompt else "check", 0.25)

    def thinker(model: RecordedModel) -> Any:
        async def think(view: View) -> Priced:
            answer = await model(f"{view.hole} {'to call' if view.to_call else ''}")
            return Priced(parse_action(answer.text), answer.cost)

        return think

    path = tmp_path / "answers.jsonl"
    model = RecordedModel(path, real)
    live = simulate([thinker(model), "caller"], hands=20, seed=2)
    assert live.players[0].illegal_actions == 0
    assert model.asked == len(heard) == len(set(heard)) == len(path.read_text().splitlines())
    replayed = simulate([thinker(RecordedModel(path)), "caller"], hands=20, seed=2)
    assert replayed.digest == live.digest
    assert replayed.players[0].faults.used.cost == live.players[0].faults.used.cost > 0
    assert len(heard) == model.asked


def test_a_prompt_that_is_not_recorded_is_a_fault_that_shows_no_card(tmp_path: Path) -> None:
    model = RecordedModel(tmp_path / "none.jsonl")

    async def lost(view: View) -> Action:
        return parse_action((await model(f"I hold {view.hole}")).text)

    faults = simulate([lost, "caller"], hands=1, seed=2).players[0].faults
    assert faults.first.startswith("raised LookupError: none.jsonl has no answer to prompt ")
    assert "Card" not in faults.first


def test_a_file_that_is_no_recording_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    for line in ("oops", "[]", json.dumps({"prompt": "x"}), "3"):
        path.write_text('{"prompt": "a", "answer": "fold"}\n' + line + "\n")
        with pytest.raises(BadSpec, match=r"answers.jsonl:2 is not a recorded answer"):
            RecordedModel(path)


def test_a_recording_that_is_not_utf8_is_named_with_the_offset(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(b'{"prompt": "caf\xe9"}')
    with pytest.raises(BadSpec, match=r"answers.jsonl is not a text in UTF-8: .* at offset 15"):
        RecordedModel(path)
