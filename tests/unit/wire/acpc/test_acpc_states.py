"""Match states: read, written, refused, played, and answered."""

from __future__ import annotations

from fractions import Fraction

import pytest

from poker_actors.cards import Deck
from poker_actors.errors import BadInput, BadSpec, RemoteProtocolError
from poker_actors.rules import Action, Bet, Fold, RaiseTo, View
from poker_actors.wire.acpc import (
    DEFINITIONS,
    ClientSession,
    Guest,
    MatchState,
    amounts_text,
    hand_values,
    match_state,
    parse_definition,
)
from poker_actors.wire.acpc.protocol import Lines, play_betting

STATE = "MATCHSTATE:1:31:r300r900c/r1800:|JdTc/6dJc9c"


def test_a_state_is_read_field_by_field() -> None:
    state = MatchState.parse(STATE)
    assert (state.position, state.number, state.betting) == (1, 31, "r300r900c/r1800")
    assert [len(hole) for hole in state.holes] == [0, 2]
    assert [len(street) for street in state.board] == [3]
    assert str(state) == STATE


def test_hidden_cards_are_made_up_and_no_others() -> None:
    state = MatchState.parse(STATE)
    hand = state.hand(DEFINITIONS["holdem.nolimit.2p"])
    assert (hand.holes[1], hand.board) == (state.holes[1], state.board[0])
    assert len({*hand.holes[0], *hand.holes[1], *hand.board}) == 7


@pytest.mark.parametrize(
    "text",
    [
        "",
        "MATCHSTATE",
        STATE.lower(),
        STATE + ":c",
        STATE + " ",
        STATE.replace(":1:31", ":2:31"),
        STATE.replace(":1:31", ":0:31"),
        STATE.replace(":31:", ":4294967296:"),
        STATE.replace("JdTc", "Jd"),
        STATE.replace("JdTc", "JdJd"),
        STATE.replace("6dJc9c", "6dJc9c/Jd"),
        STATE.replace("6dJc9c", "6dJc|9c"),
        STATE.replace("JdTc", "XnTc"),
        STATE.replace("r900", "b900"),
        STATE.replace("|", ""),
        STATE.replace("|", "|" * 11),
    ],
)
def test_what_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        MatchState.parse(text)


@pytest.mark.parametrize(
    ("betting", "cards", "said"),
    [
        ("r150", "|JdTc", "r150: .* below the minimum of 200"),
        ("r20001", "|JdTc", "above the maximum of 20000"),
        ("c7", "|JdTc", "'c7' is not betting"),
        ("r", "|JdTc", "a no-limit raise needs the total"),
        ("cf", "|JdTc", "nobody folds with nothing to call"),
        ("cc", "|JdTc/2c3c4c", "a / is missing at its end"),
        ("c/", "|JdTc/2c3c4c", "street 1 ends before everybody has acted"),
        ("ccc", "|JdTc/2c3c4c", "'ccc': c: street 1 has ended"),
        ("fc", "|JdTc", "'fc': c: the hand is over"),
        ("cc/", "|JdTc", "the board .* does not fit"),
        ("cc/", "|JdTc/2c3c", "the board .* does not fit"),
        ("", "||JdTc", "3 players, and holdem.nolimit.2p.reverse_blinds is for 2"),
    ],
)
def test_a_state_that_does_not_fit_the_game_is_refused(betting: str, cards: str, said: str) -> None:
    position = cards.count("|")
    state = MatchState.parse(f"MATCHSTATE:{position}:0:{betting}:{cards}")
    with pytest.raises(BadSpec, match=said):
        state.hand(DEFINITIONS["holdem.nolimit.2p"])


def test_a_limit_raise_has_no_number() -> None:
    with pytest.raises(BadSpec, match="a raise in a limit game has no number"):
        MatchState.parse("MATCHSTATE:1:0:r20:|JdTc").hand(DEFINITIONS["holdem.limit.2p"])


def test_a_pot_that_three_share_has_thirds_of_chips() -> None:
    text = (
        str(DEFINITIONS["holdem.limit.3p"])
        .replace("numPlayers = 3", "numPlayers = 4")
        .replace("10 0", "10 0 0")
    )
    definition = parse_definition(text)
    hand = definition.hand(Deck.stacked(["2c3c", "AsKs", "AdKd", "AhKh"], "QcJcTd4s4d"))
    play_betting(hand, "ccfc/ccc/ccc/ccc")
    values = hand_values(hand)
    assert values == (Fraction(-5), Fraction(5, 3), Fraction(5, 3), Fraction(5, 3))
    assert amounts_text(values) == "-5|1.666667|1.666667|1.666667"
    assert hand.payoffs == (-5, 2, 2, 1)


def test_amounts_are_written_as_the_competition_does() -> None:
    assert amounts_text([Fraction(0), Fraction(-5, 2), Fraction(100)]) == "0|-2.5|100"


