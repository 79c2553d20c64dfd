"""What a bot hears besides its turns, by every way to play."""

from __future__ import annotations

import asyncio
import json
import pickle
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.bots import BotSpec, Faults, HandEnd, HandStart, OutsideBot, SeedTree, fallback, hears
from poker_actors.bots.hearing import Ear, Hearing
from poker_actors.cards import Card, Deck
from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.rules import GAMES, Action, Call, Check, Fold, Hand, Stakes, View
from poker_actors.sim import CarryOver, Duplicate, Form, Match, play_hand, simulate
from poker_actors.sim.drivers import driver_named
from poker_actors.sim.tournaments import TournamentPlan, play_direct, play_in_room, sit_and_go
from poker_actors.wire.acpc import Guest, definition_named, match_state

DRIVERS: Final = ("direct", "stepper", "threads")


class Listener:
    """Plays like the house's random bot by its own luck, and notes all it hears."""

    def __init__(self) -> None:
        self.told: list[HandStart] = []

    def __call__(self, view: View) -> Action:
        assert self.told, "a start comes before the first turn"
        assert not isinstance(self.told[-1], HandEnd)
        assert self.told[-1].number == view.hand_number
        legal = view.legal
        return (legal.all_in or legal.passive) if view.rng.random() < 0.1 else legal.passive

    def hand_started(self, start: HandStart) -> None:
        self.told.append(start)

    def hand_over(self, end: HandEnd) -> None:
        self.told.append(end)


def heard(driver: str, form: Form | None = None, game: str = "holdem", hands: int = 12) -> list[HandStart]:
    bot = Listener()
    simulate(["tight", bot, "maniac"], hands=hands, seed=4, driver=driver, form=form, game=game)
    return bot.told


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("form", [None, Duplicate(), CarryOver(6)])
def test_every_hand_is_heard_to_begin_and_to_end_the_same_on_every_driver(
    driver: str, form: Form | None
) -> None:
    told = heard(driver, form)
    assert [type(one) for one in told] == [HandStart, HandEnd] * 12
    assert [one.number for one in told[::2]] == list(range(12))
    assert told == heard("direct", form)


def test_a_bot_hears_the_hands_too_in_which_decisions_are_timed() -> None:
    """One in 64: in a duplicate match each hand has a room of its own, whose bots are those of that hand."""
    numbers = [news.number for news in heard("stepper", Duplicate(), hands=66)]
    assert numbers == [number for number in range(66) for _ in range(2)]


def test_an_end_is_that_of_the_hand() -> None:
    match = Match.of(["tight", "random", "maniac"], hands=12, seed=4)
    for number in range(12):
        bots: list[Any] = [Listener() for _ in range(3)]
        hand, seated = play_hand(match, number)
        hearing = Hearing(bots, [Faults() for _ in range(3)])
        hearing.over(number, hand, seated)
        for seat, bot in enumerate(bots):
            (end,) = bot.told
            assert isinstance(end, HandEnd)
            assert (end.seat, end.hole, end.payoffs) == (seat, hand.holes[seat], hand.payoffs)
            assert (end.board, end.final_stacks, end.stacks) == (hand.board, hand.stacks, hand.starting)
            assert end.shown == {one: hand.holes[one] for one in hand.shown_seats()}
            assert all(taken.seat != seat for taken in end.unheard)
            before = len(end.public.actions) - len(end.unheard)
            assert not before or end.public.actions[before - 1].seat == seat
            assert end.names == tuple(map(str, seated))


def test_who_does_not_ask_is_told_nothing_and_plays_as_ever() -> None:
    assert not hears(fallback)
    assert not Hearing([fallback, BotSpec.parse("tight").make()], [Faults(), Faults()])
    quiet = simulate(["tight", "maniac"], hands=50, seed=4).digest
    told: list[HandStart] = []

    class Heard:
        def __call__(self, view: View) -> Action:
            return TIGHT(view)

        def hand_over(self, end: HandEnd) -> None:
            told.append(end)

    assert simulate([Heard, "maniac"], hands=50, seed=4).digest == quiet
    assert len(told) == 50


TIGHT: Final[Callable[[View], Action]] = BotSpec.parse("tight").make()


