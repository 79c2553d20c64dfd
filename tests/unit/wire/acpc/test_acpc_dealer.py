"""The dealer without a socket: answers, clocks, failures, resuming."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import attrs
import pytest

from poker_actors.bots import SeedTree
from poker_actors.cards import Deck
from poker_actors.errors import BadHistory, BadSpec
from poker_actors.wire.acpc import (
    DEFINITIONS,
    CompetitionDecks,
    Dealer,
    DealerEvent,
    Event,
    MatchFiles,
    MatchLimits,
    MatchPlan,
    MatchState,
    match_state,
    read_answer,
    read_turns,
)

NO_LIMIT = DEFINITIONS["holdem.nolimit.2p"]
HELLO = b"VERSION:2.0.0\r\n"


class Played:
    """A dealer with the clock in our hands, and what each seat has heard last."""

    def __init__(self, plan: MatchPlan) -> None:
        self.now = 0.0
        self.events: list[DealerEvent] = []
        self.dealer = Dealer(plan, self.events.append)
        self.last = [""] * len(plan.names)
        self.dealer.start(self.now)
        for seat in range(len(plan.names)):
            self.dealer.receive(seat, HELLO, self.now)
        self.listen()

    @property
    def waiting(self) -> int:
        seat = self.dealer.waiting
        assert seat is not None
        return seat

    def listen(self) -> None:
        for seat, data in self.dealer.outgoing():
            self.last[seat] = data.decode().splitlines()[-1]

    def hear(self, data: bytes, after: float = 0.0) -> None:
        self.now += after
        self.dealer.receive(self.waiting, data, self.now)
        self.listen()

    def say(self, action: str, after: float = 0.0) -> None:
        self.hear(f"{self.last[self.waiting]}:{action}\r\n".encode(), after)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.dealer.expire(self.now)
        self.listen()

    @property
    def betting(self) -> str:
        return MatchState.parse(self.last[0]).betting

    def texts(self, kind: Event) -> list[str]:
        return [event.text for event in self.events if event.kind is kind]


def played(hands: int = 2, **limits: object) -> Played:
    return Played(MatchPlan(NO_LIMIT, hands, 0, limits=MatchLimits(**limits)))  # type: ignore[arg-type]  # by name


def test_players_move_on_by_one_seat_a_hand() -> None:
    table = played(3)
    heard = []
    for _ in range(3):
        heard.append([MatchState.parse(line).position for line in table.last])
        table.say("f")
    assert heard == [[0, 1], [1, 0], [0, 1]]
    assert table.texts(Event.SCORE) == ["SCORE:50|-50:p1|p2"]


def test_seats_may_be_fixed() -> None:
    table = Played(MatchPlan(NO_LIMIT, 3, 0, fixed_seats=True))
    for _ in range(3):
        assert [MatchState.parse(line).position for line in table.last] == [0, 1]
        table.say("f")


def test_each_player_hears_what_match_state_says_at_every_step() -> None:
    table = Played(MatchPlan(DEFINITIONS["holdem.limit.3p"], 4, 5))
    for action in "rccrcccccccrrrccfccf" * 3:
        if table.dealer.over:
            break
        hand, number = table.dealer.hand, table.dealer.number
        assert table.last == [str(match_state(hand, number, (seat - number) % 3)) for seat in range(3)]
        table.say(action)


def test_bytes_may_come_one_by_one() -> None:
    table = played()
    for byte in f"{table.last[1]}:r300\r\n".encode():
        assert table.betting == ""
        table.hear(bytes([byte]))
    assert table.betting == "r300"


ANSWERS = [
    # betting before, what is said, betting after, whether it counts as invalid
    ("", "x", "c", True),
    ("", "c", "c", False),
    ("", "k", "c", False),
    ("", "r300", "r300", False),
    ("", "b300", "r300", False),
    ("", "R300", "r300", False),
    ("", "r300xyz", "r300", False),
    ("", "r 300", "r300", False),
    ("", "r150", "r200", False),
    ("", "r-7", "r200", False),
    ("", "r99999999", "r20000", False),
    ("", "r", "c", True),
    ("", "f", "f", False),
    ("c", "f", "cc/", True),
    ("r20000", "r20000", "r20000c///", True),
    ("cc/", "r100", "cc/r200", False),
]


@pytest.mark.parametrize(("before", "said", "after", "invalid"), ANSWERS)
def test_answers_are_taken_as_the_competitions_dealer_takes_them(
    before: str, said: str, after: str, invalid: bool
) -> None:
    table = played(1)
    for action in before.replace("/", "").replace("c", "c ").replace("r20000", "r20000 ").split():
        table.say(action)
    seat = table.waiting
    table.say(said)
    assert table.betting == after
    assert table.dealer.seats[seat].invalid == invalid


def test_an_answer_without_an_action_is_a_call() -> None:
    table = played(1)
    table.hear(f"{table.last[1]}\r\n".encode())
    assert table.betting == "c"
    assert table.dealer.seats[1].invalid == 1


@pytest.mark.parametrize(
    "line",
    [
        "# thinking",
        "; GUI",
        "",
        "c",
        "MATCHSTATE:0:0::5d5c|:c",
        "MATCHSTATE:1:7::|9hQd:c",
        "MATCHSTATE:1:0:c:|9hQd:c",
        "MATCHSTATE:1:0::|9hQs:c",
        "MATCHSTATE:1:0::|9hQd/2c:c",
        "MATCHSTATE:9:0::|9hQd:c",
    ],
)
def test_what_answers_something_else_is_passed_over(line: str) -> None:
    table = played(1)
    assert table.last[1] == "MATCHSTATE:1:0::|9hQd"
    table.hear(f"{line}\r\n".encode())
    assert (table.betting, table.dealer.seats[1].ignored, table.dealer.seats[1].invalid) == ("", 1, 0)
    table.say("c")
    assert table.betting == "c"


def test_a_state_may_be_written_another_way() -> None:
    hand = NO_LIMIT.hand(Deck.stacked(["5d5c", "9hQd"], "8dAs8s4h6d"))
    for _ in range(3):
        hand.check_or_call()
    state = "MATCHSTATE:1:0:cc/c:|9hQd/8dAs8s"
    for other in ("MATCHSTATE:1:0:kcc:AhAd|9HqD/8DAS8S:f", "MATCHSTATE:01:00:CCC:|9hQd8dAs8s:r300"):
        answer = read_answer(other, state, hand)
        said = None if answer is None else answer.invalid
        assert said == ("a fold with nothing to call" if "/" in other else None)


@pytest.mark.parametrize(("said", "betting"), [("r", "r"), ("r20", "r"), ("b", "r"), ("x20", "c")])
def test_a_limit_raise_needs_no_size_and_none_is_read(said: str, betting: str) -> None:
    table = Played(MatchPlan(DEFINITIONS["holdem.limit.2p"], 1, 0))
    table.say(said)
    assert table.betting == betting


def test_a_player_that_does_not_answer_ends_the_match() -> None:
    table = played(response=5)
    assert table.dealer.deadline == 5
    table.wait(4.9)
    assert table.dealer.broken == ""
    table.wait(0.2)
    assert table.dealer.over
    assert table.dealer.broken == "seat 1 (p2): no answer in 5.1 seconds"
    assert table.texts(Event.SCORE) == []


def test_a_late_answer_ends_the_match_too() -> None:
    table = played(response=5)
    table.say("c", after=5.1)
    assert table.dealer.broken == "seat 1 (p2): an answer after 5.1 seconds"


def test_the_time_of_a_hand_and_of_a_match_are_counted() -> None:
    table = played(3, hand=10, per_hand=4)
    table.say("c", after=3)
    table.say("c", after=1)
    table.say("c", after=1)
    assert (table.waiting, table.dealer.deadline) == (1, table.now + 7), (
        "of ten seconds for a hand three are gone"
    )
    table.say("r300", after=6)
    table.say("f", after=0.5)
    assert (table.dealer.number, table.waiting) == (1, 0)
    table.say("c")
    assert (table.waiting, table.dealer.deadline) == (1, table.now + 3), (
        "of twelve for the match nine are gone"
    )
    table.wait(3.1)
    assert table.dealer.broken == "seat 1 (p2): no answer in 3.1 seconds"


def test_with_strikes_a_late_player_checks_or_folds_and_is_thrown_out_in_the_end() -> None:
    table = played(10, response=5, strikes=2)
    table.wait(6)
    assert (table.dealer.number, table.dealer.seats[1].failures) == (1, 1)
    assert table.waiting == 0
    table.say("c")
    table.wait(6)
    assert table.betting == "cc/c", "after the second strike nobody waits for it"
    assert table.dealer.seats[1].gone
    while not table.dealer.over:
        assert table.waiting == 0
        table.say("c")
    assert table.dealer.broken == ""
    assert table.dealer.outcome.hands == 10
    assert sum(seat.value for seat in table.dealer.seats) == 0


def test_what_a_player_said_too_late_is_passed_over() -> None:
    table = played(2, response=5, strikes=9)
    late = f"{table.last[1]}:r300\r\n".encode()
    table.wait(6)
    assert table.dealer.number == 1
    table.say("c")
    table.hear(late)
    assert table.betting == "c"
    assert table.dealer.seats[1].ignored == 1


def test_a_match_ends_when_nobody_is_left() -> None:
    table = played(1000, strikes=1)
    table.hear(b"")
    table.hear(b"")
    assert table.dealer.over
    assert table.dealer.deadline is None
    assert table.dealer.broken == "seat 0 (p1): it has closed the connection"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it has closed the connection"),
        (b"\xff\xfe\r\n", "byte 15: 0xff is not ASCII"),
        (b"x" * 20_000, "byte 15: a line of 20000 bytes"),
        (b"# la la la\r\n" * 1_001, "1001 lines that answer nothing"),
    ],
)
def test_garbage_and_floods_end_the_match_or_lose_the_seat(data: bytes, said: str) -> None:
    table = played()
    table.hear(data)
    assert said in table.dealer.broken
    table = played(strikes=5)
    table.hear(data)
    assert not table.dealer.over
    assert table.dealer.seats[1].gone
    assert said in table.dealer.seats[1].first


def test_illegal_actions_may_be_limited() -> None:
    table = played(10, invalid=2)
    for _ in range(2):
        table.say("x" if table.waiting == 1 else "c")
        table.say("x" if table.waiting == 1 else "c")
    while not table.dealer.over and table.dealer.number < 9:
        table.say("x" if table.waiting == 1 else "c")
    assert table.dealer.broken == "seat 1 (p2): 3 answers that were not legal actions"


def test_a_fault_is_told_and_the_first_is_kept() -> None:
    table = played(10)
    table.say("c")
    assert (table.texts(Event.FAULT), table.dealer.seats[1].first) == ([], "")
    table.say("r7")
    table.say("x")
    table.say("b9")
    assert table.texts(Event.FAULT) == [
        "a raise to 7 became one to 200",
        "'x' is not an action",
        "a raise to 9 became one to 300",
    ]
    assert [(seat.first, seat.moved, seat.invalid) for seat in table.dealer.seats] == [
        ("a raise to 7 became one to 200", 2, 0),
        ("'x' is not an action", 0, 1),
    ]


def test_a_seat_that_is_late_with_its_version_is_not_waited_for_again() -> None:
    dealer = Dealer(MatchPlan(NO_LIMIT, 2, 0, limits=MatchLimits(start=5, strikes=9)))
    dealer.start(1.0)
    dealer.expire(5.9)
    assert (dealer.waiting, dealer.deadline) == (0, 6.0)
    dealer.expire(6.0)
    late = dealer.seats[0]
    assert (late.gone, late.failures, late.seconds, dealer.waiting) == (True, 1, 0.0, 1)
    without = Dealer(MatchPlan(NO_LIMIT, 1, 0))
    without.start(0.0)
    without.expire(1e9)
    assert (without.waiting, without.broken) == (0, "")


def test_a_seat_that_is_lost_while_another_is_to_act_fails_once_and_acts_at_its_turn() -> None:
    table = played(2, strikes=9)
    table.now = 2.0
    for _ in range(2):
        table.dealer.lose(0, "gone for good", table.now)
    table.listen()
    lost = table.dealer.seats[0]
    assert (lost.gone, lost.failures, lost.seconds, table.betting) == (True, 1, 0.0, "")
    table.say("c")
    assert (table.waiting, table.last[1].split(":")[3]) == (1, "cc/c"), (
        "the one that is gone has checked twice"
    )
    assert table.last[0].split(":")[3] == "", "and is sent nothing"
    table.dealer.lose(1, "gone, too", table.now)
    assert (table.dealer.over, table.dealer.seats[1].failures) == (True, 1)
    table.dealer.seats[1].gone = False
    table.dealer.lose(1, "once more", table.now)
    assert table.dealer.seats[1].failures == 1


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ([("r150", 0, 0.0)], "r150 of hand 0"),
        ([("c", 0, 0.0), ("f", 0, 0.0)], "f of hand 0"),
        ([("f", 0, 0.0), ("f", 1, 0.0), ("c", 2, 0.0)], "c of hand 2"),
    ],
    ids=["moved", "invalid", "over"],
)
def test_turns_that_a_dealer_would_not_have_written_are_refused(
    turns: list[tuple[str, int, float]], said: str
) -> None:
    with pytest.raises(BadHistory, match=f"{said} is not a turn of this match"):
        Dealer(MatchPlan(NO_LIMIT, 2, 0)).resume(turns)


@pytest.mark.parametrize("line", [b"VERSION:1.0.0\r\n", b"HELLO\r\n", b"VERSION:2\r\n", b"\x00\r\n"])
def test_another_version_is_refused(line: bytes) -> None:
    dealer = Dealer(MatchPlan(NO_LIMIT, 1, 0))
    dealer.start(0.0)
    dealer.receive(0, line, 0.0)
    assert dealer.over
    assert "is not a version 2 of the protocol" in dealer.broken


def test_later_revisions_are_let_in() -> None:
    dealer = Dealer(MatchPlan(NO_LIMIT, 1, 0))
    dealer.start(0.0)
    dealer.receive(0, b"VERSION:2.1.7\r\n", 0.0)
    dealer.receive(1, b"VERSION:2.0.0\n", 0.0)
    assert [seat for seat, _ in dealer.outgoing()] == [0, 1]


def play(table: Played, actions: str) -> None:
    for action in actions:
        if not table.dealer.over:
            table.say({"r": "r700", "R": "r20000"}.get(action, action))


def test_a_match_that_was_broken_off_goes_on_from_its_turns(tmp_path: Path) -> None:
    plan = MatchPlan(NO_LIMIT, 6, 9, title="whole match", limits=MatchLimits(response=5))
    whole, cut = tmp_path / "whole.log", tmp_path / "cut.log"
    turns = tmp_path / "cut.tlog"
    actions = "crccccccccrcRcfrcccccRccccccccc" + "c" * 30
    with MatchFiles(plan, log=whole, turns=tmp_path / "whole.tlog") as files:
        table = Played(plan)
        table.dealer.listener = files
        play(table, actions)
    outcome = table.dealer.outcome
    assert (outcome.hands, outcome.broken) == (6, "")
    with MatchFiles(plan, log=cut, turns=turns, messages=tmp_path / "all.txt", clock=lambda: 1.5) as files:
        table = Played(plan)
        table.dealer.listener = files
        play(table, actions[:14])
        table.wait(10)
        assert table.dealer.over
    with turns.open("a") as stream:
        stream.write("r70")  # killed while it wrote
    cut.write_text("the log is written anew")
    kept = list(read_turns(turns))
    assert len(kept) == 14
    with MatchFiles(plan, log=cut, turns=turns, resume=True) as files:
        table.dealer = Dealer(plan, files)
        table.dealer.resume(kept)
        table.dealer.start(table.now)
        for seat in (0, 1):
            table.dealer.receive(seat, HELLO, table.now)
        table.listen()
        play(table, actions[14:])
    assert cut.read_text() == whole.read_text()
    told = [[turn[:2] for turn in read_turns(tmp_path / name)] for name in ("cut.tlog", "whole.tlog")]
    assert told[0] == told[1], "each turn is told once"
    again = table.dealer.outcome
    assert (again.hands, again.broken, again.digest) == (6, "", outcome.digest)
    assert [seat.value for seat in again.seats] == [seat.value for seat in outcome.seats]


def test_turns_of_another_match_are_refused(tmp_path: Path) -> None:
    dealer = Dealer(MatchPlan(NO_LIMIT, 2, 0))
    with pytest.raises(
        BadHistory, match="r300 of hand 1 is not a turn of this match: hand 0 is being played"
    ):
        dealer.resume([("r300", 1, 0.0)])
    place = tmp_path / "x.tlog"
    place.write_text("c 0 1.000000 2.000000\nnonsense\n")
    with pytest.raises(BadHistory, match="line 2: 'nonsense' is not ACTION HAND"):
        list(read_turns(place))
    place.write_text("c 0 1.000000 2.000000\nmy notes")  # which resuming would cut off
    with pytest.raises(BadHistory, match="line 2: 'my notes' is not ACTION HAND"):
        list(read_turns(place))


def test_a_log_says_who_what_and_how_long() -> None:
    from poker_actors.wire.acpc.match import log_header

    plan = MatchPlan(NO_LIMIT, 10, 7, title="my match", names=("Alice", "Bob"))
    assert log_header(plan) == (
        "# name/game/hands/seed my_match holdem.nolimit.2p.reverse_blinds.game 10 7\n"
        "#--t_response 600000\n#--t_hand 600000\n#--t_per_hand 7000\n"
        "# game holdem blinds 100|50 min-bet 100 stacks 20000|20000\n"
    )


def test_each_file_may_be_left_out(tmp_path: Path) -> None:
    plan = MatchPlan(NO_LIMIT, 1, 0)
    for kept in ("log", "turns", "messages"):
        place = tmp_path / kept
        for resume in (False, True):
            with MatchFiles(plan, resume=resume, **{kept: place}) as files:  # type: ignore[arg-type]  # by name
                table = Played(plan)
                table.dealer.listener = files
                table.say("f")
        # the log is written anew, the others go on
        assert place.read_text().count("\n") == {"log": 7, "turns": 2, "messages": 6}[kept]


def test_files_that_are_there_are_not_overwritten(tmp_path: Path) -> None:
    plan = MatchPlan(NO_LIMIT, 1, 0)
    (tmp_path / "b").write_text("kept")
    with pytest.raises(FileExistsError), MatchFiles(plan, log=tmp_path / "a", turns=tmp_path / "b"):
        pass
    assert (tmp_path / "b").read_text() == "kept"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hands": 0}, "hands is 0"),
        ({"hands": 1.5}, "hands is 1.5"),
        ({"hands": True}, "hands is True"),
        ({"names": ("a",)}, "1 names: .* is for 2 players"),
        ({"names": ("a", "a")}, "two players are called 'a'"),
        ({"names": ("a", "b|c")}, "'b|c' is not a name"),
        ({"names": ("a", "")}, "'' is not a name"),
        ({"title": "a\nb"}, "is not a name"),
    ],
)
def test_a_match_that_cannot_be_is_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(BadSpec, match=said.replace("|", r"\|")):
        attrs.evolve(MatchPlan(NO_LIMIT, 1, 0), **change)  # type: ignore[arg-type]  # wrong on purpose


def test_a_seed_is_at_least_0_and_those_of_the_competition_have_32_bits() -> None:
    with pytest.raises(BadSpec, match="the competition's seeds are 0 to 4294967295"):
        Dealer(MatchPlan(NO_LIMIT, 1, -1))
    with pytest.raises(BadSpec, match="the competition's seeds are 0 to 4294967295"):
        CompetitionDecks(2**32)
    for seed in (1.5, 1e12, True, "1"):
        with pytest.raises(BadSpec, match="the competition's seeds are"):
            Dealer(MatchPlan(NO_LIMIT, 1, seed))  # type: ignore[arg-type]  # wrong on purpose


def test_a_larger_seed_deals_decks_that_nobody_can_work_out() -> None:
    dealt = Dealer(MatchPlan(NO_LIMIT, 1, 2**128 + 7)).hand.cards
    assert dealt == Dealer(MatchPlan(NO_LIMIT, 1, 2**128 + 7)).hand.cards
    assert dealt == SeedTree(2**128 + 7).deck(0).draw(9)
    low = Dealer(MatchPlan(NO_LIMIT, 1, 2**32 - 1)).hand.cards
    assert low == CompetitionDecks(2**32 - 1).deck(NO_LIMIT).draw(9)


@pytest.mark.parametrize(("limit", "value"), [("response", 0), ("hand", -1), ("strikes", -1), ("start", 1e9)])
def test_limits_that_cannot_be_are_refused(limit: str, value: float) -> None:
    with pytest.raises(BadSpec, match=limit):
        MatchLimits(**{limit: value})  # type: ignore[arg-type]  # wrong on purpose


def test_values_of_a_match_are_whole_and_add_up() -> None:
    table = Played(MatchPlan(DEFINITIONS["holdem.limit.3p"], 200, 3))
    while not table.dealer.over:
        table.say("r" if table.waiting else "c")
    values = [seat.value for seat in table.dealer.seats]
    assert sum(values) == 0
    assert all(isinstance(value, Fraction) for value in values)
