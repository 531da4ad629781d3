/* How long to wait before asking again for work that has failed and is tried again later. */

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/**
 * Return the pause in milliseconds after asking for the nth time (from 1): it doubles up to half a minute.
 * @param {number} times
 */
export function retryPause(times) {
  return Math.min(FIRST_MS * 2 ** (times - 1), LONGEST_MS);
}
