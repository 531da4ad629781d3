/* The end of a game and of the match. */

import { html, useEffect, useRef } from "../../vendor/preact/preact.js";
import { seatName } from "../text/seat_names.js";
import { gettext, ngettext } from "../text/translations.js";
import { After } from "./after_match.js";
import { Recap } from "./recap.js";
import { hasWon, resultTitle, winnerOf } from "./result_title.js";

/** @import { GameWonEvent } from "../net/messages.js" */
/** @import { Actions, Shown } from "./types.js" */

/** @param {{ state: Shown, act: Actions }} props */
export function Result({ state, act }) {
  const { won, over } = state.model;
  const mine = hasWon(state);
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  const ended = Boolean(over && !state.replay);
  useEffect(() => {
    if (ended && mayFocus()) heading.current?.focus();
  }, [ended]);
  const placed = ended && isCompared(state);
  return html`<div class=${`result panel-on-felt ${mine ? "mine" : ""} ${placed ? "placed" : ""}`} data-result=${over ? "match" : "game"}>
    <h3 class="result-title" tabindex="-1" ref=${heading}>${resultTitle(state)}</h3>
    ${won && html`<${Scores} won=${won} state=${state} />`}
    ${won && state.table?.duplicate && html`<p>${bothGames(state, won, state.table.duplicate)}</p>`}
    ${won && html`<p class="result-skunk">${skunks(state, won)}</p>`}
    ${
      over &&
      (state.ruleset?.games ?? 1) > 1 &&
      html`<p>${gettext("Match points: %(points)s", {
        points: over.match_points
          .map((points, seat) => `${seatName(state, seat)} ${points}`)
          .join(", "),
      })}</p>`
    }
    ${ended && html`<${Ending} state=${state} act=${act} />`}
  </div>`;
}

/**
 * Whether the focus may move to the result: not out of a dialog or the chat.
 */
function mayFocus() {
  const now = document.activeElement;
  return (
    !now ||
    now === document.body ||
    now.id === "main" ||
    Boolean(now.closest(".hand, .actions, .felt"))
  );
}

/**
 * Whether the recap has this player's place among those with the same cards, which then comes first.
 * @param {Shown} state
 */
function isCompared({ table, view }) {
  return view.seat !== null && !table.rematch.offered;
}

/**
 * What follows a match: the choices first, except after a standard game, whose recap has its own.
 * @param {{ state: Shown, act: Actions }} props
 */
function Ending({ state, act }) {
  const match = state.table.match;
  const after = html`<${After} state=${state} act=${act} />`;
  if (state.view.seat === null) return after;
  if (isCompared(state)) return html`<${Recap} match=${match}>${after}<//>`;
  return html`${after}<${Recap} match=${match} />`;
}

/**
 * The scores of the last game, its winner marked: after several games that may not be the match's.
 * @param {{ won: GameWonEvent, state: Shown }} props
 */
export function Scores({ won, state }) {
  const winner = winnerOf(state, won);
  return html`<ul class="final">${won.scores.map(
    (score, seat) => html`<li key=${seat}
    class=${`seat-${seat} ${seat === winner ? "winner" : ""}`}>
    <span>${seatName(state, seat)}</span><b>${score}</b></li>`,
  )}</ul>`;
}

/**
 * The total of both games, after the same deals with seats swapped.
 * @param {Shown} state
 * @param {GameWonEvent} won
 * @param {NonNullable<Shown['table']['duplicate']>} first - the first game
 */
function bothGames(state, won, first) {
  const sums = won.scores.map((score, seat) => score + first.scores[seat]);
  const said = sums.map((sum, seat) => `${seatName(state, seat)} ${sum}`).join(", ");
  return gettext("Both games combined: %(sums)s", { sums: said });
}

/**
 * @param {Shown} state
 * @param {GameWonEvent} won
 */
function skunks(state, won) {
  const words = [null, gettext("Skunk!"), gettext("Double skunk!")];
  const said = won.skunks
    .map((level, seat) =>
      level && state.model.players > 2
        ? `${words[level]} (${seatName(state, seat)})`
        : words[level],
    )
    .filter(Boolean);
  if ((state.ruleset?.games ?? 1) > 1) {
    said.push(ngettext("%(n)s match point", "%(n)s match points", won.points));
  }
  return said.join(" · ");
}
