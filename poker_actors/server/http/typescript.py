"""A client in TypeScript, made from the OpenAPI and AsyncAPI documents: a type per schema, a method per operation."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

Schema = Mapping[str, Any]

_HEAD: Final = """\
// A client of this server, version {version}: made of /openapi.json and /asyncapi.json, served as /client.ts.
// It needs fetch, and WebSocket for sockets: any browser, or Node.js from 22 on (without sockets, 18).
"""
_CLASS: Final = """
/** A request that was refused: its status, and the code and text of the server. */
export class RefusedError extends Error {
  constructor(readonly status: number, readonly code: string, text: string) {
    super(text);
  }
}

/** One user's calls. `base` is the server's address; without name and password the session's cookie counts. */
export class Client {
  constructor(readonly base: string, private readonly name?: string, private readonly password?: string) {}

  private async call<T>(method: string, path: string, query: object = {}, body?: unknown): Promise<T> {
    const headers: Record<string, string> = {};
    if (this.name !== undefined) {
      const bytes = new TextEncoder().encode(`${this.name}:${this.password ?? ""}`);
      headers["Authorization"] = `Basic ${btoa(String.fromCharCode(...bytes))}`;
    }
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const asked = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) if (value !== undefined) asked.set(key, String(value));
    const url = `${this.base}${path}${String(asked) && `?${asked}`}`;
    const answer = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    const text = await answer.text();
    let said: unknown = text;
    try {
      said = JSON.parse(text);
    } catch {
      // a line of text
    }
    if (answer.ok) return said as T;
    const { code = "", text: why = text } = said !== null && typeof said === "object" ? (said as Partial<Refusal>) : {};
    throw new RefusedError(answer.status, code, why);
  }

  /** Open a table's socket; the session's cookie says whose, as browsers send no password with it. */
  socket(game_id: string, hear: (message: SocketSent) => void): { send(message: SocketTaken): void; close(): void } {
    const socket = new WebSocket(`${this.base.replace(/^http/, "ws")}/games/${encodeURIComponent(game_id)}/socket`);
    socket.onmessage = (event) => hear(JSON.parse(String(event.data)));
    return { send: (message) => socket.send(JSON.stringify(message)), close: () => socket.close() };
  }
"""


def client(told: Schema, pushed: Schema) -> str:
    """Return the client for the API that these two documents describe."""
    parts = {**pushed["components"]["schemas"], **told["components"]["schemas"]}
    lines = [_HEAD.format(version=told["info"]["version"])]
    lines += [_interface(name, shape) for name, shape in sorted(parts.items())]
    for way, name in (("send", "SocketSent"), ("receive", "SocketTaken")):
        refs = [one["$ref"].rpartition("/")[2] for one in pushed["operations"][f"{way}_socket"]["messages"]]
        lines.append(f"export type {name} = {' | '.join(refs)};\n")
    lines.append(_CLASS)
    for path, methods in told["paths"].items():
        lines += [_method(path, method, operation) for method, operation in methods.items()]
    return "".join(lines) + "}\n"


def _interface(name: str, shape: Schema) -> str:
    about = f"/** {shape['description']} */\n" if "description" in shape else ""
    return f"{about}export interface {name} {_fields(shape)}\n\n"


def _fields(shape: Schema) -> str:
    needed = shape.get("required", ())
    fields = [
        f"  {_key(key)}{'' if key in needed else '?'}: {_type(one)};"
        for key, one in shape["properties"].items()
    ]
    return "\n".join(["{", *fields, "}"])


def _key(name: str) -> str:
    return name if re.fullmatch(r"\w+", name) else f'"{name}"'


def _type(shape: Schema) -> str:
    """Return the type of values with this schema."""
    if "$ref" in shape:
        return str(shape["$ref"].rpartition("/")[2])
    if "enum" in shape:
        return " | ".join(json.dumps(one) for one in shape["enum"])
    if "anyOf" in shape:
        return " | ".join([_type(one) for one in shape["anyOf"]])
    match shape.get("type"):
        case "array":
            inner = _type(shape["items"])
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as name:
            return str(name)
        case "object":
            return f"Record<string, {_type(shape.get('additionalProperties', {}))}>"
        case _:
            return "unknown"


def _method(path: str, method: str, operation: Schema) -> str:
    asked = [one["name"] for one in operation["parameters"] if one["in"] == "path"]
    query = [one for one in operation["parameters"] if one["in"] == "query"]
    takes = operation.get("requestBody")
    given = [f"{name}: string" for name in asked]
    if takes is not None:
        content = takes["content"].get("application/json")
        kind = "unknown" if content is None else _type(content["schema"])
        given.append(f"body{'' if takes['required'] else '?'}: {kind}")
    if query:
        fields = "; ".join(f"{one['name']}?: {_type(one['schema'])}" for one in query)
        given.append(f"query: {{ {fields} }} = {{}}")
    place = re.sub(r"\{(\w+)\}", r"${encodeURIComponent(\1)}", path)
    rest = ["query" if query else "{}"] if query or takes else []
    rest += ["body"] if takes else []
    call = ", ".join([f'"{method.upper()}"', f"`{place}`", *rest])
    name = re.sub(r"_(\w)", lambda found: found[1].upper(), operation["operationId"])
    return (
        f"\n  /** {operation['summary']} */\n  {name}({', '.join(given)}): Promise<{_given(operation)}> {{\n"
        f"    return this.call({call});\n  }}\n"
    )


def _given(operation: Schema) -> str:
    """Return the type of an operation's successful answers."""
    types = {
        _type(kind["schema"])
        for status, answer in operation["responses"].items()
        if status.startswith("2")
        for kind in answer.get("content", {}).values()
    }
    return " | ".join(sorted(types)) or "void"
