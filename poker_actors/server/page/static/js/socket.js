// The live connection to a game: pictures in, acts out; opened again by itself whenever it breaks.

const FIRST = 250; // milliseconds before the first try to come back
const LONGEST = 5_000;
const PING = 15_000;
const PATIENCE = 8_000; // for an answer to a ping

/** Follows a game. `heard` gets each message, `changed` gets whether there is a connection. */
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
    const wait = Math.min(LONGEST, FIRST * 2 ** this.tries) * (0.75 + Math.random() / 2);
    this.tries += 1;
    this.again = setTimeout(() => this.open(), wait);
  }

  /** Opens the connection anew: somebody else is logged in now. */
  anew() {
    this.socket?.close();
    this.tries = 0;
  }

  /** Sends a message; gives whether it could be sent. */
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
