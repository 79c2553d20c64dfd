"""Transcripts of a language model: questions and answers as lines of JSON, reused when a match is played again."""

from __future__ import annotations

import json
import os
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

import attrs

from poker_actors.atomic import HeldFile, read_whole
from poker_actors.errors import BadSpec
from poker_actors.jsontext import parse_json

Failure = Literal["misread", "illegal", "timed out", "refused", "rate limited", "cut off"]
"""Why an answer could not be used: no action in it; not a legal one; too late; an error of the endpoint, or a refusal of
the model; too many questions; half an answer."""

_NAME: Final = "poker-actors transcript"
FORMAT: Final = 1
_SHOWN: Final = 300
"""Characters of an answer that are shown."""


@attrs.frozen(kw_only=True)
class Attempt:
    """One question and its answer. A decision has several if answers failed."""

    hand: int | None
    """the hand's number in its match or at its table"""
    seat: int
    seq: int
    """the number of actions before this one"""
    state: str
    """the seat's view in words"""
    prompt: str
    """the prompt, without earlier messages"""
    answer: str = ""
    action: str | None = None
    """the action read; None if it failed"""
    failure: Failure | None = None
    reason: str = ""
    """why it failed, in words"""
    wait: float | None = None
    """seconds before the same question may be asked again; None if it may not"""
    prompt_tokens: int = 0
    answer_tokens: int = 0
    milliseconds: float = 0.0
    price: float | None = None
    """in the unit of the prices given; None without prices"""

    @property
    def talk(self) -> tuple[tuple[str, str], ...]:
        """The messages by role: `user` for the prompt and `assistant` for the answer, if one came."""
        return (("user", self.prompt), *([("assistant", self.answer)] if self.answer else []))

    @property
    def words(self) -> str:
        """The outcome on one line: `call (412 ms, 400 + 12 tokens, price 0.0002): I have the odds. action: call`."""
        tokens = f", {self.prompt_tokens:,} + {self.answer_tokens:,} tokens" if self.prompt_tokens else ""
        price = "" if self.price is None else f", price {self.price:g}"
        # an answer may hold anything, and is shown on terminals
        flat = "".join(
            [mark if mark.isprintable() else "?" for mark in " ".join((self.answer or self.reason).split())]
        )
        said = flat if len(flat) <= _SHOWN else f"…{flat[1 - _SHOWN :]}"  # its end, where the action is
        return f"{self.action or self.failure} ({self.milliseconds:,.0f} ms{tokens}{price}): {said}"


_FIELDS: Final = {field.name for field in attrs.fields(Attempt)}
_Key = tuple[int | None, int, int, str]


