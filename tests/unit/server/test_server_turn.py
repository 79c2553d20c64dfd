"""How a turn is taken, and its clock: that of a served room is the loop's, also where a request is carried out at once."""

import asyncio
from collections.abc import Callable, Mapping
from uuid import UUID

import attrs
import pytest

from poker_actors.actors import HandState, News, Refusal, Room, StepRuntime, TableNews
from poker_actors.actors.aio import AsyncRoom
from poker_actors.bots import HandStream
from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import BadSpec, IllegalAction, StaleAction, TableRefusal
from poker_actors.guard import Guard
from poker_actors.rules import GAMES, Action, Call, Check, Fold, Hand, Legal, RaiseTo, Stakes
from poker_actors.server import GO, README, Notes, Passwords, Rules, Users
from poker_actors.server.hspe import (
    Due,
    Game,
    Lobby,
    NamedAction,
    Order,
    Setting,
    read_move,
    read_order,
    read_setting,
)
from poker_actors.server.hspe.house import HouseSeat
from poker_actors.server.hspe.roster import Member
from poker_actors.server.hspe.turn import DealersChoice, Plans, TurnsTaken, action_of, planned
from poker_actors.server.http import Limits
from poker_actors.server.http.app_state import AppState
from poker_actors.server.live import Hands
from tests.unit.server.conftest import House, picture
from tests.unit.server.test_server_games import owed, refused, to_act
from tests.unit.server.test_server_pace import fold, table_of

KEY = ("main/hand-1", 7)


def test_a_turn_has_all_its_seconds_however_long_the_last_player_thought() -> None:
    async def main() -> None:
        runtime = StepRuntime()
        async with AsyncRoom(Room(runtime, seed=1)) as room:
            users = Users(notes := Notes(), Passwords(argon2=False, scrypt_cost=2))
            guard = Guard(limits := Limits())
            app = AppState(room, notes, users, profile=README, rules=Rules(), limits=limits, guard=guard)
            before = runtime.now()
            await asyncio.sleep(0.02)
            # what a hand that is carried on by the command counts the next deadline from
            assert app.settle(runtime.now) > before
            await app.close()
            guard.close()

    asyncio.run(main())


def test_an_order_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(BadSpec, match="an act must be a JSON object"):
        read_order(b"[]", README)
    with pytest.raises(BadSpec, match="betAmount -5 is below 0"):
        read_order(b'{"action": 1, "betAmount": -5}', GO)
    assert read_move(b'{"act": "discard", "cards": ["As"]}')[0].cards == parse_cards(["As"])
    assert read_move(b'{"act": "discard"}')[0].cards == ()


def test_a_bet_above_the_call_is_a_call_where_nobody_may_raise_and_else_it_is_invalid() -> None:
    hand = Hand([100, 200], Stakes(5, 10), deck=Deck.seeded(1))
    public, seat = hand.public(), hand.public().seats_to_act[0]
    assert action_of(Order(None), public, seat) == Fold()
    assert action_of(Order(95), public, seat) == RaiseTo(100)
    with pytest.raises(IllegalAction, match="raise_to 11 is below the minimum of 20"):
        action_of(Order(6), public, seat)
    hand.act(RaiseTo(100))
    assert action_of(Order(91), hand.public(), 1 - seat) == Call()
    with pytest.raises(IllegalAction, match="there are 90 to call"):
        action_of(Order(0), hand.public(), 1 - seat)
    draw = Hand([100, 200], Stakes(5, 10), deck=Deck.seeded(1), game=GAMES["five-card-draw"])
    draw.act(Call())
    draw.act(Check())
    assert action_of(Order(20), draw.public(), draw.public().seats_to_act[0]) == Check(), "no turn to bet"


def test_nobody_acts_where_no_turn_is_open(house: House) -> None:
    game, (ann,) = house.game_of("ann")
    assert game.turn is None
    refused("out_of_turn", lambda: game.act(ann.id, Order(None)))
    refused("out_of_turn", lambda: game.take(ann.id, NamedAction("fold")))
    game.plan(ann.id, None)
    refused("not_active", lambda: game.plan(ann.id, "check_fold"))


