// The arithmetic of bets: bounds and presets in whole chips, as totals to raise to.

/** Return the bounds and presets of a bet or raise, as totals for this street; null if neither is legal. */
export function bounds(picture) {
  const legal = picture.you?.legal;
  if (!legal?.raise_to) return null;
  const seat = picture.seats.find((one) => one.seat === picture.you.seat);
  const { min, max } = legal.raise_to;
  const own = seat?.bet ?? 0;
  const called = own + legal.to_call; // total after a call
  const potAfterCall = legal.pot + legal.to_call;
  const clamp = (total) => Math.min(max, Math.max(min, Math.round(total)));
  const allIn = own + (seat?.stack ?? 0);
  return {
    min, max, step: picture.stakes.big_blind, opening: called === 0, allIn,
    presets: [
      ["Min", min], ["½ pot", clamp(called + potAfterCall / 2)], ["Pot", clamp(called + potAfterCall)], [max === allIn ? "All-in" : "Max", max],
    ],
  };
}

/** Return the amount `steps` whole big blinds up or down, within the bounds. */
export function stepped(limits, amount, steps) {
  const { min, max, step } = limits;
  const next = steps > 0 ? Math.floor(amount / step) * step + steps * step : Math.ceil(amount / step) * step + steps * step;
  return Math.min(max, Math.max(min, next));
}

/** Return why an amount is not legal, or an empty string. */
export function complaint(limits, amount) {
  if (!Number.isInteger(amount)) return "Whole chips only.";
  if (amount < limits.min) return `The least is ${limits.min}.`;
  if (amount > limits.max) return `The most is ${limits.max}.`;
  return "";
}

/**
 * Return the slider's position, 0 to 1000. It follows a square root, so that small bets, among which people choose
 * finely, take up more of it.
 */
export const toSlider = ({ min, max }, amount) => max === min ? 1000 : Math.round(1000 * Math.sqrt((amount - min) / (max - min)));

export function fromSlider({ min, max, step }, place) {
  if (place >= 1000) return max;
  const amount = min + (max - min) * (place / 1000) ** 2;
  return Math.max(min, Math.min(max, place <= 0 ? min : Math.round(amount / step) * step));
}
