"""Poker engines side by side: six players, 100 big blinds, check or call to the showdown.

Run `python tests/benchmarks/engines.py`. Each contestant plays the same 24 turns per hand, and its chips
are counted after every hand. All run in the same process, in alternating rounds, timed by the CPU, so that
other load on the machine matters little; the best round of each is compared. Engines that are not installed (extra
`bench`) are left out with a message. With the compiled build (docs/performance.md) unpacked beside this
one, PYTHONPATH chooses between the two.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from random import Random
from statistics import median
from time import process_time
from typing import Any

import attrs

from poker_actors.native import is_compiled

SEATS, STACK, TURNS = 6, 200, 24
CALLS = 5
"""The first five turns call the big blind and all others check, for engines that distinguish the two."""
ROUNDS = 5

Play = Callable[[int], None]
"""Plays so many hands, and checks turns and chips after each."""


def check(turns: int, chips: float, name: str) -> None:
    """Raise `AssertionError` unless the hand took 24 turns and kept the total of chips."""
    if turns != TURNS or chips != SEATS * STACK:
        raise AssertionError(f"{name}: {turns} turns, {chips} chips")


# -- ours ------------------------------------------------------------------------------------------


def ours_core() -> Play:
    """The rules alone: a hand and a loop that calls."""
    from poker_actors.cards import Deck
    from poker_actors.rules import Hand, Stakes

    stakes = Stakes(1, 2)

    def play(hands: int) -> None:
        for number in range(hands):
            hand = Hand((STACK,) * SEATS, stakes, deck=Deck.seeded(number), button=number % SEATS)
            while hand.to_act:
                hand.check_or_call()
            check(len(hand.log), sum(hand.stacks), "poker_actors rules")

    return play


def ours_counted() -> Play:
    """The same loop with statistics and digest of every hand, collected as often as `simulate` does."""
    from poker_actors.cards import Deck
    from poker_actors.rules import Hand, Stakes
    from poker_actors.sim.engines.block import REPORT_EVERY
    from poker_actors.sim.statistics import Sums, Tally

    stakes, stacks, who = Stakes(1, 2), (STACK,) * SEATS, tuple(range(SEATS))

    def play(hands: int) -> None:
        tally, total = Tally(SEATS, REPORT_EVERY), Sums(SEATS)
        for number in range(hands):
            hand = Hand(stacks, stakes, deck=Deck.seeded(number), button=number % SEATS)
            while hand.to_act:
                hand.check_or_call()
            check(len(hand.log), sum(hand.stacks), "poker_actors rules, counted")
            tally.count(number, hand, who)
            if tally.sums.hands == REPORT_EVERY:
                total.add(tally.take())
        total.add(tally.take())
        if total.hands != hands or total.chips_in != total.chips_out:
            raise AssertionError(f"counted {total.hands} of {hands} hands")

    return play


def ours_driver(name: str) -> Callable[[], Play]:
    """A driver of the simulator with six bots that call: at each turn a bot decides by a view."""

    def make() -> Play:
        from poker_actors.bots import Faults
        from poker_actors.sim import Match
        from poker_actors.sim.drivers import driver_named

        def play(hands: int) -> None:
            match = Match.of(["caller"] * SEATS, hands=hands, seed=1, stacks=STACK)
            bots = [spec.make() for spec in match.bots]
            faults = [Faults() for _ in bots]
            for played in driver_named(name)(match, range(hands), bots, faults):
                hand = played[1]
                check(len(hand.log), sum(hand.stacks), f"poker_actors {name}")

        return play

    return make


def ours_simulate(name: str) -> Callable[[], Play]:
    """The whole of `simulate`: the driver, the statistics of every hand and the digest."""

    def make() -> Play:
        from poker_actors import simulate

        def play(hands: int) -> None:
            result = simulate(["caller"] * SEATS, hands=hands, seed=1, stacks=STACK, driver=name)
            if result.chips_in != result.chips_out or result.hands != hands:
                raise AssertionError(f"simulate: {result}")

        return play

    return make


# -- peers -----------------------------------------------------------------------------------------


def pokerkit() -> Play:
    from pokerkit import Automation, NoLimitTexasHoldem

    automations = (
        Automation.ANTE_POSTING,
        Automation.BET_COLLECTION,
        Automation.BLIND_OR_STRADDLE_POSTING,
        Automation.CARD_BURNING,
        Automation.HOLE_DEALING,
        Automation.BOARD_DEALING,
        Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
        Automation.HAND_KILLING,
        Automation.CHIPS_PUSHING,
        Automation.CHIPS_PULLING,
    )
    game = NoLimitTexasHoldem(automations, True, 0, (1, 2), 2)

    def play(hands: int) -> None:
        for _ in range(hands):
            state = game((STACK,) * SEATS, SEATS)
            turns = 0
            while state.status:
                state.check_or_call()
                turns += 1
            check(turns, sum(state.stacks), "pokerkit")

    return play


def _open_spiel_game() -> Any:
    import pyspiel

    parameters = {
        "betting": "nolimit",
        "bettingAbstraction": "fcpa",
        "numPlayers": SEATS,
        "numRounds": 4,
        "blind": "1 2 0 0 0 0",
        "firstPlayer": "3 1 1 1",
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
        "stack": " ".join([str(STACK)] * SEATS),
    }
    return pyspiel.load_game("universal_poker", parameters)


def open_spiel() -> Play:
    """Its plain loop, without bots."""
    game = _open_spiel_game()
    call = 1

    def play(hands: int) -> None:
        luck = Random(hands)
        for _ in range(hands):
            state = game.new_initial_state()
            # listing a chance node's legal cards costs more than everything else: deal cards drawn here instead
            cards = iter(luck.sample(range(52), 17))
            turns = 0
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(next(cards))
                else:
                    state.apply_action(call)
                    turns += 1
            check(turns, SEATS * STACK + sum(state.returns()), "open_spiel")

    return play


def open_spiel_bots() -> Play:
    """Six Python functions decide, each by its seat's information state and legal actions."""
    game = _open_spiel_game()

    def caller(known: str, legal: list[int]) -> int:
        return 1

    def play(hands: int) -> None:
        luck = Random(hands)
        for _ in range(hands):
            state = game.new_initial_state()
            cards = iter(luck.sample(range(52), 17))
            turns = 0
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(next(cards))
                    continue
                known = state.information_state_string(state.current_player())
                state.apply_action(caller(known, state.legal_actions()))
                turns += 1
            check(turns, SEATS * STACK + sum(state.returns()), "open_spiel, bots")

    return play


