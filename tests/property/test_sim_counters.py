"""Every counter against a slow count of its definition, in every game, from every source of hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poker_actors.actors import Room, StepRuntime
from poker_actors.bots import BotSpec, Faults, SeedTree, decide
from poker_actors.cards import Deck
from poker_actors.history import Entry, histories, record, replay
from poker_actors.rules import GAMES, Game, Hand, Stakes
from poker_actors.rules.event import Acted, Awarded, Posted
from poker_actors.sim import CarryOver, Duplicate, Match
from poker_actors.sim.engines import Job, play_hands, play_whole
from poker_actors.sim.histories import HistoryCounts, count_histories
from poker_actors.sim.statistics import Sums, Tally, by_name, collectors
from tests.property.test_history_games import RECORDED, played

LABELS = ("preflop", "flop", "turn", "river", "river", "river", "river", "river", "river", "river")
BETS = {"Bet", "RaiseTo"}
WORDS = {"Fold": "folds", "Check": "checks", "Call": "calls", "Bet": "raises", "RaiseTo": "raises"}


class Witness:
    """Counts one hand as docs/simulation.md says, from what the hand says happened: slow, and by nobody else's code."""

    def __init__(self, hand: Hand) -> None:
        size, names = len(hand.starting), [street.name for street in hand.game.streets]
        self.hand = hand
        self.order = [
            seat
            for seat in sorted(range(size), key=lambda seat: (seat - hand.button - 1) % size)
            if hand.starting[seat]
        ]
        turns = [
            (names.index(taken.street), taken.seat, type(taken.action).__name__)
            for taken in hand.public().actions
        ]
        self.streets = [
            [(seat, word) for at, seat, word in turns if at == street and word in WORDS]
            for street in range(len(names))
        ]
        folded = {seat for _, seat, word in turns if word == "Fold"}
        self.live = [seat for seat in self.order if seat not in folded]

    def counts(self, seat: int) -> dict[str, int]:
        """Return what counts for a seat that was dealt in, without what does not."""
        found: Counter[str] = Counter(hands=1)
        for street, turns in enumerate(self.streets):
            found.update(f"{LABELS[street]}_{WORDS[word]}" for who, word in turns if who == seat)
            found.update(self.before_the_flop(seat) if street == 0 else self.continued(street, seat))
        found.update(self.end(seat))
        return {name: count for name, count in found.items() if count}

    def raisers_before(self, street: int, turn: int) -> list[int]:
        return [who for who, word in self.streets[street][:turn] if word in BETS]

    def steal(self, turn: int) -> bool:
        """Whether a turn is from cutoff, button or small blind, and nobody has called or raised before."""
        places = {2: [-1], 3: [-1, 0]}.get(len(self.order), [-2, -1, 0])
        turns = self.streets[0]
        return turns[turn][0] in [self.order[place] for place in places] and not any(
            word in BETS or word == "Call" for _, word in turns[:turn]
        )

    def before_the_flop(self, seat: int) -> Iterator[str]:
        turns = self.streets[0]
        words = [word for who, word in turns if who == seat]
        if BETS & {*words}:
            yield "pfr"
        if (BETS | {"Call"}) & {*words}:
            yield "vpip"
        stayed = [who for who in self.order if (who, "Fold") not in turns]
        if len(stayed) > 1 and seat in stayed:
            yield "flops"
        for turn, (who, word) in enumerate(turns):
            if who != seat:
                continue
            raisers = self.raisers_before(0, turn)
            if len(raisers) == 1 and raisers != [seat]:
                yield from _share("three_bet_chances", "three_bets", word in BETS)
                first = [word in BETS for _, word in turns].index(True)
                called = any(word == "Call" for _, word in turns[:turn])
                if seat in self.order[: 2 if len(self.order) > 2 else 1] and self.steal(first) and not called:
                    yield from _share("steals_faced", "steals_folded_to", word == "Fold")
            if len(raisers) == 2 and raisers[0] == seat:
                yield from _share("three_bets_faced", "three_bets_folded_to", word == "Fold")
            if self.steal(turn):
                yield from _share("steal_chances", "steals", word in BETS)

    def may_continue(self, street: int) -> int | None:
        """The seat that may make a continuation bet: on the first street after the opening its last raiser."""
        if street == 1:
            raisers = self.raisers_before(0, len(self.streets[0]))
            return raisers[-1] if raisers else None
        raisers = self.raisers_before(street - 1, len(self.streets[street - 1]))
        bettor = self.may_continue(street - 1)
        return bettor if raisers == [bettor] and self.opens(street - 1, bettor) else None

    def opens(self, street: int, bettor: int | None) -> bool:
        """Whether the seat bet at its first turn of a street, before anybody else."""
        words = [word for who, word in self.streets[street] if who == bettor]
        raisers = self.raisers_before(street, len(self.streets[street]))
        return bool(words) and words[0] in BETS and raisers[0] == bettor

    def continued(self, street: int, seat: int) -> Iterator[str]:
        bettor, label = self.may_continue(street), LABELS[street]
        turns = [(turn, *each) for turn, each in enumerate(self.streets[street])]
        if bettor is None:
            return
        if seat == bettor:
            for turn, word in [(turn, word) for turn, who, word in turns if who == seat][:1]:
                if not self.raisers_before(street, turn):
                    yield from _share(f"{label}_cbet_chances", f"{label}_cbets", word in BETS)
        for turn, who, word in turns:
            alone = self.raisers_before(street, turn) == [bettor]
            if who == seat != bettor and alone and self.opens(street, bettor):
                yield from _share(f"{label}_cbets_faced", f"{label}_cbets_folded_to", word == "Fold")

    def end(self, seat: int) -> Iterator[str]:
        hand, showdown = self.hand, len(self.live) > 1 and seat in self.live
        events = [news for news in hand.events() if getattr(news, "seat", None) == seat]
        if showdown:
            yield "showdowns"
        if any(isinstance(news, Awarded) for news in events) and len(hand.marks) > 1:
            yield "flops_won"
            if showdown:
                yield "showdowns_won"
        put_in = sum(news.amount for news in events if isinstance(news, Posted))
        put_in += sum(news.paid for news in events if isinstance(news, Acted))
        if seat in self.live and put_in == hand.starting[seat]:
            yield "all_ins"
            if not hand.stacks[seat]:
                yield "busts"


