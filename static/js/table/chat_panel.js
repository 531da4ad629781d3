/* The chat panel at the table; lines are plain text. Loaded when needed: see chat_feed.js. */

import { html, useEffect, useRef, useState } from "../../vendor/preact/preact.js";
import { localDateText, pageLanguage } from "../text/local_time.js";
import { gettext } from "../text/translations.js";
import { one } from "../ui/dom.js";

/** @typedef {Shown & { chat: ChatSettings }} ChatShown */
/** @import { Actions, Shown } from "./types.js" */
/** @import { ChatLine, ChatSettings, Table, TableSeat } from "../net/messages.js" */

const LONGEST = 200; // characters of a line, as on the server
const STAYS = ".chat, #chat-button, [data-ended]"; // a press here leaves the chat open
const HASTY = 400; // milliseconds after the phrases have come in which a press was meant for their button

/**
 * The phrases in the reader's language, by their names in messages.
 * @type {Record<string, () => string>}
 */
export const PHRASES = {
  hello: () => gettext("Hello!"),
  good_luck: () => gettext("Good luck"),
  your_turn: () => gettext("Your turn!"),
  well_played: () => gettext("Well played"),
  nice_hand: () => gettext("Nice hand"),
  nice_cut: () => gettext("Nice cut"),
  lucky: () => gettext("That was lucky"),
  oops: () => gettext("Oops"),
  thank_you: () => gettext("Thank you"),
  you_too: () => gettext("You too"),
  one_moment: () => gettext("One moment, please"),
  back: () => gettext("I'm back"),
  good_game: () => gettext("Good game"),
  again: () => gettext("Play again?"),
  sorry_go: () => gettext("Sorry, I have to go"),
  bye: () => gettext("Goodbye"),
};

/**
 * The text of a line.
 * @param {ChatLine} line
 */
export function words(line) {
  return line.phrase ? (PHRASES[line.phrase]?.() ?? line.phrase) : (line.text ?? "");
}

/** @param {{ state: ChatShown, act: Actions }} props */
export function Chat({ state, act }) {
  const { chat, narrow, wide } = state;
  const [phrases, show] = useState(chat.mode !== "free" || !state.lines.length);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  // On a phone, focusing the field would open the keyboard before anything was read.
  useEffect(() => {
    const field = wide ? box.current?.querySelector("input") : null;
    (field ?? box.current?.querySelector("h2"))?.focus();
  }, []);
  // On a phone it covers the cards played: whoever turns to the table wants to see them. After a match
  // it covers nothing, and the choices below it would move up, away from the finger that presses one.
  useEffect(() => {
    if (!narrow) return;
    /** @param {PointerEvent} event */
    const outside = ({ target }) => {
      if (target instanceof Element && !target.closest(STAYS)) act.openChat(false);
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [narrow]);
  const leave = () => {
    act.openChat(false);
    document.getElementById("chat-button")?.focus();
  };
  /** @param {KeyboardEvent} event */
  const keys = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    leave();
  };
  return html`<section class="chat" ref=${box} aria-labelledby="chat-title" onKeyDown=${keys}>
    <header><h2 id="chat-title" tabindex="-1">${gettext("Chat")}</h2>
      <button type="button" class="quiet" onClick=${leave}>${gettext("Close")}</button></header>
    ${
      chat.on
        ? html`<${Lines} state=${state} phrases=${phrases} /><${Say} state=${state} act=${act} phrases=${phrases} show=${show} />`
        : html`<div class="chat-note"><p>${gettext("Your chat is off at every table. Others see that.")}</p>
          <button type="button" class="secondary" onClick=${() => act.wish("chat", { on: true })}>${gettext("Turn it on")}</button></div>`
    }
    <${People} state=${state} act=${act} />
  </section>`;
}

/** @param {{ state: ChatShown, phrases: boolean }} props */
function Lines({ state, phrases }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const { lines } = state;
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [lines.at(-1)?.n, phrases]);
  return html`<ol ref=${list} class="chat-lines" tabindex="0" aria-label=${gettext("Messages, oldest first")}>
    ${!lines.length && html`<li class="chat-empty">${gettext("No messages yet. Say hello!")}</li>`}
    ${lines.map(
      (
        line,
      ) => html`<li key=${line.n} class=${`seat-${line.seat ?? "none"} ${line.own ? "own" : ""}`}>
      <b>${line.own ? gettext("You") : line.name}</b> <bdi>${words(line)}</bdi></li>`,
    )}
  </ol>`;
}

/**
 * The reason why the player cannot write, as a sentence, or null.
 * @param {ChatShown} props
 */
function hindrance({ chat, table }) {
  if (chat.barred) return barred(chat.barred);
  const others = table.seats.filter(isOther(table));
  if (others.some((seat) => !chat.silent.includes(seat.seat))) return null;
  if (others.length === 1) {
    return gettext("%(name)s turned chat off.", { name: others[0].name ?? "" });
  }
  return gettext("The others turned chat off.");
}

