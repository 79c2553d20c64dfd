"""A language model as a bot: prompted in words, read strictly, asked once more if need be, and logged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final

import attrs

from poker_actors.bots.awaiting.bot import AwaitedBot
from poker_actors.bots.awaiting.endpoint import Endpoint, Reply, Unanswered
from poker_actors.bots.awaiting.prompt import INSTRUCTIONS, Memory, read_answer
from poker_actors.bots.awaiting.transcript import Attempt, Failure, Transcript
from poker_actors.bots.faults import BotFault, FaultLimits, Kind
from poker_actors.bots.hearing import HandEnd, HandStart
from poker_actors.bots.registry import Within
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, View, parse_action

_KINDS: Final[dict[Failure, Kind]] = {
    "misread": "nonsense",
    "illegal": "illegal",
    "timed out": "late",
    "refused": "died",
    "rate limited": "died",
    "cut off": "died",
}
"""How each failure counts once it has failed a decision: an endpoint without an answer counts as a program that ended."""
_MOST_ATTEMPTS: Final = 8
"""The most questions for one decision, however short the waits that the endpoint asks for."""
_MILLION: Final = 1e6
Talk = list[dict[str, str]]


class ModelBot(AwaitedBot):
    """The model `endpoint`, which is ``URL#NAME``, behind any endpoint that speaks OpenAI's chat completions.

    `key` names the variable of the environment that holds the key. `seconds` is the deadline of a decision, its second
    try and its waits included; `match_seconds`, `calls` and `cost` limit a match, and after `stops` decisions without
    an answer the bot is ejected. `price_in` and `price_out` are prices per million tokens read and written. The prompt
    holds the last `heard` hands. `log` is the file of the transcript: questions that it already answers are not asked
    again. `temperature` and `tokens`, the longest answer, are the endpoint's own unless given.
    """

    def __init__(  # noqa: PLR0913  each is a setting that users name
        self,
        *,
        endpoint: str,
        key: str = "",
        log: str = "",
        heard: Annotated[int, Within(0, 50)] = 5,
        seconds: Annotated[float, Within(0.001, 3600)] = 60.0,
        match_seconds: Annotated[float, Within(0.001, 1e7)] | None = None,
        calls: Annotated[int, Within(1, 1e9)] | None = None,
        cost: Annotated[float, Within(0, 1e9)] | None = None,
        stops: Annotated[int, Within(1, 1000)] = FaultLimits().stops,
        price_in: Annotated[float, Within(0, 1e6)] | None = None,
        price_out: Annotated[float, Within(0, 1e6)] | None = None,
        temperature: Annotated[float, Within(0, 2)] | None = None,
        tokens: Annotated[int, Within(1, 1_000_000)] | None = None,
    ) -> None:
        limits = FaultLimits(stops=stops, calls=calls, seconds=match_seconds, cost=cost)
        self._memory: Final = Memory(heard)
        super().__init__(self._decided, seconds, limits)
        self.hears = True
        if cost is not None and price_in is None and price_out is None:
            raise BadSpec(f"bot model: cost={cost:g} needs prices: price_in=N,price_out=N per million tokens")
        self._endpoint: Final = Endpoint(endpoint, key)
        asked = {"temperature": temperature, "max_completion_tokens": tokens}
        self._asked: Final = {name: value for name, value in asked.items() if value is not None}
        head = {"endpoint": endpoint, "heard": heard, **asked, "instructions": INSTRUCTIONS}
        self._log: Final = Transcript(Path(log), head) if log else None
        self._prices: Final = None if price_in is price_out is None else (price_in or 0.0, price_out or 0.0)

    def __repr__(self) -> str:
        return f"<ModelBot {self._endpoint.model}>"

    @classmethod
    def check_spread(cls, values: Mapping[str, object]) -> None:
        """Refuse a log when the match is played in several processes, which do not keep its order."""
        if values.get("log"):
            raise BadSpec(
                f"bot model: log={values['log']!s:.60} needs one process: leave out --workers, or the log"
            )

    def open(self) -> None:
        """Look for the SDK, the key, the log and, if that holds no answers, the host; raises `MissingExtra` and `BadSpec`."""
        self._endpoint.open()
        if self._log is not None:
            self._log.open()
        if self._log is None or not self._log.answers:
            self._endpoint.find()

    def close(self) -> None:
        """Release the log and close the connections, on the loop that they belong to."""
        if self._log is not None:
            self._log.close()
        loop = self._endpoint.loop
        if loop is not None:
            import asyncio

            if loop is self._loop:
                self._run(self._endpoint.aclose())
            elif loop.is_running():  # a room's loop, maybe the one that is running this
                asyncio.run_coroutine_threadsafe(self._endpoint.aclose(), loop)
        super().close()

    def hand_started(self, start: HandStart) -> None:
        """Remember who plays."""
        self._memory.hand_started(start)

    def hand_over(self, end: HandEnd) -> None:
        """Remember the hand for later prompts."""
        self._memory.hand_over(end)

    async def answer(self, view: View) -> Action:
        """Decide within the deadline and the budget; raises `BotFault`."""
        self.account.check_budget()
        return await self._decided(view)

    async def _decided(self, view: View) -> Action:
        prompt = self._memory.prompt(view)
        talk = [{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": prompt}]
        question = Attempt(
            hand=view.hand_number, seat=view.seat, seq=view.public.seq, state=view.text(), prompt=prompt
        )
        left, tried = self._seconds, False
        for number in range(1, _MOST_ATTEMPTS + 1):
            attempt = await self._attempt(question, talk, view, left, number)
            waited = attempt.milliseconds / 1000
            if attempt.action is not None:
                return parse_action(attempt.action)
            assert attempt.failure is not None, "an attempt without an action has failed"
            fault = BotFault(_KINDS[attempt.failure], f"{attempt.failure}: {attempt.reason}")
            if attempt.failure in ("misread", "illegal"):
                if tried:
                    raise fault
                tried = True
                again = f"That is not a valid answer: {attempt.reason}. Answer once more, with the last line action: WORDS."
                talk += [
                    {"role": "assistant", "content": attempt.answer},
                    {"role": "user", "content": again},
                ]
                question = attrs.evolve(question, prompt=again)
            elif attempt.wait is None or waited + attempt.wait >= left or number == _MOST_ATTEMPTS:
                raise fault
            left -= waited + (attempt.wait or 0.0)
        raise AssertionError("the last attempt answers or raises")

    async def _attempt(self, question: Attempt, talk: Talk, view: View, left: float, number: int) -> Attempt:
        """Return a recorded answer, or ask, record the answer, and wait if the endpoint asks for that."""
        log = self._log
        known = None if log is None else log.recall(question, alone=not self._memory.from_the_start)
        attempt = await self._ask(question, talk, view, left, number) if known is None else known
        if known is None and log is not None:
            log.write(attempt)
        used = self.account.used
        used.calls += 1
        used.seconds += attempt.milliseconds / 1000
        used.prompt_tokens += attempt.prompt_tokens
        used.answer_tokens += attempt.answer_tokens
        used.cost += attempt.price or 0.0
        if attempt.failure is not None:
            used.failed[attempt.failure] = used.failed.get(attempt.failure, 0) + 1
        if known is None and attempt.wait and attempt.milliseconds / 1000 + attempt.wait < left:
            import asyncio

            await asyncio.sleep(attempt.wait)
        return attempt

    async def _ask(self, question: Attempt, talk: Talk, view: View, left: float, number: int) -> Attempt:
        start = perf_counter()
        found: dict[str, Any]
        try:
            reply = await self._endpoint.ask(talk, left, **self._asked)
        except Unanswered as error:
            found = {"failure": error.failure, "reason": str(error), "wait": error.wait(number)}
        else:
            found = {**self._counted(reply), **_read(reply.text, view)}
        return attrs.evolve(question, milliseconds=round(1000 * (perf_counter() - start), 1), **found)

    def _counted(self, reply: Reply) -> dict[str, Any]:
        counts = {"prompt_tokens": reply.prompt_tokens, "answer_tokens": reply.answer_tokens}
        if self._prices is None:
            return counts
        read, written = self._prices
        price = (reply.prompt_tokens * read + reply.answer_tokens * written) / _MILLION
        return {**counts, "price": price}


def _read(text: str, view: View) -> dict[str, Any]:
    """Return what an answer says, as fields of an attempt."""
    try:
        return {"answer": text, "action": str(read_answer(text, view))}
    except BotFault as fault:
        failure = "illegal" if fault.kind == "illegal" else "misread"
        return {"answer": text, "failure": failure, "reason": str(fault)}
