/* Who sat down at a table that waits for players: a ping, a sentence, and the tab's title. */

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
