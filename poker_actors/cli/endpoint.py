"""Parse `HOST:PORT` arguments of commands."""

from __future__ import annotations

from poker_actors.errors import BadSpec

__all__ = ["endpoint"]


def endpoint(text: str, option: str) -> tuple[str, int]:
    """Return the host and port of `HOST:PORT`, or `[::1]:PORT` for IPv6.

    Raise `BadSpec`, which names the option, for anything else.

    >>> endpoint("127.0.0.1:55006", "--opp")
    ('127.0.0.1', 55006)
    """
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not port.isascii() or not port.isdigit():
        raise BadSpec(f"{option} {text[:60]!r} is not HOST:PORT, such as 127.0.0.1:55006")
    # nine digits are enough to see that it is too large; int() raises ValueError for thousands of them
    if int(port[:9]) > 65535:
        raise BadSpec(f"{option} {text[:60]!r}: ports go up to 65535")
    return host, int(port)
