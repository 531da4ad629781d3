/* A websocket to the lobby that is kept alive: it pings, detects a dead connection, and reconnects. The
   server tells a new connection everything, so nothing is kept from the old one. */

/** @import { LobbyMessage } from "./messages.js" */
/** @import { Timer, Timers } from "../ui/timers.js" */

/** All times in milliseconds. */
export const TIMES = {
  connect: 20_000, // within which a connection opens
  ping: 25_000, // also keeps proxies from closing a quiet socket
  answer: 10_000, // within which a ping is answered
};

const OPEN = 1; // a socket's readyState

export class LobbySocket {
  /**
   * @param {object} options
   * @param {string} options.path - and query of the address
   * @param {number[]} options.waits - milliseconds before each try to reconnect; the last one repeats
   * @param {(message: LobbyMessage) => void} options.onMessage
   * @param {() => void} [options.onLost]
   * @param {Timers} [options.clock]
   * @param {() => number} [options.random]
   * @param {(path: string) => WebSocket} [options.make]
   */
  constructor({
    path,
    waits,
    onMessage,
    onLost = () => {},
    clock = globalThis,
    random = Math.random,
    make = opened,
  }) {
    this.path = path;
    this.waits = waits;
    this.onMessage = onMessage;
    this.onLost = onLost;
    this.clock = clock;
    this.random = random;
    this.make = make;
    this.tries = 0; // since the last message
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Timer} */
    this.timer = undefined; // until the connection opens, the next ping, its answer, or the next try
  }

  open() {
    this.later(TIMES.connect, () => this.lost());
    const socket = this.make(this.path);
    this.socket = socket;
    socket.onopen = () => this.rest();
    socket.onmessage = ({ data }) => socket === this.socket && this.received(data);
    socket.onclose = () => socket === this.socket && this.lost();
  }

  /** Close for good, until it is opened again. */
  close() {
    this.clock.clearTimeout(this.timer);
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  /**
   * Send a request if there is a connection.
   * @param {object} message
   */
  send(message) {
    if (this.socket?.readyState === OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Wait for the time of the next ping. */
  rest() {
    this.later(TIMES.ping, () => this.ping());
  }

  ping() {
    this.send({ t: "ping" });
    this.later(TIMES.answer, () => this.lost());
  }

  /** @param {string} text */
  received(text) {
    this.rest();
    /** @type {LobbyMessage} */
    const message = JSON.parse(text);
    // A server that refuses a connection has accepted it before.
    if (message.t !== "bye") this.tries = 0;
    this.onMessage(message);
  }

  lost() {
    this.close();
    this.onLost();
    const wait = this.waits[Math.min(this.tries, this.waits.length - 1)];
    this.tries += 1;
    this.later(wait * (0.75 + this.random() / 2), () => this.open());
  }

  /**
   * @param {number} wait - in milliseconds
   * @param {() => void} work
   */
  later(wait, work) {
    this.clock.clearTimeout(this.timer);
    this.timer = this.clock.setTimeout(work, wait);
  }
}

/** @param {string} path */
function opened(path) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(`${scheme}//${location.host}${path}`);
}
