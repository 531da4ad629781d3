/* The game record as it grows: each answer of the server says what comes next, and what was picked is
   put there. Pure; the rules are the server's. */

/** A record without a hand. */
export function begun({ players, target, first_dealer }) {
  return { players, target, first_dealer, hands: [] };
}

/** The record with `cards` where `asked` wanted them. */
export function added(record, asked, cards) {
  const hands = [...record.hands];
  const at = asked.hand - 1;
  const hand = hands[at] ?? emptyHand(record.players, asked.dealer);
  hands[at] = put(hand, asked, cards);
  return { ...record, hands };
}

function emptyHand(players, dealer) {
  const each = () => Array.from({ length: players }, () => []);
  return { dealer, dealt: each(), crib_card: null, discards: each(), starter: null, plays: [] };
}

function put(hand, { need, seat }, cards) {
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

/** What can be stored: a deal that is not whole is left out. */
export function storable(record, asked) {
  const dealing = asked.need === "dealt" || asked.need === "crib_card";
  return dealing ? { ...record, hands: record.hands.slice(0, asked.hand - 1) } : record;
}

/** What is wrong with what was typed: a text that is no card, or cards that cannot be; else null. */
export function wrong(cards, asked) {
  if (cards === null) return { kind: "no card" };
  const twice = cards.find((card, at) => cards.indexOf(card) !== at);
  if (twice) return { kind: "twice", card: twice };
  const not = cards.find((card) => !asked.cards.includes(card));
  if (not) return { kind: asked.left.includes(not) ? "not held" : "gone", card: not };
  if (cards.length > asked.number) return { kind: "too many" };
  return null;
}
