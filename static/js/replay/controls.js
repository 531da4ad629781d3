/* The bar below the table: the last event, buttons and slider, and the choice of side. */

import { html } from "../../vendor/preact/preact.js";
import { labelled } from "../text/event_sentences.js";
import { plainName } from "../text/seat_names.js";
import { gettext } from "../text/translations.js";
import { happenedInHand, happenedInShort } from "./last_event.js";
import { gameRange } from "./positions.js";

/** @import { Player } from "./player.js" */
/** @import { ReplayData, ShownReplay } from "./types.js" */
/** @import { Seat } from "../net/messages.js" */

/** The SVG paths of the buttons' icons. */
export const SIGNS = {
  start: "M18 5v14l-9-7zM6 5v14",
  back: "M16 5v14l-10-7z",
  on: "M8 5v14l10-7z",
  end: "M6 5v14l9-7zM18 5v14",
};

/** @param {{ state: ShownReplay, player: Player }} props */
export function Controls({ state, player }) {
  const { positions, data } = player;
  const last = positions.length - 1;
  const [from, to] = gameRange(positions, state.at);
  return html`<section class="actions replay-bar" aria-label=${gettext("Replay")}>
    <p class="replay-now"><b>${placeName(data, positions[state.at])}</b> <span>${happenedInShort(state)}</span></p>
    <div class="replay-steps">
      <${Step} sign="start" label=${gettext("Previous hand")} off=${state.at === 0} go=${() => player.hand(-1)} />
      <${Step} sign="back" label=${gettext("Back")} off=${state.at === 0} go=${() => player.move(-1)} />
      <input type="range" class="replay-slider" min=${from} max=${to} value=${state.at}
        aria-label=${gettext("Step")} aria-valuetext=${labelled(placeName(data, positions[state.at]), happenedInHand(state))}
        onInput=${(/** @type {On<HTMLInputElement>} */ event) => player.show(Number(event.target.value))} />
      <${Step} sign="on" label=${gettext("Forward")} off=${state.at === last} go=${() => player.move(1)} main=${true} />
      <${Step} sign="end" label=${gettext("Next hand")} off=${state.at === last} go=${() => player.hand(1)} />
    </div>
    <div class="replay-look">
      <${Hands} state=${state} player=${player} />
      <${Sides} state=${state} player=${player} />
      <label class="replay-open"><input type="checkbox" checked=${state.open}
        onChange=${(/** @type {On<HTMLInputElement>} */ event) => player.look({ open: event.target.checked })} />
        <span>${state.narrow ? gettext("Show all") : gettext("Show all hands")}</span></label>
      <button type="button" class="secondary replay-branch" disabled=${!canBranch(player)}
        onClick=${() => player.open("branch")}>${state.narrow ? gettext("Play on") : gettext("Play on from here")}</button>
    </div>
  </section>`;
}

/** @param {{ sign: keyof typeof SIGNS, label: string, off: boolean, go: () => void, main?: boolean }} props */
function Step({ sign, label, off, go, main }) {
  return html`<button type="button" class=${`replay-step ${main ? "replay-main" : ""}`} aria-label=${label}
    title=${label} aria-disabled=${off ? "true" : undefined} onClick=${() => off || go()}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${SIGNS[sign]} /></svg></button>`;
}

/**
 * "Hand 3", with the game if there are several.
 * @param {ReplayData} data
 * @param {{ hand: number }} position
 */
function placeName(data, position) {
  const { game, hand } = data.hands[position.hand];
  if (data.ruleset.games === 1) return gettext("Hand %(hand)s", { hand });
  return gettext("Game %(game)s, hand %(hand)s", { game, hand });
}

/**
 * Whether a branch is possible: within a hand, not between hands.
 * @param {Player} player
 */
function canBranch(player) {
  const { step } = player.position;
  return player.frames[step].hand_sizes.some((size) => size > 0);
}

/** @param {{ state: ShownReplay, player: Player }} props */
function Hands({ state, player }) {
  const { data, positions } = player;
  /** @param {number} at */
  const goTo = (at) => player.toStep(data.hands[at].deal, 0);
  return html`<label class="replay-choice"><span class="unseen">${gettext("Hand")}</span>
    <select value=${positions[state.at].hand} onChange=${(/** @type {On<HTMLSelectElement>} */ event) => goTo(Number(event.target.value))}>
      ${data.hands.map((hand, at) => html`<option value=${at}>${placeName(data, { ...hand, hand: at })}</option>`)}
    </select></label>`;
}

/** @param {{ state: ShownReplay, player: Player }} props */
function Sides({ state, player }) {
  const seats = player.data.seats.map((_, seat) => seat);
  return html`<label class="replay-choice"><span class="unseen">${gettext("View from")}</span>
    <select value=${state.side} onChange=${(/** @type {On<HTMLSelectElement>} */ event) => player.look({ side: Number(event.target.value) })}>
      ${seats.map((seat) => html`<option value=${seat}>${sideName(state, player.data.own, seat)}</option>`)}
    </select></label>`;
}

/**
 * @param {ShownReplay} state
 * @param {Seat | null} own
 * @param {Seat} seat
 */
function sideName(state, own, seat) {
  if (state.narrow) return seat === own ? gettext("My seat") : plainName(state, seat);
  if (seat === own) return gettext("From my seat");
  return gettext("From %(name)s's seat", { name: plainName(state, seat) });
}
