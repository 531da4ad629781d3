/* A table by correspondence: until when somebody has to act, and what the others may choose when he
   let that pass. The server says when it is over; here it is only shown. */

import { html } from "../vendor/preact/preact.js";
import { plainName } from "./ask.js";
import { momentText, pageLanguage } from "./moments.js";
import { gettext } from "./texts.js";

/** What is known of the present turn; null where none is, or where it belongs to another version. */
export function dueNow({ due, view, table }) {
  if (!due || table?.status !== "playing" || due.v !== view?.v) return null;
  return due;
}

/** Until when: one's own time, else a line for each who must act: "Ann has until Tuesday 18:30". */
export function dueLines(state, now = Date.now()) {
  const due = dueNow(state);
  if (!due) return [];
  const when = momentText(due.until * 1000, { now, language: pageLanguage() });
  const own = due.seats.filter((seat) => seat === state.view.seat);
  return (own.length ? own : due.seats).map((seat) => {
    if (own.length) {
      return due.late
        ? gettext("Your time was up %(when)s: play on before the others choose", { when })
        : gettext("You have until %(when)s", { when });
    }
    const name = plainName(state, seat);
    return due.late
      ? gettext("The time of %(name)s was up %(when)s", { name, when })
      : gettext("%(name)s has until %(when)s", { name, when });
  });
}

export function Due({ state }) {
  const lines = dueLines(state);
  if (!lines.length) return null;
  return html`<p class="due" role="status">${lines.map((line) => html`<span key=${line}>${line}</span>`)}
    ${state.tell && html`<a href=${state.tell}>${gettext("Tell me when it is my turn")}</a>`}</p>`;
}

/** Somebody let his days pass: nothing is lost by itself, the others choose. */
export function Overdue({ state, act }) {
  const due = dueNow(state);
  const { model } = state;
  if (!due?.late || model.me === null || due.seats.includes(model.me)) return null;
  return html`<div class="absent" role="status">${due.seats.map(
    (seat) => html`<div key=${seat}>
    <p>${gettext("The time of %(name)s is up. What shall become of the match?", { name: plainName(state, seat) })}</p>
    <p class="absent-buttons">
      <button type="button" class="secondary" onClick=${() => act.wish("stand_in", { seat })}>
        ${gettext("Let the computer play on")}</button>
      ${
        model.players === 2 &&
        html`<button type="button" class="secondary" onClick=${() => act.wish("claim_win", { seat })}>
        ${gettext("Claim the game")}</button>`
      }
      <span>${gettext("or just wait")}</span>
    </p></div>`,
  )}</div>`;
}
