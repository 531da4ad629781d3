/* The table surface: the other hands, the middle, and the player's hand. */

import { html, useEffect, useState } from "../../vendor/preact/preact.js";
import { capital, sayText } from "../text/event_sentences.js";
import { cribOf, plainName, seatName } from "../text/seat_names.js";
import { gettext, ngettext } from "../text/translations.js";
import { Back, TableCard } from "./card_svg.js";
import { Hand } from "./hand.js";
import { ordered } from "./hand_order.js";
import { Pile } from "./pegging_pile.js";
import { Result } from "./result.js";
import { Show } from "./show.js";
import { WaitingRoom } from "./waiting_room.js";

/** @import { Actions, Model, Notice, Say, Settings, Shown } from "./types.js" */
/** @import { Card, Seat } from "../net/messages.js" */

/** @param {{ state: Shown, act: Actions }} props */
export function TableSurface({ state, act }) {
  const { model, table } = state;
  const base = model.me ?? 0;
  const others = [...Array(model.players - 1).keys()].map((at) => (base + at + 1) % model.players);
  const waiting = table?.status === "waiting";
  const sized = !waiting && !model.cut && !model.won && !(model.over && !state.busy);
  return html`<section class=${`felt players-${model.players}`} aria-labelledby="table-title">
    <h2 id="table-title" class="unseen">${gettext("Table")}</h2>
    <div class="others">
      ${others.map((seat) => html`<${Other} key=${seat} seat=${seat} state=${state} />`)}
    </div>
    <${Notices} notices=${state.notices} />
    <div class=${sized ? "centre sized" : "centre"}>${waiting ? html`<${WaitingRoom} state=${state} act=${act} />` : centre(state, act)}</div>
    <div class="own-place">
      <${Bubble} say=${model.says[base]} own=${true} />
      ${waiting ? null : html`<${Hand} state=${state} act=${act} />`}
    </div>
  </section>`;
}

/**
 * @param {Shown} state
 * @param {Actions} act
 */
function centre(state, act) {
  const { model, busy } = state;
  if (model.over && !busy) return html`<${Result} state=${state} act=${act} />`;
  if (model.won && !model.over) return html`<${Result} state=${state} act=${act} />`;
  if (model.cut) return html`<${CutForDeal} state=${state} cut=${model.cut} />`;
  if (model.show) return html`<${Show} state=${state} />`;
  return html`<div class="middle">
    <${Deck} state=${state} />
    <${Pile} state=${state} />
    <${Crib} state=${state} />
  </div>`;
}

/** @param {{ seat: Seat, state: Shown }} props */
function Other({ seat, state }) {
  const { model } = state;
  const say = model.says[seat];
  const size = model.sizes[seat];
  const name = plainName(state, seat);
  const turned = ordered(state.turned?.held[seat] ?? [], "rank");
  return html`<div class=${`other seat-${seat}`}>
    ${
      turned.length
        ? html`<${TurnedUp} cards=${turned} name=${name} deck=${state.deck} />`
        : html`<div class="backs" role="img" aria-label=${ngettext(
            "%(name)s holds %(n)s card",
            "%(name)s holds %(n)s cards",
            size,
            { name },
          )}>
      ${Array.from({ length: size }, (_, at) => html`<${Back} key=${at} />`)}
      <span class="backs-number" aria-hidden="true">${size || ""}</span>
    </div>`
    }
    <p class="other-name">${state.table?.seats[seat]?.name ? name : ""}
      ${isToAct(state, seat) && html`<${Thinking} key=${state.view.v} state=${state} seat=${seat} />`}
      ${model.phase === "discard" && model.discarded[seat] && html`<span class="thrown-mark"> ✓ ${gettext("thrown")}</span>`}</p>
    <${Bubble} say=${say} />
  </div>`;
}

const LONG_MS = 2500; // a computer that takes longer has something to explain

/**
 * Whether the table waits for a player who is there.
 * @param {Shown} state
 * @param {Seat} seat
 */
function isToAct({ busy, table, view }, seat) {
  return (
    !busy && table.status === "playing" && view.waiting.includes(seat) && table.seats[seat].online
  );
}