def dealt_and_told(name: str, deck: Deck, log: list[int] | None, seed: int) -> tuple[Hand, list[Listener]]:
    """Play a hand, with some folds or as `log` says; return it and what each seat heard."""
    game = GAMES[name]
    size = min(3, game.max_seats)
    hand = Hand([60 * game.stakes.min_bet] * size, game.stakes, deck=deck, game=game)
    bots = [Listener() for _ in range(size)]
    playing: list[Any] = list(bots)
    hearing = Hearing(playing, [Faults() for _ in range(size)])
    hearing.started(0, hand, range(size))
    luck = SeedTree(seed).rng(0, 0)
    if log is not None:
        hand = hand.replay(log)
    while not hand.over:
        folds = [one for one in hand.legal if str(one) == "fold"] if luck.random() < 0.2 else []
        hand.act(folds[0] if folds else hand.legal.passive)
    hearing.over(0, hand, range(size))
    return hand, bots


@pytest.mark.parametrize("name", sorted(set(GAMES) - {"open-face", "open-face-pineapple"}))
def test_no_card_that_a_seat_was_not_shown_is_in_what_it_hears_and_two_such_worlds_sound_alike(
    name: str,
) -> None:
    hidden = alike = 0
    for seed in range(12):
        deck = Deck.seeded(seed, GAMES[name].pack)
        key, order = deck.copy().reshuffle_key(), deck.copy().draw(len(deck))
        hand, bots = dealt_and_told(name, deck, None, seed)
        for seat, bot in enumerate(bots):
            unseen = _compare(bot.told, seat, hand)
            hidden += len(unseen)
            spare = [card for card in order if card not in hand.cards_dealt]
            swapped = dict(zip(unseen, spare, strict=False)) | dict(zip(spare, unseen, strict=False))
            other_deck = Deck([swapped.get(card, card) for card in order], entropy=-1, key=key)
            try:
                other, others = dealt_and_told(name, other_deck, list(hand.entries()), seed)
            except IllegalAction:
                continue  # open cards decide who acts: this is not a world that looks the same
            if other.public() == hand.public() and other.holes[seat] == hand.holes[seat]:
                alike += bool(swapped)
                assert others[seat].told == bot.told
    assert hidden
    assert alike or name in ("kuhn", "leduc")  # where every card tells


def _compare(told: list[HandStart], seat: int, hand: Hand) -> list[Card]:
    """No card that a seat was not shown may be anywhere in what it was told, read from the pickled values themselves."""
    open_cards = {card for cards in hand.open for card in cards}
    known = {*hand.holes[seat], *open_cards, *(card for board in hand.boards for card in board)}
    known |= {card for one in hand.shown_seats() for card in hand.holes[one]}
    known |= {
        card for who, _, cards in (hand.extra.thrown if hand.extra else ()) if who == seat for card in cards
    }
    hidden = [card for card in hand.cards_dealt if card not in known]
    for one in told:
        loaded = pickle.loads(pickle.dumps(one))
        assert loaded == one
        assert not set(hidden) & _cards_in(loaded)
    return hidden


def _cards_in(value: object) -> set[Card]:
    found: set[Card] = set()
    waiting: list[Any] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Card):
            found.add(one)
        elif isinstance(one, tuple | list):
            waiting += one
        elif isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, HandStart):
            waiting += [one.hole, *(part for part in one.public if part is not one.public.dealt)]
            waiting += [part for part in one.public.dealt if not hasattr(part, "game")]
    return found


@pytest.mark.parametrize("driver", DRIVERS)
def test_what_a_bot_raises_on_hearing_is_its_fault(driver: str) -> None:
    class Deaf:
        def __call__(self, view: View) -> Action:
            return view.legal.passive

        def hand_over(self, end: HandEnd) -> None:
            raise ValueError("too loud")

    player = simulate([Deaf, "caller"], hands=130, seed=1, driver=driver).players[0]
    assert player.faults.first == "raised ValueError: too loud"
    assert player.faults.ejected == 99
    assert player.faults.raised == 100


