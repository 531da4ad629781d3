/* The whole game by keyboard. */

import { ask, plainName, seatName } from "./ask.js";
import { ordered } from "./hand-order.js";
import { spoken } from "./sentences.js";
import { cardNames, gettext } from "./texts.js";

export class Keyboard {
  constructor({ store, act, announcer }) {
    this.store = store;
    this.act = act;
    this.announcer = announcer;
  }

  listen(target = document) {
    target.addEventListener("keydown", (event) => this.pressed(event));
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const at = event.target;
    if (at.closest?.("dialog, input, select, textarea")) return;
    const state = this.store.get();
    if (!state.model) return;
    const work = this.workOf(event.key, state, at);
    if (!work) return;
    event.preventDefault();
    work();
  }

  workOf(key, state, at) {
    if (/^[1-6]$/.test(key)) return () => this.number(Number(key), state);
    const special = {
      Enter: () => this.enter(state, at),
      " ": () => this.space(at),
      Escape: () => () => this.act.clear(),
      ArrowLeft: () => () => this.move(state, -1),
      ArrowRight: () => () => this.move(state, 1),
      "?": () => () => this.act.open("help"),
    }[key];
    if (special) return special();
    return state.settings.letters ? this.letter(key.toLowerCase(), state) : null;
  }

  number(number, state) {
    const card = ordered(state.model.mine, state.settings.sort)[number - 1];
    if (!card) return;
    this.store.set({ focusAt: number - 1 });
    // Where a card has the focus, Enter is about that card: the focus goes along.
    if (document.activeElement?.dataset.card) this.focus(number - 1);
    this.act.pick(card);
  }

  focus(at) {
    document.querySelector(`.hand-card[data-at="${at}"]`)?.focus();
  }

  /** Enter on a card picks it, or confirms where all is picked; on other buttons it is theirs. */
  enter(state, at) {
    const card = at.dataset?.card;
    if (!card) return at.closest?.("button, a") ? null : () => this.act.confirm();
    const full = state.chosen.length === state.view.legal.number && state.chosen.includes(card);
    return full ? () => this.act.confirm() : () => this.act.pick(card);
  }

  space(at) {
    if (at.closest?.("button, a")) return null;
    return () => this.act.advance();
  }

  move(state, by) {
    const number = state.model.mine.length;
    if (!number) return;
    const focusAt = (Math.min(state.focusAt, number - 1) + by + number) % number;
    this.store.set({ focusAt });
    this.focus(focusAt);
  }

  letter(key, state) {
    const text = {
      c: () => gettext("Count %(n)s", { n: state.model.count }),
      s: () => this.scores(state),
      l: () => this.last(state),
      h: () => cardNames(ordered(state.model.mine, state.settings.sort)) || gettext("No cards"),
    }[key];
    if (text) return () => this.announcer.say(`${text()}. ${ask(state).title}.`);
    if (key === "t") return () => this.act.hint();
    if (key === "m") return () => this.act.set({ sound: !state.settings.sound });
    return null;
  }

  scores(state) {
    const { model } = state;
    const all = model.scores.map((score, seat) => `${seatName(state, seat)} ${score}`);
    if (model.dealer !== null) {
      all.push(gettext("dealer %(name)s", { name: plainName(state, model.dealer) }));
    }
    return all.join(", ");
  }

  last(state) {
    const said = state.model.log.map((entry) => spoken(state, entry.event)).filter(Boolean);
    return said.at(-1) ?? gettext("Nothing yet");
  }
}
