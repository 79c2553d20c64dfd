"""The one list of commands: calls, awaitable calls, handlers and documentation are held to it."""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
import typing
from pathlib import Path
from typing import assert_type

import attrs
import pytest

from poker_actors.actors import (
    Bank,
    HandResult,
    HandState,
    LiveHand,
    Player,
    Room,
    StepRuntime,
    Table,
    TableActor,
    TableState,
    commands,
    messages,
)
from poker_actors.actors.aio import AsyncBank, AsyncHand, AsyncPlayer, AsyncRoom, AsyncTable
from poker_actors.actors.messages import Command
from poker_actors.errors import BadSpec
from poker_actors.rules import Check
from poker_actors.store.fairness import FairnessRecord

DOCS = Path(__file__).parents[2] / "docs"
TWINS = {Bank: AsyncBank, LiveHand: AsyncHand, Player: AsyncPlayer, Room: AsyncRoom, Table: AsyncTable}
FACES = {face.__name__: face for face in TWINS}
CALLED = [spec for spec in commands() if spec.call]


def public(face: type) -> set[str]:
    return {name for name in dir(face) if not name.startswith("_")}


def test_every_command_there_is_is_on_the_list() -> None:
    kinds = {one for one in vars(messages).values() if isinstance(one, type) and issubclass(one, Command)}
    assert kinds - {Command} == {spec.message for spec in commands()}


def test_every_message_of_an_actors_folder_is_in_the_list_of_messages() -> None:
    import poker_actors.actors.player.messages as player
    import poker_actors.actors.table.messages as table
    from poker_actors.actors import bank, hand

    files = (bank, hand, player, table)
    defined = {
        name for file in files for name, one in vars(file).items()
        if attrs.has(one) and one.__module__ == file.__name__ and not name.startswith("_")
    }  # fmt: skip
    assert defined <= set(messages.__all__)


def test_a_handler_does_what_its_message_says_unless_it_says_more() -> None:
    assert TableActor.buy_in.__doc__ == messages.BuyIn.__doc__
    assert (TableActor.sit.__doc__ or "").startswith("Seat a player; one already seated moves")


@pytest.mark.parametrize("spec", CALLED, ids=lambda spec: spec.call)
def test_a_command_has_a_typed_call_that_asks_for_it(spec: typing.Any) -> None:
    face, _, name = spec.call.partition(".")
    call = getattr(FACES[face], name)
    assert re.search(rf"\bself\.(ask|_answered)\({spec.name}\(", inspect.getsource(call))
    codes = {code for one in commands() for code in one.refusals}
    documented = set(re.findall(r"`([a-z_]+)`", inspect.getdoc(call) or ""))
    assert documented & codes <= set(spec.refusals), "what its docstring names is on the list"


@pytest.mark.parametrize("spec", CALLED, ids=lambda spec: spec.call)
def test_a_typed_call_answers_what_the_command_is_answered_with(spec: typing.Any) -> None:
    if spec.name in {"Deal", "GetLive", "GetState"}:
        return  # these give a value's face, or the state of whoever is asked
    face, _, name = spec.call.partition(".")
    returned = inspect.signature(getattr(FACES[face], name)).return_annotation
    assert returned == spec.answer


def test_no_call_asks_for_what_is_not_on_the_list() -> None:
    listed = {spec.call for spec in CALLED}
    for name, face in FACES.items():
        for call in public(face):
            function = getattr(face, call)
            if face is Room or not inspect.isfunction(function):
                continue
            asked = re.findall(r"self\.(?:ask|_answered)\((\w+)\(", inspect.getsource(function))
            assert not asked or f"{name}.{call}" in listed, f"{name}.{call} asks {asked}"


@pytest.mark.parametrize("face", TWINS, ids=lambda face: face.__name__)
def test_an_awaitable_face_has_every_call_of_its_twin(face: type) -> None:
    aside = {"debugger", "runtime", "supervisor"}
    if face is Room:
        with Room(StepRuntime(), seed=1) as room:
            wanted = {name for name in dir(room) if not name.startswith("_")}
    else:
        wanted = public(face)
    assert wanted - aside - public(TWINS[face]) == set()


@pytest.mark.parametrize("face", [Bank, Player, Table], ids=lambda face: face.__name__)
def test_an_awaitable_call_takes_the_arguments_of_its_twin(face: type) -> None:
    for name in public(face):
        function, twin = getattr(face, name), getattr(TWINS[face], name)
        if inspect.isfunction(function):
            assert list(inspect.signature(function).parameters) == list(inspect.signature(twin).parameters), (
                name
            )


@pytest.mark.parametrize("face", [Bank, LiveHand, Player, Table], ids=lambda face: face.__name__)
def test_what_asks_is_awaited_and_nothing_else(face: type) -> None:
    asks = re.compile(r"\bself\.(ask|_answered|_finish|act|kept)\(|\.get\(timeout")
    for name in public(face) - {"ask", "kept"}:
        call, twin = getattr(face, name), getattr(TWINS[face], name)
        if inspect.isfunction(call):
            assert inspect.iscoroutinefunction(twin) == bool(asks.search(inspect.getsource(call))), name
            assert inspect.getdoc(twin)


