/* Dragging a card from the hand to the middle of the table, which a tap and keys can also do. A touch
   that stays near its start is a tap. */

import { one } from "../ui/dom.js";

const DRAG_PIXELS = 10; // a touch that moves farther is a drag
const DROP_HOLD = 400; // milliseconds that a dropped card stays in place, for the table to answer

/**
 * Start a drag at the `pointerdown` event of a card; `drop()` is called if it ends over the middle.
 * @param {PointerEvent} event
 * @param {() => void} drop
 */
export function follow(event, drop) {
  if (event.button !== 0 || !event.isPrimary) return;
  const node = event.currentTarget;
  if (!(node instanceof HTMLElement)) return;
  if (node.ariaDisabled === "true") return;
  /** @type {HTMLElement | null} */
  const felt = node.closest(".felt");
  if (!felt) return;
  track(node, felt, event, drop);
}

/**
 * Move a card with a pointer until it is released.
 * @param {HTMLElement} node
 * @param {HTMLElement} felt - the table surface
 * @param {PointerEvent} event - that started the drag
 * @param {() => void} drop
 */
function track(node, felt, event, drop) {
  const { clientX, clientY, pointerId } = event;
  let dragged = false;

  /** @param {PointerEvent} now */
  function move(now) {
    if (now.pointerId !== pointerId) return;
    const across = now.clientX - clientX;
    const down = now.clientY - clientY;
    if (!dragged && Math.hypot(across, down) < DRAG_PIXELS) return;
    if (!dragged) begin();
    node.style.translate = `${across}px ${down}px`;
    felt.dataset.drop = isOverMiddle(felt, now) ? "over" : "open";
  }

  function begin() {
    dragged = true;
    node.setPointerCapture(pointerId);
    node.dataset.dragged = "";
  }

  /** @param {PointerEvent} now */
  function end(now) {
    if (now.pointerId !== pointerId) return;
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    if (!dragged) return;
    delete felt.dataset.drop;
    swallowClick(node);
    const dropped = now.type === "pointerup" && isOverMiddle(felt, now);
    if (dropped) drop();
    setTimeout(() => back(node), dropped ? DROP_HOLD : 0);
  }

  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

/** @param {HTMLElement} node */
function back(node) {
  node.style.translate = "";
  delete node.dataset.dragged;
}

/**
 * @param {Element} felt
 * @param {{ clientX: number, clientY: number }} props
 */
function isOverMiddle(felt, { clientX, clientY }) {
  const box = one(felt, ".centre", HTMLElement).getBoundingClientRect();
  const inside = clientX >= box.left && clientX <= box.right;
  return inside && clientY >= box.top && clientY <= box.bottom;
}

/**
 * Suppress the click that ends a drag, as it is not a tap.
 * @param {HTMLElement} node
 */
function swallowClick(node) {
  /** @param {Event} click */
  const swallow = (click) => click.stopImmediatePropagation();
  node.addEventListener("click", swallow, { capture: true });
  setTimeout(() => node.removeEventListener("click", swallow, { capture: true }), 0);
}
