import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_SENT, TableSocket, TIMES } from "../../../static/js/net/socket.js";
import { FakeClock, FakeLine } from "../support.js";

function connected(version = 57) {
  const clock = new FakeClock();
  const lines = [];
  const statuses = [];
  const messages = [];
  const socket = new TableSocket({
    url: "ws://table/",
    version: () => version,
    onMessage: ({ t: type, d: data, id }) => messages.push({ type, data, id }),
    onStatus: (status) => statuses.at(-1) !== status && statuses.push(status),
    clock,
    random: () => 0.5,
    make: () => {
      lines.push(new FakeLine());
      return lines.at(-1);
    },
  });
  socket.open();
  return { clock, lines, statuses, messages, socket };
}

test("the first frame names the last version known", () => {
  const { lines } = connected(57);
  lines[0].open();
  assert.deepEqual(lines[0].sent, [{ t: "hello", d: { v: 57 } }]);
});

test("a socket that the page opened early is taken over with its messages", () => {
  const line = new FakeLine();
  line.readyState = 1;
  line.heard = [{ text: '{"t":"view","d":{"v":3}}', at: 250 }];
  const heard = [];
  const socket = new TableSocket({
    url: "ws://table/",
    version: () => null,
    onMessage: ({ t, d }, at) => heard.push([t, d, at]),
    onStatus: () => {},
    clock: new FakeClock(),
    make: () => line,
  });
  socket.open();
  socket.send("play", { card: "5H" });
  assert.deepEqual(heard, [["view", { v: 3 }, 250]]);
  assert.deepEqual(line.types(), ["play"], "hello has been sent already");
});

test("a request is awaited until it is answered, and only with the same data", () => {
  const { lines, socket } = connected();
  const id = socket.send("fill", { seat: 1, level: "ada" });
  assert.ok(socket.awaits("fill", { seat: 1, level: "ada" }), "even without a connection");
  assert.ok(!socket.awaits("fill", { seat: 2, level: "ada" }));
  lines[0].open();
  lines[0].hear({ t: "ok", id, d: { v: 0 } });
  assert.ok(!socket.awaits("fill", { seat: 1, level: "ada" }));
});

test("a ping is sent some time after each pong, and only then", () => {
  const { clock, lines } = connected();
  lines[0].open();
  clock.pass(TIMES.ping);
  assert.deepEqual(lines[0].types(), ["hello", "ping"]);
  clock.pass(TIMES.ping);
  assert.equal(lines[0].types().length, 2);
  lines[0].hear({ t: "pong" });
  clock.pass(TIMES.ping);
  assert.deepEqual(lines[0].types(), ["hello", "ping", "ping"]);
});

test("a silent connection counts as dead and is replaced", () => {
  const { clock, lines, statuses } = connected();
  lines[0].open();
  lines[0].hear({ t: "view", d: {} });
  clock.pass(TIMES.dead);
  assert.equal(lines[0].readyState, 3);
  assert.equal(statuses.at(-1), "lost");
  clock.pass(TIMES.backoff);
  assert.equal(lines.length, 2);
});

test("a move that is not acknowledged is sent again under the same id", () => {
  const { clock, lines, socket } = connected();
  lines[0].open();
  const id = socket.send("play", { card: "5H" });
  clock.pass(TIMES.resend);
  const plays = lines[0].sent.filter((frame) => frame.t === "play");
  assert.deepEqual(
    plays.map((frame) => frame.id),
    [id, id],
  );
  lines[0].hear({ t: "ok", id, d: { v: 58 } });
  clock.pass(TIMES.resend * 3);
  assert.equal(lines[0].sent.filter((frame) => frame.t === "play").length, 2);
});

test("a move pending when the connection breaks is resent on the next one", () => {
  const { clock, lines, socket } = connected();
  lines[0].open();
  const id = socket.send("discard", { cards: ["5H", "2C"] });
  lines[0].fail();
  clock.pass(TIMES.longest);
  lines[1].open();
  assert.deepEqual(
    lines[1].sent.map((frame) => [frame.t, frame.id]),
    [
      ["hello", undefined],
      ["discard", id],
    ],
  );
});

