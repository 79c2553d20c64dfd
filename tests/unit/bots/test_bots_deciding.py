"""What a bot that fails does instead: check, else fold, counted by kind."""

from typing import Any, ClassVar

import attrs
import pytest

from poker_actors.bots import AllIn, BotFault, BotSpec, Faults, SeedTree, decide, fallback, legal_or_fallback
from poker_actors.bots.odds import odds_of
from poker_actors.bots.program.isolated import _decided
from poker_actors.cards import Card, Deck
from poker_actors.rules import (
    GAMES,
    Action,
    Bet,
    BringIn,
    Call,
    Check,
    Discard,
    Fold,
    Hand,
    Lay,
    RaiseTo,
    Stakes,
    View,
)
from poker_actors.sim import simulate
from tests.unit.bots.test_bots_program import turn


def first_turn(stakes: str = "1/2") -> View:
    """Three seats, the button first: 2 to call."""
    hand = Hand([200] * 3, Stakes.parse(stakes), deck=Deck.seeded(1))
    return hand.view(hand.to_act[0])


def big_blind_turn() -> View:
    """The big blind may check."""
    hand = Hand([200] * 3, Stakes(), deck=Deck.seeded(1))
    hand.check_or_call()
    hand.check_or_call()
    return hand.view(hand.to_act[0])


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


def raising(error: BaseException) -> Any:
    def bot(view: View) -> Any:
        raise error

    return bot


@pytest.mark.parametrize("action", [Fold(), Call(), RaiseTo(4), RaiseTo(200)])
def test_a_legal_action_is_taken(action: Any) -> None:
    faults = Faults()
    assert decide(lambda view: action, first_turn(), faults) == action
    assert faults == Faults()


@pytest.mark.parametrize("action", [Check(), RaiseTo(3), RaiseTo(201), Bet(10), RaiseTo(-5)])
def test_an_illegal_action_is_counted_and_folds_when_there_is_something_to_call(action: Any) -> None:
    faults = Faults()
    assert decide(lambda view: action, first_turn(), faults) == Fold()
    assert (faults.illegal, faults.total) == (1, 1)


@pytest.mark.parametrize("action", [Call(), Bet(10), RaiseTo(3)])
def test_an_illegal_action_checks_when_checking_is_free(action: Any) -> None:
    faults = Faults()
    assert decide(lambda view: action, big_blind_turn(), faults) == Check()
    assert faults.illegal == 1


@pytest.mark.parametrize(
    "answer",
    [None, "call", 5, (2, Call()), Call, Unprintable(), RaiseTo("9"), RaiseTo(True), Bet(4.0)],  # type: ignore[arg-type]
)
def test_what_is_no_action_is_counted_as_nonsense(answer: object) -> None:
    faults = Faults()
    assert decide(lambda view: answer, first_turn(), faults) == Fold()  # type: ignore[arg-type,return-value]
    assert (faults.nonsense, faults.total) == (1, 1)
    assert "not an action" in faults.first


@pytest.mark.parametrize(
    "error", [ValueError("bad\nluck"), SystemExit(3), AssertionError(), RecursionError()]
)
def test_a_bot_that_raises_is_counted_and_goes_on(error: BaseException) -> None:
    faults = Faults()
    assert decide(raising(error), first_turn(), faults) == Fold()
    assert (faults.raised, faults.total) == (1, 1)
    assert faults.first.startswith(f"raised {type(error).__name__}")
    assert "\n" not in faults.first


def test_what_stops_a_program_passes_through() -> None:
    with pytest.raises(KeyboardInterrupt):
        decide(raising(KeyboardInterrupt()), first_turn(), Faults())


def test_the_first_fault_is_kept_in_words_and_cut_short() -> None:
    faults = Faults()
    decide(raising(ValueError("x" * 1000)), first_turn(), faults)
    decide(lambda view: Check(), first_turn(), faults)
    assert len(faults.first) == 160
    assert faults.first.startswith("raised ValueError: xxx")


def test_a_late_bot_checks_or_folds() -> None:
    faults = Faults()
    assert faults.was_late(first_turn()) == Fold()
    assert faults.was_late(big_blind_turn()) == Check() == fallback(big_blind_turn())
    assert faults.late == 2


def test_faults_of_two_stretches_add_up_and_the_first_stays_first() -> None:
    one, two = Faults(raised=1, first="early"), Faults(raised=2, illegal=3, nonsense=4, late=5, first="later")
    one.add(two)
    assert one == Faults(raised=3, illegal=3, nonsense=4, late=5, first="early")


def test_an_answer_already_given_is_judged_the_same_way() -> None:
    faults = Faults()
    assert legal_or_fallback(Call(), first_turn(), faults) == Call()
    assert legal_or_fallback(Check(), first_turn(), faults) == Fold()
    assert faults.illegal == 1


