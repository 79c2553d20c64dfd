// Pictures one after another, at a pace a person can follow, should they come faster than anybody reads.

import { pace } from "./settings.js";

const MOST = 60; // a page that was asleep does not play back everything it missed

/** Shows pictures by `draw(picture, newest)`, each for a while. */
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

  /** Forgets what was to come: another picture of the present is on its way. */
  clear() {
    clearTimeout(this.timer);
    this.timer = null;
    this.waiting = [];
  }
}

/** Whether anything has happened in the hand from one picture to the next. */
function tells(before, after) {
  return before.hand_id !== after.hand_id || before.seq !== after.seq || before.over !== after.over;
}
