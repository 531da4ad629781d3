/* The address of a position: match, game and hand, step and part, and from which side. Pure. */

/** `/matches/<id>/<game>.<hand>/<step>.<part>/?side=1&open=1`; what is usual is left out. */
export function addressOf(data, position, { side, open }) {
  const { game, hand } = data.hands[position.hand];
  const part = position.part ? `.${position.part}` : "";
  const query = new URLSearchParams();
  if (side !== (data.own ?? 0)) query.set("side", side);
  if (open) query.set("open", 1);
  const asked = query.size ? `?${query}` : "";
  return `/matches/${data.match}/${game}.${hand}/${position.step}${part}/${asked}`;
}

/** From which side the address looks, and whether all hands are turned up. */
export function lookOf(search, data) {
  const query = new URLSearchParams(search);
  const seat = Number(query.get("side") ?? Number.NaN);
  const known = Number.isInteger(seat) && seat >= 0 && seat < data.seats.length;
  return { side: known ? seat : (data.own ?? 0), open: query.get("open") === "1" };
}
