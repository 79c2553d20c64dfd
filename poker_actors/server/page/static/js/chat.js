// What players say at a table: its lines in words, and the form to say something.

import { ask, game } from "./api.js";
import { el } from "./dom.js";

// in words: not every machine has a font with faces
const EMOTES = { hello: "Hello", nice_hand: "Nice hand!", thanks: "Thanks", wow: "Wow!", ouch: "Ouch!", good_game: "Good game" };

/** Return a line in words; it is set as text, never as markup. */
export const spoken = (line) => `${line.name}: ${line.text || (EMOTES[line.emote] ?? line.emote)}`;

/** Return the lines of a picture that come after the line of number `last`; all of them if the server counts anew. */
export function unheard(picture, last) {
  const lines = picture.chat ?? [];
  return (lines.at(-1)?.number ?? 0) < last ? lines : lines.filter((line) => line.number > last);
}

/** Return the form to say something at table `id`; a refusal goes to `notice`. */
export function talk(id, notice) {
  const send = async (body) => {
    try {
      await ask("POST", game(id, "chat"), body);
    } catch (refusal) {
      notice(refusal.message);
    }
  };
  const input = el("input", { type: "text", name: "say", maxlength: 200, autocomplete: "off", "aria-label": "Say something", placeholder: "Say something" });
  return el("form", {
    class: "say",
    on: {
      submit: (event) => {
        event.preventDefault();
        const text = input.value.trim();
        if (!text) return;
        input.value = "";
        send({ text });
      },
    },
  }, el("div", { class: "saying" }, input, el("button", { type: "submit" }, "Send")),
  el("div", { class: "emotes", role: "group", "aria-label": "Emotes" }, ...Object.entries(EMOTES).map(([emote, words]) =>
    el("button", { type: "button", on: { click: () => send({ emote }) } }, words))));
}
