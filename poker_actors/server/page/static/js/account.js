// The user's account: change the password, end all log-ins, delete it.

import { ask } from "./api.js";
import { field, form, open } from "./dialogs.js";
import { el } from "./dom.js";
import * as session from "./session.js";

const submit = (text) => el("button", { type: "submit", class: "primary" }, text);
const secret = (label, kind) => field(label, { name: kind, type: "password", autocomplete: kind, required: true });

/** Return the buttons of the logged-in user. A guest has no old password to type: only this browser knows it. */
export function account() {
  const guest = session.isGuest();
  const button = (label, open) => el("button", { type: "button", on: { click: () => open(guest) } }, label);
  return el("section", {}, el("h2", {}, "Account"), el("div", { class: "buttons" },
    button(guest ? "Choose a password" : "Change the password", changePassword),
    guest ? null : button("Log out everywhere", logOutEverywhere),
    button("Delete the account", remove)));
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
