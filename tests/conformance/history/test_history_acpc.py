"""Logs of the Annual Computer Poker Competition, as its dealer writes them."""

from __future__ import annotations

import attrs
import pytest

from poker_actors.cards import parse_cards
from poker_actors.errors import BadHistory, Discrepancy
from poker_actors.history import UNKNOWN, Dealt, parse, replay
from poker_actors.history.acpc import acpc_text

LIMIT = """\
# name/game/hands/seed 2p_limit holdem.limit.2p.reverse_blinds.game 3000 0
#--t_response 600000
STATE:0:rrc/rc/rrc/cc:5d5c|9hQd/8dAs8s/4h/6d:80|-80:P1|P2
STATE:1:rrc/rf:6sKs|5dJd/2sTh2h:30|-30:P2|P1
STATE:2:f:Ah8s|2h4c:5|-5:P1|P2
SCORE:105|-105:P1|P2
"""

NO_LIMIT = """\
# name/game/hands/seed match holdem.nolimit.2p.reverse_blinds.game 3000 0
STATE:0:cr300c/cr900c/r20000c/:AhKh|QsQd/Kd7c2s/9c/3d:20000|-20000:A|B
STATE:1:r200f:2c7d|AsKs:-100|100:B|A
"""


def test_fixed_limit_heads_up() -> None:
    hands = parse(LIMIT, "acpc")
    assert [replay(hand).payoffs for hand in hands] == [(80, -80), (30, -30), (5, -5)]
    assert hands[1].players == ("P2", "P1")
    assert hands[0].blinds == (10, 5)


def test_no_limit_raises_are_totals_over_the_hand() -> None:
    first, second = parse(NO_LIMIT, "acpc")
    assert [turn.total for turn in first.turns if turn.total] == [300, 600, 19100]
    assert replay(first).payoffs == (20000, -20000)
    assert replay(second).payoffs == (-100, 100)


def test_the_time_at_the_end_of_a_line_belongs_to_no_name() -> None:
    text = "STATE:19:r200c/cr400c/cr850f:9hQc|5dQd/4h4c6c/4s:-400|400:DeepStack|player.account # 1479132064.35509\n"
    [hand] = parse(text, "acpc")
    assert hand.players == ("DeepStack", "player.account")
    assert replay(hand).payoffs == (-400, 400)


def test_a_comment_says_any_other_game() -> None:
    text = "# game holdem blinds 1|2|0 min-bet 2 stacks 20|30|40\nSTATE:7:fcc/cc/cc/cc:AsAd|KsKd|/2c3d4h/8s/9c:2|-2|0:a|b|c\n"
    [hand] = parse(text, "acpc")
    assert hand.stacks == (20, 30, 40)
    assert replay(hand).payoffs == (2, -2, 0)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("r200f", "r200fc", "the hand is over"),
        ("r200f", "r150f", "line 3: 'r150f': r150: .*below the minimum"),
        ("r200f", "rf", "a no-limit raise needs the total"),
        ("r200f", "x", "is not STATE"),
        ("r200f", "r200f7", "'r200f7' is not betting"),
        (":-100|100:", ":-100|100|5:", "3 values for 2 players"),
        (":-100|100:", ":1-0|100:", "'1-0' is not a value"),
        ("2c7d|AsKs", "2c7d|AsKs|Qd", "the cards are of 3 players"),
        ("2c7d", "2c7", "has two characters"),
        (":B|A", ":B", "1 names for 2 players"),
    ],
)
def test_what_cannot_be_read_is_named(old: str, new: str, reason: str) -> None:
    assert old in NO_LIMIT
    with pytest.raises(BadHistory, match=reason):
        parse(NO_LIMIT.replace(old, new), "acpc")


SAID = "# game holdem blinds 2|1 min-bet 2 stacks 200|200"


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("# game chess blinds 2|1 min-bet 2 stacks 200|200", "names no game"),
        ("# game badugi blinds 2|1 min-bet 2 stacks 200|200", "names no game"),
        ("# game holdem", "names no game"),
        ("# game holdem blinds 2|1 min-bet 2 stacks 200|", "an amount"),
        (f"# game holdem blinds 2|1 min-bet 2 stacks 200|{'9' * 5_000}", "an amount"),
        ("# game holdem blinds 2|1 min-bet 2 stacks 200|0", "the stack of p2 is 0"),
        ("# game holdem blinds 1|2|0 min-bet 2 stacks 200|200|200", "the cards are of 2 players"),
    ],
)
def test_a_game_that_cannot_be_played_is_named(game: str, reason: str) -> None:
    line = "STATE:0:f:AsAd|KsKd:1|-1:a|b\n"
    assert [replay(hand).payoffs for hand in parse(f"{SAID}\n{line}", "acpc")] == [(1, -1)]
    with pytest.raises(BadHistory, match=reason):
        parse(f"{game}\n{line}", "acpc")


