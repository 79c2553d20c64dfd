"""The session: stepping, breakpoints, watches, looking, forking."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from poker_actors import Stepper
from poker_actors.actors import Room, Table, runtime
from poker_actors.actors.messages import Deal
from poker_actors.cards import Deck, parse_cards
from poker_actors.debug import Script, Step
from poker_actors.debug.asking import next_words
from poker_actors.debug.session import Playback
from poker_actors.errors import BadHistory, BadSpec, Discrepancy, IllegalAction
from poker_actors.history import parse, replay
from poker_actors.rules import Action, Bet, Call, Check, Fold, RaiseTo, Stakes, View
from poker_actors.rules.cash import CashOptions, Rake
from poker_actors.sim import Match, play_hand

BOTS = ["tight", "caller", "random"]


def calls(view: View) -> Action:
    return Call() if view.to_call else Check()


@pytest.mark.parametrize("number", [0, 1, 7])
def test_a_session_plays_the_hand_that_simulate_plays(number: int) -> None:
    hand, _ = play_hand(Match.of(BOTS, hands=10, seed=5), number)
    with Stepper(bots=BOTS, seed=5, hand=number) as stepper:
        stepper.run()
        played = stepper.hand
        assert played is not None
        assert (played.cards, played.button, played.log, played.payoffs) == (
            hand.cards,
            hand.button,
            hand.log,
            hand.payoffs,
        )


def test_several_hands_with_unequal_stacks_are_those_of_the_match() -> None:
    match = Match.of(BOTS, hands=4, seed=5, stacks=[200, 90, 40])
    with Stepper(bots=BOTS, seed=5, hands=4, stacks=[200, 90, 40]) as stepper:
        logs: list[list[int]] = []
        while not stepper.over:
            stepper.step_hand()
            hand = stepper.hand
            assert hand is not None
            if not logs or hand.log != logs[-1]:
                logs.append(hand.log)
    assert logs == [play_hand(match, number)[0].log for number in range(4)]


def test_the_viewpoint_is_taken_by_its_old_name_for_one_more_release() -> None:
    with pytest.warns(DeprecationWarning, match="viewpoint"), Stepper(seed=7, eyes="seat 2") as stepper:
        assert str(stepper.viewpoint) == str(stepper.eyes) == "seat 2"


def test_a_step_delivers_what_peek_shows() -> None:
    with Stepper(seed=7) as stepper:
        while (following := stepper.peek()) is not None:
            step = stepper.step()
            assert step is not None
            assert (step.delivery.receiver, type(step.delivery.message)) == (
                following.receiver,
                type(following.message),
            )
        assert stepper.step() is None
        assert stepper.over


def test_what_a_handler_asks_is_inside_its_step() -> None:
    with Stepper(seed=7) as stepper:
        step = stepper.step()
        assert step is not None
        assert [(one.depth, type(one.delivery.message).__name__) for one in step.handled] == [
            (0, "Deal"),
            (1, "Escrow"),
        ]


def test_action_street_and_hand_stop_where_they_say() -> None:
    with Stepper(bots=[calls, calls], seed=3) as stepper:
        step = stepper.step_action()
        assert step is not None
        assert stepper.names()["actions"] == 1
        assert stepper.step_street() == "flop"
        assert stepper.names()["board"].count(" ") == 2
        assert stepper.step_street() == "turn"
        stepper.step_hand()
        assert stepper.names()["over"]


def test_breakpoints_stop_a_run_and_can_be_cleared() -> None:
    with Stepper(bots=[calls] * 3, seed=3) as stepper:
        first = stepper.break_on("street flop")
        assert stepper.run() == first
        assert stepper.names()["street"] == "flop"
        stepper.clear(first.number)
        stepper.goto(0)
        stepper.break_on("pot 6")
        assert stepper.run() is not None
        assert stepper.names()["pot"] >= 6
        stepper.clear()
        assert stepper.run() is None
        assert stepper.over


@pytest.mark.parametrize(
    ("condition", "check"),
    [
        (
            "actor bank",
            lambda stepper: stepper.steps[stepper.position - 1].handled[-1].delivery.receiver == "bank",
        ),
        ("message Act", lambda stepper: stepper.names()["actions"] == 1),
        ("seat 1", lambda stepper: stepper.names()["active"] == 1),
        ("step 9", lambda stepper: stepper.position == 9),
        ("len(board) > 0 and pot > 2", lambda stepper: stepper.names()["board"] != ""),
    ],
)
def test_each_kind_of_breakpoint_stops_where_it_is_true(condition: str, check: Any) -> None:
    with Stepper(bots=[calls] * 3, seed=3) as stepper:
        assert stepper.break_on(condition) == stepper.run()
        assert check(stepper)


def test_a_predicate_is_a_breakpoint() -> None:
    with Stepper(seed=7) as stepper:
        stepper.break_on(lambda session, step: session.position == 5)
        stepper.run()
        assert stepper.position == 5


def test_an_expression_breakpoint_stops_when_it_becomes_true_and_not_at_every_step() -> None:
    with Stepper(bots=[calls] * 3, seed=3) as stepper:
        stepper.break_on("pot > 3")
        stepper.run()
        stepper.run()
        assert stepper.over


@pytest.mark.parametrize(
    "text", ["", "message Nothing", "().__class__", "pot.real", "9**9", "nothing > 1", "pot >"]
)
def test_a_breakpoint_that_cannot_be_is_refused(text: str) -> None:
    with Stepper(seed=7) as stepper, pytest.raises(BadSpec):
        stepper.break_on(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("street fourth", "holdem has preflop, flop, turn, river, showdown"),
        ("seat 6", "seats are 0 to 1"),
        ("edge seat 2 if pot > 3", "seats are 0 to 1"),
        ("pot 401", "all stacks add up to 400"),
        ("step 0", "steps are counted from 1"),
        ("step 1000001", "steps are counted from 1, and a session has at most 1000000"),
    ],
)
def test_a_condition_that_can_never_be_true_is_refused_with_what_can(text: str, why: str) -> None:
    with Stepper(bots=["caller", "caller"], seed=7, stacks=200) as stepper:
        with pytest.raises(BadSpec, match=f"can never be true: {why}"):
            stepper.break_on(text)
        for possible in ("street showdown", "seat 1", "pot 400", "step 1"):
            stepper.break_on(possible)


def test_watches_keep_their_expression() -> None:
    with Stepper(seed=7) as stepper:
        stepper.step()
        assert stepper.watch("stacks[2] + bets[2]") == 200
        assert stepper.watches == ["stacks[2] + bets[2]"]
        with pytest.raises(BadSpec, match="no value is called 'nonsense'"):
            stepper.watch("nonsense")


def test_an_actor_shows_its_state_its_mailbox_and_who_waits_for_it() -> None:
    with Stepper(seed=7) as stepper:
        shown = stepper.inspect("table main")
        assert [one["type"] for one in shown["mailbox"]] == ["Deal"]
        assert shown["replies"] == ["Deal"]
        stepper.step()
        assert stepper.inspect("table main")["playing"] == "main/hand-000000000"
        with pytest.raises(BadSpec, match="no actor 'nobody'"):
            stepper.inspect("nobody")


def test_the_difference_between_two_steps_names_each_leaf() -> None:
    with Stepper(bots=[calls] * 3, seed=3) as stepper:
        step = stepper.step_action()
        assert step is not None
        found = {one.path[-1]: (one.before, one.after) for one in stepper.diff(step.number, step.number + 1)}
        assert found["pot"] == (3, 5)
        assert found["seq"] == (0, 1)
        assert stepper.diff(4, 4) == []


def test_a_fork_takes_another_action_and_the_session_stays() -> None:
    with Stepper(seed=7) as stepper:
        while type(getattr(stepper.peek(), "message", None)).__name__ != "Act":
            stepper.step()
        before = stepper.hash()
        with stepper.fork("fold") as other:
            other.step()
            assert other.hand is not None
            assert other.hand.public().actions[0].action == Fold()
        assert stepper.hash() == before
        with pytest.raises(IllegalAction, match="below the minimum"):
            stepper.fork(RaiseTo(3))
        with pytest.raises(IllegalAction):
            stepper.fork(Bet(10))


def test_a_fork_takes_another_deck_before_the_deal_and_other_cards_after_it() -> None:
    with Stepper(bots=[calls] * 3, seed=3) as stepper:
        with stepper.fork(deck=Deck.stacked(["AsAh", "KsKh", "QsQh"], "2c3d4h5s7c")) as other:
            other.run()
            assert other.hand is not None
            assert other.hand.holes[0] == parse_cards("AsAh")
        stepper.step_action()
        hand = stepper.hand
        assert hand is not None
        dealt = [card for hole in hand.holes for card in hole]
        board = tuple(card for card in Deck.stacked([]).draw(52) if card not in dealt)[:5]
        with stepper.fork(cards=board) as other:
            other.run()
            assert other.hand is not None
            assert other.hand.board == board
        with pytest.raises(BadSpec, match="already been dealt"):
            stepper.fork(cards=dealt[:1])
        with stepper.fork(deck=99) as other:
            other.run()
            assert other.hand is not None
            assert other.hand.holes == hand.holes
            assert isinstance(stepper.script, Script)
            assert other.hand.board != stepper.script.deck(0).draw(11)[6:]


def test_a_fork_delivers_another_message_first() -> None:
    with Stepper(seed=7) as stepper:
        stepper.step()
        with stepper.fork(place=3) as other:
            step = other.step()
            assert step is not None
            assert step.delivery.receiver == stepper.pending[3].receiver == "player caller"
        with pytest.raises(BadSpec, match="cannot come next"):
            stepper.fork(place=99)


def test_a_bot_with_luck_of_its_own_is_found_out() -> None:
    calls_made = []

    def fickle(view: View) -> Action:
        calls_made.append(view)
        return Fold() if len(calls_made) > 1 else calls(view)

    with Stepper(bots=[fickle, calls, calls], seed=3) as stepper:
        stepper.run()
        there = stepper.hash()
        stepper.goto(0)
        stepper.run()
        assert stepper.hash() == there  # what was answered is not asked again
        stepper.goto(12)
        with pytest.raises(
            Discrepancy, match=r"cannot be repeated: bot fickle \(seat 0, .*test_debug_stepper.py:\d+\)"
        ):
            stepper.fork(cards="As").run()


def test_going_forward_over_known_steps_plays_one_hand_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    with Stepper(seed=7, hands=6) as stepper:
        stepper.run()
        end = stepper.position - 5
        stepper.goto(end)
        there = stepper.hash()
        stepper.goto(0)
        made: list[int] = []
        advance = Playback.advance

        def counted(playback: Playback) -> Step | None:
            made.append(playback.position)
            return advance(playback)

        monkeypatch.setattr(Playback, "advance", counted)
        assert stepper.goto(end) == end
        assert stepper.hash() == there
        assert 0 < len(made) < end / 3


def test_going_to_where_nobody_can_be_is_refused() -> None:
    with Stepper(seed=7) as stepper:
        assert stepper.goto(10**6) == len(stepper.steps)
        for going in (lambda: stepper.goto(-1), lambda: stepper.back(-1), lambda: stepper.state_at(10**6)):
            with pytest.raises(BadSpec):
                going()


@pytest.mark.parametrize(
    "settings",
    [
        {"seed": "7"},
        {"bots": ["caller"]},
        {"stacks": "x"},
        {"stacks": [1, 2]},
        {"hand": -1},
        {"hands": 0},
        {"viewpoint": "seat 6"},
        {"viewpoint": "all"},
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(BadSpec):
        Stepper(**settings)


PHH = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 200]
actions = ["d dh p1 AsKd", "d dh p2 ????", "d dh p3 QcQd", "p3 cbr 6", "p1 cc", "p2 f", "d db 2c3d4h", "p1 cbr 10", "p3 f"]
"""


