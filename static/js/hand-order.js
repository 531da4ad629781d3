/* The order in which own cards stand. Pure. */

const RANKS = "A23456789TJQK";

export function ordered(cards, sort) {
  if (sort !== "rank") return cards;
  return [...cards].sort(
    (a, b) => RANKS.indexOf(a[0]) - RANKS.indexOf(b[0]) || (a[1] < b[1] ? -1 : 1),
  );
}

/** The cards chosen after a tap on `card`: a tap again takes it back, one too many drops the oldest. */
export function toggled(chosen, card, most) {
  if (chosen.includes(card)) return chosen.filter((other) => other !== card);
  return [...chosen, card].slice(-most);
}