def test_the_invalid_bet_of_a_hand_is_said_until_its_end(house: House) -> None:
    game, _ = house.game_of("ann", "bob", "cyd")
    game.act(folder := to_act(game), Order(5))
    house.run()
    game.act(to_act(game), Order(owed(game)))
    house.run()
    assert game.invalid_bet is not None
    assert game.invalid_bet.user == folder
    game.act(to_act(game), Order(0))
    house.run()
    fold(house, game)
    assert game.invalid_bet is None, "another hand has begun"


def test_who_has_no_more_turns_in_a_hand_plans_none(house: House) -> None:
    game, _ = house.game_of("ann", "bob")
    state = next(iter(game.dealt.values()))
    laid = Hand([100, 100], GAMES["open-face"].stakes, deck=Deck.seeded(1), game=GAMES["open-face"])
    Plans.check(state, state.public)
    for absent in ((None, state.public), (state, None)):
        with pytest.raises(TableRefusal, match="not in a hand"):
            Plans.check(*absent)
    with pytest.raises(TableRefusal, match="placed in view of all"):
        Plans.check(state, laid.public())
    for expected in (Call(), Check()):
        assert game.turn is not None
        assert planned("call_any", game.turn.state) == expected
        game.turn.state.act(expected)
        house.run()
    over = Hand([100, 100], Stakes(5, 10), deck=Deck.seeded(1))
    over.act(Fold())
    (winner,) = over.public().seats_live
    with pytest.raises(TableRefusal, match="not in a hand"):
        Plans.check(attrs.evolve(state, seat=winner), over.public())


def test_the_game_of_an_orbit_is_named_by_who_is_asked_or_in_turn(house: House) -> None:
    assert DealersChoice.of(read_setting(b'{"game": "horse"}', "ann")) is None
    choice = DealersChoice.of(read_setting(b'{"game": "dealers-choice"}', "ann"))
    assert choice is not None
    ann, bob = (Member(house.user(name), house.room.player(name), 0) for name in ("ann", "bob"))
    with pytest.raises(TableRefusal, match="not your turn to name"):
        choice.take(ann.user.id, "razz")
    assert not choice.lapse(None)
    assert not choice.ask(0, {0: ann, 3: bob}, 100.0, 20.0)
    asked = choice.open
    assert asked is not None
    assert (asked.user, asked.seat, asked.expiry) == (ann.user.id, 0, 120.0)
    assert not choice.ask(0, {0: ann, 3: bob}, 110.0, 20.0)
    assert choice.open is asked, "the same question keeps its time"
    with pytest.raises(TableRefusal):
        choice.take(bob.user.id, "razz")
    choice.take(ann.user.id, "razz")
    assert choice.ask(1, {0: ann, 3: bob}, 130.0, 20.0)
    assert not choice.lapse(asked), "it is named already"
    assert [None if one is None else one.name for one in map(choice.game_of, (0, 5, 6))] == [
        "razz",
        "razz",
        None,
    ]
    bob.away = 1.0
    assert choice.ask(6, {0: ann, 3: bob}, 140.0, 20.0), "who sits out is not asked"
    bob.away, bob.house = None, HouseSeat.of(str(UUID(int=1)), "tight 1", "tight", 1)
    assert choice.ask(18, {0: ann, 3: bob}, 140.0, 20.0), "nor is the house"
    assert not choice.ask(12, {0: ann, 3: bob}, 150.0, 20.0)
    late = choice.open
    assert not choice.ask(24, {0: ann, 3: bob}, 160.0, 20.0), "another hand is another question"
    assert choice.open is not late
    assert choice.lapse(choice.open)
    assert choice.game_of(24) is choice.unasked(24)


def test_all_in_is_what_the_turn_allows_and_nothing_without_one() -> None:
    named = NamedAction("all_in")
    assert named.action(Legal(0, 10, 20, 80, all_in_total=80)) == RaiseTo(80)
    with pytest.raises(IllegalAction, match="all_in is not possible here"):
        named.action(Legal(0, 10, 20, 40))
    with pytest.raises(StaleAction, match="all_in: that turn is over"):
        named.action(None)


