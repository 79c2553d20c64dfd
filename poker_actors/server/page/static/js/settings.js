// The visitor's settings, kept by the browser: theme, pace, deck, sounds and animations.

import { read, write } from "./store.js";

export const ALL = [
  {
    name: "theme", title: "Colours", hint: "Follows the system unless you choose.",
    values: [["system", "As the system"], ["dark", "Dark"], ["light", "Light"]],
  },
  {
    name: "pace", title: "Pace", hint: "How long each action stays before the next one is shown.",
    values: [["calm", "Calm"], ["quick", "Quick"], ["instant", "At once"]],
  },
  {
    name: "odds", title: "Pot odds", hint: "Of a call: the share of such pots you must win for it to pay.",
    values: [["off", "Off"], ["shown", "Shown at your turn"]],
  },
  {
    name: "chat", title: "Chat", hint: "What others say at your tables.",
    values: [["shown", "Shown"], ["off", "Hidden"]],
  },
  {
    name: "deck", title: "Deck", hint: "Four colours tell the suits apart at a glance.",
    values: [["four", "Four colours"], ["two", "Two colours"]],
  },
  {
    name: "sound", title: "Sounds", hint: "Heard once you have clicked anything.",
    values: [["turn", "When it is your turn"], ["all", "For cards and chips, too"], ["off", "Off"]],
  },
  {
    name: "motion", title: "Animations", hint: "Short ones; none where the system asks for less motion.",
    values: [["system", "Same as the system"], ["off", "Off"]],
  },
];

export const get = (name) => read(name) ?? ALL.find((one) => one.name === name).values[0][0];

export function set(name, value) {
  write(name, value);
  apply();
}

/** Apply the settings that style the page. */
export function apply() {
  const root = document.documentElement;
  const theme = get("theme");
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  root.dataset.deck = get("deck");
  root.dataset.motion = get("motion");
}

/** Return whether animations are off, here or in the system. */
export const still = () => get("motion") === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Switch between dark and light, starting from the theme now in effect. */
export function turnTheme() {
  const chosen = get("theme");
  const dark = chosen === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
  set("theme", dark ? "light" : "dark");
}

/** Return the milliseconds to show a picture: less the more are `waiting`, longest if it is the end of a hand (`over`). */
export function pace(waiting, over) {
  const chosen = get("pace");
  if (chosen === "instant") return 0;
  const [each, whole, end] = chosen === "quick" ? [180, 900, 1_200] : [420, 2_600, 2_800];
  return over ? end : Math.min(each, whole / Math.max(1, waiting));
}
