/* Types of the table page: its state, the model that is drawn, and the player's settings. */

import type {
  AnyItem,
  Card,
  ChatWords,
  Clock,
  Due,
  GameEvent,
  GameResult,
  GameWonEvent,
  Hint,
  MatchOverEvent,
  OnlineFriend,
  Part,
  Phase,
  Refusal,
  Requests,
  Ruleset,
  Seat,
  Table,
  View,
} from "../net/messages.js";
import type { ChatState } from "./chat_feed.js";

/** A player's own settings, kept in this browser. */
export interface Settings {
  deck: "classic" | "large";
  colours: "two" | "four";
  oneTap: boolean;
  premove: boolean;
  sort: "rank" | "dealt";
  table: "felt" | "wood" | "paper";
  board: "long" | "loop";
  /** The hand that the player uses. */
  side: "right" | "left";
  pace: Pace;
  sound: boolean;
  /** 0 to 1. */
  volume: number;
  /** Whether counts are spoken. */
  voice: boolean;
  theme: "system" | "light" | "dark";
  motion: "system" | "less";
  letters: boolean;
  numbers: boolean;
  /** How counts are called: a double run by its name, or each run and pair by itself. */
  calls: "names" | "each";
}

export type Pace = "tap" | "auto" | "instant";

/** One line of a count: its words, cards and points, the total so far, and whether it wins. */
export interface CountLine {
  text: string;
  cards: Card[];
  points: number;
  total: number;
  out: boolean;
}

/** A card played; plays with the same `run` belong to the same count. */
export interface Play {
  seat: Seat;
  card: Card;
  run: number;
}

/** The count of a hand or crib that the table shows. */
export interface ShownCount {
  seat: Seat;
  item: AnyItem;
  cards: Card[];
  starter: Card | null;
  lines: CountLine[];
  /** The cards of the current line. */
  lit: Card[];
  points?: number;
  total: number | null;
  claimed?: number | null;
  finished?: boolean;
  /** Manual counting: these cards are still to be claimed. */
  open?: boolean;
}

/** A hand or crib that has been counted. */
export interface CountedItem {
  seat: Seat;
  item: AnyItem;
  points: number;
  total: number | null;
  claimed: number | null;
}

/** The content of a seat's bubble. */
export type Say =
  | { kind: "points"; points: number; parts: Part[] }
  | { kind: "go"; points?: undefined }
  | { kind: "go_point" | "last_card" | "thirty_one"; points: number }
  | { kind: "heels" | "mugged" | "missed"; points: number };

export interface LogEntry {
  game: number;
  hand: number;
  event: GameEvent;
}

/** The model of what the table shows. Models are immutable: each step makes a new one. */
export interface Model {
  players: number;
  /** The seat from which the table is seen. */
  me: Seat | null;
  phase: Phase;
  game: number;
  hand: number;
  dealer: Seat | null;
  pone: Seat | null;
  scores: number[];
  trailing: number[];
  matchPoints: number[];
  results: GameResult[];
  mine: Card[];
  sizes: number[];
  discarded: boolean[];
  thrown: Card[];
  cribSize: number;
  starter: Card | null;
  plays: Play[];
  run: number;
  count: number;
  gos: boolean[];
  cut: { cards: (Card | null)[]; dealer: Seat | null } | null;
  show: ShownCount | null;
  counted: CountedItem[];
  lastCounted: CountedItem[];
  says: Record<Seat, Say>;
  log: LogEntry[];
  won: GameWonEvent | null;
  over: MatchOverEvent | null;
}

/** The view that the server sent after an event. */
export interface Context {
  view: View;
}

/** A notice that is shown for a few seconds. */
export interface Notice {
  key: number;
  text: string;
  kind: "good" | "bad" | "said";
}

/** A computer player that may be added: its name, its title, its description, whether it is the default. */
export type Level = [name: string, title: string, description: string, usual?: boolean];

/** The server's commitment: the digest of all cards, and the address where it can be verified. */
export interface Commitment {
  commitment: string;
  address: string | undefined;
  ranked: boolean;
}

/** A panel of the page: one at a time. */
export type PanelName = "log" | "settings" | "help" | "leave" | "branch";

