/* What the server has committed to: the number that fixes all cards of the game beforehand. */

import { html } from "../vendor/preact/preact.js";
import { gettext } from "./texts.js";

const SHOWN = 8; // characters of the number where there is little room

/** The number, where it can be checked, and whether the game came from the ranked queue, as the page
    has them; null for an ordinary match. */
export function fairness(page = document) {
  const { commitment, address, ranked } = page.getElementById("fair")?.dataset ?? {};
  return commitment ? { commitment, address, ranked: ranked !== undefined } : null;
}

export function Fair({ fair, whole, fresh }) {
  if (!fair) return null;
  const { commitment, address } = fair;
  const kind = whole ? "fair-whole" : fresh ? "fair-fresh" : "";
  return html`<p class=${`fair ${kind}`}>
    ${gettext("Cards fixed beforehand:")}${" "}
    <code title=${commitment}>${whole ? commitment : `${commitment.slice(0, SHOWN)}…`}</code>${" "}
    <a href=${address} target="_blank" rel="noopener">${gettext("Check it")}<span class="unseen">
      ${gettext("(opens a new tab)")}</span></a></p>`;
}
