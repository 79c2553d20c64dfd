"""Ask a language model at an endpoint that speaks OpenAI's chat completions, by the SDK of the extra `models`."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from poker_actors.bots.awaiting.transcript import Failure
from poker_actors.errors import BadSpec, MissingFeature, from_extra

if TYPE_CHECKING:
    import asyncio

_DEFAULT_KEY: Final = "OPENAI_API_KEY"
"""The variable that holds the key of the SDK's own endpoint."""
_SHOWN: Final = 200
"""The most characters kept of an endpoint's error."""
_LONGEST: Final = 200_000
"""The most characters of an answer: far more than a model needs to think aloud, yet few enough for the log and the next
question."""
_LONGEST_BODY: Final = 4 << 20
"""Bytes of a body: the longest answer with every character escaped takes 2.4 million; more is not even read."""
_UNSAID: Final = -1.0
"""Seconds to wait if the endpoint names none."""


@attrs.frozen
class Reply:
    """A model's answer, and the tokens that the endpoint counted."""

    text: str
    prompt_tokens: int
    answer_tokens: int


class Unanswered(Exception):
    """A question without a usable answer: how it failed, and the seconds until it may be asked again, if ever."""

    def __init__(self, failure: Failure, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.failure: Final = failure
        self._wait = wait

    def wait(self, number: int) -> float | None:
        """Return the seconds to wait after question `number` of a decision, from 1; None if it may not be asked again.

        If the endpoint does not say, one second, doubled each time.
        """
        return 2.0 ** (number - 1) if self._wait == _UNSAID else self._wait


class Endpoint:
    """A model at a URL. The key is read from the environment when it is opened, and never appears in our texts.

    `variable` names the variable that holds the key. A key goes to a typed URL only if its variable is named: else one
    service's key would reach another. Raises `BadSpec` for anything but ``URL#NAME`` and ``#NAME``.
    """

    def __init__(self, place: str, variable: str = "") -> None:
        self.url, _, self.model = place.partition("#")
        shown = place[:80] if "@" not in place else "…"
        if not self.model:
            raise BadSpec(f"bot model:{shown} does not name a model: write model:URL#NAME")
        if self.url:
            from poker_actors.guard import read_url  # loads asyncio, which few programs need

            if "@" in read_url(self.url, f"bot model:{shown}").netloc:
                raise BadSpec(
                    "bot model: a URL must not hold a password: name the variable of the key by key=NAME"
                )
        self._variable: Final = variable or ("" if self.url else _DEFAULT_KEY)
        self._key = ""
        self._client: tuple[asyncio.AbstractEventLoop, Any] | None = None

    def open(self) -> None:
        """Read the key; raises `MissingExtra` without the SDK and `BadSpec` if the variable is not set."""
        with from_extra("models", "openai"):
            import openai  # noqa: F401  looked for before a hand is played
        if self._variable:
            self._key = os.environ.get(self._variable, "")
            if not self._key:
                raise BadSpec(f"bot model: set {self._variable[:60]} to the key in the environment")

    def find(self) -> None:
        """Look up the host of a typed URL, unless a proxy does.

        Raises `BadSpec` if there is no such host, and `MissingFeature` if no name server answers: it may be found later.
        """
        from poker_actors.guard import find_host  # loads asyncio, which few programs need

        try:
            find_host(self.url)
        except socket.gaierror as error:
            host, why = str(error.filename)[:80], error.strerror
            if error.errno == socket.EAI_AGAIN:
                raise MissingFeature(
                    f"a name server that answers for {host}, the host of bot model:{self.url[:80]}: {why}"
                ) from None
            raise BadSpec(f"bot model:{self.url[:80]}: the host {host} is not found: {why}") from None

    async def ask(self, messages: Sequence[Mapping[str, str]], seconds: float, **settings: object) -> Reply:
        """Ask, and wait at most `seconds`; raises `Unanswered`."""
        import asyncio

        import openai

        nobody = None if self._key else {"Authorization": openai.Omit()}
        try:
            # before the deadline: what the SDK loads at its first question is not the model's time
            create = self._open_client().chat.completions.create
            async with asyncio.timeout(seconds):
                made = await create(
                    model=self.model, messages=list(messages), extra_headers=nobody, **settings
                )
        except (TimeoutError, openai.APITimeoutError):
            raise Unanswered("timed out", f"no answer in {seconds:.3g} s") from None
        except openai.RateLimitError as error:
            raise Unanswered("rate limited", self._words(error), _wait(error)) from None
        except openai.APIStatusError as error:
            again = _wait(error) if error.status_code >= 500 else None
            raise Unanswered("refused", self._words(error), again) from None
        except openai.APIConnectionError as error:
            # by its name: which HTTP library the SDK uses is its own affair
            reached = "Connect" not in type(error.__cause__).__name__
            words = f"{self._words(error)} {self._clean(str(error.__cause__))}"
            if reached:
                raise Unanswered("cut off", words, 0.0) from None
            raise Unanswered("refused", words, _UNSAID) from None
        except (openai.OpenAIError, ValueError) as error:
            raise Unanswered(
                "cut off", f"the endpoint's answer is not a completion: {self._words(error)}"
            ) from None
        return self._reply(made)

    def _reply(self, made: Any) -> Reply:
        """Read a completion; an endpoint may send anything, which the SDK hands on unchecked."""
        try:
            choice = made.choices[0]
            text, end = choice.message.content, choice.finish_reason
            refused = choice.message.refusal
            usage = made.usage
            counts = (0, 0) if usage is None else (int(usage.prompt_tokens), int(usage.completion_tokens))
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise Unanswered(
                "cut off", f"the endpoint's answer is not a completion: {self._clean(str(error))}"
            ) from None
        if refused or end == "content_filter":
            raise Unanswered("refused", f"the model refuses: {self._clean(str(refused or end))}")
        if end == "length":
            raise Unanswered("cut off", f"the answer is cut off after {counts[1]} tokens")
        text = text or ""
        if type(text) is not str or len(text) > _LONGEST:
            raise Unanswered("cut off", f"the answer is not a text of at most {_LONGEST:,} characters")
        return Reply(self._clean(text, None), *counts)

    def _open_client(self) -> Any:
        """Return the client of the running loop: its connections belong to one loop."""
        import asyncio

        import openai

        loop = asyncio.get_running_loop()
        if self._client is None or self._client[0] is not loop:
            self._client = (
                loop,
                openai.AsyncOpenAI(
                    base_url=self.url or None,
                    # never None: the SDK would take the key of its own endpoint from the environment
                    api_key=self._key or "none",
                    max_retries=0,  # what fails is counted and written down here, each time
                    # a body that is compressed says nothing of how long it is
                    default_headers={"Accept-Encoding": "identity"},
                    http_client=openai.DefaultAsyncHttpxClient(event_hooks={"response": [_bound]}),
                ),
            )
        return self._client[1]

    async def aclose(self) -> None:
        """Close the connections, on the loop that they belong to; calling it again does nothing."""
        kept, self._client = self._client, None
        if kept is not None:
            await kept[1].close()

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """The loop that its connections belong to; None if there are none."""
        return None if self._client is None else self._client[0]

    def _words(self, error: Exception) -> str:
        status = getattr(error, "status_code", None)
        return self._clean(
            f"{'' if status is None else f'status {status}: '}{getattr(error, 'message', error)}"
        )

    def _clean(self, text: str, longest: int | None = _SHOWN) -> str:
        """Remove the key, which some endpoints repeat, and lone surrogates, which no file can hold, from a text."""
        whole = text.encode("utf-8", "replace").decode("utf-8")
        return (whole.replace(self._key, "***") if self._key else whole)[:longest]


async def _bound(response: Any) -> None:
    """Stop reading any body beyond `_LONGEST_BODY`, even of errors and redirects, which the SDK reads itself.

    Raises `ValueError` for one that is compressed, and when one is longer.
    """
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise ValueError("its body is compressed, though no compression was requested")
    kept = response.stream
    # by its name: which HTTP library the SDK uses is its own affair
    kind = next(each for each in type(kept).__mro__ if each.__name__ == "AsyncByteStream")

    async def chunks(_: object) -> AsyncIterator[bytes]:
        left = _LONGEST_BODY
        async for chunk in kept:
            left -= len(chunk)
            if left < 0:
                raise ValueError(f"its body has more than {_LONGEST_BODY:,} bytes")
            yield chunk

    async def close(_: object) -> None:
        await kept.aclose()

    response.stream = type("Bounded", (kind,), {"__aiter__": chunks, "aclose": close})()


def _wait(error: Any) -> float:
    """Return the seconds that the answer asks to wait before the next question."""
    headers = error.response.headers
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):  # a date is read as no number: our clock may differ from theirs
            continue
    return _UNSAID