def pokerfast() -> Play:
    from pokerfast import FastHand

    def play(hands: int) -> None:
        luck = Random(hands)
        for _ in range(hands):
            hand = FastHand(
                player_count=SEATS, small_blind=1, big_blind=2, min_stack=STACK, max_stack=STACK, rng=luck
            )
            turns = 0
            while not hand.done:
                hand.call()
                turns += 1
            check(turns, sum(hand.state.stacks), "pokerfast")

    return play


def texasholdem() -> Play:
    from texasholdem import ActionType, TexasHoldEm

    def play(hands: int) -> None:
        for _ in range(hands):
            game = TexasHoldEm(buyin=STACK, big_blind=2, small_blind=1, max_players=SEATS)
            game.start_hand()
            turns = 0
            while game.is_hand_running():
                game.take_action(ActionType.CALL if turns < CALLS else ActionType.CHECK)
                turns += 1
            check(turns, sum(player.chips for player in game.players), "texasholdem")

    return play


def rlcard() -> Play:
    from rlcard.games.nolimitholdem import Game
    from rlcard.games.nolimitholdem.round import Action

    def play(hands: int) -> None:
        game = Game(num_players=SEATS)
        game.init_chips = [STACK] * SEATS
        for _ in range(hands):
            game.init_game()
            turns = 0
            while not game.is_over():
                game.step(Action.CHECK_CALL)
                turns += 1
            check(turns, SEATS * STACK + sum(game.get_payoffs()), "rlcard")

    return play


def pokers() -> Play:
    engine: Any = import_module("pokers")  # its stubs wrongly say that Action(...) returns None
    call = engine.Action(engine.ActionEnum.Call)
    check_action = engine.Action(engine.ActionEnum.Check)

    def play(hands: int) -> None:
        for number in range(hands):
            state = engine.State.from_seed(n_players=SEATS, button=0, sb=1, bb=2, stake=STACK, seed=number)
            turns = 0
            while not state.final_state:
                # `pokers` wants a call, not a check, for the option of the big blind
                state = state.apply_action(call if turns <= CALLS else check_action)
                turns += 1
            check(turns, SEATS * STACK + sum(player.reward for player in state.players_state), "pokers")

    return play


