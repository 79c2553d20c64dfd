"""Values that are frozen for the type checker and plain slots at run time.

An `attrs.frozen` instance takes three times as long to make as an `attrs.define` one, since every
field goes through `object.__setattr__`. Objects made for every action of every hand are declared
with `value` (compared and hashed by its fields) or `message` (compared by identity) instead;
assigning to a field is still a type error and a bug.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import attrs

__all__ = ["message", "value"]

if TYPE_CHECKING:
    from attrs import frozen as message
    from attrs import frozen as value
else:
    value = partial(attrs.define, unsafe_hash=True)
    message = partial(attrs.define, eq=False)
