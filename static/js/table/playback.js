/* Playback of events at a pace that people can follow. The server sends events in batches, one for
   each `steps` message. A batch becomes beats; each beat changes the model a little and is held for a
   while. A click skips ahead. */

import { countLines } from "../text/count_phrases.js";
import { applyEvent, cutEvents, emptyModel, fromView, moved, roomFor, withGame } from "./model.js";

/** @import { Context, Model, Pace } from "./types.js" */
/** @import { CountedEvent, CountEndedEvent, GameEvent, History, View } from "../net/messages.js" */
/** @import { Timer, Timers } from "../ui/timers.js" */
/** @import { Coach } from "./coach.js" */

/**
 * @typedef {object} Beat
 * @property {BeatKind} kind
 * @property {GameEvent} [event]
 * @property {(model: Model, context: Context) => Model} change
 * @property {boolean} [coached] - whether the coach holds this beat
 */
/** @typedef {GameEvent["e"] | "scored" | "ended" | "reset" | "open" | "line" | "total" | "settle"} BeatKind */

/**
 * The time for which a beat is held, in milliseconds.
 * @type {Partial<Record<BeatKind, number>> & { game_won: number }}
 */
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

/**
 * Beats at which the pace "tap" waits for the player.
 * @type {Set<BeatKind>}
 */
const GATES = new Set(["total", "game_won"]);

/**
 * Beats that must have been shown before the player is asked to act.
 * @type {Set<BeatKind>}
 */
const LOOKED_AT = new Set(["cut", "open", "line", "total", "game_won"]);

/**
 * Beats that must have started before the player is asked to act.
 * @type {Set<BeatKind>}
 */
const SOON = new Set(["dealt", "match_over"]);

/**
 * Beats that put cards on the table: what the server asks for after them is asked once they are there.
 * @type {Set<BeatKind>}
 */
const CARDS = new Set(["starter", "played", "scored", "open"]);

/**
 * The beats of one event.
 * @param {GameEvent} event
 * @returns {Beat[]}
 */
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

/**
 * @param {Model} model
 * @param {CountEndedEvent} event
 * @returns {Model}
 */
function endOfCount(model, event) {
  const { seat, reason, points, scores } = event;
  return {
    ...model,
    ...moved(model, scores),
    says: { [seat]: { kind: reason === "go" ? "go_point" : reason, points } },
  };
}

/**
 * @param {CountedEvent} event
 * @returns {Beat[]}
 */
function countBeats(event) {
  const { seat, item, cards, claimed, parts } = event;
  /** @type {Beat} */
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
  /** @type {Beat[]} */
  const lines = countLines(parts).map((_, at) => ({
    kind: "line",
    event,
    change: (model) => {
      if (!model.show) return model;
      const said = countLines(parts, roomFor(model, seat, event)).slice(0, at + 1);
      const lit = said[at]?.cards ?? model.show.lit;
      return { ...model, show: { ...model.show, lines: said, lit } };
    },
  }));
  /** @type {Beat} */
  const total = {
    kind: "total",
    event,
    change: (model, context) => applyEvent(model, event, context),
  };
  return [open, ...lines, total];
}

/** @typedef {Beat & { context: Context }} QueuedBeat */

/** The playback of batches of events. */
export class Playback {
  /**
   * @param {object} options
   * @param {(model: Model) => void} options.show - called with each new model
   * @param {(event: GameEvent, model: Model) => void} [options.onEvent] - called with each event, once
   * @param {() => Pace} [options.pace]
   * @param {Coach | null} [options.coach] - may hold an event until the player continues
   * @param {Timers} [options.clock]
   */
  constructor({ show, onEvent = () => {}, pace = () => "auto", coach = null, clock = globalThis }) {
    this.show = show;
    this.onEvent = onEvent;
    this.pace = pace;
    this.coach = coach;
    this.clock = clock;
    this.model = emptyModel(0);
    /** @type {QueuedBeat[]} */
    this.queue = [];
    /** @type {Timer} */
    this.timer = undefined;
    /** @type {QueuedBeat | null} */
    this.waiting = null; // the beat on hold
    this.freed = Number.NEGATIVE_INFINITY; // when the last beat ended that the player could end
  }

