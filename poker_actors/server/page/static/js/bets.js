// The arithmetic of a bet: bounds and presets, in whole chips, as totals to raise to.

/** What may be bet now, or null; all numbers are totals for this street. */
export function bounds(picture) {
  const legal = picture.you?.legal;
  if (!legal?.raise_to) return null;
  const seat = picture.seats.find((one) => one.seat === picture.you.seat);
  const { min, max } = legal.raise_to;
  const own = seat?.bet ?? 0;
  const called = own + legal.to_call; // what a call comes to
  const potAfterCall = legal.pot + legal.to_call;
  const clamp = (total) => Math.min(max, Math.max(min, Math.round(total)));
  return {
    min, max, step: picture.stakes.big_blind, opening: called === 0, allIn: own + (seat?.stack ?? 0),
    presets: [
      ["Min", min], ["½ pot", clamp(called + potAfterCall / 2)], ["Pot", clamp(called + potAfterCall)], ["All-in", max],
    ],
  };
}

/** The next amount below or above, on whole steps, within the bounds. */
export function stepped(limits, amount, steps) {
  const { min, max, step } = limits;
  const next = steps > 0 ? Math.floor(amount / step) * step + steps * step : Math.ceil(amount / step) * step + steps * step;
  return Math.min(max, Math.max(min, next));
}

/** Why an amount will not do, or an empty string. */
export function complaint(limits, amount) {
  if (!Number.isInteger(amount)) return "Whole chips only.";
  if (amount < limits.min) return `The least is ${limits.min}.`;
  if (amount > limits.max) return `The most is ${limits.max}.`;
  return "";
}

/**
 * The slider runs from 0 to 1000; small bets get more of its way, as the amounts people choose
 * among lie close together there.
 */
export const toSlider = ({ min, max }, amount) => max === min ? 1000 : Math.round(1000 * Math.sqrt((amount - min) / (max - min)));

export function fromSlider({ min, max, step }, place) {
  if (place >= 1000) return max;
  const amount = min + (max - min) * (place / 1000) ** 2;
  return Math.max(min, Math.min(max, place <= 0 ? min : Math.round(amount / step) * step));
}
