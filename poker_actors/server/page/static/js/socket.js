// The live connection to a game: pictures come in, actions go out. It reconnects by itself whenever it breaks.

const FIRST = 250; // milliseconds before the first attempt to reconnect; doubled at each further one
const LONGEST = 5_000;
const PING = 15_000;
const PATIENCE = 8_000; // milliseconds for an answer to a ping: a dead connection may never close by itself

/** Follows a game: `heard(message)` is called with each message, `changed(there, code)` when the connection comes or goes. */
export class Socket {
  constructor(id, heard, changed) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.url = `${scheme}//${location.host}/games/${encodeURIComponent(id)}/socket`;
    this.heard = heard;
    this.changed = changed;
    this.tries = 0;
    this.closed = false;
    this.now = () => this.socket?.readyState !== WebSocket.OPEN && this.open();
    addEventListener("online", this.now);
    document.addEventListener("visibilitychange", this.now);
    this.open();
  }

  open() {
    if (this.closed || this.socket?.readyState === WebSocket.CONNECTING) return;
    clearTimeout(this.again);
    const socket = (this.socket = new WebSocket(this.url));
    socket.addEventListener("open", () => this.ping(socket));
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      clearTimeout(this.late);
      const message = JSON.parse(event.data);
      if (message.type === "pong") return;
      if (message.type === "table" && !this.there) {
        this.tries = 0;
        this.there = true;
        this.changed(true);
      }
      this.heard(message);
    });
    socket.addEventListener("close", (event) => socket === this.socket && this.lost(event));
  }

  ping(socket) {
    clearInterval(this.beat);
    this.beat = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN) return;
      socket.send(JSON.stringify({ type: "ping" }));
      clearTimeout(this.late);
      this.late = setTimeout(() => socket.close(), PATIENCE);
    }, PING);
  }

  lost(event) {
    clearInterval(this.beat);
    clearTimeout(this.late);
    if (this.closed) return;
    this.there = false;
    this.changed(false, event.code);
    // random, or all pages would come back at the same moment after a restart of the server
    const wait = Math.min(LONGEST, FIRST * 2 ** this.tries) * (0.75 + Math.random() / 2);
    this.tries += 1;
    this.again = setTimeout(() => this.open(), wait);
  }

  /** Reconnect: the server takes the user from the handshake, and somebody else is logged in now. */
  anew() {
    this.socket?.close();
    this.tries = 0;
  }

  /** Send a message; return whether there was a connection. */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.closed = true;
    removeEventListener("online", this.now);
    document.removeEventListener("visibilitychange", this.now);
    for (const timer of [this.again, this.late, this.beat]) clearTimeout(timer);
    this.socket?.close();
  }
}
