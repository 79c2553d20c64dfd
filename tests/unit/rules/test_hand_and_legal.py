"""A hand as a value: printed, compared, copied, replayed, looked at; and its legal actions."""

from __future__ import annotations

import pytest

from poker_actors.cards import Card, Deck
from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.rules import GAMES, Bet, Call, Check, Fold, Hand, Legal, RaiseTo, Stakes, Taken
from poker_actors.rules.event import Shown
from poker_actors.rules.log import discarded

BOARD = "2c3d5h8c9s"


def three(stack: int = 500) -> Hand:
    return Hand([stack] * 3, Stakes(5, 10), deck=Deck.stacked(["AsAd", "KsKd", "QsQd"], BOARD))


def call_down(hand: Hand) -> Hand:
    while not hand.over:
        hand.check_or_call()
    return hand


class TestLegal:
    def test_it_prints_in_players_words(self) -> None:
        hand = three()
        assert str(hand.legal) == "fold, call 10, raise_to 20 to 500"
        while hand.phase == "preflop":
            hand.check_or_call()
        assert str(hand.legal) == "fold, check, bet 10 to 490"
        assert str(hand.view(0).legal) == "seat 0 is not to act"

    def test_one_size_prints_as_one_number(self) -> None:
        hand = Hand([15, 500], Stakes(5, 10), deck=Deck.seeded(1))
        assert str(hand.legal) == "fold, call 5, raise_to 15"

    def test_it_is_true_on_the_turn_of_the_seat_only(self) -> None:
        hand = three()
        assert [bool(hand.view(seat).legal) for seat in range(3)] == [True, False, False]
        assert not call_down(hand).legal

    def test_membership_knows_every_kind_of_action(self) -> None:
        legal = three().legal
        assert Fold() in legal
        assert Call() in legal
        assert Check() not in legal
        assert RaiseTo(20) in legal
        assert RaiseTo(500) in legal
        assert RaiseTo(19) not in legal
        assert RaiseTo(501) not in legal
        assert Bet(20) not in legal, "the big blind is a bet already"
        assert "fold" not in legal

    def test_iterating_gives_each_action_and_each_size_once(self) -> None:
        hand = three(stack=24)
        assert list(hand.legal) == [Fold(), Call(), *(RaiseTo(total) for total in range(20, 25))]
        assert len(hand.legal) == 7
        assert list(hand.view(1).legal) == []
        assert len(hand.view(1).legal) == 0

    def test_on_an_open_street_the_sizes_are_bets_and_a_raise_to_is_one_too(self) -> None:
        hand = three(stack=30)
        while hand.phase == "preflop":
            hand.check_or_call()
        assert Bet(10) in hand.legal
        assert RaiseTo(10) in hand.legal
        assert all(isinstance(action, Fold | Check | Bet) for action in hand.legal)

    @pytest.mark.parametrize(
        ("stack", "all_in"), [(500, RaiseTo(500)), (10, Call()), (7, Call()), (11, RaiseTo(11))]
    )
    def test_all_in_is_the_action_that_puts_everything_in(self, stack: int, all_in: object) -> None:
        hand = Hand([stack, 500, 500], Stakes(5, 10), deck=Deck.seeded(1))
        assert hand.legal.all_in == all_in
        hand.act(hand.legal.all_in or Fold())
        assert hand.stacks[0] == 0

    def test_there_is_no_all_in_where_the_rules_allow_no_such_bet(self) -> None:
        hand = Hand([500] * 2, Stakes(5, 10), deck=Deck.seeded(1), game=GAMES["limit-holdem"])
        assert hand.legal.all_in is None

    @pytest.mark.parametrize(
        ("action", "text"),
        [
            (Check(), "check: there are 10 to call"),
            (Bet(20), "bet 20: there is already a bet, raise instead"),
            (RaiseTo(15), "raise_to 15 is below the minimum of 20"),
            (RaiseTo(501), "raise_to 501 is above the maximum of 500"),
            (RaiseTo(2.5), "RaiseTo(total=2.5): chips must be whole numbers"),  # type: ignore[arg-type]
            (None, "None is not an action"),
        ],
    )
    def test_a_refusal_names_the_value_and_the_limit(self, action: object, text: str) -> None:
        hand = three()
        with pytest.raises(IllegalAction) as refusal:
            hand.act(action)  # type: ignore[arg-type]  # nonsense on purpose
        assert str(refusal.value) == text
        assert refusal.value.code == "illegal_action"

    def test_calling_nothing_is_refused(self) -> None:
        hand = three()
        hand.check_or_call()
        hand.check_or_call()
        with pytest.raises(IllegalAction, match="call: there is nothing to call"):
            hand.act(Call())

    def test_a_hand_that_is_over_takes_no_action(self) -> None:
        hand = call_down(three())
        for act in (hand.fold, hand.check_or_call, lambda: hand.raise_to(20), lambda: hand.put_in(20)):
            with pytest.raises(IllegalAction) as refusal:
                act()
            assert refusal.value.code == "not_active"