/** @param {NonNullable<ChatSettings["barred"]>} props */
function barred({ until, reason }) {
  const end = Date.parse(until);
  const years = (end - Date.now()) / 31557600000;
  const date = localDateText(end, { clock: true, language: pageLanguage() });
  const when =
    years > 10
      ? gettext("A moderator turned off your chat.")
      : gettext("A moderator turned off your chat until %(date)s.", { date });
  return reason ? `${when} ${gettext("Reason: %(reason)s", { reason })}` : when;
}

/** @param {Table} table */
function isOther(table) {
  return (/** @type {TableSeat} */ seat) =>
    seat.name && seat.seat !== table.you && seat.kind !== "computer";
}

/** @param {{ state: ChatShown, act: Actions, phrases: boolean, show: (open: boolean) => void }} props */
function Say({ state, act, phrases, show }) {
  const { chat, chatSaid, chatDraft: text, wide } = state;
  const free = chat.mode === "free";
  const toggled = useRef(Number.NEGATIVE_INFINITY); // when the phrases were opened or closed last
  const why = hindrance(state);
  if (why) return html`<p class="chat-note">${why}</p>`;
  /**
   * Say a phrase: once at a double tap, and not at all where the list has just come under the finger.
   * @param {MouseEvent} event
   * @param {string} name
   */
  const phrase = ({ detail: taps }, name) => {
    if (taps < 2 && performance.now() - toggled.current >= HASTY) act.say({ phrase: name });
  };
  const toggle = () => {
    toggled.current = performance.now();
    show(!phrases);
  };
  /** @param {On<HTMLFormElement>} event */
  const send = (event) => {
    event.preventDefault();
    // The field knows letters that were typed since the last drawing; a second Enter finds it empty.
    const field = one(event.target, "input", HTMLInputElement);
    const written = field.value;
    if (!written.trim()) return;
    field.value = "";
    act.say({ text: written });
  };
  const list =
    (phrases || !free) &&
    html`<ul class="chat-phrases" id="chat-phrases">${Object.entries(PHRASES).map(
      ([name, said]) =>
        html`<li key=${name}><button type="button" onClick=${(/** @type {MouseEvent} */ event) => phrase(event, name)}>${said()}</button></li>`,
    )}</ul>`;
  const field =
    free &&
    html`<form class="chat-say" onSubmit=${send}>
      <button type="button" class="chat-more" aria-expanded=${String(phrases)} aria-controls="chat-phrases"
        aria-label=${gettext("Phrases")} title=${gettext("Phrases")} onClick=${toggle}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 6h14M5 12h14M5 18h9" /></svg></button>
      <input aria-label=${gettext("Message to the table")} placeholder=${gettext("Message…")} dir="auto" autocomplete="off"
        maxlength=${LONGEST} enterkeyhint="send" value=${text} onInput=${(/** @type {On<HTMLInputElement>} */ event) => act.write(event.target.value)} />
      <button type="submit" class="chat-send" aria-disabled=${text.trim() ? undefined : "true"}>${gettext("Send")}</button></form>`;
  // The drawer hangs from the top of the page: above the field, the phrases would push it down.
  return html`
    ${chatSaid && html`<p class="chat-note chat-refused">${chatSaid.message}</p>`}
    ${wide ? [list, field] : [field, list]}`;
}

/**
 * The switches for muting, for blocking, and for the chat as a whole.
 * @param {{ state: ChatShown, act: Actions }} props
 */
function People({ state, act }) {
  const { chat, table } = state;
  const account = table.seats[table.you ?? -1]?.kind === "person";
  return html`<details class="chat-people more">
    <summary>${gettext("Mute, block or turn off")}</summary>
    <ul>${table.seats.filter(isOther(table)).map((seat) => {
      const muted = chat.muted.includes(seat.seat);
      const blocked = chat.blocked.includes(seat.seat);
      const mute = () => act.wish("mute", { seat: seat.seat, on: !muted });
      return html`<li key=${seat.seat}><b>${seat.name}</b>
        ${!blocked && html`<button type="button" class="quiet" aria-pressed=${String(muted)} onClick=${mute}>${muted ? gettext("Unmute") : gettext("Mute")}</button>`}
        ${
          account &&
          (blocked
            ? html`<span>${gettext("blocked")}</span>`
            : html`<button type="button" class="quiet" onClick=${() => act.wish("block", { seat: seat.seat })}>${gettext("Block")}</button>`)
        }
        <a href=${`/report/${seat.player}/?match=${table.match}`} target="_blank">${gettext("Report")}</a></li>`;
    })}</ul>
    ${chat.on && html`<button type="button" class="quiet" onClick=${() => act.wish("chat", { on: false })}>${gettext("Turn off chat everywhere")}</button>`}
  </details>`;
}
