// The screen of a table: follow a game, draw it, tell what happens, and send the player's actions.

import { Controls } from "./controls.js";
import * as dialogs from "./dialogs.js";
import { ask, game } from "./api.js";
import { spoken, talk, unheard } from "./chat.js";
import { at, el, say, show } from "./dom.js";
import { Flights } from "./flights.js";
import { Felt } from "./felt.js";
import { hands } from "./hands.js";
import { Naming } from "./naming.js";
import { Queue } from "./queue.js";
import { question, sentences } from "./said.js";
import * as session from "./session.js";
import * as settings from "./settings.js";
import { Socket } from "./socket.js";
import { heard, yourTurn } from "./sounds.js";
import { TableTools } from "./tools.js";
import { chips } from "./words.js";

const LOG = 80; // sentences kept in the log
const WARN = 5; // seconds left at which the player is warned
const OVER = 4401; // the server's close code if the session is over,
const NO_GAME = 4404; // and if there is no such game

class TableScreen {
  constructor(main, id, go) {
    this.id = id;
    this.go = go;
    this.picture = null;
    this.copy = this.copyTalk = null; // the log and the form in a dialog, where there is no room beside the table
    this.offset = 0; // the server's clock minus ours, in seconds
    this.warned = null;
    this.mine = null; // the user's id while they have a seat or a place in the queue here
    this.connected = false;
    this.felt = new Felt(id.includes(" table ") ? null : (seat, button) => this.tools.choose(seat, button));
    this.flights = new Flights(this.felt);
    this.controls = new Controls((act, more) => this.act(act, more), (plan) => this.plan(plan), (rows) => this.felt.lay(this.picture?.you?.seat, rows), (what) => this.seat(what));
    this.naming = new Naming((name) => ask("POST", game(id, "choice"), { game: name }));
    this.tools = new TableTools(id, go, (text) => this.notice(text), () => this.hands(), () => this.showLog());
    this.log = el("ol", { class: "log", tabindex: 0, "aria-label": "What happened" });
    this.talk = talk(id, (text) => this.notice(text));
    this.spoken = 0; // the number of the last line of the chat that was told
    this.toast = el("p", { class: "toast", role: "alert", hidden: true });
    main.replaceChildren(el("section", { class: "table" },
      el("h1", { class: "unseen" }, "Table"), this.tools.node,
      el("div", { class: "play" }, this.felt.node, this.toast, this.controls.node),
      el("aside", { class: "side", "aria-label": "Table talk" }, el("h2", {}, "What happened"), this.log, this.talk)));
    this.queue = new Queue((picture, newest) => this.draw(picture, newest));
    this.socket = new Socket(id, (message) => this.heard(message), (there, code) => this.reached(there, code));
    this.deaf = session.onUser(() => this.socket.anew());
    this.clock = setInterval(() => this.tick(), 200);
    this.pressed = (event) => this.key(event);
    document.addEventListener("keydown", this.pressed);
  }

  close() {
    this.deaf();
    this.socket.close();
    this.queue.clear();
    this.naming.close();
    clearInterval(this.clock);
    clearTimeout(this.toasted);
    document.removeEventListener("keydown", this.pressed);
    at("where").replaceChildren();
    show(at("banner"), false);
  }

  // -- messages from the server --------------------------------------------------------------

  heard(message) {
    if (message.type === "refused") {
      this.notice(message.text);
      if (this.picture !== null) this.enable(this.picture, true);
    }
    if (message.type !== "table") return;
    this.offset = message.now - Date.now() / 1000;
    if (message.you !== null && session.me() === null) session.look(true).catch(() => {}); // logged in by the cookie
    if (message.you !== null) this.mine = session.me()?.player_id ?? null;
    else if (this.mine !== null) {
      const gone = !this.fresh || this.mine !== session.me()?.player_id; // the player has left, or is another user now; otherwise the session was lost
      this.mine = null;
      if (!gone) this.recover();
    }
    this.fresh = false;
    this.queue.add(message);
  }