def test_where_antes_take_every_chip_on_the_only_street_the_cards_are_shown() -> None:
    heard: list[object] = []
    game = GAMES["kuhn"]
    hand = Hand([1, 1], game.stakes, deck=Deck.seeded(1, game.pack), game=game, listener=heard.append)
    assert hand.over
    assert [event.seat for event in heard if isinstance(event, Shown)] == [1, 0]


class TestPutIn:
    """Chips put in now, as a dealer reads them."""

    @pytest.mark.parametrize(
        ("amount", "code", "text"),
        [
            (9, "not_enough", "bet 9: there are 10 to call"),
            (0, "not_enough", "bet 0: there are 10 to call"),
            (501, "insufficient_funds", "bet 501 is above the stack of 500"),
            (15, "illegal_action", "raise_to 15 is below the minimum of 20"),
            (-1, "illegal_action", "bet -1: chips must be whole numbers, 0 or more"),
            (10.0, "illegal_action", "bet 10.0: chips must be whole numbers, 0 or more"),
            (None, "illegal_action", "bet None: chips must be whole numbers, 0 or more"),
        ],
    )
    def test_what_cannot_be_put_in_is_refused_with_its_code(self, amount: int, code: str, text: str) -> None:
        hand = three()
        with pytest.raises(IllegalAction) as refusal:
            hand.put_in(amount)
        assert (refusal.value.code, str(refusal.value)) == (code, text)
        assert hand.log == []

    def test_the_amount_to_call_is_a_call_more_is_a_raise_by_the_total_and_nothing_a_check(self) -> None:
        hand = three()
        hand.put_in(10)
        hand.put_in(25)
        assert hand.bets == (10, 30, 10)
        hand.put_in(20)
        hand.put_in(20)
        assert hand.phase == "flop"
        hand.put_in(0)
        assert [taken.action for taken in hand.public().actions] == [
            Call(),
            RaiseTo(30),
            Call(),
            Call(),
            Check(),
        ]


class TestHandAsAValue:
    def test_it_prints_the_table_and_no_hidden_card(self) -> None:
        hand = three()
        assert repr(hand) == "<Hand: holdem preflop, board -, pot 15, seat 0 to act>"
        call_down(hand)
        assert repr(hand) == "<Hand: holdem showdown, board 2c 3d 5h 8c 9s, pot 0, over>"

    def test_hands_are_equal_when_deal_and_actions_are(self) -> None:
        first, second = three(), three()
        assert first == second
        first.fold()
        assert first != second
        second.fold()
        assert first == second
        call_down(first).show(0)
        assert first != call_down(second), "whoever folded has shown, in one of them"
        assert first != "a hand"
        with pytest.raises(TypeError):
            hash(first)

    def test_a_copy_does_not_report_to_the_listener(self) -> None:
        heard: list[object] = []
        hand = Hand([500] * 3, Stakes(5, 10), deck=Deck.seeded(1), listener=heard.append)
        before = len(heard)
        call_down(hand.copy())
        assert len(heard) == before

    def test_a_replay_stops_at_an_entry_that_is_not_legal_or_out_of_turn(self) -> None:
        hand = call_down(three())
        with pytest.raises(IllegalAction) as refusal:
            hand.replay([hand.log[1]])
        assert refusal.value.code == "not_active"
        assert str(refusal.value) == "seat 1 is not to act: seat 0 is"
        with pytest.raises(IllegalAction):
            hand.replay([*hand.log, hand.log[0]])

    def test_a_replay_stops_at_a_card_that_is_not_held(self) -> None:
        hand = Hand([100, 100], Stakes(1, 2), deck=Deck.seeded(1), game=GAMES["2-7-single-draw"])
        while not hand.decision:
            hand.check_or_call()
        last, beyond = [discarded(hand.to_act[0], 1, (place,)) for place in (4, 5)]
        assert hand.replay([*hand.log, last]).entries()[-1] == last
        with pytest.raises(IllegalAction, match=r"^seat 1 discards card 6, but holds only 5$"):
            hand.replay([*hand.log, beyond])

    def test_a_replay_of_part_of_the_log_is_the_hand_at_that_point(self) -> None:
        hand = call_down(three())
        part = hand.replay(hand.log[:4])
        assert part.phase == "flop"
        assert part.to_act == (2, 0)
        assert call_down(part) == hand


