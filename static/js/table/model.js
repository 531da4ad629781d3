/* The model of what the table shows: events change it one by one, and the server's views correct it.
   Pure: models are immutable, each step makes a new one. The browser has no rules: scores, counts and
   legal moves come from the server. */

import { countLines } from "../text/count_phrases.js";

/** @typedef {(model: Model, event: GameEvent, context: Context) => Model} Change */
/** @import { Context, LogEntry, Model, Play, ShownCount } from "./types.js" */
/** @import { Card, CountedEvent, CutEvent, DealtEvent, GameEvent, History, Seat, View } from "../net/messages.js" */

/** @type {Record<number, number>} */
const START_CARDS = { 2: 6, 3: 5 };

/**
 * @param {number} players
 * @returns {Model}
 */
export function emptyModel(players) {
  const zeros = Array(players).fill(0);
  return {
    players,
    me: null,
    phase: "cut",
    game: 0,
    hand: 0,
    dealer: null,
    pone: null,
    scores: zeros,
    trailing: zeros,
    matchPoints: zeros,
    results: [],
    mine: [],
    sizes: zeros,
    discarded: Array(players).fill(false),
    thrown: [],
    cribSize: 0,
    starter: null,
    plays: [],
    run: 0,
    count: 0,
    gos: Array(players).fill(false),
    cut: null,
    show: null,
    counted: [],
    lastCounted: [],
    says: {},
    log: [],
    won: null,
    over: null,
  };
}

/**
 * The model of a view. `before` supplies what the view of a step leaves out: the log.
 * @param {View} view
 * @param {Model | null} before
 * @returns {Model}
 */
export function fromView(view, before) {
  const players = view.scores.length;
  const whole = view.events !== undefined;
  let model = whole || !before ? emptyModel(players) : before;
  const context = { view };
  if (whole) {
    for (const event of [...cutEvents(view), ...gameEvents(view)]) {
      model = applyEvent(model, event, context);
    }
    // The log of earlier games stays: a view has only the game in progress.
    const kept = (before?.log ?? []).filter((entry) => entry.game < view.game);
    model = { ...model, log: [...kept, ...model.log] };
  }
  const sameHand = view.hand === model.hand && view.game === model.game;
  const plays = sameHand ? agreed(model.plays, view) : rebuilt(view);
  model = {
    ...model,
    me: view.seat,
    phase: view.phase,
    game: view.game,
    hand: view.hand,
    dealer: view.dealer,
    pone: view.pone,
    scores: view.scores,
    trailing: view.trailing,
    matchPoints: view.match_points,
    results: view.results,
    mine: view.cards,
    sizes: view.hand_sizes,
    discarded: view.discarded,
    thrown: view.thrown,
    cribSize: view.crib_size,
    starter: view.starter,
    plays,
    run: plays.length && view.pile.length ? lastRun(plays) : nextRun(plays),
    count: view.count,
    gos: view.gos,
    says: {},
  };
  if (view.phase !== "cut") model.cut = model.hand ? null : model.cut;
  model.show = shownCount(model, view);
  if (view.phase !== "over" && view.phase !== "deal") {
    model.won = null;
    model.over = null;
  }
  return model;
}

/**
 * The number of the newest game whose log is missing, or null.
 * @param {Model} model
 * @returns {number | null}
 */
export function missingGame(model) {
  const first = model.log[0]?.game ?? model.game;
  return first > 1 ? first - 1 : null;
}

/**
 * The model with the log of an earlier game in front; the model already has the game after it.
 * @param {Model} model
 * @param {History} history
 * @returns {Model}
 */
export function withGame(model, { game, events }) {
  if (game !== missingGame(model)) return model;
  /** @type {Model} */
  let earlier = { ...emptyModel(model.players), game };
  // Events of a finished game are applied as for a watcher: they need no seat's own cards.
  const view = /** @type {View} */ ({ seat: null, game });
  for (const event of events) earlier = applyEvent(earlier, event, { view });
  return { ...model, log: [...earlier.log, ...model.log] };
}

