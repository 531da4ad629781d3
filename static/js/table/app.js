/* The layout of the table page, drawn from the state. */

import { html } from "../../vendor/preact/preact.js";
import { isStill } from "../access/preferences.js";
import { Board, Strip } from "../board/board.js";
import { gettext } from "../text/translations.js";
import { ICONS, Tool } from "../ui/tool_button.js";
import { ActionBar } from "./action_bar.js";
import { chatButtonLabel } from "./chat_feed.js";
import { Leave, Settings } from "./dialogs.js";
import { Help } from "./help.js";
import { NextGame } from "./next_game.js";
import { Refused } from "./refused.js";
import { requiredAction } from "./required_action.js";
import { Log } from "./score_log.js";
import { ScorePanels } from "./score_panels.js";
import { TableSurface } from "./table_surface.js";
import { MissedDeadline } from "./turn_deadline.js";

/** @import { Actions, Shown, TableState } from "./types.js" */

/** @param {{ state: TableState, act: Actions }} props */
export function App({ state, act }) {
  const { model, table } = state;
  if (state.refused) return html`<${Refused} state=${state} />`;
  if (!model || !table || !state.view) return html`<${Opening} state=${state} />`;
  const now = requiredAction(state);
  return html`<div class="table-page" data-phase=${model.phase} data-ask=${now.kind} data-own=${String(now.own)}
    data-busy=${String(state.busy)} data-version=${state.view.v} data-claims=${claimsInPlay(state) ? "yes" : undefined} data-grid=${state.calling || now.kind === "claim" ? "open" : undefined} data-sending=${String(state.sending !== null)} data-hint=${state.hint ? "open" : undefined} data-coach=${state.coach ? "open" : undefined} data-conn=${state.conn} data-status=${table.status} data-ended=${model.over && !state.busy ? "yes" : undefined}>
    <${Banner} state=${state} over=${now.kind === "over"} />
    <${TopBar} state=${state} act=${act} />
    <${ScorePanels} state=${state} />
    ${state.narrow ? html`<${Strip} state=${state} />` : html`<${Board} state=${state} still=${isStill(state.settings)} />`}
    <${MissedDeadline} state=${state} act=${act} />
    <${TableSurface} state=${state} act=${act} />
    <${ActionBar} state=${state} act=${act} />
    ${state.wide && html`<${Log} state=${state} act=${act} />`}
    ${!state.wide && state.panel === "log" && html`<${Log} state=${state} act=${act} drawer=${true} />`}
    ${state.chatOpen && state.Chat && html`<${state.Chat} state=${state} act=${act} />`}
    ${state.panel === "settings" && html`<${Settings} state=${state} act=${act} />`}
    ${state.panel === "help" && html`<${Help} act=${act} />`}
    ${state.panel === "leave" && html`<${Leave} state=${state} act=${act} />`}
  </div>`;
}

/**
 * Whether cards are played with a claim of their points: the action bar has room for it all the time, so
 * that no card moves under the finger that picks it.
 * @param {TableState} state
 */
function claimsInPlay({ model, ruleset, view }) {
  return ruleset?.counting === "manual" && model?.phase === "play" && view?.seat !== null;
}

/** @param {{ state: Shown, act: Actions }} props */
function TopBar({ state, act }) {
  const { model, settings, panel, table, view } = state;
  const playing = table.status === "playing" && view.seat !== null && !table.seats[view.seat]?.left;
  return html`<header class="bar">
    <a class="home" href="/">${gettext("Cribbage")}</a>
    <h1 class="unseen">${gettext("Cribbage table")}</h1>
    <div class="tools">
      <${ChatTool} state=${state} act=${act} />
      ${
        !state.wide &&
        html`<${Tool} icon="log" label=${gettext("Log")} id="log-button" pressed=${panel === "log"}
        onClick=${() => act.open(panel === "log" ? null : "log")} />`
      }
      <${Tool} icon=${settings.sound ? "sound" : "mute"} label=${gettext("Sound")} pressed=${settings.sound}
        onClick=${() => act.set({ sound: !settings.sound })} />
      <${Tool} icon="keys" label=${gettext("Help")} onClick=${() => act.open("help")} />
      <${Tool} icon="gear" label=${gettext("Settings")} onClick=${() => act.open("settings")} />
      ${playing && html`<${Tool} icon="flag" label=${model.players === 3 ? gettext("Leave the table") : gettext("Resign")} onClick=${() => act.open("leave")} />`}
    </div>
  </header>`;
}

/** @param {{ state: Shown, act: Actions }} props */
function ChatTool({ state, act }) {
  const label = chatButtonLabel(state);
  if (!label) return null;
  return html`<button type="button" class="tool" id="chat-button" aria-label=${label} title=${label}
    aria-pressed=${String(state.chatOpen)} onClick=${() => act.openChat(!state.chatOpen)}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS.chat} /></svg>
    ${state.unread > 0 && html`<span class="unread" aria-hidden="true">${state.unread}</span>`}</button>`;
}

/** @param {{ state: TableState, over: boolean }} props */
function Banner({ state, over }) {
  if (state.conn === "open") return html`<${NextGame} over=${over} />`;
  return html`<p class="banner" role="status">${gettext("Reconnecting… your cards are safe")}</p>`;
}

/** @param {{ state: TableState }} props */
function Opening({ state }) {
  const { conn, bye } = state;
  const reconnecting = bye?.message ?? gettext("Reconnecting… your cards are safe");
  const text = conn === "lost" ? reconnecting : gettext("Joining the table…");
  return html`<p class="opening" role="status">${text}</p>`;
}
