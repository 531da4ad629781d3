/* The store: holds the state of a page. Changes are drawn at the next frame, at most once a frame. */

import { inNextFrame } from "./frames.js";

/**
 * @template State
 * @typedef {object} Store
 * @property {() => State} get
 * @property {(patch: Partial<State>) => void} set
 */

/**
 * Return a store that calls `draw` after changes.
 * @template {object} State
 * @param {State} first
 * @param {(state: State) => void} draw
 * @returns {Store<State>}
 */
export function createStore(first, draw) {
  let state = first;
  let planned = false;

  function redraw() {
    planned = false;
    draw(state);
  }

  return {
    get: () => state,
    set(patch) {
      const keys = /** @type {(keyof State)[]} */ (Object.keys(patch));
      if (!keys.some((key) => state[key] !== patch[key])) return;
      state = { ...state, ...patch };
      if (planned) return;
      planned = true;
      inNextFrame(redraw);
    },
  };
}
