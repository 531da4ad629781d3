/* The end of a game and of the match. */

import { html } from "../vendor/preact/preact.js";
import { nameList, plainName, seatName } from "./ask.js";
import { wayBack } from "./back.js";
import { gettext, ngettext } from "./texts.js";

export function Result({ state, act }) {
  const { model, view } = state;
  const { won, over } = model;
  const mine = view.seat !== null && (won ?? over).winner === view.seat;
  return html`<div class=${`result panel-on-felt ${mine ? "mine" : ""}`} data-result=${over ? "match" : "game"}>
    <p class="result-title">${title(state)}</p>
    ${won && html`<${Scores} state=${state} />`}
    ${won && state.table?.duplicate && html`<p>${bothGames(state)}</p>`}
    ${won && html`<p class="result-skunk">${skunks(state)}</p>`}
    ${
      over &&
      state.ruleset?.games > 1 &&
      html`<p>${gettext("Match points: %(points)s", {
        points: over.match_points
          .map((points, seat) => `${seatName(state, seat)} ${points}`)
          .join(", "),
      })}</p>`
    }
    ${over && !state.replay && html`<${After} state=${state} act=${act} />`}
  </div>`;
}

function title(state) {
  const { model, view } = state;
  if (view.resigned !== null && model.over) {
    if (view.resigned === view.seat) return gettext("You gave the match up");
    const name = plainName(state, view.resigned);
    if (view.seat !== null) return gettext("You won: %(name)s gave the match up", { name });
    return gettext("%(name)s gave the match up", { name });
  }
  const winner = model.over ? model.over.winner : model.won.winner;
  if (winner === null) return gettext("The match is drawn");
  const match = model.over && state.ruleset?.games > 1;
  if (winner === view.seat) return match ? gettext("You won the match!") : gettext("You won!");
  const name = plainName(state, winner);
  return match ? gettext("%(name)s won the match", { name }) : gettext("%(name)s won", { name });
}

function Scores({ state }) {
  const { won } = state.model;
  return html`<ul class="final">${won.scores.map(
    (score, seat) => html`<li key=${seat}
    class=${`seat-${seat} ${seat === won.winner ? "winner" : ""}`}>
    <span>${seatName(state, seat)}</span><b>${score}</b></li>`,
  )}</ul>`;
}

/** After the same deals from both sides: what the two games came to. */
function bothGames(state) {
  const { model, table } = state;
  const sums = model.won.scores.map((score, seat) => score + table.duplicate.scores[seat]);
  const said = sums.map((sum, seat) => `${seatName(state, seat)} ${sum}`).join(", ");
  return gettext("Both games with these cards together: %(sums)s", { sums: said });
}

function skunks(state) {
  const { won } = state.model;
  const words = [null, gettext("Skunk!"), gettext("Double skunk!")];
  const said = won.skunks
    .map((level, seat) =>
      level && state.model.players > 2
        ? `${words[level]} (${seatName(state, seat)})`
        : words[level],
    )
    .filter(Boolean);
  if (state.ruleset?.games > 1 || said.length) {
    said.push(ngettext("%(n)s match point", "%(n)s match points", won.points));
  }
  return said.join(" · ");
}

/** The same deals once more, and each gets the other's cards: both have to want it. */
function SwapButton({ asked, act }) {
  const title = gettext("You both get the cards that the other had; it counts for nothing.");
  return html`<button type="button" class="secondary" id="swap" disabled=${asked} title=${title}
    onClick=${() => act.wish("rematch", { swap: true })}>
    ${asked ? gettext("Same again asked for…") : gettext("Same again, seats swapped")}</button>`;
}

function After({ state, act }) {
  const { table, view } = state;
  const { wanted = [], swapped = [], can_swap: canSwap, match: next } = table?.rematch ?? {};
  const others = wanted.filter((seat) => seat !== view.seat);
  const swappers = swapped.filter((seat) => seat !== view.seat);
  const guest = table?.seats[view.seat]?.kind === "guest";
  const night = wayBack(`/t/${table?.match}/`);
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
