/* Keyboard control of the table. */

import { steppedClaim, typedClaim } from "../table/claim_points.js";
import { ordered } from "../table/hand_order.js";
import { requiredAction } from "../table/required_action.js";
import { cardNames } from "../text/card_names.js";
import { spoken } from "../text/event_sentences.js";
import { plainName, seatName } from "../text/seat_names.js";
import { gettext, ngettext } from "../text/translations.js";

/** @import { Actions, Model, TableState } from "../table/types.js" */
/** @import { View } from "../net/messages.js" */
/** @import { Store } from "../ui/store.js" */
/** @import { Announcer } from "./announcer.js" */

/** @typedef {TableState & { model: Model, view: View }} Ready */

/** What Enter and Space press themselves. */
const PRESSED = "button, a, summary";
/** The chosen points to claim or to call. */
const CLAIMED = '.number[aria-pressed="true"]';

/**
 * @param {TableState} state
 * @returns {state is Ready}
 */
function isReady(state) {
  return state.model !== null && state.view !== null;
}

/**
 * Whether the table waits until the player continues; the focus may have stayed on a card.
 * @param {Ready} state
 */
function isHeld(state) {
  return requiredAction(state).kind === "continue";
}

/**
 * A text with a full stop, unless it ends in a mark of its own.
 * @param {string} text
 */
function ended(text) {
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}

export class Keyboard {
  /** @param {{ store: Store<TableState>, act: Actions, announcer: Announcer }} props */
  constructor({ store, act, announcer }) {
    this.store = store;
    this.act = act;
    this.announcer = announcer;
  }

  /** @param {Document} [target] */
  listen(target = document) {
    target.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const at = event.target;
    if (!(at instanceof Element)) return;
    if (at.closest("input, select, textarea")) return;
    if (at.ownerDocument.querySelector("dialog[open]")) return; // Tab may have left it
    // A key held down confirms nothing that its first press has chosen.
    if (event.repeat && event.key === "Enter") return event.preventDefault();
    const state = this.store.get();
    if (!isReady(state)) return;
    const work = this.workOf(event.key, state, at);
    if (!work) return;
    event.preventDefault();
    work();
  }

  /**
   * @param {string} key
   * @param {Ready} state
   * @param {Element} at
   */
  workOf(key, state, at) {
    if (/^\d$/.test(key) && requiredAction(state).kind === "claim") {
      const points = typedClaim(state.claimPoints, Number(key));
      return state.settings.numbers ? () => this.claim(points) : null;
    }
    if (/^\d$/.test(key) && state.calling) {
      const points = typedClaim(state.callPoints, Number(key));
      return state.settings.numbers && points > 0 ? () => this.act.setCall(points) : null;
    }
    if (/^[1-6?]$/.test(key)) return state.settings.numbers ? this.sign(key, state) : null;
    const special = {
      Enter: () => this.enter(state, at),
      " ": () => this.space(state, at),
      Escape: () => () => this.escape(state),
      ArrowLeft: () => () => this.move(state, -1),
      ArrowRight: () => () => this.move(state, 1),
      ArrowUp: () => this.step(state, 1),
      ArrowDown: () => this.step(state, -1),
    }[key];
    if (special) return special();
    return state.settings.letters ? this.letter(key.toLowerCase(), state) : null;
  }

  /**
   * @param {string} key
   * @param {Ready} state
   */
  sign(key, state) {
    return key === "?" ? () => this.act.open("help") : () => this.number(Number(key), state);
  }

  /**
   * Escape closes the drawer of the log, if it is open, and else clears the selection.
   * @param {Ready} state
   */
  escape({ panel, wide }) {
    if (panel !== "log" || wide) return this.act.clear();
    this.act.open(null);
    document.getElementById("log-button")?.focus();
  }

  /**
   * @param {number} number
   * @param {Ready} state
   */
  number(number, state) {
    const card = ordered(state.model.mine, state.settings.sort)[number - 1];
    if (!card) return;
    this.store.set({ focusAt: number - 1 });
    // If a card has the focus, Enter applies to it, so the focus must move along.
    if (document.activeElement?.hasAttribute("data-card")) this.focus(number - 1);
    this.act.pick(card);
  }

  /** @param {number} at */
  focus(at) {
    /** @type {HTMLElement | null} */
    const card = document.querySelector(`.hand-card[data-at="${at}"]`);
    card?.focus();
  }

  /**
   * Enter on a card picks it, or confirms once all are picked or nothing can be, and so it does on points
   * to claim or to call; other buttons handle it themselves.
   * @param {Ready} state
   * @param {Element} at
   */
  enter(state, at) {
    const card = at.getAttribute("data-card");
    if (!card) {
      const points = state.calling ? state.callPoints : state.claimPoints;
      const claimed = points !== null && at.matches(CLAIMED);
      return at.closest(PRESSED) && !claimed ? null : () => this.act.confirm();
    }
    if (isHeld(state)) return () => this.act.confirm();
    const full = state.chosen.length === state.view.legal.number && state.chosen.includes(card);
    return full && !state.calling ? () => this.act.confirm() : () => this.act.pick(card);
  }

  /**
   * @param {Ready} state
   * @param {Element} at
   */
  space(state, at) {
    const card = at.hasAttribute("data-card");
    if (at.closest(PRESSED) && !(card && isHeld(state))) return null;
    return () => this.act.advance();
  }

  /**
   * @param {Ready} state
   * @param {number} by
   */
  move(state, by) {
    const number = state.model.mine.length;
    if (!number) return;
    const focusAt = (Math.min(state.focusAt, number - 1) + by + number) % number;
    this.store.set({ focusAt });
    this.focus(focusAt);
  }

  /**
   * Up and down change the points to claim with a card.
   * @param {Ready} state
   * @param {number} by
   */
  step(state, by) {
    if (requiredAction(state).kind !== "play" || !state.view.legal.claims) return null;
    return () => this.claim(steppedClaim(state.claimPoints, by));
  }

  /** @param {number} points */
  claim(points) {
    this.act.setClaim(points);
    this.announcer.say(ngettext("Claim %(n)s point", "Claim %(n)s points", points));
  }

  /**
   * @param {string} key
   * @param {Ready} state
   */
  letter(key, state) {
    const text = {
      c: () => gettext("Count %(n)s", { n: state.model.count }),
      s: () => this.scores(state),
      l: () => this.last(state),
      h: () => cardNames(ordered(state.model.mine, state.settings.sort)) || gettext("No cards"),
    }[key];
    if (text) {
      return () => this.announcer.say(`${ended(text())} ${ended(requiredAction(state).title)}`);
    }
    if (key === "t") return () => this.act.hint();
    if (key === "m") return () => this.act.set({ sound: !state.settings.sound });
    return null;
  }

  /** @param {Ready} state */
  scores(state) {
    const { model } = state;
    const all = model.scores.map((score, seat) => `${seatName(state, seat)} ${score}`);
    if (model.dealer !== null) {
      all.push(gettext("dealer %(name)s", { name: plainName(state, model.dealer) }));
    }
    return all.join(", ");
  }

  /** @param {Ready} state */
  last(state) {
    const said = state.model.log.map((entry) => spoken(state, entry.event)).filter(Boolean);
    return said.at(-1) ?? gettext("Nothing yet");
  }
}
