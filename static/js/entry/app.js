/* The page for entering a game card by card: the next step, the pack, and the game so far. */

import { html } from "../../vendor/preact/preact.js";
import { cardName, cardSign } from "../text/card_names.js";
import { gettext, ngettext } from "../text/translations.js";

/** @import { Entry } from "./game_entry.js" */
/** @import { Asked, EntryState, Problem, ReadyState } from "./types.js" */

const SUITS = "SHCD";
const RANKS = "A23456789TJQK";

/** @param {{ state: EntryState, entry: Entry, sprite: string }} props */
export function App({ state, entry, sprite }) {
  const { asked, record } = state;
  if (!asked || !record)
    return state.error
      ? html`<${Trouble} state=${state} entry=${entry} />`
      : html`<p role="status">${gettext("One moment…")}</p>`;
  const fresh = record.hands.length === 0;
  return html`<div class="entry">
    <section class="entry-now panel" aria-labelledby="entry-now">
      <h2 id="entry-now" aria-live="polite">${question(asked)}</h2>
      <${Trouble} state=${state} entry=${entry} />
      ${asked.need !== "nothing" && html`<${Typing} state=${state} entry=${entry} />`}
      ${asked.need !== "nothing" && html`<${Cards} state=${state} entry=${entry} sprite=${sprite} />`}
      <div class="form-actions">
        <button type="submit" class="button" disabled=${!asked.done.length && asked.need === "dealt"}>
          ${asked.need === "nothing" ? gettext("Save game") : gettext("Save unfinished game")}</button>
        <button type="button" class="button button-plain" disabled=${fresh || state.busy}
          onClick=${() => entry.undo()}>${gettext("Undo")}</button>
        <button type="button" class="button button-plain" disabled=${fresh || state.busy}
          onClick=${() => entry.restart()}>${gettext("Start over")}</button>
      </div>
    </section>
    <section class="entry-game" aria-label=${gettext("Game so far")}>
      <${Scores} asked=${asked} />
      <${Lines} asked=${asked} />
      <${Done} asked=${asked} />
    </section>
  </div>`;
}

/**
 * The sentence that asks for the next cards.
 * @param {Asked} props
 */
export function question({ need, seat, number, names, dealer, count, winner }) {
  const name = names[seat];
  const questions = {
    dealt: () =>
      ngettext("%(name)s is dealt %(n)s card", "%(name)s is dealt %(n)s cards", number, { name }),
    crib_card: () => gettext("Card dealt to the crib"),
    discard: () =>
      ngettext(
        "%(name)s throws %(n)s card to %(dealer)s's crib",
        "%(name)s throws %(n)s cards to %(dealer)s's crib",
        number,
        { name, dealer: names[dealer] },
      ),
    starter: () => gettext("The starter"),
    play: () => gettext("Count %(count)s: %(name)s to play", { name, count }),
    nothing: () => gettext("%(name)s won", { name: names[winner] }),
  };
  return questions[need]();
}

/** @param {{ state: EntryState, entry: Entry }} props */
function Trouble({ state: { error, busy }, entry }) {
  if (!error) return null;
  const where = [error.hand && gettext("hand %(n)s", { n: error.hand }), error.event].filter(
    Boolean,
  );
  const text = where.length
    ? gettext("%(name)s: %(words)s", { name: where.join(", "), words: error.reason })
    : error.reason;
  return html`<p class="form-error" role="alert">${text}</p>
    ${error.lost && html`<button type="button" class="button button-plain button-small" disabled=${busy} onClick=${() => entry.again()}>${gettext("Try again")}</button>`}`;
}

/** @param {{ state: ReadyState, entry: Entry }} props */
function Typing({ state, entry }) {
  const { typed, problem, asked } = state;
  const missing = asked.number - state.chosen.length;
  return html`<div class=${`field ${problem ? "field-wrong" : ""}`}>
    <label for="entry-cards">${gettext("Type or tap the cards")}</label>
    <input id="entry-cards" value=${typed} autocomplete="off" autocapitalize="characters" spellcheck="false"
      aria-invalid=${problem ? "true" : undefined} aria-describedby="entry-told" placeholder="5H 10S JD"
      onInput=${(/** @type {On<HTMLInputElement>} */ event) => entry.type(event.target.value)}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        entry.enter();
      }} />
    <p id="entry-told" class=${problem ? "field-error" : "field-help"} aria-live="polite">
      ${problem ? problemText(problem, asked) : remainingText(missing)}</p>
  </div>`;
}

