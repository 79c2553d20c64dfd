"""Generate the awaitable faces from the typed ones: `python tests/actors/draw_awaitable.py` writes them.

Each method of a typed face that asks an actor, directly or through another method, becomes a coroutine; the
others stay unchanged. `test_commands.py` compares the file with the text generated here.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

ACTORS: Final = Path(__file__).parents[2] / "poker_actors" / "actors"
FACES: Final = ACTORS / "aio" / "faces.py"

DOC: Final = (
    '"""Bank, tables and players to await: drawn by tests/actors/draw_awaitable.py from the typed faces."""'
)

TYPED: Final = {
    "bank": (
        "Bank",
        """
    def __init__(self, bank: Bank, bridge: Bridge) -> None:
        super().__init__(bank.address, bridge)
""",
    ),
    "player": (
        "Player",
        """
    def __init__(self, player: Player, bridge: Bridge) -> None:
        super().__init__(player.address, bridge)
        self.player: Final = player
        self._memory = player._memory
        self._table = player._table

    def at(self, table: str | Named) -> AsyncPlayer:
        \"""Return this player at one table: its actions and its `state` are for that table only.\"""
        return AsyncPlayer(self.player.at(table), self._bridge)

    def news(self, limit: int = 1000) -> NewsStream:
        \"""Return a stream of everything the player hears: ``async with player.news() as news: async for one in news``.\"""
        return NewsStream(self._bridge, self.player, limit)
""",
    ),
    "table": (
        "Table",
        """
    def __init__(self, table: Table, bridge: Bridge) -> None:
        super().__init__(table.address, bridge)
        self.table: Final = table
        self.config = table.config
""",
    ),
}
"""Maps a folder to its typed face, and the start of the awaitable twin, which replaces the constructor."""

TWINS: Final = {"Player": "AsyncPlayer", "Table": "AsyncTable", "LiveHand": "AsyncHand"}


def drawn() -> str:
    """Return the text of the file."""
    imports = [
        "from typing import Final",
        "from poker_actors.actors.aio.bridge import Bridge, NewsStream",
        "from poker_actors.actors.aio.hand import AsyncFace, AsyncHand",
    ]
    classes = []
    for folder, (name, start) in TYPED.items():
        text = (ACTORS / folder / "face.py").read_text(encoding="utf-8")
        tree = ast.parse(text)
        imports += [ast.unparse(node) for node in tree.body if isinstance(node, ast.ImportFrom | ast.Import)]
        imports.append(f"from poker_actors.actors.{folder}.face import {name}")
        (face,) = (node for node in tree.body if isinstance(node, ast.ClassDef))
        classes.append(_twin(face, text, start))
    names = sorted(f"Async{name}" for name, _ in TYPED.values())
    future = "from __future__ import annotations"
    top = [DOC, "", future, "", *(line for line in imports if line != future), "", f"__all__ = {names}"]
    return _tidied("\n".join(top) + "\n\n\n" + "\n\n\n".join(classes) + "\n")


def _twin(face: ast.ClassDef, text: str, start: str) -> str:
    lines = text.splitlines()
    methods = [
        node for node in face.body if isinstance(node, ast.FunctionDef) and f"def {node.name}(" not in start
    ]
    source = {
        node.name: "\n".join(lines[min(map(_line, [node, *node.decorator_list])) - 1 : node.end_lineno])
        for node in methods
    }
    waits = {"ask", "kept"}
    while more := {name for name, body in source.items() if name not in waits and _asks(body, waits)}:
        waits |= more
    parts = [_method(node, source[node.name], waits) for node in methods]
    doc = f'    """{face.name} to await; see `{face.name}` for what each command raises."""'
    head = f"class Async{face.name}(AsyncFace):\n{doc}\n{start.replace(chr(92), '').rstrip()}"
    return "\n\n".join([head, *parts])


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0))


def _asks(body: str, waits: set[str]) -> bool:
    return any(f"self.{name}(" in body for name in waits) or "hand.result(" in body


def _method(node: ast.FunctionDef, text: str, waits: set[str]) -> str:
    # no timeout argument: a caller that awaits sets a limit with asyncio.timeout
    text = text.replace("timeout: float = ASK_SECONDS", "").replace(", timeout)", ")")
    first = node.body[0].lineno - _line(node) + len(node.decorator_list)
    lines = text.splitlines()
    head, body = "\n".join(lines[:first]), "\n".join(lines[first:])
    for name, twin in TWINS.items():
        head = re.sub(rf"(?<![.\w]){name}\b", twin, head)
        body = re.sub(rf"\b{name}\((?=dealt)", f"{twin}({name}(", body)
        body = body.replace(f"{twin}({name}(dealt)", f"{twin}({name}(dealt), self._bridge)")
    if node.name not in waits:
        return f"{head}\n{body}".replace('"<', '"<Async')
    head = head.replace("def ", "async def ", 1)
    calls = "|".join(sorted(map(re.escape, waits)))
    body = re.sub(rf"self\.({calls})\(", r"await self.\1(", body)
    return f"{head}\n{body.replace('hand.result(', 'await hand.result(')}"


def _tidied(text: str) -> str:
    for arguments in (
        ["check", "--fix", "--quiet", "--exit-zero", "--select", "I,F401,RUF022,TC"],
        ["format", "--quiet"],
    ):
        command = [sys.executable, "-m", "ruff", *arguments, "--stdin-filename", str(FACES), "-"]
        text = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    return text


if __name__ == "__main__":
    FACES.write_text(drawn(), encoding="utf-8")
