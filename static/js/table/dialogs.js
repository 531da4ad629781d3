/* The modal dialogs of the table: settings, and leaving. */

import { html } from "../../vendor/preact/preact.js";
import { gettext } from "../text/translations.js";
import { Dialog } from "../ui/dialog.js";

/** @import { Actions, Settings as PlayerSettings, Shown } from "./types.js" */

/** @typedef {[value: string, text: string][]} Choices */

/** @param {{ name: string, label: string, value: string, options: Choices, onChange: (change: Partial<PlayerSettings>) => void }} props */
function Choice({ name, label, value, options, onChange }) {
  return html`<fieldset><legend>${label}</legend><div class="choices">
    ${options.map(
      ([key, text]) => html`<label><input type="radio" name=${name} value=${key}
      checked=${value === key} onChange=${() => onChange({ [name]: key })} /><span>${text}</span></label>`,
    )}
  </div></fieldset>`;
}

/** @param {{ name: string, label: string, value: boolean, onChange: (change: Partial<PlayerSettings>) => void }} props */
function Switch({ name, label, value, onChange }) {
  return html`<label class="switch"><input type="checkbox" name=${name} checked=${value}
    onChange=${(/** @type {On<HTMLInputElement>} */ event) => onChange({ [name]: event.target.checked })} /><span>${label}</span></label>`;
}

/** @param {{ state: Shown, act: Pick<Actions, "open" | "set"> }} props */
export function Settings({ state, act }) {
  const { settings } = state;
  /** @param {Partial<PlayerSettings>} change */
  const set = (change) => act.set(change);
  /**
   * @param {keyof PlayerSettings} name
   * @param {string} label
   * @param {Choices} options
   */
  const choice = (
    name,
    label,
    options,
  ) => html`<${Choice} name=${name} label=${label} options=${options}
    value=${settings[name]} onChange=${set} />`;
  /**
   * @param {keyof PlayerSettings} name
   * @param {string} label
   */
  const toggle = (name, label) =>
    html`<${Switch} name=${name} label=${label} value=${settings[name]} onChange=${set} />`;
  return html`<${Dialog} title=${gettext("Settings")} onClose=${() => act.open(null)}>
    ${choice("deck", gettext("Cards"), [
      ["classic", gettext("Classic")],
      ["large", gettext("Large print")],
    ])}
    ${choice("colours", gettext("Suits"), [
      ["two", gettext("Two colours")],
      ["four", gettext("Four colours")],
    ])}
    ${choice("sort", gettext("Hand"), [
      ["rank", gettext("By rank")],
      ["dealt", gettext("As dealt")],
    ])}
    ${choice("table", gettext("Table"), [
      ["felt", gettext("Felt")],
      ["wood", gettext("Wood")],
      ["paper", gettext("Paper")],
    ])}
    ${choice("board", gettext("Board"), [
      ["long", gettext("Straight")],
      ["loop", gettext("29-shaped")],
    ])}
    ${choice("side", gettext("Layout"), [
      ["right", gettext("Right-handed")],
      ["left", gettext("Left-handed")],
    ])}
    ${choice("pace", gettext("The show"), [
      ["auto", gettext("Automatic")],
      ["tap", gettext("Step by step")],
      ["instant", gettext("Instant")],
    ])}
    ${choice("calls", gettext("Runs and pairs"), [
      ["names", gettext("By name: double run of three")],
      ["each", gettext("One by one")],
    ])}
    ${choice("theme", gettext("Theme"), [
      ["system", gettext("Same as my device")],
      ["light", gettext("Light")],
      ["dark", gettext("Dark")],
    ])}
    ${choice("motion", gettext("Motion"), [
      ["system", gettext("Same as my device")],
      ["less", gettext("Reduced")],
    ])}
    <fieldset><legend>${gettext("Play")}</legend>
      ${toggle("oneTap", gettext("Play a card with one tap"))}
      ${toggle("premove", gettext("Pick a card before my turn"))}
      ${toggle("numbers", gettext("Number shortcuts (0 to 9 and ?)"))}
      ${toggle("letters", gettext("Letter shortcuts (C, S, L, H, T, M)"))}</fieldset>
    <fieldset><legend>${gettext("Sound")}</legend>
      ${toggle("sound", gettext("Sounds"))}
      ${globalThis.speechSynthesis && toggle("voice", gettext("Say the counts aloud"))}
      <label class="slider">${gettext("Volume")}<input type="range" min="0" max="1" step="0.1" value=${settings.volume}
        onInput=${(/** @type {On<HTMLInputElement>} */ event) => set({ volume: Number(event.target.value) })} /></label></fieldset>
  </${Dialog}>`;
}

/**
 * What leaving costs: a seat of three can be taken back, except in a standard game.
 * @param {Shown} state
 */
function leavingText({ model, table }) {
  if (model.players === 2) return gettext("Your opponent will win.");
  return table.rematch.offered
    ? gettext("The computer plays on for you until you come back.")
    : gettext("This game will count as lost. The computer plays it to the end.");
}

/** @param {{ state: Shown, act: Actions }} props */
export function Leave({ state, act }) {
  const three = state.model.players === 3;
  const done = () => {
    act.wish(three ? "leave" : "resign");
    act.open(null);
  };
  return html`<${Dialog} title=${three ? gettext("Leave the table?") : gettext("Resign the match?")}
      onClose=${() => act.open(null)}>
    <p>${leavingText(state)}</p>
    ${state.fair?.ranked && html`<p>${gettext("If you leave two or more ranked games in 30 days, you wait: 10 minutes, then an hour, then a day.")}</p>`}
    <p class="dialog-buttons"><button type="button" class="secondary danger" onClick=${done}>
      ${three ? gettext("Leave") : gettext("Resign")}</button></p>
  </${Dialog}>`;
}
