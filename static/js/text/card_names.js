/* Names of cards: in words, and as signs for buttons and the log. */

import { CARD, RANKS, SUITS } from "./count_table.js";
import { fill } from "./translations.js";

/** @import { Card } from "../net/messages.js" */

/** @type {Record<string, string>} */
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };

/**
 * "5H" -> "five of hearts".
 * @param {Card} card
 */
export function cardName(card) {
  return fill(CARD(), { rank: RANKS[card[0]](), suit: SUITS[card[1]]() });
}

/** @param {Card[]} cards */
export function cardNames(cards) {
  return cards.map(cardName).join(", ");
}

/**
 * "TH" -> "10♥", for buttons and the log.
 * @param {Card} card
 */
export function cardSign(card) {
  return (card[0] === "T" ? "10" : card[0]) + SIGNS[card[1]];
}