def test_a_recorded_hand_is_played_by_the_actors_as_it_was() -> None:
    (history,) = parse(PHH)
    with Stepper(Script.of_history(history)) as stepper:
        stepper.run()
        hand = stepper.hand
        assert hand is not None
        assert [str(taken.action) for taken in hand.public().actions] == [
            "raise_to 6",
            "call",
            "fold",
            "bet 10",
            "fold",
        ]
        assert hand.payoffs == (8, -2, -6)
        assert hand.board[:3] == parse_cards("2c3d4h")


def test_a_recorded_hand_with_the_big_blinds_ante_is_played_and_one_with_a_dead_blind_refused() -> None:
    (history,) = parse(PHH.replace("antes = [0, 0, 0]", "antes = [0, 2, 0]"))
    with Stepper(Script.of_history(history)) as stepper:
        stepper.run()
        hand = stepper.hand
        assert hand is not None
        assert (hand.payoffs, hand.stakes.big_blind_ante) == (replay(history).payoffs, 2)
    (history,) = parse(PHH.replace("[1, 2, 0]", "[1, 2, -2]"))
    with pytest.raises(BadHistory, match="this hand has other posts"):
        Script.of_history(history)


def test_a_recorded_hand_whose_unknown_cards_decide_is_refused() -> None:
    (history,) = parse(
        PHH.replace('"p2 f"', '"p2 cc"').replace(
            ', "p1 cbr 10", "p3 f"]',
            ', "p1 cc", "p2 cc", "p3 cc", "d db 5c", "p1 cc", "p2 cc", "p3 cc", "d db 6c", "p1 cc", "p2 cc", "p3 cc"]',
        )
    )
    with pytest.raises(BadHistory, match="unknown cards decide"):
        Script.of_history(history)


