"""A resumable training on disk: one file, replaced atomically, and used by one trainer at a time."""

from __future__ import annotations

import io
from hashlib import blake2b
from struct import Struct
from typing import Any, Final

import numpy as np

from poker_actors.atomic import HeldFile, replacing
from poker_actors.errors import BadSpec

__all__ = ["Checkpoint"]

_MAGIC: Final = b"poker-actors training\n"
VERSION: Final = 3
_HEAD: Final = Struct("<B32s")
"""Version, and the checksum of the rest of the file."""


class Checkpoint(HeldFile):
    """The arrays of a training in a file; a context manager that locks the file for this process.

    Raises `BadSpec` when another process holds the file, and for a file that is damaged, of another version or not a
    training at all.
    """

    IN_USE = "is in use: another process trains on it"

    def read(self) -> dict[str, Any]:
        """Return the arrays written last; raises `BadSpec` for an unreadable file."""
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise BadSpec(f"{self.path} cannot be read: {error.strerror}") from error
        start = len(_MAGIC) + _HEAD.size
        if data[: len(_MAGIC)] != _MAGIC or len(data) < start:
            raise BadSpec(f"{self.path} holds no training of the bot expert")
        version, checksum = _HEAD.unpack(data[len(_MAGIC) : start])
        if version != VERSION:
            raise BadSpec(f"{self.path} is of version {version}: this program resumes version {VERSION}")
        if blake2b(data[start:], digest_size=32).digest() != checksum:
            raise BadSpec(f"{self.path} is damaged: it does not agree with its checksum")
        with np.load(io.BytesIO(data[start:]), allow_pickle=False) as kept:
            return dict(kept)

    def write(self, arrays: dict[str, Any]) -> None:
        """Write the arrays; after a crash at any moment the file holds either these or the previous ones."""
        body = io.BytesIO()
        np.savez(body, **arrays)
        data = body.getvalue()
        try:
            with replacing(self.path, "wb") as stream:
                stream.write(_MAGIC + _HEAD.pack(VERSION, blake2b(data, digest_size=32).digest()) + data)
        except OSError as error:
            raise BadSpec(f"{self.path} cannot be written: {error.strerror}") from error
