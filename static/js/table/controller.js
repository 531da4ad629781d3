/* The controller of the live table: passes the socket's messages through the playback to the store. */

import { soundOf } from "../access/sounds.js";
import { FORBIDDEN, TableSocket } from "../net/socket.js";
import { recap, spoken } from "../text/event_sentences.js";
import { seatName } from "../text/seat_names.js";
import { gettext } from "../text/translations.js";
import { keep, recall, storageOf } from "../ui/storage.js";
import { ChatFeed } from "./chat_feed.js";
import { ClockCountdown } from "./clock_countdown.js";
import { fits } from "./hint.js";
import { Notices } from "./notices.js";
import { picksKept } from "./picked_cards.js";
import { Playback } from "./playback.js";
import { PlayerActions } from "./player_actions.js";
import { decisionOf, mayHaveMissed, requiredAction } from "./required_action.js";
import { resultTitle, winnerOf } from "./result_title.js";
import { SeatAnnouncer } from "./seat_announcer.js";

/** @import { Announcer } from "../access/announcer.js" */
/** @import { Sounds } from "../access/sounds.js" */
/** @import { CountSpeaker } from "../access/speech.js" */
/** @import * as Wire from "../net/messages.js" */
/** @import { Store } from "../ui/store.js" */
/** @import { Coach } from "./coach.js" */
/** @import { Model, Notice, Pace, TableState } from "./types.js" */

const LONG_GAP = 24; // events; more are shown at once, not played back

export class Controller {
  /**
   * @param {object} parts
   * @param {Store<TableState>} parts.store
   * @param {string} parts.url - of the table's socket
   * @param {string} parts.match
   * @param {Announcer} parts.announcer
   * @param {Sounds} parts.sounds
   * @param {CountSpeaker} [parts.voice]
   * @param {() => Pace | null} [parts.pace] - overrides the player's setting
   * @param {Coach | null} [parts.coach]
   */
  constructor({ store, url, match, announcer, sounds, voice, pace = () => null, coach = null }) {
    this.store = store;
    this.coach = coach;
    this.announcer = announcer;
    this.sounds = sounds;
    this.voice = voice;
    this.match = match;
    this.returning = false; // whether the connection was lost, with no message since
    /** @type {Wire.View | null} */
    this.early = null; // a view that came before the first `table`
    this.lastAsked = "";
    this.endSeen = false; // whether the server was told that the player sees the end
    this.cutShown = 0; // the last game whose cut for deal was shown
    this.clock = new ClockCountdown({ store, announcer, sounds });
    this.notices = new Notices({ store, announcer });
    this.seats = new SeatAnnouncer({ store, announcer, sounds, notices: this.notices });
    /** @type {Notice | null} */
    this.recapped = null; // what the player was told on coming back; true until the next step
    this.socket = new TableSocket({
      url,
      version: () => store.get().view?.v ?? null,
      onMessage: (message, at) => this.received(message, at),
      onStatus: (status, code) => this.status(status, code),
    });
    this.chat = new ChatFeed({
      store,
      announcer,
      notice: (text) => this.notices.show(text, "said"),
      send: (words) => this.socket.send("say", words),
    });
    this.playback = new Playback({
      show: (model) => this.shown(model),
      onEvent: (event, model) => this.onEvent(event, model),
      pace: () => pace() ?? store.get().settings.pace,
      coach,
    });
    const { socket, chat, playback } = this;
    const { notices } = this;
    this.actions = new PlayerActions({ store, announcer, sounds, socket, chat, playback, notices });
  }

  start() {
    this.socket.open();
  }

  /** @param {Model} model */
  shown(model) {
    const { busy, blocking, coming } = this.playback;
    this.store.set({ model, busy, blocking, coming });
    this.voice?.shown(model);
    this.coached();
    this.announceTurn();
  }

  /** Show the current sentence of the coach, and announce it once. */
  coached() {
    if (!this.coach) return;
    const state = this.store.get();
    const held = this.coach.now !== null;
    if (held !== state.coached) this.store.set({ coached: held });
    const now = requiredAction(state);
    // During playback, and while others must act, the last sentence stays as long as it holds.
    if (!held && (this.playback.busy || !(now.own || now.kind === "over"))) {
      if (this.coach.isPast(state)) this.store.set({ coach: null });
      return;
    }
    const line = this.coach.line({ ...state, now });
    if (line === state.coach) return;
    this.store.set({ coach: line });
    if (line) this.announcer.say(line);
  }

