/* Types of the replay page: the match as the server sends it, and the page's state. */

import type {
  Card,
  GameEvent,
  PublicView,
  Ruleset,
  Seat,
  Table,
  TableSeat,
} from "../net/messages.js";
import type { CommonState, Model, Shown } from "../table/types.js";

/** A step with all cards. */
export interface Frame extends Omit<PublicView, "v"> {
  held: Card[][];
  dealt: Card[][];
  thrown: Card[][];
  crib: Card[];
}

/** The steps of one hand: its first, its last, and the one that deals it. */
export interface ReplayHand {
  game: number;
  hand: number;
  first: number;
  last: number;
  deal: number;
}

export interface ReplayData {
  match: string;
  /** The reader's own seat. */
  own: Seat | null;
  seats: TableSeat[];
  /** Why the win was claimed from a player; null if it was not. */
  claimed: Table["claimed"];
  ruleset: Ruleset;
  hands: ReplayHand[];
  start: Frame;
  /** The events of each step, and how its frame differs from the one before. */
  steps: { e: GameEvent[]; d: Partial<Frame> }[];
}

/** A point of a replay: a step is a number of log entries, and has one part or several. */
export interface Position {
  step: number;
  part: number;
  parts: number;
  game: number;
  /** The index of the hand in `ReplayData.hands`. */
  hand: number;
  model: Model;
}

/** What a part of a step shows, and the model after it. */
export interface StepPart {
  shown: Model;
  next: Model;
  empty: boolean;
}

export interface ReplayState extends CommonState {
  match: string;
  csrf: string;
  failed: boolean;
  /** The index of the position shown. */
  at: number;
  /** The seat from which the table is seen. */
  side: Seat;
  /** Whether all hands are face up. */
  open: boolean;
  turned: { held: Card[][]; crib: Card[] } | null;
  replay: true;
}

/** The state once the match has been loaded, as the parts of the table read it. */
export type ShownReplay = Shown & Omit<ReplayState, keyof CommonState>;