test("an error settles a move like an ok", () => {
  const { clock, lines, socket, messages } = connected();
  lines[0].open();
  const id = socket.send("play", { card: "5H" });
  lines[0].hear({ t: "error", id, d: { code: "over_31", message: "no" } });
  clock.pass(TIMES.resend * 2);
  assert.equal(lines[0].sent.filter((frame) => frame.t === "play").length, 1);
  assert.equal(messages.at(-1).data.code, "over_31");
});

test("a request that breaks each connection is not sent for ever", () => {
  const { clock, lines, socket, messages } = connected();
  const id = socket.send("play", { card: "5H" });
  for (let at = 0; at < 3 * MOST_SENT; at += 1) {
    lines.at(-1).open();
    lines.at(-1).fail();
    clock.pass(TIMES.longest);
  }
  const sent = lines.flatMap((line) => line.sent).filter((frame) => frame.id === id);
  assert.equal(sent.length, MOST_SENT);
  assert.deepEqual(
    messages.map(({ type, id: about, data }) => [type, about, data.code]),
    [["error", id, "unanswered"]],
    "the page hears of it once, as of any refusal",
  );
});

test("a request that is never answered is sent a limited number of times", () => {
  const { clock, lines, socket, messages } = connected();
  lines[0].open();
  const id = socket.send("play", { card: "5H" });
  for (let at = 0; at < 3 * MOST_SENT; at += 1) {
    clock.pass(TIMES.resend);
    lines[0].hear({ t: "pong" });
  }
  assert.equal(lines[0].sent.filter((frame) => frame.id === id).length, MOST_SENT);
  assert.equal(messages.at(-1).data.code, "unanswered");
  const afterwards = lines[0].types().slice(lines[0].types().lastIndexOf("play"));
  assert.ok(afterwards.includes("hello"), "it asks what the table looks like");
});

test("reconnect delays grow with each failure up to a limit", () => {
  const { clock, lines } = connected();
  const waits = [];
  for (let at = 0; at < 8; at += 1) {
    const before = clock.now;
    lines.at(-1).fail();
    const count = lines.length;
    while (lines.length === count) clock.pass(50);
    waits.push(clock.now - before);
  }
  assert.ok(waits[0] <= TIMES.backoff);
  assert.ok(waits.every((wait, at) => at === 0 || wait >= waits[at - 1]));
  assert.ok(waits.at(-1) <= TIMES.longest);
});

test("there is no reconnect after a permanent refusal", () => {
  const { clock, lines, statuses } = connected();
  lines[0].open();
  lines[0].fail(4404);
  clock.pass(120_000);
  assert.equal(lines.length, 1);
  assert.equal(statuses.at(-1), "refused");
});

test("going offline loses the connection, but a refused one stays refused", () => {
  const { clock, lines, statuses, socket } = connected();
  lines[0].open();
  socket.offline();
  assert.equal(statuses.at(-1), "lost");
  clock.pass(TIMES.backoff);
  lines[1].open();
  lines[1].fail(4403);
  socket.offline();
  clock.pass(120_000);
  assert.equal(lines.length, 2);
  assert.equal(statuses.at(-1), "refused");
});

test("the client reconnects at once when the server restarts", () => {
  const { clock, lines } = connected();
  lines[0].open();
  lines[0].hear({ t: "bye", d: { code: "restart", message: "" } });
  clock.pass(1);
  assert.equal(lines.length, 2);
});

test("the client comes back later if the server that restarts says when", () => {
  const { clock, lines } = connected();
  lines[0].open();
  lines[0].hear({ t: "bye", d: { code: "restart", message: "", retry: 2 } });
  lines[0].fail(4503);
  clock.pass(1900);
  assert.equal(lines.length, 1);
  clock.pass(100);
  assert.equal(lines.length, 2);
});

test("the client waits as long as the server says before it tries again", () => {
  const { clock, lines, statuses } = connected();
  lines[0].open();
  lines[0].hear({ t: "bye", d: { code: "too_many_sockets", message: "", retry: 30 } });
  lines[0].fail(4429);
  clock.pass(29_000);
  assert.equal(lines.length, 1);
  assert.equal(statuses.at(-1), "lost");
  clock.pass(1000);
  assert.equal(lines.length, 2);
});

test("ids are short, plain and unique", () => {
  const { socket } = connected();
  const ids = Array.from({ length: 200 }, () => socket.send("play", {}));
  assert.equal(new Set(ids).size, 200);
  for (const id of ids) assert.match(id, /^[A-Za-z0-9-]{1,40}$/);
});
