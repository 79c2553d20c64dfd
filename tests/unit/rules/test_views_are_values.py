"""What a bot, a listener or a watcher is given: nobody can change the hand, or what others see, by writing to it."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

import pytest

from poker_actors.actors import HandState, Room, StepRuntime
from poker_actors.bots import Faults, fallback
from poker_actors.cards import Card, Deck
from poker_actors.rules import GAMES, Action, Call, Game, Hand, PublicState, Stakes, View
from poker_actors.rules.cash import HandOptions, deal_hand
from poker_actors.rules.log import Sealed
from poker_actors.sim import Match
from poker_actors.sim.drivers import driver_named
from poker_actors.sim.record import hand_digest

SETTINGS: Final = (Game, Stakes, HandOptions, Card)
"""Definitions of the whole program, frozen: not the hand's. `object.__setattr__` gets past them, as it would past a constant
of any module; a bot that does so is not a mistake but an attack, for which there is `--isolate`."""
NEW: Final[tuple[object, ...]] = (10**6, (10**6,) * 10)
"""What is written: each of these, into every place."""


def reached(root: object) -> Iterator[object]:
    """Walk everything that attributes and items lead to, slots and properties included."""
    seen: dict[int, object] = {}
    waiting = [root]
    while waiting:
        one = waiting.pop()
        plain = one is None or isinstance(one, str | bytes | int | float | type) or callable(one)
        if id(one) in seen or plain or isinstance(one, SETTINGS):
            continue
        seen[id(one)] = one
        yield one
        if isinstance(one, tuple | list | set | frozenset):
            waiting += one
        elif isinstance(one, dict):
            waiting += [*one, *one.values()]
        for name in dir(one):
            if not name.startswith("__"):
                with suppress(Exception):
                    waiting.append(getattr(one, name))


def vandalise(root: object) -> int:
    """Write to everything reachable, in every way Python has; return the number of writes that were let through."""
    done = 0
    for one in list(reached(root)):
        for write in _writes(one):
            with suppress(Exception):
                write()
                done += 1
    return done


def _writes(one: object) -> Iterator[Callable[[], object]]:
    target: Any = one
    if isinstance(one, list | set | dict):
        yield from (target.clear, lambda: target.append(10**6), lambda: target.extend([10**6] * 9))
        yield from (lambda: target.sort(), lambda: target.reverse(), lambda: target.pop())  # noqa: PLW0108  not all have them
    for new in NEW:
        for place in range(len(one) if isinstance(one, tuple | list) else 0):
            yield lambda place=place, new=new: target.__setitem__(place, new)  # type: ignore[misc]  # bound at once
            yield lambda place=place, new=new: list.__setitem__(target, place, new)  # type: ignore[misc]  # as above
        for name in dir(one):
            if not name.startswith("__") or name in ("__class__", "__dict__"):
                yield lambda name=name, new=new: setattr(target, name, new)  # type: ignore[misc]  # as above
                yield lambda name=name, new=new: object.__setattr__(target, name, new)  # type: ignore[misc]  # as above
                yield lambda name=name: object.__delattr__(target, name)  # type: ignore[misc]  # as above


def played(game: Game, given: Callable[[Hand, int], object], options: HandOptions | None) -> tuple[int, int]:
    """Play a hand whose seats write to all they are given; return its digest, and how many writes were let through."""
    size = min(3, game.max_seats)
    deck = Deck.seeded(5, game.pack)
    hand = deal_hand([100 * game.stakes.min_bet] * size, game.stakes, deck=deck, game=game, options=options)
    written = 0
    for turn in itertools.count():
        if hand.over:
            break
        assert turn < 500
        if turn < 2 or turn % 5 == 0:
            written += vandalise(given(hand, hand.to_act[0])) + vandalise(given(hand, turn % size))
        legal = hand.legal
        raises = legal.can_raise and turn % 3 == 0
        hand.act((legal.all_in or legal.passive) if raises and turn > 6 else _some(hand, raise_=raises))
    written += vandalise(given(hand, 0))
    return hand_digest(0, hand), written


def _some(hand: Hand, *, raise_: bool) -> Action:
    from poker_actors.rules import Bet, RaiseTo

    legal = hand.legal
    if raise_:
        return (Bet if legal.opening else RaiseTo)(legal.min_raise_to)
    call = Call()
    return call if call in legal else legal.passive


OPTIONS: Final = HandOptions(boards=2)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_no_write_to_what_a_seat_is_given_changes_the_hand(name: str) -> None:
    game = GAMES[name]
    quiet = played(game, lambda hand, seat: None, None)[0]
    digest, written = played(game, lambda hand, seat: hand.view(seat), None)
    assert digest == quiet
    assert written, "a view itself is the seat's own, and takes what is written to it"


def test_no_write_changes_a_hand_with_options() -> None:
    game = GAMES["holdem"]
    quiet = played(game, lambda hand, seat: None, OPTIONS)[0]
    assert played(game, lambda hand, seat: hand.view(seat), OPTIONS)[0] == quiet


@pytest.mark.parametrize("name", ["holdem", "stud", "five-card-draw", "open-face", "omaha8"])
def test_a_public_state_stays_what_it_was_whatever_is_written_to_it(name: str) -> None:
    game = GAMES[name]
    hand = Hand([100] * 3, game.stakes, deck=Deck.seeded(2, game.pack), game=game)
    while True:
        public = hand.public()
        before = pickle.dumps(public)
        vandalise(public)
        assert pickle.dumps(public) == before
        if hand.over:
            break
        hand.act(hand.legal.passive)


def test_nothing_leads_from_a_state_to_the_log_of_the_hand() -> None:
    hand = Hand([100] * 3, Stakes(1, 2), deck=Deck.seeded(2))
    hand.act(Call())
    found = list(reached(hand.public()))
    assert any(isinstance(one, Sealed) for one in found)
    assert not any(one is hand.log for one in found)
    with pytest.raises(AttributeError):
        hand.public().dealt.log._list  # noqa: B018  the read is what must fail


@pytest.mark.parametrize("driver", ["direct", "stepper", "threads"])
def test_a_bot_that_writes_to_its_view_plays_the_same_hands_on_every_driver(driver: str) -> None:
    def vandal(view: View) -> Action:
        action = fallback(view)
        vandalise(view)
        return action

    def digests(bot: Callable[[View], Action]) -> list[int]:
        match = Match.of(["caller", bot, "tight"], hands=6, seed=4)
        bots: list[Any] = [spec.make() for spec in match.bots]
        faults = [Faults() for _ in bots]
        hands = driver_named(driver)(match, range(6), bots, faults)
        return [hand_digest(number, hand) for number, hand, _ in hands]

    assert digests(vandal) == digests(fallback)


def test_a_view_spoilt_before_a_fault_does_not_end_the_match() -> None:
    def spoilt(view: View) -> Action:
        vandalise(view)
        raise ValueError("after the damage")

    for driver in ("direct", "stepper"):
        match = Match.of(["caller", spoilt], hands=4, seed=4)
        bots: list[Any] = [spec.make() for spec in match.bots]
        faults = [Faults(), Faults()]
        assert len(list(driver_named(driver)(match, range(4), bots, faults))) == 4
        assert faults[1].raised
        assert not faults[0].total


def test_a_listener_that_writes_to_its_states_changes_neither_hand_nor_what_others_hear() -> None:
    def heard(*, vandal: bool) -> list[object]:
        told: list[object] = []
        with Room(StepRuntime(), seed=3) as room:
            players = [room.player(name, "caller") for name in ("ann", "bob", "cyd")]
            for player in players:
                room.bank.deposit(player.name, 200)
            table = room.open_table(seats=3, stakes="1/2")
            for seat, player in enumerate(players):
                table.sit(player, seat)
                table.buy_in(player, 200)

            def spoil(news: object) -> None:
                if isinstance(news, HandState):
                    vandalise(news.public)
                    vandalise(news.hand)

            if vandal:
                players[0].listen(spoil)
            players[1].listen(
                lambda news: (
                    told.append((repr(news.public), news.public.entries))
                    if isinstance(news, HandState)
                    else None
                )
            )
            for number in range(3):
                table.deal(Deck.seeded(number)).result()
        return told

    assert heard(vandal=True) == heard(vandal=False)
    assert len(heard(vandal=True)) > 20


def test_a_state_is_still_a_tuple_that_says_its_name() -> None:
    public = Hand([100] * 3, Stakes(1, 2), deck=Deck.seeded(2)).public()
    assert isinstance(public, PublicState)
    assert repr(public).startswith("PublicState(dealt=Dealt(")