/**
 * Three dots for a player who thinks; and why a computer's first move takes long.
 * @param {{ state: Shown, seat: Seat }} props
 */
function Thinking({ state, seat }) {
  const [long, setLong] = useState(false);
  const { preparing } = state.table.seats[seat];
  useEffect(() => {
    const waiting = preparing ? setTimeout(() => setLong(true), LONG_MS) : undefined;
    return () => clearTimeout(waiting);
  }, [preparing]);
  return html`<span class="thinking" aria-hidden="true"><i></i><i></i><i></i></span>
    ${
      long &&
      html`<span class="bubble preparing" role="status">${gettext(
        "%(name)s is getting ready: about 20 seconds, just once.",
        { name: plainName(state, seat) },
      )}</span>`
    }`;
}

/**
 * Another player's hand face up, in the replay of a finished match.
 * @param {{ cards: Card[], name: string, deck: Settings["deck"] }} props
 */
function TurnedUp({ cards, name, deck }) {
  return html`<ul class="backs turned-up" aria-label=${gettext("%(name)s's hand", { name })}>
    ${cards.map((card) => html`<li key=${card}><${TableCard} card=${card} deck=${deck} /></li>`)}
  </ul>`;
}

/** @param {{ say: Say | undefined, own?: boolean }} props */
function Bubble({ say, own }) {
  if (!say) return null;
  return html`<p class=${`bubble ${own ? "own" : ""} ${say.points ? "scoring" : ""}`} aria-hidden="true">
    ${sayText(say)}</p>`;
}

/** @param {{ state: Shown }} props */
function Deck({ state }) {
  const { model, deck } = state;
  return html`<div class="deck spot">
    <div class="stack">
      <${Back} />
      ${model.starter && html`<${TableCard} key=${model.starter} card=${model.starter} deck=${deck} kind="starter" />`}
    </div>
    <p class="spot-name">${model.starter ? gettext("Starter") : gettext("Pack")}</p>
  </div>`;
}

/** @param {{ state: Shown }} props */
function Crib({ state }) {
  const { model } = state;
  if (model.dealer === null) return null;
  const owner = model.dealer === (model.me ?? 0) ? "mine" : "theirs";
  const turned = model.cribSize ? (state.turned?.crib ?? []) : [];
  return html`<div class=${`crib spot ${owner}`}>
    <div class=${`stack ${turned.length ? "fanned" : ""}`}>
      ${turned.map((card) => html`<${TableCard} key=${card} card=${card} deck=${state.deck} />`)}
      ${
        model.cribSize && !turned.length
          ? Array.from({ length: model.cribSize }, (_, at) => html`<${Back} key=${at} />`)
          : !model.cribSize && html`<span class="card outline" aria-hidden="true"></span>`
      }
    </div>
    <p class="spot-name">${capital(cribOf(state, model.dealer))}
      <span class="unseen">${ngettext("%(n)s card", "%(n)s cards", model.cribSize)}</span></p>
  </div>`;
}

/** @param {{ state: Shown, cut: NonNullable<Model["cut"]> }} props */
function CutForDeal({ state, cut }) {
  const { deck } = state;
  const { cards, dealer } = cut;
  return html`<div class="cut panel-on-felt">
    <p class="panel-title">${cutTitle(state, dealer)}</p>
    <ul class="cut-cards">${cards.map(
      (card, seat) =>
        card &&
        html`<li key=${seat}
        class=${seat === dealer ? "lowest" : ""}>
      <${TableCard} card=${card} deck=${deck} />
      <span>${seatName(state, seat)}</span></li>`,
    )}</ul>
  </div>`;
}

/**
 * @param {Shown} state
 * @param {Seat | null} dealer
 */
function cutTitle(state, dealer) {
  if (dealer === null) return gettext("Tie: cut again");
  if (dealer === state.view.seat) return gettext("You cut the low card: your deal");
  return gettext("%(name)s cut the low card and deals", { name: plainName(state, dealer) });
}

/** @param {{ notices: Notice[] }} props */
function Notices({ notices }) {
  return html`<div class="notices">${notices.map(
    (notice) => html`<p key=${notice.key}
    class=${`notice ${notice.kind}`}>${notice.text}</p>`,
  )}</div>`;
}
