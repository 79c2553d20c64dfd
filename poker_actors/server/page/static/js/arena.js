// The arena: who plays in it, one's own entrants with their checks and logs, and the form to hand one in.

import { ask } from "./api.js";
import * as dialogs from "./dialogs.js";
import { doing, el, say } from "./dom.js";
import * as session from "./session.js";
import { chips, many } from "./words.js";

const LOOK_MILLISECONDS = 3_000;
const STAGES = { checking: "being checked", taken: "taken", refused: "refused", failed: "could not be checked: hand it in again" };

const path = (name, ...rest) => ["/arena/entrants", ...[name, ...rest].map(encodeURIComponent)].join("/");
const size = (bytes) => (bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} kB` : `${Math.floor(bytes / (1 << 20))} MB`);

/** Show the arena in `main`; return a function that ends it. */
export function arena(main, go) {
  const state = el("p", { class: "small", role: "status" }, "Looking for the arena…");
  const wrong = el("p", { class: "wrong", role: "alert", hidden: true });
  const players = el("ul", { class: "tables entrants" });
  const own = el("ul", { class: "tables entrants" });
  const none = el("p", { class: "small" }, "None yet: hand one in below.");
  const log = el("pre", { class: "entrant-log", tabindex: "0", role: "region", "aria-label": "Log", hidden: true });
  const limits = el("p", { class: "small" });
  let ended = false;
  let timer = null;

  const { button, run } = doing(wrong);
  const user = async (why) => session.me() ?? dialogs.logIn(why);

  const sit = (name) => button("Sit down", "", async () => {
    if ((await user(`To sit down with ${name}, you need a name.`)) === null) return;
    go(`/table/${(await ask("POST", path(name, "table"))).game}`);
  }, `Sit down with ${name}`);

  const player = (one) => el("li", { class: "table-row" },
    el("div", { class: "table-what entrant-words" }, el("h3", {}, one.name),
      el("p", { class: "small" }, `${placed(one.places)}${rating(one)}${one.house ? ", of the house" : ""}`)),
    el("div", { class: "buttons" }, one.house ? null : sit(one.name)));

  const open = async (title, where) => {
    const text = await ask("GET", where);
    log.replaceChildren(`${title}\n\n${text || "nothing"}`);
    log.hidden = false;
    log.focus();
  };

  const mine = (one) => {
    const upload = one.upload;
    const lines = [
      upload && `Last upload: ${STAGES[upload.stage]}${upload.text ? `. ${upload.text}` : ""}${upload.seconds === null ? "" : `, ${(upload.seconds * 1000).toFixed(1)} ms for a decision`}`,
      one.standing ? `On the board: place ${place([one.standing.best_place, one.standing.worst_place])}${many(one.matches.length, "match", "matches")}`
        : one.refused ? `Not on the board: ${one.refused}` : "Not on the board yet.",
    ];
    return el("li", { class: "table-row" },
      el("div", { class: "table-what entrant-words" }, el("h3", {}, one.name), ...lines.filter(Boolean).map((line) => el("p", { class: "small" }, line)),
        upload?.output ? el("details", {}, el("summary", {}, "What its build printed"), el("pre", { class: "entrant-log", tabindex: "0" }, upload.output)) : null,
        one.matches.length ? el("details", {}, el("summary", {}, "Logs of its matches"), el("div", { class: "buttons" }, ...one.matches.map((match) => {
          const others = match.players.filter((name) => name !== one.name).join(", ") || "a copy of itself";
          return button(others, "", () => open(`${one.name} against ${others}`, path(one.name, "matches", match.match)), `Log of ${one.name} against ${others}`);
        }))) : null),
      el("div", { class: "buttons" }, button("Withdraw", "", async () => {
        await ask("DELETE", path(one.name));
        await look();
      }, `Withdraw ${one.name}`)));
  };

  const drawn = new Map(); // list -> what it shows; an unchanged list keeps its focus and its open details
  const fill = (list, rows, make) => {
    const text = JSON.stringify(rows);
    if (drawn.get(list) === text) return;
    drawn.set(list, text);
    list.replaceChildren(...rows.map(make));
  };

  const look = async () => {
    clearTimeout(timer);
    try {
      const told = await ask("GET", "/arena/state");
      if (ended) return;
      const how = told.running ? (told.of ? `Playing: ${chips(told.done)} of ${many(told.of, "check and match", "checks and matches")}.` : "Looking for what is to be played.") : told.problem ? "The last run ended early and is started again." : "Everything has been played.";
      say(state, `${told.title ? `${told.title}. ` : ""}${how}`);
      say(limits, `A zip, a tar.gz or one file, at most ${size(told.upload.bytes)} and ${told.upload.megabytes} MB unpacked; ${many(told.upload.entrants, "entrant")} each. A new version under the same name plays its own matches again.`);
      fill(players, told.entrants, player);
      fill(own, session.me() === null ? [] : (await ask("GET", "/arena/entrants")).entrants, mine);
      none.hidden = own.childElementCount > 0;
    } catch (refusal) {
      say(state, refusal.message);
    }
    if (!ended) timer = setTimeout(look, LOOK_MILLISECONDS);
  };

  const name = el("input", { maxlength: 40, required: true, autocomplete: "off" });
  const file = el("input", { type: "file", required: true });
  const send = el("button", { type: "submit", class: "primary" }, "Hand in");
  const form = el("form", { class: "entrant-form" },
    el("label", { class: "field" }, el("span", {}, "Name of the entrant"), name),
    el("label", { class: "field" }, el("span", {}, "Archive or file"), file), send);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run(send, async () => {
      if ((await user("An entrant belongs to an account.")) === null) return;
      const [chosen] = file.files;
      await ask("POST", path(name.value.trim()), chosen);
      form.reset();
      await look();
    });
  });

  main.replaceChildren(el("section", { class: "lobby" },
    el("h1", {}, "The arena"), state, el("p", {}, el("a", { href: "/arena/" }, "The board"), ": standings, crosstable, matches and hands."), wrong,
    el("h2", {}, "Entrants"), players,
    el("h2", {}, "Yours"), none, own, log, el("h3", {}, "Hand in"), limits, form));
  document.title = "The arena";
  const unheard = session.onUser(look);
  look();
  return () => {
    ended = true;
    clearTimeout(timer);
    unheard();
  };
}

/** Return a rating in words, by what it is in. */
function rating(one) {
  const [number, unit] = "percent_of_buy_in" in one ? [one.percent_of_buy_in, "% of a buy-in"] : [one.bb_per_100, "bb/100"];
  return `${number >= 0 ? "+" : "\u2212"}${Math.abs(number).toFixed(1)} ${unit}`;
}

/** Return places in words, as a sentence begins. */
function placed(places) {
  const words = place(places);
  return words && `Place ${words}`;
}

/** Return places in words, with a comma after them; nothing where there are none. */
function place([best, worst]) {
  if (best === null) return "";
  return `${best === worst ? best : `${best} to ${worst}`}, `;
}
