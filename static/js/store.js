/* The one place that holds what the page knows. Whoever changes it calls `set`; the page is drawn
   again at most once a frame. */

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
      const changed = Object.entries(patch).some(([key, value]) => state[key] !== value);
      if (!changed) return;
      state = { ...state, ...patch };
      if (planned) return;
      planned = true;
      // No frames come while the page is hidden, but its title must still change.
      if (globalThis.document?.hidden) setTimeout(redraw, 0);
      else requestAnimationFrame(redraw);
    },
  };
}