class TestViews:
    def test_a_view_tells_its_seat_what_it_may_know(self) -> None:
        view = three().view(0)
        assert (view.seat, view.hole, view.board) == (0, (Card("As"), Card("Ad")), ())
        assert (view.street, view.pot, view.to_call, view.stack) == ("preflop", 15, 10, 500)
        assert (view.stacks, view.bets, view.live) == ((500, 495, 490), (0, 5, 10), (1, 2, 0))
        assert (view.button, view.min_raise_to, view.max_raise_to, view.active) == (0, 20, 500, True)
        assert repr(view) == ("<View: seat 0 As Ad on -, preflop, pot 15, fold, call 10, raise_to 20 to 500>")

    def test_an_old_view_keeps_telling_of_its_moment(self) -> None:
        hand = three()
        hand.check_or_call()
        old = hand.view(1)
        actions, text = old.actions, repr(old)
        call_down(hand)
        assert old.actions == actions == (Taken("preflop", 0, Call()),)
        assert repr(old) == text

    def test_a_state_given_away_does_not_change_when_the_pot_is_pushed_after_a_check_or_a_fold(self) -> None:
        checked = three()
        while checked.phase != "river":
            checked.check_or_call()
        folded = three()
        folded.raise_to(30)
        folded.fold()
        for hand in (checked, folded):
            given, chips = [], []
            while not hand.over:
                given.append(hand.public())
                chips.append((given[-1].stacks, given[-1].bets))
                hand.check_or_call() if hand is checked else hand.fold()
            assert [(public.stacks, public.bets) for public in given] == chips

    def test_everybody_shares_one_public_state_until_the_next_change(self) -> None:
        hand = three()
        assert hand.view(0).public is hand.view(1).public is hand.public()
        before = hand.public()
        hand.check_or_call()
        assert hand.public() is not before

    def test_what_has_not_changed_since_the_last_state_is_not_made_again(self) -> None:
        hand = three()
        view = hand.view(0)
        assert view.legal is view.legal
        hand.check_or_call()
        assert hand.public().dealt is view.public.dealt, "no card has been dealt"
        hand.check_or_call()
        hand.check_or_call()
        for name in ("setup", "log"):
            assert getattr(hand.public().dealt, name) is getattr(view.public.dealt, name)

    def test_actions_carry_their_street(self) -> None:
        hand = call_down(three())
        streets = [taken.street for taken in hand.public().actions]
        assert streets == ["preflop"] * 3 + ["flop"] * 3 + ["turn"] * 3 + ["river"] * 3

    def test_public_states_differ_when_the_actions_did_though_the_chips_are_the_same(self) -> None:
        def flop(*actions: Check | Bet | RaiseTo | Call) -> Hand:
            hand = Hand([500] * 2, Stakes(5, 10), deck=Deck.stacked(["AsAd", "KsKd"], BOARD))
            hand.check_or_call()
            hand.check_or_call()
            for action in actions:
                hand.act(action)
            return hand

        raised = flop(Bet(10), RaiseTo(20), Call())
        checked = flop(Check(), Bet(20), Call())
        assert raised.stacks == checked.stacks
        assert raised.public() != checked.public()
        assert raised.view(0) != checked.view(0)

    def test_a_view_that_is_no_bots_has_no_luck(self) -> None:
        with pytest.raises(BadSpec, match="this view has no random stream"):
            _ = three().view(0).rng

    def test_to_call_of_a_seat_that_is_out_is_nothing(self) -> None:
        hand = three()
        hand.fold()
        assert [hand.public().to_call(seat) for seat in range(3)] == [0, 5, 0]

    def test_to_call_of_a_hand_that_is_over_is_nothing_whoever_was_all_in_for_less(self) -> None:
        hand = Hand([20, 100], Stakes(5, 10), deck=Deck.stacked(["AsAd", "KsKd"], BOARD))
        while hand.phase != "river":
            hand.check_or_call()
        hand.raise_to(50)
        hand.check_or_call()
        assert (hand.stacks, hand.public().won) == ((40, 80), {0: 40})
        assert [hand.public().to_call(seat) for seat in range(2)] == [0, 0]

    def test_a_legal_is_a_value(self) -> None:
        assert three().legal == three().legal == Legal(0, 10, 20, 500, False, 500, False)