def _share(of: str, name: str, taken: bool) -> Iterator[str]:
    yield of
    if taken:
        yield name


def witnessed(hands: Iterable[tuple[Hand, tuple[int, ...]]]) -> dict[int, dict[str, int]]:
    """The slow count of hands with the bots by seat, by bot."""
    found: dict[int, Counter[str]] = {}
    for hand, who in hands:
        witness = Witness(hand)
        for seat in witness.order:
            found.setdefault(who[seat], Counter()).update(witness.counts(seat))
    return {bot: dict(counts) for bot, counts in found.items()}


def without(found: dict[int, dict[str, int]], names: tuple[str, ...]) -> dict[int, dict[str, int]]:
    return {
        bot: {name: count for name, count in counts.items() if name not in names}
        for bot, counts in found.items()
    }


def counted(sums: Sums) -> dict[int, dict[str, int]]:
    """What a match has counted, by bot."""
    found: dict[int, Counter[str]] = {}
    for (_, who, dealt), by_seat in sums.habits_by_seat().items():
        for seat in dealt:
            found.setdefault(who[seat], Counter()).update(by_name(by_seat[seat]))
    return {bot: {name: count for name, count in row.items() if count} for bot, row in found.items()}


def read(counts: HistoryCounts) -> dict[str, dict[str, int]]:
    """What histories have counted, by player."""
    return {
        figures.group["player"]: {name: count for name, count in figures.counts.items() if count}
        for figures in counts.figures()
    }


UNPAID = ("showdowns_won", "flops_won")
"""Who ties in five-card counts as paid whoever is told so."""


@pytest.mark.parametrize("game", [game for game in GAMES.values() if not game.open_face], ids=str)
@settings(max_examples=6)
@given(seed=st.integers(0, 2**32))
def test_hands_of_every_game_are_counted_as_defined(game: Game, seed: int) -> None:
    luck = Random(seed)
    hands = [played(game, luck) for _ in range(4)]
    tally = Tally(game.max_seats, 3)
    seated = []
    for number, hand in enumerate(hands):
        who = tuple(luck.sample(range(game.max_seats), len(hand.starting)))
        seated.append((hand, who))
        tally.count(number, hand, who)
    left_out = UNPAID if game.name.startswith("five-card-") or game.name == "five-card" else ()
    assert without(counted(tally.take()), left_out) == without(witnessed(seated), left_out)


