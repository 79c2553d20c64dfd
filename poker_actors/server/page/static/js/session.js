// The logged-in user: the server sets a session cookie, and the browser keeps a guest's name and password.

import { ask, basic, Refusal } from "./api.js";
import { read, write } from "./store.js";

const GUEST = "guest";
const ADJECTIVES = ["calm", "lucky", "quiet", "brave", "sunny", "swift", "merry", "clever", "gentle", "bold", "cosy", "dapper", "early", "fair", "keen", "noble", "proud", "witty"];
const ANIMALS = ["otter", "heron", "fox", "lynx", "wren", "badger", "hare", "finch", "marten", "owl", "mole", "robin", "stoat", "swan", "teal", "vole", "crane", "beaver"];

let user = null;
const listeners = new Set();

/** Return the user, `{name, player_id}`, or null. */
export const me = () => user;

/** Call `heard(user)` at every log-in and log-out; return a function that ends it. */
export function onUser(heard) {
  listeners.add(heard);
  return () => listeners.delete(heard);
}

function become(next) {
  const before = user?.player_id ?? null;
  user = next;
  if (before !== (next?.player_id ?? null)) for (const heard of listeners) heard(user);
  return user;
}

/** Ask the server for the user, logging a guest in again whose session has ended. `sure` asks even on a first visit. */
export async function look(sure = false) {
  const guest = savedGuest();
  if (!sure && user === null && guest === null && read("known") === null) return null; // nobody has logged in with this browser: save the request
  try {
    const found = await ask("GET", "/session");
    write("known", "1");
    return become(found);
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.status !== 401) throw refusal;
  }
  if (guest !== null) {
    try {
      return await logIn(guest.name, guest.password);
    } catch (refusal) {
      if (refusal.status !== 401) throw refusal;
      write(GUEST, null); // the server no longer has this guest
    }
  }
  await logOut(); // removes the cookie of the ended session
  return null;
}

export async function logIn(name, password) {
  await ask("POST", "/session", undefined, basic(name, password));
  write("known", "1");
  return become(await ask("GET", "/session"));
}

export async function register(name, password) {
  await ask("POST", "/users/", undefined, basic(name, password));
  return logIn(name, password);
}

export async function logOut() {
  await ask("DELETE", "/session");
  write(GUEST, null);
  write("known", null);
  return become(null);
}

/** Change the password; `old` is null for a guest's, which the browser keeps. The guest then is one no longer. */
export async function changePassword(old, next) {
  await ask("POST", "/account/password", { old: old ?? savedGuest().password, new: next });
  write(GUEST, null);
  for (const heard of listeners) heard(user);
}

/** Delete the account; `password` is null for a guest's. */
export async function remove(password) {
  await ask("DELETE", "/account", { password: password ?? savedGuest().password });
  return logOut();
}

function savedGuest() {
  try {
    const saved = JSON.parse(read(GUEST) ?? "null");
    return typeof saved?.name === "string" && typeof saved?.password === "string" ? saved : null;
  } catch {
    return null;
  }
}

/** Return whether the user is a guest, whose name is lost with the browser's storage. */
export const isGuest = () => user !== null && savedGuest()?.name === user.name;

/** Return the user, or register a guest under a free name. */
export async function someone() {
  const known = await look();
  if (known !== null) return known;
  for (let tries = 0; ; tries += 1) {
    const guest = { name: guestName(), password: secret() };
    try {
      const made = await register(guest.name, guest.password);
      write(GUEST, JSON.stringify(guest));
      return made;
    } catch (refusal) {
      if (refusal.status !== 403 || tries === 9) throw refusal; // the name is taken: draw another
    }
  }
}

function draw(length) {
  return crypto.getRandomValues(new Uint32Array(1))[0] % length;
}

function guestName() {
  return `${ADJECTIVES[draw(ADJECTIVES.length)]} ${ANIMALS[draw(ANIMALS.length)]} ${10 + draw(90)}`;
}

function secret() {
  return [...crypto.getRandomValues(new Uint8Array(18))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
