"""The OpenAPI document of the API, with an example for every answer and body."""

from poker_actors.server.http.openapi.document import document

__all__ = ["document"]
