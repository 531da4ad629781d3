/* Joins the parts: messages of the socket go through the director into the store; what the player
   does goes from the actions to the socket. */

import { ask, seatName } from "./ask.js";
import { ChatDoor } from "./chat-door.js";
import { running, ServerTime, short } from "./clock.js";
import { Director } from "./director.js";
import { toggled } from "./hand-order.js";
import { fits, mayAsk } from "./hint.js";
import * as preferences from "./preferences.js";
import { fateOf, mayPickAhead } from "./premove.js";
import { recap, spoken } from "./sentences.js";
import { TableSocket } from "./socket.js";
import { soundOf } from "./sound.js";
import { cardName, gettext, ngettext } from "./texts.js";

const TOAST = 6000; // milliseconds that a notice stays
const TICK = 200; // milliseconds between two looks at the clock
const LONG_GAP = 24; // events: more than that is not played back but shown

export class Controller {
  constructor({ store, url, match, announcer, sounds, voice, pace, coach = null }) {
    this.store = store;
    this.coach = coach;
    this.announcer = announcer;
    this.sounds = sounds;
    this.voice = voice;
    this.match = match;
    this.returning = false;
    this.early = null; // a view that came before the table
    this.notices = 0;
    this.lastAsked = "";
    this.time = new ServerTime();
    this.warned = -1; // the version for which the player was told that his time is short
    this.door = new ChatDoor({
      store,
      announcer,
      notice: (text) => this.show(text, "said"),
      send: (type, data) => this.socket.send(type, data),
    });
    this.director = new Director({
      show: (model) => this.shown(model),
      heard: (event, model) => this.heard(event, model),
      pace: () => pace ?? store.get().settings.pace,
      coach,
    });
    this.socket = new TableSocket({
      url,
      version: () => store.get().view?.v ?? null,
      onMessage: (type, data, id) => this.received(type, data, id),
      onStatus: (status, code) => this.status(status, code),
    });
  }

  start() {
    this.socket.open();
  }

  shown(model) {
    const { busy, blocking } = this.director;
    this.store.set({ model, busy, blocking });
    this.voice?.shown(model);
    this.coached();
    this.ask();
  }

  /** What the coach of a lesson says now: shown, and spoken once. */
  coached() {
    if (!this.coach) return;
    const state = this.store.get();
    const held = this.coach.now !== null;
    if (held !== state.coached) this.store.set({ coached: held });
    const now = ask(state);
    // While something is played back, or others are to act, what he said last stays.
    if (!held && (this.director.busy || !(now.own || now.kind === "over"))) return;
    const line = this.coach.line({ ...state, now });
    if (line === state.coach) return;
    this.store.set({ coach: line });
    this.announcer.say(line);
  }

  heard(event, model) {
    const state = { ...this.store.get(), model };
    this.announcer.say(spoken(state, event));
    const sound = soundOf(event, model.me);
    if (sound) this.sounds.play(sound);
    if (event.e === "match_over") this.announcer.insist(this.ending(state, event));
  }

  ending(state, event) {
    if (event.winner === null) return gettext("The match is drawn.");
    return gettext("%(name)s won the match.", { name: seatName(state, event.winner) });
  }

  /** Tell the player, once, that something is asked of him. */
  ask() {
    const state = this.store.get();
    const now = ask(state);
    // The others' throws change the version, and not what is asked.
    const { game, hand, v } = state.view ?? {};
    const once = now.kind === "discard" ? `${game}.${hand}` : v;
    const key = now.own && !this.director.busy ? `${now.kind}/${once}` : "";
    if (key && key !== this.lastAsked) {
      this.announcer.insist(now.title);
      this.sounds.play("turn");
    }
    if (key) this.lastAsked = key;
  }

  status(status, code) {
    const before = this.store.get().conn;
    if (before === status) return;
    if (status === "lost" && before === "open") this.returning = true;
    if (status === "lost") this.time.forget();
    if (status === "connecting" && this.returning) return;
    this.store.set({ conn: status, refused: code ?? null });
  }

  received(type, data, id) {
    const handler = this[`on_${type}`];
    if (handler) handler.call(this, data, id);
  }

  on_view(data) {
    // Who sits where is told next: nothing is shown, and nobody named, without it.
    this.early = this.store.get().table ? null : data;
    if (this.early) return;
    const before = this.store.get().view;
    const ruleset = data.ruleset ?? this.store.get().ruleset;
    this.store.set({
      view: data,
      ruleset,
      ...this.tidied(data),
      hinting: null,
      sending: null,
      stored: null,
    });
    if (this.isOpening(data)) this.director.open(data);
    else this.director.reset(data);
    this.back();
    this.settleAhead(before, data);
  }

