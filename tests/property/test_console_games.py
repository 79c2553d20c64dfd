"""Whole games at the terminal with anybody playing: credits are conserved, and a game that is bet on ends."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from poker_actors.console import Session, five_card_setup, holdem_setup
from poker_actors.rules import Action, Call, Check, Fold, Legal, RaiseTo

LEVELS = st.sampled_from(["easy", "normal", "hard"])
CPUS = st.sampled_from(["seed", "fair"])
CHANCES = st.sampled_from(["coded", "commented"])
CLASSES = st.sampled_from(["counts", "printed", "kickers"])


def somebody(legal: Legal, luck: Random) -> Action:
    """Anything legal: folds, calls, small and large bets, everything at once."""
    calls: Action = Call() if legal.to_call else Check()
    choices: list[Action] = [Fold(), calls, calls]
    if legal.can_raise:
        low, high = legal.min_raise_to, legal.max_raise_to
        choices += [RaiseTo(low), RaiseTo(luck.randint(low, high)), RaiseTo(high)]
    return luck.choice(choices)


def check(session: Session, total: int) -> None:
    audit = session.sitting.room.audit()
    assert audit.conserved
    assert audit.minted == total
    assert sum(session.money) == total
    if session.legal:
        picture = session.picture
        assert picture.pot + sum(seat.stack for seat in picture.seats) == total


@given(st.integers(0, 2**32), LEVELS, CPUS, CHANCES, CLASSES)
@settings(max_examples=25, deadline=None)
def test_a_five_card_game_keeps_400_credits_and_ends(
    seed: int, level: str, cpu: str, chances: str, classes: str
) -> None:
    luck = Random(seed)
    session = Session(five_card_setup(seed=seed, level=level, cpu=cpu, chances=chances, classes=classes))
    session.begin()
    while not session.game_over:
        session.deal()
        while session.legal:
            check(session, 400)
            session.act(somebody(session.legal, luck))
        check(session, 400)
        assert session.rounds < 2000
    assert sorted(session.money) == [0, 400]
    session.leave()
    assert session.sitting.balances == session.money


@given(
    st.integers(0, 2**32),
    st.integers(2, 10),
    st.sampled_from(["holdem", "limit-holdem", "omaha", "short-deck"]),
)
@settings(max_examples=20, deadline=None)
def test_a_table_of_bots_keeps_its_chips_until_the_person_leaves(seed: int, players: int, game: str) -> None:
    luck = Random(seed)
    session = Session(holdem_setup(seed=seed, players=players, game=game, stacks="60"))
    session.begin()
    total = 60 * players
    for _ in range(12):
        if session.game_over:
            break
        session.deal()
        for _ in range(luck.randint(0, 9)):
            if not session.legal:
                break
            check(session, total)
            session.act(somebody(session.legal, luck))
        if session.legal:
            break
        check(session, total)
    session.leave()
    assert sum(session.money) == total
    assert session.sitting.balances == session.money


@given(st.integers(0, 2**32), CPUS)
@settings(max_examples=20, deadline=None)
def test_no_line_and_no_picture_shows_a_card_before_the_showdown(seed: int, cpu: str) -> None:
    luck = Random(seed)
    session = Session(five_card_setup(seed=seed, cpu=cpu))
    session.begin()
    for _ in range(5):
        if session.game_over:
            break
        session.deal()
        while session.legal:
            assert session.picture.seats[0].cards == ()
            assert not any("CPU shows" in line for line in session.take_lines())
            session.act(somebody(session.legal, luck))
        result = session.sitting.result
        assert result is not None
        assert result.hand is not None
        shown = result.hand.strengths is not None
        assert bool(session.picture.seats[0].cards) is shown
        assert any("CPU shows" in line for line in session.take_lines()) is shown
    session.leave()
