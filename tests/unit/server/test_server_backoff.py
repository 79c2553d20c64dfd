"""Waits after wrong passwords, quotas by the hour, and the limits they are read from."""

from __future__ import annotations

import asyncio
import base64
import pickle
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import httpx2
import pytest

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.guard import Allowance, Backoff, DoorLimits, Guard, Quota, TooOften, address_key
from poker_actors.server import README, Notes, Passwords, Users
from poker_actors.server.http import build_app
from poker_actors.server.http.connections import Limits, read_limits
from poker_actors.server.http.exchange import Credentials, Door

if TYPE_CHECKING:
    from tests.unit.server.conftest import House


class Watch:
    """A clock that is turned by hand."""

    time = 1000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def watch() -> Watch:
    return Watch()


def guess(backoff: Backoff, name: str = "ann", address: str = "1.2.3.4", *, right: bool = False) -> None:
    backoff.attempt(name, address).end(right=right)


def waits(backoff: Backoff, name: str = "ann", address: str = "1.2.3.4") -> float:
    """How long a log-in has to wait; the attempt that may be made is not."""
    try:
        backoff.attempt(name, address).end(right=None)
    except TooOften as refused:
        return refused.seconds
    return 0.0


def test_wrong_passwords_past_the_free_ones_cost_a_wait_that_doubles_up_to_a_minute(watch: Watch) -> None:
    backoff = Backoff(free=5, now=watch)
    for _ in range(5):
        guess(backoff)
        assert waits(backoff) == 0
    seen = []
    for _ in range(9):
        guess(backoff)
        seen.append(waits(backoff))
        watch.time += seen[-1]
    assert seen == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_what_is_refused_in_a_wait_does_not_lengthen_it(watch: Watch) -> None:
    backoff = Backoff(free=1, now=watch)
    for _ in range(2):
        guess(backoff)
    for _ in range(100):
        assert waits(backoff) == 1
    watch.time += 1
    guess(backoff, right=True)
    assert waits(backoff) == 0, "a right one wipes the slate there"


def test_fifteen_minutes_without_a_wrong_password_wipe_the_slate(watch: Watch) -> None:
    backoff = Backoff(free=1, now=watch)
    for _ in range(8):
        guess(backoff)
        watch.time += 60
    watch.time += 900
    guess(backoff)
    assert waits(backoff) == 0


def test_strangers_who_guess_do_not_keep_the_owner_out_where_it_has_been_before(watch: Watch) -> None:
    backoff = Backoff(free=2, free_address=3, now=watch)
    guess(backoff, address="home", right=True)
    for number in range(20):
        guess(backoff, address=f"stranger {number}")
        watch.time += 60
    assert waits(backoff, address="elsewhere") == 0, "the wait is never longer than a minute"
    guess(backoff, address="elsewhere")
    assert waits(backoff, address="elsewhere") == 60
    assert waits(backoff, address="home") == 0
    for _ in range(3):
        guess(backoff, address="home")
    assert waits(backoff, address="home") == 1, "home is not a place to guess from either"


def test_an_address_waits_whatever_names_it_tries(watch: Watch) -> None:
    backoff = Backoff(free_address=20, now=watch)
    for number in range(21):
        guess(backoff, f"user {number}")
    assert waits(backoff, "somebody else") == 1
    assert waits(backoff, "somebody else", "9.9.9.9") == 0


def test_a_burst_is_no_way_around_the_wait(watch: Watch) -> None:
    backoff = Backoff(free=1, now=watch)
    guess(backoff)
    first = backoff.attempt("ann", "1.2.3.4")
    assert waits(backoff) == 1, "past the free ones, one at a time"
    first.end(right=None)
    assert waits(backoff) == 0, "what could not be checked is no guess"


def test_what_is_remembered_is_bounded(watch: Watch) -> None:
    backoff = Backoff(now=watch)
    quota = Quota("users", 5, now=watch)
    for number in range(10_500):
        guess(backoff, f"user {number}", f"address {number}")
        quota.take(str(number))
    assert repr(backoff) == "<Backoff: 10000 names, 10000 addresses>"
    assert len(quota._used) == 10_000


def test_a_quota_comes_back_evenly_within_the_hour(watch: Watch) -> None:
    quota = Quota("users from one address", 60, now=watch)
    for _ in range(60):
        quota.take("here")
    with pytest.raises(TooOften, match="60 users from one address an hour: try again in 60 s") as refused:
        quota.take("here")
    assert refused.value.code == "too_often"
    assert pickle.loads(pickle.dumps(refused.value)).seconds == refused.value.seconds
    quota.take("there")
    watch.time += 60
    quota.take("here")
    with pytest.raises(TooOften):
        quota.take("here")


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("1.2.3.4", "1.2.3.4"), ("", ""), ("testclient", "testclient"), ("::ffff:1.2.3.4", "1.2.3.4"),
        ("2001:db8:0:7:1:2:3:4", "2001:db8:0:7::/64"), ("2001:0db8::1", "2001:db8:0:0::/64"),
        ("::1", "0:0:0:0::/64"), ("fe80::1%eth0", "fe80:0:0:0::/64"), ("2001:db8:0:7::", "2001:db8:0:7::/64"),
    ],
)  # fmt: skip
def test_an_ipv6_customer_is_one_address(host: str, key: str) -> None:
    assert address_key(host) == key