def goes_all_in(view: View) -> Any:
    return AllIn() if view.rng.random() < 0.3 else view.legal.passive


def goes_all_in_by_hand(view: View) -> Action:
    if view.rng.random() < 0.3:
        return view.legal.all_in or view.legal.passive
    return view.legal.passive


@pytest.mark.parametrize("driver", ["direct", "stepper", "threads"])
def test_all_in_is_the_action_that_puts_the_stack_in(driver: str) -> None:
    one, other = (
        simulate([bot, "maniac"], hands=30, seed=4, driver=driver)
        for bot in (goes_all_in, goes_all_in_by_hand)
    )
    assert one.digest == other.digest
    assert one.players[0].faults.total == 0
    assert AllIn() == AllIn()
    assert str(AllIn()) == "all_in"


def test_all_in_is_illegal_where_no_action_puts_the_stack_in() -> None:
    result = simulate([lambda view: AllIn(), "caller"], hands=10, seed=4, game="limit-holdem")
    faults = result.players[0].faults
    assert faults.illegal == faults.total > 0
    assert faults.first == "all_in is not possible here"


def test_the_odds_and_the_cage_of_one_that_goes_all_in_are_those_of_the_action() -> None:
    view = turn()
    assert odds_of(lambda view: AllIn()).probabilities(view) == {view.legal.all_in: 1.0}
    assert _decided(lambda view: AllIn(), view) == {"action": str(view.legal.all_in)}
    limited = turn(game="limit-holdem")
    assert _decided(lambda view: AllIn(), limited)["fault"] == "illegal"


# -- what lies about itself --------------------------------------------------------------------------


class Alike(type):
    """A class that is equal to every other."""

    def __eq__(cls, other: object) -> bool:
        return True

    def __hash__(cls) -> int:
        return hash(RaiseTo)


class Unhashable(type):
    def __hash__(cls) -> int:
        raise SystemExit(3)


class Foreign(metaclass=Alike):
    total = 100_000
    amount = 100_000


class Nameless(metaclass=Unhashable):
    @property  # type: ignore[misc]  # on purpose
    def __class__(self) -> Any:
        return RaiseTo

    total = 6


class Growing(RaiseTo):
    """Says more each time it is asked."""

    asked: ClassVar[int] = 0

    def __getattribute__(self, name: str) -> Any:
        if name != "total":
            return super().__getattribute__(name)
        Growing.asked += 1
        return 4 if Growing.asked % 3 else 1_000_000


class Small(int):
    """Is less than every other number."""

    def __lt__(self, other: int) -> bool:
        return True

    def __gt__(self, other: int) -> bool:
        return False


class Ending:
    def __repr__(self) -> str:
        raise SystemExit(3)


class AnAce(int):
    """An ace that is equal to every card."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(Card("2c"))


class Joker(Card):
    """A card of a class of its own that is equal to every card."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = Card.__hash__


class Changing(tuple[Any, ...]):
    """Other cards the second time."""

    def __iter__(self) -> Any:
        return iter((AnAce(51),) * 3)


FOREIGN: list[Any] = [
    Foreign(),
    Nameless(),
    Growing(4),
    RaiseTo(Small(1_000_000)),
    Ending(),
    RaiseTo(Ending()),  # type: ignore[arg-type]  # nonsense on purpose, as all of these
    Bet(Ending()),  # type: ignore[arg-type]
    Discard((AnAce(51),)),  # type: ignore[arg-type]
    Discard((Joker(51),)),
    Discard(Changing([Card("2c")]), 1),
    Discard((), Ending()),  # type: ignore[arg-type]
    Discard([Card("2c")]),  # type: ignore[arg-type]
    Lay((AnAce(51),), (AnAce(51),) * 2, (AnAce(51),) * 2),  # type: ignore[arg-type]
    Lay(Changing(), [], "2c"),  # type: ignore[arg-type]
    *[kind.__new__(kind) for kind in (RaiseTo, Bet, Discard, Lay)],  # without their values
]


@pytest.mark.parametrize("game", ["holdem", "limit-holdem", "five-card-draw", "open-face", "stud"])
@pytest.mark.parametrize("answer", FOREIGN, ids=lambda answer: type(answer).__name__)
def test_what_only_looks_like_an_action_is_a_fault_on_every_driver(answer: Any, game: str) -> None:
    def hostile(view: View) -> Any:
        return answer

    results = [
        simulate([hostile, "random"], hands=8, seed=1, game=game, driver=driver)
        for driver in ("direct", "stepper")
    ]
    first, other = (result.players[0].faults for result in results)
    assert first.by_kind == other.by_kind
    assert first.nonsense + first.illegal == first.total > 3
    assert results[0].digest == results[1].digest
    assert results[0].chips_in == results[0].chips_out