/** The state that the live table and the replay share. */
export interface CommonState {
  model: Model | null;
  view: View | null;
  table: (Partial<Table> & Pick<Table, "status" | "seats" | "match">) | null;
  ruleset: Ruleset | null;
  /** Whether events are being played back. */
  busy: boolean;
  /** The cards picked. */
  chosen: Card[];
  hint: Hint | null;
  /** The id of the move that is being sent. */
  sending: string | null;
  notices: Notice[];
  panel: PanelName | null;
  /** The index of the hand's card that has the keyboard focus. */
  focusAt: number;
  settings: Settings;
  levels: Level[];
  /** Whether the page is as narrow as a phone, or wide enough for the log. */
  narrow: boolean;
  wide: boolean;
}

/** The state of the live table. */
export interface TableState extends CommonState, ChatState {
  /** Who has sat down while nobody looked at the page. */
  news: string | null;
  conn: "connecting" | "open" | "lost" | "refused";
  /** The close code with which the server refused the connection. */
  refused: number | null;
  /** Whether that was a try to come back after the connection was lost. */
  refusedAgain: boolean;
  /** Why the server ended the connection, until there is another one. */
  bye: Refusal | null;
  table: Table | null;
  /** Whether anybody may watch. */
  watchable: boolean;
  /** The address of the match that this one was branched from. */
  branch: string | null;
  /** The address of the result of the exam that this match is. */
  exam: string | null;
  /** The address of the page that switches notices on. */
  tell: string | null;
  /** The address of the page on which the next play is planned, in a match by correspondence. */
  plan: string | null;
  afterwards: string | null;
  /** Whether an open table has left the lobby because it waited too long. */
  unlisted: boolean;
  /** Days for a decision, in a match by correspondence. */
  days: string | null;
  blocking: boolean;
  /** The event whose cards the playback shows next, while cards are still to be shown. */
  coming: GameEvent | null;
  /** The card picked ahead for this player's turn. */
  ahead: Card | null;
  claimPoints: number | null;
  /** Whether the grid for points that another player missed is open. */
  calling: boolean;
  /** The points chosen for that call. */
  callPoints: number | null;
  /** The id of the request for a hint. */
  hinting: string | null;
  /** The current sentence of the coach. */
  coach: string | null;
  coached: boolean;
  /** Whether it is the match of a lesson. */
  lesson: boolean;
  /** The version at which the last move was stored. */
  stored: number | null;
  friends: OnlineFriend[];
  clock: Clock | null;
  due: Due | null;
  /** Seconds left for the timed decision. */
  left: number;
  fair: Commitment | null;
}

/** A state as it is drawn: with a match, the deck of this screen, and the count after the picked card. */
export interface Shown extends Omit<TableState, "model" | "view" | "table"> {
  model: Model;
  view: View;
  table: Table;
  deck: Settings["deck"];
  preview?: number;
  replay?: boolean;
  /** All cards, in a replay with open hands. */
  turned?: { held: Card[][]; crib: Card[] } | null;
}

/** The fields by which players are named. */
export interface Named {
  view?: Pick<View, "seat"> | null;
  table?: (Pick<Table, "seats"> & Partial<Pick<Table, "claimed">>) | null;
}

/** The required action; `own`: whether this player must act. */
export interface Asked {
  kind:
    | "waiting"
    | "return"
    | "left"
    | "continue"
    | "discard"
    | "play"
    | "claim"
    | "answer"
    | "wait"
    | "watch"
    | "over";
  title: string;
  own: boolean;
}

/** The actions of a player at the table. */
export interface Actions {
  pick(card: Card): void;
  drop(card: Card): void;
  clear(): void;
  hint(): void;
  dropHint(): void;
  confirm(): void;
  setClaim(points: number): void;
  openCall(open: boolean): void;
  setCall(points: number): void;
  wish<T extends keyof Requests>(type: T, data?: Requests[T]): void;
  advance(): void;
  open(panel: PanelName | null): void;
  recall(game: number): void;
  openChat(open: boolean): void;
  say(words: ChatWords): void;
  write(text: string): void;
  set(change: Partial<Settings>): void;
}

export interface Point {
  x: number;
  y: number;
}

export interface Segment {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** The geometry of a board: its size, holes, lines and labels. */
export interface BoardLayout {
  name: string;
  width: number;
  height: number;
  holeAt(hole: number, track: number, players: number): Point;
  lineAfter(hole: number, players: number): Segment;
  /** The line of a track, as SVG path data. */
  trackLine(track: number, players: number): string;
  /** The centre of the number of a hole. */
  numberAt(hole: number, players: number): Point;
  /** The centre of the label of a line. */
  wordAt(hole: number, players: number): Point;
}