def test_limits_are_read_by_name_and_the_others_stay() -> None:
    limits = read_limits(["guesses=3", "header-seconds=0.5"])
    assert (limits.guesses, limits.header_seconds, limits.games) == (3, 0.5, Limits().games)


@pytest.mark.parametrize(
    "text", ["guesses", "nonsense=1", "guesses=0", "guesses=x", "guesses=1.5", "wait_seconds=nan",
             "wait_seconds=0", "connections=2000000000", "header_seconds=inf"],
)  # fmt: skip
def test_a_limit_that_cannot_be_is_refused_by_name(text: str) -> None:
    with pytest.raises(BadSpec, match=text.partition("=")[0]):
        read_limits([text])


def test_the_docs_list_every_limit_with_its_default() -> None:
    page = (Path(__file__).parents[3] / "docs" / "serving.md").read_text(encoding="utf-8")
    listed = {
        name: float(value.replace(",", ""))
        for name, value in re.findall(r"^\| `(\w+)` \| ([\d,]+) \|", page, re.M)
    }
    assert listed == attrs.asdict(Limits())


def test_what_is_beyond_the_allowance_waits_as_long_as_it_is_beyond(watch: Watch) -> None:
    allowance = Allowance(2, watch)
    assert [allowance.take() for _ in range(4)] == [0, 0, 0.5, 1]
    assert not allowance.take_if_any()
    watch.time += 1.5
    assert allowance.take_if_any()
    assert not allowance.take_if_any(), "refused, and not owed"
    watch.time += 100
    assert [allowance.take() for _ in range(3)] == [0, 0, 0.5], "no more than a second's is saved up"


# -- the door ----------------------------------------------------------------------------------


class Counting(Passwords):
    """Digests that count how often they are checked."""

    checked = 0

    def matches(self, digest: str, password: str) -> bool:
        self.checked += 1
        return super().matches(digest, password)


def basic(text: str) -> str:
    return "Basic " + base64.b64encode(text.encode()).decode()


async def refused(door: Door, text: str, address: str = "1.1.1.1") -> str:
    with pytest.raises(TableRefusal) as caught:
        await door.enter(basic(text), address)
    return caught.value.code


def test_guesses_cost_no_digest_in_a_wait_and_the_right_password_is_not_told_from_them(watch: Watch) -> None:
    passwords = Counting(argon2=False, scrypt_cost=2)
    users = Users(Notes(), passwords)
    users.add("ann", "secret")
    door = Door(users, Guard(DoorLimits(guesses=5), now=watch))

    async def flood() -> list[str]:
        assert (await door.enter(basic("ann:secret"), "home")).name == "ann"
        codes = [await refused(door, f"ann:{number}") for number in range(50)]
        assert await refused(door, "ann:secret") == "too_often", "though it has been proven, elsewhere"
        assert (await door.enter(basic("ann:secret"), "home")).name == "ann", "where it has been proven"
        return codes

    codes = asyncio.run(flood())
    assert codes == ["bad_credentials"] * 6 + ["too_often"] * 44
    assert passwords.checked == 6
    door.guard.close()


def test_who_guesses_where_a_name_is_proven_waits_too_and_no_poll_beside_it_wipes_the_slate(
    watch: Watch,
) -> None:
    users = Users(Notes(), Passwords(argon2=False, scrypt_cost=2))
    users.add("ann", "secret")
    door = Door(users, Guard(DoorLimits(guesses=5), now=watch))
    waits = []

    async def guess_beside_the_owner() -> None:
        for number in range(12):
            with suppress(TooOften):
                await door.enter(basic("ann:secret"), "home")
            try:
                await door.enter(basic(f"ann:{number}"), "home")
            except TooOften as wait:
                waits.append(wait.seconds)
                assert await refused(door, "ann:secret", "home") == "too_often"
                watch.time += wait.seconds
            except TableRefusal:
                pass

    asyncio.run(guess_beside_the_owner())
    assert waits == [1, 2, 4], "and so on, though the owner comes in between"
    door.guard.close()


def test_many_passwords_for_one_name_at_once_are_no_more_guesses(watch: Watch) -> None:
    passwords = Counting(argon2=False, scrypt_cost=2)
    users = Users(Notes(), passwords)
    users.add("ann", "secret")
    door = Door(users, Guard(DoorLimits(guesses=5), now=watch))

    async def burst() -> list[str]:
        return await asyncio.gather(*[refused(door, f"ann:{number}") for number in range(40)])

    assert sorted(asyncio.run(burst())) == ["bad_credentials"] * 5 + ["too_often"] * 35
    assert passwords.checked == 5
    door.guard.close()


