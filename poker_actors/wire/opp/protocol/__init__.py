"""The protocol without sockets: the table of messages, the codec and the order of messages."""

__all__ = ()
