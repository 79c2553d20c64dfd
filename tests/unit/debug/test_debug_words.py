"""Messages in words: short fields as they are, a yes by its field's name, a no not at all."""

import pytest

from poker_actors.actors import messages
from poker_actors.cards import Deck, parse_cards
from poker_actors.debug.plain import plain_message
from poker_actors.debug.state import message_words


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (messages.Deal(None), "Deal"),
        (messages.Deal(Deck(parse_cards("As Kd"))), "Deal As Kd"),
        (messages.Deal(None, bomb_pot=True), "Deal bomb pot"),
        (messages.Shut(void=False), "Shut"),
        (messages.Shut(void=True, keep=True), "Shut void keep"),
    ],
)
def test_a_message_says_only_the_options_it_takes(message: object, words: str) -> None:
    assert message_words(plain_message(message)) == words