  /** Whether this is the first look at a match that has just begun: its cut for deal is shown. */
  isOpening(view) {
    const key = `cribbage.cut.${this.match}.${view.game}`;
    if (sessionStorage.getItem(key)) return false;
    const fresh = view.hand === 1 && view.phase === "discard" && !view.discarded[view.seat ?? 0];
    if (view.hand > 0) sessionStorage.setItem(key, "seen");
    return fresh && view.cuts.length > 0;
  }

  on_steps(data) {
    const { view } = this.store.get();
    if (!view || data.from > view.v) {
      this.socket.hello();
      return;
    }
    if (data.v < view.v) return;
    const events = data.events.slice(view.v - data.from).flat();
    if (data.v > view.v || this.returning) {
      this.store.set({ view: data.view, ...this.tidied(data.view) });
      this.release();
      this.director.push(events, data.view);
      this.settleAhead(view, data.view);
      if (this.returning && events.length > LONG_GAP) this.director.finish();
    }
    this.back();
  }

  /** What a new view makes of the cards picked: those gone, or no longer asked for, are dropped. */
  tidied(view) {
    const { chosen, hint, view: before } = this.store.get();
    // The next deal may hold the card that was played last: that was not picked.
    const same = before?.game === view.game && before.hand === view.hand;
    const asked = same && before.legal.action === view.legal.action;
    const kept = asked ? chosen.filter((card) => view.legal.cards.includes(card)) : [];
    const stillGood = hint && fits(hint, view) ? hint : null;
    return { chosen: kept, claimPoints: null, calling: false, hint: stillGood };
  }

  back() {
    if (!this.returning) return;
    this.returning = false;
    const state = this.store.get();
    this.notice(gettext("Back at the table: %(recap)s.", { recap: recap(state) }), "good");
  }

  on_table(data) {
    const before = this.store.get().table;
    this.store.set({ table: data });
    if (this.early) this.on_view(this.early);
    const next = data.rematch?.match;
    if (next && next !== this.match && before && !before.rematch?.match) {
      location.assign(`/t/${next}/${location.search}`);
    }
    this.coached();
    this.ask();
  }

  on_clock(data) {
    this.time.heard(data.now);
    clearInterval(this.ticking);
    this.store.set({ clock: data });
    this.tick();
    this.ticking = setInterval(() => this.tick(), TICK);
  }

  on_due(data) {
    this.store.set({ due: data });
  }

  /** Show the seconds that are left, and say so once when the player himself has few. */
  tick() {
    const state = this.store.get();
    if (state.clock.v < state.view?.v) clearInterval(this.ticking);
    if (!running(state).length) return;
    const left = Math.ceil(this.time.until(state.clock.until));
    this.store.set({ left });
    if (!short({ ...state, left }) || this.warned === state.clock.v) return;
    this.warned = state.clock.v;
    this.announcer.insist(ngettext("%(n)s second left", "%(n)s seconds left", left));
    this.sounds.play("short");
  }

  on_chat(data) {
    this.door.told(data);
  }

  on_said(line) {
    this.door.said(line);
  }

  on_friends(data) {
    this.store.set({ friends: data.friends });
  }

  on_ok(data, id) {
    this.door.taken(id);
    if (id !== this.store.get().sending) return;
    this.store.set({ stored: data?.v ?? 0 });
    this.release();
  }

  /** The next move may be made once the one before is stored and seen. */
  release() {
    const { stored, view } = this.store.get();
    if (stored !== null && view.v >= stored) this.store.set({ sending: null, stored: null });
  }

  on_error(data, id) {
    if (this.door.refused(id, data.message)) return;
    if (id !== undefined && id === this.store.get().hinting) this.store.set({ hinting: null });
    else this.store.set({ sending: null, stored: null, chosen: [], ahead: null });
    this.notice(data.message, "bad");
  }

  on_hint(data) {
    this.store.set({ hinting: null });
    if (!fits(data, this.store.get().view)) return;
    this.store.set({ hint: data });
    this.announcer.say([data.advice, ...data.reasons].join(" "));
  }

  on_bye(data) {
    if (data.code !== "restart") this.notice(data.message, "bad");
  }

  notice(text, kind) {
    this.show(text, kind);
    if (kind === "bad") this.announcer.insist(text);
    else this.announcer.say(text);
  }

  /** Show a notice for a while, without a word. */
  show(text, kind) {
    this.notices += 1;
    const entry = { key: this.notices, text, kind };
    // Of what is written at the table the last line is enough: the others are in the chat.
    const others = this.store
      .get()
      .notices.filter((other) => other.text !== text && !(kind === "said" && other.kind === kind));
    this.store.set({ notices: [...others.slice(-2), entry] });
    setTimeout(() => {
      const left = this.store.get().notices.filter((other) => other !== entry);
      this.store.set({ notices: left });
    }, TOAST);
  }

