/* The end of a game and of the match. */

import { html } from "../../vendor/preact/preact.js";
import { nameList, plainName, seatName } from "../text/seat_names.js";
import { gettext, ngettext } from "../text/translations.js";
import { returnPage } from "./return_page.js";

/** @import { GameWonEvent } from "../net/messages.js" */
/** @import { Actions, Shown } from "./types.js" */

/** @param {{ state: Shown, act: Actions }} props */
export function Result({ state, act }) {
  const { model, view } = state;
  const { won, over } = model;
  const mine = view.seat !== null && (won ?? over)?.winner === view.seat;
  return html`<div class=${`result panel-on-felt ${mine ? "mine" : ""}`} data-result=${over ? "match" : "game"}>
    <p class="result-title">${title(state)}</p>
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
    ${over && !state.replay && html`<${After} state=${state} act=${act} />`}
  </div>`;
}

/** @param {Shown} state */
function title(state) {
  const { model, view } = state;
  if (view.resigned !== null && model.over) {
    if (view.resigned === view.seat) return gettext("You gave the match up");
    const name = plainName(state, view.resigned);
    if (view.seat !== null) return gettext("You won: %(name)s gave the match up", { name });
    return gettext("%(name)s gave the match up", { name });
  }
  const winner = (model.over ?? model.won)?.winner ?? null;
  if (winner === null) return gettext("The match is drawn");
  const match = model.over && (state.ruleset?.games ?? 1) > 1;
  if (winner === view.seat) return match ? gettext("You won the match!") : gettext("You won!");
  const name = plainName(state, winner);
  return match ? gettext("%(name)s won the match", { name }) : gettext("%(name)s won", { name });
}

/** @param {{ won: GameWonEvent, state: Shown }} props */
function Scores({ won, state }) {
  return html`<ul class="final">${won.scores.map(
    (score, seat) => html`<li key=${seat}
    class=${`seat-${seat} ${seat === won.winner ? "winner" : ""}`}>
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
  return gettext("Both games with these cards together: %(sums)s", { sums: said });
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
  if ((state.ruleset?.games ?? 1) > 1 || said.length) {
    said.push(ngettext("%(n)s match point", "%(n)s match points", won.points));
  }
  return said.join(" · ");
}

/**
 * The button for the same deals with seats swapped, which both players must request.
 * @param {{ asked: boolean, act: Actions }} props
 */
function SwapButton({ asked, act }) {
  const title = gettext("You both get the cards that the other had; it counts for nothing.");
  return html`<button type="button" class="secondary" id="swap" disabled=${asked} title=${title}
    onClick=${() => act.wish("rematch", { swap: true })}>
    ${asked ? gettext("Same again asked for…") : gettext("Same again, seats swapped")}</button>`;
}

/** @param {{ state: Shown, act: Actions }} props */
function After({ state, act }) {
  const { table, view } = state;
  const { wanted = [], swapped = [], can_swap: canSwap, match: next } = table?.rematch ?? {};
  const others = wanted.filter((seat) => seat !== view.seat);
  const swappers = swapped.filter((seat) => seat !== view.seat);
  const guest = table?.seats[view.seat ?? -1]?.kind === "guest";
  const night = returnPage(`/t/${table?.match}/`);
  return html`<div class="after">
    ${others.length > 0 && html`<p>${gettext("%(names)s would like a rematch", { names: nameList(state, others) })}</p>`}
    ${swappers.length > 0 && html`<p>${gettext("%(names)s would like the same deals again, with the seats swapped", { names: nameList(state, swappers) })}</p>`}
    <div class="after-buttons">
      ${night && html`<a class="primary" href=${night}>${gettext("Back to the club night")}</a>`}
      ${next && html`<a class="primary" href=${`/t/${next}/`}>${gettext("To the rematch")}</a>`}
      ${
        view.seat !== null &&
        !next &&
        html`<button type="button" class="primary" id="rematch" disabled=${wanted.includes(view.seat)}
        onClick=${() => act.wish("rematch")}>
        ${wanted.includes(view.seat) ? gettext("Rematch asked for…") : gettext("Rematch")}</button>`
      }
      ${view.seat !== null && !next && canSwap && html`<${SwapButton} asked=${swapped.includes(view.seat)} act=${act} />`}
      <a class="secondary" href=${`/matches/${table?.match}/`}>${gettext("See the match")}</a>
      ${view.seat !== null && html`<a class="secondary" href=${`/matches/${table?.match}/review/`}>${gettext("Review")}</a>`}
      <a class="secondary" href="/">${gettext("Leave the table")}</a>
    </div>
    ${guest && html`<p class="keep"><a href="/accounts/signup/">${gettext("Keep this game: make an account")}</a></p>`}
  </div>`;
}
