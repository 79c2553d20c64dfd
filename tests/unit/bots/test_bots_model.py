"""Language models as bots: what they are told, how they are read, how they fail, and that a killed match goes on."""

from __future__ import annotations

import asyncio
import html
import json
import os
import pickle
import re
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.aio import AsyncRoom
from poker_actors.bots import BotFault, BotSpec, HandEnd, HandStart
from poker_actors.bots.awaiting.endpoint import Endpoint, Unanswered, _wait
from poker_actors.bots.awaiting.model import ModelBot
from poker_actors.bots.awaiting.prompt import INSTRUCTIONS, LONGEST, Memory, read_answer
from poker_actors.bots.awaiting.transcript import Attempt, Transcript, read_transcript
from poker_actors.bots.figures import Opponents
from poker_actors.cards import Deck
from poker_actors.cli import main
from poker_actors.errors import BadSpec, MissingExtra
from poker_actors.rules import GAMES, Action, Call, Hand, RaiseTo, Stakes, View
from poker_actors.sim import Duplicate, Match, RoundRobin, play_hand, simulate
from poker_actors.sim.engines import Job, play_hands
from tests.unit.bots.fake_endpoint import (
    FakeEndpoint,
    Flood,
    Moody,
    Respond,
    completion,
    error,
    limited_by,
)
from tests.unit.bots.test_bots_program import turn

pytest.importorskip("openai", reason="the extra [models] is not installed")

SECRET = "sk-the-key-of-somebody"


# -- play ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("driver", ["direct", "stepper", "threads"])
def test_a_model_that_checks_and_calls_plays_the_hands_of_caller_with_every_driver(driver: str) -> None:
    plain = simulate(["caller", "tight"], hands=20, seed=2)
    with FakeEndpoint() as endpoint:
        result = simulate([endpoint.bot(), "tight"], hands=20, seed=2, driver=driver)
    assert result.digest == plain.digest
    used = result.players[0].faults.used
    assert used.calls == len(endpoint.told) > 20
    assert (used.prompt_tokens, used.answer_tokens) == (100 * used.calls, 10 * used.calls)
    assert result.players[0].illegal_actions == 0


def test_a_room_on_a_loop_asks_on_that_loop_and_closes_the_connections() -> None:
    async def hands(endpoint: FakeEndpoint) -> int:
        async with AsyncRoom(Room(StepRuntime(), seed=1)) as room:
            table = await room.open_table()
            for name, bot in (("ann", endpoint.bot()), ("bob", "caller")):
                player = await room.player(name, bot, chips=200)
                await table.sit(player)
                await table.buy_in(player, 200)
            for _ in range(3):
                assert sum((await (await table.deal()).result()).payoffs) == 0
        await asyncio.sleep(0)
        return len(endpoint.told)

    with FakeEndpoint() as endpoint:
        assert asyncio.run(hands(endpoint)) > 3
    assert "bob to call" not in endpoint.prompts[0]
    assert "you to" in endpoint.prompts[0]
    assert any("\nbob: " in prompt for prompt in endpoint.prompts)


def test_workers_take_a_model_along_and_a_ranking_does() -> None:
    with FakeEndpoint() as endpoint:
        bots = [endpoint.bot(), "tight"]
        assert simulate(bots, hands=24, seed=2, workers=2) == simulate(bots, hands=24, seed=2)
        robin = RoundRobin([*bots, "folder"], 16, seed=2, form=Duplicate()).run()
    plain = RoundRobin(["caller", "tight", "folder"], 16, seed=2, form=Duplicate()).run()
    assert [one.result.digest for one in robin.pairings] == [one.result.digest for one in plain.pairings]


# -- what it is told -------------------------------------------------------------------------------


def test_a_prompt_says_the_state_the_legal_actions_the_last_hands_and_the_opponents_figures() -> None:
    with FakeEndpoint() as endpoint:
        simulate([endpoint.bot(heard=2), "maniac"], hands=6, seed=2)
    (first, *_), last = endpoint.prompts, endpoint.prompts[-1]
    system = endpoint.told[0][0]["messages"][0]
    assert system == {"role": "system", "content": INSTRUCTIONS}
    assert first.startswith("Hand 0, holdem 1/2. Stacks: you 1")
    assert "Hands before" not in first
    assert "Your opponents" not in first
    assert "\nHand 3: " in last
    assert "\nHand 4: " in last
    assert "\nHand 2: " not in last
    assert "; your result " in last
    assert "player 1: 5 hands, VPIP " in last
    assert "player 0: " not in last, "its own figures"
    match = Match.of(["caller", "maniac"], hands=6, seed=2)
    hand, _ = play_hand(match, 4)
    assert all(str(card) in last for card in hand.board)


