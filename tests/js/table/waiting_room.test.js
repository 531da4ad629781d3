import assert from "node:assert/strict";
import { test } from "node:test";
import { WaitingRoom } from "../../../static/js/table/waiting_room.js";

/** The line of the waiting room about the lobby. */
function aboutLobby({ creator, unlisted }) {
  const table = { seats: [], you: 0, creator, invite: null };
  const room = WaitingRoom(/** @type {any} */ ({ state: { table, unlisted }, act: {} }));
  const line = room.props.children.find((node) => node?.props?.role === "status");
  const shown = line.props.children;
  return shown ? shown.props.children : null;
}

test("the host of a table that has waited for long is told that it has left the lobby", () => {
  assert.match(aboutLobby({ creator: true, unlisted: true }), /has left the lobby\. Close it/);
  assert.equal(aboutLobby({ creator: true, unlisted: false }), null);
  assert.equal(aboutLobby({ creator: false, unlisted: true }), null);
});
