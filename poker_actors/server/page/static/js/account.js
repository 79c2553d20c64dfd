// The user's account: change the password, be called when it is one's turn, end all log-ins, delete it.

import { ask } from "./api.js";
import { field, form, open } from "./dialogs.js";
import { el, show } from "./dom.js";
import * as session from "./session.js";

const submit = (text) => el("button", { type: "submit", class: "primary" }, text);
const secret = (label, kind) => field(label, { name: kind, type: "password", autocomplete: kind, required: true });

/** Return the buttons of the logged-in user. A guest has no old password to type: only this browser knows it. */
export function account() {
  const guest = session.isGuest();
  const button = (label, open) => el("button", { type: "button", on: { click: () => open(guest) } }, label);
  const calls = el("button", { type: "button", hidden: true, on: { click: () => webhook(calls) } }, "Call me by a webhook");
  ask("GET", "/account/hook").then(({ offered, webhook }) => show(calls, offered || webhook !== null)).catch(() => {}); // logged out meanwhile
  return el("section", {}, el("h2", {}, "Account"), el("div", { class: "buttons" },
    button(guest ? "Choose a password" : "Change the password", changePassword),
    calls,
    guest ? null : button("Log out everywhere", logOutEverywhere),
    button("Delete the account", remove)));
}

/** Ask for the address that the server calls; what is none, the server says. */
async function webhook(button) {
  const { webhook: set } = await ask("GET", "/account/hook").catch(() => ({ webhook: null }));
  const [addressField, address] = field("Address", { name: "webhook", inputmode: "url", autocomplete: "off", value: set ?? "", placeholder: "https://…", autofocus: true },
    "Only you see it. It may hold a key.");
  open("Call me by a webhook", "webhook", form(async (which) => {
    if (which === "none") await ask("DELETE", "/account/hook");
    else await ask("POST", "/account/hook", { webhook: address.value.trim() });
  }, [submit("Save it"), set === null ? null : el("button", { type: "submit", value: "none" }, "Stop calling me")].filter(Boolean),
  el("p", {}, "When it is your turn at a table with ten minutes or more for a turn, and you are not here, the server sends a POST to this address: which table, its link, and until when. It sends no mail."),
  addressField)).addEventListener("close", () => button.focus());
}

function changePassword(guest) {
  const [oldField, old] = secret("Present password", "current-password");
  const [nextField, next] = secret("New password", "new-password");
  open("Password", "password", form(() => session.changePassword(guest ? null : old.value, next.value),
    [submit("Save it")], guest ? null : oldField, nextField, el("p", { class: "small" }, "All other log-ins end.")));
}

function logOutEverywhere() {
  open("Log out everywhere", "everywhere", form(async () => {
    await ask("DELETE", "/account/sessions");
    await session.logOut();
  }, [submit("Log out")], el("p", {}, "All log-ins end, this one too.")));
}

function remove(guest) {
  const [passwordField, password] = secret("Password", "current-password");
  open("Delete the account", "remove", form(async () => session.remove(guest ? null : password.value),
    [submit("Delete it")], el("p", {}, "Name, results and hands are gone for good."), guest ? null : passwordField));
}