def test_a_prompt_is_bounded_and_leaves_out_the_oldest_hands_first() -> None:
    memory = Memory(50)
    match = Match.of(["random"] * 6, hands=60, seed=1)
    for number in range(60):
        hand, seated = play_hand(match, number)
        seat = seated.index(0)
        names = tuple(map(str, seated))
        news: dict[str, Any] = {"number": number, "seat": seat, "names": names, "public": hand.public()}
        memory.hand_started(HandStart(hole=hand.holes[seat], **news))
        memory.hand_over(HandEnd(hole=hand.holes[seat], **news))
    prompt = memory.prompt(turn(seats=6))
    assert LONGEST - 700 < len(prompt) <= LONGEST
    assert "\nHand 59: " in prompt
    assert "Hand 10: " not in prompt
    assert prompt.index("Hand 58: ") < prompt.index("Hand 59: ")


@pytest.mark.parametrize(
    ("names", "stacks"),
    [
        ((), "you 199 (button), seat 2 198"),
        (("ann", None, None), "you 199 (button), seat 2 198"),
        (("ann", None, "cy"), "you 199 (button), cy 198"),
    ],
)
def test_stacks_are_told_of_seats_with_chips_by_name_where_there_is_one(
    names: tuple[str | None, ...], stacks: str
) -> None:
    hand = Hand([200, 0, 200], Stakes(1, 2), deck=Deck.seeded(1))
    memory = Memory(1)
    if names:
        news: dict[str, Any] = {"number": 0, "seat": 0, "names": names, "hole": hand.holes[0]}
        memory.hand_started(HandStart(public=hand.public(), **news))
    assert f"Stacks: {stacks}.\n" in memory.prompt(hand.view(0))


@pytest.mark.parametrize(("first", "from_the_start"), [(0, True), (3, False)])
def test_a_memory_knows_whether_it_heard_the_first_hand(first: int, from_the_start: bool) -> None:
    memory = Memory(1)
    hand = Hand([200, 200], Stakes(1, 2), deck=Deck.seeded(1))
    for number in (first, first + 1, 0):
        news: dict[str, Any] = {"number": number, "seat": 0, "names": ("ann", "bob"), "hole": hand.holes[0]}
        memory.hand_started(HandStart(public=hand.public(), **news))
        assert memory.from_the_start == from_the_start


@pytest.mark.parametrize("game", sorted(set(GAMES) - {"open-face", "open-face-pineapple"}))
def test_no_prompt_of_any_game_names_a_card_that_the_seat_may_not_know(game: str) -> None:
    """What a bot hears is compared in two worlds elsewhere; a prompt is words of that."""
    rules = GAMES[game]
    size, hidden_cards = min(3, rules.max_seats), 0
    for seed in range(3):
        deck = Deck.seeded(seed, rules.pack)
        hand = Hand([60 * rules.stakes.min_bet] * size, rules.stakes, deck=deck, game=rules)
        memory = Memory(3)
        names = ("ann", "bob", "cy")[:size]
        news: dict[str, Any] = {"number": 0, "seat": 0, "names": names}
        memory.hand_started(HandStart(hole=hand.holes[0], public=hand.public(), **news))
        known = set(hand.holes[0])
        while not hand.over:
            known |= {*hand.holes[0], *(card for board in hand.boards for card in board)}
            known |= {card for cards in hand.open for card in cards}
            if hand.to_act[0] == 0:
                told = memory.prompt(hand.view(0))
                assert all(str(card) in told for card in hand.holes[0])
                unknown = {str(card) for card in hand.cards_dealt if card not in known}
                hidden_cards += len(unknown)
                assert not unknown & set(re.findall(r"[2-9TJQKA][cdhs]", told))
            hand.act(hand.legal.passive if hand.to_act[0] or hand.legal.must_discard else _stays(hand))
        memory.hand_over(HandEnd(hole=hand.holes[0], public=hand.public(), **news))
        known |= {*hand.holes[0], *(card for board in hand.boards for card in board)}
        known |= {card for one in hand.shown_seats() for card in hand.holes[one]}
        unknown = {str(card) for card in hand.cards_dealt if card not in known}
        assert not unknown & set(re.findall(r"[2-9TJQKA][cdhs]", " ".join(memory.hands)))
    assert hidden_cards


def _stays(hand: Hand) -> Action:
    return Call() if hand.legal.to_call else hand.legal.passive


def test_figures_are_those_of_the_simulation() -> None:
    heard = Opponents()
    bots = ["tight", "loose", "maniac", "random"]
    match = Match.of(bots, hands=400, seed=5)
    for number in range(match.hands):
        hand, seated = play_hand(match, number)
        names = tuple(map(str, seated))
        heard.hear(HandEnd(number=number, seat=0, hole=hand.holes[0], names=names, public=hand.public()))
    for player in simulate(bots, hands=400, seed=5).players:
        mine, counts = heard[str(player.seat)], player.counts
        assert mine.won == player.net_chips
        for name in ("hands", "vpip", "pfr", "three_bet_chances", "three_bets", "flops", "showdowns"):
            assert getattr(mine, name) == counts[name], name
        for kind in ("raises", "calls"):
            assert getattr(mine, kind) == sum(
                counts[f"{street}_{kind}"] for street in ("flop", "turn", "river")
            )