def test_the_cards_of_a_turn_that_is_repeated_are_those_of_the_first_time() -> None:
    taken: TurnsTaken[NamedAction] = TurnsTaken()
    first, other = (NamedAction("discard", cards=tuple(parse_cards(text))) for text in ("As Kd", "As Qd"))
    taken.check_cards("ann", KEY, other)
    taken.check_cards("ann", None, other)
    taken.keep("ann", KEY, first)
    assert taken.was("ann", KEY, first)
    taken.check_cards("ann", KEY, NamedAction("discard", cards=first.cards[::-1]))
    for user, key, done in (
        ("bob", KEY, other),
        ("ann", (KEY[0], 8), other),
        ("ann", None, other),
        ("ann", KEY, NamedAction("lay", rows=(other.cards, (), ()))),
    ):
        taken.check_cards(user, key, done)
    with pytest.raises(StaleAction, match="main/hand-1 #7: other cards have been laid or thrown away"):
        taken.check_cards("ann", KEY, other)
    taken.keep("ann", KEY, laid := NamedAction("lay", rows=(first.cards, (), ())))
    taken.check_cards("ann", KEY, laid)
    with pytest.raises(StaleAction):
        taken.check_cards("ann", KEY, NamedAction("lay", rows=((), first.cards, ())))


def test_the_last_turn_of_a_full_table_is_remembered_and_no_more() -> None:
    taken: TurnsTaken[int] = TurnsTaken()
    for number in range(33):
        taken.keep(str(number), KEY, number)
    assert [taken.was(str(number), KEY, number) for number in (0, 1, 32)] == [False, True, True]


@pytest.mark.parametrize(
    ("due", "expiry", "grace"),
    [
        (Due(KEY, 1_000.0), 1_160.0, 0.0),
        (Due(KEY, 2_000.0), 2_000.0, 0.0),
        (Due(KEY, 1_000.0, bank=5.0), 1_060.0, 60.0),
        (Due(KEY, 1_090.0, bank=5.0, grace=30.0), 1_060.0, 0.0),
    ],
)
def test_a_turn_has_a_minute_or_a_tenth_left_after_a_restart_and_a_bank_no_more(
    due: Due, expiry: float, grace: float
) -> None:
    after = due.after_restart(1_000.0, 1_600.0)
    assert (after.expiry, after.grace, after.bank) == (expiry, grace, due.bank)
    assert Due.from_plain(after.plain()) == after
    assert len(after.plain()) == (5 if grace else 4)


# -- turns and hands of a game -----------------------------------------------------------------------


def test_who_waits_for_a_seat_takes_no_turn_though_it_names_one(house: House) -> None:
    game, _ = house.game_of("ann", "bob", seats=2)
    cat = house.user("cat")
    house.lobby.join(cat, game.id)
    assert game.turn is not None
    key = game.turn.key
    refused("out_of_turn", lambda: game.take(cat.id, NamedAction("call"), key))
    refused("out_of_turn", lambda: game.act(cat.id, Order(None), key))
    refused("out_of_turn", lambda: game.act(cat.id, Order(None)))
    assert game.turn.key == key


def test_all_in_for_a_turn_that_is_over_is_late_whatever_the_next_allows(house: House) -> None:
    game, _ = house.game_of("ann", "bob")
    assert game.turn is not None
    who, key = game.turn.user, game.turn.key
    for _ in range(2):
        game.act(to_act(game), Order(owed(game)))
        house.run()
    game.act(to_act(game), Order(0))
    house.run()
    assert to_act(game) == who
    with pytest.raises(StaleAction, match="all_in: that turn is over"):
        game.take(who, NamedAction("all_in"), key)


def test_only_a_turn_that_may_be_sent_again_is_noted(house: House) -> None:
    game, _ = house.game_of("ann", "bob")
    game.act(to_act(game), Order(owed(game)))
    house.run()
    game.take(to_act(game), NamedAction("check"))
    house.run()
    assert not house.notes.under("taken/")
    assert game.turn is not None
    game.act(to_act(game), Order(0), game.turn.key)
    assert house.notes.under("taken/")


def test_a_plan_is_taken_while_who_left_in_turn_is_folded_for(house: House) -> None:
    game, _ = house.game_of("ann", "bob", "cat")
    game.leave(to_act(game))
    assert game.turn is None
    other = next(iter(game.roster.playing))
    game.plan(other, "check_fold", game.hand_id)
    assert game.planned(other) == "check_fold"