/**
 * The cuts for deal of this game as events; a view has them separately.
 * @param {View} view
 * @returns {CutEvent[]}
 */
export function cutEvents(view) {
  return view.cuts.map((cards, at) => ({
    e: "cut",
    cards,
    dealer: at === view.cuts.length - 1 ? firstDealer(view) : null,
  }));
}

/**
 * All events since the first deal of this game. Between hands a view has the last hand twice.
 * @param {View} props
 */
function gameEvents({ hand, history = [], events = [] }) {
  return history.length < hand ? [...history.flat(), ...events] : history.flat();
}

/** @param {View} view */
function firstDealer(view) {
  const dealt = gameEvents(view).find((event) => event.e === "dealt");
  return dealt ? dealt.dealer : view.dealer;
}

/** @param {Play[]} plays */
function nextRun(plays) {
  return plays.length ? lastRun(plays) + 1 : 0;
}

/** @param {Play[]} plays */
function lastRun(plays) {
  return plays[plays.length - 1].run;
}

/**
 * @param {Play[]} plays
 * @param {View} view
 */
function agreed(plays, view) {
  const played = view.played.reduce((sum, cards) => sum + cards.length, 0);
  return played === 0 || played === plays.length ? (played ? plays : []) : rebuilt(view);
}

/**
 * Plays without their order, from a view without events.
 * @param {View} view
 * @returns {Play[]}
 */
function rebuilt(view) {
  const current = new Set(view.pile.map(([, card]) => card));
  const earlier = view.played.flatMap((cards, seat) =>
    cards.filter((card) => !current.has(card)).map((card) => ({ seat, card, run: 0 })),
  );
  return [...earlier, ...view.pile.map(([seat, card]) => ({ seat, card, run: 1 }))];
}

/**
 * Manual counting: the cards to be claimed, or the claim that awaits an answer.
 * @param {Model} model
 * @param {View} view
 * @returns {ShownCount | null}
 */
function shownCount(model, view) {
  if (view.phase !== "show") return null;
  if (view.claim && view.claim.item !== "play") return model.show;
  if (!view.counting) return model.show;
  const { seat, item, cards } = view.counting;
  return { seat, item, cards, starter: view.starter, lines: [], lit: [], total: null, open: true };
}

/**
 * The model after one event. `context.view` is the view that the server sent after it.
 * @param {Model} model
 * @param {GameEvent} event
 * @param {Context} context
 * @returns {Model}
 */
export function applyEvent(model, event, context) {
  const change = /** @type {Change | undefined} */ (CHANGES[event.e]);
  const next = change ? change(model, event, context) : model;
  const scores = "scores" in event ? moved(next, event.scores) : {};
  const entry = { game: next.game, hand: next.hand, event };
  return { ...next, ...scores, log: [...model.log, entry] };
}

/**
 * Scores and back pegs after a change of scores: the old front peg becomes the back peg.
 * @param {Model} model
 * @param {number[]} scores
 */
export function moved(model, scores) {
  const trailing = model.trailing.map((hole, seat) =>
    scores[seat] === model.scores[seat] ? hole : model.scores[seat],
  );
  return { scores, trailing };
}

/**
 * @template T
 * @param {T[]} list
 * @param {number} at
 * @param {T} value
 */
function put(list, at, value) {
  return list.map((old, index) => (index === at ? value : old));
}

