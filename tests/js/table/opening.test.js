import assert from "node:assert/strict";
import { test } from "node:test";
import { App } from "../../../static/js/table/app.js";
import { Controller } from "../../../static/js/table/controller.js";

/** A page whose table has not been opened yet: its controller, and the text that it shows. */
function opening() {
  let state = {
    conn: "connecting",
    refused: null,
    bye: null,
    model: null,
    table: null,
    notices: [],
  };
  const store = {
    get: () => state,
    set: (change) => {
      state = { ...state, ...change };
    },
  };
  const announcer = { say: () => {}, insist: () => {} };
  const controller = new Controller({ store, url: "ws://nowhere/", match: "m", announcer });
  controller.notices.tell = () => {};
  const shown = () => {
    const { type, props } = App({ state, act: {} });
    return type(props).props.children;
  };
  return { controller, shown };
}

test("a table that can't be opened yet says why until the next connection", () => {
  const { controller, shown } = opening();
  assert.equal(shown(), "Joining the table…");
  controller.status("open");
  controller.received({ t: "bye", d: { code: "too_many_sockets", message: "Close some." } });
  controller.status("lost");
  assert.equal(shown(), "Close some.");
  controller.status("connecting");
  assert.equal(shown(), "Close some.");
  controller.status("open");
  controller.status("lost");
  assert.equal(shown(), "Reconnecting… your cards are safe");
});
