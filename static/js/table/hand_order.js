/* The order of the cards in the player's hand. Pure. */

/** @import { Card } from "../net/messages.js" */
/** @import { Settings } from "./types.js" */

const RANKS = "A23456789TJQK";

/**
 * @param {Card[]} cards
 * @param {Settings["sort"]} sort
 */
export function ordered(cards, sort) {
  if (sort !== "rank") return cards;
  return [...cards].sort(
    (a, b) => RANKS.indexOf(a[0]) - RANKS.indexOf(b[0]) || (a[1] < b[1] ? -1 : 1),
  );
}

/**
 * The cards chosen after a tap on `card`: a second tap removes it, one too many drops the oldest.
 * @param {Card[]} chosen
 * @param {Card} card
 * @param {number} most
 */
export function toggled(chosen, card, most) {
  if (chosen.includes(card)) return chosen.filter((other) => other !== card);
  return [...chosen, card].slice(-most);
}
