/* Where the replay is, and how it gets on: what the page shows follows from `at`, the number of the
   position, and from `side` and `open`. */

import * as preferences from "../preferences.js";
import { addressOf } from "./address.js";
import { happened } from "./happened.js";
import { handPlace, placeOf, positionsOf, viewOf } from "./positions.js";

const STAYS = 150; // milliseconds after which a position is one to be shared

export class Player {
  constructor({ store, data, frames, announcer }) {
    this.store = store;
    this.data = data;
    this.frames = frames;
    this.announcer = announcer;
    this.sides = new Map();
  }

  /** The positions as the side that is looked from sees them; made once for each side. */
  get positions() {
    const { side } = this.store.get();
    if (!this.sides.has(side)) {
      this.sides.set(side, positionsOf(this.data, this.frames, side));
    }
    return this.sides.get(side);
  }

  get position() {
    return this.positions[this.store.get().at];
  }

  /** Show position `at`, or the nearest that there is. */
  show(at) {
    const place = Math.max(0, Math.min(at, this.positions.length - 1));
    this.store.set({ at: place, ...this.pictured(place) });
    this.note();
    this.tell();
  }

  /** Put the position into the address, once one stays there: browsers bound how often that is. */
  note() {
    clearTimeout(this.noting);
    this.noting = setTimeout(() => {
      const { side, open } = this.store.get();
      history.replaceState(null, "", addressOf(this.data, this.position, { side, open }));
    }, STAYS);
  }

  /** What the parts of the table need to draw position `at`. */
  pictured(at) {
    const { side, open } = this.store.get();
    const { step, model } = this.positions[at];
    const frame = this.frames[step];
    const view = viewOf(frame, step, side);
    // Who only looks from a seat is not "You" there.
    view.seat = side === this.data.own ? side : null;
    return { model, view, turned: open ? { held: frame.held, crib: frame.crib } : null };
  }

  move(by) {
    this.show(this.store.get().at + by);
    this.speak();
  }

  hand(by) {
    this.show(handPlace(this.data, this.positions, this.store.get().at, by));
    this.speak();
  }

  toStep(step, part) {
    this.show(placeOf(this.positions, step, part));
  }

  look(change) {
    const { step, part } = this.position;
    this.store.set(change);
    this.show(placeOf(this.positions, step, part));
  }

  /** Say what has happened here. */
  speak() {
    this.announcer.say(happened(this.store.get()));
  }

  /** Tell other scripts of the page where the replay is. */
  tell() {
    const { side, open } = this.store.get();
    const { step, part, parts, game, hand } = this.position;
    const number = this.data.hands[hand].hand;
    const detail = { match: this.data.match, game, hand: number, step, part, parts, side, open };
    document.dispatchEvent(new CustomEvent("replay:step", { detail }));
  }

  listen() {
    document.addEventListener("replay:goto", ({ detail }) =>
      this.toStep(detail.step, detail.part ?? 0),
    );
    document.addEventListener("replay:ask", () => this.tell());
  }

  open(panel) {
    this.store.set({ panel });
  }

  set(change) {
    const settings = { ...this.store.get().settings, ...change };
    preferences.save(settings);
    preferences.apply(settings);
    this.store.set({ settings });
  }

  /** Nothing can be picked here. */
  pick() {}
}