/** @type {{ [E in GameEvent as E["e"]]?: (model: Model, event: E, context: Context) => Model }} */
const CHANGES = {
  cut(model, event, { view }) {
    const cut = { cards: event.cards, dealer: event.dealer };
    return { ...fresh(model), game: view.game, phase: "cut", cut };
  },
  dealt(model, event, context) {
    const base = event.game === model.game ? model : fresh(model);
    const number = START_CARDS[model.players];
    const mine = ownCards(event, context);
    return {
      ...base,
      phase: "discard",
      game: event.game,
      hand: event.hand,
      dealer: event.dealer,
      pone: (event.dealer + 1) % model.players,
      mine,
      sizes: Array(model.players).fill(number),
      discarded: Array(model.players).fill(false),
      thrown: [],
      cribSize: model.players === 3 ? 1 : 0,
      starter: null,
      plays: [],
      run: 0,
      count: 0,
      gos: Array(model.players).fill(false),
      cut: null,
      show: null,
      lastCounted: base.counted,
      counted: [],
      says: {},
      won: null,
    };
  },
  discarded(model, event, context) {
    const thrown = event.seat === context.view.seat ? context.view.thrown : [];
    return {
      ...model,
      discarded: put(model.discarded, event.seat, true),
      sizes: put(model.sizes, event.seat, model.sizes[event.seat] - event.number),
      cribSize: model.cribSize + event.number,
      mine: model.mine.filter((card) => !thrown.includes(card)),
      thrown: thrown.length ? thrown : model.thrown,
    };
  },
  starter(model, event) {
    return { ...model, phase: "play", starter: event.card, says: {} };
  },
  heels(model, event) {
    return { ...model, says: { [event.seat]: { kind: "heels", points: event.points } } };
  },
  played(model, event) {
    const { seat, card, count, points, parts } = event;
    return {
      ...model,
      phase: "play",
      plays: [...model.plays, { seat, card, run: model.run }],
      count,
      sizes: put(model.sizes, seat, model.sizes[seat] - 1),
      mine: model.mine.filter((held) => held !== card),
      lastCounted: [],
      says: points ? { [seat]: { kind: "points", points, parts } } : {},
    };
  },
  go(model, event) {
    return {
      ...model,
      gos: put(model.gos, event.seat, true),
      says: { ...model.says, [event.seat]: { kind: "go" } },
    };
  },
  count_ended(model, event) {
    const { seat, reason, points } = event;
    return {
      ...model,
      says: { [seat]: { kind: reason === "go" ? "go_point" : reason, points } },
      ...resetCount(model),
    };
  },
  counted(model, event) {
    const { seat, item, cards, points, total, parts, claimed } = event;
    const entry = { seat, item, points, total, claimed };
    const room = roomFor(model, seat, event);
    const lines = countLines(parts, room);
    const done = { ...entry, cards, starter: model.starter, lines, lit: [], finished: true };
    return { ...model, phase: "show", show: done, counted: [...model.counted, entry], says: {} };
  },
  mugged(model, event) {
    return { ...model, says: { [event.seat]: { kind: "mugged", points: event.points } } };
  },
  missed(model, event) {
    return { ...model, says: { [event.seat]: { kind: "missed", points: event.points } } };
  },
  game_won(model, event) {
    return { ...model, won: event };
  },
  match_over(model, event) {
    return { ...model, phase: "over", over: event, matchPoints: event.match_points };
  },
};

/**
 * The model of a game before its first hand.
 * @param {Model} model
 * @returns {Model}
 */
function fresh(model) {
  const kept = { me: model.me, log: model.log, results: model.results };
  const game = model.won ? model.game + 1 : model.game;
  return { ...emptyModel(model.players), ...kept, matchPoints: model.matchPoints, game };
}

/** @param {Model} model */
function resetCount(model) {
  return { count: 0, run: model.run + 1, gos: Array(model.players).fill(false) };
}

/**
 * @param {DealtEvent} event
 * @param {Context} props
 */
function ownCards(event, { view }) {
  return view.hand === event.hand && view.game === event.game ? view.dealt : [];
}

/**
 * The points that the seat needed before this count, if it wins; counting stops at the winning line.
 * @param {Model} model
 * @param {Seat} seat
 * @param {Pick<CountedEvent, "scores" | "points">} event
 */
export function roomFor(model, seat, event) {
  const won = event.scores[seat] - model.scores[seat] < event.points;
  return won ? event.scores[seat] - model.scores[seat] : Number.POSITIVE_INFINITY;
}
