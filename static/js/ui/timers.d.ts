/* The browser's timers, or a test's manual ones. */

export type Timer = number | undefined;

export interface Timers {
  setTimeout(work: () => void, wait: number): Timer;
  clearTimeout(timer: Timer): void;
}
