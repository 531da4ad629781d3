/* Events in words: for the score log, the bubbles at the seats and the screen reader. */

import { cardName, cardSign } from "./card_names.js";
import { countSentence, playReason } from "./count_phrases.js";
import { leftBy, nameList, nameWithin, plainName, seatName } from "./seat_names.js";
import { gettext, ngettext } from "./translations.js";

/** @import { Card, GameEvent, GameWonEvent, MuggedEvent, View } from "../net/messages.js" */
/** @import { Named, Say } from "../table/types.js" */

/**
 * A line of the score log: a heading, a note, or what a seat did and the points for it.
 * @typedef {object} LogLine
 * @property {string} text
 * @property {string} [head]
 * @property {number} [seat]
 * @property {number} [points]
 */

const SKUNK = () => [gettext("no skunk"), gettext("skunk"), gettext("double skunk")];

/** @param {number} number */
export function points(number) {
  return ngettext("%(n)s point", "%(n)s points", number);
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * What is said of a player from whom the win was claimed; null if it was not.
 * @param {Named} state
 */
function claimText({ table }) {
  switch (table?.claimed) {
    case "idle":
      return gettext("stopped playing; the win was claimed");
    case "late":
      return gettext("ran out of time; the win was claimed");
    case "absent":
      return gettext("was away; the win was claimed");
    default:
      return null;
  }
}

/**
 * An event's line in the score log; null for an event that is not logged.
 * @param {Named} state
 * @param {GameEvent} event
 * @returns {LogLine | null}
 */
export function logLine(state, event) {
  const make = /** @type {((event: GameEvent, state: Named) => LogLine | null) | undefined} */ (
    LINES[event.e]
  );
  return make ? make(event, state) : null;
}

/**
 * Languages differ in the space before a colon.
 * @param {string} name
 * @param {string} words
 */
export function labelled(name, words) {
  return gettext("%(name)s: %(words)s", { name, words });
}

/** @type {{ [E in GameEvent as E["e"]]?: (event: E, state: Named) => LogLine | null }} */
const LINES = {
  cut: (event, state) => ({
    text:
      event.dealer === null
        ? gettext("Cut for the deal: %(cards)s; tie, cut again", {
            cards: signs(event.cards),
          })
        : gettext("Cut for the deal: %(cards)s; %(name)s to deal", {
            cards: signs(event.cards),
            name: nameWithin(state, event.dealer),
          }),
  }),
  dealt: (event, state) => ({
    head: gettext("Hand %(n)s", { n: event.hand }),
    text: gettext("%(name)s to deal", { name: seatName(state, event.dealer) }),
  }),
  starter: (event) => ({ text: gettext("Starter %(card)s", { card: cardSign(event.card) }) }),
  heels: (event) => ({ seat: event.seat, text: gettext("his heels"), points: event.points }),
  played(event) {
    const reason = event.parts.length ? playReason(event.parts) : "";
    const worth = event.parts.reduce((sum, part) => sum + part.points, 0) || event.points;
    const claimed = claimWords(event.claimed, worth);
    const why = [reason, claimed].filter(Boolean).join(", ");
    const text = `${cardSign(event.card)} → ${event.count}${why ? ` · ${why}` : ""}`;
    return { seat: event.seat, text, points: event.points };
  },
  go: (event) => ({
    seat: event.seat,
    text: gettext("go at %(n)s", { n: event.count }),
    points: 0,
  }),
  count_ended(event) {
    if (!event.points) return null;
    const text = event.reason === "last_card" ? gettext("last card") : gettext("go");
    return { seat: event.seat, text, points: event.points };
  },
  counted(event) {
    const what = event.item === "crib" ? gettext("crib") : gettext("hand");
    const parts = event.parts.length ? countSentence(event.parts) : "";
    const claim = claimWords(event.claimed, event.total);
    const why = [parts, claim].filter(Boolean).join("; ");
    const cards = event.cards.map(cardSign).join(" ");
    const text = `${what} ${cards}${why ? ` · ${why}` : ""}`;
    return { seat: event.seat, text, points: event.points };
  },
  mugged: (event, state) => ({
    seat: event.seat,
    text: muggedText(state, event),
    points: event.points,
  }),
  missed: (event) => ({
    seat: event.seat,
    text: gettext("missed %(n)s", { n: event.points }),
    points: 0,
  }),
  resigned: (event, state) => ({
    seat: event.seat,
    text: claimText(state) ?? gettext("resigned"),
    points: 0,
  }),
  game_won: (event, state) => ({
    head: leftBy(state, event.winner)
      ? gettext("The computer finished the game")
      : gettext("%(name)s won the game", { name: seatName(state, event.winner) }),
    text: `${event.scores.join(" – ")}${skunkWord(event)}`,
  }),
};

/**
 * What was claimed, where that is not what the cards are worth; an open claim is what was scored.
 * @param {number | null} claimed
 * @param {number | null} worth - null while a claim is open to the others
 */
function claimWords(claimed, worth) {
  if (claimed === null || worth === null || claimed === worth) return "";
  return gettext("claimed %(n)s", { n: claimed });
}

/**
 * @param {Named} state
 * @param {MuggedEvent} event
 */
function muggedText(state, { points: taken, victim }) {
  if (!taken) return gettext("Muggins! Nothing missed");
  return victim === state.view?.seat
    ? gettext("muggins from you")
    : gettext("muggins from %(name)s", { name: plainName(state, victim) });
}

/** @param {(Card | null)[]} cards */
function signs(cards) {
  return cards
    .filter((card) => card !== null)
    .map(cardSign)
    .join(" · ");
}

/** @param {GameWonEvent} event */
function skunkWord(event) {
  const worst = Math.max(...event.skunks);
  return worst ? ` · ${SKUNK()[worst]}` : "";
}

/**
 * The text of a seat's bubble.
 * @param {Say} say
 */
export function sayText(say) {
  const make = /** @type {(say: Say) => string} */ (SAYS[say.kind]);
  return make(say);
}

/** @type {{ [K in Say["kind"]]: (say: Extract<Say, { kind: K }>) => string }} */
const SAYS = {
  points: ({ points: n, parts }) =>
    parts.length
      ? gettext("%(why)s for %(n)s", { why: playReason(parts), n })
      : ngettext("%(n)s point", "%(n)s points", n),
  go: () => gettext("Go"),
  go_point: ({ points: n }) => gettext("Go · %(n)s for last", { n }),
  last_card: ({ points: n }) => gettext("Last card · %(n)s", { n }),
  thirty_one: () => gettext("Thirty-one"),
  heels: ({ points: n }) => gettext("His heels · %(n)s", { n }),
  mugged: ({ points: n }) =>
    n ? gettext("Muggins! %(n)s", { n }) : gettext("Muggins! Nothing missed"),
  missed: ({ points: n }) => gettext("Missed %(n)s", { n }),
};

/**
 * The sentence for a screen reader about an event; "" for none.
 * @param {Named} state
 * @param {GameEvent} event
 * @returns {string}
 */
export function spoken(state, event) {
  const make = /** @type {((event: GameEvent, state: Named) => string) | undefined} */ (
    SPOKEN[event.e]
  );
  return make ? make(event, state) : "";
}

/** @type {{ [E in GameEvent as E["e"]]?: (event: E, state: Named) => string }} */
const SPOKEN = {
  cut(event, state) {
    const cuts = event.cards
      .map((card, seat) => (card ? labelled(seatName(state, seat), cardName(card)) : ""))
      .filter(Boolean)
      .join("; ");
    const end =
      event.dealer === null
        ? gettext("Tie: cut again.")
        : gettext("%(name)s to deal.", { name: seatName(state, event.dealer) });
    return `${gettext("Cut for the deal.")} ${cuts}. ${end}`;
  },
  dealt: (event, state) =>
    gettext("Hand %(n)s. Dealer: %(name)s.", {
      n: event.hand,
      name: nameWithin(state, event.dealer),
    }),
  discarded: (event, state) =>
    ngettext("%(name)s threw %(n)s card.", "%(name)s threw %(n)s cards.", event.number, {
      name: seatName(state, event.seat),
    }),
  starter: (event) => gettext("The starter is the %(card)s.", { card: cardName(event.card) }),
  heels: (event, state) =>
    gettext("His heels: 2 for %(name)s.", { name: nameWithin(state, event.seat) }),
  played(event, state) {
    const name = seatName(state, event.seat);
    const first = gettext("%(name)s played the %(card)s. Count %(count)s.", {
      name,
      card: cardName(event.card),
      count: event.count,
    });
    if (!event.points) return first;
    const why = event.parts.length ? `${capital(playReason(event.parts))}, ` : "";
    return `${first} ${why}${points(event.points)}.`;
  },
  go: (event, state) => gettext("%(name)s: go.", { name: seatName(state, event.seat) }),
  count_ended(event, state) {
    const name = nameWithin(state, event.seat);
    if (event.reason === "thirty_one") return gettext("Thirty-one. The count starts again.");
    if (event.reason === "go") return gettext("Go: 1 for %(name)s.", { name });
    return gettext("Last card: 1 for %(name)s.", { name });
  },
  counted(event, state) {
    const name = seatName(state, event.seat);
    const what = event.item === "crib" ? gettext("crib") : gettext("hand");
    const words = event.total === null ? "" : `${capital(countSentence(event.parts))}. `;
    const shown = labelled(`${name}, ${what}`, event.cards.map(cardName).join(", "));
    return `${shown}. ${words}${points(event.points)}.`;
  },
  mugged(event, state) {
    const name = seatName(state, event.seat);
    if (!event.points) {
      return gettext("%(name)s: %(words)s", { name, words: gettext("Muggins! Nothing missed") });
    }
    return gettext("Muggins: %(n)s for %(name)s.", {
      n: event.points,
      name: nameWithin(state, event.seat),
    });
  },
  missed: (event, state) =>
    gettext("%(name)s missed %(n)s.", { name: seatName(state, event.seat), n: event.points }),
  resigned(event, state) {
    const name = plainName(state, event.seat);
    const words = claimText(state);
    if (words) return gettext("%(name)s: %(words)s", { name, words });
    return gettext("%(name)s resigned.", { name });
  },
  game_won(event, state) {
    const others = event.scores.filter((_, seat) => seat !== event.winner).sort((a, b) => b - a);
    const scores = [event.scores[event.winner], ...others].join(gettext(" to "));
    if (leftBy(state, event.winner))
      return gettext("The computer finished the game, %(scores)s.", { scores });
    const name = seatName(state, event.winner);
    return gettext("%(name)s won the game, %(scores)s.", { name, scores });
  },
};

/**
 * A summary after a reconnect: "count 22, your turn, Ann played 7♣". `before` is the last view before it.
 * @param {Named & { view: View, before: View | null }} state
 */
export function recap(state) {
  const { view, before } = state;
  if (view.phase === "over") return gettext("the match is over");
  const playing = view.phase === "play";
  const facts = [];
  if (before && (before.game !== view.game || before.hand !== view.hand)) {
    facts.push(gettext("hand %(n)s", { n: view.hand }));
  }
  if (playing) facts.push(gettext("count %(n)s", { n: view.count }));
  if (view.seat !== null && view.waiting.includes(view.seat)) facts.push(gettext("your turn"));
  else if (!playing && before?.v !== view.v && view.waiting.length) {
    facts.push(gettext("waiting for %(names)s", { names: nameList(state, view.waiting) }));
  }
  // Not from the log: the card may still have to be played back.
  const [seat, card] = view.pile.at(-1) ?? [];
  if (playing && card !== undefined && seat !== undefined && seat !== view.seat) {
    const name = plainName(state, seat);
    facts.push(gettext("%(name)s played %(card)s", { name, card: cardSign(card) }));
  }
  return facts.length ? facts.join(", ") : gettext("nothing has changed");
}
