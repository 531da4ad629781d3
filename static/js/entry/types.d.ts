/* Types of the page for entering a game card by card. */

import type { Card, Seat } from "../net/messages.js";

export interface Rules {
  players: number;
  target: number;
  first_dealer: Seat;
}

/** One hand, as far as it is known. */
export interface HandRecord {
  dealer: Seat;
  dealt: Card[][];
  crib_card: Card | null;
  discards: Card[][];
  starter: Card | null;
  plays: [Seat, Card][];
}

/** The game so far. */
export interface GameRecord extends Rules {
  hands: HandRecord[];
}

/** What a tab keeps of a game that is being entered. */
export interface Draft {
  record: GameRecord;
  /** The account that enters it; empty for a visitor or a guest. */
  owner: string;
  /** The values of the fields of the seats, by name. */
  seats: Record<string, string>;
  /** The player's newest game when the form was sent, if it was. */
  sent?: string;
}

/** The server's answer about a record: what is needed next, and the game so far in words. */
export interface Asked {
  need: "dealt" | "crib_card" | "discard" | "starter" | "play" | "nothing";
  hand: number;
  seat: Seat;
  number: number;
  names: string[];
  dealer: Seat;
  count: number;
  winner: Seat;
  /** The cards that may be chosen, and those left in the pack. */
  cards: Card[];
  left: Card[];
  scores: number[];
  lines: { name: string; text: string; points: number; scores: string }[];
  done: { hand: number; kept: string[]; starter: string }[];
}

export interface RecordError {
  reason: string;
  hand?: number;
  event?: string;
  /** Whether the server did not judge the record, so that it can be asked again. */
  lost?: boolean;
}

export type Answer =
  | { answer: Asked; error?: undefined }
  | { answer?: undefined; error: RecordError };

/** What is wrong with the cards typed. */
export interface Problem {
  kind: "no card" | "twice" | "gone" | "not held" | "too many";
  card?: Card;
}

export interface EntryState {
  record: GameRecord | null;
  asked: Asked | null;
  chosen: Card[];
  typed: string;
  problem: Problem | null;
  error: RecordError | null;
  busy: boolean;
}

/** The state once the server has answered. */
export type ReadyState = EntryState & { record: GameRecord; asked: Asked };