@pytest.mark.parametrize("game", RECORDED, ids=str)
@settings(max_examples=6)
@given(seed=st.integers(0, 2**32))
def test_histories_of_every_game_are_counted_as_defined(game: Game, seed: int) -> None:
    luck = Random(seed)
    hands = [played(game, luck) for _ in range(3)]
    counts = HistoryCounts(("player",))
    for hand in hands:
        history = record(hand, players=[str(seat) for seat in range(len(hand.starting))])
        counts.count(Entry("here", 0, 1, "phh", history))
    found = {int(name): row for name, row in read(counts).items()}
    assert found == witnessed([(hand, (*range(len(hand.starting)),)) for hand in hands])


BATCHES: dict[str, Any] = {
    "six": {"bots": ("tight", "loose", "pot-odds", "caller", "maniac", "random")},
    "heads-up": {"bots": ("maniac", "random"), "stacks": [90, 40]},
    "three, duplicate": {"bots": ("maniac", "loose", "tight"), "form": Duplicate(), "stacks": [200, 30, 90]},
    "sessions": {"bots": ("random", "caller", "maniac"), "form": CarryOver(20), "stacks": 12},
    "limit": {"bots": ("random", "loose", "maniac", "tight"), "game": "limit-holdem"},
}


@pytest.mark.parametrize("kind", BATCHES)
def test_batches_and_single_hands_of_a_match_are_counted_as_defined(kind: str) -> None:
    pytest.importorskip("numba")
    match = Match.of(**{"hands": 180, "seed": 11, **BATCHES[kind]})
    wanted = witnessed((hand, who) for _, hand, who in play_hands(Job(match), range(180), []))
    for job in (Job(match, compiled=True), Job(match), Job(match, "stepper")):
        assert counted(play_whole(job, range(180))) == wanted


def test_a_live_table_is_counted_as_defined(tmp_path: Path) -> None:
    path = tmp_path / "night.phhs"
    with Room(StepRuntime(), seed=1, histories=path) as room:
        table = room.open_table("main", seats=5)
        for seat, bot in enumerate(("caller", "random", "maniac", "loose")):
            player = room.player(bot, bot, chips=1_000_000)
            table.sit(player, seat)
            table.buy_in(player, 100)
        for number in range(40):
            result = table.deal(Deck.seeded(number)).result(timeout=60)
            for player in room.players.values():
                if not result.stacks[table.sit(player)]:
                    table.buy_in(player, 100)
    hands = [(replay(one).hand, tuple(map(one.name, range(one.size)))) for one in histories(path)]
    names = sorted({name for _, who in hands for name in who})
    wanted = witnessed([(hand, tuple(map(names.index, who))) for hand, who in hands])
    found = {names.index(name): row for name, row in read(count_histories([path])).items()}
    assert len(hands) == 40
    assert found == wanted


@given(
    st.lists(st.integers(10, 60), min_size=2, max_size=7),
    st.integers(0, 10**6),
    st.sampled_from([Stakes(1, 2), Stakes(1, 2, ante=3), Stakes(2, 5, big_blind_ante=5)]),
)
def test_whoever_is_paid_is_found(stacks: list[int], seed: int, stakes: Stakes) -> None:
    tree = SeedTree(seed)
    hand = Hand(stacks, stakes, deck=tree.deck(0), button=seed % len(stacks))
    bots = [
        BotSpec.parse(("random", "caller", "maniac")[(seed + seat) % 3]).make() for seat in range(len(stacks))
    ]
    while hand.to_act:
        seat = hand.to_act[0]
        hand.act(decide(bots[seat], hand.view(seat, tree.stream(0, seat)), Faults()))
    paid = {news.seat for news in hand.events() if isinstance(news, Awarded)}
    found = collectors(hand)
    assert len(found) == len(set(found))
    assert set(found) == paid