def test_a_game_is_named_only_where_players_choose(house: House) -> None:
    game, (ann, _) = house.game_of("ann", "bob")
    refused("out_of_turn", lambda: game.choose(ann.id, "razz"))


def test_a_player_alone_or_in_a_hand_is_not_asked_for_a_game(house: House) -> None:
    game, (ann,) = table_of(house, Setting(game="dealers-choice", seats=2), "ann")
    assert game.choice is not None
    assert game.choice.open is None
    house.lobby.join(house.user("bob"), game.id)
    house.run()
    game.choose(ann.id, "omaha")
    house.run()
    game.take(to_act(game), NamedAction("fold"))
    house.run()
    house.lobby.join(house.user("cat"), game.id)  # in the orbit's last hand
    house.run()
    assert game.turn is not None
    assert game.choice.open is None
    game.take(to_act(game), NamedAction("fold"))
    house.run()
    assert game.choice.open is not None


def test_an_hour_of_waiting_for_a_turn_costs_no_write(house: House) -> None:
    game, _ = table_of(house, Setting(turn_seconds=86_400), "ann", "bob")
    house.notes.put(f"due/{game.id}", "as it was")
    house.run(3 * 3600)
    assert house.notes.under("due/") == {game.id: "as it was"}


class Thinks:
    """An entrant of the arena that thinks for so many looks."""

    looks = 0

    def check(self, name: str, game: str, seated: int, theirs: int) -> None:
        """Let everybody play."""

    def decide(self, seat: HouseSeat, state: HandState, stream: HandStream) -> Action | None:
        self.looks += 1
        return None if self.looks < 4 else state.legal.passive


def test_an_entrant_that_thinks_is_asked_again_soon_and_keeps_its_turn(house: House) -> None:
    house.lobby.entrants = thinks = Thinks()
    ann = house.user("ann")
    game, _ = house.lobby.make(ann, Setting(think=0.5))
    house.lobby.seat_house(ann, game.id, ["arena/deep"])
    house.run()
    if to_act(game) == ann.id:
        game.act(ann.id, Order(owed(game)))
        house.runtime.run()
    entrant = to_act(game)
    assert entrant != ann.id
    told: list[News] = []
    house.room.players[entrant].listen(told.append)
    house.run(0.5 + 2.5 * 0.05)
    assert (thinks.looks, to_act(game)) == (3, entrant)
    house.run(0.05)
    assert (thinks.looks, to_act(game)) == (4, ann.id)
    assert not [news for news in told if isinstance(news, Refusal)]


def test_a_server_that_closes_writes_nothing_of_a_bank_and_deals_no_more(house: House) -> None:
    game, _ = table_of(house, Setting(time_bank=60), "ann", "bob")
    house.run(15 + 20)
    turn, noted = game.turn, house.notes.under("game/")
    assert turn is not None
    house.lobby.close()
    assert house.notes.under("game/") == noted
    turn.state.act(Fold())
    house.run(60)
    assert game.table.state().hand_id is None
    assert game.table.state().number == 1


def test_news_of_a_hand_that_is_booked_changes_nothing_but_cards_that_are_shown(house: House) -> None:
    game, (ann, bob) = house.game_of("ann", "bob", pause=60)
    fold(house, game)
    late = game.dealt[ann.id]
    game.show(bob.id)
    house.run()
    shown, before = game.public, game.version
    assert shown is not None
    assert len(shown.shown) == 1
    game.heard(ann.id, late)
    assert (game.public, game.version) == (shown, before), "cards are not taken back"
    with_cards = attrs.evolve(late, change=attrs.evolve(late.change, public=shown))
    house.run(60)
    dealt, before = game.hand_id, game.version
    game.heard(ann.id, with_cards)
    assert (game.hand_id, game.version) == (dealt, before), "nor is the next hand"
    assert game.public is not None
    assert not game.public.shown


