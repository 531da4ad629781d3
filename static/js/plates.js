/* The score plates: name, score, whose deal, who is there, whose turn. */

import { html } from "../vendor/preact/preact.js";
import { seatName } from "./ask.js";
import { Due } from "./due.js";
import { Fair } from "./fair.js";
import { Ring } from "./ring.js";
import { gettext, ngettext } from "./texts.js";

export function Plates({ state }) {
  const { model, table, ruleset } = state;
  const target = ruleset?.target ?? 121;
  const seats = [...Array(model.players).keys()].map(
    (at) => ((model.me ?? 0) + at) % model.players,
  );
  return html`<section class="plates" aria-labelledby="score-title">
    <h2 id="score-title" class="unseen">${gettext("Score")}</h2>
    <ul>${seats.map((seat) => html`<${Plate} key=${seat} seat=${seat} state=${state} />`)}</ul>
    <p class="rules-line">${rulesLine(ruleset, model, target)}
      ${table?.watchers ? html` · ${ngettext("%(n)s watching", "%(n)s watching", table.watchers)}` : null}
      ${table?.duplicate ? html` · <a href=${`/matches/${table.duplicate.match}/`}>${gettext("same cards as before, seats swapped")}</a>` : null}
      ${state.branch ? html` · <a href=${state.branch}>${gettext("played on from another match")}</a>` : null}</p>
    <${Due} state=${state} />
    <${Fair} fair=${state.fair} fresh=${isFresh(state.view)} />
  </section>`;
}

/** Whether the match has but begun: what was committed to is then shown however small the page is. */
function isFresh(view) {
  return view.hand <= 1 && ["cut", "deal", "discard"].includes(view.phase);
}

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

function Plate({ seat, state }) {
  const { model, table, view, ruleset } = state;
  const who = table?.seats[seat];
  const turn = !state.busy && table?.status === "playing" && view.waiting.includes(seat);
  const classes = ["plate", `seat-${seat}`];
  if (turn) classes.push("turn");
  if (model.dealer === seat) classes.push("deals");
  // By correspondence everybody is away, and nobody is waited for.
  if (who?.name && who.online === false && !state.days) classes.push("away");
  return html`<li class=${classes.join(" ")}>
    <span class="plate-peg" aria-hidden="true"></span>
    <span class="plate-name">${who?.name ? seatName(state, seat) : gettext("Empty seat")}
      ${who?.owner && html`<small> ${gettext("(program of %(name)s)", { name: who.owner })}</small>`}
      ${who?.stand_in && html`<small> (${who.stand_in})</small>`}</span>
    ${
      model.dealer === seat &&
      html`<span class="dealer" title=${gettext("Dealer")}>
      <span aria-hidden="true">D</span><span class="unseen">${gettext("dealer")}</span></span>`
    }
    ${classes.includes("away") && html`<span class="away-mark">${gettext("away")}</span>`}
    ${
      ruleset?.games > 1 &&
      html`<span class="match-points" title=${gettext("Match points")}>
      ${model.matchPoints[seat]}<span class="unseen"> ${gettext("match points")}</span></span>`
    }
    <${Ring} seat=${seat} state=${state} />
    <b class="plate-score">${model.scores[seat]}</b>
    ${turn && html`<span class="unseen">${gettext("to act")}</span>`}
  </li>`;
}
