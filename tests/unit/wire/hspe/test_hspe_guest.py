"""A guest at an HSPE server that is away, or has no time."""

import json
from typing import Any

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.bots import HandEnd, HandStart
from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadSpec
from poker_actors.history import FORMATS, record
from poker_actors.rules import Action, Call, Check, Fold, Hand, PublicState, Stakes, View
from poker_actors.wire.hspe import Client, Guest, ServerRefusal
from poker_actors.wire.hspe.guest import arranged, end_of, end_told, is_next, is_over, public_of


class Away(Client):
    """A client whose server answers nothing but what `fails` raises; each answer takes a second."""

    def __init__(self, *fails: Exception) -> None:
        super().__init__("http://127.0.0.1:1", "ann", "pw")
        self.fails = fails
        self.asked = 0
        self.seconds = 0.0

    async def _ask(self, call: Any) -> Any:
        fails = self.fails[min(self.asked, len(self.fails) - 1)]
        self.asked += 1
        self.seconds += 1.0
        assert self.asked < 1000, "it waits for ever"
        raise fails


def played(client: Away) -> None:
    def sleep(seconds: float) -> None:
        client.seconds += seconds

    with Room(StepRuntime(), seed=1) as room:
        guest = Guest(room.player("ann"), client, "game", sleep=sleep, clock=lambda: client.seconds)
        guest.play()


@pytest.mark.parametrize("away", [ConnectionRefusedError("refused"), ServerRefusal("too much", status=503)])
def test_a_server_that_is_away_is_waited_for_a_minute_by_the_clock(away: Exception) -> None:
    client = Away(away)
    with pytest.raises(type(away)):
        played(client)
    assert 60 < client.seconds < 63


def test_a_refusal_shows_that_the_server_is_there() -> None:
    away, late = ConnectionRefusedError("refused"), ServerRefusal("not your turn", status=403)
    client = Away(*[away] * 50, late, away)
    with pytest.raises(ConnectionRefusedError):
        played(client)
    assert client.asked > 100


def test_a_refusal_that_waiting_does_not_change_ends_it_at_once() -> None:
    client = Away(ServerRefusal("no such game", status=404))
    with pytest.raises(ServerRefusal, match="no such game"):
        played(client)
    assert client.asked == 1


# -- what a bot hears at the original, which has no routes of ours ---------------------------------------


class Listener:
    """A bot that checks, calls, and keeps what it hears."""

    def __init__(self) -> None:
        self.starts: list[HandStart] = []
        self.ends: list[HandEnd] = []

    def __call__(self, view: View) -> Action:
        return view.legal.passive

    def hand_started(self, start: HandStart) -> None:
        self.starts.append(start)

    def hand_over(self, end: HandEnd) -> None:
        self.ends.append(end)


Told = tuple[str, str, int, int]
"""id, state, wealth and chips in front; the first of a table is the small blind"""


