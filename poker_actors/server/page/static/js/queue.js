// Show pictures one by one at a pace a person can follow, even if they arrive faster.

import { pace } from "./settings.js";

const MOST = 60; // pictures waiting; with more, a page that was asleep would play back everything it missed

/** Shows pictures by `draw(picture, newest)`, each for a time; `newest` is false while others wait. */
export class Queue {
  constructor(draw) {
    this.draw = draw;
    this.waiting = [];
    this.timer = null;
    this.shown = null;
  }

  add(picture) {
    this.waiting.push(picture);
    if (document.hidden || this.waiting.length > MOST) this.waiting.splice(0, this.waiting.length - 1);
    if (this.timer === null) this.next();
  }

  next() {
    this.timer = null;
    const picture = this.waiting.shift();
    if (picture === undefined) return;
    const news = this.shown === null || tells(this.shown, picture);
    this.shown = picture;
    this.draw(picture, this.waiting.length === 0);
    const wait = news ? pace(this.waiting.length, picture.over) : 0;
    if (wait === 0 && this.waiting.length) this.next();
    else if (wait > 0) this.timer = setTimeout(() => this.next(), wait);
  }

  /** Drop the waiting pictures: after a lost connection the server sends the present one. */
  clear() {
    clearTimeout(this.timer);
    this.timer = null;
    this.waiting = [];
  }
}

/** Return whether anything happened in the hand between two pictures; others, as of a stack topped up, need no time to read. */
function tells(before, after) {
  return before.hand_id !== after.hand_id || before.seq !== after.seq || before.over !== after.over;
}
