/* The score log: every point of the match with its reason, in the order of play. Hands that are over
   fold to one line. Games that were over when the page was opened are requested one by one. */

import { html, useEffect, useRef } from "../../vendor/preact/preact.js";
import { cardName, cardSign } from "../text/card_names.js";
import { logLine } from "../text/event_sentences.js";
import { seatName } from "../text/seat_names.js";
import { gettext, ngettext } from "../text/translations.js";
import { later, memo } from "../ui/memo.js";
import { DealCommitment } from "./deal_commitment.js";
import { missingGame } from "./model.js";

/** @import { Actions, Model, Shown } from "./types.js" */
/** @import { Card } from "../net/messages.js" */
/** @import { LogLine } from "../text/event_sentences.js" */

/**
 * A hand of the log: its lines in order, and what stays to be seen of it when it is folded.
 * @typedef {object} LoggedHand
 * @property {string} key
 * @property {LogLine | null} head
 * @property {Card | null} starter
 * @property {(LogLine & { key: number })[]} lines
 * @property {Map<number, number>} points - what each seat that scored pegged: none past the last hole
 */

/**
 * The values that the lines depend on.
 * @param {{ state: Shown, drawer?: boolean }} props
 */
function shown({ state, drawer }) {
  const { model, table, view, fair, replay } = state;
  return [model.log, model.game, table, view?.seat, fair, replay, drawer];
}

export const Log = later(shown, LogOf);

/** @param {{ state: Shown, act: Pick<Actions, "open" | "recall">, drawer?: boolean }} props */
function LogOf({ state, act, drawer }) {
  const title = useRef(/** @type {HTMLElement | null} */ (null));
  // The drawer lies over the table, so that the keyboard goes with it.
  useEffect(() => {
    if (drawer) title.current?.focus();
  }, [drawer]);
  const hands = loggedHands(state);
  // A replay reaches other games by its own controls.
  const missing = state.replay ? null : missingGame(state.model);
  return html`<section class=${`log ${drawer ? "drawer" : ""}`} aria-labelledby="log-title">
    <header><h2 id="log-title" tabindex="-1" ref=${title}>${gettext("Log")}</h2>
      ${drawer && html`<button type="button" class="quiet" onClick=${() => act.open(null)}>${gettext("Close")}</button>`}
    </header>
    <div class="log-scroll" tabindex="0" role="group" aria-label=${gettext("Log, in order of play")}>
      <ol>
        ${
          missing !== null &&
          html`<li class="log-note" key="earlier"><button type="button" class="quiet" onClick=${() => act.recall(missing)}>
            ${gettext("Show game %(n)s", { n: missing })}</button></li>`
        }
        ${hands.map(
          (hand, at) =>
            html`<${Hand} key=${hand.key} hand=${hand} state=${state} open=${at === hands.length - 1} />`,
        )}
      </ol>
    </div>
    <${DealCommitment} fair=${state.fair} whole=${true} />
  </section>`;
}

/**
 * The hands of the log. The cut for deal belongs to the hand after it, a won game to none.
 * @param {Pick<Shown, "model" | "table" | "view">} state
 * @returns {LoggedHand[]}
 */
export function loggedHands(state) {
  /** @type {LoggedHand[]} */
  const hands = [];
  let next = true;
  /** @type {number[]} */
  let scores = [];
  for (const [key, { event, game }] of state.model.log.entries()) {
    const line = logLine(state, event);
    if (event.e === "cut" && !hands.at(-1)?.key.startsWith(`${game}/cut`)) next = true;
    if (event.e === "dealt" && hands.at(-1)?.head) next = true;
    if (event.e === "game_won") next = true;
    if (next) {
      const name = event.e === "cut" ? `${game}/cut` : `${game}/${key}`;
      hands.push({ key: name, head: null, starter: null, lines: [], points: new Map() });
      next = false;
    }
    const hand = hands[hands.length - 1];
    if (event.e === "starter") hand.starter = event.card;
    if (line?.head) hand.head = line;
    else if (line?.text) hand.lines.push({ ...line, key });
    const now = "scores" in event ? event.scores : scores;
    if (line?.seat !== undefined && line.points) {
      const pegged = Math.min(line.points, now[line.seat] - (scores[line.seat] ?? 0));
      hand.points.set(line.seat, (hand.points.get(line.seat) ?? 0) + pegged);
    }
    scores = event.e === "game_won" ? [] : now;
  }
  return hands;
}

/**
 * The values that a hand's lines depend on: without them a long log would be drawn anew for each line.
 * @param {{ hand: LoggedHand, state: Shown, open: boolean }} props
 */
function drawnOf({ hand, state, open }) {
  const { table, view } = state;
  return [hand.key, hand.lines.length, hand.head?.text, hand.starter, table, view?.seat, open];
}

const Hand = memo(drawnOf, HandOf);

/** @param {{ hand: LoggedHand, state: Shown, open: boolean }} props */
function HandOf({ hand, state, open }) {
  const { head, lines } = hand;
  if (!lines.length) {
    return html`<li class="log-head"><b>${head?.head}</b> <span>${head?.text}</span></li>`;
  }
  return html`<li class="log-hand"><details open=${open}>
    <summary class="log-head"><b>${head?.head ?? gettext("Before the first deal")}</b>
      <span class="log-dealer">${head?.text}</span>
      ${hand.starter && html`<span class="log-starter" title=${gettext("Starter")}><span aria-hidden="true">${cardSign(hand.starter)}</span><span class="unseen">${gettext("Starter %(card)s", { card: cardName(hand.starter) })}</span></span>`}
      <${Points} points=${hand.points} state=${state} /></summary>
    <ol>${lines.map((line) => html`<${Line} key=${line.key} line=${line} state=${state} />`)}</ol>
  </details></li>`;
}

/**
 * What each seat scored in a hand, shown while it is folded.
 * @param {{ points: LoggedHand["points"], state: Shown }} props
 */
function Points({ points, state }) {
  return html`<span class="log-sums">${[...points].map(
    ([seat, sum]) => html`<span key=${seat} class=${`log-sum seat-${seat}`}>
      <span class="unseen">${seatName(state, seat)} </span>+${sum}</span>`,
  )}</span>`;
}

/** @param {{ line: LogLine, state: Shown }} props */
function Line({ line, state }) {
  if (line.seat === undefined) return html`<li class="log-note"><span>${line.text}</span></li>`;
  return html`<li class=${`log-line seat-${line.seat} ${line.points ? "scored" : ""}`}>
    <span class="log-name">${seatName(state, line.seat)}</span>
    <span class="log-text">${line.text}</span>
    ${
      (line.points ?? 0) > 0 &&
      html`<b class="log-points">+${line.points}<span class="unseen">
      ${ngettext(" point", " points", line.points ?? 0)}</span></b>`
    }
  </li>`;
}
