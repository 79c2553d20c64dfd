"""The OPP server: a Room's fixed-limit tables for clients old and new."""

__all__ = ()