  /**
   * @param {Wire.GameEvent} event
   * @param {Model} model
   */
  onEvent(event, model) {
    const state = { ...this.store.get(), model };
    // The result says it: whether the win was claimed is known only once the next message has come.
    if (event.e !== "resigned") this.announcer.say(spoken(state, event));
    const sound = soundOf(event.e === "match_over" ? counted(state, event) : event, model.me);
    if (sound) this.sounds.play(sound);
    if (event.e === "match_over") this.announcer.insist(this.ending(state, event));
  }

  /**
   * @param {TableState} state
   * @param {Wire.MatchOverEvent} event
   */
  ending(state, event) {
    if (event.winner === null) return gettext("The match is drawn.");
    const { model, view, table } = state;
    if (model && view && table?.seats.some((seat) => seat.left)) {
      return resultTitle({ ...state, model: { ...model, over: event }, view, table });
    }
    return gettext("%(name)s won the match.", { name: seatName(state, event.winner) });
  }

  /** Tell the player, once, that an action is required. */
  announceTurn() {
    const state = this.store.get();
    const now = requiredAction(state);
    const key = state.view && now.own && !this.playback.busy ? decisionOf(state.view) : "";
    if (key && key !== this.lastAsked) {
      // Of a count without a question the title says nothing that is to be done.
      const goOn = now.kind === "answer" && !mayHaveMissed(state);
      this.announcer.insist(goOn ? `${now.title}. ${gettext("Continue")}` : now.title);
      this.sounds.play("turn");
    }
    if (key) this.lastAsked = key;
  }

  /**
   * @param {TableState["conn"]} status
   * @param {number} [code]
   */
  status(status, code) {
    const { conn: before, bye } = this.store.get();
    if (before === status) return;
    if (status === "lost" && before === "open") this.returning = true;
    if (status === "lost") this.clock.forget();
    if (status === "connecting" && this.returning) return;
    const refusal = { refused: code ?? null, refusedAgain: this.returning };
    this.store.set({ conn: status, ...refusal, bye: status === "open" ? null : bye });
  }

  /**
   * @param {Wire.ServerMessage} message
   * @param {number} [at] - when it was heard, if not now
   */
  received(message, at) {
    switch (message.t) {
      case "view":
        return this.onView(message.d);
      case "steps":
        return this.onSteps(message.d);
      case "table":
        return this.onTable(message.d);
      case "returned":
        return this.onReturned(message.d);
      case "clock":
        return this.clock.update(message.d, at);
      case "due":
        return this.store.set({ due: message.d });
      case "chat":
        return this.chat.replace(message.d);
      case "said":
        this.chat.addLine(message.d);
        return;
      case "friends":
        return this.store.set({ friends: message.d.friends });
      case "ok":
        return this.onOk(message.d, message.id);
      case "error":
        return this.onError(message.d, message.id);
      case "hint":
        return this.onHint(message.d);
      case "history":
        return this.playback.recall(message.d);
      case "bye":
        return this.onBye(message.d);
    }
  }

  /**
   * Whether the player has come back as a visitor, since their login ended meanwhile. The server lets
   * them in where anyone may watch. A table that has not begun may also be left in another tab.
   * @param {Wire.View} data
   */
  isLoggedOut(data) {
    const { view, table } = this.store.get();
    const seated = view !== null && view.seat !== null && table?.status !== "waiting";
    return this.returning && seated && data.seat === null;
  }

  /** @param {Wire.View} data */
  onView(data) {
    if (this.isLoggedOut(data)) return this.socket.lost(FORBIDDEN);
    // The `table` message with the names comes next; until then nothing is shown.
    this.early = this.store.get().table ? null : data;
    if (this.early) return;
    const before = this.store.get().view;
    const ruleset = data.ruleset ?? this.store.get().ruleset;
    this.store.set({
      view: data,
      ruleset,
      ...picksKept(this.store.get(), data),
      hinting: null,
      sending: null,
      stored: null,
    });
    if (this.isOpening(data)) this.playback.open(data);
    else this.playback.reset(data);
    this.back(before);
    this.actions.settleAhead(before, data);
  }

  /**
   * Whether this is the first view of a game that has just begun: its cut for deal is then shown.
   * @param {Wire.View} view
   */
  isOpening(view) {
    const key = `cribbage.cut.${this.match}.${view.game}`;
    const storage = storageOf("sessionStorage");
    if (this.cutShown === view.game || recall(storage, key)) return false;
    const fresh = view.hand === 1 && view.phase === "discard" && !view.discarded[view.seat ?? 0];
    if (view.hand > 0) {
      this.cutShown = view.game;
      keep(storage, key, "seen");
    }
    return fresh && view.cuts.length > 0;
  }