@pytest.mark.parametrize("game", ["omaha", "limit-holdem", "short-deck", "five-card"])
def test_every_game_is_played_as_simulate_plays_it(game: str) -> None:
    bots = ["cpu-seed", "cpu-fair"] if game == "five-card" else BOTS
    hand, _ = play_hand(Match.of(bots, hands=5, seed=3, game=game), 2)
    with Stepper(bots=bots, seed=3, hand=2, game=game) as stepper:
        stepper.run()
        played = stepper.hand
        assert played is not None
        assert (played.cards, played.log, played.payoffs) == (hand.cards, hand.log, hand.payoffs)


def test_antes_straddles_and_rake_are_those_of_simulate_and_of_a_trace() -> None:
    stakes, rake = Stakes(1, 2, ante=1, straddle=4), Rake.parse("10%/3")
    hand, _ = play_hand(Match.of(BOTS, hands=5, seed=3, stakes=stakes, options=CashOptions(rake)), 2)
    script = Script.of(BOTS, seed=3, hand=2, stakes=stakes, rake=rake)
    with Stepper(Script.from_dict(json.loads(json.dumps(script.to_dict())))) as stepper:
        stepper.run()
        played = stepper.hand
        assert played is not None
        assert played.rake > 0
        assert (played.cards, played.log, played.payoffs) == (hand.cards, hand.log, hand.payoffs)