# -- reading ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_legal_action_of_every_game_is_read_as_it_is_written(game: str) -> None:
    rules = GAMES[game]
    deck = Deck.seeded(2, rules.pack)
    hand = Hand([60 * rules.stakes.min_bet] * 2, rules.stakes, deck=deck, game=rules)
    for _ in range(30):
        if hand.over:
            break
        view = hand.view(hand.to_act[0])
        for action in [
            view.legal.passive,
            *list(view.legal)[:3],
            *([view.legal.all_in] * (not view.legal.room)),
        ]:
            if action is not None:
                assert read_answer(f"So.\n\naction: {action}\n", view) == action
        hand.act(view.legal.passive if hand.game.board_cards else next(iter(view.legal)))


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ("action: call", Call()),
        ("Action: CALL.", Call()),
        ("**action: call**", Call()),
        ("action: call\n\n  \n", Call()),
        ("action: call 5", Call()),
        ("action: fold is wrong\naction: raise to 20", RaiseTo(20)),
        ("action: all-in", RaiseTo(200)),
    ],
)
def test_the_last_line_is_read(words: str, action: Action) -> None:
    assert read_answer(words, turn(acts=(RaiseTo(6),))) == action


@pytest.mark.parametrize(
    ("words", "kind", "reason"),
    [
        ("", "nonsense", "the last line is '', not action: WORDS"),
        ("call", "nonsense", "the last line is 'call'"),
        ("action: call\nGood luck!", "nonsense", "the last line is 'Good luck!'"),
        ("action: call or fold", "nonsense", "'call or fold' is not an action"),
        ("action: raise_to 7", "illegal", "raise_to 7 is below the minimum of 10"),
        (
            "action: check",
            "illegal",
            "check: there are 5 to call; legal: fold, call 5, raise_to 10 to 200",
        ),
        ("action: call 7", "illegal", "call 7: the price is 5"),
    ],
)
def test_nothing_is_guessed(words: str, kind: str, reason: str) -> None:
    with pytest.raises(BotFault) as caught:
        read_answer(words, turn(acts=(RaiseTo(6),)))
    assert caught.value.kind == kind
    assert str(caught.value).startswith(reason)


def test_all_in_where_the_rules_forbid_it_is_illegal() -> None:
    view = turn(game="limit-holdem")
    with pytest.raises(BotFault, match="all_in is not possible here") as caught:
        read_answer("action: all_in", view)
    assert caught.value.kind == "illegal"


# -- failing ---------------------------------------------------------------------------------------


def decided(bot: str, view: View | None = None) -> tuple[Action | BotFault, ModelBot]:
    made = BotSpec.parse(bot).make()
    assert isinstance(made, ModelBot)
    made.open()
    try:
        return made(turn() if view is None else view), made
    except BotFault as fault:
        return fault, made
    finally:
        made.close()


def script(*answers: str | Respond) -> Any:
    left = list(answers)
    return lambda messages: left.pop(0)


def test_a_second_try_is_told_why_and_counted() -> None:
    with FakeEndpoint(script("I call.", "action: call")) as endpoint:
        action, bot = decided(endpoint.bot())
    assert action == Call()
    assert bot.account.used.failed == {"misread": 1}
    talk = endpoint.told[1][0]["messages"]
    assert [each["role"] for each in talk] == ["system", "user", "assistant", "user"]
    assert talk[2]["content"] == "I call."
    assert talk[3]["content"].startswith("That is not a valid answer: the last line is 'I call.'")
    assert len(endpoint.told) == 2


WRONG = error(401, "who are you?")
OVERLOADED = error(503, "not now")


@pytest.mark.parametrize(
    ("answers", "kind", "failed"),
    [
        (["?", "?"], "nonsense", {"misread": 2}),
        (["?", "action: raise_to 1"], "illegal", {"misread": 1, "illegal": 1}),
        ([Respond(completion(None))] * 2, "nonsense", {"misread": 2}),
        ([WRONG], "died", {"refused": 1}),
        ([OVERLOADED] * 8, "died", {"refused": 8}),
        ([limited_by("0")] * 8, "died", {"rate limited": 8}),
        ([limited_by("3600")], "died", {"rate limited": 1}),
        ([Respond(completion("action: call", end="length"))], "died", {"cut off": 1}),
        ([Respond(completion(None, refusal="I do not gamble."))], "died", {"refused": 1}),
        ([Respond(completion("action: call", end="content_filter"))], "died", {"refused": 1}),
        ([Respond({"choices": []})], "died", {"cut off": 1}),
        ([Respond({"hello": "world"})], "died", {"cut off": 1}),
        ([Respond(b"<html>")], "died", {"cut off": 1}),
        (["x" * 200_000 + "\naction: call"], "died", {"cut off": 1}),
        ([Respond(completion("action: call"), headers={"Content-Encoding": "gzip"})], "died", {"cut off": 1}),
        ([Respond(completion(["action: call"]))], "died", {"cut off": 1}),  # type: ignore[arg-type]  # an endpoint may send anything
    ],
)
def test_a_decision_fails_by_the_class_of_its_last_answer(
    answers: list[str | Respond], kind: str, failed: dict[str, int]
) -> None:
    with FakeEndpoint(script(*answers)) as endpoint:
        fault, bot = decided(endpoint.bot(seconds=30))
    assert isinstance(fault, BotFault), fault
    assert fault.kind == kind
    assert bot.account.used.failed == failed
    assert bot.account.used.calls == len(endpoint.told) == sum(failed.values())


