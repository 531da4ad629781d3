/* The dialog "Play on from here": choice of seat and computer. */

import { html, useState } from "../../vendor/preact/preact.js";
import { plainName } from "../text/seat_names.js";
import { gettext } from "../text/translations.js";
import { Dialog } from "../ui/dialog.js";

/** @import { Player } from "./player.js" */
/** @import { ShownReplay } from "./types.js" */

/** @param {{ state: ShownReplay, player: Player }} props */
export function Branch({ state, player }) {
  const { levels, side, csrf, match } = state;
  const [level, choose] = useState(levels.find(([, , , usual]) => usual)?.[0] ?? levels[0][0]);
  const seats = player.data.seats.map((_, seat) => seat);
  return html`<${Dialog} title=${gettext("Play on from here")} onClose=${() => player.open(null)}>
    <form method="post" action=${`/matches/${match}/branch/`} class="replay-form">
      <input type="hidden" name="csrfmiddlewaretoken" value=${csrf} />
      <input type="hidden" name="step" value=${player.position.step} />
      <p>${gettext("This hand's cards, then fresh deals. For practice only.")}</p>
      <label><span>${gettext("Your seat")}</span>
        <select name="seat" defaultValue=${side}>${seats.map(
          (seat) =>
            html`<option value=${seat} selected=${seat === side}>${plainName(state, seat)}</option>`,
        )}</select></label>
      <label><span>${gettext("Against")}</span>
        <select name="level" value=${level} onChange=${(/** @type {On<HTMLSelectElement>} */ event) => choose(event.target.value)}>
          ${levels.map(([name, title]) => html`<option value=${name}>${title}</option>`)}</select></label>
      <p class="dialog-buttons"><button type="submit" class="primary">${gettext("Play on")}</button></p>
    </form>
  </${Dialog}>`;
}