class Transcript(HeldFile):
    """Keeps one bot's attempts in a file, and replays, in order, those of an earlier run of the same match.

    The first line holds model and settings; every other is written before its action is taken, so a killed match that
    is played again takes the same actions. The file holds the bot's cards: only its owner may read it. Raises `BadSpec`
    for a file of another model or other settings, or one that is not a transcript.
    """

    IN_USE: ClassVar[str] = "is held by another bot or process: each needs its own log"

    def __init__(self, path: Path, head: Mapping[str, object]) -> None:
        super().__init__(path)
        self._head: Final = {"what": _NAME, "format": FORMAT, **head}
        self._known: dict[_Key, deque[Attempt]] = {}
        self._by_state: dict[_Key, deque[Attempt]] = {}
        self._descriptor: int | None = None

    def open(self) -> None:
        """Hold the file and read what is there."""
        self.__enter__()
        try:
            known, by_state = (
                defaultdict[_Key, deque[Attempt]](deque),
                defaultdict[_Key, deque[Attempt]](deque),
            )
            for attempt in self._read():
                known[_key(attempt, attempt.prompt)].append(attempt)
                by_state[_key(attempt, attempt.state)].append(attempt)
            self._known, self._by_state = dict(known), dict(by_state)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Release the file; calling it again does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        if self._lock is not None:
            self.__exit__(None, None, None)
            self._lock = None

    @property
    def answers(self) -> bool:
        """Whether an earlier run has left answers."""
        return bool(self._known)

    def recall(self, question: Attempt, *, alone: bool) -> Attempt | None:
        """Return the next recorded answer to a question; None if there is none.

        The question must be the same word for word; for a hand played `alone`, without earlier hands, the state is
        enough.
        """
        left = self._known.get(_key(question, question.prompt))
        if left is None and alone:
            left = self._by_state.get(_key(question, question.state))
        return left.popleft() if left else None

    def write(self, attempt: Attempt) -> None:
        """Add an attempt.

        One system call writes its line, so a process that dies leaves whole lines, except perhaps the last.
        """
        assert self._descriptor is not None, "opened"
        os.write(self._descriptor, _line(attrs.asdict(attempt)))

    def _read(self) -> Iterator[Attempt]:
        try:
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            data = read_whole(self.path)
        except OSError as error:
            raise BadSpec(f"{self.path} cannot be written: {error.strerror}") from error
        whole = data.rfind(b"\n") + 1
        if not whole and _line(self._head).startswith(data):
            os.truncate(self.path, 0)
            os.write(self._descriptor, _line(self._head))
            return
        head, attempts = _parsed(self.path, data[:whole])
        for name, mine in self._head.items():
            theirs = head.get(name)
            if theirs != mine:
                raise BadSpec(f"{self.path} comes from a run with {name} {theirs!s:.60}, not {mine!s:.60}")
        # a line that was torn when its process died: its action was never taken
        os.truncate(self.path, whole)
        yield from attempts


def read_transcript(path: Path) -> Iterator[Attempt]:
    """Read the attempts of a transcript, in order; raises `BadSpec` for any other file."""
    try:
        data = read_whole(path)
    except OSError as error:
        raise BadSpec(f"{path} cannot be read: {error.strerror}") from error
    yield from _parsed(path, data[: data.rfind(b"\n") + 1])[1]


def _parsed(path: Path, data: bytes) -> tuple[dict[str, Any], Iterator[Attempt]]:
    first, *lines = data.splitlines() or [b""]
    try:
        head = parse_json(first)
        if head["what"] != _NAME:
            raise ValueError(f"what is {head['what']!r:.40}")
    except (ValueError, KeyError, TypeError) as error:
        raise BadSpec(f"{path} is not a transcript of a language model: {error}") from error
    return head, (_attempt(path, number, line) for number, line in enumerate(lines, start=2))


def _attempt(path: Path, number: int, line: bytes) -> Attempt:
    try:
        value = parse_json(line)
        return Attempt(**{name: given for name, given in value.items() if name in _FIELDS})
    except (ValueError, TypeError, AttributeError) as error:
        raise BadSpec(f"{path}:{number} is not an attempt of a transcript: {error}") from error


def _key(attempt: Attempt, words: str) -> _Key:
    # a digest: a match has many long prompts
    return attempt.hand, attempt.seat, attempt.seq, blake2b(words.encode(), digest_size=16).hexdigest()


def _line(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


@attrs.frozen
class Answer:
    """A model's answer and its cost."""

    text: str
    cost: float = 0.0


class RecordedModel:
    """Answers prompts from a file of JSON lines; ``answer = await model(prompt)``.

    A prompt that is not in the file goes to `ask`, the real model, and its answer is added to the file; without `ask`
    it raises `LookupError`. A prompt always gets the same answer, so a match replays identically in any order of hands.
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
        lines = read_whole(path).decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise BadSpec(f"{path} is not a text in UTF-8: {error.reason} at offset {error.start}") from error
    for number, line in enumerate(lines, start=1):
        try:
            row = parse_json(line)
            answers.setdefault(row["prompt"], Answer(row["answer"], row.get("cost", 0.0)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadSpec(
                f"{path}:{number} is not a recorded answer: {type(error).__name__}: {error}"
            ) from error
    return answers
