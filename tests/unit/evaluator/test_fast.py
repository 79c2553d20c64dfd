"""Arrays of hands by every engine, and the compiled single call."""

from __future__ import annotations

import gc
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import poker_actors
from poker_actors.cards import CARDS
from poker_actors.errors import BadCard, BadInput, BadSpec, DuplicateCard
from poker_actors.evaluator import Category, evaluate, evaluate_omaha, evaluate_short_deck, fast
from poker_actors.evaluator.equity import equity
from poker_actors.evaluator.fast import Engine

np = pytest.importorskip("numpy")
ENGINES: list[Engine] = ["numba", "numpy", "python"]


@pytest.fixture(params=ENGINES)
def using(request: pytest.FixtureRequest) -> Engine:
    if request.param == "numba":
        pytest.importorskip("numba")
    chosen: Engine = request.param
    return chosen


def deals(count: int, size: int, low: int = 0, high: int = 52, seed: int = 1) -> list[list[int]]:
    luck = random.Random(seed * 100 + size)
    return [luck.sample(range(low, high), size) for _ in range(count)]


@pytest.mark.parametrize("size", range(1, 10))
@pytest.mark.parametrize("cards", [52, 54])
def test_every_engine_gives_each_hand_of_an_array_the_strength_evaluate_gives(
    using: Engine, size: int, cards: int
) -> None:
    hands = deals(200, size, high=cards)
    expected = [evaluate(hand) for hand in hands]
    assert list(fast.strengths(hands, using=using)) == expected
    assert list(fast.strengths(hands, using=using, checked=False)) == expected


def test_texts_are_read_at_once_jokers_included(using: Engine) -> None:
    hands = deals(300, 7, high=54)
    texts = ["".join(str(CARDS[card]) for card in hand) for hand in hands]
    expected = [evaluate(hand) for hand in hands]
    assert list(fast.strengths(texts, using=using)) == expected
    assert list(fast.strengths(["As Kd", "Ah"], using=using)) == [evaluate("AsKd"), evaluate("Ah")]
    assert list(fast.strengths(["XnAsXn"], using=using)) == [evaluate("XnAsYn")]


def test_cards_and_unequal_hands_are_taken_too(using: Engine) -> None:
    hands = [(CARDS[3], CARDS[7]), (CARDS[1], CARDS[2])]
    assert list(fast.strengths(hands, using=using)) == [evaluate(hand) for hand in hands]
    assert list(fast.strengths([[3, 7], [1]], using=using)) == [evaluate([3, 7]), evaluate([1])]
    assert len(fast.strengths([], using=using)) == 0


def test_short_deck_arrays_follow_the_short_deck_order(using: Engine) -> None:
    hands = deals(300, 7, low=16)
    assert list(fast.short_deck_strengths(hands, using=using)) == [
        evaluate_short_deck(hand) for hand in hands
    ]
    with pytest.raises(BadSpec, match="hand 1: 2c is not in the short deck"):
        fast.short_deck_strengths([[20, 21], [20, 0]], using=using)


@pytest.mark.parametrize("size", [4, 5, 6])
def test_omaha_arrays_take_two_and_three(using: Engine, size: int) -> None:
    rows = deals(300, size + 5)
    holes, boards = [row[5:] for row in rows], [row[:5] for row in rows]
    expected = [evaluate_omaha(hole, board) for hole, board in zip(holes, boards, strict=True)]
    assert list(fast.omaha_strengths(holes, boards, using=using)) == expected
    free = [row for row in rows if not set(row[5:]) & set(boards[0])]
    assert list(fast.omaha_strengths([row[5:] for row in free], boards[:1], using=using)) == [
        evaluate_omaha(row[5:], boards[0]) for row in free
    ]


