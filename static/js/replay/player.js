/* The replay's position and moves. The page is drawn from `at` (the index of the position), `side` and
   `open`. */

import * as preferences from "../access/preferences.js";
import { addressOf } from "./address.js";
import { happened } from "./last_event.js";
import { handPlace, placeOf, positionsOf, viewOf } from "./positions.js";

/** @import { Frame, Position, ReplayData, ReplayState, ShownReplay } from "./types.js" */
/** @import { Announcer } from "../access/announcer.js" */
/** @import { PanelName, Settings } from "../table/types.js" */
/** @import { Store } from "../ui/store.js" */

const SETTLED = 150; // milliseconds at a position before it goes into the address

export class Player {
  /** @param {{ store: Store<ReplayState>, data: ReplayData, frames: Frame[], announcer: Announcer }} props */
  constructor({ store, data, frames, announcer }) {
    this.store = store;
    this.data = data;
    this.frames = frames;
    this.announcer = announcer;
    /** @type {Map<number, Position[]>} */
    this.sides = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.noting = undefined;
  }

  /** The positions as seen from the current side; built once for each side. */
  get positions() {
    const { side } = this.store.get();
    let found = this.sides.get(side);
    if (!found) {
      found = positionsOf(this.data, this.frames, side);
      this.sides.set(side, found);
    }
    return found;
  }

  get position() {
    return this.positions[this.store.get().at];
  }

  /**
   * Show position `at`, or the nearest one.
   * @param {number} at
   */
  show(at) {
    const place = Math.max(0, Math.min(at, this.positions.length - 1));
    this.store.set({ at: place, ...this.pictured(place) });
    this.note();
    this.tell();
  }

  /** Put the position into the address after a pause, since browsers limit how often. */
  note() {
    clearTimeout(this.noting);
    this.noting = setTimeout(() => {
      const { side, open } = this.store.get();
      history.replaceState(null, "", addressOf(this.data, this.position, { side, open }));
    }, SETTLED);
  }

  /**
   * The state that the parts of the table need to draw position `at`.
   * @param {number} at
   */
  pictured(at) {
    const { side, open } = this.store.get();
    const { step, model } = this.positions[at];
    const frame = this.frames[step];
    const view = viewOf(frame, step, side);
    // A reader who only looks from a seat is not "You" there.
    view.seat = side === this.data.own ? side : null;
    return { model, view, turned: open ? { held: frame.held, crib: frame.crib } : null };
  }

  /** @param {number} by */
  move(by) {
    this.show(this.store.get().at + by);
    this.speak();
  }

  /** @param {number} by */
  hand(by) {
    this.show(handPlace(this.data, this.positions, this.store.get().at, by));
    this.speak();
  }

  /**
   * @param {number} step
   * @param {number} part
   */
  toStep(step, part) {
    this.show(placeOf(this.positions, step, part));
  }

  /** @param {Partial<Pick<ReplayState, "side" | "open">>} change */
  look(change) {
    const { step, part } = this.position;
    this.store.set(change);
    this.show(placeOf(this.positions, step, part));
  }

  /** Announce the last event. */
  speak() {
    this.announcer.say(happened(this.store.get()));
  }

  /** Tell other scripts of the page the current position. */
  tell() {
    const { side, open } = this.store.get();
    const { step, part, parts, game, hand } = this.position;
    const number = this.data.hands[hand].hand;
    const detail = { match: this.data.match, game, hand: number, step, part, parts, side, open };
    document.dispatchEvent(new CustomEvent("replay:step", { detail }));
  }

  listen() {
    preferences.follow((settings) => this.take(settings));
    document.addEventListener("replay:goto", ({ detail }) =>
      this.toStep(detail.step, detail.part ?? 0),
    );
    document.addEventListener("replay:ask", () => this.tell());
  }

  /** @param {PanelName | null} panel */
  open(panel) {
    this.store.set({ panel });
  }

  /**
   * Use preferences, which may have been set in another tab.
   * @param {Settings} settings
   */
  take(settings) {
    preferences.apply(settings);
    this.store.set({ settings });
  }

  /** @param {Partial<Settings>} change */
  set(change) {
    const settings = { ...this.store.get().settings, ...change };
    preferences.save(settings);
    this.take(settings);
  }

  /** A replay allows no picks. */
  pick() {}
}