def test_news_of_a_void_hand_opens_no_turn(house: House) -> None:
    game, _ = house.game_of("ann", "bob")
    assert game.turn is not None
    state, user = game.turn.state, game.turn.user
    game.heard(user, TableNews(game.id, "hand_voided", hand_id=game.hand_id))
    assert picture(game, None)["turn"] is None
    assert (game.public, game.hands) == (None, 0)
    assert game.notice is not None
    assert "the hand is void" in game.notice
    before = game.version
    game.heard(user, state)
    assert picture(game, None)["turn"] is None
    assert (game.public, game.version) == (None, before)


def test_a_hand_that_was_over_and_is_void_leaves_stacks_as_they_were(house: House) -> None:
    game, users = house.game_of("ann", "bob")
    heard = game.heard

    def hear(user_id: str, news: object) -> None:
        if isinstance(news, TableNews) and news.what == "hand_ended":
            news = attrs.evolve(news, what="hand_voided")
        heard(user_id, news)  # type: ignore[arg-type]

    game.heard = hear  # type: ignore[method-assign]
    game.act(to_act(game), Order(None))
    house.runtime.run()
    assert [game.roster.playing[user.id].wealth for user in users] == [10_000, 10_000]
    assert (game.public, game.hands) == (None, 0)


def test_a_turn_that_is_taken_is_not_opened_by_late_news(house: House) -> None:
    game, _ = house.game_of("ann", "bob", "cat")
    assert game.turn is not None
    late, first = game.turn.state, game.turn.user
    game.act(first, Order(owed(game)))
    house.run()
    turn = game.turn
    game.heard(first, late)
    assert game.turn is turn


def test_a_join_in_the_pause_after_a_hand_does_not_cut_it(house: House) -> None:
    game, _ = house.game_of("ann", "bob", pause=4)
    fold(house, game)
    hand = game.hand_id
    house.lobby.join(house.user("cat"), game.id)
    house.run(3)
    assert game.table.state().hand_id is None
    assert game.hand_id == hand
    house.run(1)
    assert game.hand_id != hand


def test_a_table_at_which_nothing_happens_is_not_shown_anew(house: House) -> None:
    game, users = table_of(house, Setting(pause=4), "ann", "bob")
    fold(house, game)
    for user in users:
        game.sit_out(user.id, out=True)
    before = game.version
    house.run(60)
    assert game.version == before


class Players:
    """Notes the names of who was in each hand that a lobby reports."""

    def __init__(self, lobby: Lobby) -> None:
        self.hands: list[set[str]] = []
        lobby.on_ended.append(self.note)

    def note(self, game: Game, hand: Hand, hand_id: str, players: Mapping[int, Member]) -> None:
        self.hands.append({one.user.name for one in players.values()})


def test_a_hand_that_ended_before_a_restart_is_counted_and_not_called_void(
    reopened: Callable[..., House],
) -> None:
    house = reopened()
    game, _ = house.game_of("ann", "bob", pause=60)
    fold(house, game)
    house.run(60)
    game.act(to_act(game), Order(None))  # over, and not paid when the server dies
    again = reopened(Players)
    back = again.lobby.game(game.id)
    assert (back.notice, back.hands, back.table.state().hand_id) == (None, 2, None)
    assert isinstance(again.made, Players)
    assert again.made.hands == [{"ann", "bob"}]
    again.run(60)
    assert to_act(back), "the next is dealt after the pause"


def test_who_came_during_a_hand_is_not_among_its_players_after_a_restart(
    reopened: Callable[..., House],
) -> None:
    house = reopened()
    game, _ = house.game_of("ann", "bob")
    house.lobby.join(house.user("cat"), game.id)
    house.run()
    again = reopened(Players)
    fold(again, again.lobby.game(game.id))
    assert isinstance(again.made, Players)
    assert again.made.hands == [{"ann", "bob"}]


def test_a_hand_that_ends_after_the_server_has_closed_is_told_of_at_the_next_start(
    reopened: Callable[..., House],
) -> None:
    house = reopened(Hands)
    game, _ = house.game_of("ann", "bob")
    turn, hand_id = game.turn, game.hand_id
    assert turn is not None
    house.lobby.close()
    turn.state.act(Fold())
    house.run()
    assert house.ended == []
    assert reopened(Hands).ended == [hand_id]


def test_a_void_hand_is_not_told_of_as_played(house: House) -> None:
    house.game_of("ann", "bob")
    house.room.close()
    assert house.ended == []
