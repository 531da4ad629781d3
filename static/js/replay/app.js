/* The replay page: the parts of the live table, and the replay controls. */

import { html } from "../../vendor/preact/preact.js";
import { isStill } from "../access/preferences.js";
import { Board, Strip } from "../board/board.js";
import { Settings } from "../table/dialogs.js";
import { Log } from "../table/score_log.js";
import { ScorePanels } from "../table/score_panels.js";
import { TableSurface } from "../table/table_surface.js";
import { gettext } from "../text/translations.js";
import { Dialog } from "../ui/dialog.js";
import { Tool } from "../ui/tool_button.js";
import { Branch } from "./branch.js";
import { Controls, SIGNS } from "./controls.js";

/** @import { Player } from "./player.js" */
/** @import { ReplayState, ShownReplay } from "./types.js" */

const MAGNIFIER = "M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13M15.5 15.5L20.5 20.5";

/** @param {{ state: ReplayState, player: Player }} props */
export function Replay({ state, player }) {
  if (state.failed) return html`<${Failed} match=${state.match} />`;
  if (!state.model)
    return html`<p class="opening" role="status">${gettext("Loading the replay…")}</p>`;
  return html`
    <${TopBar} state=${state} player=${player} />
    <${ScorePanels} state=${state} />
    ${state.narrow ? html`<${Strip} state=${state} />` : html`<${Board} state=${state} still=${isStill(state.settings)} />`}
    <${TableSurface} state=${state} act=${player} />
    <${Controls} state=${state} player=${player} />
    ${state.wide && html`<${Log} state=${state} act=${player} />`}
    ${!state.wide && state.panel === "log" && html`<${Log} state=${state} act=${player} drawer=${true} />`}
    ${state.panel === "settings" && html`<${Settings} state=${state} act=${player} />`}
    ${state.panel === "help" && html`<${Help} player=${player} />`}
    ${state.panel === "branch" && html`<${Branch} state=${state} player=${player} />`}`;
}

/** @param {{ state: ShownReplay, player: Player }} props */
function TopBar({ state, player }) {
  const { panel } = state;
  return html`<header class="bar">
    <a class="home" href=${`/matches/${state.match}/`}>← ${gettext("The match")}</a>
    <h1 class="unseen">${gettext("Replay")}</h1>
    <div class="tools">
      <a class="tool replay-analyse" href=${`/matches/${state.match}/analysis/${player.position.step}/?seat=${state.side}`}
        aria-label=${gettext("Analyse")} title=${gettext("Analyse")}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${MAGNIFIER} /></svg></a>
      ${
        !state.wide &&
        html`<${Tool} icon="log" label=${gettext("Log")} pressed=${panel === "log"}
        onClick=${() => player.open(panel === "log" ? null : "log")} />`
      }
      <${Tool} icon="keys" label=${gettext("Help")} onClick=${() => player.open("help")} />
      <${Tool} icon="gear" label=${gettext("Settings")} onClick=${() => player.open("settings")} />
    </div>
  </header>`;
}

/** The buttons below the table, in their order. */
const BUTTONS = () => [
  [SIGNS.start, gettext("previous hand")],
  [SIGNS.back, gettext("one step back")],
  [SIGNS.on, gettext("one step forward")],
  [SIGNS.end, gettext("next hand")],
];

const KEYS = () => [
  ["← →", gettext("one step back or forward")],
  ["↑ ↓", gettext("previous or next hand")],
  ["Home", gettext("first deal")],
  ["End", gettext("end of the match")],
  ["O", gettext("show or hide all hands")],
  ["F", gettext("view from the next seat")],
  ["?", gettext("show this list")],
];

/** @param {{ player: Player }} props */
function Help({ player }) {
  return html`<${Dialog} title=${gettext("Help")} onClose=${() => player.open(null)}>
    <dl class="keys replay-signs">${BUTTONS().map(([sign, what]) => html`<div><dt><svg viewBox="0 0 24 24" aria-hidden="true"><path d=${sign} /></svg></dt><dd>${what}</dd></div>`)}</dl>
    <p>${gettext("Drag the slider to move through the game. Below it, choose whose hand you see.")}</p>
    <div class="for-keyboards">
      <h3>${gettext("Keyboard shortcuts")}</h3>
      <dl class="keys">${KEYS().map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
    </div>
  </${Dialog}>`;
}

/** @param {{ match: string }} props */
function Failed({ match }) {
  return html`<div class="opening"><p>${gettext("The replay didn't load. Reload the page.")}</p>
    <p><a href=${`/matches/${match}/`}>${gettext("Back to the match")}</a></p></div>`;
}