@pytest.mark.parametrize("size", [1, 11])
def test_one_and_eleven_players_are_refused(size: int) -> None:
    def row(text: str) -> str:
        return "|".join([text] * size)

    game = f"# game holdem blinds {row('1')} min-bet 2 stacks {row('200')}"
    with pytest.raises(BadHistory, match=f"the cards are of {size} players"):
        parse(f"{game}\nSTATE:0:f:{row('')}:{row('0')}:{row('a')}\n", "acpc")


def test_a_game_file_that_nobody_knows_leaves_the_stakes_that_were_said() -> None:
    text = f"{SAID}\n# name/game/hands/seed x holdem.nolimit.2p.game 1 0\nSTATE:0:f:2c7d|AsKs:100|-100:a|b\n"
    assert [hand.stacks for hand in parse(text, "acpc")] == [(20_000, 20_000)]
    unknown = (
        f"\n{SAID}\n# name/game/hands/seed x holdem.nolimit.6p.game 1 0\n\nSTATE:0:f:2c7d|AsKs:1|-1:a|b\n"
    )
    assert [hand.stacks for hand in parse(unknown, "acpc")] == [(200, 200)]


def test_a_fold_with_nothing_to_call_is_read() -> None:
    [hand] = parse(f"{SAID}\nSTATE:0:cf:2c7d|AsKs:-2|2:a|b\n", "acpc")
    assert replay(hand).payoffs == (-2, 2)


def test_cards_that_are_not_told_stay_unknown() -> None:
    game = "# game limit-holdem blinds 5|10|0|0 min-bet 10 stacks 500|500|500|500"
    cards = "2c3c|AsKs|AdKd|/QcJcTd/4s/4d"
    [hand] = parse(
        f"{game}\nSTATE:0:ccfc/ccc/ccc/ccc:{cards}:-5|1.666667|1.666667|1.666666:a|b|c|d\n", "acpc"
    )
    assert hand.holes[3] == (UNKNOWN, UNKNOWN)
    assert [step.player for step in hand.steps if type(step) is Dealt] == [0, 1, 2]


def test_payoffs_that_the_rules_do_not_pay_are_named() -> None:
    [*_, hand] = parse(NO_LIMIT.replace("-100|100:", "-200|200:"), "acpc")
    with pytest.raises(Discrepancy, match="p1 ends with 19800 as recorded and 19900 by the rules"):
        replay(hand)


def test_a_game_that_nothing_says_is_asked_for() -> None:
    with pytest.raises(BadHistory, match="the stakes of this hand of 6 are missing"):
        parse("STATE:0:ffffr250f:2c7d|AsKs|QdQh|8c9c|2s2d|3s3d:0|0|0|0|0|0:a|b|c|d|e|f\n", "acpc")


def test_a_hand_is_written_as_it_was_logged_with_its_stakes() -> None:
    _, *lines = NO_LIMIT.splitlines()
    stakes = "# game holdem blinds 100|50 min-bet 100 stacks 20000|20000"
    hands = parse(NO_LIMIT, "acpc")
    assert [acpc_text(hand) for hand in hands] == [f"{stakes}\n{line}" for line in lines]
    nameless = attrs.evolve(hands[0], players=(), finishing=None, fields={})
    assert acpc_text(nameless, 7) == f"{stakes}\n{lines[0].replace('STATE:0', 'STATE:7').replace('A|B', '|')}"
    wrong = attrs.evolve(hands[0], finishing=(19_999, 20_001))
    assert acpc_text(wrong).endswith(":-1|1:A|B"), "what was recorded counts"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"antes": (1, 1)}, "antes or newcomers' blinds"),
        ({"blinds": (100, -50)}, "antes or newcomers' blinds"),
        ({"players": ("a|b", "c")}, "the name 'a|b'"),
        ({"players": ("a:b", "c")}, "the name 'a:b'"),
        ({"players": ("a\nb", "c")}, "the name"),
        ({"run_again": (parse_cards("2h"),)}, "run again"),
    ],
)
def test_what_a_log_cannot_carry_is_named(change: dict[str, object], reason: str) -> None:
    [hand, _] = parse(NO_LIMIT, "acpc")
    with pytest.raises(BadHistory, match=reason.replace("|", r"\|")):
        acpc_text(attrs.evolve(hand, **change))  # type: ignore[arg-type]  # by name


def test_payoffs_that_unknown_cards_decide_are_not_written() -> None:
    [hand, _] = parse(NO_LIMIT, "acpc")
    unknown = attrs.evolve(
        hand, finishing=None, steps=tuple(step for step in hand.steps if type(step) is not Dealt)
    )
    with pytest.raises(BadHistory, match="unknown cards decide this hand"):
        acpc_text(unknown)
