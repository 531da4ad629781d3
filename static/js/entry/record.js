/* The game record as it grows: the server says what comes next, and the picked cards go there. Pure;
   only the server knows the rules. */

/** @import { Asked, GameRecord, HandRecord, Problem, Rules } from "./types.js" */
/** @import { Card, Seat } from "../net/messages.js" */

/**
 * A record without a hand.
 * @param {Rules} props
 * @returns {GameRecord}
 */
export function begun({ players, target, first_dealer }) {
  return { players, target, first_dealer, hands: [] };
}

/**
 * The record with `cards` where `asked` wanted them.
 * @param {GameRecord} record
 * @param {Asked} asked
 * @param {Card[]} cards
 * @returns {GameRecord}
 */
export function added(record, asked, cards) {
  const hands = [...record.hands];
  const at = asked.hand - 1;
  const hand = hands[at] ?? emptyHand(record.players, asked.dealer);
  hands[at] = put(hand, asked, cards);
  return { ...record, hands };
}

/**
 * @param {number} players
 * @param {Seat} dealer
 * @returns {HandRecord}
 */
function emptyHand(players, dealer) {
  const each = () => Array.from({ length: players }, () => []);
  return { dealer, dealt: each(), crib_card: null, discards: each(), starter: null, plays: [] };
}

/**
 * @param {HandRecord} hand
 * @param {Asked} props
 * @param {Card[]} cards
 * @returns {HandRecord}
 */
function put(hand, { need, seat }, cards) {
  /** @param {Card[][]} lists */
  const joined = (lists) => lists.map((list, at) => (at === seat ? [...list, ...cards] : list));
  switch (need) {
    case "dealt":
      return { ...hand, dealt: joined(hand.dealt) };
    case "discard":
      return { ...hand, discards: joined(hand.discards) };
    case "crib_card":
      return { ...hand, crib_card: cards[0] };
    case "starter":
      return { ...hand, starter: cards[0] };
    default:
      return { ...hand, plays: [...hand.plays, [seat, cards[0]]] };
  }
}

/**
 * The record without its last step, which needs no memory of earlier records: it is the same after a
 * reload.
 * @param {GameRecord} record
 * @returns {GameRecord}
 */
export function shorter(record) {
  const hands = [...record.hands];
  const last = hands.pop();
  const hand = last && without(last);
  return { ...record, hands: hand ? [...hands, hand] : hands };
}

/**
 * A hand without its last step; null if that was its first.
 * @param {HandRecord} hand
 * @returns {HandRecord | null}
 */
function without(hand) {
  if (hand.plays.length) return { ...hand, plays: hand.plays.slice(0, -1) };
  if (hand.starter) return { ...hand, starter: null };
  const discards = lastTaken(hand.discards, hand.dealer);
  if (discards) return { ...hand, discards };
  if (hand.crib_card) return { ...hand, crib_card: null };
  const dealt = lastTaken(hand.dealt, hand.dealer);
  return dealt?.some((cards) => cards.length) ? { ...hand, dealt } : null;
}

/**
 * Cards by seat without those of the last seat that has any, counted from the dealer's left; null
 * if no seat has.
 * @param {Card[][]} lists
 * @param {Seat} dealer
 */
function lastTaken(lists, dealer) {
  const clockwise = lists.map((_, step) => (dealer + 1 + step) % lists.length);
  const last = clockwise.reverse().find((seat) => lists[seat].length);
  return last === undefined ? null : lists.map((cards, seat) => (seat === last ? [] : cards));
}

/**
 * The part that can be stored: without an incomplete deal.
 * @param {GameRecord} record
 * @param {Asked} asked
 */
export function storable(record, asked) {
  const dealing = asked.need === "dealt" || asked.need === "crib_card";
  return dealing ? { ...record, hands: record.hands.slice(0, asked.hand - 1) } : record;
}

/**
 * The problem with what was typed (no card, or cards that are not possible), or null.
 * @param {Card[] | null} cards
 * @param {Asked} asked
 * @returns {Problem | null}
 */
export function wrong(cards, asked) {
  if (cards === null) return { kind: "no card" };
  const twice = cards.find((card, at) => cards.indexOf(card) !== at);
  if (twice) return { kind: "twice", card: twice };
  const not = cards.find((card) => !asked.cards.includes(card));
  if (not) return { kind: asked.left.includes(not) ? "not held" : "gone", card: not };
  if (cards.length > asked.number) return { kind: "too many" };
  return null;
}
