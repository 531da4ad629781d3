/* The score panels: each player's name, score, deal, presence and turn. */

import { html } from "../../vendor/preact/preact.js";
import { seatName } from "../text/seat_names.js";
import { gettext, ngettext } from "../text/translations.js";
import { DealCommitment } from "./deal_commitment.js";
import { TurnDeadline } from "./turn_deadline.js";
import { TurnTimer } from "./turn_timer.js";

/** @import { Model, Shown } from "./types.js" */
/** @import { Ruleset, Seat, View } from "../net/messages.js" */

/** @param {{ state: Shown }} props */
export function ScorePanels({ state }) {
  const { model, table, ruleset } = state;
  const target = ruleset?.target ?? 121;
  const seats = [...Array(model.players).keys()].map(
    (at) => ((model.me ?? 0) + at) % model.players,
  );
  return html`<section class="plates" aria-labelledby="score-title">
    <h2 id="score-title" class="unseen">${gettext("Score")}</h2>
    <ul>${seats.map((seat) => html`<${ScorePanel} key=${seat} seat=${seat} state=${state} />`)}</ul>
    <p class="rules-line">${rulesLine(ruleset, model, target)}
      ${table?.watchers ? html` · ${ngettext("%(n)s watching", "%(n)s watching", table.watchers)}` : null}
      ${table?.duplicate ? html` · <a href=${`/matches/${table.duplicate.match}/`}>${gettext("same cards, seats swapped")}</a>` : null}
      ${state.branch ? html` · <a href=${state.branch}>${gettext("played on from another match")}</a>` : null}</p>
    <${TurnDeadline} state=${state} />
    <${DealCommitment} fair=${state.fair} fresh=${isFresh(state.view)} />
  </section>`;
}

/**
 * Whether the match has just begun: the commitment is then shown on small pages too.
 * @param {View} view
 */
function isFresh(view) {
  return view.hand <= 1 && ["cut", "deal", "discard"].includes(view.phase);
}

/**
 * @param {Ruleset | null} ruleset
 * @param {Model} model
 * @param {number} target
 */
function rulesLine(ruleset, model, target) {
  if (!ruleset) return "";
  const facts = [gettext("to %(n)s", { n: target })];
  if (ruleset.games > 1) {
    facts.push(
      gettext("game %(n)s of %(all)s", { n: Math.max(1, model.game), all: ruleset.games }),
    );
  }
  if (ruleset.muggins) facts.push(gettext("muggins"));
  else if (ruleset.counting === "manual") facts.push(gettext("you count"));
  return facts.join(" · ");
}

/** @param {{ seat: Seat, state: Shown }} props */
function ScorePanel({ seat, state }) {
  const { model, table, view, ruleset } = state;
  const who = table?.seats[seat];
  const turn = !state.busy && table?.status === "playing" && view.waiting.includes(seat);
  const classes = ["plate", `seat-${seat}`];
  if (turn) classes.push("turn");
  if (model.dealer === seat) classes.push("deals");
  // In correspondence matches absence is normal and not shown.
  if (who?.name && who.online === false && !state.days) classes.push("away");
  return html`<li class=${classes.join(" ")}>
    <span class="plate-peg" aria-hidden="true"></span>
    <span class="plate-name">${who?.name ? seatName(state, seat) : gettext("Empty seat")}
      ${who?.owner && html`<small> ${gettext("(%(name)s's program)", { name: who.owner })}</small>`}
      ${who?.stand_in && html`<small> (${who.stand_in})</small>`}</span>
    ${
      model.dealer === seat &&
      html`<span class="dealer" title=${gettext("Dealer")}>
      <span aria-hidden="true">D</span><span class="unseen">${gettext("dealer")}</span></span>`
    }
    ${classes.includes("away") && html`<span class="away-mark">${gettext("away")}</span>`}
    ${
      (ruleset?.games ?? 1) > 1 &&
      html`<span class="match-points" title=${gettext("Match points")}>
      ${model.matchPoints[seat]}<span class="unseen"> ${gettext("match points")}</span></span>`
    }
    <${TurnTimer} seat=${seat} state=${state} />
    <b class="plate-score">${model.scores[seat]}</b>
    ${turn && html`<span class="unseen">${gettext("to act")}</span>`}
  </li>`;
}
