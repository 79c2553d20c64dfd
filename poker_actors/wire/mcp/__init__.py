"""Agents by the Model Context Protocol: tools to play with at a server's tables; needs the extra [mcp]."""

from poker_actors.errors import MissingExtra

try:
    from poker_actors.wire.mcp.tools import agent_server
    from poker_actors.wire.mcp.transports import AgentDoor, serve_stdio
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in ("httpx2", "mcp", "pydantic", "starlette"):
        raise
    raise MissingExtra("mcp", error.name or "mcp") from None

__all__ = ["AgentDoor", "agent_server", "serve_stdio"]
