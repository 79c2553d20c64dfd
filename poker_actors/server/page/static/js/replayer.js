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
    this.plays = el("button", { type: "button", class: "primary", on: { click: () => this.play() } }, "Play");
    const button = (label, to) => el("button", { type: "button", on: { click: () => this.to(to()) } }, label);
    this.range = el("input", {
      type: "range", min: 0, max: frames.length - 1, value: 0, "aria-label": "Moment of the hand",
      on: { input: () => this.to(this.range.valueAsNumber) },
    });
    this.node = el("div", { class: "replayer", tabindex: -1, on: { keydown: (event) => this.key(event) } },
      this.felt.node, this.words,
      el("div", { class: "steps" }, this.plays, this.range, button("First", () => 0), button("Back", () => this.now - 1),
        button("Next", () => this.now + 1), button("Last", () => frames.length - 1)),
      this.place);
    this.to(0);
  }

  /** Go to the first moment at which there is a card to be seen. */
  toTheDeal() {
    this.to(Math.max(0, this.frames.findIndex(({ picture }) => picture.seats.some((seat) => seat.cards?.length || seat.hidden || seat.up?.length))));
  }

  /** Play on by itself, from the start if it stands at the end; a second press stops. */
  play() {
    if (this.playing) return this.stop();
    if (this.now === this.frames.length - 1) this.to(0);
    this.playing = setInterval(() => {
      if (!this.node.isConnected || this.now === this.frames.length - 1) this.stop();
      else this.to(this.now + 1);
    }, 900);
    say(this.plays, "Stop");
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
    say(this.plays, "Play");
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