/** @param {number} missing */
function remainingText(missing) {
  if (missing > 0) return ngettext("%(n)s card to go", "%(n)s cards to go", missing);
  return gettext("Press Enter to confirm");
}

/**
 * @param {Problem} props0
 * @param {Asked} props1
 */
function problemText({ kind, card }, { need, number }) {
  const name = card ? cardSign(card) : "";
  const troubles = {
    "no card": () => gettext("Type rank and suit, like 5H or 10S"),
    twice: () => gettext("%(card)s is entered twice", { card: name }),
    gone: () =>
      need === "play"
        ? gettext("%(card)s can't be played now", { card: name })
        : gettext("%(card)s has already been dealt", { card: name }),
    "not held": () => gettext("%(card)s isn't in this hand", { card: name }),
    "too many": () => ngettext("Choose only %(n)s card", "Choose only %(n)s cards", number),
  };
  return troubles[kind]();
}

/**
 * A hand to choose from, or the whole pack with used cards disabled.
 * @param {{ state: ReadyState, entry: Entry, sprite: string }} props
 */
function Cards({ state, entry, sprite }) {
  const { asked, chosen } = state;
  const free = new Set(asked.cards);
  const held = asked.need === "discard" || asked.need === "play";
  const rows = held
    ? [asked.cards]
    : [...SUITS].map((suit) => [...RANKS].map((rank) => rank + suit));
  return html`<div class=${`picker-pack ${held ? "entry-held" : ""}`} role="group"
      aria-label=${held ? gettext("Cards to choose from") : gettext("The pack")}>
    ${rows.map(
      (cards) =>
        html`<div class="picker-suit">${cards.map(
          (
            card,
          ) => html`<button type="button" key=${card} data-card=${card} class=${`mini suit-${card[1].toLowerCase()}`}
          aria-pressed=${String(chosen.includes(card))} disabled=${!free.has(card)} aria-label=${cardName(card)}
          onClick=${() => entry.pick(card)}>
          <span class="mini-index" aria-hidden="true">${card[0] === "T" ? "10" : card[0]}</span>
          <svg class="mini-pip" aria-hidden="true"><use href=${`${sprite}#pip-${card[1]}`} /></svg></button>`,
        )}</div>`,
    )}
    ${!held && html`<p class="field-help">${ngettext("%(n)s card left in the pack", "%(n)s cards left in the pack", asked.left.length)}</p>`}
  </div>`;
}

/** @param {{ asked: Asked }} props */
function Scores({ asked }) {
  return html`<ul class="entry-scores">${asked.names.map(
    (name, seat) => html`<li key=${seat} class=${`seat-${seat}`}><span>${name}
      ${seat === asked.dealer && html` <small class="dealer">${gettext("dealer")}</small>`}</span>
      <b class="num">${asked.scores[seat]}</b></li>`,
  )}</ul>`;
}

/** @param {{ asked: Asked }} props */
function Lines({ asked }) {
  if (!asked.lines.length) return null;
  return html`<ol class="log-lines">${asked.lines.map(
    (
      line,
      at,
    ) => html`<li key=${at} class=${`${line.name ? "" : "log-lines-note"} ${line.points ? "log-lines-scored" : ""}`}>
      <span class="log-lines-who">${line.name}</span><span class="log-lines-what">${line.text}</span>
      <span class="log-lines-points num">${line.points ? `+${line.points}` : ""}</span>
      <span class="log-lines-score num">${line.points ? line.scores : ""}</span></li>`,
  )}</ol>`;
}

/** @param {{ asked: Asked }} props */
function Done({ asked }) {
  if (!asked.done.length) return null;
  return html`<table class="entry-done"><caption>${gettext("Earlier hands")}</caption>
    <thead><tr><th scope="col">${gettext("Hand")}</th>${asked.names.map(
      (name, seat) => html`<th key=${seat} scope="col">${name}</th>`,
    )}<th scope="col">${gettext("Starter")}</th></tr></thead>
    <tbody>${asked.done.map(
      (row) => html`<tr key=${row.hand}><th scope="row">${row.hand}</th>
        ${row.kept.map((cards) => html`<td>${cards}</td>`)}<td>${row.starter}</td></tr>`,
    )}</tbody></table>`;
}