@pytest.mark.parametrize("player", [5, None, b"ann", attrs.make_class("Nobody", ["name"])(5)])
def test_what_is_neither_a_player_nor_a_name_is_refused_before_it_is_sent(player: typing.Any) -> None:
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table()
        steps = room.runtime.steps  # type: ignore[attr-defined]  # it is a StepRuntime
        for call in (table.leave, table.sit_out, room.bank.balance):
            with pytest.raises(BadSpec, match="is neither a player nor a player's name"):
                call(player)
        assert room.runtime.steps == steps  # type: ignore[attr-defined]  # as above


def test_arguments_of_the_wrong_kind_are_refused_before_they_are_sent() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table, ann = room.open_table(), room.player("ann", "caller")
        steps = room.runtime.steps  # type: ignore[attr-defined]  # it is a StepRuntime
        wrong: typing.Any = "ann"
        for call in (table.sit, table.wait, table.watch, table.unwatch):
            with pytest.raises(BadSpec, match=r"'ann' is not a player: give what `Room\.player` returns"):
                call(wrong)
            with pytest.raises(BadSpec, match=r"5 is neither a player nor|5 is not a player"):
                call(typing.cast("typing.Any", 5))
        for hands in (-1, typing.cast("typing.Any", 1.0), True, wrong):
            for play in (table.play, table.run):
                with pytest.raises(BadSpec, match="must be a whole number of at least 0"):
                    play(hands)
        with pytest.raises(BadSpec, match="5 is neither a player nor"):
            table.send(ann, typing.cast("typing.Any", 5))
        with pytest.raises(BadSpec, match="listener 'ann' cannot be called"):
            ann.listen(wrong)
        with pytest.raises(BadSpec, match="'ann' is not an account of `Faults`"):
            ann.counted_in(wrong)
        assert room.runtime.steps == steps  # type: ignore[attr-defined]  # as above


def test_steps_that_would_suspend_are_no_call() -> None:
    with Room(StepRuntime(), seed=1) as room, pytest.raises(AssertionError, match="await `_done` alone"):
        room.bank._finish(asyncio.sleep(0))


async def calls_to_await_have_the_types_of_calls_that_wait(room: AsyncRoom, player: AsyncPlayer) -> None:
    """Checked by mypy, and by nobody run."""
    assert_type(await room.bank.deposit(player, 5), int)
    table = await room.open_table()
    assert_type(table, AsyncTable)
    assert_type(await table.sit(player, 1, with_stack=True), int)
    assert_type(await table.deal(bomb_pot=True), AsyncHand)
    assert_type(await table.live(), AsyncHand | None)
    assert_type(await table.state(), TableState)
    assert_type(await table.run(3, until=lambda result: result.voided), int)
    assert_type(await table.play(2), list[HandResult])
    assert_type(await table.ask(messages.BuyIn("ann", 5)), int)
    assert_type(await player.state(), HandState | None)
    assert_type(player.at(table).record("main"), FairnessRecord | None)
    await table.sit("ann")  # type: ignore[arg-type]  # a name has no address
    await table.buy_in(player)  # type: ignore[call-arg]  # no amount
    await player.act(Check(), seq="x")  # type: ignore[arg-type]  # no number


def test_the_page_of_actors_lists_every_command_with_what_it_does() -> None:
    page = (DOCS / "actors.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([A-Z]\w+\.\w+)` \| (.*) \|$", page, re.M))
    assert set(rows) == {spec.call for spec in CALLED}
    for spec in CALLED:
        assert rows[spec.call].startswith(spec.doc.rstrip(".").partition("; answered")[0]), spec.call


def test_a_command_is_defined_with_its_refusals_and_a_line_of_doc() -> None:
    for spec in commands():
        assert spec.doc.endswith((".", ":")), spec.name
        assert all(re.fullmatch("[a-z_]+", code) for code in spec.refusals)
        assert spec.arguments == tuple(field.name for field in attrs.fields(spec.message))  # type: ignore[arg-type]


def test_nothing_only_a_server_wants_is_on_the_room() -> None:
    assert not {"book", "notes", "last_hand", "abandon"} & public(Room)
    assert {"book", "notes", "last_hand", "abandon"} <= public(type(Room(StepRuntime(), seed=1).books))


def test_the_names_of_messages_and_calls_are_each_used_once() -> None:
    calls = [spec.call for spec in CALLED]
    assert len(calls) == len(set(calls))
    tree = ast.parse(inspect.getsource(messages))
    (names,) = (node.value for node in tree.body if isinstance(node, ast.Assign))
    listed = ast.literal_eval(names)
    assert len(listed) == len(set(listed))
