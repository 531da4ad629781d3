/* How a count is said at the table: "fifteen two, fifteen four, and a pair is six". */

import { gettext, numberWord } from "./texts.js";

const MIDDLE = {
  fifteen: () => gettext("fifteen %(total)s"),
  pair: () => gettext("a pair is %(total)s"),
  pair_royal: () => gettext("a pair royal is %(total)s"),
  double_pair_royal: () => gettext("a double pair royal is %(total)s"),
  run: () => gettext("a run of %(length)s is %(total)s"),
  flush: () => gettext("a flush is %(total)s"),
  nobs: () => gettext("his nob is %(total)s"),
};

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
 * `room` is how many points the player still needs: the count stops with the line that reaches it.
 * Each line: its words, its cards, its points and the total so far.
 */
export function countLines(parts, room = Number.POSITIVE_INFINITY) {
  const lines = [];
  let total = 0;
  for (const [at, part] of parts.entries()) {
    total += part.points;
    const out = total >= room;
    const last = at > 0 && (at === parts.length - 1 || out);
    const words = (last ? LAST : MIDDLE)
      [part.kind]()
      .replace("%(total)s", numberWord(total))
      .replace("%(length)s", numberWord(part.cards.length));
    lines.push({ text: words, cards: part.cards, points: part.points, total, out });
    if (out) break;
  }
  return lines;
}

/** The whole count in one sentence, for the log and the screen reader. */
export function countSentence(parts, room) {
  if (!parts.length) return gettext("nineteen: nothing");
  return countLines(parts, room)
    .map((line) => line.text)
    .join(", ");
}

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

/** Why a card earned points in the play: "fifteen and pair". */
export function playReason(parts) {
  return parts
    .map((part) => REASONS[part.kind]().replace("%(length)s", String(part.cards.length)))
    .join(gettext(" and "));
}

/** Equal kinds added up, for the log: "fifteen (4), run of 3 (6)". */
export function partsSummary(parts) {
  const groups = new Map();
  for (const part of parts) {
    const name = REASONS[part.kind]().replace("%(length)s", String(part.cards.length));
    groups.set(name, (groups.get(name) ?? 0) + part.points);
  }
  return [...groups].map(([name, points]) => `${name} (${points})`).join(", ");
}
