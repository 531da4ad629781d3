/* Tells the player, in words and sounds, what happens to the seats of the table. */

import { gettext } from "../text/translations.js";
import { isAskedToPlay, stillThere } from "./absent_players.js";
import { fellThrough, invitation } from "./after_match.js";
import { arrivedName, seatNews } from "./arrivals.js";
import { lostSeat, requiredAction } from "./required_action.js";

/** @import { Announcer } from "../access/announcer.js" */
/** @import { Sounds } from "../access/sounds.js" */
/** @import * as Wire from "../net/messages.js" */
/** @import { Store } from "../ui/store.js" */
/** @import { Notices } from "./notices.js" */
/** @import { TableState } from "./types.js" */

export class SeatAnnouncer {
  /**
   * @param {object} parts
   * @param {Store<TableState>} parts.store
   * @param {Announcer} parts.announcer
   * @param {Sounds} parts.sounds
   * @param {Notices} parts.notices
   */
  constructor({ store, announcer, sounds, notices }) {
    this.store = store;
    this.announcer = announcer;
    this.sounds = sounds;
    this.notices = notices;
  }

  /**
   * Call back a host who waits in another tab; the title stays until they look or have to act.
   * @param {Wire.Table | null} before
   * @param {Wire.Table} now
   */
  arrival(before, now) {
    const name = arrivedName(before, now);
    if (!name) return;
    const text = gettext("%(name)s sat down", { name });
    this.announcer.say(text);
    this.call(text);
  }

  /**
   * Call a player, also one who looks at another tab: the title says why until they look or have to act.
   * @param {string} text
   */
  call(text) {
    this.sounds.play("join");
    if (globalThis.document?.hidden) this.store.set({ news: text });
  }

  /**
   * Tell the player at once that they have lost their seat for good, or what happened to the others'.
   * @param {Wire.Table | null} before
   * @param {Wire.Table} now
   */
  changed(before, now) {
    const own = now.seats[now.you ?? -1]?.left;
    if (own && before && !before.seats[now.you ?? -1]?.left) {
      this.store.set({ chosen: [], ahead: null });
      this.announcer.insist(lostSeat(own, now.seats.length));
      this.sounds.play("short");
    }
    if (!own && isPlayedFor(now) && before && !isPlayedFor(before)) {
      this.announcer.insist(requiredAction(this.store.get()).title);
    }
    const { view, chat } = this.store.get();
    // The result itself announces it.
    const wish =
      before && view && invitation({ table: before, view, chat }, { table: now, view, chat });
    if (wish) this.call(wish);
    if (before && view && fellThrough({ table: before, view }, { table: now, view })) {
      this.notices.tell(gettext("The rematch couldn't start. Ask again."), "bad");
    }
    for (const text of seatNews(before, now)) this.notices.tell(text, "said");
    this.callBack(before, now);
  }

  /**
   * Ask a player who has not acted for long whether they are there, once.
   * @param {Wire.Table | null} before
   * @param {Wire.Table} now
   */
  callBack(before, now) {
    if (isAskedToPlay(before) || !isAskedToPlay(now)) return;
    this.announcer.insist(stillThere(this.store.get()) ?? "");
    this.sounds.play("short");
  }
}

/**
 * Whether a computer plays for the player themselves.
 * @param {Wire.Table} table
 */
function isPlayedFor({ seats, you }) {
  return Boolean(seats[you ?? -1]?.stand_in);
}
