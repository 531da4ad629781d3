/* One websocket to one table, kept alive: it pings, notices a dead line, comes back with the last
   version it knows, and sends again what was not acknowledged. A move carries an id that is unique
   to this tab, so that what is sent twice is played once. */

/** All times in milliseconds. */
export const TIMES = {
  ping: 2500, // after the last pong
  dead: 9000, // without a word from the server
  resend: 2500,
  backoff: 500, // doubled at each failure
  longest: 8000,
};

/** Close codes after which coming back is useless. */
const FINAL = new Set([4403, 4404]);
const FLOOD = 4429;

/** The socket that early.js opened, once, if it still lives. */
function early(address) {
  const socket = globalThis.earlySocket;
  globalThis.earlySocket = null;
  return socket?.url === address && socket.readyState <= 1 ? socket : null;
}

export class TableSocket {
  /**
   * @param {object} options
   *   url; version() -> the last version known, or null; onMessage(type, data, id);
   *   onStatus("connecting" | "open" | "lost" | "refused", code); and for tests: clock, random, make(url).
   */
  constructor({
    url,
    version,
    onMessage,
    onStatus,
    clock = globalThis,
    random = Math.random,
    make,
  }) {
    this.url = url;
    this.version = version;
    this.onMessage = onMessage;
    this.onStatus = onStatus;
    this.clock = clock;
    this.random = random;
    this.make = make ?? ((address) => early(address) ?? new WebSocket(address));
    this.prefix = Math.floor(random() * 36 ** 6).toString(36);
    this.sent = 0;
    this.pending = new Map(); // id -> { frame, timer }
    this.failures = 0;
    this.socket = null;
    this.timers = {};
    this.greeted = false;
  }

  open() {
    this.clear("retry");
    this.onStatus("connecting");
    const socket = this.make(this.url);
    this.socket = socket;
    this.greeted = false;
    socket.onopen = () => this.opened(socket);
    socket.onmessage = (message) => socket === this.socket && this.received(message.data);
    socket.onclose = (closed) => socket === this.socket && this.lost(closed.code);
    this.watch();
    if (socket.readyState === 1) this.takeOver(socket);
  }

  /** Come back at once: the network is there again, or somebody looks at the page again. */
  nudge() {
    if (this.timers.retry) this.open();
    else if (this.greeted) this.ping();
  }

  /** Send a move or a wish; it is sent again until it is answered. Returns its id. */
  send(type, data = {}) {
    this.sent += 1;
    const id = `${this.prefix}-${this.sent}`;
    const frame = JSON.stringify({ t: type, d: data, id });
    this.pending.set(id, { frame, timer: null });
    if (this.greeted) this.transmit(id);
    return id;
  }

  /** Ask for what is missing: the events since `version()`, or a whole view. */
  hello() {
    this.write(JSON.stringify({ t: "hello", d: { v: this.version() } }));
  }

  opened(socket) {
    if (socket !== this.socket) return;
    this.hello();
    this.ready();
  }

  /** The page opened this socket before its modules came: it said hello, and kept the answers. */
  takeOver(socket) {
    this.ready();
    for (const text of socket.heard) this.received(text);
  }

  ready() {
    this.greeted = true;
    for (const id of this.pending.keys()) this.transmit(id);
    this.later("ping", TIMES.ping, () => this.ping());
  }

  received(text) {
    this.failures = 0;
    this.watch();
    const { t: type, d: data, id } = JSON.parse(text);
    if (type === "pong") {
      this.later("ping", TIMES.ping, () => this.ping());
      return;
    }
    if (id !== undefined) this.settle(id);
    this.onStatus("open");
    this.onMessage(type, data, id);
    if (type === "bye" && data.code === "restart") this.again(0);
  }

  settle(id) {
    const entry = this.pending.get(id);
    if (entry?.timer) this.clock.clearTimeout(entry.timer);
    this.pending.delete(id);
  }

  transmit(id) {
    const entry = this.pending.get(id);
    if (!entry) return;
    if (entry.timer) this.clock.clearTimeout(entry.timer);
    this.write(entry.frame);
    entry.timer = this.clock.setTimeout(() => this.greeted && this.transmit(id), TIMES.resend);
  }

  ping() {
    this.write('{"t":"ping"}');
  }

  write(frame) {
    if (this.socket?.readyState === 1) this.socket.send(frame);
  }

  /** Take the line for dead when nothing is heard for a while. */
  watch() {
    this.later("dead", TIMES.dead, () => this.lost(0));
  }

  lost(code) {
    if (FINAL.has(code)) {
      this.drop();
      this.onStatus("refused", code);
      return;
    }
    const wait = Math.min(TIMES.longest, TIMES.backoff * 2 ** this.failures);
    this.failures += 1;
    this.again(code === FLOOD ? TIMES.longest : wait * (0.5 + this.random() / 2));
  }

  again(wait) {
    this.drop();
    this.onStatus("lost");
    this.later("retry", wait, () => this.open());
  }

  drop() {
    for (const name of ["ping", "dead", "retry"]) this.clear(name);
    this.greeted = false;
    const socket = this.socket;
    this.socket = null;
    if (socket && socket.readyState <= 1) socket.close();
  }

  later(name, wait, work) {
    this.clear(name);
    this.timers[name] = this.clock.setTimeout(() => {
      this.timers[name] = null;
      work();
    }, wait);
  }

  clear(name) {
    if (this.timers[name]) this.clock.clearTimeout(this.timers[name]);
    this.timers[name] = null;
  }
}
