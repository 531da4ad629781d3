/* Who sat down at a table that waits for players, and who leaves a match or comes back. Pure. */

import { plainName } from "../text/seat_names.js";
import { gettext } from "../text/translations.js";

/** @import { Table } from "../net/messages.js" */

/**
 * The name of the person who has just taken a seat; null if nobody has, or only oneself.
 * @param {Table | null} before
 * @param {Table} now
 */
export function arrivedName(before, now) {
  if (!before) return null;
  for (const { seat, name, kind } of now.seats) {
    const was = before.seats[seat];
    if (name && was && !was.name && seat !== now.you && kind !== "computer") return name;
  }
  return null;
}

/**
 * What happened to the others' seats: a player has left for good, or a computer plays for one who is
 * away, or they are back.
 * @param {Table | null} before
 * @param {Table} now
 */
export function seatNews(before, now) {
  /** @type {string[]} */
  const news = [];
  for (const { seat, left, stand_in: substitute, online } of now.seats) {
    const was = before?.seats[seat];
    if (!was || seat === now.you) continue;
    const name = plainName({ table: now }, seat);
    const lost = left && !was.left;
    const playing = now.status === "playing";
    if (lost && isWonBy(now)) {
      news.push(
        left === "timed_out"
          ? gettext(
              "%(name)s ran out of time, so you win. The computer plays the game to the end.",
              { name },
            )
          : gettext("%(name)s left, so you win. The computer plays the game to the end.", { name }),
      );
    } else if (lost && left === "timed_out") {
      news.push(gettext("%(name)s ran out of time. The computer plays on.", { name }));
    } else if (!lost && online && playing && substitute && !was.stand_in) {
      news.push(gettext("The computer is playing for %(name)s now.", { name }));
    } else if (lost || (playing && substitute && !was.stand_in)) {
      news.push(gettext("%(name)s left. The computer plays on.", { name }));
    } else if (playing && was.stand_in && !substitute) {
      news.push(gettext("%(name)s is back.", { name }));
    }
  }
  return news;
}

/**
 * Whether the reader wins this game when another leaves it for good: with two seats, who stays does.
 * @param {Table} table
 */
function isWonBy({ seats, you }) {
  return seats.length === 2 && you !== null && !seats[you]?.left;
}
