"""Who plays from outside: turns taken for a caller, named or not, once or again."""

from __future__ import annotations

from typing import Any

import pytest

from poker_actors.actors.player.messages import (
    AllIn,
    Play,
    PutIn,
)
from poker_actors.errors import BadSpec, IllegalAction, StaleAction
from poker_actors.rules import Call, Check, Fold, RaiseTo
from tests.actors.lone_player import Alone


def asked(one: Alone, command: Any) -> list[str]:
    one.said.clear()
    one.address.ask(command)
    return list(one.said)


def test_a_caller_takes_the_open_turn_of_a_table_or_the_only_one() -> None:
    one = Alone()
    with pytest.raises(IllegalAction, match=r"^ann is not to act$"):
        one.address.ask(Play(Call()))
    one.tell(one.state(turn=False, table="idle"))
    one.tell(one.state(table="a"))
    assert asked(one, Play(Call())) == ["a/hand-7 #0 call"]
    assert asked(one, PutIn(1)) == ["a/hand-7 #0 call"]
    assert asked(one, AllIn()) == ["a/hand-7 #0 raise_to 100"]
    one.tell(one.state(table="b"))
    assert asked(one, Play(Fold(), table="b")) == ["b/hand-7 #0 fold"]
    assert asked(one, Play(Fold(), "b/hand-7", 0)) == ["b/hand-7 #0 fold"]
    with pytest.raises(IllegalAction, match="a, b: name the table") as many:
        one.address.ask(Play(Call()))
    assert many.value.code == "several_turns"
    with pytest.raises(IllegalAction, match=r"^ann is not to act at idle$"):
        one.address.ask(Play(Call(), table="idle"))


def test_what_a_hand_refuses_is_raised_and_a_turn_not_named_is_nobodys() -> None:
    one = Alone()
    one.tell(one.state())
    one.acted.answer = IllegalAction("no", code="not_enough")
    with pytest.raises(IllegalAction, match=r"^no$"):
        one.address.ask(Play(Call()))
    one.acted.answer = StaleAction("gone")
    with pytest.raises(IllegalAction, match=r"^ann is not to act$"):
        one.address.ask(Play(Call()))
    with pytest.raises(StaleAction, match=r"^gone$"):
        one.address.ask(Play(Call(), "main/hand-7", 0))
    one.hand.close()
    with pytest.raises(IllegalAction, match="is over"):
        one.address.ask(Play(Call()))
    with pytest.raises(StaleAction, match="is over"):
        one.address.ask(Play(Call(), "main/hand-7", 0))


def test_nobody_goes_all_in_where_it_is_not_legal() -> None:
    one = Alone()
    one.tell(one.state(stacks=(100, 2)))
    with pytest.raises(IllegalAction, match=r"^ann cannot go all-in at main$"):
        one.address.ask(AllIn())


@pytest.mark.parametrize(
    ("hand_id", "seq"), [(7, 0), ("main/hand-7", "0"), ("main/hand-7", True), ("main/hand-7", -1)]
)
def test_a_turn_is_named_by_its_hand_and_number(hand_id: Any, seq: Any) -> None:
    one = Alone()
    one.tell(one.state(Call(), Check(), turn=True))
    with pytest.raises(BadSpec, match="name a turn by its hand_id and seq"):
        one.address.ask(Play(Call(), hand_id, seq))


def test_an_action_sent_again_is_answered_as_at_first() -> None:
    one = Alone()
    one.tell(one.state(RaiseTo(6), Call(), turn=False))
    again = Play(RaiseTo(6), "main/hand-7", 0)
    assert asked(one, again) == []
    for wrong in (
        Play(Fold(), "main/hand-7", 0),
        Play(Call(), "main/hand-7", 1),
        Play(Call(), "main/hand-6", 0),
    ):
        with pytest.raises(StaleAction):
            one.address.ask(wrong)
    for seq in (2, 3):
        with pytest.raises(IllegalAction, match=f"is at #2, and ann is not to act at #{seq}") as refused:
            one.address.ask(Play(Check(), "main/hand-7", seq))
        assert refused.value.code == "not_active"
    one.tell(one.state(RaiseTo(6), Call()))
    with pytest.raises(IllegalAction, match="is not to act at #3"):
        one.address.ask(Play(Check(), "main/hand-7", 3))
    assert asked(one, Play(Check(), "main/hand-7", 2)) == ["main/hand-7 #2 check"]
