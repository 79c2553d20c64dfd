// Make a table against house bots.

import { ask, game } from "./api.js";
import * as session from "./session.js";

export const BOTS = 4;
/** Settings slow enough for a person: seconds between hands, for a bot's thought, for a turn, and of the time bank. */
export const CALM = { pause: 4, think: 0.8, turn_seconds: 30, time_bank: 60, time_bank_refill: 2 };

/** Make a table, seat bots of one level or a mix of them, all in one request, and return the table's id. */
export async function againstBots(bots, level = "") {
  await session.someone();
  const made = await ask("POST", "/games/", { name: `${session.me().name} and bots`.slice(0, 32), seats: BOTS + 2, ...CALM });
  const liked = level ? [level] : ["tight", "loose", "pot-odds", "caller"].filter((name) => bots.includes(name));
  const kinds = liked.length ? liked : bots;
  if (kinds.length) {
    await ask("POST", game(made.gameID, "house"), { bots: Array.from({ length: BOTS }, (_, seat) => kinds[seat % kinds.length]) });
  }
  return made.gameID;
}
