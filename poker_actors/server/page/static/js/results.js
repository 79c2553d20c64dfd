// A player's results over time: figures, and a line that shows the same.

import { el, svg } from "./dom.js";
import { chips, many } from "./words.js";

const WIDTH = 600;
const HEIGHT = 150;

export const signed = (amount) => `${amount < 0 ? "−" : "+"}${chips(Math.abs(amount))}`;

/** Return the profile's figures and line, drawn day by day; with only one day, hand by hand from `kept`, the newest first. */
export function profile(results, kept) {
  const { hands, net, days } = results;
  if (hands === 0) return el("section", { class: "results" }, el("p", { class: "small" }, "You have played no hand yet."));
  const each = hands ? Math.round((net / hands) * 100) / 100 : 0;
  const best = days.reduce((most, day) => (day.net > most.net ? day : most), days[0] ?? { day: "", net: 0 });
  const facts = [["Hands", chips(hands)], ["Result", signed(net)], ["A hand", signed(each)], ["Days", chips(days.length)], ["Best day", `${best.day}, ${signed(best.net)}`]];
  const byDay = days.length > 1;
  const steps = byDay ? days.map((day) => day.net) : [...kept].reverse().map((one) => one.net);
  const words = byDay ? `by day, ${days[0].day} to ${days.at(-1).day}` : `over the last ${many(kept.length, "hand")}`;
  return el("section", { class: "results", "aria-label": "Results over time" },
    el("dl", { class: "facts" }, ...facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
    steps.length ? el("figure", {}, line(steps, words), el("figcaption", { class: "small" }, `Chips won, ${words}`)) : null);
}

function line(steps, words) {
  let sum = 0;
  const sums = [0, ...steps.map((step) => (sum += step))];
  const [least, most] = [Math.min(...sums), Math.max(...sums)];
  const y = (value) => HEIGHT - 8 - ((HEIGHT - 16) * (value - least)) / Math.max(1, most - least);
  const points = sums.map((value, at) => `${(WIDTH * at) / Math.max(1, sums.length - 1)},${y(value)}`);
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": `Chips won ${words}: from 0 to ${signed(sum)}` },
    svg("line", { x1: 0, x2: WIDTH, y1: y(0), y2: y(0), class: "zero" }), svg("polyline", { points: points.join(" ") }));
}
