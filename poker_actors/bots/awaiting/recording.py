"""A model whose answers are recorded in a file and replayed: tests of awaited bots without a network."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from hashlib import blake2b
from pathlib import Path

import attrs

from poker_actors.errors import BadSpec
from poker_actors.jsontext import parse_json

__all__ = ["Answer", "RecordedModel"]


@attrs.frozen
class Answer:
    """A model's answer and its cost."""

    text: str
    cost: float = 0.0


class RecordedModel:
    """Answers prompts from a file of JSON lines; ``answer = await model(prompt)``.

    A prompt that is not in the file goes to `ask`, the real model, and its answer is added to the file; without `ask`
    it raises `LookupError`. A prompt always has the same answer, so a match replays the same in any order of hands.
    Raises `BadSpec` for a file that is not a recording. Prompts hold a player's cards: keep the file as secret.
    """

    def __init__(self, path: str | Path, ask: Callable[[str], Awaitable[str | Answer]] | None = None) -> None:
        self._path = Path(path)
        self._ask = ask
        self._answers = _read(self._path)
        self.asked = 0
        """Number of prompts sent to the real model."""

    async def __call__(self, prompt: str) -> Answer:
        """Return the answer to a prompt."""
        known = self._answers.get(prompt)
        if known is not None:
            return known
        if self._ask is None:
            # a digest instead of the prompt, which holds cards
            mark = blake2b(prompt.encode(), digest_size=4).hexdigest()
            raise LookupError(f"{self._path.name} has no answer to prompt {mark} ({len(prompt)} characters)")
        self.asked += 1
        given = await self._ask(prompt)
        # while this call waited, another may have answered the same prompt: keep the first
        answer = self._answers.setdefault(prompt, Answer(given) if isinstance(given, str) else given)
        line = json.dumps({"prompt": prompt, "answer": answer.text, "cost": answer.cost})
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
        return answer


def _read(path: Path) -> dict[str, Answer]:
    answers: dict[str, Answer] = {}
    if not path.exists():
        return answers
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise BadSpec(f"{path} is not a text in UTF-8: {error.reason} at offset {error.start}") from error
    for number, line in enumerate(lines, start=1):
        try:
            row = parse_json(line)
            answers.setdefault(row["prompt"], Answer(row["answer"], row.get("cost", 0.0)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadSpec(
                f"{path}:{number} is no recorded answer: {type(error).__name__}: {error}"
            ) from error
    return answers
