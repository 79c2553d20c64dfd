// Step through a finished hand, back and forth: the table at each moment, and what happened.

import { el, say } from "./dom.js";
import { Felt } from "./felt.js";

/** A replay of frames (`{picture, words}`); `node` is its element. */
export class Replayer {
  constructor(frames) {
    this.frames = frames;
    this.felt = new Felt();
    this.words = el("p", { class: "replay-words", role: "status" });
    this.place = el("span", { class: "small" });
    const button = (label, to) => el("button", { type: "button", on: { click: () => this.to(to()) } }, label);
    this.range = el("input", {
      type: "range", min: 0, max: frames.length - 1, value: 0, "aria-label": "Moment of the hand",
      on: { input: () => this.to(this.range.valueAsNumber) },
    });
    this.node = el("div", { class: "replayer", tabindex: -1, on: { keydown: (event) => this.key(event) } },
      this.felt.node, this.words,
      el("div", { class: "steps" }, this.range, button("First", () => 0), button("Back", () => this.now - 1),
        button("Next", () => this.now + 1), button("Last", () => frames.length - 1)),
      this.place);
    this.to(0);
  }

  to(wanted) {
    this.now = Math.min(this.frames.length - 1, Math.max(0, wanted));
    const { picture, words } = this.frames[this.now];
    this.felt.update(picture);
    say(this.words, words);
    this.range.value = this.now;
    this.range.setAttribute("aria-valuetext", words);
    say(this.place, `${this.now + 1} of ${this.frames.length}. Arrow keys step, Home and End jump.`);
  }

  key(event) {
    const to = { ArrowRight: this.now + 1, ArrowLeft: this.now - 1, Home: 0, End: this.frames.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.to(to);
  }
}
