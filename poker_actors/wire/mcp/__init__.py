"""Agents by the Model Context Protocol: tools to play with at a server's tables; needs the extra [mcp]."""

from poker_actors.errors import from_extra

with from_extra("mcp", "httpx2", "mcp", "pydantic", "starlette"):
    from poker_actors.wire.mcp.tools import agent_server
    from poker_actors.wire.mcp.transports import AgentDoor, serve_stdio

__all__ = ["AgentDoor", "agent_server", "serve_stdio"]
