/* The positions of a replay: what the table shows after each step, built with the model of live play.
   Pure. A step is a number of log entries; what follows from one entry and is shown separately (each
   count of the show, the result) is a part of the step. */

import { applyEvent, fromView } from "../table/model.js";
import { beatsOf } from "../table/playback.js";

/** @import { Frame, Position, ReplayData, StepPart } from "./types.js" */
/** @import { GameEvent, Legal, Seat, View } from "../net/messages.js" */
/** @import { Context, Model } from "../table/types.js" */

/** @type {Legal} */
const NOTHING_ASKED = { action: "wait", cards: [], number: 0, claims: false, muggins: false };

/**
 * Each step with all cards: the server sends the first one whole, then only changes.
 * @param {ReplayData} data
 * @returns {Frame[]}
 */
export function framesOf(data) {
  const frames = [data.start];
  for (const [at, { d }] of data.steps.entries()) frames.push({ ...frames[at], ...d });
  return frames;
}

/**
 * The view that the server would have sent `seat` at a step, without legal moves.
 * @param {Frame} frame
 * @param {number} step
 * @param {Seat} seat
 * @returns {View}
 */
export function viewOf(frame, step, seat) {
  return {
    ...frame,
    v: step,
    seat,
    cards: frame.held[seat],
    dealt: frame.dealt[seat],
    thrown: frame.thrown[seat],
    legal: NOTHING_ASKED,
  };
}

/**
 * All positions as `seat` sees them. `hand` is the index of the hand in `data.hands`.
 * @param {ReplayData} data
 * @param {Frame[]} frames
 * @param {Seat} seat
 * @returns {Position[]}
 */
export function positionsOf(data, frames, seat) {
  /** @type {Position[]} */
  const found = [];
  /** @type {Model} */
  let model = fromView(viewOf(frames[0], 0, seat), null);
  for (const [at, hand] of data.hands.entries()) {
    if (hand.hand === 1) model = { ...model, log: [] };
    for (let step = hand.first; step <= hand.last; step += 1) {
      const view = viewOf(frames[step], step, seat);
      const shown = shownBy(data.steps[step - 1].e, model, view);
      for (const [part, each] of shown.entries()) {
        const { game } = hand;
        found.push({ step, part, parts: shown.length, game, hand: at, model: each.shown });
      }
      model = fromView(view, shown[shown.length - 1].next);
    }
  }
  return found;
}

/**
 * The models of one step's parts: what each shows, and the model after it.
 * @param {GameEvent[]} events
 * @param {Model} before
 * @param {View} view
 * @returns {StepPart[]}
 */
function shownBy(events, before, view) {
  const parts = [{ shown: before, next: before, empty: true }];
  for (const event of events) {
    const last = parts[parts.length - 1];
    const { shown, next } = shownAfter(event, last.next, { view });
    const part = { shown, next, empty: false };
    if (standsAlone(event) && !last.empty) parts.push(part);
    else parts[parts.length - 1] = part;
  }
  return parts;
}

/** @param {GameEvent} event */
function standsAlone(event) {
  return event.e === "counted" || event.e === "game_won";
}

/**
 * The model to show for an event, and the model after it: a count that ends is shown before the
 * table is cleared for the next one.
 * @param {GameEvent} event
 * @param {Model} model
 * @param {Context} context
 */
function shownAfter(event, model, context) {
  const next = applyEvent(model, event, context);
  if (event.e !== "count_ended") return { shown: next, next };
  const ended = beatsOf(event)[0].change(model, context);
  const full = event.reason === "thirty_one" && model.says[event.seat];
  const says = full ? model.says : ended.says;
  return { shown: { ...ended, says, log: next.log }, next };
}

/**
 * The index of the position at a step and part, or of the nearest one before it.
 * @param {Position[]} positions
 * @param {number} step
 * @param {number} [part]
 */
export function placeOf(positions, step, part = 0) {
  let best = 0;
  for (const [at, position] of positions.entries()) {
    if (position.step > step || (position.step === step && position.part > part)) break;
    best = at;
  }
  return best;
}

/**
 * The index of the position that Up (`by` -1) or Down (1) leads to: the deal of a hand.
 * @param {ReplayData} data
 * @param {Position[]} positions
 * @param {number} at
 * @param {number} by
 */
export function handPlace(data, positions, at, by) {
  const { hand, step } = positions[at];
  const { deal } = data.hands[hand];
  const target = by < 0 && step > deal ? hand : hand + by;
  const wanted = data.hands[Math.max(0, Math.min(target, data.hands.length - 1))];
  if (target >= data.hands.length) return positions.length - 1;
  return placeOf(positions, wanted.deal);
}

/**
 * The first and last index of the positions of the current game.
 * @param {Position[]} positions
 * @param {number} at
 * @returns {[number, number]}
 */
export function gameRange(positions, at) {
  const { game } = positions[at];
  const first = positions.findIndex((position) => position.game === game);
  const last = positions.findLastIndex((position) => position.game === game);
  return [first, last];
}