def test_a_coroutine_bot_hears() -> None:
    told: list[str] = []

    class Awaited:
        async def __call__(self, view: View) -> Action:
            await asyncio.sleep(0)
            return view.legal.passive

        async def hand_started(self, start: HandStart) -> None:
            await asyncio.sleep(0)
            told.append(f"start {start.number}")

        def hand_over(self, end: HandEnd) -> None:
            told.append(f"end {end.number}")

    for driver in DRIVERS:
        told.clear()
        result = simulate([Awaited, "caller"], hands=2, seed=1, driver=driver)
        assert not result.players[0].faults.first
        assert told == ["start 0", "end 0", "start 1", "end 1"]


def test_a_bot_that_hears_plays_with_workers() -> None:
    spec = f"{__file__}:Listener"
    alone = simulate([spec, "caller"], hands=40, seed=2).digest
    assert simulate([spec, "caller"], hands=40, seed=2, workers=2).digest == alone


@pytest.mark.parametrize("in_room", [False, True])
def test_bots_of_a_tournament_hear(in_room: bool) -> None:
    HEARD.clear()
    plan = TournamentPlan.of(sit_and_go(3), 3, [Tourist, "maniac"], seed=3)
    result = play_in_room(plan) if in_room else play_direct(plan)
    assert result.winner
    starts, ends = HEARD[::2], HEARD[1::2]
    assert all(type(one) is HandStart for one in starts)
    assert all(type(one) is HandEnd for one in ends)
    assert any("player 1" in one.names for one in ends)


HEARD: Final[list[HandStart]] = []


class Tourist:
    """Hears for all who play in a tournament, but notes one player only."""

    def __call__(self, view: View) -> Action:
        return view.legal.all_in or view.legal.passive

    def hand_started(self, start: HandStart) -> None:
        self._note(start)

    def hand_over(self, end: HandEnd) -> None:
        self._note(end)

    def _note(self, news: HandStart) -> None:
        if news.names[news.seat] == "player 1":
            HEARD.append(news)


def test_a_bot_of_a_room_hears_every_hand() -> None:
    bot = Listener()
    with Room(StepRuntime(), seed=3) as room:
        players = [room.player("ann", bot), room.player("bob", "caller")]
        table = room.open_table(seats=2, stakes="1/2")
        for seat, player in enumerate(players):
            room.bank.deposit(player.name, 200)
            table.sit(player, seat)
            table.buy_in(player, 200)
        for number in range(3):
            table.deal(Deck.seeded(number)).result()
    assert [type(one) for one in bot.told] == [HandStart, HandEnd] * 3
    assert bot.told[0].names == ("ann", "bob")


PROGRAM: Final = """
import json, sys
heard = open("heard", "a")
for line in sys.stdin:
    heard.write(line)
    heard.flush()
    asked = json.loads(line)
    if asked["type"] == "hello":
        print(json.dumps({"type": "hello", "version": VERSION}), flush=True)
    elif asked["type"] == "turn":
        print(json.dumps({"act": "call" if asked["to_call"] else "check"}), flush=True)
"""


def lines_heard(tmp_path: Path, version: int, driver: str) -> list[dict[str, Any]]:
    (tmp_path / "bot.py").write_text(PROGRAM.replace("VERSION", str(version)))
    (tmp_path / "heard").write_text("")
    spec = f"cmd:{sys.executable} {tmp_path / 'bot.py'}"
    match = Match.of([spec, "maniac"], hands=4, seed=6)
    bots: list[Any] = [made.make() for made in match.bots]
    faults = [Faults(), Faults()]
    from poker_actors.bots import running

    with running(bots, faults):
        list(driver_named(driver)(match, range(4), bots, faults))
    assert faults[0].total == 0
    return [json.loads(line) for line in (tmp_path / "heard").read_text().splitlines()]


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_program_of_protocol_2_hears(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, driver: str) -> None:
    monkeypatch.chdir(tmp_path)
    lines = lines_heard(tmp_path, 2, driver)
    kinds = [line["type"] for line in lines if line["type"] != "turn"]
    assert kinds == ["hello", *["start", "end"] * 4]
    for before, after in pairwise(lines):
        if after["type"] == "turn":
            assert before["type"] in ("start", "turn")
    end = next(line for line in lines if line["type"] == "end")
    assert end["names"] == ["0", "1"]
    assert sum(end["payoffs"]) == 0
    assert len(end["boards"]) == 1
    assert all(seat != 0 for _, seat, _, _ in end["actions"])


