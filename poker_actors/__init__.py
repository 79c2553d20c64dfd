"""A poker room of actors you can embed, run a million hands through, and stop at any single message."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