def picture(
    *table: Told,
    hole: str = "AC TD",
    board: str = "",
    turn: str = "",
    pot: int = 0,
    winners: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return a game as the Go server shows it, with what was bet on earlier streets in `pot`."""
    cards = board.split()
    dealt = [one[0] for one in table]
    bets = sum(one[3] for one in table)
    keys = ("playerID", "state", "wealth", "bet_so_far")
    players = [dict(zip(keys, one, strict=True)) | {"handle": ""} for one in table]
    return {
        "table": [player | {"small_blind": not place} for place, player in enumerate(players)],
        "turn": {
            "playerID": turn,
            "bet_so_far": 0,
            "bet_to_player": max(one[3] for one in table),
            "minimum_raise": 10,
        },
        "cards": {
            "hole": hole.split() or None,
            "flop": cards[:3] or None,
            "turn": cards[3:4] or None,
            "river": cards[4:] or None,
        },
        "pots": [{"size": pot + bets, "players": dealt}] if turn else None,
        "last_winners": winners,
    }


class Showing(Client):
    """A client of a server that shows these pictures, one a poll, and knows no route of ours; then it is gone."""

    def __init__(self, *pictures: dict[str, Any]) -> None:
        super().__init__("http://127.0.0.1:1", "ann", "pw")
        self.player_id = "ann"
        self.pictures = iter(pictures)
        self.done: list[str] = []
        """what it asked for beside looking"""
        self.unknown: list[str] = []
        """what it looked for and is not there"""

    async def _ask(self, call: Any) -> Any:
        if call.method == "GET" and call.path == "/games/game/":
            shown = next(self.pictures, None)
            if shown is None:
                raise ServerRefusal("no such game", status=410)
            return shown
        if call.method == "GET":
            self.unknown.append(call.path)
            raise ServerRefusal("404 page not found", status=404)
        self.done.append("leave" if call.method == "DELETE" else f"{call.method} {call.path} {call.body}")
        return None


class Telling(Guest):
    """A guest whose player is told states only: nothing is made of what nobody knows."""

    def tell(self, public: PublicState, *of: Any) -> None:
        assert isinstance(public, PublicState)
        super().tell(public, *of)


def heard(*pictures: dict[str, Any]) -> Listener:
    listener, client = Listener(), Showing(*pictures)
    with Room(StepRuntime(), seed=1) as room:
        guest = Telling(room.player("ann", listener), client, "game", sleep=lambda seconds: None)
        with pytest.raises(ServerRefusal, match="no such game"):
            guest.play()
    assert not guest.player.faults.total
    assert len(client.unknown) == len(set(client.unknown)), "a route that is not there is asked for once"
    return listener


BOARD = "2S 3S 4D AH JS"
ASKED = picture(("ann", "active", 9990, 10), ("bob", "active", 9980, 20), turn="ann")
ON_RIVER = picture(("ann", "called", 9940, 20), ("bob", "active", 9940, 20), board=BOARD, turn="bob", pot=80)


FLOP = picture(("ann", "active", 9980, 0), ("bob", "active", 9980, 0), board="2S 3S 4D", turn="ann", pot=40)
OTHERS_TURN = picture(("ann", "called", 9980, 20), ("bob", "active", 9980, 20), turn="bob")
OTHER_HOLE = picture(("ann", "active", 9990, 10), ("bob", "active", 9980, 20), hole="7H 8H", turn="ann")
NO_HOLE = picture(("ann", "active", 9990, 10), ("bob", "active", 9980, 20), hole="", turn="ann")
PAUSE = picture(("ann", "called", 9990, 0), ("bob", "called", 10010, 0))


def test_an_end_has_the_chips_of_the_pause_and_of_five_cards_the_two_that_are_no_board() -> None:
    winners = [{"PlayerID": "bob", "Hand": ["AH", "AD", "JS", "JD", "4D"]}]
    pause = picture(("ann", "called", 9940, 0), ("bob", "called", 10060, 0), board=BOARD, winners=winners)
    listener = heard(ASKED, ON_RIVER, pause)
    assert [(one.number, one.seat, one.names, one.stacks) for one in listener.starts] == [
        (0, 0, ("ann", "bob"), (10_000, 10_000))
    ]
    (end,) = listener.ends
    assert (end.payoffs, end.final_stacks) == ((-60, 60), (9940, 10_060))
    assert " ".join(map(str, end.board)) == "2s 3s 4d Ah Js"
    assert {seat: " ".join(map(str, cards)) for seat, cards in end.shown.items()} == {1: "Ad Jd"}
    assert end.unheard == ()
    assert end.public.over


@pytest.mark.parametrize(
    ("hand", "board"),
    [(["AH", "JS", "4D", "3S", "AD"], BOARD), (["AH", "JD", "9D", "3S", "2S"], "2S 3S 4D AH")],
)
def test_a_winner_whose_five_cards_do_not_name_both_of_his_has_not_shown(hand: list[str], board: str) -> None:
    pause = picture(
        ("ann", "called", 9940, 0),
        ("bob", "called", 10060, 0),
        board=board,
        winners=[{"PlayerID": "bob", "Hand": hand}],
    )
    (end,) = heard(ASKED, pause).ends
    assert end.shown == {}


def test_the_next_hand_before_its_flop_tells_the_chips_of_the_last_one() -> None:
    following = picture(
        ("bob", "active", 10050, 10), ("ann", "active", 9920, 20), hole="7H 8H", turn="bob", winners=[]
    )
    listener = heard(ASKED, ON_RIVER, following)
    (end,) = listener.ends
    assert (end.names, end.payoffs) == (("ann", "bob"), (-60, 60))
    assert end.board == parse_cards("2s3s4dAhJs"), "not the next hand's"
    assert [one.number for one in listener.starts] == [0, 1]
    assert listener.starts[1].stacks == (10_060, 9940)


@pytest.mark.parametrize(
    "following",
    [
        # the small blind has not passed on: a hand between was missed
        picture(("ann", "active", 9930, 10), ("bob", "active", 10040, 20), hole="7H 8H", turn="ann"),
        # bets of earlier streets are nobody's chips any more
        picture(
            ("bob", "active", 10040, 0),
            ("ann", "active", 9920, 0),
            hole="7H 8H",
            board="2S 3S 4D",
            turn="bob",
            pot=40,
        ),
        # somebody has gone, or has bought in again
        picture(("ann", "active", 9930, 10), ("cat", "active", 9980, 20), hole="7H 8H", turn="ann"),
        picture(("bob", "active", 9990, 10), ("ann", "active", 9920, 20), hole="7H 8H", turn="bob"),
        picture(("bob", "active", 10990, 10), ("ann", "active", 9920, 20), hole="7H 8H", turn="bob"),
    ],
)
def test_an_end_that_pictures_do_not_say_is_not_told(following: dict[str, Any]) -> None:
    listener = heard(ASKED, ON_RIVER, following)
    assert listener.ends == []
    assert [one.number for one in listener.starts] == [0, 1]


def test_a_hand_first_seen_after_the_flop_has_no_end() -> None:
    pause = picture(("ann", "called", 9940, 0), ("bob", "called", 10060, 0), board=BOARD)
    assert heard(ON_RIVER, pause).ends == []


def test_an_end_is_told_once() -> None:
    pause = picture(("ann", "folded", 9990, 0), ("bob", "active", 10010, 0))
    listener = heard(ASKED, pause, pause, pause)
    assert [end.payoffs for end in listener.ends] == [(-10, 10)]
    assert len(listener.starts) == 1


def test_no_end_is_told_before_the_hand_is_over() -> None:
    pause = picture(("ann", "called", 9940, 0), ("bob", "called", 10060, 0), board=BOARD)
    listener = heard(ASKED, OTHERS_TURN, ON_RIVER, pause)
    assert [end.payoffs for end in listener.ends] == [(-60, 60)]


@pytest.mark.parametrize("hole", ["AC TD", ""])
def test_a_pause_in_which_the_cards_are_gone_is_the_end_of_the_hand(hole: str) -> None:
    pause = picture(("ann", "called", 9940, 0), ("bob", "called", 10060, 0), hole=hole)
    (end,) = heard(ASKED, ON_RIVER, pause).ends
    assert end.payoffs == (-60, 60)
    if not hole:
        assert end.board == parse_cards("2s3s4dAhJs"), "as it was last seen"


@pytest.mark.parametrize(
    ("pictures", "starts"),
    [("ah", 2), ("aph", 2), ("apph", 2), ("apa", 2), ("ra", 2), ("pa", 1), ("n", 0), ("no", 1)],
)
def test_a_hand_begins_with_cards_and_somebody_to_act(pictures: str, starts: int) -> None:
    watching = picture(("ann", "folded", 10_000, 0), ("bob", "active", 10_000, 0), hole="", turn="bob")
    shown = {"a": ASKED, "h": OTHER_HOLE, "p": PAUSE, "r": ON_RIVER, "n": watching, "o": OTHERS_TURN}
    assert [one.number for one in heard(*[shown[each] for each in pictures]).starts] == list(range(starts))


def test_names_are_handles_where_there_are_some() -> None:
    table = [player | {"handle": name} for player, name in zip(ASKED["table"], ("Ann", ""), strict=True)]
    (start,) = heard(ASKED | {"table": table}).starts
    assert start.names == ("Ann", "bob")


def test_a_hand_first_seen_after_the_flop_has_no_end_even_if_the_chips_fit() -> None:
    flop = picture(("ann", "active", 100, 0), ("bob", "active", 100, 0), board="2S 3S 4D", turn="bob", pot=1)
    pause = picture(("ann", "called", 101, 0), ("bob", "called", 100, 0), board="2S 3S 4D")
    assert heard(flop, pause).ends == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"table": None},
        {"table": [{"playerID": "ann"}]},
        {"table": [ASKED["table"][0] | {"wealth": True}]},
        {"turn": {}},
        {"turn": "ann"},
        {"turn": ASKED["turn"] | {"bet_to_player": -1}},
        {"turn": ASKED["turn"] | {"minimum_raise": 2**64}},
        {"cards": {"hole": None}},
        {"cards": ASKED["cards"] | {"hole": "AC TD"}},
        {"pots": [{"size": "10", "players": []}]},
        {"last_winners": [{"Hand": []}]},
    ],
)
def test_what_is_no_game_is_refused_and_no_fault_of_ours(wrong: dict[str, Any]) -> None:
    for shown in (ASKED | wrong, [ASKED]):
        client = Showing(ASKED, shown)  # type: ignore[arg-type]  # what another server may say
        with Room(StepRuntime(), seed=1) as room, pytest.raises(ServerRefusal, match="is not an HSPE game"):
            Guest(room.player("ann", Listener()), client, "game", sleep=lambda seconds: None).play()
        assert len(client.done) == 1


# -- what it hears at a server of ours -----------------------------------------------------------------


class Ours(Showing):
    """A client of a server that tells how hands begin, and after refusing it `late` times the `history` of one."""

    def __init__(self, start: Any, late: int, history: Any, *pictures: dict[str, Any]) -> None:
        super().__init__(*pictures)
        self.start, self.late, self.history = start, late, history
        self.hands_read: list[str] = []

    async def _ask(self, call: Any) -> Any:
        below = call.path.removeprefix("/games/game/")
        if below == "heard":
            return {"start": self.start}
        if below.startswith("hands/"):
            self.hands_read.append(below.removeprefix("hands/"))
            if len(self.hands_read) <= self.late:
                raise ServerRefusal("404: not over yet", status=404, code="no_hand")
            return self.history
        return await super()._ask(call)


def heard_at_ours(
    start: dict[str, Any],
    late: int = 0,
    pauses: int = 1,
    *,
    hands: int | None = None,
    then: dict[str, Any] | None = None,
) -> tuple[Listener, Ours]:
    """Let a guest hear a hand and see `pauses` after it, or `then`; its history is there after `late` of them."""
    hand = Hand([200, 200, 200], Stakes(1, 2), deck=Deck.stacked(["2c7d", "AcTd", "7h8h"]), button=2)
    for action in (Fold(), Fold()):
        hand.act(action)
    history = json.loads(FORMATS["jsonl"].text(record(hand).seen_by(1), 0))
    table: list[Told] = [(name, "active", 200, 0) for name in ("cat", "ann", "bob")]
    after = [picture(*table)] * pauses if then is None else [then]
    turn = "bob" if hands is None else "ann"
    client = Ours(start, late, history, picture(*table, turn=turn), *after)
    listener = Listener()
    with Room(StepRuntime(), seed=1) as room:
        guest = Guest(room.player("ann", listener), client, "game", sleep=lambda seconds: None)
        if hands is not None:
            guest.play(hands)
        else:
            with pytest.raises(ServerRefusal, match="no such game"):
                guest.play()
    assert not guest.player.faults.total
    return listener, client


START: dict[str, Any] = {
    "hand_id": "main/3",
    "hole": ["Ac", "Td"],
    "names": ["cat", "ann", "bob"],
    "button": 2,
    "starting_stacks": [200, 200, 200],
}


def test_of_a_server_of_ours_the_hand_that_began_is_read() -> None:
    listener, client = heard_at_ours(START)
    assert client.hands_read == ["main%2F3"]
    (end,) = listener.ends
    assert (end.names, end.payoffs) == (("cat", "ann", "bob"), (-1, 1, 0))


@pytest.mark.parametrize(
    "other",
    [
        {"hole": ["Ah", "Td"]},
        {"names": ["cat", "ann", "dan"]},
        {"names": ["cat", "ann"]},
        {"hand_id": 3},
        {"button": 10},
        {"starting_stacks": "200"},
    ],
)
def test_a_start_of_other_cards_or_with_somebody_unknown_is_not_believed(other: dict[str, Any]) -> None:
    listener, client = heard_at_ours(START | other)
    assert client.hands_read == []
    assert len(listener.starts) == 1


def test_the_end_of_a_server_of_ours_is_waited_for_and_by_who_leaves_too() -> None:
    for hands in (None, 1):
        listener, client = heard_at_ours(START, 1, 2, hands=hands)
        (end,) = listener.ends
        assert len(end.public.actions) == 2, "by its history, for pictures have no actions"
        assert client.done[-1:] == ([] if hands is None else ["leave"])


def test_an_end_that_a_server_of_ours_does_not_tell_is_taken_from_pictures_after_twenty_polls() -> None:
    assert heard_at_ours(START, 99, 20)[0].ends == []
    (end,) = heard_at_ours(START, 99, 21)[0].ends
    assert end.public.actions == ()


def test_an_end_in_its_history_is_not_taken_from_the_next_hand() -> None:
    seats = [("cat", 200), ("ann", 199), ("bob", 198)]
    table = [(name, "active", chips, 200 - chips) for name, chips in seats]
    following = picture(*table, hole="7H 8H", turn="bob")
    for place, player in enumerate(following["table"]):
        player["small_blind"] = place == 1
    (end,) = heard_at_ours(START, then=following)[0].ends
    assert len(end.public.actions) == 2


def test_seats_without_chips_at_the_start_are_left_out() -> None:
    listener, _ = heard_at_ours(START | {"starting_stacks": [0, 200, 200]}, 99)
    assert listener.starts[0].names == ("ann", "bob")


# -- when it comes, plays and goes ---------------------------------------------------------------------


class Stays:
    """A bot that checks, calls and hears nothing."""

    def __call__(self, view: View) -> Action:
        return view.legal.passive


def followed(
    *pictures: dict[str, Any], hands: int | None = None, bot: Any = Stays
) -> tuple[list[str], int, int]:
    """Return what a guest did at these pictures, the hands it counted and the pictures that it did not look at."""
    client = Showing(*pictures)
    with Room(StepRuntime(), seed=1) as room:
        guest = Guest(room.player("ann", bot()), client, "game", sleep=lambda seconds: None)
        try:
            guest.play(hands)
        except ServerRefusal:
            client.done.append("went on")
    return client.done, guest.hands, len(list(client.pictures))


def test_it_waits_for_a_seat_and_ends_when_it_has_lost_it() -> None:
    without = picture(("bob", "active", 100, 0), ("cat", "active", 100, 0), hole="")
    seated = picture(("bob", "active", 100, 0), ("ann", "active", 100, 0), hole="")
    assert followed(without, without, seated, without, seated) == ([], 0, 1)


@pytest.mark.parametrize(
    ("pictures", "hands"),
    [
        ("a", 1),
        ("af", 1),
        ("ao", 1),
        ("ah", 2),
        ("ap", 1),
        ("afa", 2),  # the same cards with fewer on the board
        ("n", 0),
        ("an", 1),
    ],
)
def test_hands_are_told_apart_by_cards_and_board(pictures: str, hands: int) -> None:
    shown = {"a": ASKED, "f": FLOP, "o": OTHERS_TURN, "h": OTHER_HOLE, "p": PAUSE, "n": NO_HOLE}
    done, counted, _ = followed(*[shown[one] for one in pictures])
    turns = sum(one in "afh" for one in pictures)
    assert counted == hands
    assert len(done) == turns + 1, "each turn is answered, and one without cards is not"


def test_no_hands_are_left_at_once() -> None:
    assert followed(ASKED, ASKED, hands=0) == (["leave"], 0, 1)


def test_a_turn_shows_who_is_in_who_acts_next_and_what_each_began_with() -> None:
    seats: tuple[Told, ...] = (
        ("ann", "active", 90, 10), ("bob", "active", 80, 20), ("cat", "folded", 500, 0), ("dan", "all_in", 0, 40),
    )  # fmt: skip
    game = picture(*seats, turn="ann", pot=30)
    game["pots"][0]["players"] = ["ann", "bob", "dan"]  # cat sits out
    public = public_of(game)
    assert (public.live, public.seats_to_act) == ((0, 1, 3), (0, 1))
    assert public.setup.stacks == (110, 110, 0, 50)
    views: list[View] = []

    def calls(view: View) -> Action:
        views.append(view)
        return Call()

    followed(game, bot=lambda: calls)
    assert [view.public.setup.stacks for view in views] == [public.setup.stacks]
    with pytest.raises(BadSpec, match="nobody is to act"):
        public_of(picture(*seats))


def test_a_bot_that_hears_nothing_costs_no_request() -> None:
    client = Showing(ASKED, FLOP, PAUSE, OTHER_HOLE)
    with Room(StepRuntime(), seed=1) as room:
        guest = Guest(room.player("ann", Stays()), client, "game", sleep=lambda seconds: None)
        with pytest.raises(ServerRefusal, match="no such game"):
            guest.play()
    assert client.unknown == ["/games/game/table"]


def test_after_its_last_hand_it_hears_of_no_other() -> None:
    listener = Listener()
    followed(ASKED, OTHER_HOLE, OTHER_HOLE, hands=1, bot=lambda: listener)
    assert [one.number for one in listener.starts] == [0]


@pytest.mark.parametrize("bot", [Stays, Listener])
def test_after_its_last_hand_it_leaves_in_the_pause_or_at_the_next_hand(bot: Any) -> None:
    on_flop = picture(("ann", "called", 9980, 0), ("bob", "called", 10020, 0), board="2S 3S 4D")
    for last in (PAUSE, on_flop, OTHER_HOLE):
        done, hands, left = followed(ASKED, OTHERS_TURN, FLOP, last, last, hands=1, bot=bot)
        assert (done[-1], len(done), hands, left) == ("leave", 3, 1, 1)
    done, hands, _ = followed(ASKED, FLOP, OTHER_HOLE, hands=2, bot=bot)
    assert (done[-1], len(done), hands) == ("went on", 4, 2)


# -- what a picture says of the hand before -------------------------------------------------------------


def seated(order: str, small: int | None, *, board: str = "", over: bool = False) -> dict[str, Any]:
    shown = picture(*[(name, "active", 100, 0) for name in order], board=board, turn="" if over else order[0])
    for place, player in enumerate(shown["table"]):
        player["small_blind"] = place == small
    return shown


@pytest.mark.parametrize(
    ("before", "now", "wanted"),
    [
        (("abc", 0), ("abc", 1), True),
        (("abc", 2), ("abc", 0), True),
        (("abc", 0), ("abc", 0), False),
        (("abc", 0), ("abc", 2), False),
        (("abc", 0), ("cab", 0), True),
        (("abc", 0), ("bca", 0), False),
        (("abc", 1), ("cab", 0), False),
        (("abc", 0), ("cab", 1), False),
        (("abc", 0), ("abd", 1), False),
        (("abc", None), ("abc", 0), False),
        (("abc", 0), ("abc", None), False),
    ],
)
def test_the_next_hand_is_known_by_its_small_blind(
    before: tuple[str, int | None], now: tuple[str, int | None], wanted: bool
) -> None:
    assert is_next(seated(*before)["table"], seated(*now)) is wanted


def test_a_pause_and_a_later_street_are_not_the_start_of_the_next_hand() -> None:
    table = seated("abc", 0)["table"]
    assert not is_next(table, seated("abc", 1, over=True))
    assert not is_next(table, seated("abc", 1, board="2S 3S 4D"))


def test_a_hand_is_over_when_nobody_is_asked_and_there_are_no_pots() -> None:
    assert is_over(seated("ab", 0, over=True))
    assert not is_over(seated("ab", 0))
    assert not is_over(seated("ab", 0) | {"turn": {"playerID": ""}})
    assert not is_over(seated("ab", 0) | {"pots": None})


def test_chips_of_a_split_pot_may_be_one_too_many_for_each_winner_and_no_more() -> None:
    first = public_of(seated("abc", 0), stacks=(100, 100, 0))
    for more, told in ((0, True), (1, True), (2, False), (-1, False)):
        pause = picture(("a", "called", 100 + more, 0), ("b", "called", 100, 0), ("c", "folded", 0, 0))
        assert (end_of(first, (), pause) is not None) is told


def test_a_winner_who_is_not_at_the_table_any_more_shows_nothing() -> None:
    first = public_of(seated("ab", 0), stacks=(100, 100))
    winners = [{"PlayerID": "gone", "Hand": ["AH", "AD", "JS", "JD", "4D"]}]
    pause = picture(("a", "called", 100, 0), ("b", "called", 100, 0), board=BOARD, winners=winners)
    end = end_of(first, parse_cards("2s3s4dAhJs"), pause)
    assert end is not None
    assert end.shown == ()


def test_a_picture_without_pots_or_with_somebody_who_has_left_in_a_pot_is_read() -> None:
    shown = picture(("ann", "active", 90, 10), ("bob", "active", 80, 20), turn="ann")
    assert public_of(shown | {"pots": None}).stacks == (90, 80)
    shown["pots"][0]["players"].append("gone")
    assert public_of(shown).stacks == (90, 80)


@pytest.mark.parametrize(
    ("bet", "minimum", "least"),
    [(0, 10, 20), (0, 40, 40), (20, 10, 30), (20, 0, 0), (20, 2**63, 0), (0, 2**63, 0)],
)
def test_the_smallest_raise_is_a_total_and_none_where_the_original_says_nonsense(
    bet: int, minimum: int, least: int
) -> None:
    shown = picture(("ann", "active", 100, 0), ("bob", "active", 100, bet), turn="ann")
    shown["turn"]["minimum_raise"] = minimum
    assert public_of(shown).min_raise_to == least


def test_who_has_left_is_kept_in_the_order_of_a_hand() -> None:
    table = arranged(seated("ba", 0), "abx")["table"]
    assert [(one["playerID"], one["state"], one["wealth"]) for one in table] == [
        ("a", "active", 100),
        ("b", "active", 100),
        ("x", "folded", 0),
    ]


def test_a_history_of_a_server_of_ours_is_the_end_of_the_hand_it_is_of() -> None:
    hand = Hand([200, 200, 200], Stakes(1, 2), deck=Deck.seeded(3), button=2)
    assert end_told(record(hand).seen_by(0), hand.holes[0], 0) is None, "it is not over"
    moves: list[Action] = [Fold(), Call(), Check(), *[Check()] * 6]
    for action in moves:
        hand.act(action)
    history = record(hand).seen_by(1)
    end = end_told(history, hand.holes[1][::-1], 1)
    assert end is not None
    assert (end.actions, end.stacks, end.shown) == (
        hand.public().actions,
        hand.public().stacks,
        hand.public().shown,
    )
    assert end_told(history, hand.holes[0], 1) is None
    assert end_told(history, hand.holes[1], 3) is None


def test_hands_that_were_folded_or_mucked_are_not_shown() -> None:
    hand = Hand([200, 200], Stakes(1, 2), deck=Deck.stacked(["2c7d", "AsAh"], "3d4h9sTcQd"))
    moves: list[Action] = [Call(), Check(), *[Check()] * 6]
    for action in moves:
        hand.act(action)
    history = record(hand)
    seat = history.holes.index(hand.holes[1])
    end = end_told(history.seen_by(seat), hand.holes[1], seat)
    assert end is not None
    assert len(end.shown) == len(hand.public().shown) == 1
