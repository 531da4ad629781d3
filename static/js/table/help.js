/* The table's help: what scores, what words mean, and on devices with a keyboard its keys. */

import { html } from "../../vendor/preact/preact.js";
import { gettext } from "../text/translations.js";
import { Dialog } from "../ui/dialog.js";

/** @import { Actions } from "./types.js" */

const POINTS = () => [
  [gettext("Fifteen: cards that add up to 15, picture cards as 10"), "2"],
  [gettext("Pair"), "2"],
  [gettext("Three or four of a kind"), gettext("6 or 12")],
  [gettext("Run: three or more ranks in a row"), gettext("1 a card")],
  [gettext("In the play: exactly 31"), "2"],
  [gettext("In the play: the last card below 31"), "1"],
  [gettext("In the show: a flush of four, or five with the starter"), gettext("4 or 5")],
  [gettext("In the show: his nobs, the jack of the starter's suit"), "1"],
  [gettext("A jack as the starter: his heels, for the dealer"), "2"],
];

/** The words at the table that nothing else there explains; the page /rules/ has more. */
const WORDS = () => [
  [gettext("Crib"), gettext("The dealer's extra hand.")],
  [gettext("Pone"), gettext("The player to the dealer's left: leads and counts first.")],
  [
    gettext("Skunk lines"),
    gettext("S and SS on the board. Lose before you pass S and it's a skunk, before SS a double."),
  ],
  [
    gettext("Skunk"),
    gettext("Losing by more than 30 points. In a game to 121, more than 60 is a double skunk."),
  ],
  [gettext("Muggins"), gettext("Claiming points an opponent missed.")],
];

const KEYS = () => [
  ["1–6", gettext("pick a card")],
  ["← →", gettext("move along the hand")],
  ["0–9", gettext("points to claim in the show")],
  ["↑ ↓", gettext("points to claim with a card")],
  [gettext("Enter"), gettext("confirm")],
  [gettext("Space"), gettext("continue")],
  [gettext("Esc"), gettext("clear the selection")],
  ["C", gettext("say the count")],
  ["S", gettext("say the scores")],
  ["L", gettext("say the last move")],
  ["H", gettext("say my hand")],
  ["T", gettext("hint, if allowed")],
  ["M", gettext("sound on or off")],
  ["?", gettext("show this list")],
];

/** @param {{ act: Pick<Actions, "open"> }} props */
export function Help({ act }) {
  return html`<${Dialog} title=${gettext("Help")} onClose=${() => act.open(null)}>
    <h3>${gettext("What scores")}</h3>
    <dl class="what-scores">${POINTS().map(([what, points]) => html`<div><dt>${what}</dt><dd>${points}</dd></div>`)}</dl>
    <h3>${gettext("Words")}</h3>
    <dl class="help-words">${WORDS().map(([word, meaning]) => html`<div><dt>${word}</dt><dd>${meaning}</dd></div>`)}</dl>
    <p><a href="/rules/" target="_blank">${gettext("Rules of cribbage")}</a> · <a href="/help/" target="_blank">${gettext("More help")}</a></p>
    <div class="for-keyboards">
      <h3>${gettext("Keyboard shortcuts")}</h3>
      <dl class="keys">${KEYS().map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
    </div>
  </${Dialog}>`;
}
