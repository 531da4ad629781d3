/* A card of the hand dragged to the middle of the table: an extra beside tap and keys, which do the
   same. A touch that stays near its beginning is a tap and nothing else. */

const FAR = 10; // pixels from which on a touch is a drag
const LET_GO = 400; // milliseconds that a dropped card stays where it is, for the table to answer

/** Begin with the `pointerdown` event of a card; `drop()` is called where it is let go over the middle. */
export function follow(event, drop) {
  if (event.button !== 0 || !event.isPrimary) return;
  const node = event.currentTarget;
  if (node.ariaDisabled === "true") return;
  const { clientX, clientY, pointerId } = event;
  const felt = node.closest(".felt");
  let dragged = false;

  function move(now) {
    if (now.pointerId !== pointerId) return;
    const across = now.clientX - clientX;
    const down = now.clientY - clientY;
    if (!dragged && Math.hypot(across, down) < FAR) return;
    if (!dragged) begin();
    node.style.translate = `${across}px ${down}px`;
    felt.dataset.drop = isOverMiddle(felt, now) ? "over" : "open";
  }

  function begin() {
    dragged = true;
    node.setPointerCapture(pointerId);
    node.dataset.dragged = "";
  }

  function end(now) {
    if (now.pointerId !== pointerId) return;
    for (const [type, listener] of listeners) removeEventListener(type, listener);
    if (!dragged) return;
    delete felt.dataset.drop;
    swallowClick(node);
    const dropped = now.type === "pointerup" && isOverMiddle(felt, now);
    if (dropped) drop();
    setTimeout(() => back(node), dropped ? LET_GO : 0);
  }

  const listeners = [
    ["pointermove", move],
    ["pointerup", end],
    ["pointercancel", end],
  ];
  for (const [type, listener] of listeners) addEventListener(type, listener);
}

function back(node) {
  node.style.translate = "";
  delete node.dataset.dragged;
}

function isOverMiddle(felt, { clientX, clientY }) {
  const box = felt.querySelector(".centre").getBoundingClientRect();
  const inside = clientX >= box.left && clientX <= box.right;
  return inside && clientY >= box.top && clientY <= box.bottom;
}

/** The click that ends a drag is not a tap. */
function swallowClick(node) {
  const swallow = (click) => click.stopImmediatePropagation();
  node.addEventListener("click", swallow, { capture: true });
  setTimeout(() => node.removeEventListener("click", swallow, { capture: true }), 0);
}