def test_a_program_of_protocol_1_gets_the_lines_it_always_got(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = lines_heard(tmp_path, 1, "direct")
    assert {line["type"] for line in lines} == {"hello", "turn"}
    assert lines[0] == {"type": "hello", "protocol": "poker-actors-bot", "version": 1}


def test_opponents_of_a_learner_hear() -> None:
    learn = pytest.importorskip("poker_actors.learn")
    bots: list[Listener] = []

    class Opponent(Listener):
        def __init__(self) -> None:
            super().__init__()
            bots.append(self)

    env = learn.seat_env(opponents=[Opponent])
    for seed in (3, None, None):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, info = env.step(int(info[env.unwrapped.setting.mask_name].argmax()))
    env.close()
    kinds = [type(one) for one in bots[0].told]
    assert kinds == [HandStart, HandEnd] * (len(kinds) // 2)
    assert len(kinds) >= 6
    assert bots[0].told[0].names == ("0", "1")


class Caller(Listener):
    def __call__(self, view: View) -> Action:
        return Call() if view.to_call else Check()


def test_a_bot_in_an_acpc_match_hears_how_hands_end() -> None:
    game = definition_named("holdem.nolimit.2p")
    bot = Caller()
    guest = Guest(BotSpec.of(bot), game, seed=1)
    for number in range(10):
        me = number % 2
        hand = game.hand(Deck.seeded(number))
        while not hand.over:
            if hand.to_act[0] == me:
                assert guest.answer(match_state(hand, number, me)) == "c"
            hand.check_or_call()
        assert guest.answer(match_state(hand, number, me)) is None
    ends = [one for one in bot.told if isinstance(one, HandEnd)]
    assert [type(one) for one in bot.told] == [HandStart, HandEnd] * 10
    assert sum(end.payoffs[end.seat] for end in ends) == guest.value
    assert all(len(end.shown) in (1, 2) for end in ends)


def test_a_bot_in_an_acpc_match_hears_a_hand_in_which_it_had_no_turn() -> None:
    game = definition_named("holdem.nolimit.2p")
    bot = Caller()
    guest = Guest(BotSpec.of(bot), game, seed=1)
    for number in range(2):
        hand = game.hand(Deck.seeded(number))
        me = 1 - hand.to_act[0]
        assert guest.answer(match_state(hand, number, me)) is None
        hand.fold()
        assert guest.answer(match_state(hand, number, me)) is None
    assert [type(one) for one in bot.told] == [HandStart, HandEnd] * 2
    assert [one.payoffs[one.seat] > 0 for one in bot.told if isinstance(one, HandEnd)] == [True, True]


def test_players_of_an_acpc_match_are_named_by_how_far_left_they_sit() -> None:
    game = definition_named("holdem.nolimit.3p")
    bot = Caller()
    guest, learns = Guest(BotSpec.of(bot), game, seed=1), Guest("adaptive", game, seed=1)
    for number in range(3):
        hand, me = game.hand(Deck.seeded(number)), -number % 3
        while not hand.over:
            state = match_state(hand, number, me)
            assert (guest.answer(state) is None) == (learns.answer(state) is None)
            hand.check_or_call()
        for one in (guest, learns):
            one.answer(match_state(hand, number, me))
    names = ("0", "1", "2")
    assert [one.names for one in bot.told] == [
        told for turned in (names, names[1:] + names[:1], names[2:] + names[:2]) for told in (turned, turned)
    ]
    assert learns.faults.total == 0


def agents_heard(env: Any, hands: int = 3) -> None:
    for number in range(hands):
        env.reset(seed=7 if not number else None)
        while not env.terminations[env.agent_selection]:
            mask = env.infos[env.agent_selection][env.setting.mask_name]
            env.step(1 if mask[1] else 0)


def test_agents_of_an_environment_hear_what_a_bot_in_their_seat_hears() -> None:
    learn = pytest.importorskip("poker_actors.learn")
    env = learn.env(3, compiled=False, raise_sizes=("min",))
    one, other = Listener(), Listener()
    env.hear("player_0", one)
    env.hear("player_2", other)
    agents_heard(env)
    for seat, bot in ((0, one), (2, other)):
        assert [type(each) for each in bot.told] == [HandStart, HandEnd] * 3
        assert {each.seat for each in bot.told} == {seat}
        assert bot.told[0].names == ("player_0", "player_1", "player_2")
        assert all(len(each.hole) == 2 for each in bot.told)
    ends = [each for each in one.told if isinstance(each, HandEnd)]
    hand = env._table.hand
    assert ends[-1].payoffs == hand.payoffs
    hidden = {card for seat in range(3) for card in hand.holes[seat] if seat not in ends[-1].shown and seat}
    assert not hidden & _cards_in(one.told[-2])
    assert not hidden & _cards_in(one.told[-1])


def test_what_a_listener_of_an_environment_raises_passes_and_a_compiled_one_is_refused() -> None:
    learn = pytest.importorskip("poker_actors.learn")

    class Deaf:
        def hand_over(self, end: HandEnd) -> None:
            raise RuntimeError("too loud")

    env = learn.env(2, compiled=False, raise_sizes=("min",))
    env.hear("player_1", Deaf())
    with pytest.raises(RuntimeError, match="too loud"):
        agents_heard(env, hands=1)
    pytest.importorskip("numba")
    with pytest.raises(BadSpec, match="make the environment with compiled=False"):
        learn.env(2, compiled=True).hear("player_0", Deaf())


# -- what a player makes of the states that it is told ----------------------------------------------


class Noted:
    """Notes the name of each method that is called, and the hand's number."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int]] = []

    def __call__(self, view: View) -> Action:
        return view.legal.passive

    def hand_started(self, start: HandStart) -> None:
        self.calls.append(("started", start.number))

    def hand_over(self, end: HandEnd) -> None:
        self.calls.append(("over", end.number))

    def cards_shown(self, end: HandEnd) -> None:
        self.calls.append(("shown", end.number))


def states(number: int, *, antes_all: bool = False) -> list[HandEnd]:
    """Return what seat 0 is told of a hand: its beginning, and its end."""
    stakes = Stakes(0, 0, ante=5, bring_in=5, min_bet=10) if antes_all else Stakes(1, 2)
    game = GAMES["stud"] if antes_all else GAMES["holdem"]
    hand = Hand([5, 5] if antes_all else [100, 100], stakes, deck=Deck.seeded(3), game=game)
    told = [hand.public()]
    if not antes_all:
        hand.act(Fold())
        told.append(hand.public())
    return [
        HandEnd(number=number, seat=0, hole=hand.holes[0], names=("ann", "bob"), public=public)
        for public in told
    ]


def ear_of(bot: Noted) -> Callable[[HandEnd], None]:
    ear, faults = Ear(), Faults()
    return lambda news: ear.hear(bot, "table", f"hand {news.number}", news, faults)


def test_an_end_that_is_told_again_is_heard_once_and_cards_shown_later_by_themselves() -> None:
    bot = Noted()
    hear = ear_of(bot)
    start, end = states(7)
    for news in (start, start, end, end):
        hear(news)
    assert bot.calls == [("started", 7), ("over", 7)]
    shown = end.public._replace(dealt=end.public.dealt._replace(shown=((0, end.hole),)))
    more = HandEnd(number=7, seat=0, hole=end.hole, names=end.names, public=shown)
    for news in (more, more):
        hear(news)
    assert bot.calls == [("started", 7), ("over", 7), ("shown", 7)]


def test_a_hand_of_which_only_the_end_is_told_is_heard_if_it_was_no_more_than_that_or_one_was_missed() -> (
    None
):
    bot = Noted()
    hear = ear_of(bot)
    hear(states(1)[1])
    assert bot.calls == [], "its start was told to nobody here"
    (whole,) = states(2, antes_all=True)
    assert whole.public.over
    assert not whole.public.seq
    hear(whole)
    assert bot.calls == [("started", 2), ("over", 2)]
    hear(states(3)[0])
    hear(states(4)[1])
    assert bot.calls[2:] == [("started", 3), ("started", 4), ("over", 4)]


def test_an_outside_bot_says_itself_whether_it_hears() -> None:
    class Deaf(OutsideBot):
        def hand_over(self, end: HandEnd) -> None:
            raise AssertionError("it does not ask for that")

    assert not hears(Deaf())
