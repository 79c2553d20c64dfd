"""The API described by an OpenAPI document, with an example for every answer and every body."""

from poker_actors.server.http.openapi.document import document

__all__ = ["document"]