@pytest.mark.parametrize("place", [0, 5, 31, 32, 33, 300, 495, 499])
def test_a_fault_in_an_array_is_refused_by_the_number_of_its_hand(using: Engine, place: int) -> None:
    for column, card, error in ((3, None, DuplicateCard), (6, 54, BadCard), (0, 200, BadCard)):
        hands = deals(500, 7)
        hands[place][column] = hands[place][(column + 2) % 7] if card is None else card
        with pytest.raises(error, match=f"hand {place}: "):
            fast.strengths(hands if using == "python" else np.array(hands, dtype=np.uint8), using=using)


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        (["AsKd", "10c"], "hand 1: '10c' is not a card"),
        (["AsAs"], "hand 0: As is given twice"),
        (["XnYnXn"], "hand 0: a third joker"),
        (["asKd"], "hand 0: 'as' is not a card"),
        (["AsK\u00e9"], "hand 0: 'K\u00e9' is not a card"),
        ([[1, 2], [1, -3]], "hand 1: -3 is not a card"),
        ([list(range(10))], "10 cards (is|are) too long"),
    ],
)
def test_wrong_hands_are_refused_alike_by_every_engine(using: Engine, hands: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        fast.strengths(hands, using=using)


@pytest.mark.parametrize(
    ("holes", "boards", "message"),
    [
        (["AsKsQsJs"], ["AsKdQdJd2c"], "hand 0: As is both in the hand and on the board"),
        (["AsKsQsXn"], ["AdKdQdJd2c"], "hand 0: Xn cannot be in an Omaha hand"),
        (["AsKsQs"], ["AdKdQdJd2c"], "3 hole cards are not an Omaha hand"),
        (["AsKsQsJs"], ["AdKdQdJd"], "of 4 cards cannot be evaluated at once"),
        (["AsKsQsJs"] * 3, ["AdKdQdJd2c"] * 2, "2 boards for 3 hands"),
    ],
)
def test_wrong_omaha_hands_are_refused_alike(
    using: Engine, holes: list[str], boards: list[str], message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        fast.omaha_strengths(holes, boards, using=using)


def test_categories_of_an_array_are_those_of_its_strengths(using: Engine) -> None:
    hands = deals(200, 7)
    found = fast.categories(fast.strengths(hands, using=using))
    assert [Category(int(kind)) for kind in found] == [Category(evaluate(hand) >> 12) for hand in hands]


SEVEN_CARD_HANDS = {
    Category.STRAIGHT_FLUSH: 41_584,
    Category.FOUR_OF_A_KIND: 224_848,
    Category.FULL_HOUSE: 3_473_184,
    Category.FLUSH: 4_047_644,
    Category.STRAIGHT: 6_180_020,
    Category.THREE_OF_A_KIND: 6_461_620,
    Category.TWO_PAIR: 31_433_400,
    Category.PAIR: 58_627_800,
    Category.HIGH_CARD: 23_294_460,
}


def test_all_133784560_hands_of_seven_cards_fall_into_the_known_categories() -> None:
    assert fast.category_frequencies(7, using="python") == SEVEN_CARD_HANDS


def test_walking_through_every_seven_card_hand_counts_what_counting_by_ranks_does() -> None:
    pytest.importorskip("numba")
    assert fast.frequencies(7, using="numba") == fast.frequencies(7, using="python")
    assert len(fast.frequencies(7)) == 4824


def test_all_2598960_hands_of_five_cards_fall_into_the_known_categories() -> None:
    assert list(fast.category_frequencies(5).values()) == [
        40, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540,
    ]  # fmt: skip
    assert len(fast.frequencies(5)) == 7462


@pytest.fixture
def compiled() -> Callable[..., int]:
    pytest.importorskip("numba")
    function = fast.fast_evaluate()
    assert function is not evaluate, "the compiled call did not prove itself"
    return function


@pytest.mark.parametrize("size", range(1, 10))
def test_the_compiled_call_gives_what_evaluate_gives(compiled: Callable[..., int], size: int) -> None:
    for hand in deals(200, size, high=54):
        expected = evaluate(hand)
        assert compiled(hand) == compiled(tuple(hand)) == compiled([CARDS[card] for card in hand]) == expected


class Number(int):
    """A number that is not an object the compiled call has seen."""


def test_the_compiled_call_knows_a_card_by_its_number_when_it_does_not_know_the_object(
    compiled: Callable[..., int],
) -> None:
    kinds: list[Callable[[int], int]] = [int, Number, CARDS.__getitem__]
    for hand in deals(200, 7):
        mixed = [kinds[place % 3](card) for place, card in enumerate(hand)]
        assert compiled(mixed) == compiled(tuple(mixed)) == evaluate(hand)
        with pytest.raises(DuplicateCard):
            compiled([*mixed[:6], Number(mixed[0])])


@pytest.mark.parametrize(
    "wrong",
    [[1, 2, 3, 4, 5, 5, 6], [1, 2, 3, 4, -60], [1, 2, 3, 4, 60], "AsAs", [1, 2, "x", 3, 4], (None,) * 7],
)
def test_the_compiled_call_refuses_what_evaluate_refuses(compiled: Callable[..., int], wrong: Any) -> None:
    with pytest.raises(BadInput) as theirs:
        evaluate(wrong)
    with pytest.raises(BadInput) as ours:
        compiled(wrong)
    assert (type(ours.value), str(ours.value)) == (type(theirs.value), str(theirs.value))


def test_the_compiled_call_leaks_no_reference(compiled: Callable[..., int]) -> None:
    hand = [CARDS[card] for card in range(0, 49, 7)]

    def counted() -> list[int]:
        gc.collect()  # what other tests have left holds None as well
        return [sys.getrefcount(item) for item in (hand, hand[0], "AsKs", None)]

    gc.collect()
    gc.freeze()
    before = counted()
    for _ in range(300):
        compiled(hand)
        compiled("AsKs")
        with pytest.raises(TypeError):
            compiled(None)
    assert all(abs(a - b) < 150 for a, b in zip(counted(), before, strict=True))


def test_importing_the_evaluator_loads_neither_numpy_nor_numba() -> None:
    code = (
        "import sys, poker_actors.evaluator, poker_actors.evaluator.fast, poker_actors.evaluator.equity;"
        "poker_actors.evaluator.evaluate('AsKsQsJsTs');"
        "print([name for name in ('numpy', 'numba') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize(("missing", "left"), [(["numba"], "numpy"), (["numpy", "numba"], "python")])
def test_without_numba_or_numpy_the_answers_are_the_same(missing: list[str], left: str) -> None:
    code = f"""
import sys
for name in {missing}:
    sys.modules[name] = None
from poker_actors.evaluator import evaluate, fast
from poker_actors.evaluator.equity import equity
print(fast.engine(), fast.fast_evaluate() is evaluate)
print(list(map(int, fast.strengths(["AhKhQhJhTh", "AsXnKdKcQh"]))) == [evaluate("AhKhQhJhTh"), evaluate("AsXnKdKcQh")])
print(round(equity(["AsKs", "QhQd"]).players[0].share, 6), equity(["AsKs", "QhQd"], trials=500).players[0].win)
try:
    fast.strengths([[1]], using={missing[0]!r})
except ImportError as error:
    print(error)
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = shown.stdout.splitlines()
    assert lines[:2] == [f"{left} True", "True"]
    assert lines[2] == f"0.462145 {equity(['AsKs', 'QhQd'], trials=500).players[0].win}"
    assert lines[3].startswith(f"{missing[0]} is not installed: it comes with the extra [fast]")


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | environment,
    )


def test_compiling_is_said_once_and_loading_what_was_compiled_is_not(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    code = "from poker_actors.evaluator import fast; fast.short_deck_strengths([[20]], using='numba')"
    first, second = (at_a_terminal(code, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert first.splitlines() == ["compiling poker_actors for this machine (once; it can take half a minute)"]
    assert second == ""
    assert run(code, NUMBA_CACHE_DIR=str(tmp_path / "other")).stderr == "", "which a program may read"


def at_a_terminal(code: str, **environment: str) -> str:
    """Run code whose stderr is a terminal; return what it wrote there."""
    try:
        ours, theirs = os.openpty()
    except OSError as error:
        pytest.skip(f"no pty devices: {error}")
    subprocess.run([sys.executable, "-c", code], stderr=theirs, check=True, env=os.environ | environment)
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # a terminal ends with an error where a pipe just ends
        while piece := os.read(ours, 4_096):
            shown += piece
    os.close(ours)
    return shown.decode()


def test_compiling_a_function_of_a_users_own_is_not_announced_as_ours(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    code = """
import numba
from poker_actors.evaluator.fast import compiling
print(numba.njit(lambda x: x + 1)(1))
"""
    shown = run(code, NUMBA_CACHE_DIR=str(tmp_path))
    assert (shown.stdout, shown.stderr) == ("2\n", "")


def test_an_interrupt_while_llvm_calls_back_is_not_lost(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    code = """
import signal
import numba
from numba.core.codegen import JITCodeLibrary
from poker_actors.evaluator.fast import compiling

def end(*_):
    raise KeyboardInterrupt

def called_back(*given, hook=JITCodeLibrary._object_compiled_hook, interrupts=[signal.SIGTERM]):
    while interrupts:
        signal.raise_signal(interrupts.pop())
    return hook(*given)

signal.signal(signal.SIGTERM, end)
JITCodeLibrary._object_compiled_hook = called_back
try:
    print(numba.njit(lambda x: x + 1)(1))
except KeyboardInterrupt:
    print("interrupted", signal.getsignal(signal.SIGTERM) is end)
"""
    shown = run(code, NUMBA_CACHE_DIR=str(tmp_path))
    assert (shown.stdout, shown.stderr) == ("interrupted True\n", "")


def test_small_jobs_never_load_what_has_to_be_compiled_and_large_ones_do() -> None:
    pytest.importorskip("numba")
    code = """
import sys
from poker_actors.evaluator import fast
from poker_actors.evaluator.equity import equity
fast.strengths([[1, 2, 3, 4, 5, 6, 7]] * 1000)
fast.short_deck_strengths([[20, 21]])
fast.omaha_strengths(["AsKsQsJs"], ["AdKdQdJd2c"])
equity(["AsKs", "QhQd"], "2c3c4c")
equity(["AsKs", "QhQd"], trials=1000)
print("numba" in sys.modules)
for _ in range(10):
    fast.strengths([[1, 2, 3, 4, 5, 6, 7]] * 30_000)
print("numba" in sys.modules)
"""
    assert run(code).stdout.split() == ["False", "True"]


def test_an_engine_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadSpec, match="engine 'cuda' must be one of"):
        fast.strengths([[1]], using="cuda")  # type: ignore[arg-type]


def test_code_compiled_from_other_sources_is_forgotten_and_code_from_these_is_kept(tmp_path: Path) -> None:
    compiling = pytest.importorskip("poker_actors.evaluator.fast.compiling")
    forget = compiling._forget_older.__wrapped__
    (tmp_path / "kernels.rank-7.py311.nbi").write_bytes(b"of unknown sources")
    forget(tmp_path)
    assert not list(tmp_path.glob("*.nbi"))
    (tmp_path / "kernels.rank-7.py311.nbi").write_bytes(b"of these")
    forget(tmp_path)
    assert list(tmp_path.glob("*.nbi"))
    (tmp_path / "sources.txt").write_text("others")
    forget(tmp_path)
    assert not list(tmp_path.glob("*.nbi"))


def test_sources_are_other_sources_once_a_file_of_any_part_with_compiled_code_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiling = pytest.importorskip("poker_actors.evaluator.fast.compiling")
    package = Path(poker_actors.__file__).parent
    with_code = [
        path
        for path in package.rglob("*.py")
        if re.search(r"^@(compiled|numba\.njit)", path.read_text(), re.M)
    ]
    assert len(with_code) > 10
    read_by_it = [package / "rules" / "game.py"]
    copies = [tmp_path / "poker_actors" / path.relative_to(package) for path in [*with_code, *read_by_it]]
    for copy in copies:
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.touch()
    monkeypatch.setattr(
        compiling, "__file__", tmp_path / Path(compiling.__file__).relative_to(package.parent)
    )
    seen = {compiling._sources.__wrapped__()}
    for later, copy in enumerate(copies, start=1):
        os.utime(copy, (later, later))
        seen.add(compiling._sources.__wrapped__())
    assert len(seen) == len(copies) + 1, "a file changed and code compiled from it would have been kept"
