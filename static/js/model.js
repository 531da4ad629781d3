/* What the table shows: a model that events move forward one by one, and that a view of the server
   sets right. Pure: models are never changed, each step makes a new one. The browser has no rules:
   scores, counts and what may be done all come from the server. */

import { countLines } from "./cadence.js";

const START_CARDS = { 2: 6, 3: 5 };

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

/** The model that a view stands for. `before` keeps what the view of a step leaves out: the log. */
export function fromView(view, before) {
  const players = view.scores.length;
  const whole = view.events !== undefined;
  let model = whole || !before ? emptyModel(players) : before;
  const context = { view };
  if (whole) {
    const earlier = (view.earlier ?? []).flat();
    for (const event of [...earlier, ...cutEvents(view), ...gameEvents(view)]) {
      model = applyEvent(model, event, context);
    }
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
    run: plays.length && view.pile.length ? plays.at(-1).run : nextRun(plays),
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

/** The cuts for deal of this game as events: a view keeps them beside its events. */
export function cutEvents(view) {
  return view.cuts.map((cards, at) => ({
    e: "cut",
    cards,
    dealer: at === view.cuts.length - 1 ? firstDealer(view) : null,
  }));
}

/** All events since the first deal of this game. Between hands the last one is told twice. */
function gameEvents({ hand, history = [], events = [] }) {
  return history.length < hand ? [...history.flat(), ...events] : history.flat();
}

function firstDealer(view) {
  const dealt = gameEvents(view).find((event) => event.e === "dealt");
  return dealt ? dealt.dealer : view.dealer;
}

function nextRun(plays) {
  return plays.length ? plays.at(-1).run + 1 : 0;
}

function agreed(plays, view) {
  const played = view.played.reduce((sum, cards) => sum + cards.length, 0);
  return played === 0 || played === plays.length ? (played ? plays : []) : rebuilt(view);
}

/** Plays without their order, from a view that came without events. */
function rebuilt(view) {
  const current = new Set(view.pile.map(([, card]) => card));
  const earlier = view.played.flatMap((cards, seat) =>
    cards.filter((card) => !current.has(card)).map((card) => ({ seat, card, run: 0 })),
  );
  return [...earlier, ...view.pile.map(([seat, card]) => ({ seat, card, run: 1 }))];
}

/** Manual counting: the cards that wait to be claimed, or the claim that waits for an answer. */
function shownCount(model, view) {
  if (view.phase !== "show") return null;
  if (view.claim && view.claim.item !== "play") return model.show;
  if (!view.counting) return model.show;
  const { seat, item, cards } = view.counting;
  return { seat, item, cards, starter: view.starter, lines: [], lit: [], total: null, open: true };
}

/** The model after one event. `context.view` is the view that the server sent after it. */
export function applyEvent(model, event, context) {
  const change = CHANGES[event.e];
  const next = change ? change(model, event, context) : model;
  const scores = event.scores ? moved(next, event.scores) : {};
  const entry = { game: next.game, hand: next.hand, event };
  return { ...next, ...scores, log: [...model.log, entry] };
}

/** Scores and back pegs after `scores`: the front peg that is passed becomes the back one. */
export function moved(model, scores) {
  const trailing = model.trailing.map((hole, seat) =>
    scores[seat] === model.scores[seat] ? hole : model.scores[seat],
  );
  return { scores, trailing };
}

function put(list, at, value) {
  return list.map((old, index) => (index === at ? value : old));
}

const CHANGES = {
  cut(model, event) {
    return { ...fresh(model), phase: "cut", cut: { cards: event.cards, dealer: event.dealer } };
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

/** A game before its first hand. */
function fresh(model) {
  const kept = { me: model.me, log: model.log, results: model.results };
  const game = model.won ? model.game + 1 : model.game;
  return { ...emptyModel(model.players), ...kept, matchPoints: model.matchPoints, game };
}

function resetCount(model) {
  return { count: 0, run: model.run + 1, gos: Array(model.players).fill(false) };
}

function ownCards(event, { view }) {
  return view.hand === event.hand && view.game === event.game ? view.dealt : [];
}

/** How many points the seat needed before this count: the winning line is where counting stops. */
export function roomFor(model, seat, event) {
  const won = event.scores[seat] - model.scores[seat] < event.points;
  return won ? event.scores[seat] - model.scores[seat] : Number.POSITIVE_INFINITY;
}
