// Short synthesized sounds for the player's turn, cards, chips and pots won; none before the first click, as browsers demand.

import { get } from "./settings.js";

/** The tones of each sound: start in seconds, frequency in hertz, length in seconds, gain from 0 to 1. */
const TONES = {
  turn: [[0, 660, 0.12, 0.12], [0.13, 880, 0.18, 0.12]],
  card: [[0, 1_900, 0.03, 0.03]],
  chips: [[0, 2_600, 0.025, 0.04], [0.04, 3_100, 0.025, 0.03]],
  win: [[0, 523, 0.12, 0.08], [0.11, 659, 0.12, 0.08], [0.22, 784, 0.22, 0.08]],
};

let context = null;

function play(kind) {
  if (!navigator.userActivation?.hasBeenActive || document.hidden) return;
  context ??= new AudioContext();
  for (const [start, frequency, seconds, loudness] of TONES[kind]) {
    const at = context.currentTime + start;
    const tone = new OscillatorNode(context, { frequency, type: "triangle" });
    const gain = new GainNode(context, { gain: loudness });
    gain.gain.setValueAtTime(loudness, at);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + seconds);
  }
}

/** Sound the player's turn. */
export function yourTurn() {
  if (get("sound") !== "off") play("turn");
}

/** Sound what happened between two pictures. */
export function heard(before, after) {
  if (before === null || get("sound") !== "all") return;
  if (after.over && !before.over && after.winners.some((one) => one.seat === after.you?.seat)) play("win");
  else if (after.board.length > before.board.length || (after.hand_id !== before.hand_id && after.hand_id !== null)) play("card");
  else if (after.seats.some((seat, place) => seat.put_in > (before.seats[place]?.put_in ?? 0))) play("chips");
}
