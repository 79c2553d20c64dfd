// Requests to the server: JSON in and out, and every refusal as a `Refusal`.

/** A refusal by the server: status (0 if unreachable), code or null, and a sentence to show. */
export class Refusal extends Error {
  constructor(status, code, text) {
    super(text);
    this.status = status;
    this.code = code;
  }
}

/** Send a request and return the answer, parsed if it is JSON; throw `Refusal` for an error. A body that is a file is sent as it is. */
export async function ask(method, path, body = undefined, headers = {}) {
  const sent = { "X-Requested-With": "page", ...headers };
  const file = body instanceof Blob;
  if (body !== undefined) sent["Content-Type"] = file ? "application/octet-stream" : "application/json";
  let response;
  try {
    response = await fetch(path, {
      method, headers: sent, credentials: "same-origin", cache: "no-cache",
      body: body === undefined || file ? body : JSON.stringify(body),
    });
  } catch {
    throw new Refusal(0, "unreachable", "The server cannot be reached.");
  }
  const text = await response.text();
  const value = parsed(response, text);
  if (!response.ok) {
    const words = typeof value === "object" && value !== null ? value.text : String(value ?? "").trim();
    throw new Refusal(response.status, value?.code ?? null, words || `The server answered ${response.status}.`);
  }
  return value;
}

function parsed(response, text) {
  if (!(response.headers.get("content-type") ?? "").includes("json")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Return the Authorization header of a name and password in UTF-8; `btoa` alone takes only Latin-1. */
export function basic(name, password) {
  const bytes = new TextEncoder().encode(`${name}:${password}`);
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/** Return the path of a game, or one below it. */
export const game = (id, ...rest) => ["/games", id, ...rest].map((part, place) => (place ? encodeURIComponent(part) : part)).join("/");
