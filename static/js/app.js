/* The page: which parts stand where, from the state alone. */

import { html } from "../vendor/preact/preact.js";
import { ActionBar } from "./actionbar.js";
import { ask } from "./ask.js";
import { Board, Strip } from "./board.js";
import { doorLabel } from "./chat-door.js";
import { Help, Leave, Settings } from "./dialogs.js";
import { Overdue } from "./due.js";
import { Felt } from "./felt.js";
import { Log } from "./log.js";
import { Plates } from "./plates.js";
import { isStill } from "./preferences.js";
import { gettext } from "./texts.js";
import { Absent } from "./waiting.js";

export function App({ state, act }) {
  const { model, table } = state;
  if (state.refused) return html`<${Refused} code=${state.refused} />`;
  if (!model || !table) return html`<${Opening} state=${state} />`;
  const now = ask(state);
  return html`<div class="table-page" data-phase=${model.phase} data-ask=${now.kind} data-own=${String(now.own)}
    data-busy=${String(state.busy)} data-version=${state.view.v} data-grid=${state.calling || now.kind === "claim" ? "open" : undefined} data-sending=${String(state.sending !== null)} data-hint=${state.hint ? "open" : undefined} data-coach=${state.coach ? "open" : undefined} data-conn=${state.conn} data-status=${table.status}>
    <${Banner} state=${state} />
    <${TopBar} state=${state} act=${act} />
    <${Plates} state=${state} />
    ${state.narrow ? html`<${Strip} state=${state} />` : html`<${Board} state=${state} still=${isStill(state.settings)} />`}
    <${Absent} state=${state} act=${act} />
    <${Overdue} state=${state} act=${act} />
    <${Felt} state=${state} act=${act} />
    <${ActionBar} state=${state} act=${act} />
    ${state.wide && html`<${Log} state=${state} act=${act} />`}
    ${!state.wide && state.panel === "log" && html`<${Log} state=${state} act=${act} drawer=${true} />`}
    ${state.chatOpen && state.Chat && html`<${state.Chat} state=${state} act=${act} />`}
    ${state.panel === "settings" && html`<${Settings} state=${state} act=${act} />`}
    ${state.panel === "help" && html`<${Help} act=${act} />`}
    ${state.panel === "leave" && html`<${Leave} state=${state} act=${act} />`}
  </div>`;
}

function TopBar({ state, act }) {
  const { settings, panel, table, view } = state;
  const playing = table.status === "playing" && view.seat !== null;
  return html`<header class="bar">
    <a class="home" href="/">${gettext("Cribbage")}</a>
    <h1 class="unseen">${gettext("Cribbage table")}</h1>
    <div class="tools">
      <${ChatTool} state=${state} act=${act} />
      ${
        !state.wide &&
        html`<${Tool} icon="log" label=${gettext("Log")} pressed=${panel === "log"}
        onClick=${() => act.open(panel === "log" ? null : "log")} />`
      }
      <${Tool} icon=${settings.sound ? "sound" : "mute"} label=${gettext("Sound")} pressed=${settings.sound}
        onClick=${() => act.set({ sound: !settings.sound })} />
      <${Tool} icon="keys" label=${gettext("Help")} onClick=${() => act.open("help")} />
      <${Tool} icon="gear" label=${gettext("Settings")} onClick=${() => act.open("settings")} />
      ${playing && html`<${Tool} icon="flag" label=${gettext("Leave or give up")} onClick=${() => act.open("leave")} />`}
    </div>
  </header>`;
}

function ChatTool({ state, act }) {
  const label = doorLabel(state);
  if (!label) return null;
  return html`<button type="button" class="tool" id="chat-door" aria-label=${label} title=${label}
    aria-pressed=${String(state.chatOpen)} onClick=${() => act.openChat(!state.chatOpen)}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS.chat} /></svg>
    ${state.unread > 0 && html`<span class="unread" aria-hidden="true">${state.unread}</span>`}</button>`;
}

const ICONS = {
  chat: "M4 5h16v11H10l-5 4v-4H4z",
  log: "M5 6h14M5 12h14M5 18h9",
  sound: "M4 10v4h4l5 4V6L8 10zM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12",
  mute: "M4 10v4h4l5 4V6L8 10zM17 9.5l5 5M22 9.5l-5 5",
  keys: "M9.2 9a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1.1-1.5 2.4M12 17.6v.1",
  gear: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4",
  flag: "M6 21V4M6 5c4-2.5 8 2.500 12 0v8c-4 2.500-8-2.500-12 0",
};

function Tool({ icon, label, pressed, onClick }) {
  return html`<button type="button" class="tool" aria-label=${label} title=${label}
    aria-pressed=${pressed === undefined ? undefined : String(pressed)} onClick=${onClick}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[icon]} /></svg></button>`;
}

function Banner({ state }) {
  if (state.conn === "open") return null;
  return html`<p class="banner" role="status">${gettext("Reconnecting… your cards are safe")}</p>`;
}

function Opening({ state }) {
  const text =
    state.conn === "lost"
      ? gettext("Reconnecting… your cards are safe")
      : gettext("Sitting down at the table…");
  return html`<p class="opening" role="status">${text}</p>`;
}

function Refused({ code }) {
  const text =
    code === 4404
      ? gettext("There is no such table.")
      : gettext("This table is private, and you do not sit at it.");
  return html`<div class="opening"><p>${text}</p><p><a href="/">${gettext("To the first page")}</a></p></div>`;
}