def test_an_action_that_its_bot_writes_to_while_it_is_judged_is_judged_as_it_was_read() -> None:
    hand = Hand([200, 200], Stakes(1, 2), deck=Deck.seeded(1), game=GAMES["limit-holdem"])
    action = RaiseTo(4)
    with pytest.MonkeyPatch.context() as patch:

        def written(*of: Any) -> None:
            object.__setattr__(action, "total", 1_000)

        patch.setattr("poker_actors.rules.legal.Legal._refusal", written)
        hand.act(action)
    assert hand.bet == 4


@pytest.mark.parametrize("game", ["holdem", "limit-holdem", "five-card-draw", "open-face", "stud"])
def test_a_bot_that_writes_to_its_answer_afterwards_changes_nothing(game: str) -> None:
    player, given, seen = BotSpec.parse("random").make(), list[Any](), set[type]()

    def bot(view: View) -> Action:
        answer = attrs.evolve(player(view))  # its own: one of the house may be shared
        given.append(answer)
        return answer

    for number in range(30):
        hand = Hand([200] * 3, GAMES[game].stakes, deck=Deck.seeded(number), game=GAMES[game])
        while hand.to_act:
            faults = Faults()
            action = decide(bot, hand.view(hand.to_act[0], SeedTree(1).stream(number, len(given))), faults)
            said, own = str(given[-1]), given[-1]
            assert faults.total == 0
            for field in attrs.fields(type(own)):
                object.__setattr__(own, field.name, 1_000_000)
            if not attrs.fields(type(own)):
                object.__setattr__(own, "__class__", Check if type(own) is BringIn else BringIn)
            assert str(action) == said
            seen.add(type(action))
            hand.act(action)
    assert len(seen) >= (1 if game == "open-face" else 3)


class Named(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]  # on purpose
        raise SystemExit(3)


class NoName(Exception, metaclass=Named):
    """Its class cannot be named."""


class Disguised(Exception):
    """Says that it is a fault of a kind that there is not."""

    kind = "ejected"

    @property  # type: ignore[misc]  # on purpose
    def __class__(self) -> Any:
        return BotFault


class NoText(Exception):
    def __str__(self) -> str:
        raise SystemExit(3)


class Text(str):
    def split(self, *of: Any) -> Any:
        raise SystemExit(3)


class OddText(BotFault):
    def __str__(self) -> str:
        return Text("x")

    def __format__(self, spec: str) -> str:
        return Text("x")


class NoTrace(Exception):
    @property
    def __traceback__(self) -> Any:  # type: ignore[override]  # on purpose
        return 5


class Odd(BotFault):
    @property
    def kind(self) -> Any:
        raise SystemExit(3)

    @kind.setter
    def kind(self, value: object) -> None: ...


@pytest.mark.parametrize(
    "error",
    [
        *(NoName(), Disguised(), NoText(), NoTrace(), Odd("late", "x")),
        *[BotFault(kind, "x") for kind in ("ejected", "used", "", 5, None, ["late"])],  # type: ignore[arg-type]
    ],
    ids=repr,
)
@pytest.mark.parametrize("where", ["__call__", "hand_started", "hand_over"])
def test_an_exception_that_lies_about_itself_is_counted_as_raised(error: BaseException, where: str) -> None:
    class Hostile:
        def __call__(self, view: View) -> Action:
            return view.legal.passive

        def hand_over(self, end: object) -> None: ...

    def fail(self: Any, *of: object) -> Any:
        raise error

    setattr(Hostile, where, fail)
    for driver in ("direct", "stepper"):
        faults = simulate([Hostile, "caller"], hands=3, seed=1, driver=driver).players[0].faults
        assert faults.raised == faults.total >= 3
        assert faults.first.startswith("raised ")


def test_the_text_of_a_fault_may_be_of_a_class_of_its_own() -> None:
    def hostile(view: View) -> Action:
        raise OddText("late", "x")

    faults = simulate([hostile, "caller"], hands=3, seed=1).players[0].faults
    assert (faults.total, faults.first.partition(" in ")[0]) == (faults.late, "x")


def test_a_fault_is_told_without_what_moves_a_cursor_or_cannot_be_written() -> None:
    def hostile(view: View) -> Action:
        raise ValueError("\x1b[2J\ud800 \u202e\x9b1A won\n  all")

    faults = simulate([hostile, "caller"], hands=3, seed=1).players[0].faults
    assert faults.first == "raised ValueError: ?[2J? ??1A won all"