  /** @param {Wire.Steps} data */
  onSteps(data) {
    const { view } = this.store.get();
    if (!view || data.from > view.v) {
      this.socket.hello();
      return;
    }
    if (this.isLoggedOut(data.view)) return this.socket.lost(FORBIDDEN);
    if (data.v < view.v) return;
    const events = data.events.slice(view.v - data.from).flat();
    if (data.v > view.v) this.notices.drop(this.recapped);
    if (data.v > view.v || this.returning) {
      this.store.set({ view: data.view, ...picksKept(this.store.get(), data.view) });
      this.release();
      this.playback.push(events, data.view);
      this.actions.settleAhead(view, data.view);
      if (this.returning && events.length > LONG_GAP) this.playback.finish();
    }
    this.back(view);
  }

  /**
   * Tell the player what they missed.
   * @param {Wire.View | null} before - the last view before the connection was lost
   */
  back(before) {
    if (!this.returning) return;
    this.returning = false;
    const { view, table } = this.store.get();
    if (!view || table?.seats[view.seat ?? -1]?.left) return;
    const text = recap({ view, table, before });
    this.recapped = this.notices.tell(
      gettext("Back at the table: %(recap)s.", { recap: text }),
      "good",
    );
  }

  /** @param {Wire.Table} data */
  onTable(data) {
    const before = this.store.get().table;
    this.store.set({ table: data });
    this.seats.arrival(before, data);
    if (this.early) this.onView(this.early);
    const next = data.rematch?.match;
    if (next && next !== this.match && before && !before.rematch?.match) {
      location.assign(`/t/${next}/${location.search}`);
    }
    this.coached();
    this.seats.changed(before, data);
    this.announceTurn();
    this.noteEnd();
  }

  /** Tell the server, once, that the player sees the end of a correspondence match; no notice is sent then. */
  noteEnd() {
    const { days, table } = this.store.get();
    const own = days !== null && table?.you !== null && table?.status === "finished";
    if (!own || this.endSeen || globalThis.document?.hidden) return;
    this.endSeen = true;
    this.socket.send("seen");
  }

  /** The player looks at the page again: a host's open table goes back into the lobby if it had left it. */
  look() {
    const { table } = this.store.get();
    const open = table?.status === "waiting" && table.creator;
    if (open && !this.socket.awaits("seen")) this.socket.send("seen");
    this.noteEnd();
  }

  /** @param {Wire.Returned} data */
  onReturned({ computer: name }) {
    const text = gettext("%(name)s sat in for you while you were away. You have your seat back.", {
      name,
    });
    this.notices.tell(text, "good");
  }

  /**
   * @param {Wire.ServerMessages["ok"]} data
   * @param {string} [id]
   */
  onOk(data, id) {
    this.chat.settle(id);
    if (id !== this.store.get().sending) return;
    this.store.set({ stored: data?.v ?? 0 });
    this.release();
  }

  /** Allow the next move once the last one is stored and shown. */
  release() {
    const { stored, view } = this.store.get();
    if (stored !== null && view && view.v >= stored)
      this.store.set({ sending: null, stored: null });
  }

  /**
   * @param {Wire.Refusal} data
   * @param {string} [id]
   */
  onError(data, id) {
    if (this.chat.refused(id, data.message)) return;
    const { hinting, sending } = this.store.get();
    if (id !== undefined && id === hinting) this.store.set({ hinting: null });
    if (id !== undefined && id === sending) {
      this.store.set({ sending: null, stored: null, chosen: [], ahead: null });
    }
    this.notices.tell(data.message, "bad");
  }

  /** @param {Wire.Hint} data */
  onHint(data) {
    this.store.set({ hinting: null });
    const { view } = this.store.get();
    if (!view || !fits(data, view)) return;
    this.store.set({ hint: data });
    this.announcer.say([data.advice, ...data.reasons].join(" "));
  }

  /** @param {Wire.Refusal} data */
  onBye(data) {
    this.store.set({ bye: data });
    if (data.code !== "restart") this.notices.tell(data.message, "bad");
  }
}

/**
 * The end of a match with the winner as the result counts: see `winnerOf`.
 * @param {TableState} state
 * @param {Wire.MatchOverEvent} event
 * @returns {Wire.MatchOverEvent}
 */
function counted(state, event) {
  const { model, view, table } = state;
  if (!model || !view || !table) return event;
  const ended = { ...state, model: { ...model, over: event }, view, table };
  return { ...event, winner: winnerOf(ended) };
}
