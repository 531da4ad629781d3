/* The commitment to the deals: the digest with which the server fixed all cards in advance. */

import { html } from "../../vendor/preact/preact.js";
import { gettext } from "../text/translations.js";

/** @import { Commitment } from "./types.js" */

const SHOWN = 8; // characters of the digest in its short form

/**
 * The page's commitment, the address where it can be verified, and whether the game is ranked; null
 * for an ordinary match.
 * @param {Document} [page]
 * @returns {Commitment | null}
 */
export function commitmentOf(page = document) {
  const { commitment, address, ranked } = page.getElementById("fair")?.dataset ?? {};
  return commitment ? { commitment, address, ranked: ranked !== undefined } : null;
}

/** @param {{ fair: Commitment | null, whole?: boolean, fresh?: boolean }} props */
export function DealCommitment({ fair, whole, fresh }) {
  if (!fair) return null;
  const { commitment, address } = fair;
  const kind = whole ? "fair-whole" : fresh ? "fair-fresh" : "";
  return html`<p class=${`fair ${kind}`}>
    ${gettext("Cards fixed in advance:")}${" "}
    <code title=${commitment}>${whole ? commitment : `${commitment.slice(0, SHOWN)}…`}</code>${" "}
    <a href=${address} target="_blank" rel="noopener">${gettext("Verify")}<span class="unseen">
      ${gettext("(opens a new tab)")}</span></a></p>`;
}
