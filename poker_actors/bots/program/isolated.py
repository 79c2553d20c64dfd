"""A bot from a Python file in a cage of its own: asked by lines, like a program, and playing the same hands.

The question is the bot's `View`, pickled by us; the answer is a line of JSON, so nothing from the cage is unpickled.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final

import attrs

from poker_actors.bots.deciding import ACTIONS, AllIn
from poker_actors.bots.faults import BotFault, Faults
from poker_actors.bots.hearing import HandStart, hears, tell
from poker_actors.bots.program.bot import ProgramBot
from poker_actors.bots.program.protocol import HEARING, LONGEST_REPLY, VERSION
from poker_actors.bots.program.starting import Program
from poker_actors.bots.registry import Within
from poker_actors.bots.streams import HandStream
from poker_actors.errors import PokerError
from poker_actors.jsontext import parse_json
from poker_actors.loading import files_beside
from poker_actors.rules import Action, View, parse_action

_PACKAGE: Final = Path(__file__).parents[2]
_LIBRARIES: Final = Path(attrs.__file__).parent.parent
"""The folder of our libraries, which a bot may use, too."""
_INSIDE: Final = f"from poker_actors.bots import BotSpec; from {__name__} import serve; serve(BotSpec.parse({{!r}}).make())"
_SHOWN: Final = 400
"""The most characters of an error's text that are sent; a fault keeps fewer."""


class IsolatedBot(ProgramBot):
    """The bot of a Python file that `spec` names, in a process and a cage of its own.

    Its settings are those of a program. It sees its own file and those beside it that it imports, or its `folder` if
    one is given, this package and its libraries. Its luck, answers and faults are the same as without the cage.
    """

    def __init__(  # noqa: PLR0913  each is a setting of a program
        self,
        *,
        spec: str,
        seconds: Annotated[float, Within(0.001, 3600)] = 2.0,
        start_seconds: Annotated[float, Within(0.001, 3600)] = 20.0,
        match_seconds: Annotated[float, Within(0.001, 1e7)] = 3600.0,
        memory: Annotated[int, Within(16, 1 << 24)] = 2048,
        restarts: Annotated[int, Within(0, 1000)] = 4,
        folder: str = "",
        cage: bool = True,
        processes: Annotated[int, Within(1, 10_000)] = 64,
        tmp: Annotated[int, Within(1, 1 << 20)] = 64,
    ) -> None:
        super().__init__(
            command=sys.executable,
            seconds=seconds,
            start_seconds=start_seconds,
            match_seconds=match_seconds,
            memory=memory,
            restarts=restarts,
            folder=folder,
            cage=cage,
            processes=processes,
            tmp=tmp,
        )
        self._command = spec
        file = Path(spec.partition(":")[0])
        program = self._program
        shown = (*(() if folder else (file, *files_beside(file))), _PACKAGE, _LIBRARIES)
        self._program: Program = attrs.evolve(
            program,
            words=(*program.words, "-P", "-c", _INSIDE.format(spec)),
            environment={**program.environment, "PYTHONPATH": f"{_PACKAGE.parent}:{_LIBRARIES}"},
            cage=None if program.cage is None else attrs.evolve(program.cage, files=shown),
        )
        self._told: object = None

    def _greeting(self) -> bytes:
        self._told = None
        return b"\n"

    def _heard(self, news: HandStart) -> bytes:
        return b64encode(pickle.dumps((news, None, None))) + b"\n"

    def _question(self, view: View) -> bytes:
        stream = view.stream
        # a stream's generator must live through the hand inside: it is sent once, and then only the hand's number
        told, self._told = self._told, stream
        return b64encode(pickle.dumps((view, None if told is stream else stream, view.hand_number))) + b"\n"

    def _answer(self, line: bytes, view: View) -> Action:
        try:
            answer = parse_json(line)
            if "fault" in answer:
                raise BotFault(answer["fault"], str(answer["text"]))
            return parse_action(answer["action"])
        except (ValueError, KeyError, TypeError, AttributeError, PokerError) as error:
            if isinstance(error, BotFault):
                raise
            raise BotFault("nonsense", f"answered {line[:60]!r}") from error


def serve(bot: Any) -> None:
    """Ask `bot` each question until stdin ends; runs in the cage."""
    said = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a bot prints is not an answer
    asked: BinaryIO = sys.stdin.buffer
    asked.readline()
    _say(said, {"type": "hello", "version": HEARING if hears(bot) else VERSION})
    kept: HandStream | None = None
    heard = Faults()  # what it raises on hearing stays in the cage
    for line in asked:
        view, stream, number = pickle.loads(b64decode(line))
        if isinstance(view, HandStart):
            tell(bot, view, heard)
            continue
        kept = kept if stream is None else stream
        if kept is not None and number is not None:
            kept.hand = number
        _say(said, _decided(bot, View(view.public, view.seat, view.hole, kept)))


def _decided(bot: Any, view: View) -> dict[str, str]:
    try:
        action = bot(view)
    except (Exception, SystemExit) as error:  # noqa: BLE001  told as a fault, as outside a cage
        if isinstance(error, BotFault):
            return {"fault": error.kind, "text": str(error)[:_SHOWN]}
        return {"fault": "raised", "text": f"raised {type(error).__name__}: {error}"[:_SHOWN]}
    if type(action) is AllIn:
        action = view.legal.all_in
        if action is None:
            return {"fault": "illegal", "text": "all_in is not possible here"}
    if type(action) not in ACTIONS:
        return {"fault": "nonsense", "text": f"returned {action!r:.60}, which is not an action"}
    return {"action": str(action)}


def _say(said: BinaryIO, answer: dict[str, Any]) -> None:
    said.write(json.dumps(answer).encode()[:LONGEST_REPLY] + b"\n")
    said.flush()