WITHOUT_END = b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
MEGABYTE = b"100000\r\n" + b" " * (1 << 20) + b"\r\n"


@pytest.mark.parametrize(
    "head",
    [
        b"200 OK\r\n" + WITHOUT_END,
        b"500 No\r\n" + WITHOUT_END,
        b"429 No\r\n" + WITHOUT_END,
        b"307 There\r\nLocation: PLACE/there\r\n" + WITHOUT_END,
        b"200 OK\r\nContent-Length: 1000000000000\r\n\r\n",
    ],
    ids=["answer", "error", "limit", "redirect", "length"],
)
def test_a_body_without_end_is_not_read_beyond_its_bound(head: bytes) -> None:
    with Flood(head, MEGABYTE) as flood:
        fault, bot = decided(f"model:seconds=300:{flood.url}#any")
        assert isinstance(fault, BotFault), fault
        assert fault.kind == "died"
        assert "its body has more than 4,194,304 bytes" in str(fault)
        assert bot.account.used.failed == {"cut off": 1}
        assert flood.sent < 1 << 27  # with what the sockets hold


def test_a_body_that_drips_ends_with_the_decisions_time() -> None:
    with Flood(b"200 OK\r\n" + WITHOUT_END, b"1\r\n \r\n", pause=0.01) as flood:
        fault, bot = decided(f"model:seconds=1:{flood.url}#any")
    assert isinstance(fault, BotFault), fault
    assert fault.kind == "late"
    assert bot.account.used.failed == {"timed out": 1}


def test_half_a_character_in_an_answer_is_written_down_as_a_question_mark(tmp_path: Path) -> None:
    with FakeEndpoint(script("\ud800\naction: call")) as endpoint:
        assert decided(endpoint.bot(log=tmp_path / "log.jsonl"))[0] == Call()
    (attempt,) = read_transcript(tmp_path / "log.jsonl")
    assert attempt.answer == "?\naction: call"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (completion(None, refusal="I do not gamble."), "the model refuses: I do not gamble."),
        (completion("action: call", end="content_filter"), "the model refuses: content_filter"),
    ],
)
def test_a_refusal_is_repeated(answer: dict[str, Any], words: str) -> None:
    with FakeEndpoint(script(Respond(answer))) as endpoint:
        fault, _ = decided(endpoint.bot())
    assert str(fault) == f"refused: {words}"


def test_waits_count_against_the_deadline_and_are_not_waited_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = list[float]()

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", wait)
    with FakeEndpoint(script(limited_by("600"), limited_by("600"), "action: call")) as endpoint:
        for _ in range(2):  # the second time from the transcript
            fault, bot = decided(endpoint.bot(seconds=1000, log=tmp_path / "log.jsonl"))
            assert isinstance(fault, BotFault)
            assert bot.account.used.failed == {"rate limited": 2}
            assert [seconds for seconds in waited if seconds] == [600]
    assert len(endpoint.told) == 2


def test_one_that_is_cut_off_or_rate_limited_is_asked_again() -> None:
    half = Respond(completion("action: call"), cut=True)
    with FakeEndpoint(script(limited_by("0"), OVERLOADED, half, "action: call")) as endpoint:
        action, bot = decided(endpoint.bot())
    assert action == Call()
    assert bot.account.used.failed == {"rate limited": 1, "refused": 1, "cut off": 1}


def test_an_endpoint_that_does_not_say_how_long_to_wait_is_given_twice_as_long_each_time() -> None:
    unsaid = Respond({"error": {"message": "busy"}}, 429)
    with FakeEndpoint(script(unsaid)) as endpoint:
        fault, _ = decided(endpoint.bot(seconds=0.9))  # less than the second that it would wait
    assert isinstance(fault, BotFault)
    assert [
        Unanswered("refused", "", _wait(_Limited(headers))).wait(3) for headers in ({}, {"retry-after": "7"})
    ] == [4, 7]
    assert Unanswered("refused", "").wait(3) is None
    assert _wait(_Limited({"retry-after-ms": "500", "retry-after": "7"})) == 0.5