  get busy() {
    return this.waiting !== null || this.queue.length > 0;
  }

  /** Whether a move would cut something short: a count or a result. */
  get blocking() {
    if (this.waiting && (this.waiting.coached || LOOKED_AT.has(this.waiting.kind))) return true;
    return this.queue.some(
      (beat) => LOOKED_AT.has(beat.kind) || SOON.has(beat.kind) || this.stopsAt(beat),
    );
  }

  /** The event whose cards come next, while cards are still to be shown. */
  get coming() {
    return this.queue.find((beat) => CARDS.has(beat.kind))?.event ?? null;
  }

  /**
   * Clear the queue and show `view`.
   * @param {View} view
   */
  reset(view) {
    this.stop();
    this.queue = [];
    this.present(fromView(view, this.model));
  }

  /**
   * Add the log of an earlier game, also during playback.
   * @param {History} game
   */
  recall(game) {
    if (this.model) this.present(withGame(this.model, game));
  }

  /**
   * Show how a game that has just begun got to `view`: the cut for deal and the deal.
   * @param {View} view
   */
  open(view) {
    this.stop();
    this.queue = [];
    this.model = { ...emptyModel(view.scores.length), me: view.seat };
    const { game, hand, dealer } = view;
    /** @type {GameEvent[]} */
    const events = cutEvents(view);
    if (dealer !== null) events.push({ e: "dealt", game, hand, dealer });
    this.push(events, view);
  }

  /**
   * Queue the events of the moves that led to `view`.
   * @param {GameEvent[]} events
   * @param {View} view
   */
  push(events, view) {
    const context = { view };
    for (const event of events) {
      for (const beat of beatsOf(event)) this.queue.push({ ...beat, context });
    }
    this.queue.push({ kind: "settle", change: (model) => fromView(view, model), context });
    // The queue may have changed the required action, even while a beat is held.
    if (this.waiting) this.present(this.model);
    else this.next();
  }

  /** Skip ahead: complete the count in progress, or end the beat on hold. */
  advance() {
    if (!this.busy) return;
    const held = this.waiting;
    this.stop();
    if (held && !held.coached && (held.kind === "open" || held.kind === "line")) {
      while (this.queue[0]?.kind === "line") this.take();
    }
    this.next();
  }

  /** Show the cards that are still to come, and hold the last of them as usual. */
  catchUp() {
    const last = this.queue.filter((beat) => CARDS.has(beat.kind)).at(-1);
    if (!last) return;
    this.stop();
    while (this.queue[0] !== last) this.take();
    this.next();
  }

  /** Show everything that is queued at once. */
  finish() {
    this.stop();
    while (this.queue.length) this.take();
  }

  next() {
    while (!this.waiting) {
      const beat = this.take();
      if (!beat) return;
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
    if (!beat) return null;
    const model = beat.change(this.model, beat.context);
    if (beat.event && model.log.length > this.model.log.length) this.onEvent(beat.event, model);
    this.present(model);
    return beat;
  }

  /** @param {Beat} beat */
  stopsAt(beat) {
    return Boolean(this.coach && beat.event && this.coach.has(beat.event, this.model));
  }

  /** @param {Beat} beat */
  holdFor(beat) {
    if (!this.coach || !beat.event || !this.stopsAt(beat)) return this.holdOf(beat);
    this.coach.say(beat.event, this.model);
    beat.coached = true;
    return Number.POSITIVE_INFINITY;
  }

  /** @param {Beat} beat */
  holdOf(beat) {
    const pace = this.pace();
    if (beat.kind === "settle") return 0;
    if (beat.kind === "game_won" && !this.queue.some((later) => later.kind === "dealt")) return 0;
    if (pace === "tap" && GATES.has(beat.kind)) return Number.POSITIVE_INFINITY;
    if (pace === "instant") return beat.kind === "game_won" ? HOLD.game_won : 0;
    return HOLD[beat.kind] ?? 0;
  }

  /** @param {Model} model */
  present(model) {
    this.model = model;
    this.show(model);
  }

  stop() {
    if (this.timer !== undefined) this.clock.clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting && LOOKED_AT.has(this.waiting.kind)) this.freed = performance.now();
    this.waiting = null;
    this.coach?.goOn();
  }
}
