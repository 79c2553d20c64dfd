"""The users of REST at OPP's door: one name, one password, and one count of the wrong ones."""

from __future__ import annotations

import pytest

from poker_actors.cli.serving import _SharedAccounts
from poker_actors.server import Backoff, Notes, Passwords, TooOften, Users
from poker_actors.wire.opp import Admission


def test_wrong_passwords_at_opps_door_cost_the_name_a_wait_in_which_the_right_one_is_wrong_too() -> None:
    now = [1000.0]
    users = Users(Notes(), Passwords(argon2=False, scrypt_cost=2))
    accounts = _SharedAccounts(users, Backoff(free=5, now=lambda: now[0]))
    assert accounts.admit("ann", "secret") is Admission.NEW
    assert accounts.admit("ann", "secret") is Admission.KNOWN
    for number in range(6):
        assert accounts.admit("ann", str(number)) is Admission.WRONG
    assert accounts.admit("ann", "secret") is Admission.WRONG
    now[0] += 1
    assert accounts.admit("ann", "secret") is Admission.KNOWN


def test_guesses_at_opps_door_count_at_the_others() -> None:
    users = Users(Notes(), Passwords(argon2=False, scrypt_cost=2))
    backoff = Backoff(free=5)
    accounts = _SharedAccounts(users, backoff)
    accounts.admit("ann", "secret")
    for number in range(6):
        accounts.admit("ann", str(number))
    with pytest.raises(TooOften):
        backoff.check("ann", "203.0.113.9")