  async reached(there, code) {
    this.connected = there;
    this.fresh = there; // the next picture is the first of this connection
    if (there && session.me() !== null) this.recall();
    show(at("banner"), !there);
    document.documentElement.classList.toggle("offline", !there);
    if (there) return;
    say(at("banner"), "The connection is lost; trying again…");
    this.queue.clear();
    if (this.picture !== null) this.enable(this.picture, true);
    if (code === OVER) await this.recover();
    else if (code === NO_GAME) {
      this.go("/");
      say(at("banner"), "That table no longer exists.");
      show(at("banner"), true);
    }
  }

  /** Log in again after the session has ended; a guest is not asked. */
  async recover() {
    if (this.recovering) return;
    this.recovering = true;
    const name = session.me()?.name ?? "";
    try {
      const who = (await session.look()) ?? (name ? await dialogs.logIn("The server asks who you are again.", name) : null);
      if (who !== null) this.socket.anew();
    } catch {
      // unreachable: the socket goes on trying, and calls this again
    } finally {
      this.recovering = false;
    }
  }

  // -- drawing -------------------------------------------------------------------------------

  draw(picture, newest) {
    const before = this.picture;
    this.picture = picture;
    this.flights.between(before, picture, () => this.felt.update(picture));
    heard(before, picture);
    this.tools.update(picture);
    this.tell([...sentences(before, picture), ...this.chat(picture)]);
    this.enable(picture, newest);
    this.naming.update(picture);
    if (picture.notice && picture.notice !== before?.notice) this.notice(picture.notice);
    this.tick();
  }

  tell(said) {
    if (said.length === 0) return;
    say(at("polite"), said.map((one) => one.text).join(" "));
    for (const log of [this.log, this.copy].filter(Boolean)) {
      for (const { kind, text } of said) log.append(el("li", { class: `said-${kind}` }, text));
      while (log.children.length > LOG) log.firstElementChild.remove();
      log.scrollTop = log.scrollHeight;
    }
  }

  /** Return what was said since the last picture, and let the player talk where somebody hears it. */
  chat(picture) {
    const may = picture.you !== null && picture.you.seat !== null && picture.chat_for !== "off" && settings.get("chat") !== "off";
    for (const form of [this.talk, this.copyTalk].filter(Boolean)) show(form, may);
    const lines = unheard(picture, this.spoken);
    this.spoken = picture.chat?.at(-1)?.number ?? this.spoken;
    if (lines.length === 0 || settings.get("chat") === "off") return [];
    if (this.copy === null && lines.some((line) => line.player_id !== picture.you?.player_id)) this.tools.news(true);
    return lines.map((line) => ({ kind: "chat", text: spoken(line) }));
  }

  enable(picture, newest) {
    const legal = newest && this.connected ? picture.you?.legal ?? null : null;
    this.controls.set(legal === null ? null : picture, this.prompt(picture, legal));
    show(this.controls.node, picture.you !== null && picture.you.seat !== null);
    const own = picture.you === null ? undefined : picture.seats[picture.you.seat];
    this.controls.settle(picture.hand_id, !picture.over && !picture.open_face && picture.turn !== null && own?.state === "active" && Boolean(picture.you.cards), picture.you);
    document.title = legal === null ? this.tools.title : `● Your turn – ${this.tools.title}`;
    const turn = legal === null ? null : `${picture.hand_id} ${picture.seq}`;
    if (turn !== null && turn !== this.asked) {
      say(at("urgent"), question(picture.you));
      yourTurn();
    }
    this.asked = turn;
  }

  prompt(picture, legal) {
    if (legal?.discards) return legal.must_discard ? `Your turn: give up ${legal.must_discard}` : "Your turn: throw away, or stand pat";
    if (legal?.lay) return "Your turn: lay your cards";
    if (legal !== null) return legal.to_call > 0 ? `Your turn: ${chips(legal.to_call)} to call${this.odds(legal)}` : "Your turn";
    if (!this.connected) return "No connection";
    if (picture.choice) return `${picture.seats[picture.choice.seat]?.name ?? "Somebody"} names the game`;
    if (picture.hand_id === null) return "Waiting for the next hand";
    if (picture.over) return "The hand is over";
    const acts = picture.seats.find((seat) => seat.seat === picture.turn?.seat);
    if (acts !== undefined && acts.seat !== picture.you?.seat) return `${acts.name} is to act`;
    return "";
  }

