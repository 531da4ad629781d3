/* When a page is drawn: in the next frame. A hidden page gets none, but its title must still change. */

/**
 * Call `work` once, in the next frame, or at once if the page is hidden before that: the browser keeps the
 * frame until the page is shown again.
 * @param {() => void} work
 */
export function inNextFrame(work) {
  const page = globalThis.document;
  if (page?.hidden) {
    setTimeout(work, 0);
    return;
  }
  let done = false;
  function draw() {
    if (done) return;
    done = true;
    page?.removeEventListener("visibilitychange", draw);
    work();
  }
  page?.addEventListener("visibilitychange", draw);
  requestAnimationFrame(draw);
}