class _Limited:
    def __init__(self, headers: dict[str, str]) -> None:
        self.response = self
        self.headers = headers


def test_a_slow_one_is_late() -> None:
    with FakeEndpoint(hold=0) as endpoint:
        fault, bot = decided(endpoint.bot(seconds=0.05))
    assert isinstance(fault, BotFault)
    assert fault.kind == "late"
    assert bot.account.used.failed == {"timed out": 1}


def test_where_no_endpoint_is_the_question_is_refused_and_may_be_asked_again() -> None:
    with FakeEndpoint() as gone:
        pass

    async def ask() -> Unanswered:
        endpoint = Endpoint(f"{gone.url}#any")
        with pytest.raises(Unanswered) as caught:
            await endpoint.ask([], 3600)
        await endpoint.aclose()
        return caught.value

    unanswered = asyncio.run(ask())
    assert unanswered.failure == "refused"
    assert [unanswered.wait(number) for number in (1, 2)] == [1, 2]


def test_failures_and_tokens_are_in_words_and_in_json() -> None:
    with FakeEndpoint(Moody()) as endpoint:
        result = simulate([endpoint.bot(price_in=2, price_out=5), "tight"], hands=20, seed=2)
    used = result.players[0].faults.used
    assert {"misread", "illegal", "rate limited"} <= set(used.failed)
    plain = result.to_dict()["players"][0]["faults"]["used"]
    assert plain["failed"] == used.failed
    assert plain["prompt_tokens"] == used.prompt_tokens > 0
    assert plain["cost"] == pytest.approx((2 * used.prompt_tokens + 5 * used.answer_tokens) / 1e6)
    words = "\n".join(result.remarks)
    assert f"{used.prompt_tokens:,} tokens read and {used.answer_tokens:,} written" in words
    assert f"misread {used.failed['misread']}" in words
    assert (
        "failed"
        not in simulate(["caller", "tight"], hands=4, seed=2).to_dict()["players"][0]["faults"]["used"]
    )


@pytest.mark.parametrize(("setting", "spent"), [("calls=3", "calls"), ("cost=0.001,price_in=2", "cost")])
def test_a_budget_ends_its_play(setting: str, spent: str) -> None:
    with FakeEndpoint() as endpoint:
        bot = endpoint.bot(**dict(pair.split("=") for pair in setting.split(",")))
        faults = simulate([bot, "caller"], hands=20, seed=2).players[0].faults
    assert faults.spent == 1
    assert faults.first.startswith(f"its {spent} for the match")
    assert faults.ejected is not None


def test_a_price_of_one_kind_of_token_is_enough() -> None:
    with FakeEndpoint() as endpoint:
        action, bot = decided(endpoint.bot(cost=1, price_out=5))
        assert isinstance(action, Call)
        assert bot.account.used.cost == pytest.approx(5 * 10 / 1e6)
        _, bot = decided(endpoint.bot(cost=1, price_in=2))
        assert bot.account.used.cost == pytest.approx(2 * 100 / 1e6)


def test_only_settings_that_were_given_are_sent() -> None:
    with FakeEndpoint() as endpoint:
        decided(endpoint.bot())
        decided(endpoint.bot(temperature=0.5, tokens=50))
    settings = [
        {key: body[key] for key in body if key not in ("messages", "model")} for body, _ in endpoint.told
    ]
    assert settings == [{}, {"temperature": 0.5, "max_completion_tokens": 50}]


def test_each_loop_has_connections_of_its_own_and_a_loop_that_has_gone_is_left_alone() -> None:
    last = Respond(completion("action: call"), headers={"Connection": "close"})
    with FakeEndpoint(script(last, last)) as endpoint:
        made = BotSpec.parse(endpoint.bot()).make()
        assert isinstance(made, ModelBot)
        made.open()

        async def ask() -> bool:
            assert await made.answer(turn()) == Call()
            return made._endpoint.loop is asyncio.get_running_loop()

        assert [asyncio.run(ask()) for _ in range(2)] == [True, True]
        made.close()


def test_connections_are_closed_once() -> None:
    async def close_twice(endpoint: Endpoint) -> None:
        await endpoint.ask([{"role": "user", "content": ""}, {"role": "user", "content": ""}], 600)
        await endpoint.aclose()
        assert endpoint.loop is None
        await endpoint.aclose()

    with FakeEndpoint() as fake:
        asyncio.run(close_twice(Endpoint(f"{fake.url}#any")))


# -- the key ---------------------------------------------------------------------------------------