  /** Return the pot odds of a call, where the player asks for them: how many of 100 such pots must be won for it to pay. */
  odds(legal) {
    return settings.get("odds") === "shown" && legal.pot_odds ? ` (${Math.round(100 * legal.pot_odds)} %)` : "";
  }

  tick() {
    const left = this.felt.tick(Date.now() / 1000 + this.offset);
    this.naming.tick(Date.now() / 1000 + this.offset);
    const mine = this.controls.legal !== null && left !== null && left <= WARN;
    const bank = this.picture?.turn?.bank ?? false;
    if (mine && this.warned !== `${this.asked} ${bank}`) {
      this.warned = `${this.asked} ${bank}`;
      say(at("urgent"), `${Math.ceil(left)} seconds left${bank ? " of your time bank" : ""}.`);
    }
  }

  notice(text) {
    say(this.toast, text);
    show(this.toast, true);
    clearTimeout(this.toasted);
    this.toasted = setTimeout(() => show(this.toast, false), 6_000);
  }

  // -- the player's actions ------------------------------------------------------------------

  act(act, more) {
    const { hand_id, seq } = this.picture;
    const message = { type: "act", act, hand_id, seq, ...more };
    if (!this.socket.send(message)) this.notice("No connection: nothing was sent.");
  }

  /** Ask the server to take the player's next turn in this hand by a plan; null cancels it. */
  async plan(plan) {
    try {
      await ask("POST", game(this.id, "plan"), { plan, hand_id: this.picture.hand_id });
    } catch (refusal) {
      this.controls.plan(null);
      if (refusal.code !== "stale_action") this.notice(refusal.message); // stale: the turn came before the request
    }
  }

  /** Leave after the hand, stay after all, show one's cards, or top up. */
  async seat(what) {
    try {
      await ask("POST", game(this.id, "seat"), { do: what });
    } catch (refusal) {
      this.notice(refusal.message);
    }
  }

  /** Show the plan that the server keeps from before a reload of the page. */
  async recall() {
    try {
      const { plan } = await ask("GET", game(this.id, "plan"));
      if (plan !== null) this.controls.plan(plan);
    } catch {
      // refused: a visitor who does not play here has no plan
    }
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]") !== null) return;
    if (event.target instanceof HTMLElement && event.target.closest(".say") !== null) return; // words have these letters
    const typing = event.target instanceof HTMLElement && event.target.matches("input:not([type=range]), select, textarea");
    const pressed = event.key.toLowerCase();
    // an amount has no letters, so these keys work in its field too
    if (typing && !/^[fcrhtmbo?]$/.test(pressed)) return;
    if (this.controls.pressed(pressed)) event.preventDefault();
    else if (pressed === "h") this.hands();
    else if (pressed === "o" && this.picture !== null) {
      settings.set("odds", settings.get("odds") === "shown" ? "off" : "shown");
      this.enable(this.picture, true);
    } else if (pressed === "?") dialogs.help();
  }

  /** Show the log where there is no room beside the table. */
  showLog() {
    this.copy = this.log.cloneNode(true);
    this.copyTalk = talk(this.id, (text) => this.notice(text));
    show(this.copyTalk, !this.talk.hidden);
    this.tools.news(false);
    dialogs.open("What happened", "talk", this.copy, this.copyTalk).addEventListener("close", () => {
      this.copy = this.copyTalk = null;
    });
    this.copy.scrollTop = this.copy.scrollHeight;
  }

  hands() {
    hands(this.id);
  }
}

/** Show a table in `main`; return a function that ends it. */
export function table(main, id, go) {
  const screen = new TableScreen(main, id, go);
  return () => screen.close();
}
