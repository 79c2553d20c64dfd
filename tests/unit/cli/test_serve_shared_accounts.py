"""The users of REST at OPP's door: one name and one password."""

from __future__ import annotations

import pytest

from poker_actors.cli.serving import _SharedAccounts
from poker_actors.errors import StorageFailed, TableRefusal
from poker_actors.server import Notes, Passwords, Users
from poker_actors.wire.opp import Admission


def test_a_new_name_gets_an_account_and_a_known_one_needs_its_password() -> None:
    accounts = _SharedAccounts(Users(Notes(), Passwords(argon2=False, scrypt_cost=2)))
    assert not accounts.has("ann")
    assert accounts.admit("ann", "secret") is Admission.NEW
    assert accounts.has("ann")
    assert accounts.admit("ann", "secret") is Admission.KNOWN
    assert accounts.admit("ann", "guess") is Admission.WRONG
    assert accounts.admit("bob", "") is Admission.WRONG


def test_a_name_that_looks_like_another_is_a_bad_nick() -> None:
    accounts = _SharedAccounts(Users(Notes(), Passwords(argon2=False, scrypt_cost=2)))
    assert accounts.admit("annl", "secret") is Admission.NEW
    assert accounts.admit("ann1", "secret") is Admission.BAD_NICK


def test_where_no_more_users_are_registered_a_new_one_gets_no_verdict() -> None:
    accounts = _SharedAccounts(Users(Notes(), Passwords(argon2=False, scrypt_cost=2), most=1))
    assert accounts.admit("ann", "secret") is Admission.NEW
    with pytest.raises(TableRefusal, match="the most allowed"):
        accounts.admit("bob", "secret")


def test_an_account_that_cannot_be_written_is_no_wrong_password(monkeypatch: pytest.MonkeyPatch) -> None:
    users = Users(Notes(), Passwords(argon2=False, scrypt_cost=2))

    def full(key: str, text: str | None) -> None:
        raise StorageFailed("the disk is full")

    monkeypatch.setattr(users.notes, "put", full)
    with pytest.raises(StorageFailed):
        _SharedAccounts(users).admit("ann", "secret")


@pytest.mark.parametrize(
    "name", ["admin", "operator", "strong", "strong 2", "dealer", "Admin", "house-1", "sup port"]
)
def test_nobody_comes_in_by_opp_under_a_name_that_is_reserved_and_none_is_kept(name: str) -> None:
    users = Users(Notes(), Passwords(argon2=False, scrypt_cost=2))
    for _ in range(2):
        assert _SharedAccounts(users).admit(name, "secret") is Admission.BAD_NICK
    assert len(users) == 0