def test_the_key_goes_to_the_endpoint_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_KEY", SECRET)
    log = tmp_path / "log.jsonl"
    echo = error(401, f"Incorrect API key provided: {SECRET}")
    with FakeEndpoint(script(f"My key is {SECRET}", "action: call", *[echo] * 99)) as endpoint:
        spec = BotSpec.parse(endpoint.bot(key="A_KEY", log=log))
        fault, bot = decided(str(spec))
        assert fault == Call()
        result = simulate([spec, "caller"], hands=10, seed=2)
    assert {headers["authorization"] for _, headers in endpoint.told} == {f"Bearer {SECRET}"}
    everything = [
        log.read_text(),
        json.dumps(result.to_dict()),
        "\n".join(result.remarks),
        repr(bot),
        repr(vars(bot)),
        repr(pickle.dumps(spec)),
        json.dumps([body["messages"] for body, _ in endpoint.told]),
    ]
    assert [place for place, text in enumerate(everything) if SECRET in text] == []
    assert "***" in everything[0]


def test_a_typed_url_is_sent_no_key_that_was_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with FakeEndpoint() as endpoint:
        decided(endpoint.bot())
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        decided("model:#any")
    assert [headers.get("authorization") for _, headers in endpoint.told] == [None, f"Bearer {SECRET}"]


def test_a_key_that_is_not_there_is_said_before_a_hand_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("A_KEY", raising=False)
    with pytest.raises(BadSpec, match="set A_KEY to the key in the environment"):
        simulate(["model:key=A_KEY:http://127.0.0.1:1/v1#any", "caller"], hands=2)


def test_without_the_sdk_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtra, match=r"the extra \[models\]"):
        simulate(["model:http://127.0.0.1:1/v1#any", "caller"], hands=2)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("model:", "does not name a model: write model:URL#NAME"),
        ("model:http://127.0.0.1:1/v1", "does not name a model: write model:URL#NAME"),
        ("model:ftp://127.0.0.1/v1#any", "is not an http or https URL"),
        ("model:http:///v1#any", "is not an http or https URL"),
        ("model:http://[::1/v1#any", "is not a URL: Invalid IPv6 URL"),
        ("model:http://127.0.0.1:99999/v1#any", "the port must be 1 to 65535"),
        ("model:http://127.0.0.1:0/v1#any", "the port must be 1 to 65535"),
        ("model:http://127.0.0.1:port/v1#any", "the port must be 1 to 65535"),
        ("model:http://me:secret@127.0.0.1/v1#any", "a URL must not hold a password"),
        ("model:seconds=0:http://127.0.0.1/v1#any", "seconds=0 is not within"),
        ("model:cost=1:http://127.0.0.1/v1#any", "needs prices"),
        ("model:endpoint=x:http://127.0.0.1/v1#any", "the endpoint comes last"),
        ("model:tokns=1:http://127.0.0.1/v1#any", "did you mean tokens"),
    ],
)
def test_a_bad_spec_is_refused_by_name(spec: str, words: str) -> None:
    with pytest.raises(BadSpec, match=words) as caught:
        Match.of([spec, "caller"], hands=2)
    assert "secret" not in str(caught.value)


def test_a_model_plays_beside_bots_in_cages() -> None:
    spec = "model:http://127.0.0.1:1/v1#any"
    assert str(BotSpec.isolated(spec)) == spec


# -- the transcript, and a match that goes on ------------------------------------------------------


