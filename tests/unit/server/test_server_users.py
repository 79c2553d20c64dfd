"""Users and their passwords: digests that say how they were made, and a memory of what was proven."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from poker_actors.bots import BotSpec
from poker_actors.errors import BadSpec, PokerError, TableRefusal
from poker_actors.server import Notes, Passwords, Users
from poker_actors.server.http.exchange import read_credentials
from poker_actors.server.users import HOUSE_BOTS, house_bots, spec_of_house
from poker_actors.store import open_journal

CHEAP = Passwords(argon2=False, scrypt_cost=2)


class Counting(Passwords):
    """Digests that count how often they are checked."""

    checked = 0

    def matches(self, digest: str, password: str) -> bool:
        self.checked += 1
        return super().matches(digest, password)


@pytest.mark.parametrize("argon2", [True, False])
def test_a_digest_matches_its_password_and_no_other(argon2: bool) -> None:
    passwords = Passwords(argon2=argon2, scrypt_cost=2)
    digest = passwords.digest("geheim ü")
    assert digest.startswith("$argon2id$" if argon2 else "$scrypt$")
    assert passwords.matches(digest, "geheim ü")
    assert not passwords.matches(digest, "geheim")
    assert passwords.digest("geheim ü") != digest, "each has a salt of its own"


def test_digests_of_either_kind_are_read_side_by_side() -> None:
    assert Passwords(argon2=True).matches(CHEAP.digest("a"), "a")


def test_without_the_extra_an_argon2_digest_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    digest = Passwords(argon2=True).digest("a")
    monkeypatch.setattr("poker_actors.guard.passwords._hasher", lambda: None)
    with pytest.raises(PokerError, match=r"\[server\]"):
        Passwords().check_readable(digest)
    with pytest.raises(PokerError, match=r"\[server\]"):
        Passwords(argon2=True)
    assert Passwords(scrypt_cost=2).digest("a").startswith("$scrypt$")


def test_a_proven_password_is_recalled_without_a_digest() -> None:
    passwords = Counting(argon2=False, scrypt_cost=2)
    users = Users(Notes(), passwords)
    ann = users.add("ann", "secret")
    assert users.recall("ann", "secret") is ann
    assert users.recall("ann", "wrong") is None
    assert passwords.checked == 0


@pytest.mark.parametrize("meanwhile", ["changed", "deleted", "deleted and taken anew"])
def test_a_password_that_is_changed_while_it_is_looked_at_is_proven_no_more(meanwhile: str) -> None:
    class Slow(Passwords):
        """Something happens while a digest is made."""

        def matches(self, digest: str, password: str) -> bool:
            same = super().matches(digest, password)
            if meanwhile == "changed":
                users.set_digest(user, passwords.digest("new"))
            else:
                users.delete(user)
            if meanwhile == "deleted and taken anew":
                users.add("ann", "new")
            return same

    passwords = Slow(argon2=False, scrypt_cost=2)
    users = Users(Notes(None), passwords)
    user = users.add("ann", "old")
    assert users.check("ann", "old") is None
    assert users.recall("ann", "old") is None


def test_who_is_deleted_changes_and_deletes_nothing_of_the_next_of_that_name() -> None:
    users = Users(Notes(), CHEAP)
    gone = users.add("ann", "old")
    users.delete(gone)
    users.add("ann", "new")
    with pytest.raises(TableRefusal, match="is deleted"):
        users.set_digest(gone, CHEAP.digest("mine"))
    with pytest.raises(TableRefusal, match="is deleted"):
        users.delete(gone)
    assert users.check("ann", "new") is not None


def test_nobody_costs_as_much_as_somebody() -> None:
    passwords = Counting(argon2=False, scrypt_cost=2)
    users = Users(Notes(), passwords)
    users.add("ann", "secret")
    assert users.check("ann", "wrong") is None
    assert users.check("eve", "secret") is None
    assert passwords.checked == 2


def test_a_long_password_is_no_way_around_a_short_one() -> None:
    users = Users(Notes(), CHEAP)
    users.add("ann", "x")
    users.add("bob", "x" * 128)
    assert users.check("ann", "x" * 129) is None
    assert users.check("bob", "x" * 129) is None
    assert users.check("bob", "x" * 128) is not None


def test_an_empty_password_is_refused_and_an_account_that_has_one_keeps_it() -> None:
    users = Users(Notes(), CHEAP)
    with pytest.raises(BadSpec, match="zero-length"):
        users.add("ann", "")
    with pytest.raises(BadSpec, match="zero-length"):
        users.next_digest("")
    users.enter("old", "", CHEAP.digest(""))  # as an earlier version registered it
    users._proven.clear()
    assert users.check("old", "") is not None


@pytest.mark.parametrize("name", ["", " ann", "x" * 33, "a\nb", "a\x1b[31m", "a\u202eb"])
def test_names_are_up_to_32_printable_characters(name: str) -> None:
    with pytest.raises(BadSpec):
        Users(Notes(), CHEAP).add(name, "secret")


def test_a_name_is_taken_once_and_there_are_not_too_many() -> None:
    users = Users(Notes(), CHEAP, most=1)
    users.add("x" * 32, "secret")
    for name, code in (("x" * 32, "name_taken"), ("bob", "too_many")):
        with pytest.raises(TableRefusal) as caught:
            users.add(name, "secret")
        assert caught.value.code == code


def test_users_come_back_from_the_journal_without_a_password_in_it(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "room.db")
    ann = Users(Notes(journal), CHEAP).add("ann/ü", "swordfish")
    journal.close()
    journal = open_journal(tmp_path / "room.db")
    again = Users(Notes(journal), CHEAP)
    assert again.check("ann/ü", "swordfish") == ann
    assert again.recall("ann/ü", "swordfish") == ann
    journal.close()
    assert b"swordfish" not in (tmp_path / "room.db").read_bytes()
    assert "scrypt" not in repr(ann)


@pytest.mark.parametrize("text", ["{}", '{"id": "1", "digest": "md5$1$2"}', "no JSON"])
def test_a_damaged_record_is_set_aside_and_nobody_else_gets_the_name(
    text: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    journal = open_journal(tmp_path / "room.db")
    notes = Notes(journal)
    bob = Users(notes, CHEAP).add("bob", "swordfish")
    notes.put("user/ann", text)
    for _ in range(2):
        users = Users(notes, CHEAP)
        assert (len(users), users.check("bob", "swordfish"), users.has("ann")) == (1, bob, False)
        with pytest.raises(TableRefusal, match="exists") as refusal:
            users.add("ann", "swordfish")
        assert refusal.value.code == "name_taken"
        assert json.loads(notes.under("set aside/user/")["ann"])["note"] == text
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "note user/ann is set aside"
    ]
    assert journal.look(lambda image: dict(image.notes)) == notes.under("")
    journal.close()


def basic(text: str) -> str:
    return "Basic " + base64.b64encode(text.encode()).decode()


def test_credentials_are_read_as_the_standard_says() -> None:
    given = read_credentials(basic("ann:se:cret"))
    assert (given.name, given.password) == ("ann", "se:cret")
    assert "cret" not in repr(given)
    assert read_credentials("basic  " + basic("ann:").split()[1]).name == "ann"


@pytest.mark.parametrize(
    "header", [None, "", "Basic", "Bearer abc", "Basic ???", "Basic a b", basic("ann"), "Basic /w=="]
)
def test_a_header_that_does_not_read_is_refused(header: str | None) -> None:
    with pytest.raises(TableRefusal) as caught:
        read_credentials(header)
    assert caught.value.code == "no_credentials"
    assert str(caught.value).startswith("You must provide properly-formatted credentials.")


LOOK_ALIKES = [
    ("Ann", "ann"), ("ann", "\u0430nn"), ("ann", "\uff41\uff4e\uff4e"), ("ann", "\u03b1nn"), ("ann", "an\u034fn"),
    ("Ian", "lan"), ("bob", "b0b"), ("strasse", "stra\u00dfe"), ("ann x", "ann  x"), ("ann x", "ann\u3164x"),
    ("bill 1", "bill l"), ("\u0412ob", "bob"), ("TIGHTLY", "tightly"),
]  # fmt: skip


@pytest.mark.parametrize(("taken", "name"), LOOK_ALIKES)
def test_a_name_that_looks_like_one_that_is_taken_is_refused(taken: str, name: str) -> None:
    users = Users(Notes(), CHEAP)
    users.add(taken, "secret")
    with pytest.raises((TableRefusal, BadSpec)) as refused:
        users.add(name, "other")
    assert isinstance(refused.value, BadSpec) or refused.value.code == "name_taken"
    assert len(users) == 1


@pytest.mark.parametrize(
    "name",
    [
        "strong",
        "Tight",
        "operator",
        "Admin",
        "tight 1",
        "Tight 99",
        "tight1",
        "t\u0456ght l",
        "pot-odds 7",
        "house",
        "arena/kim 1",
        "Arena /kim",
        "HOUSE-2",
        "\uff54ight 1",
    ],
)
def test_the_names_of_the_house_are_its_own(name: str) -> None:
    with pytest.raises(TableRefusal, match="looks like a house bot's name") as refused:
        Users(Notes(), CHEAP).add(name, "secret")
    assert refused.value.code == "name_taken"


@pytest.mark.parametrize(
    "name",
    ["tightly", "tight 100", "arena", "user 1", "\u00e1nn", "house of cards", "\u0410\u043d\u043d\u0430"],
)
def test_names_that_look_like_nobodys_are_free(name: str) -> None:
    users = Users(Notes(), CHEAP)
    users.add("ann", "secret")
    users.add(name, "secret")
    assert len(users) == 2


def test_accounts_of_before_that_collide_keep_their_log_ins_and_are_listed() -> None:
    notes = Notes()
    for number, name in enumerate(("ann", "Ann", "bob", "tight 1")):
        notes.put(f"user/{name}", json.dumps({"id": f"id {number}", "digest": CHEAP.digest(name)}))
    users = Users(notes, CHEAP)
    for name in ("ann", "Ann", "tight 1"):
        user = users.check(name, name)
        assert user is not None
        assert user.name == name
    assert users.check("Ann", "ann") is None
    assert users.collisions() == [("ann", "Ann")]
    with pytest.raises(TableRefusal):
        users.add("ANN", "secret")


def test_a_name_nobody_has_any_more_is_free_again() -> None:
    users = Users(Notes(), CHEAP, now=lambda: 100.0)
    users.add("ann", "secret")
    users.forget_unused(before=200.0)
    assert users.add("Ann", "secret").name == "Ann"


def test_the_page_of_the_server_lists_every_bot_that_may_be_seated() -> None:
    page = (Path(__file__).parents[3] / "docs" / "server.md").read_text(encoding="utf-8")
    assert f"`{' '.join(HOUSE_BOTS)}`" in page


def test_levels_of_the_expert_are_bots_of_the_house_where_numpy_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"beginner", "casual", "regular", "strong", "expert"} <= set(house_bots())
    assert spec_of_house("beginner") == "expert:level=beginner"
    assert spec_of_house("tight") == "tight"
    for bot in house_bots():
        BotSpec.parse(spec_of_house(bot)).make()
    monkeypatch.setattr("poker_actors.server.users.find_spec", lambda name: None)
    assert set(house_bots()) == {bot for bot in HOUSE_BOTS if spec_of_house(bot) == bot}


def test_levels_of_the_house_are_those_of_the_bot_expert() -> None:
    from poker_actors.bots.expert import CHARACTERS, LEVELS
    from poker_actors.server.users import HOUSE_BOTS, spec_of_house

    of_expert = {bot for bot in HOUSE_BOTS if spec_of_house(bot).startswith("expert:level=")}
    assert of_expert == {*LEVELS, *CHARACTERS}
