/* Phrases of a count as spoken at the table: "fifteen two, fifteen four, and a pair is six". */

import { gettext, numberWord } from "./translations.js";

/** @import { Part, PartKind } from "../net/messages.js" */
/** @import { CountLine } from "../table/types.js" */

/** @type {Record<Exclude<PartKind, "thirty_one">, () => string>} */
const MIDDLE = {
  fifteen: () => gettext("fifteen %(total)s"),
  pair: () => gettext("a pair is %(total)s"),
  pair_royal: () => gettext("a pair royal is %(total)s"),
  double_pair_royal: () => gettext("a double pair royal is %(total)s"),
  run: () => gettext("a run of %(length)s is %(total)s"),
  flush: () => gettext("a flush is %(total)s"),
  nobs: () => gettext("his nob is %(total)s"),
};

/** @type {Record<Exclude<PartKind, "thirty_one">, () => string>} */
const LAST = {
  fifteen: () => gettext("and fifteen %(total)s"),
  pair: () => gettext("and a pair is %(total)s"),
  pair_royal: () => gettext("and a pair royal is %(total)s"),
  double_pair_royal: () => gettext("and a double pair royal is %(total)s"),
  run: () => gettext("and a run of %(length)s is %(total)s"),
  flush: () => gettext("and a flush is %(total)s"),
  nobs: () => gettext("and one for his nob is %(total)s"),
};

/**
 * The lines of a count, in the order of `parts`.
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
  for (const [at, part] of parts.entries()) {
    total += part.points;
    const out = total >= room;
    const last = at > 0 && (at === parts.length - 1 || out);
    const phrases = last ? LAST : MIDDLE;
    const words = phrases[/** @type {keyof typeof phrases} */ (part.kind)]()
      .replace("%(total)s", numberWord(total))
      .replace("%(length)s", numberWord(part.cards.length));
    lines.push({ text: words, cards: part.cards, points: part.points, total, out });
    if (out) break;
  }
  return lines;
}

/**
 * The whole count in one sentence, for the log and the screen reader.
 * @param {Part[]} parts
 * @param {number} [room]
 */
export function countSentence(parts, room) {
  if (!parts.length) return gettext("nineteen: nothing");
  return countLines(parts, room)
    .map((line) => line.text)
    .join(", ");
}

/** @type {Record<PartKind, () => string>} */
const REASONS = {
  fifteen: () => gettext("fifteen"),
  thirty_one: () => gettext("thirty-one"),
  pair: () => gettext("pair"),
  pair_royal: () => gettext("pair royal"),
  double_pair_royal: () => gettext("double pair royal"),
  run: () => gettext("run of %(length)s"),
  flush: () => gettext("flush"),
  nobs: () => gettext("nobs"),
};

/**
 * The reason why a card earned points in the play: "fifteen and pair".
 * @param {Part[]} parts
 */
export function playReason(parts) {
  return parts
    .map((part) => REASONS[part.kind]().replace("%(length)s", String(part.cards.length)))
    .join(gettext(" and "));
}

/**
 * The parts with equal kinds added up, for the log: "fifteen (4), run of 3 (6)".
 * @param {Part[]} parts
 */
export function partsSummary(parts) {
  const groups = new Map();
  for (const part of parts) {
    const name = REASONS[part.kind]().replace("%(length)s", String(part.cards.length));
    groups.set(name, (groups.get(name) ?? 0) + part.points);
  }
  return [...groups].map(([name, points]) => `${name} (${points})`).join(", ");
}
