/* The icon buttons of the bar at the top of the page. */

import { html } from "../../vendor/preact/preact.js";

/** The SVG paths of the icons, each in a box of 24 by 24. */
export const ICONS = {
  chat: "M4 5h16v11H10l-5 4v-4H4z",
  log: "M5 6h14M5 12h14M5 18h9",
  sound: "M4 10v4h4l5 4V6L8 10zM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12",
  mute: "M4 10v4h4l5 4V6L8 10zM17 9.5l5 5M22 9.5l-5 5",
  keys: "M9.2 9a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1.1-1.5 2.4M12 17.6v.1",
  gear: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4",
  flag: "M6 21V4M6 5c4-2.5 8 2.500 12 0v8c-4 2.500-8-2.500-12 0",
};

/**
 * A button of the bar at the top of the page.
 * @param {{ icon: keyof typeof ICONS, label: string, id?: string, pressed?: boolean, onClick: () => void }} props
 */
export function Tool({ icon, label, id, pressed, onClick }) {
  return html`<button type="button" class="tool" id=${id} aria-label=${label} title=${label}
    aria-pressed=${pressed === undefined ? undefined : String(pressed)} onClick=${onClick}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[icon]} /></svg></button>`;
}