# -- the race --------------------------------------------------------------------------------------


@attrs.frozen
class Contestant:
    """An engine: its name, the module it needs, how to make it play, and hands per round."""

    name: str
    module: str
    make: Callable[[], Play]
    hands: int


CONTESTANTS = (
    Contestant("poker_actors: rules", "poker_actors.rules", ours_core, 6000),
    Contestant("poker_actors: rules, statistics and digest", "poker_actors.sim", ours_counted, 4000),
    Contestant("poker_actors: direct driver, six bots", "poker_actors.sim", ours_driver("direct"), 3000),
    Contestant(
        "poker_actors: simulate, statistics and digest", "poker_actors.sim", ours_simulate("direct"), 2000
    ),
    Contestant("poker_actors: actors on the stepper", "poker_actors.sim", ours_driver("stepper"), 800),
    Contestant("poker_actors: actors on threads", "poker_actors.sim", ours_driver("threads"), 60),
    Contestant("open_spiel (C++) from Python", "pyspiel", open_spiel, 6000),
    Contestant("open_spiel, six bots told their state", "pyspiel", open_spiel_bots, 2000),
    Contestant("pokers (Rust) from Python", "pokers", pokers, 2000),
    Contestant("pokerfast", "pokerfast", pokerfast, 2000),
    Contestant("texasholdem", "texasholdem", texasholdem, 40),
    Contestant("rlcard (game, no observations)", "rlcard", rlcard, 100),
    Contestant("pokerkit", "pokerkit", pokerkit, 60),
)
"""All contestants; a new engine or driver is one more line."""

MEASURE = "pokerkit"


@contextmanager
def quiet() -> Iterator[None]:
    """Discard the output of compiled code (`pokers` prints at every showdown), below Python's `sys.stdout`."""
    sys.stdout.flush()
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def present(contestants: tuple[Contestant, ...]) -> dict[str, tuple[Play, int]]:
    """Return the contestants whose module can be imported, ready to play, and report the others."""
    playing: dict[str, tuple[Play, int]] = {}
    for one in contestants:
        try:
            import_module(one.module)
        except ImportError as missing:
            print(f"left out: {one.name} ({missing})")
            continue
        playing[one.name] = (one.make(), one.hands)
    return playing


def race(playing: dict[str, tuple[Play, int]], rounds: int, share: float = 1.0) -> dict[str, list[float]]:
    """Play the rounds, with every contestant in each; return the hands per CPU second of every round."""
    speeds: dict[str, list[float]] = {name: [] for name in playing}
    with quiet():
        for play, _ in playing.values():
            play(2)
    gc.collect()
    gc.freeze()  # or the objects of one contestant's modules would slow every collection of the others
    for _ in range(rounds):
        for name, (play, hands) in playing.items():
            count = max(2, int(hands * share))
            with quiet():
                start = process_time()
                play(count)
                spent = process_time() - start
            speeds[name].append(count / spent)
    gc.unfreeze()
    return speeds


def report(speeds: dict[str, list[float]]) -> str:
    """Return one line per contestant, the fastest first: hands per CPU second, and the ratio to pokerkit's."""
    measure = max(speeds[MEASURE]) if MEASURE in speeds else None
    lines = [f"{'':<46} {'best/s':>9} {'median/s':>9} {MEASURE + ' = 1':>13}"]
    for name, found in sorted(speeds.items(), key=lambda item: -max(item[1])):
        ratio = f"{max(found) / measure:13.1f}" if measure else f"{'?':>13}"
        lines.append(f"{name:<46} {max(found):9.0f} {median(found):9.0f} {ratio}")
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """Race; the argument is the number of rounds."""
    rounds = int(arguments[0]) if arguments else ROUNDS
    build = "the compiled build" if is_compiled() else "the Python build"
    print(
        f"six players, 100 big blinds, check or call to the showdown: {TURNS} turns a hand, {rounds} rounds"
    )
    print(f"poker_actors is {build}")
    print(report(race(present(CONTESTANTS), rounds)))


if __name__ == "__main__":
    main(sys.argv[1:])
