/* The player's actions at the table: picks, moves and requests, from the page to the socket. */

import * as preferences from "../access/preferences.js";
import { cardName } from "../text/card_names.js";
import { gettext } from "../text/translations.js";
import { toggled } from "./hand_order.js";
import { mayAsk } from "./hint.js";
import { fateOf, mayPickAhead } from "./premove.js";
import { mayHaveMissed, requiredAction } from "./required_action.js";

/** @import { Announcer } from "../access/announcer.js" */
/** @import { Sounds } from "../access/sounds.js" */
/** @import { Card, ChatWords, Requests, View } from "../net/messages.js" */
/** @import { TableSocket } from "../net/socket.js" */
/** @import { Store } from "../ui/store.js" */
/** @import { ChatFeed } from "./chat_feed.js" */
/** @import { Notices } from "./notices.js" */
/** @import { Playback } from "./playback.js" */
/** @import { Actions, PanelName, Settings, TableState } from "./types.js" */

/** Milliseconds after "Continue" has gone in which a press on its place was still meant for it. */
const HASTY = 500;

/** @implements {Actions} */
export class PlayerActions {
  /**
   * @param {object} parts
   * @param {Store<TableState>} parts.store
   * @param {Announcer} parts.announcer
   * @param {Sounds} parts.sounds
   * @param {TableSocket} parts.socket
   * @param {ChatFeed} parts.chat
   * @param {Playback} parts.playback
   * @param {Notices} parts.notices
   */
  constructor({ store, announcer, sounds, socket, chat, playback, notices }) {
    this.store = store;
    this.announcer = announcer;
    this.sounds = sounds;
    this.socket = socket;
    this.chat = chat;
    this.playback = playback;
    this.notices = notices;
  }

  /**
   * Show a player who reaches for a card what is still to come before their turn. Returns whether they
   * had not seen it.
   */
  catchUp() {
    const { blocking, coming, view } = this.store.get();
    if (blocking || !coming || view?.legal.action !== "play") return false;
    this.playback.catchUp();
    return true;
  }

  /**
   * Pick a card of the hand that was tapped.
   * @param {Card} card
   * @param {boolean} [unseen] - whether the card before it was not on the table yet: it is not played at once
   */
  pick(card, unseen = this.catchUp()) {
    this.openCall(false);
    const state = this.store.get();
    if (!state.view) return;
    const now = requiredAction(state);
    const { legal } = state.view;
    if (!now.own) this.pickAhead(state, card);
    if (!now.own || state.sending) return;
    if (!legal.cards.includes(card)) {
      if (now.kind === "play") this.tellTooHigh();
      return;
    }
    if (now.kind === "discard") {
      this.store.set({ chosen: toggled(state.chosen, card, legal.number) });
    } else if (now.kind === "play") {
      const again = state.chosen.includes(card);
      // A card played without its points loses them, so a double tap must not do that.
      if (again && legal.claims) return;
      const kept = again || !state.chosen.length;
      this.store.set({ chosen: [card], claimPoints: kept ? state.claimPoints : null });
      if (!unseen && (again || (state.settings.oneTap && !legal.claims))) this.confirm();
    }
  }

  /** Say why a card can't be played now; the count is the only possible reason. */
  tellTooHigh() {
    this.notices.tell(gettext("That would pass 31. Play a lower card."), "bad");
  }

  /**
   * Pick a card before the player's turn, or cancel it on a second tap.
   * @param {TableState} state
   * @param {Card} card
   */
  pickAhead(state, card) {
    if (!mayPickAhead(state, card)) return;
    const ahead = state.ahead === card ? null : card;
    this.store.set({ ahead });
    if (ahead) {
      this.announcer.say(gettext("%(card)s will be played on your turn", { card: cardName(card) }));
    } else this.announcer.say(gettext("No card queued"));
  }

  /**
   * Play, keep or drop the card picked ahead, after a new view.
   * @param {View | null} before
   * @param {View} view
   */
  settleAhead(before, view) {
    const { ahead: card } = this.store.get();
    if (card === null) return;
    const fate = fateOf(card, before, view);
    if (fate === "keep") return;
    this.store.set({ ahead: null });
    // Not `act`, which would skip the playback of the card before.
    if (fate === "play") {
      this.store.set({ sending: this.socket.send("play", { card }), stored: null });
    }
  }

