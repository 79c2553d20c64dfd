// The dialogs: log in or register, make a table or tournament, and the help with the settings.

import { el, say, show } from "./dom.js";
import * as session from "./session.js";
import * as settings from "./settings.js";

/** Open a modal dialog and return it; closing it removes it from the page and returns the focus. */
export function open(title, kind, ...children) {
  const heading = el("h2", { id: `dialog-${kind}` }, title);
  const close = el("button", { type: "button", class: "icon close", "aria-label": "Close", on: { click: () => dialog.close() } }, "✕");
  const dialog = el("dialog", { class: `dialog ${kind}`, "aria-labelledby": heading.id },
    el("div", { class: "dialog-head" }, heading, close), ...children);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // the backdrop
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function field(label, props, hint = null) {
  const input = el("input", props);
  return [el("label", { class: "field" }, el("span", {}, label), input, hint && el("small", {}, hint)), input];
}

/** Return a form that closes its dialog once `send(pressed)` succeeds, and shows the message if it throws. */
export function form(send, buttons, ...children) {
  const wrong = el("p", { class: "wrong", role: "alert", hidden: true });
  return el("form", {
    method: "dialog",
    on: {
      submit: async (event) => {
        event.preventDefault();
        show(wrong, false);
        const pressed = event.submitter;
        const made = event.currentTarget;
        lock(made, true);
        try {
          await send(pressed?.value ?? "");
          made.closest("dialog")?.close();
        } catch (refusal) {
          say(wrong, refusal.message);
          show(wrong, true);
        } finally {
          lock(made, false);
        }
      },
    },
  }, ...children.filter(Boolean), wrong, el("div", { class: "buttons" }, ...buttons));
}

function lock(made, locked) {
  for (const button of made.querySelectorAll("button")) button.disabled = locked;
}

/** Ask for name and password; resolve with the user once logged in, or with null if the dialog is closed. */
export function logIn(reason = "", name = "") {
  return new Promise((resolve) => {
    const [nameField, nameInput] = field("Name", {
      name: "username", autocomplete: "username", required: true, maxlength: 32, value: name, autofocus: !name,
    });
    const [passwordField, passwordInput] = field("Password", {
      name: "password", type: "password", autocomplete: "current-password", required: true, autofocus: !!name,
    });
    let who = null;
    const fresh = el("button", { type: "submit", value: "register" }, "I am new: register");
    const made = form(async (which) => {
      if (which === "register") who = await session.register(nameInput.value, passwordInput.value);
      else {
        try {
          who = await session.logIn(nameInput.value, passwordInput.value);
        } catch (refusal) {
          if (refusal.status !== 401) throw refusal;
          setTimeout(() => fresh.focus()); // the buttons are locked until this has been said
          throw new Error(`No log-in for ${nameInput.value} with this password. Are you new? Press Enter again to register.`);
        }
      }
    }, [
      el("button", { type: "submit", value: "log-in", class: "primary" }, "Log in"),
      fresh,
    ], reason && el("p", {}, reason), nameField, passwordField,
    el("p", { class: "small" }, "A name has at most 32 characters. The same name works over the REST API and OPP."));
    open("Log in", "log-in", made).addEventListener("close", () => resolve(who));
  });
}

const LIST = "+";

/** Return the element of check boxes for games played in turn, and a function that returns the names of the ticked ones. */
function gamesInTurn(served) {
  const boxes = served.map((one) => el("input", { type: "checkbox", value: one.name }));
  const node = el("fieldset", { class: "several-games", hidden: true }, el("legend", {}, "An orbit of each, in this order"),
    ...served.map((one, place) => el("label", { class: "check" }, boxes[place], el("span", {}, one.title))));
  return [node, () => boxes.filter((box) => box.checked).map((box) => box.value)];
}

const CHAT = [["seated", "is heard by those who sit"], ["everyone", "is heard by everybody who watches, too"], ["off", "Nobody talks here"]];
const TURNS = [[15, "15 seconds"], [30, "30 seconds"], [60, "a minute"], [120, "2 minutes"], [3_600, "an hour"], [86_400, "a day"],
  [3 * 86_400, "3 days"], [7 * 86_400, "a week"], [14 * 86_400, "2 weeks"]];
const LATE = [[0, "as it is"], [30, "30 seconds late"], [120, "2 minutes late"], [300, "5 minutes late"]];

/** Ask for the settings of a new table of one of the games `served`; `make` is called with the request's body. */
export function makeTable(served, make) {
  const number = (label, name, value, min, hint) => field(label, {
    name, type: "number", inputmode: "numeric", value, min, max: 1_000_000_000, step: 1, required: true,
  }, hint);
  const [nameField, name] = field("Name", { name: "name", maxlength: 32, placeholder: "Friday night", autofocus: true }, "Optional.");
  const [smallField, small] = number("Small blind", "small", 10, 1);
  const [bigField, big] = number("Big blind", "big", 20, 1);
  const [buyInField, buyIn] = number("Buy-in", "buy-in", 10_000, 1, "Chips everybody brings.");
  const [seatsField, seats] = number("Seats", "seats", 6, 2);
  seats.max = 10;
  const [bankField, bank] = field("Time bank", { name: "bank", type: "number", inputmode: "numeric", value: 60, min: 0, max: 600, step: 1, required: true },
    "Seconds beyond a turn's own; some come back with each hand.");
  const turn = el("select", { name: "turn" }, ...TURNS.map(([seconds, text]) => el("option", { value: seconds, selected: seconds === 30 }, text)));
  const late = el("select", { name: "late" }, ...LATE.map(([seconds, text]) => el("option", { value: seconds }, text)));
  const chat = el("select", { name: "chat" }, ...CHAT.map(([who, text]) => el("option", { value: who }, text)));
  const hidden = el("input", { type: "checkbox", name: "private" });
  const counts = el("input", { type: "checkbox", name: "ledger" });
  const ledger = el("label", { class: "check", hidden: true }, counts, el("span", {}, "With a ledger of who owes whom"));
  for (const one of [hidden, late]) one.addEventListener("change", () => show(ledger, hidden.checked && late.value === "0"));
  const played = () => (game.value === LIST ? chosen() : [game.value]);
  const most = () => Math.min(10, ...served.filter((one) => played().includes(one.name)).map((one) => one.seats));
  const game = el("select", {
    name: "game", on: { change: () => {
      show(several, game.value === LIST);
      const blinds = served.every((one) => one.blinds || !played().includes(one.name));
      say(smallField.firstElementChild, blinds ? "Small blind" : "Bring-in");
      say(bigField.firstElementChild, blinds ? "Big blind" : "Bet");
      seats.max = most();
      seats.value = Math.min(seats.valueAsNumber, most());
    } },
  }, ...served.map((one) => el("option", { value: one.name }, one.title)), el("option", { value: LIST }, "Several games in turn…"));
  const [several, chosen] = gamesInTurn(served.filter((one) => !one.several));
  open("Make a table", "make", form(() => make({
    ...(name.value.trim() ? { name: name.value.trim() } : {}),
    ...(hidden.checked ? { private: true, ledger: counts.checked && !ledger.hidden } : {}),
    ...(game.value && game.value !== "holdem" ? { game: played().join("+") } : {}),
    small_blind: small.valueAsNumber, big_blind: big.valueAsNumber, buy_in: buyIn.valueAsNumber, seats: seats.valueAsNumber,
    turn_seconds: Number(turn.value), time_bank: bank.valueAsNumber, watch_delay: Number(late.value), chat: chat.value,
  }), [el("button", { type: "submit", class: "primary" }, "Make it and sit down")],
  nameField, el("label", { class: "field" }, el("span", {}, "Game"), game), several, el("div", { class: "pair" }, smallField, bigField), el("div", { class: "pair" }, buyInField, seatsField),
  el("label", { class: "field" }, el("span", {}, "Time for a turn"), turn), bankField,
  el("label", { class: "field" }, el("span", {}, "Spectators see the table"), late), el("label", { class: "field" }, el("span", {}, "What players say"), chat),
  el("label", { class: "check" }, hidden, el("span", {}, "Private: only those with its link find it")), ledger));
}

/** Ask for the settings of a new tournament; `make` is called with the request's body. */
export function makeTournament(served, make) {
  const number = (label, name, value, min, max, hint) => field(label, { name, type: "number", inputmode: "numeric", value, min, max, step: 1, required: true }, hint);
  const [nameField, name] = field("Name", { name: "name", maxlength: 32, placeholder: "Sunday", autofocus: true }, "Optional.");
  const [playersField, players] = number("Players", "players", 6, 2, 60, "It begins when this many have entered; bots can fill it.");
  const [seatsField, seats] = number("Seats of a table", "seats", 6, 2, 10);
  const game = el("select", {
    name: "game",
    on: {
      change: () => {
        seats.max = Math.min(10, served.find((one) => one.name === game.value).seats);
        seats.value = Math.min(seats.valueAsNumber, seats.max);
      },
    },
  }, ...served.map((one) => el("option", { value: one.name }, one.title)));
  const gameField = el("label", { class: "field" }, el("span", {}, "Game"), game);
  const [minutesField, minutes] = number("Minutes of a level", "minutes", 5, 1, 60);
  const [lateField, late] = number("Late entry, levels", "late_levels", 0, 0, 16, "How long others can still enter.");
  const [rebuysField, rebuys] = number("Rebuys each", "rebuys", 0, 0, 10, "In the levels of late entry.");
  open("Make a tournament", "make-tournament", form(() => make({
    name: name.value.trim(), players: players.valueAsNumber, seats: seats.valueAsNumber, minutes: minutes.valueAsNumber,
    late_levels: late.valueAsNumber, rebuys: rebuys.valueAsNumber, game: game.value,
  }), [el("button", { type: "submit", class: "primary" }, "Make it and enter")],
  nameField, gameField, playersField, el("div", { class: "pair" }, seatsField, minutesField), el("div", { class: "pair" }, lateField, rebuysField)));
}

const KEYS = [
  ["F", "fold"], ["C", "check or call"], ["O", "pot odds: show or hide"], ["R", "bet or raise: to the amount"],
  ["T M B", "lay the chosen cards on top, in the middle, at the bottom"], ["← →", "less or more, by a big blind; ↓ ↑ by five"], ["1 2 3 4", "minimum, half the pot, the pot, all-in"],
  ["Enter", "confirm the bet or raise"], ["Esc", "leave the amount"], ["H", "hands played here"], ["?", "this panel"],
];

/** Show the keys and the settings. */
export function help() {
  if (document.querySelector("dialog.help") !== null) return;
  const rows = KEYS.map(([key, does]) => el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, key)), el("td", {}, does)));
  const choices = settings.ALL.map((one) => {
    const select = el("select", { on: { change: (event) => settings.set(one.name, event.target.value) } },
      ...one.values.map(([value, text]) => el("option", { value, selected: settings.get(one.name) === value }, text)));
    return el("label", { class: "field" }, el("span", {}, one.title), select, el("small", {}, one.hint));
  });
  open("Keyboard and settings", "help", el("table", { class: "keys" }, el("tbody", {}, ...rows)), el("h3", {}, "Settings"), ...choices,
    el("p", { class: "small" }, "For programs: ", el("a", { href: "/openapi.json" }, "the API in an OpenAPI document"), ", ",
      el("a", { href: "/asyncapi.json" }, "what is pushed in an AsyncAPI document"), ", ", el("a", { href: "/client.ts" }, "a client in TypeScript"), "."));
}
