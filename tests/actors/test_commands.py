"""The one list of commands: calls, awaitable calls, handlers and documentation are held to it."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
import typing
from pathlib import Path
from types import ModuleType

import attrs
import pytest

from poker_actors.actors import Bank, LiveHand, Player, Room, StepRuntime, Table, commands, messages
from poker_actors.actors.aio import AsyncBank, AsyncHand, AsyncPlayer, AsyncRoom, AsyncTable
from poker_actors.actors.messages import Command

DOCS = Path(__file__).parents[2] / "docs"
TWINS = {Bank: AsyncBank, LiveHand: AsyncHand, Player: AsyncPlayer, Room: AsyncRoom, Table: AsyncTable}
FACES = {face.__name__: face for face in TWINS}
CALLED = [spec for spec in commands() if spec.call]


def public(face: type) -> set[str]:
    return {name for name in dir(face) if not name.startswith("_")}


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw", Path(__file__).parent / "draw_awaitable.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_command_there_is_is_on_the_list() -> None:
    kinds = {one for one in vars(messages).values() if isinstance(one, type) and issubclass(one, Command)}
    assert kinds - {Command} == {spec.message for spec in commands()}


def test_every_message_of_an_actors_folder_is_in_the_list_of_messages() -> None:
    import poker_actors.actors.bank.messages as bank
    import poker_actors.actors.hand.messages as hand
    import poker_actors.actors.player.messages as player
    import poker_actors.actors.table.messages as table

    files = (bank, hand, player, table)
    defined = {
        name for file in files for name, one in vars(file).items()
        if attrs.has(one) and one.__module__ == file.__name__ and not name.startswith("_")
    }  # fmt: skip
    assert defined <= set(messages.__all__)


@pytest.mark.parametrize("spec", CALLED, ids=lambda spec: spec.call)
def test_a_command_has_a_typed_call_that_asks_for_it(spec: typing.Any) -> None:
    face, _, name = spec.call.partition(".")
    call = getattr(FACES[face], name)
    assert re.search(rf"\b(self\.ask|self\.play)\({spec.name}\(", inspect.getsource(call))
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
            if face is Room or not inspect.isfunction(function) or call == "ask":
                continue
            asked = re.findall(r"self\.ask\((\w+)\(", inspect.getsource(function))
            assert not asked or f"{name}.{call}" in listed, f"{name}.{call} asks {asked}"


@pytest.mark.parametrize("actor", ["bank", "table", "hand", "player"])
def test_an_actor_has_a_handler_for_each_of_its_commands(actor: str) -> None:
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table(seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        live = table.deal()
        at = {"bank": room.bank, "table": table, "hand": live, "player": room.players["ann"]}[actor]
        handlers = at.address.handlers
        assert handlers is not None
        listed = {spec.message for spec in commands() if spec.actor == actor}
        assert {kind for kind in handlers if issubclass(kind, Command)} == listed


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
        if inspect.isfunction(function) and name != "ask":
            wanted = [one for one in inspect.signature(function).parameters if one != "timeout"]
            assert wanted == list(inspect.signature(twin).parameters), name


def test_the_awaitable_faces_are_those_that_are_drawn_from_the_typed_ones(drawing: ModuleType) -> None:
    assert drawing.FACES.read_text(encoding="utf-8") == drawing.drawn(), "run tests/actors/draw_awaitable.py"


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