  // --- what the player does

  /** A card of the hand was tapped. */
  pick(card) {
    const state = this.store.get();
    const now = ask(state);
    const { legal } = state.view;
    if (!now.own) this.pickAhead(state, card);
    if (!legal.cards.includes(card) || !now.own || state.sending) return;
    if (now.kind === "discard") {
      this.store.set({ chosen: toggled(state.chosen, card, legal.number) });
    } else if (now.kind === "play") {
      const again = state.chosen.includes(card);
      this.store.set({ chosen: [card], claimPoints: again ? state.claimPoints : null });
      if (again || (state.settings.oneTap && !legal.claims)) this.confirm();
    }
  }

  /** A card was tapped before the turn: it waits for it; tapped again it does not. */
  pickAhead(state, card) {
    if (!mayPickAhead(state, card)) return;
    const ahead = state.ahead === card ? null : card;
    this.store.set({ ahead });
    if (ahead) {
      this.announcer.say(gettext("%(card)s follows on your turn", { card: cardName(card) }));
    } else this.announcer.say(gettext("Nothing follows"));
  }

  /** The table went on: the card picked ahead is played now, kept or forgotten. */
  settleAhead(before, view) {
    const { ahead: card } = this.store.get();
    if (card === null) return;
    const fate = fateOf(card, before, view);
    if (fate === "keep") return;
    this.store.set({ ahead: null });
    // Not `act`: the card that it answers is still to be seen.
    if (fate === "play") {
      this.store.set({ sending: this.socket.send("play", { card }), stored: null });
    }
  }

  /** A card of the hand was dragged to the middle: as good as picked, and as confirmed in the play. */
  drop(card) {
    const { chosen } = this.store.get();
    if (!chosen.includes(card)) this.pick(card);
    const state = this.store.get();
    const plays = ask(state).kind === "play" && !state.view.legal.claims && !state.sending;
    if (plays && state.chosen.includes(card)) this.confirm();
  }

  clear() {
    this.store.set({ chosen: [], ahead: null, calling: false, hint: null });
  }

  /** Ask what the computer would do; once more puts the answer away. */
  hint() {
    const state = this.store.get();
    if (state.hint) this.dropHint();
    else if (mayAsk(state, ask(state)) && state.hinting === null) {
      this.store.set({ hinting: this.socket.send("hint") });
    }
  }

  dropHint() {
    this.store.set({ hint: null });
  }

  /** The button of the action bar, or Enter. */
  confirm() {
    const state = this.store.get();
    const now = ask(state);
    if (now.kind === "continue") {
      this.advance();
    } else if (now.kind === "return") {
      this.wish("return");
    } else if (state.sending) {
      return;
    } else if (now.kind === "discard" && state.chosen.length === state.view.legal.number) {
      this.act("discard", { cards: state.chosen });
    } else if (now.kind === "play" && state.chosen.length === 1) {
      const [card] = state.chosen;
      if (!state.view.legal.claims) this.act("play", { card });
      else this.act("play", { card, claim: state.claimPoints ?? 0 });
    } else if (now.kind === "claim" && state.claimPoints !== null) {
      this.act("claim", { points: state.claimPoints });
    } else if (now.kind === "answer") {
      this.act("pass", {});
    }
  }

  setClaim(points) {
    this.store.set({ claimPoints: points });
  }

  openCall(open) {
    this.store.set({ calling: open });
  }

  call(points) {
    this.store.set({ calling: false });
    this.act("muggins", { points });
  }

  act(type, data) {
    if (this.director.busy && !this.director.blocking) this.director.finish();
    this.store.set({ sending: this.socket.send(type, data), stored: null });
  }

  wish(type, data = {}) {
    this.socket.send(type, data);
  }

  advance() {
    this.director.advance();
  }

  open(panel) {
    this.store.set({ panel });
    if (panel && !this.store.get().wide) this.door.open(false);
  }

  openChat(open) {
    if (open && !this.store.get().wide) this.store.set({ panel: null });
    this.door.open(open);
  }

  /** Write a line of the chat: `{phrase}` or `{text}`. */
  say(words) {
    this.door.say(words);
  }

  set(change) {
    const settings = { ...this.store.get().settings, ...change };
    preferences.save(settings);
    preferences.apply(settings);
    this.store.set({ settings });
    if ("volume" in change) this.sounds.play("peg"); // how loud that is, is heard at once
  }
}
