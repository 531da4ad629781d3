/* The coach of a lesson: shows the server's sentence about each step when the step comes. The keys of
   that script decide when; there are no rules of the game here. */

import { keep, recall, storageOf } from "../ui/storage.js";

/** @import { Asked, Model } from "./types.js" */
/** @import { GameEvent, View } from "../net/messages.js" */

/** @typedef {Record<string, string>} Script - sentences by their keys */

/**
 * The names of an event, the most specific first: "played.fifteen", then "played"; for the learner's
 * own discard, "discarded.9D KS" comes first, with the cards in alphabetical order.
 * @param {GameEvent} event
 * @param {Pick<Model, "me" | "thrown">} model
 */
function namesOf(event, { me, thrown }) {
  const kinds = (event.e === "played" && event.parts?.map(({ kind }) => kind)) || [];
  const reason = "reason" in event ? event.reason : null;
  const item = "item" in event ? event.item : null;
  const own = event.e === "discarded" && event.seat === me && thrown?.length;
  const cards = own ? [...thrown].sort().join(" ") : null;
  const more = [...kinds, reason, item, cards].filter((word) => word !== null);
  return [...more.map((word) => `${event.e}.${word}`), event.e];
}

/**
 * The keys under which a script may have a sentence for an event, the most specific first.
 * @param {GameEvent} event
 * @param {Pick<Model, "hand" | "me" | "thrown">} model
 */
export function keysOf(event, model) {
  const { hand, me } = model;
  const actor = "seat" in event ? event.seat : "winner" in event ? event.winner : undefined;
  const who = actor === me ? "own" : "other";
  return namesOf(event, model).flatMap((name) => [
    `${hand}.${name}.${who}`,
    `${hand}.${name}`,
    `${name}.${who}`,
    name,
  ]);
}

/**
 * The script's sentence for a required action, or null; `lead`: whether it is pone's first card.
 * @param {Script} script
 * @param {{ kind: string, lead: boolean, hand: number }} props
 */
export function askLine(script, { kind, lead, hand }) {
  const keys = [...(lead ? [`${hand}.ask.${kind}.lead`] : []), `${hand}.ask.${kind}`];
  return keys.map((key) => script[key]).find(Boolean) ?? null;
}

export class Coach {
  /**
   * `script`: key -> sentence. `kept` stores under `name` which have been shown; without it they are
   * repeated after a reload.
   * @param {{ script: Script, name: string, kept?: Storage | null }} props
   */
  constructor({ script, name, kept = storageOf("sessionStorage") }) {
    this.script = script;
    this.name = name;
    this.kept = kept;
    /** @type {Set<string>} */
    this.shownKeys = new Set(this.read());
    /** @type {string | null} */
    this.now = null; // the sentence about the event on hold
  }

  /**
   * Whether there is a new sentence for an event; the playback then waits for the player.
   * @param {GameEvent} event
   * @param {Model} model
   */
  has(event, model) {
    return this.find(event, model) !== null;
  }

  /**
   * Show the sentence for an event, once.
   * @param {GameEvent} event
   * @param {Model} model
   */
  say(event, model) {
    const key = this.find(event, model);
    if (key === null) return;
    this.now = this.script[key];
    this.shownKeys.add(key);
    this.write();
  }

  /** Continue after the player's click. */
  goOn() {
    this.now = null;
  }

  /**
   * The current sentence: about the event on hold, else about the required action.
   * @param {{ now: Asked, view: View | null, model: Model | null }} props
   */
  line({ now, view, model }) {
    if (this.now) return this.now;
    if (!now.own || !view || !model) return null;
    const lead = view.count === 0 && !model.plays.length;
    return askLine(this.script, { kind: now.kind, lead, hand: model.hand });
  }

  /**
   * Whether a sentence is about a lead that has been made meanwhile; others hold for longer.
   * @param {{ coach: string | null, model: Model | null }} props
   */
  isPast({ coach: line, model }) {
    if (line === null || !model?.plays.length) return false;
    return line === this.script[`${model.hand}.ask.play.lead`];
  }

  /**
   * @param {GameEvent} event
   * @param {Model} model
   */
  find(event, model) {
    /** @param {string} key */
    const fresh = (key) => key in this.script && !this.shownKeys.has(key);
    return keysOf(event, model).find(fresh) ?? null;
  }

  /** @returns {string[]} */
  read() {
    try {
      return JSON.parse(recall(this.kept, this.name) ?? "[]");
    } catch {
      return [];
    }
  }

  write() {
    keep(this.kept, this.name, JSON.stringify([...this.shownKeys]));
  }
}