def test_the_same_log_in_sent_many_times_at_once_is_one_digest(watch: Watch) -> None:
    passwords = Counting(argon2=False, scrypt_cost=2)
    users = Users(Notes(), passwords)
    users.add("ann", "secret")
    users._proven.clear()  # as after a restart
    door = Door(users, Guard(DoorLimits(guesses=1), now=watch))

    async def arrive() -> None:
        given = [door.prove(Credentials("ann", "secret"), "1.1.1.1") for _ in range(40)]
        assert {user.name for user in await asyncio.gather(*given)} == {"ann"}

    asyncio.run(arrive())
    assert passwords.checked == 1
    door.guard.close()


def test_a_log_in_that_is_over_just_as_the_password_is_changed_comes_too_late() -> None:
    passwords = Passwords(argon2=False, scrypt_cost=2)
    users = Users(Notes(), passwords)
    ann = users.add("ann", "old")
    users._proven.clear()  # as after a restart
    door = Door(users, Guard(DoorLimits(guesses=1)))

    async def change_meanwhile() -> None:
        asking = asyncio.create_task(door.prove(Credentials("ann", "old")))
        await asyncio.sleep(0)
        (looking,) = door._checks.values()
        looking.add_done_callback(lambda _: users.set_digest(ann, passwords.digest("new")))
        with pytest.raises(TableRefusal) as caught:
            await asking
        assert caught.value.code == "bad_credentials"
        assert (await looking) is ann, "the password was right when it was looked at"

    asyncio.run(change_meanwhile())
    door.guard.close()


def test_who_hangs_up_takes_no_guess_back(watch: Watch) -> None:
    users = Users(Notes(), Passwords(argon2=False, scrypt_cost=2))
    users.add("ann", "secret")
    door = Door(users, Guard(DoorLimits(guesses=1), now=watch))

    async def guess_and_go() -> str:
        for number in range(2):
            task = asyncio.create_task(door.enter(basic(f"ann:{number}"), "1.1.1.1"))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await asyncio.gather(*door._checks.values())
        return await refused(door, "ann:2")

    assert asyncio.run(guess_and_go()) == "too_often"
    door.guard.close()


def test_an_address_registers_so_many_users_an_hour(watch: Watch) -> None:
    users = Users(Notes(), Passwords(argon2=False, scrypt_cost=2))
    door = Door(users, Guard(DoorLimits(users_per_hour=2), now=watch))

    async def register() -> None:
        for number in range(2):
            await door.register(basic(f"user {number}:secret"), "::1", known_welcome=False)
            with pytest.raises(BadSpec):
                await door.register(basic(":no name"), "::1", known_welcome=False)
        with pytest.raises(TooOften):
            await door.register(basic("one more:secret"), "::2", known_welcome=False)

    asyncio.run(register())
    assert len(users) == 2
    door.guard.close()


def test_the_digest_of_nobody_is_of_the_kind_of_everybodys() -> None:
    users = Users(Notes(), Passwords(argon2=True))
    ann = users.add("ann", "secret")
    settings = [digest.rsplit("$", 2)[0] for digest in (ann.digest, users._nobody)]
    assert settings[0] == settings[1], "same algorithm, same cost: as long as the others"


def test_over_http_a_wait_is_429_for_the_right_password_too_but_where_it_was_proven(
    house: House, watch: Watch
) -> None:
    door = Door(house.users, Guard(DoorLimits(guesses=3), now=watch))
    app = build_app(house.lobby, door, README, lambda command: command())
    house.user("ann")

    async def ask(path: str, password: str, place: str) -> httpx2.Response:
        transport = httpx2.ASGITransport(app=app, client=(place, 1))
        async with httpx2.AsyncClient(transport=transport, base_url="http://room") as client:
            return await client.post(path, auth=("ann", password))

    async def guess() -> None:
        assert (await ask("/session", "secret", "198.51.100.1")).status_code == 204
        wrong = [await ask("/games/", f"wrong {number}", "203.0.113.9") for number in range(8)]
        assert [answer.status_code for answer in wrong] == [401] * 4 + [429] * 4
        assert wrong[-1].headers["retry-after"] == "1"
        assert wrong[-1].text == "too many wrong passwords: try again in 1 s\n"
        for path in ("/games/", "/session"):
            assert (await ask(path, "secret", "203.0.113.9")).status_code == 429
        assert (await ask("/games/", "secret", "198.51.100.1")).status_code == 201
        watch.time += 1
        assert (await ask("/games/", "secret", "203.0.113.9")).status_code == 201

    asyncio.run(guess())
    door.guard.close()