@pytest.mark.parametrize("number", [0, 3, 4, 13])
def test_a_hand_of_a_rotation_is_played_as_simulate_plays_it(number: int) -> None:
    match = Match.of(BOTS, hands=20, seed=5, game="8-game")
    hand, _ = play_hand(match, number)
    with Stepper(bots=BOTS, seed=5, hand=number, game="8-game") as stepper:
        stepper.run()
        played = stepper.hand
        assert played is not None
        assert (played.game, played.stakes) == match.played(number)
        assert (played.cards, played.log, played.payoffs) == (hand.cards, hand.log, hand.payoffs)


def test_several_hands_of_a_rotation_are_refused_by_name() -> None:
    with pytest.raises(BadSpec, match="2 hands of horse: the debugger opens a rotation hand by hand"):
        Script.of(BOTS, hands=2, game="horse")


def stumbling(_: Room, table: Table, deal: Deal) -> Iterator[tuple[runtime.Address, object]]:
    """Deals its first hand, and fails after that."""
    if table.state().number:
        raise ValueError("the dealer stumbles")
    yield table.address, deal


def no_scene(room: Room, table: Table, deal: Deal) -> list[int]:
    return [5]


def test_a_scene_that_fails_ends_the_session_early_and_says_where() -> None:
    scene = f"{__name__}:{stumbling.__name__}"
    with Stepper(Script.of(["caller", "caller"], seed=7, hands=2, scene=scene)) as stepper:
        stepper.run()
        (last,) = next_words(stepper, stepper.names())
    assert (
        f"ended early, after {stepper.position} messages: scene {scene} failed: ValueError: the dealer"
        in last
    )
    assert re.search(r"stumbles \(.*test_debug_stepper\.py:\d+\)$", last)
    assert stepper.hand is not None
    assert stepper.hand.over


@pytest.mark.parametrize(
    ("scene", "why"), [(no_scene, "cannot unpack"), (calls, "takes 1 positional argument but 3 were given")]
)
def test_a_function_that_is_no_scene_is_refused(scene: Callable[..., object], why: str) -> None:
    place = f"{__name__}:{scene.__name__}"
    with pytest.raises(BadSpec, match=rf"scene {place} failed: TypeError: .*{why}"):
        Stepper(Script.of(["caller", "caller"], seed=7, scene=place))
