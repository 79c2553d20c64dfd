// The start of the page: the user, the screen to show, and the buttons of the bar.

import { arena } from "./arena.js";
import * as dialogs from "./dialogs.js";
import { at, el, say, show } from "./dom.js";
import { archive, sharedHand } from "./hands.js";
import { lobby } from "./lobby.js";
import * as session from "./session.js";
import * as settings from "./settings.js";
import { framed, leaveFrame, several } from "./several.js";
import { table } from "./table.js";
import { tournament } from "./tournaments.js";

let leave = () => {};

/** Go to a screen, such as `/` or `/table/ID`. */
export function go(path) {
  if (framed) leaveFrame(path);
  else location.hash = `#${path}`;
}

function route() {
  leave();
  const main = at("main");
  const [, kind, id] = location.hash.slice(1).split("/");
  if (kind === "table" && id) leave = table(main, decodeURIComponent(id), go);
  else if (kind === "tournament" && id) leave = tournament(main, decodeURIComponent(id), go);
  else if (kind === "tables" && id) leave = several(main, id.split(",").map(decodeURIComponent), go);
  else if (kind === "shared" && id) leave = sharedHand(main, decodeURIComponent(id));
  else if (kind === "hands") leave = archive(main);
  else if (kind === "arena") leave = arena(main, go);
  else leave = lobby(main, go);
  document.documentElement.dataset.screen = kind === "table" && id ? "table" : kind === "tables" ? "tables" : "lobby";
}

function bar() {
  const draw = (user) => {
    say(at("who"), user?.name ?? "");
    show(at("archive"), user !== null);
    say(at("log-in"), user === null ? "Log in" : "Log out");
  };
  session.onUser(draw);
  draw(session.me());
  at("log-in").addEventListener("click", async () => {
    try {
      if (session.me() === null) await dialogs.logIn();
      else await leaveForGood();
    } catch (refusal) {
      say(at("banner"), refusal.message);
      show(at("banner"), true);
    }
  });
  at("theme").append(el("span", { class: "moon", "aria-hidden": "true" }));
  at("theme").addEventListener("click", settings.turnTheme);
  at("help").addEventListener("click", dialogs.help);
}

/** Log out; ask a guest first, as nobody can log in by that name again. */
async function leaveForGood() {
  if (session.isGuest()) {
    const sure = await new Promise((resolve) => {
      const cancel = el("button", { type: "submit", value: "no" }, "Stay");
      const yes = el("button", { type: "submit", value: "yes", class: "primary" }, "Log out");
      let answer = false;
      dialogs.open("Log out?", "sure", dialogs.form(async (which) => {
        answer = which === "yes";
      }, [yes, cancel], el("p", {}, "You are a guest: you cannot come back to this name and its chips.")))
        .addEventListener("close", () => resolve(answer));
    });
    if (!sure) return;
  }
  await session.logOut();
  go("/");
}

async function begin() {
  settings.apply();
  if (framed) document.documentElement.dataset.framed = "";
  bar();
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // following the link would change the part after #, which names the screen
    at("main").focus();
  });
  try {
    await session.look();
  } catch {
    // unreachable: the screens say so and try again
  }
  addEventListener("hashchange", route);
  route();
}

await begin();
