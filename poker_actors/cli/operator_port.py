"""Ask a running server at its operator's port."""

from __future__ import annotations

import http.client
from typing import Any, Final

from poker_actors.cli.endpoint import endpoint
from poker_actors.errors import BadSpec, StorageFailed, TableRefusal
from poker_actors.jsontext import parse_json

__all__ = ["ask_operator"]

_SECONDS: Final = 30.0
"""Seconds allowed for one answer: the operator's commands write to the server's journal."""


def ask_operator(place: str, option: str, data: str | None, path: str, method: str = "GET") -> Any:
    """Ask at `place`, HOST:PORT as given by `option`; the secret is beside `data`, or in the environment.

    Raises `BadSpec` for a wrong secret, `TableRefusal` as the server refuses, `StorageFailed` for a server that is not there.
    """
    from poker_actors.server.operator import operator_secret

    host, port = endpoint(place, option)
    secret, _ = operator_secret(data, make=False)
    connection = http.client.HTTPConnection(host, port, timeout=_SECONDS)
    try:
        connection.request(method, path, headers={"Authorization": f"Bearer {secret}"})
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise StorageFailed(f"{place}: {why.lower()}") from error
    finally:
        connection.close()
    if answer.status == 200:
        return parse_json(text)
    if text.startswith("{"):
        refused = parse_json(text)
        if answer.status in (404, 409):
            raise TableRefusal(refused["text"], code=refused["code"])
        text = refused["text"]
    raise BadSpec(f"{place} answers {answer.status}: {text.strip()[:200]}")
