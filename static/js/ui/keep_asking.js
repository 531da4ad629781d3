/* Asking the server again and again for what is new. Pure. */

const ASK_MS = 4000;
const LONGEST_MS = 60_000;

/**
 * Ask every few seconds until `look` returns false. After each failure in a row the pause doubles, up
 * to a minute, so that a server that comes back is not asked by all pages at once.
 * @param {object} parts
 * @param {() => Promise<boolean>} parts.look - asks and shows the answer; rejects if it fails
 * @param {(failing: boolean) => void} parts.tell - shows whether the last question failed
 * @param {(ms: number) => Promise<unknown>} parts.wait
 */
export async function keepAsking({ look, tell, wait }) {
  for (let failures = 0, going = true; going; ) {
    await wait(Math.min(ASK_MS * 2 ** failures, LONGEST_MS));
    try {
      going = await look();
      failures = 0;
    } catch {
      failures += 1;
    }
    tell(failures > 0);
  }
}

/**
 * Return after some milliseconds.
 * @param {number} ms
 */
export function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