  /**
   * Pick a card that was dragged to the middle; in the play also confirm it.
   * @param {Card} card
   */
  drop(card) {
    const unseen = this.catchUp();
    const { chosen } = this.store.get();
    if (!chosen.includes(card)) this.pick(card, unseen);
    const state = this.store.get();
    const plays =
      requiredAction(state).kind === "play" && !state.view?.legal.claims && !state.sending;
    if (plays && !unseen && state.chosen.includes(card)) this.confirm();
  }

  clear() {
    this.openCall(false);
    this.store.set({ chosen: [], ahead: null, hint: null });
  }

  /** Request a hint; a second call closes it. */
  hint() {
    const state = this.store.get();
    if (state.hint) this.dropHint();
    else if (mayAsk(state, requiredAction(state)) && state.hinting === null) {
      this.store.set({ hinting: this.socket.send("hint") });
    }
  }

  dropHint() {
    this.store.set({ hint: null });
  }

  /** The button of the action bar, or Enter. */
  confirm() {
    const state = this.store.get();
    const now = requiredAction(state);
    if (state.calling) {
      this.call(state);
    } else if (now.kind === "continue" || (now.kind === "answer" && !mayHaveMissed(state))) {
      this.advance();
    } else if (now.kind === "return") {
      this.wish("return");
    } else if (state.sending || !state.view) {
      return;
    } else if (now.kind === "discard" && state.chosen.length === state.view.legal.number) {
      this.act("discard", { cards: state.chosen });
    } else if (now.kind === "play" && state.chosen.length === 1) {
      const [card] = state.chosen;
      if (!state.view.legal.claims) this.act("play", { card });
      else this.act("play", { card, claim: state.claimPoints ?? 0 });
    } else if (now.kind === "claim" && state.claimPoints !== null) {
      this.act("claim", { points: state.claimPoints });
    } else if (now.kind === "answer" && performance.now() - this.playback.freed > HASTY) {
      this.act("pass", {});
    }
  }

  /** @param {number} points */
  setClaim(points) {
    this.store.set({ claimPoints: points });
  }

  /** @param {boolean} open */
  openCall(open) {
    this.store.set({ calling: open, callPoints: null });
  }

  /** @param {number} points */
  setCall(points) {
    this.store.set({ callPoints: points });
  }

  /**
   * Call the points chosen as missed.
   * @param {TableState} state
   */
  call({ callPoints: points, sending }) {
    if (points === null || sending) return;
    this.openCall(false);
    this.act("muggins", { points });
  }

  /**
   * Send a move, and finish the playback at once.
   * @template {keyof Requests} T
   * @param {T} type
   * @param {Requests[T]} data
   */
  act(type, data) {
    if (this.playback.busy && !this.playback.blocking) this.playback.finish();
    this.store.set({ sending: this.socket.send(type, data), stored: null });
  }

  /**
   * Send a request other than a move; not again while it is unanswered, such as at a double click, or
   * while a lost connection keeps all of them.
   * @template {keyof Requests} T
   * @param {T} type
   * @param {Requests[T]} [data]
   */
  wish(type, data) {
    if (!this.socket.awaits(type, data)) this.socket.send(type, data);
  }

  /** Skip ahead, also past a count of which nothing can be missed: "Continue" asks nothing else. */
  advance() {
    this.playback.advance();
    const state = this.store.get();
    const asked = requiredAction(state).kind === "answer" && !state.sending;
    if (asked && !mayHaveMissed(state)) this.act("pass", {});
  }

  /** @param {PanelName | null} panel */
  open(panel) {
    this.store.set({ panel });
    if (panel && !this.store.get().wide) this.chat.open(false);
  }

  /**
   * Request the log of an earlier game.
   * @param {number} game
   */
  recall(game) {
    this.socket.send("history", { game });
  }

  /** @param {boolean} open */
  openChat(open) {
    if (open && !this.store.get().wide) this.store.set({ panel: null });
    this.chat.open(open);
  }

  /**
   * Send a chat line: `{phrase}` or `{text}`.
   * @param {ChatWords} words
   */
  say(words) {
    this.chat.say(words);
  }

  /**
   * Use preferences, which may have been set in another tab.
   * @param {Settings} settings
   */
  take(settings) {
    preferences.apply(settings);
    this.store.set({ settings });
  }

  /**
   * Keep the chat line that is being written.
   * @param {string} text
   */
  write(text) {
    this.chat.write(text);
  }

  /** @param {Partial<Settings>} change */
  set(change) {
    const settings = { ...this.store.get().settings, ...change };
    preferences.save(settings);
    this.take(settings);
    if ("volume" in change) this.sounds.play("peg"); // lets the player hear the new volume
  }
}
