"""Webhooks: called once a turn at slow tables, for who is away, never with a card, and at addresses that may be called."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest

from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.server.hspe import Game, Setting
from poker_actors.server.live import HookPlan, Hooks
from poker_actors.server.live.hooks import is_public, post, read_address
from tests.unit.server.conftest import House
from tests.unit.server.test_server_days import again
from tests.unit.server.test_server_pace import fold, table_of, to_act

OK = b"HTTP/1.1 204 No Content\r\n\r\n"
PLAN = HookPlan("https://poker.example", anywhere=True, waits=(0.0, 0.0, 0.0))
SLOW = Setting(turn_seconds=86_400, name="By mail")


@attrs.define
class Receiver:
    """A receiver on loopback; `answers` are given in turn, the last one for ever; None never answers."""

    answers: list[bytes | None]
    bodies: list[Any] = attrs.field(factory=list)
    heads: list[bytes] = attrs.field(factory=list)
    came: asyncio.Event = attrs.field(factory=asyncio.Event)
    url: str = ""

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        size = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        self.heads.append(head)
        self.bodies.append(json.loads(await reader.readexactly(size)))
        self.came.set()
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer is None:
            await reader.read()  # until the caller gives up
        else:
            writer.write(answer)
        writer.close()


@asynccontextmanager
async def receiving(*answers: bytes | None) -> AsyncIterator[Receiver]:
    receiver = Receiver(list(answers))
    server = await asyncio.start_server(receiver.take, "127.0.0.1", 0)
    receiver.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/turn?secret=s3cret"
    async with server:
        yield receiver


def hooks_of(house: House, plan: HookPlan | None = PLAN, here: tuple[str, ...] = ()) -> Hooks:
    hooks = Hooks(house.lobby, plan, lambda user_id: user_id in here)
    house.run(60)
    return hooks


def owner(house: House, game: Game) -> Any:
    return house.users.get(to_act(game))


async def told(hooks: Hooks) -> None:
    hooks.look()
    await hooks.told()


def test_who_is_away_is_told_once_a_turn_where_how_and_until_when(house: House) -> None:
    async def main() -> None:
        game, _ = table_of(house, SLOW, "ann", "bob")
        hooks = hooks_of(house)
        async with receiving(OK) as receiver:
            hooks.set(owner(house, game), receiver.url)
            for _ in range(3):
                await told(hooks)
            assert game.turn is not None
            assert receiver.bodies == [
                {
                    "game": game.id,
                    "name": "By mail",
                    "link": f"https://poker.example/#/table/{game.id}",
                    "hand_id": game.hand_id,
                    "deadline": game.turn.expiry,
                }
            ]
            assert receiver.heads[0].startswith(b"POST /turn?secret=s3cret HTTP/1.1\r\n")
        hooks.close()

    asyncio.run(main())


def test_each_turn_of_a_slow_table_is_told_anew_and_never_with_a_card(house: House) -> None:
    async def main() -> None:
        game, users = table_of(house, SLOW, "ann", "bob", "cat")
        hooks = hooks_of(house)
        async with receiving(OK) as receiver:
            for user in users:
                hooks.set(user, receiver.url)
            for _ in range(4):
                await told(hooks)
                fold(house, game)
            assert len(receiver.bodies) == 4
            keys = {"game", "name", "link", "hand_id", "deadline"}
            assert all(body.keys() == keys for body in receiver.bodies), "a card has no place in it"
        hooks.close()

    asyncio.run(main())


@pytest.mark.parametrize("case", ["connected", "fast", "no address", "off", "just started"])
def test_nobody_else_is_called(house: House, case: str) -> None:
    async def main() -> None:
        setting = attrs.evolve(SLOW, turn_seconds=599) if case == "fast" else SLOW
        game, _ = table_of(house, setting, "ann", "bob")
        who = owner(house, game)
        hooks = hooks_of(house, here=(who.id,) if case == "connected" else ())
        async with receiving(OK) as receiver:
            if case != "no address":
                hooks.set(who, receiver.url)
            if case == "off":
                hooks.plan = None  # type: ignore[misc]  # as after a start without the option
            if case == "just started":
                house.clock.time -= 59
            await told(hooks)
            assert receiver.bodies == []
        hooks.close()

    asyncio.run(main())


def test_a_receiver_that_fails_is_tried_again_so_often_and_no_oftener(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        game, _ = table_of(house, SLOW, "ann", "bob")
        hooks = hooks_of(house)
        async with receiving(b"HTTP/1.1 500 Oops\r\n\r\n") as receiver:
            hooks.set(owner(house, game), receiver.url)
            await told(hooks)
            await told(hooks)
            assert len(receiver.bodies) == 3
        hooks.close()

    with caplog.at_level(logging.DEBUG, logger="poker_actors"):
        asyncio.run(main())
    assert "has not accepted a call in 3 tries" in caplog.text
    assert "s3cret" not in caplog.text
    assert "127.0.0.1" not in caplog.text


def test_what_fails_at_first_is_told_at_the_next_try(house: House) -> None:
    async def main() -> None:
        game, _ = table_of(house, SLOW, "ann", "bob")
        hooks = hooks_of(house)
        async with receiving(b"", OK) as receiver:
            hooks.set(owner(house, game), receiver.url)
            await told(hooks)
            assert len(receiver.bodies) == 2
        hooks.close()

    asyncio.run(main())


@pytest.mark.parametrize("names", [("ann", "bob"), ("ann", "bob", "cat")], ids=["hand over", "next turn"])
def test_tries_for_a_turn_that_is_over_end_before_their_next_wait(
    house: House, names: tuple[str, ...]
) -> None:
    async def main() -> None:
        game, _ = table_of(house, attrs.evolve(SLOW, pause=60.0), *names)
        hooks = hooks_of(house, attrs.evolve(PLAN, waits=(0.0, 3600.0)))
        async with receiving(b"HTTP/1.1 500 Oops\r\n\r\n") as receiver:
            hooks.set(owner(house, game), receiver.url)
            hooks.look()
            await receiver.came.wait()
            assert "1 called" in repr(hooks)
            fold(house, game)
            assert (game.turn is None) is (len(names) == 2)
            hooks.look()
            for _ in range(20):
                await asyncio.sleep(0)
            assert "0 called" in repr(hooks)
        hooks.close()

    asyncio.run(main())


@pytest.mark.parametrize("case", ["hand over", "next turn", "no address"])
def test_nothing_is_told_of_a_turn_that_ends_between_two_tries(house: House, case: str) -> None:
    async def main() -> None:
        names = ("ann", "bob", "cat") if case == "next turn" else ("ann", "bob")
        game, _ = table_of(house, attrs.evolve(SLOW, pause=60.0), *names)
        hooks, who = hooks_of(house, attrs.evolve(PLAN, waits=(0.0, 0.01))), owner(house, game)
        async with receiving(b"HTTP/1.1 500 Oops\r\n\r\n") as receiver:
            hooks.set(who, receiver.url)
            hooks.look()
            await receiver.came.wait()
            if case == "no address":
                hooks.set(who, None)
            else:
                fold(house, game)
            others = asyncio.all_tasks() - {asyncio.current_task()}
            await asyncio.wait(others)
            assert [one.exception() for one in others] == [None] * len(others)
            assert len(receiver.bodies) == 1
        hooks.close()

    asyncio.run(main())


def test_so_many_are_called_at_a_time_and_the_others_wait(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("poker_actors.server.live.hooks._QUEUED", 1)

    async def main() -> None:
        games = [table_of(house, SLOW, *names)[0] for names in (("ann", "bob"), ("cat", "dan"))]
        hooks = hooks_of(house)
        async with receiving(OK) as receiver:
            for game in games:
                hooks.set(owner(house, game), receiver.url)
            await told(hooks)
            assert [body["game"] for body in receiver.bodies] == [games[0].id]
            await told(hooks)
            assert [body["game"] for body in receiver.bodies] == [game.id for game in games]
        hooks.close()

    asyncio.run(main())
    assert caplog.messages == ["1 webhooks are being called: the others wait"]


def test_an_address_without_a_path_is_asked_for_its_root() -> None:
    async def main() -> None:
        with ThreadPoolExecutor(1) as names:
            async with receiving(OK) as receiver:
                assert await post(receiver.url.partition("/turn")[0], b"{}", names, anywhere=True)
                assert receiver.heads[0].startswith(b"POST / HTTP/1.1\r\n")

    asyncio.run(main())


def test_a_redirect_is_not_followed(house: House) -> None:
    async def main() -> None:
        game, _ = table_of(house, SLOW, "ann", "bob")
        hooks = hooks_of(house, attrs.evolve(PLAN, waits=(0.0,)))
        async with receiving(OK) as inside:
            moved = f"HTTP/1.1 307 Over there\r\nlocation: {inside.url}\r\n\r\n".encode()
            async with receiving(moved) as receiver:
                hooks.set(owner(house, game), receiver.url)
                await told(hooks)
                assert (len(receiver.bodies), inside.bodies) == (1, [])
        hooks.close()

    asyncio.run(main())


def test_a_slow_receiver_holds_up_nobody(house: House) -> None:
    async def main() -> None:
        first, _ = table_of(house, SLOW, "ann", "bob")
        second, _ = table_of(house, SLOW, "cat", "dan")
        hooks = hooks_of(house)
        async with receiving(None) as slow, receiving(OK) as quick:
            hooks.set(owner(house, first), slow.url)
            hooks.set(owner(house, second), quick.url)
            hooks.look()
            await quick.came.wait()
            await slow.came.wait()
            assert len(quick.bodies) == 1
            tasks = len(asyncio.all_tasks())
            hooks.look()
            assert len(asyncio.all_tasks()) == tasks, "and nobody is called twice at a time"
            for _ in range(5):
                await asyncio.sleep(0)
            assert "0 called" not in repr(hooks), "nor is it given up while its turn is open"
            hooks.close()
            await hooks.told()

    asyncio.run(main())


def test_a_receiver_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("poker_actors.server.live.hooks._SECONDS", 0.05)

    async def main() -> None:
        with ThreadPoolExecutor(1) as names:
            async with receiving(None) as slow, receiving(b"HTTP/1.1 2" * 1_000) as endless:
                assert not await post(slow.url, b"{}", names, anywhere=True)
                assert not await post(endless.url, b"{}", names, anywhere=True)

    asyncio.run(main())


def test_a_name_of_a_private_address_is_not_called() -> None:
    async def main() -> None:
        with ThreadPoolExecutor(1) as names:
            async with receiving(OK) as receiver:
                url = receiver.url.replace("127.0.0.1", "localhost")
                assert not await post(url, b"{}", names, anywhere=False)
                assert receiver.heads == []

    asyncio.run(main())


def test_a_name_is_called_only_if_all_its_addresses_are_public(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        with ThreadPoolExecutor(1) as names:
            async with receiving(OK) as receiver:
                url = receiver.url.replace("127.0.0.1", "localhost")
                for public, taken in ((("127.0.0.1", "::1"), True), ((), False)):
                    monkeypatch.setattr("poker_actors.server.live.hooks.is_public", lambda one: one in public)  # noqa: B023  called at once
                    assert await post(url, b"{}", names, anywhere=False) is taken
                assert len(receiver.heads) == 1

    asyncio.run(main())


@pytest.mark.parametrize(
    ("url", "port"),
    [("http://a.example/", 80), ("https://a.example/", 443), ("https://a.example:8443/", 8443)],
)
def test_a_name_without_addresses_is_not_called(url: str, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []

    def no_address(host: str, port: int) -> list[str]:
        asked.append((host, port))
        return []

    monkeypatch.setattr("poker_actors.server.live.hooks._look_up", no_address)
    with ThreadPoolExecutor(1) as names:
        assert not asyncio.run(post(url, b"{}", names, anywhere=True))
    assert asked == [("a.example", port)]


def test_a_restart_in_the_middle_of_a_long_turn_tells_it_once_more_only_if_it_was_not_told(
    reopened: Callable[[], House],
) -> None:
    async def main() -> None:
        house = reopened()
        game, _ = table_of(house, SLOW, "ann", "bob")
        hooks = hooks_of(house)
        async with receiving(b"HTTP/1.1 500 Oops\r\n\r\n", OK) as receiver:
            hooks.set(owner(house, game), receiver.url)
            hooks.look()
            hooks.close()
            await hooks.told()  # killed before a call was taken
            house, game = again(reopened, house, game, down=60)
            hooks = hooks_of(house)
            await told(hooks)
            assert game.turn is not None
            assert receiver.bodies[-1]["deadline"] == game.turn.expiry
            count = len(receiver.bodies)
            hooks.close()
            house, game = again(reopened, house, game, down=60)
            hooks = hooks_of(house)
            await told(hooks)
            assert len(receiver.bodies) == count
            hooks.close()

    asyncio.run(main())


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1", "::1",
     "::", "fe80::1", "fc00::1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::a00:1", "2002:a00:1::", "2001::1", "ff02::1",
     "fec0::1", "::a00:1", "64:ff9b:1::a00:1"],
)  # fmt: skip
def test_addresses_that_are_not_of_the_open_internet_are_refused(address: str) -> None:
    assert not is_public(address)
    with pytest.raises(BadSpec, match="open internet"):
        read_address(f"http://{f'[{address}]' if ':' in address else address}/", anywhere=False)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111"])
def test_addresses_of_the_open_internet_are_taken(address: str) -> None:
    assert is_public(address)
    assert (
        read_address(f"http://{f'[{address}]' if ':' in address else address}/", anywhere=False).hostname
        == address
    )


@pytest.mark.parametrize(
    "url",
    ["", "ftp://a.example/", "file:///etc/passwd", "http://", "http:///x", "https://me:pw@a.example/", "http://a.example:0/",
     "http://a.example:99999/", "http://a.example/\r\nhost: b", "http://a b/", "http://ä.example/", "http://[::1/",
     "http://a.example/" + "x" * 500, "http://me@a.example/", "http://:pw@a.example/"],
)  # fmt: skip
def test_what_is_no_address_is_refused_and_not_quoted(url: str) -> None:
    with pytest.raises(BadSpec, match=r"^webhook must be ") as caught:
        read_address(url, anywhere=True)
    assert len(url) < 8 or url not in str(caught.value)


def test_a_server_that_calls_none_takes_no_address(house: House) -> None:
    user = house.user("ann")
    hooks = hooks_of(house, None)
    with pytest.raises(TableRefusal) as caught:
        hooks.set(user, "https://a.example/")
    assert caught.value.code == "no_hooks"
    assert hooks.of(user) == {"offered": False, "webhook": None}
    hooks.close()


def test_an_address_survives_a_restart_and_goes_with_its_account(reopened: Callable[[], House]) -> None:
    house = reopened()
    user = house.user("ann")
    hooks_of(house).set(user, "https://a.example/")
    house = reopened()
    hooks = hooks_of(house)
    assert hooks.of(user)["webhook"] == "https://a.example/"
    for forget in house.lobby.on_delete:
        forget(user)
    assert not house.notes.under("hook/")


def test_an_address_goes_at_the_next_look_however_its_user_was_deleted(reopened: Callable[[], House]) -> None:
    house = reopened()
    gone, stays = house.user("ann"), house.user("bob")
    hooks = hooks_of(house)
    for user in (gone, stays):
        hooks.set(user, f"https://{user.name}.example/")
    house.lobby.users.delete(gone)
    for look in house.lobby.on_clear_up:
        look()
    assert house.notes.under("hook/") == {stays.id: "https://bob.example/"}
    assert hooks.of(gone)["webhook"] is None


def test_what_was_told_of_a_table_that_is_gone_is_forgotten_at_the_start(
    reopened: Callable[[], House],
) -> None:
    async def main() -> None:
        house = reopened()
        game, _ = table_of(house, SLOW, "ann", "bob")
        hooks = hooks_of(house)
        async with receiving(OK) as receiver:
            hooks.set(owner(house, game), receiver.url)
            await told(hooks)
        hooks.close()
        house.notes.put("told/closed", house.notes.under("told/")[game.id])  # killed before it was forgotten
        house = reopened()
        hooks_of(house).close()
        assert list(house.notes.under("told/")) == [game.id]

    asyncio.run(main())


@pytest.mark.parametrize("text", ["[1]", "{}", "not JSON", '["a", "b"]', "null", '["a", null]'])
def test_a_note_of_what_was_told_that_does_not_read_is_set_aside_and_said(
    house: House, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    async def main() -> None:
        game, _ = table_of(house, SLOW, "ann", "bob")
        house.notes.put(f"told/{game.id}", text)
        hooks = hooks_of(house)
        assert house.notes.asides == [f"set aside/told/{game.id}"]
        assert f"note told/{game.id} is set aside: the record of the turns announced in game" in caplog.text
        async with receiving(OK) as receiver:
            hooks.set(owner(house, game), receiver.url)
            await told(hooks)
            assert len(receiver.bodies) == 1, "it is told once more"
        hooks.close()

    asyncio.run(main())


def test_a_call_that_ends_after_its_table_leaves_no_note(house: House) -> None:
    async def main() -> None:
        game, users = table_of(house, SLOW, "ann", "bob")
        hooks = hooks_of(house)
        came, gone = asyncio.Event(), asyncio.Event()

        async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            came.set()
            await gone.wait()
            writer.write(OK)
            writer.close()

        server = await asyncio.start_server(take, "127.0.0.1", 0)
        async with server:
            hooks.set(owner(house, game), f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
            hooks.look()
            await came.wait()
            for user in users:
                game.leave(user.id)
            house.run(1)
            house.lobby.drop(game)
            gone.set()
            await hooks.told()
        assert not house.notes.under("told/")
        hooks.close()

    asyncio.run(main())
