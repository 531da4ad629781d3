import assert from "node:assert/strict";
import { test } from "node:test";
import { LobbySocket, TIMES } from "../../../static/js/net/lobby_socket.js";
import { FakeClock, FakeLine } from "../support.js";

function opened() {
  const clock = new FakeClock();
  const lines = [];
  const told = { heard: [], lost: 0 };
  const socket = new LobbySocket({
    path: "/ws/lobby/",
    waits: [1000, 5000],
    onMessage: ({ t }) => told.heard.push(t),
    onLost: () => {
      told.lost += 1;
    },
    clock,
    random: () => 0.5,
    make: () => {
      lines.push(new FakeLine());
      return lines.at(-1);
    },
  });
  socket.open();
  return { clock, lines, told, socket };
}

test("a connection that answers its pings is kept", () => {
  const { clock, lines, told } = opened();
  lines[0].open();
  lines[0].hear({ t: "lobby", d: {} });
  for (let n = 1; n <= 5; n += 1) {
    clock.pass(TIMES.ping);
    assert.equal(lines[0].sent.length, n);
    lines[0].hear({ t: "pong", d: {} });
  }
  assert.equal(lines.length, 1);
  assert.equal(told.lost, 0);
});

test("a connection that does not answer is replaced, and one that does not open", () => {
  const { clock, lines, told } = opened();
  lines[0].open();
  lines[0].hear({ t: "lobby", d: {} });
  clock.pass(TIMES.ping + TIMES.answer);
  assert.equal(lines[0].readyState, 3);
  assert.equal(told.lost, 1);
  clock.pass(1000);
  assert.equal(lines.length, 2);
  clock.pass(TIMES.connect + 5000);
  assert.equal(lines.length, 3);
  lines[0].hear({ t: "lobby", d: {} });
  assert.deepEqual(told.heard, ["lobby"], "the first one is heard no more");
});

test("a server that accepts and refuses is asked ever more rarely", () => {
  const { clock, lines } = opened();
  lines[0].open();
  lines[0].hear({ t: "bye", d: {} });
  lines[0].fail();
  clock.pass(1000);
  lines[1].open();
  lines[1].hear({ t: "bye", d: {} });
  lines[1].fail();
  clock.pass(1000);
  assert.equal(lines.length, 2);
  clock.pass(4000);
  lines[2].open();
  lines[2].hear({ t: "lobby", d: {} });
  lines[2].fail();
  clock.pass(1000);
  assert.equal(lines.length, 4, "soon after a working connection");
});

test("a closed one stays closed until it is opened", () => {
  const { clock, lines, told, socket } = opened();
  lines[0].open();
  socket.close();
  lines[0].fail();
  clock.pass(TIMES.ping * 10);
  assert.deepEqual([lines.length, told.lost], [1, 0]);
  socket.open();
  assert.equal(lines.length, 2);
});
