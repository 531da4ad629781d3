/* The address of a position: match, game and hand, step and part, and the side shown. Pure. */

/** @import { Position, ReplayData } from "./types.js" */

/**
 * `/matches/<id>/<game>.<hand>/<step>.<part>/?side=1&open=1`; defaults are left out.
 * @param {ReplayData} data
 * @param {Pick<Position, "step" | "part" | "hand">} position
 * @param {{ side: number, open: boolean }} props
 */
export function addressOf(data, position, { side, open }) {
  const { game, hand } = data.hands[position.hand];
  const part = position.part ? `.${position.part}` : "";
  const query = new URLSearchParams();
  if (side !== (data.own ?? 0)) query.set("side", String(side));
  if (open) query.set("open", "1");
  const asked = query.size ? `?${query}` : "";
  return `/matches/${data.match}/${game}.${hand}/${position.step}${part}/${asked}`;
}

/**
 * The side that an address shows, and whether all hands are face up.
 * @param {string} search
 * @param {Pick<ReplayData, "seats" | "own">} data
 */
export function lookOf(search, data) {
  const query = new URLSearchParams(search);
  const seat = Number(query.get("side") ?? Number.NaN);
  const known = Number.isInteger(seat) && seat >= 0 && seat < data.seats.length;
  return { side: known ? seat : (data.own ?? 0), open: query.get("open") === "1" };
}
