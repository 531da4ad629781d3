/* The replay page: the parts of the live table, and below them how to step. */

import { html } from "../../vendor/preact/preact.js";
import { Board, Strip } from "../board.js";
import { Dialog, Settings } from "../dialogs.js";
import { Felt } from "../felt.js";
import { Log } from "../log.js";
import { Plates } from "../plates.js";
import { isStill } from "../preferences.js";
import { gettext } from "../texts.js";
import { Branch } from "./branch.js";
import { Controls } from "./controls.js";

export function Replay({ state, player }) {
  if (state.failed) return html`<${Failed} match=${state.match} />`;
  if (!state.model)
    return html`<p class="opening" role="status">${gettext("Setting the table up…")}</p>`;
  return html`
    <${TopBar} state=${state} player=${player} />
    <${Plates} state=${state} />
    ${state.narrow ? html`<${Strip} state=${state} />` : html`<${Board} state=${state} still=${isStill(state.settings)} />`}
    <${Felt} state=${state} act=${player} />
    <${Controls} state=${state} player=${player} />
    ${state.wide && html`<${Log} state=${state} act=${player} />`}
    ${!state.wide && state.panel === "log" && html`<${Log} state=${state} act=${player} drawer=${true} />`}
    ${state.panel === "settings" && html`<${Settings} state=${state} act=${player} />`}
    ${state.panel === "help" && html`<${Help} player=${player} />`}
    ${state.panel === "branch" && html`<${Branch} state=${state} player=${player} />`}`;
}

const ICONS = {
  log: "M5 6h14M5 12h14M5 18h9",
  keys: "M9.2 9a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1.1-1.5 2.4M12 17.6v.1",
  gear: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4",
};

function TopBar({ state, player }) {
  const { panel } = state;
  return html`<header class="bar">
    <a class="home" href=${`/matches/${state.match}/`}>← ${gettext("The match")}</a>
    <h1 class="unseen">${gettext("Replay")}</h1>
    <div class="tools">
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

function Tool({ icon, label, pressed, onClick }) {
  return html`<button type="button" class="tool" aria-label=${label} title=${label}
    aria-pressed=${pressed === undefined ? undefined : String(pressed)} onClick=${onClick}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[icon]} /></svg></button>`;
}

const KEYS = () => [
  ["← →", gettext("one step back or on")],
  ["↑ ↓", gettext("to the hand before or after")],
  ["Home", gettext("to the first deal")],
  ["End", gettext("to the end")],
  ["O", gettext("turn all hands up, or down")],
  ["F", gettext("look from the next seat")],
  ["?", gettext("this list")],
];

function Help({ player }) {
  return html`<${Dialog} title=${gettext("Keys")} onClose=${() => player.open(null)}>
    <dl class="keys">${KEYS().map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
  </${Dialog}>`;
}

function Failed({ match }) {
  return html`<div class="opening"><p>${gettext("The replay could not be loaded.")}</p>
    <p><a href=${`/matches/${match}/`}>${gettext("Back to the match")}</a></p></div>`;
}
