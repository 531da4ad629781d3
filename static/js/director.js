/* The director plays what happened back at a pace that people can follow. Events come from the
   server in batches, one for each `steps` message; a batch becomes beats, and each beat changes
   the model a little and is held for a while. What the server says is not waited for: it is known,
   and a click gets there at once. */

import { countLines } from "./cadence.js";
import { applyEvent, cutEvents, emptyModel, fromView, moved, roomFor } from "./model.js";

/** How long a beat is held, in milliseconds. */
export const HOLD = {
  cut: 2200,
  dealt: 700,
  discarded: 350,
  starter: 1000,
  heels: 1400,
  played: 650,
  scored: 1150,
  go: 1000,
  ended: 1100,
  reset: 350,
  open: 700,
  line: 750,
  total: 2000,
  mugged: 1500,
  missed: 1400,
  resigned: 800,
  game_won: 6000,
  match_over: 0,
};

/** Beats at which pace "tap" waits for the player. */
const GATES = new Set(["total", "game_won"]);

/** What a player must have seen before he is asked for the next thing. */
const LOOKED_AT = new Set(["cut", "open", "line", "total", "game_won"]);

/** What he is not asked before. */
const SOON = new Set(["dealt", "match_over"]);

/** The beats of one event: each has a kind, how long it is held, and the model's change. */
export function beatsOf(event) {
  if (event.e === "counted") return countBeats(event);
  if (event.e === "count_ended") {
    return [
      { kind: "ended", event, change: (model) => endOfCount(model, event) },
      { kind: "reset", event, change: (model, context) => applyEvent(model, event, context) },
    ];
  }
  const kind = event.e === "played" && event.points ? "scored" : event.e;
  return [{ kind, event, change: (model, context) => applyEvent(model, event, context) }];
}

function endOfCount(model, event) {
  const { seat, reason, points, scores } = event;
  return {
    ...model,
    ...moved(model, scores),
    says: { [seat]: { kind: reason === "go" ? "go_point" : reason, points } },
  };
}

function countBeats(event) {
  const { seat, item, cards, claimed, parts } = event;
  const open = {
    kind: "open",
    event,
    change: (model) => ({
      ...model,
      phase: "show",
      says: {},
      show: { seat, item, cards, claimed, starter: model.starter, lines: [], lit: [], total: null },
    }),
  };
  const lines = parts.map((_, at) => ({
    kind: "line",
    event,
    change: (model) => {
      const said = countLines(parts, roomFor(model, seat, event)).slice(0, at + 1);
      const lit = said[at]?.cards ?? model.show.lit;
      return { ...model, show: { ...model.show, lines: said, lit } };
    },
  }));
  const total = {
    kind: "total",
    event,
    change: (model, context) => applyEvent(model, event, context),
  };
  return [open, ...lines, total];
}

/**
 * Plays batches back. `show(model)` is told each new model, `heard(event, model)` each event once.
 * `pace()` is "tap", "auto" or "instant". `clock` has setTimeout and clearTimeout.
 */
export class Director {
  constructor({ show, heard = () => {}, pace = () => "auto", coach = null, clock = globalThis }) {
    this.show = show;
    this.heard = heard;
    this.pace = pace;
    this.coach = coach; // may stop at an event until the player goes on
    this.clock = clock;
    this.model = null;
    this.queue = [];
    this.timer = null;
    this.waiting = null; // the beat that is held now
  }

  get busy() {
    return this.waiting !== null || this.queue.length > 0;
  }

  /** Whether something is being shown that a move must not cut short: a count or a result. */
  get blocking() {
    if (this.waiting && (this.waiting.coached || LOOKED_AT.has(this.waiting.kind))) return true;
    return this.queue.some(
      (beat) => LOOKED_AT.has(beat.kind) || SOON.has(beat.kind) || this.stopsAt(beat),
    );
  }

  /** Forget what is queued and show `view` as it stands. */
  reset(view) {
    this.stop();
    this.queue = [];
    this.present(fromView(view, null));
  }

  /** Show how the match that has just begun got to `view`: the cut for deal, and the deal. */
  open(view) {
    this.stop();
    this.queue = [];
    this.model = { ...emptyModel(view.scores.length), me: view.seat };
    const { game, hand, dealer } = view;
    this.push([...cutEvents(view), { e: "dealt", game, hand, dealer }], view);
  }

  /** Queue the events of the moves that led to `view`. */
  push(events, view) {
    const context = { view };
    for (const event of events) {
      for (const beat of beatsOf(event)) this.queue.push({ ...beat, context });
    }
    this.queue.push({ kind: "settle", change: (model) => fromView(view, model), context });
    // What waits may have changed what the player can be asked, even while a beat is held.
    if (this.waiting) this.present(this.model);
    else this.next();
  }

  /** The player wants to go on: complete the count that is being said, or leave the beat held. */
  advance() {
    if (!this.busy) return;
    const held = this.waiting;
    this.stop();
    if (held && !held.coached && (held.kind === "open" || held.kind === "line")) {
      while (this.queue[0]?.kind === "line") this.take();
    }
    this.next();
  }

  /** Show everything that is queued at once. */
  finish() {
    this.stop();
    while (this.queue.length) this.take();
  }

  next() {
    while (this.queue.length && !this.waiting) {
      const beat = this.take();
      const hold = this.holdFor(beat);
      if (hold === 0) continue;
      this.waiting = beat;
      if (hold !== Number.POSITIVE_INFINITY) {
        this.timer = this.clock.setTimeout(() => this.release(), hold);
      }
      this.present(this.model);
    }
  }

  release() {
    this.stop();
    this.next();
    if (!this.busy) this.present(this.model);
  }

  take() {
    const beat = this.queue.shift();
    const model = beat.change(this.model, beat.context);
    if (beat.event && model.log.length > this.model.log.length) this.heard(beat.event, model);
    this.present(model);
    return beat;
  }

  stopsAt(beat) {
    return Boolean(this.coach && beat.event && this.coach.has(beat.event, this.model));
  }

  holdFor(beat) {
    if (!this.stopsAt(beat)) return this.holdOf(beat);
    this.coach.say(beat.event, this.model);
    beat.coached = true;
    return Number.POSITIVE_INFINITY;
  }

  holdOf(beat) {
    const pace = this.pace();
    if (beat.kind === "settle") return 0;
    if (beat.kind === "game_won" && !this.queue.some((later) => later.kind === "dealt")) return 0;
    if (pace === "tap" && GATES.has(beat.kind)) return Number.POSITIVE_INFINITY;
    if (pace === "instant") return beat.kind === "game_won" ? HOLD.game_won : 0;
    return HOLD[beat.kind] ?? 0;
  }

  present(model) {
    this.model = model;
    this.show(model);
  }

  stop() {
    if (this.timer !== null) this.clock.clearTimeout(this.timer);
    this.timer = null;
    this.waiting = null;
    this.coach?.goOn();
  }
}
