"""The contract's documents: OpenAPI, AsyncAPI for pushed messages, and a TypeScript client made from both."""

from poker_actors.server.http.openapi.document import document, push_document
from poker_actors.server.http.openapi.typescript import client

__all__ = ["client", "document", "push_document"]
