"""The referee's own rules of betting and dealing are needed: with any of them changed it parts from the rules.

A mutation is a change of the source of `betting.py` or `dealing.py`. Random hands of a game, which the referee finds
nothing in, are judged by what it becomes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from types import ModuleType

import attrs
import pytest

from poker_actors.history.refereed import facts_of, sheet_of, sitting_of
from poker_actors.referee import Fact, Sheet, Sitting, Verdict, betting, dealing, judge, referee
from tests.oracles.referee_hands import deal, flaws

MOST = 600
"""Hands in which a mutation must be seen; most are in the first ten."""

BETTING = [
    ("holdem", "(seat - after - 1) % size", "(after - seat - 1) % size"),
    ("holdem", "if sitting.bomb:", "if False:"),
    ("holdem", "if sitting.owed is not None:", "if False:"),
    ("holdem", "(dealt[1], dealt[0]) if len(dealt) == 2 else (dealt[0], dealt[1])", "(dealt[0], dealt[1])"),
    ("holdem", "before = sitting.small if left == small else 0", "before = 0"),
    ("holdem", 'kind in ("big blind ante", "dead blind")', 'kind == "big blind ante"'),
    ("holdem", 'kind in ("big blind ante", "dead blind")', 'kind == "dead blind"'),
    ("stud", "self.front[seat] -= chips", "pass"),
    ("holdem", "self.front[seat] - max(", "self.put_in[seat] - max("),
    ("limit-holdem", 'sheet.streets[street].bet_units if sheet.limit == "fixed-limit" else 1', "1"),
    ("holdem", "self.level = max(self.level, whole[owed.seat])", "self.level = max(self.level, paid)"),
    ("holdem", "self.step = max(self.step, whole[owed.seat])", "pass"),
    ("omaha", "self.missing += owed.chips - paid", "pass"),
    ("limit-holdem", "max(1, self.level // self.bet) if self.level else 0", "0"),
    ("omaha", "self.missing += self.sitting.small", "pass"),
    ("stud", "self.level, self.completes = chips, True", "self.level, self.completes = chips, False"),
    ("stud", "self.bring_in = chips if by_choice else 0", "self.bring_in = 0"),
    ("holdem", "[seat for seat in order if self.chips.behind[seat] > 0]", "list(order)"),
    ("holdem", "self.owed(seat) > 0 or len(self.chips.able) > 1", "True"),
    ("holdem", "if chips.able in ([], [seat]):", "if False:"),
    ("holdem", "if behind > owed and self.may_raise(seat):", "if self.may_raise(seat):"),
    ("holdem", "least = min(self.whole, most)", "least = self.whole"),
    ("limit-holdem", "return self.counted + self.bet", "return self.level + self.bet"),
    ("five-card", "if self.sheet.any_raise:", "if False:"),
    ("holdem", "if not [other for other in self.chips.able if other != seat]:", "if False:"),
    ("limit-holdem", "self.bets >= self.sheet.cap:\n            return False", "False:\n            return False"),
    ("five-card", "if seat not in self.acted:", "if False:"),
    ("five-card", "if not self.sheet.raise_again:", "if False:"),
    ("holdem", "seat not in self.faced or self._enough(self.level - self.faced[seat])", "True"),
    ("holdem", "seat not in self.faced or self._enough(self.level - self.faced[seat])", "seat not in self.faced"),
    ("limit-holdem", "2 * faced >= self.bet if", "faced >= self.bet if"),
    ("five-card", "if self.sheet.covered:", "if False:"),
    ("omaha", "by = chips.pot + self.missing + self.owed(seat)", "by = chips.pot + self.missing"),
    ("limit-holdem", "2 * (total - self.counted) >= self.bet", "2 * (total - self.counted) > self.bet"),
    ("stud", "if whole or (self.completes and not self.bets):", "if whole:"),
    ("limit-holdem", "self.counted, self.bets = total, self.bets + 1", "self.counted = total"),
    ("holdem", "self.faced[seat] = self.level", "self.faced[seat] = 0"),
]  # fmt: skip
DEALING = [
    ("stud", "each * len(self.chips.live) > left", "False"),
    ("stud", "self._board_due += 1 if short else street.board", "self._board_due += street.board"),
    ("pineapple", "if not draws:", "if False:"),
    ("badugi", "*self.last_thrown, *", "*"),
    ("stud", 'highest=first == "high card"', 'highest=first == "low card"'),
    ("stud", 'low=first == "low hand"', 'low=first == "high hand"'),
    ("razz", 'low=first == "low hand"', 'low=first == "high hand"'),
    ("holdem", "[: self._board_due - len(run)]", "[:0]"),
    ("holdem", "{*self.sitting.declined} & {*self.chips.live}", "set()"),
]


def change(module: ModuleType, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the functions and methods of a changed source in place of those that a referee uses."""
    source = inspect.getsource(module)
    assert source.count(old) == 1, f"{old} is no longer in {module.__name__}, or there more than once"
    changed = dict(vars(module))
    exec(compile(source.replace(old, new), module.__file__ or "", "exec"), changed)
    for name, value in vars(module).copy().items():
        if inspect.isclass(value) and value.__module__ == module.__name__:
            # what the changed functions make is of the class that is there: values of another are never equal
            other, changed[name] = changed[name], value
            for member, inner in vars(other).items():
                if inspect.isfunction(inner) or isinstance(inner, property):
                    monkeypatch.setattr(value, member, inner)
        elif inspect.isfunction(value) and value.__module__ == module.__name__:
            for user in (module, referee):
                monkeypatch.setattr(user, name, changed[name], raising=False)


