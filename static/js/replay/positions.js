/* The positions of a replay: what the table shows after each step, made by the same model that live
   play moves forward. Pure. A step is a number of log entries; what follows from one entry and is
   looked at by itself (each count of the show, the result) is a part of the step. */

import { beatsOf } from "../director.js";
import { applyEvent, emptyModel, fromView } from "../model.js";

const NOTHING_ASKED = { action: "wait", cards: [], number: 0, claims: false, muggins: false };

/** Each step with all cards: the server sends the first one whole, and then what has changed. */
export function framesOf(data) {
  const frames = [data.start];
  for (const { d } of data.steps) frames.push({ ...frames.at(-1), ...d });
  return frames;
}

/** The view of `seat` at a step: what the server would have sent it then, with nothing asked. */
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
 * All positions as `seat` sees them: {step, part, parts, game, hand, model}. `hand` is the index of
 * the hand in `data.hands`.
 */
export function positionsOf(data, frames, seat) {
  const found = [];
  let model = { ...emptyModel(frames[0].scores.length), me: seat };
  for (const [at, hand] of data.hands.entries()) {
    if (hand.hand === 1) model = { ...model, log: [] };
    for (let step = hand.first; step <= hand.last; step += 1) {
      const view = viewOf(frames[step], step, seat);
      const shown = shownBy(data.steps[step - 1].e, model, view);
      for (const [part, each] of shown.entries()) {
        const { game } = hand;
        found.push({ step, part, parts: shown.length, game, hand: at, model: each.shown });
      }
      model = fromView(view, shown.at(-1).next);
    }
  }
  return found;
}

/** The models of one step's parts: what each shows, and from what the match goes on. */
function shownBy(events, before, view) {
  const parts = [{ shown: before, next: before, empty: true }];
  for (const event of events) {
    const last = parts.at(-1);
    if (standsAlone(event) && !last.empty) parts.push({ shown: last.next, next: last.next });
    const part = parts.at(-1);
    Object.assign(part, told(event, part.next, { view }), { empty: false });
  }
  return parts;
}

function standsAlone(event) {
  return event.e === "counted" || event.e === "game_won";
}

/** A count that ends is shown before the table is cleared for the next one. */
function told(event, model, context) {
  const next = applyEvent(model, event, context);
  if (event.e !== "count_ended") return { shown: next, next };
  const ended = beatsOf(event)[0].change(model, context);
  const full = event.reason === "thirty_one" && model.says[event.seat];
  const says = full ? model.says : ended.says;
  return { shown: { ...ended, says, log: next.log }, next };
}

/** The position at a step and part, or the nearest one. */
export function placeOf(positions, step, part = 0) {
  let best = 0;
  for (const [at, position] of positions.entries()) {
    if (position.step > step || (position.step === step && position.part > part)) break;
    best = at;
  }
  return best;
}

/** Where Up (`by` -1) and Down (1) lead: to the deal of a hand. */
export function handPlace(data, positions, at, by) {
  const { hand, step } = positions[at];
  const { deal } = data.hands[hand];
  const target = by < 0 && step > deal ? hand : hand + by;
  const wanted = data.hands[Math.max(0, Math.min(target, data.hands.length - 1))];
  if (target >= data.hands.length) return positions.length - 1;
  return placeOf(positions, wanted.deal);
}

/** The first and the last position of the game that is shown. */
export function gameRange(positions, at) {
  const { game } = positions[at];
  const first = positions.findIndex((position) => position.game === game);
  const last = positions.findLastIndex((position) => position.game === game);
  return [first, last];
}
