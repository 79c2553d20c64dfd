"""The operator's secret: from the environment, or from a file of mode 0600 beside the data, made if missing."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

from poker_actors.errors import BadSpec, StorageFailed

__all__ = ["SECRET_VARIABLE", "operator_secret"]

SECRET_VARIABLE: Final = "POKER_ACTORS_OPERATOR_SECRET"
_LEAST: Final = 16
"""The least length, in characters: a shorter secret can be guessed."""


def operator_secret(data: str | None, *, make: bool) -> tuple[str, Path | None]:
    """Return the secret, and the file it is in; None for one out of the environment.

    The file is `data` with `.operator` behind it; it is made where there is none, if `make`. Raises `BadSpec`
    where there can be none or others can read it, `StorageFailed` when it cannot be written.
    """
    given = os.environ.get(SECRET_VARIABLE)
    if given is not None:
        return _long_enough(given, SECRET_VARIABLE), None
    if data is None or "://" in data:
        raise BadSpec(f"the operator's port needs a secret: set {SECRET_VARIABLE}, or keep data in a file")
    path = Path(f"{data}.operator")
    try:
        if make and not path.exists():
            _write(path, secrets.token_urlsafe(32))
        if path.stat().st_mode & 0o077:
            raise BadSpec(f"others can read {path}: its mode has to be 0600")
        return _long_enough(path.read_text(encoding="ascii").strip(), str(path)), path
    except FileNotFoundError:
        raise BadSpec(
            f"there is no secret in {path}: start the server with --operator, or set {SECRET_VARIABLE}"
        ) from None
    except OSError as error:
        raise StorageFailed(f"{path}: {(error.strerror or str(error)).lower()}") from error


def _write(path: Path, secret: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(f"{secret}\n")


def _long_enough(secret: str, place: str) -> str:
    if len(secret) < _LEAST:
        raise BadSpec(f"the secret in {place} has {len(secret)} characters: fewer than {_LEAST}")
    return secret