@pytest.mark.parametrize(
    ("module", "game", "old", "new"),
    [*((betting, *one) for one in BETTING), *((dealing, *one) for one in DEALING)],
    ids=[f"{game}: {old[:40]} -> {new[:30]}" for game, old, new in (*BETTING, *DEALING)],
)
def test_a_referee_with_another_rule_parts_from_the_rules(
    module: ModuleType, game: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not any(found_in(game, range(3)))
    change(module, old, new, monkeypatch)
    assert parts(game)


@pytest.mark.parametrize("module", [betting, dealing])
def test_a_referee_with_the_same_rules_does_not_part_from_the_rules(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(
        module,
        "from __future__ import annotations",
        "from __future__ import annotations  # again",
        monkeypatch,
    )
    assert not [game for game in ("holdem", "stud", "badugi") if next(flaws(game, range(20)), None)]


@cache
def told(game: str, number: int) -> tuple[Sheet, Sitting, tuple[Fact, ...]]:
    """What a referee is told of a hand: the same of each mutation of what is made of it."""
    hand = deal(game, number)
    return sheet_of(hand.game), sitting_of(hand), tuple(facts_of(hand))


def found_in(game: str, numbers: Iterable[int]) -> Iterator[Sequence[Verdict]]:
    return (judge(*told(game, number)) for number in numbers)


def parts(game: str) -> bool:
    """Tell whether the referee finds fault with a hand, or fails at one."""
    try:
        return any(found_in(game, range(MOST)))
    except (ValueError, IndexError, KeyError, TypeError, AttributeError):
        return True


# -- what no right hand comes to: a fault planted in one, or words left out of its record --------

Planted = tuple[Sheet, Sitting, list[Fact], int | None]
"""A hand, and the number of the fact that is wrong in it; None if none is."""


def hand_of(game: str, fits: Callable[[list[Fact]], bool]) -> tuple[Sheet, Sitting, list[Fact]]:
    """Return the first of the random hands of a game whose facts fit."""
    hands = (deal(game, number) for number in range(MOST))
    hand = next(hand for hand in hands if fits(facts_of(hand)))
    return sheet_of(hand.game), sitting_of(hand), facts_of(hand)


def places(facts: list[Fact], what: str) -> list[int]:
    return [place for place, fact in enumerate(facts) if fact.what == what]


def reshuffled(facts: list[Fact]) -> bool:
    return any(fact.what == "reshuffle" for fact in facts) and _thrown_and_dealt_again(facts) is not None


def _thrown_and_dealt_again(facts: list[Fact]) -> tuple[int, Fact] | None:
    """Return where a seat is dealt cards after a reshuffle, and what it threw away in an earlier draw."""
    first = places(facts, "reshuffle")[0]
    for place in range(first + 1, len(facts)):
        fact = facts[place]
        if fact.what == "down" and len(fact.cards) == 1:
            thrown = [
                one for one in facts[:first] if one.seat == fact.seat and one.what == "act" and one.cards
            ]
            again = [one.cards[0] for one in thrown if one.cards != thrown[-1].cards]
            later = {card for one in facts[first:] if one.what == "down" for card in one.cards}
            if again and again[0] not in later:
                return place, attrs.evolve(fact, cards=(again[0],))
    return None


def one_card_too_many() -> Planted:
    sheet, sitting, facts = hand_of("holdem", lambda facts: len(places(facts, "board")) > 1)
    place = places(facts, "down")[0]
    stranger = facts[places(facts, "board")[0]].cards[0]
    facts[place] = attrs.evolve(facts[place], cards=(*facts[place].cards, stranger))
    return sheet, sitting, facts, place


def a_card_thrown_away_before() -> Planted:
    sheet, sitting, facts = hand_of("badugi", reshuffled)
    found = _thrown_and_dealt_again(facts)
    assert found is not None
    facts[found[0]] = found[1]
    return sheet, sitting, facts, found[0]


def a_flop_of_four() -> Planted:
    sheet, sitting, facts = hand_of("holdem", lambda facts: len(places(facts, "board")) > 1)
    flop, turn = places(facts, "board")[:2]
    facts[flop] = attrs.evolve(facts[flop], cards=(*facts[flop].cards, *facts[turn].cards))
    return sheet, sitting, facts, flop


def a_reshuffle_that_nobody_told_of() -> Planted:
    sheet, sitting, facts = hand_of("badugi", reshuffled)
    kept = [fact for fact in facts if fact.what != "reshuffle"]
    return sheet, attrs.evolve(sitting, mixed_unsaid=True), kept, None


@pytest.mark.parametrize(
    ("planted", "condition"),
    [
        (one_card_too_many, "len(self.holes[seat]) > self._due[seat]"),
        (a_card_thrown_away_before, "{*cards} & {*self.thrown[seat]}"),
        (a_flop_of_four, "len(where) > self._board_due"),
        (a_reshuffle_that_nobody_told_of, "self.sitting.mixed_unsaid and {*cards} & self._out"),
    ],
)
def test_a_referee_without_the_condition_judges_a_planted_deal_otherwise(
    planted: Callable[[], Planted], condition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet, sitting, facts, wrong = planted()
    assert found(judge(sheet, sitting, facts)) == ([] if wrong is None else [("deal", wrong)])
    change(dealing, condition, "False", monkeypatch)
    assert found(judge(sheet, sitting, facts)) != ([] if wrong is None else [("deal", wrong)])


def found(verdicts: list[Verdict]) -> list[tuple[str, int]]:
    return [(verdict.code, verdict.place) for verdict in verdicts]