def test_a_transcript_has_every_question_and_answer_and_is_read_again(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with FakeEndpoint(Moody()) as endpoint:
        bots = [endpoint.bot(log=log, price_in=2), "tight"]
        first = simulate(bots, hands=20, seed=2)
        asked = len(endpoint.told)
        again = simulate(bots, hands=20, seed=2)
        assert len(endpoint.told) == asked
    assert again == first
    assert again.players[0].faults.used == first.players[0].faults.used
    attempts = list(read_transcript(log))
    assert len(attempts) == asked
    assert [one.hand for one in attempts] == sorted([one.hand or 0 for one in attempts])
    nowhere = "http://nobody.invalid:1/v1"
    log.write_text(log.read_text(encoding="utf-8").replace(endpoint.url, nowhere, 1), encoding="utf-8")
    elsewhere = [f"model:log={log},price_in=2:{nowhere}#any", "tight"]
    assert simulate(elsewhere, hands=20, seed=2).digest == first.digest  # nobody is asked for the host
    whole = next(one for one in attempts if one.action)
    first_try = next(one for one in attempts if one.prompt.startswith("Hand 0, "))
    assert f"\n{first_try.state}.\n" in first_try.prompt
    assert (whole.prompt_tokens, whole.answer_tokens, whole.price) == (100, 10, 0.0002)
    assert whole.milliseconds > 0
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_hand_looked_at_alone_is_that_of_the_run(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with FakeEndpoint(Moody()) as endpoint:
        match = Match.of([endpoint.bot(log=log), "maniac"], hands=12, seed=2)
        played = [hand.entries() for _, hand, _ in play_hands(Job(match), range(12), [])]
        asked = len(endpoint.told)
        for number in (9, 11):
            hand, _ = play_hand(match, number)
            assert hand.entries() == played[number]
        assert len(endpoint.told) == asked


def test_what_was_said_is_shown_with_a_hand_and_in_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, page = tmp_path / "log.jsonl", tmp_path / "page.html"
    with FakeEndpoint(Moody()) as endpoint:
        words = ["simulate", "--bot", endpoint.bot(log=log), "--bot", "maniac", "--seed", "2"]
        assert main([*words, "--hands", "12", "--report", str(page)]) == 0
        capsys.readouterr()
        assert main([*words, "--hand", "9"]) == 0
        shown = capsys.readouterr().out
        assert main([*words, "--hand", "9", "--json", "-"]) == 0
        plain = json.loads(capsys.readouterr().out)
        assert main(["simulate", "--bot", "tight", "--bot", "maniac", "--hand", "9", "--json", "-"]) == 0
        assert "transcript" not in json.loads(capsys.readouterr().out)
    said = [one for one in read_transcript(log) if one.hand == 9]
    assert said
    told = " ".join(shown.split())
    for one in said:
        assert " ".join(one.words.split()) in told
    assert [one["answer"] for one in plain["transcript"]] == [one.answer for one in said]
    assert html.escape(said[0].words) in page.read_text()


def test_what_was_said_stands_beside_its_action_in_a_hand_and_in_a_replay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, hands, page = tmp_path / "log.jsonl", tmp_path / "hands.phhs", tmp_path / "page.html"
    with FakeEndpoint(Moody()) as endpoint:
        words = ["simulate", "--bot", endpoint.bot(log=log), "--bot", "maniac", "--seed", "2"]
        assert main([*words, "--hands", "12", "--phh", str(hands)]) == 0
        capsys.readouterr()
        assert main([*words, "--hand", "9"]) == 0
    said = [one for one in read_transcript(log) if one.hand == 9]
    own = " ".join(capsys.readouterr().out.split())
    place = 0
    for one in said:
        place = own.index(f"was asked: {' '.join(one.words.split())}", place) + 1
    given = ["--transcript", str(log), "--show", "--html", str(page)]
    assert main(["replay", str(hands), *given]) == 0
    whole = capsys.readouterr().out
    lines = whole[whole.index("hand 9,") : whole.index("hand 10,")].splitlines()
    asked = [place for place, line in enumerate(lines) if " was asked: " in line]
    assert [lines[place].partition(" was asked: ")[2] for place in asked] == [one.words for one in said]
    for place, one in zip(asked, said, strict=True):
        if one.action in ("fold", "check", "call"):
            assert f"#any {one.action}s" in lines[place + 1]
    assert html.escape(said[0].words, quote=False).replace("<", "\\u003c") in page.read_text()


def test_a_transcript_of_another_match_or_without_pictures_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, hands = tmp_path / "log.jsonl", tmp_path / "hands.phhs"
    with FakeEndpoint(Moody()) as endpoint:
        words = [
            "simulate",
            "--bot",
            "tight",
            "--bot",
            "tight",
            "--bot",
            endpoint.bot(log=log),
            "--seed",
            "2",
        ]
        assert main([*words, "--hands", "3"]) == 0
    assert main(["simulate", "--bot", "tight", "--bot", "tight", "--hands", "3", "--phh", str(hands)]) == 0
    capsys.readouterr()
    assert main(["replay", str(hands), "--show", "--transcript", str(log)]) == 2
    assert "--transcript comes from another match: nobody sits in seat 2 of hand" in capsys.readouterr().err
    assert main(["replay", str(hands), "--transcript", str(log)]) == 2
    assert "needs --show or --html" in capsys.readouterr().err


def test_an_attempt_in_words_ends_with_the_end_of_the_answer() -> None:
    long = Attempt(
        hand=0, seat=0, seq=0, state="", prompt="", answer=f"{'so ' * 200}\naction: call", action="call"
    )
    assert long.words.startswith("call (0 ms): …o so so ")
    assert long.words.endswith(" so action: call")
    assert len(long.words) < 330
    late = attrs.evolve(long, answer="", action=None, failure="timed out", reason="no answer in 1 s")
    assert late.words == "timed out (0 ms): no answer in 1 s"
    assert attrs.evolve(long, answer="\x1b[31mred").words.endswith(": ?[31mred")


def test_a_match_that_was_killed_ends_with_the_same_result(tmp_path: Path) -> None:
    hands, bots = "30", ["--bot", "tight", "--bot", "maniac", "--seed", "5"]

    def command(endpoint: FakeEndpoint, log: str) -> list[str]:
        bot = endpoint.bot(log=tmp_path / log)
        words = [sys.executable, "-m", "poker_actors", "simulate", "--bot", bot, *bots, "--hands", hands]
        return [*words, "--json", str(tmp_path / f"{log}.json")]

    with FakeEndpoint(Moody()) as endpoint:
        subprocess.run(command(endpoint, "whole"), check=True, capture_output=True)
        asked = len(endpoint.told)
    with FakeEndpoint(Moody(), hold=asked // 2) as endpoint:
        playing = subprocess.Popen(
            command(endpoint, "killed"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert endpoint.held.wait(120), "it asks nothing"
        playing.kill()
        assert playing.wait() == -signal.SIGKILL
        endpoint.release.set()
        subprocess.run(command(endpoint, "killed"), check=True, capture_output=True)
        assert (
            len(endpoint.told) == asked + 1
        )  # the one question whose answer was not there yet is asked again
    whole, killed = (json.loads((tmp_path / f"{log}.json").read_text()) for log in ("whole", "killed"))
    assert whole["players"][0]["faults"]["used"]["failed"]
    for result in (whole, killed):
        for name in ("seconds", "hands_per_second", "engine"):
            del result[name]
        for player in result["players"]:
            del player["seconds_per_decision"], player["faults"]["used"]["seconds"]
            player["bot"] = player["bot"].partition(":")[0]
            player["faults"]["first"] = player["faults"]["first"].partition(":")[0]
        for named in result["ranks"]["players"]:
            named["bot"] = named["bot"].partition(":")[0]
    assert killed == whole


def head(**others: object) -> dict[str, object]:
    return {"endpoint": "http://127.0.0.1:1/v1#any", "heard": 5, **others}


QUESTION = Attempt(hand=3, seat=1, seq=2, state="state", prompt="prompt")


def test_a_line_torn_by_a_kill_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    transcript = Transcript(path, head())
    transcript.open()
    transcript.write(QUESTION)
    transcript.close()
    transcript.close()
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines()[-1][:40])
    transcript.open()
    assert transcript.recall(QUESTION, alone=False) == QUESTION
    assert transcript.recall(QUESTION, alone=False) is None
    transcript.close()
    assert path.read_bytes() == whole


def test_only_the_same_words_recall_an_answer_except_in_a_hand_played_alone(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "log.jsonl", head())
    transcript.open()
    transcript.write(QUESTION)
    transcript.close()
    transcript.open()
    other = Attempt(hand=3, seat=1, seq=2, state="state", prompt="another prompt")
    elsewhere = Attempt(hand=3, seat=1, seq=2, state="another state", prompt="another prompt")
    assert transcript.recall(other, alone=False) is None
    assert transcript.recall(elsewhere, alone=True) is None
    assert transcript.recall(other, alone=True) == QUESTION
    transcript.write(other)
    transcript.close()
    transcript.open()
    assert transcript.recall(other, alone=True) == other, "the same words come before the same state"
    transcript.close()


def test_what_a_later_version_writes_beside_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    transcript = Transcript(path, head())
    transcript.open()
    transcript.write(QUESTION)
    transcript.close()
    path.write_text(path.read_text().replace('"seat":1', '"seat":1,"mood":"good"'))
    assert list(read_transcript(path)) == [QUESTION]


def test_a_transcript_of_something_else_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    transcript = Transcript(path, head())
    transcript.open()
    with pytest.raises(BadSpec, match="is held by another bot or process"):
        Transcript(path, head()).open()
    transcript.close()
    with pytest.raises(BadSpec, match="comes from a run with heard 5, not 4"):
        Transcript(path, head(heard=4)).open()
    with path.open("a") as file:
        file.write('{"seat": 1}\n')
    with pytest.raises(BadSpec, match=r"log\.jsonl:2 is not an attempt of a transcript"):
        Transcript(path, head()).open()
    for text in ("hello\n", "[]\n", '{"what": "else"}\n', "my notes", "my\nnotes"):
        path.write_text(text)
        with pytest.raises(BadSpec, match="is not a transcript of a language model"):
            Transcript(path, head()).open()
        assert path.read_text() == text
    path.write_text("")
    with pytest.raises(BadSpec, match="is not a transcript of a language model"):
        list(read_transcript(path))
    with pytest.raises(BadSpec, match="cannot be written"):
        Transcript(tmp_path / "none" / "log.jsonl", head()).open()
    with pytest.raises(BadSpec, match="cannot be read"):
        list(read_transcript(tmp_path / "none"))


def test_two_bots_with_one_log_and_several_processes_with_a_log_are_refused(tmp_path: Path) -> None:
    spec = f"model:log={tmp_path / 'log.jsonl'}:http://127.0.0.1:1/v1#any"
    with pytest.raises(BadSpec, match="each needs its own log"):
        simulate([spec, spec], hands=2, seed=1)
    with pytest.raises(BadSpec, match="needs one process: leave out --workers"):
        simulate([spec, "caller"], hands=100, seed=1, workers=2)


def test_an_endpoint_that_is_not_open_holds_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", SECRET)
    endpoint = Endpoint("http://127.0.0.1:1/v1#any", "A_KEY")
    assert SECRET not in repr(vars(endpoint))
    assert os.environ["A_KEY"] == SECRET
    assert endpoint.loop is None
