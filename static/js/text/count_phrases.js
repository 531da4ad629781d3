/* Counts in words, as spoken at the table: "fifteen two, fifteen four, and a pair is six". The server puts
   the same words together in games/text/count_phrases.py. */

import { CALLS, NAMES, NUMBERS, SEVERAL_RUNS } from "./count_table.js";
import { fill, gettext } from "./translations.js";

/** @import { Part } from "../net/messages.js" */
/** @import { CountLine } from "../table/types.js" */

/** How counts are called here: `each` calls every run and pair by itself, as beginners count. */
const manner = { each: false };

/** @param {boolean} each */
export function callEach(each) {
  manner.each = each;
}

/**
 * A number from 0 to 31 in words; other numbers in figures.
 * @param {number} number
 */
export function numberWord(number) {
  return NUMBERS[number]?.() ?? String(number);
}

/**
 * The lines of a count, in the order of `parts`. Several runs and their pairs are one line, such as a
 * double run, unless the player wants each by itself.
 *
 * `room` is the number of points the player still needs: the count stops with the line that reaches it.
 * Each line has its words, cards, points and the total so far.
 * @param {Part[]} parts
 * @param {number} [room]
 * @returns {CountLine[]}
 */
export function countLines(parts, room = Number.POSITIVE_INFINITY) {
  /** @type {CountLine[]} */
  const lines = [];
  let total = 0;
  const groups = grouped(parts);
  for (const [at, { kind, parts: together }] of groups.entries()) {
    const points = together.reduce((sum, part) => sum + part.points, 0);
    total += points;
    const out = total >= room;
    const last = at > 0 && (at === groups.length - 1 || out);
    const text = fill(last ? CALLS[kind].last() : CALLS[kind].said(), {
      total: numberWord(total),
      size: sizeOf(together),
    });
    const cards = [...new Set(together.flatMap((part) => part.cards))];
    lines.push({ text, cards, points, total, out });
    if (out) break;
  }
  return lines;
}

/**
 * The parts of each line with its kind. With several runs, all pairs belong to them.
 * @param {Part[]} parts
 * @returns {{ kind: string, parts: Part[] }[]}
 */
function grouped(parts) {
  const runs = parts.filter((part) => part.kind === "run");
  if (manner.each || runs.length < 2)
    return parts.map((part) => ({ kind: part.kind, parts: [part] }));
  const together = parts.filter((part) => part.kind === "run" || part.kind.includes("pair"));
  return parts
    .filter((part) => part === together[0] || !together.includes(part))
    .map((part) =>
      part === together[0]
        ? { kind: SEVERAL_RUNS[runs.length], parts: together }
        : { kind: part.kind, parts: [part] },
    );
}

/**
 * The number of cards of a run, or of the last of `parts`, in words.
 * @param {Part[]} parts
 */
function sizeOf(parts) {
  return numberWord(parts[parts.length - 1].cards.length);
}

/**
 * The whole count in one sentence, for the log and the screen reader; "nothing" without points.
 * @param {Part[]} parts
 * @param {number} [room]
 */
export function countSentence(parts, room) {
  if (!parts.length) return numberWord(0);
  return countLines(parts, room)
    .map((line) => line.text)
    .join(", ");
}

/**
 * The reason why a card earned points in the play: "fifteen and a pair".
 * @param {Part[]} parts
 */
export function playReason(parts) {
  return parts
    .map((part) => fill(NAMES[part.kind](), { size: sizeOf([part]) }))
    .join(gettext(" and "));
}
