/* The text field beside the pack: what is read as cards. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "../../../static/js/pages/card_picker.js";

const FIVE = ["5H", "5C", "5S", "JD", "TD"];

test("cards are read in any style in which people type them", () => {
  for (const typed of [
    "5h5c 5s,jd 10d",
    "5♥ 5♣ 5♠ J♦ 10♦",
    "5♥\ufe0f 5♣\ufe0f 5♠\ufe0f J♦\ufe0f 10♦\ufe0f", // as phones write them
    "5♡ 5♧ 5♤ J♢ 10♢",
    "\ufeff5H\u200b 5C 5S JD TD",
  ]) {
    assert.deepEqual(read(typed), FIVE, typed);
  }
});

test("a text with anything else is no list of cards", () => {
  for (const typed of ["5H 5X", "five", "5H 5"]) assert.equal(read(typed), null, typed);
});
