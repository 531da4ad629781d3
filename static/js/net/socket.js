/* A websocket to one table that is kept alive: it pings, detects a dead connection, reconnects with the
   last known version, and resends unacknowledged requests. Each request carries an id that is unique
   to this tab, so that a move sent twice is played once. */

import { gettext } from "../text/translations.js";

/** @import { Requests, ServerMessage } from "./messages.js" */
/** @import { Timer, Timers } from "../ui/timers.js" */

/** All times in milliseconds. */
export const TIMES = {
  ping: 2500, // after the last pong
  dead: 9000, // without a message from the server
  resend: 2500,
  backoff: 500, // doubled after each failure
  longest: 8000,
};

/** How often one request is sent, at most: half a minute on a connection that works otherwise. */
export const MOST_SENT = 12;

/** @type {TimerName[]} */
const TIMERS = ["ping", "dead", "retry"];

/** The close code for those who may not see the table. */
export const FORBIDDEN = 4403;

/** Close codes after which reconnecting is useless. */
const FINAL = new Set([FORBIDDEN, 4404]);
const FLOOD = 4429;

/** @typedef {"connecting" | "open" | "lost" | "refused"} Status */
/** @typedef {"ping" | "dead" | "retry"} TimerName */

/**
 * The socket opened by early_socket.js, if it is still alive; returned only once.
 * @param {string} address
 */
function early(address) {
  const socket = globalThis.earlySocket;
  globalThis.earlySocket = null;
  return socket?.url === address && socket.readyState <= 1 ? socket : null;
}

/**
 * A request without its id, to compare it with others.
 * @param {string} type
 * @param {object} [data]
 */
function wishOf(type, data) {
  return JSON.stringify([type, data ?? {}]);
}

export class TableSocket {
  /**
   * @param {object} options
   * @param {string} options.url
   * @param {() => number | null} options.version - the last version known
   * @param {(message: ServerMessage, at?: number) => void} options.onMessage - with the time at which
   *   it was heard, as performance.now() gives it, if that was earlier
   * @param {(status: Status, code?: number) => void} options.onStatus - with the code of a refusal
   * @param {Timers} [options.clock]
   * @param {() => number} [options.random]
   * @param {(url: string) => WebSocket} [options.make]
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
    /** @type {Map<string, { wish: string, frame: string, timer: Timer, times: number }>} */
    this.pending = new Map(); // unanswered requests, by id
    this.failures = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Partial<Record<TimerName, Timer>>} */
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

  /** Reconnect or ping at once: the network is back, or the page is visible again. */
  nudge() {
    if (this.timers.retry) this.open();
    else if (this.greeted) this.ping();
  }

  /** Treat the connection as lost: the network is gone. A refused one stays refused. */
  offline() {
    if (this.socket) this.lost(0);
  }

  /**
   * Send a move or another request, and resend it until it is answered. Returns its id. A server that
   * never answers it, or breaks the connection each time, gets it `MOST_SENT` times.
   * @template {keyof Requests} T
   * @param {T} type
   * @param {Requests[T]} [data]
   */
  send(type, data) {
    this.sent += 1;
    const id = `${this.prefix}-${this.sent}`;
    const frame = JSON.stringify({ t: type, d: data ?? {}, id });
    this.pending.set(id, { wish: wishOf(type, data), frame, timer: undefined, times: 0 });
    if (this.greeted) this.transmit(id);
    return id;
  }

  /**
   * Whether the same request is still unanswered.
   * @template {keyof Requests} T
   * @param {T} type
   * @param {Requests[T]} [data]
   */
  awaits(type, data) {
    const wish = wishOf(type, data);
    return [...this.pending.values()].some((entry) => entry.wish === wish);
  }

  /** Request what is missing: the events since `version()`, or a whole view. */
  hello() {
    this.write(JSON.stringify({ t: "hello", d: { v: this.version() } }));
  }

  /** @param {WebSocket} socket */
  opened(socket) {
    if (socket !== this.socket) return;
    this.hello();
    this.ready();
  }

  /**
   * Take over a socket that was opened before the modules were loaded: it has sent hello and kept the
   * answers.
   * @param {WebSocket & { heard?: { text: string, at: number }[] }} socket
   */
  takeOver(socket) {
    this.ready();
    for (const { text, at } of socket.heard ?? []) this.received(text, at);
  }

  ready() {
    this.greeted = true;
    for (const id of this.pending.keys()) this.transmit(id);
    this.later("ping", TIMES.ping, () => this.ping());
  }

  /**
   * @param {string} text
   * @param {number} [at] - when it was heard, if not now
   */
  received(text, at) {
    this.failures = 0;
    this.watch();
    /** @type {ServerMessage} */
    const message = JSON.parse(text);
    if (message.t === "pong") {
      this.later("ping", TIMES.ping, () => this.ping());
      return;
    }
    if (message.id !== undefined) this.settle(message.id);
    this.onStatus("open");
    this.onMessage(message, at);
    if (message.t !== "bye") return;
    if (message.d.retry !== undefined) this.again(message.d.retry * 1000);
    else if (message.d.code === "restart") this.again(0);
  }

  /** @param {string} id */
  settle(id) {
    const entry = this.pending.get(id);
    if (entry?.timer) this.clock.clearTimeout(entry.timer);
    this.pending.delete(id);
  }

  /** @param {string} id */
  transmit(id) {
    const entry = this.pending.get(id);
    if (!entry) return;
    if (entry.timer) this.clock.clearTimeout(entry.timer);
    if (entry.times >= MOST_SENT) return this.giveUp(id);
    if (this.write(entry.frame)) entry.times += 1;
    entry.timer = this.clock.setTimeout(() => this.greeted && this.transmit(id), TIMES.resend);
  }

  /**
   * Report a request as refused, and ask what the table looks like without it.
   * @param {string} id
   */
  giveUp(id) {
    this.settle(id);
    const message = gettext("The server isn't responding. Try again.");
    this.onMessage({ t: "error", id, d: { code: "unanswered", message } });
    this.hello();
  }

  ping() {
    this.write('{"t":"ping"}');
  }

  /**
   * Send a frame if the connection is open; return whether it was.
   * @param {string} frame
   */
  write(frame) {
    const open = this.socket?.readyState === 1;
    if (open) this.socket?.send(frame);
    return open;
  }

  /** Treat the connection as lost if no message arrives for a while. */
  watch() {
    this.later("dead", TIMES.dead, () => this.lost(0));
  }

  /** @param {number} code - the close code; 0 for none */
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

  /** @param {number} wait - in milliseconds */
  again(wait) {
    this.drop();
    this.onStatus("lost");
    this.later("retry", wait, () => this.open());
  }

  drop() {
    for (const name of TIMERS) this.clear(name);
    this.greeted = false;
    const socket = this.socket;
    this.socket = null;
    if (socket && socket.readyState <= 1) socket.close();
  }

  /**
   * @param {TimerName} name
   * @param {number} wait - in milliseconds
   * @param {() => void} work
   */
  later(name, wait, work) {
    this.clear(name);
    this.timers[name] = this.clock.setTimeout(() => {
      this.timers[name] = undefined;
      work();
    }, wait);
  }

  /** @param {TimerName} name */
  clear(name) {
    if (this.timers[name]) this.clock.clearTimeout(this.timers[name]);
    this.timers[name] = undefined;
  }
}