def test_a_log_with_thirds_of_chips_replays() -> None:
    from poker_actors.history import parse, replay

    text = """# game limit-holdem blinds 5|10|0|0 min-bet 10 stacks 500|500|500|500
STATE:0:ccfc/ccc/ccc/ccc:2c3c|AsKs|AdKd|AhKh/QcJcTd/4s/4d:-5|1.666667|1.666667|1.666667:a|b|c|d
"""
    [hand] = parse(text, "acpc")
    assert replay(hand).payoffs == (-5_000_000, 1_666_667, 1_666_667, 1_666_666)
    [wrong] = parse(text.replace("1.666667:a", "1.666687:a"), "acpc")
    with pytest.raises(BadInput):
        replay(wrong)


def test_nobody_sees_the_cards_of_who_folded() -> None:
    hand = DEFINITIONS["holdem.nolimit.3p"].hand(Deck.stacked(["2c3c", "AsKs", "AdKd"], "QcJcTd4s4d"))
    play_betting(hand, "cfc/cc/cc/cc")
    assert str(match_state(hand, 4, 0)) == "MATCHSTATE:0:4:cfc/cc/cc/cc:2c3c|AsKs|AdKd/QcJcTd/4s/4d"
    assert str(match_state(hand, 4, 1)) == "MATCHSTATE:1:4:cfc/cc/cc/cc:|AsKs|AdKd/QcJcTd/4s/4d"


def test_lines_come_in_pieces_of_any_size() -> None:
    for size in (1, 2, 7, 100):
        lines = Lines()
        found = []
        for at in range(0, 30, size):
            lines.receive_data(b"VERSION:2.0.0\r\nabc\n\r\nx\r\r\n...."[at : at + size])
            while (line := lines.next_line()) is not None:
                found.append(line)
        assert found == ["VERSION:2.0.0", "abc", "", "x\r"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"ok\n" + b"x" * 20_000, "byte 3: a line of 20000 bytes"),
        (b"ok\nab\xff\n", "byte 5: 0xff is not ASCII"),
    ],
)
def test_lines_that_cannot_be_are_refused_where_they_begin(data: bytes, said: str) -> None:
    lines = Lines()
    lines.receive_data(data)
    assert lines.next_line() == "ok"
    with pytest.raises(RemoteProtocolError, match=said):
        lines.next_line()


# -- what a client makes of them ---------------------------------------------------------------------


def test_comments_and_empty_lines_are_no_states() -> None:
    session = ClientSession()
    session.receive_data(f"#GO\r\n;too\r\n\r\n{STATE}\r\n".encode())
    assert str(session.next_state()) == STATE
    assert session.next_state() is None
    assert not session.ended
    session.receive_data(b"# and that is the end\r\n")
    session.receive_data(b"")
    assert session.next_state() is None
    assert session.ended


def test_a_line_that_is_no_state_is_named_by_its_place() -> None:
    session = ClientSession()
    session.receive_data(b"#GO\r\nhello\r\n")
    with pytest.raises(RemoteProtocolError, match="hello") as caught:
        session.next_state()
    assert caught.value.offset == 5


class Doing:
    """A bot that always does the same, and counts how often it is asked."""

    def __init__(self, action: Action) -> None:
        self.action = action
        self.asked = 0

    def __call__(self, view: View) -> Action:
        self.asked += 1
        return self.action


def answers(action: Action, *lines: str) -> tuple[list[str | None], Guest, Doing]:
    guest, doing = Guest("caller", DEFINITIONS["holdem.nolimit.2p"], 1), Doing(action)
    guest.player.play_by(doing)
    return [guest.answer(MatchState.parse(line)) for line in lines], guest, doing


FREE = "MATCHSTATE:0:5:cc/:9h9s|/2c3d4h"
"""The player left of the button has nothing to call on the flop."""
OPENS = "MATCHSTATE:1:5::|9h9s"
"""The player on the button has half a blind to call."""


def test_a_fold_with_nothing_to_call_is_a_check_and_any_other_is_a_fold() -> None:
    assert answers(Fold(), FREE, OPENS)[0] == ["c", "f"]


def test_what_is_not_a_fold_is_said_with_the_chips_of_the_whole_hand() -> None:
    assert answers(Bet(200), FREE)[0] == ["r300"]
    assert answers(RaiseTo(300), OPENS)[0] == ["r300"]


def test_only_ones_own_turn_is_answered_and_a_hand_that_is_over_is_counted() -> None:
    others, after = "MATCHSTATE:1:5:cc/:|9h9s/2c3d4h", "MATCHSTATE:0:5:f:9h9s|"
    said, guest, doing = answers(Bet(200), others)
    assert (said, guest.playing, guest.hands, doing.asked) == ([None], True, 0, 0)
    said, guest, doing = answers(Bet(200), FREE, after)
    assert (said, guest.playing, guest.hands, doing.asked) == (["r300", None], False, 1, 1)
    assert guest.value == 50
