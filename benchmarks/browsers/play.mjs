/* Play a game and open pages in one browser: node play.mjs firefox|webkit FACTS

FACTS is JSON: the browser's `program`, for WebKit the `port` of its driver, the `url` of a site
with sample data, the `session` of one of its players, and `paths` to open as that player. Prints
JSON: the browser's `version`, the `actions` of a game against a computer and its `length` in
moves, and the `problems`. Only Firefox tells of errors in scripts and of failed requests. */

import { setTimeout as sleep } from "node:timers/promises";
import * as drivers from "./drivers.mjs";

const WIDTHS = [360, 1280];
const GAME_MS = 300_000;
const MOVE_MS = 10_000;
const STATE = "({ ...document.querySelector('.table-page')?.dataset })";
const TOO_WIDE =
  "document.documentElement.scrollWidth - document.documentElement.clientWidth";
// A page that is left while it fetches the steps of a replay says so on the console.
const READY = "document.querySelector('#replay')?.dataset.shown !== ''";

const [kind, text] = process.argv.slice(2);
const facts = JSON.parse(text);
const problems = [];
let at = "/";
const tell = (problem) => problems.push(`${at}: ${problem}`);

const browser = await drivers[kind](facts, tell);
try {
  await browser.size(390, 844);
  await browser.open(facts.url);
  await browser.click(".button-big");
  const found = { version: browser.version, ...(await play()) };
  await look();
  console.log(JSON.stringify({ ...found, problems }));
} finally {
  await browser.close();
}

/** Play a game against a computer to its end, by clicks at the table that is being opened. */
async function play() {
  await until(async () => (await browser.run("location.pathname")).startsWith("/t/"), MOVE_MS);
  at = await browser.run("location.pathname");
  await browser.open(`${facts.url}${at}?pace=instant`);
  let actions = 0;
  let state = {};
  const over = await until(async () => {
    state = await browser.run(STATE);
    if (state.ask === "over") return true;
    if (state.ask && state.own === "true" && state.conn === "open" && state.sending === "false") {
      actions += await act(state);
    }
    return false;
  }, GAME_MS);
  if (!over) tell(`the game did not end: ${JSON.stringify(state)}`);
  return { actions, length: Number(state.version) };
}

/** Do what is asked; return 1 if the table moved on, 0 if a card was still on its way. */
async function act({ ask, version }) {
  try {
    // Read once: what is pressed changes with the next frame.
    const left = await browser.run(
      "[...document.querySelectorAll('.hand-card')].map((card, at) =>" +
        " card.ariaPressed === 'true' || card.ariaDisabled === 'true' ? -1 : at)",
    );
    const wanted = ask === "discard" ? 2 - (left.length - free(left).length) : 1;
    if (ask === "discard" || ask === "play") {
      for (const card of free(left).slice(0, wanted)) await browser.click(".hand-card", card);
    }
    await browser.click("#primary");
  } catch (error) {
    if (!/intercepted|detached|stale|undefined/i.test(String(error))) throw error;
    return 0;
  }
  const moved = async () => {
    const now = await browser.run(STATE);
    return now.version !== version || now.ask !== ask;
  };
  return (await until(moved, MOVE_MS)) ? 1 : 0;
}

/** The cards that can be picked, by their places in the hand. */
function free(left) {
  return left.filter((at) => at >= 0);
}

/** Open each page as a player of the sample data, narrow and wide. */
async function look() {
  at = "/rules/"; // leave the table, which would go on asking as somebody else
  await browser.open(facts.url + at);
  await browser.cookie("sessionid", facts.session);
  for (const width of WIDTHS) {
    await browser.size(width, 800);
    const got = await browser.run("innerWidth");
    if (got !== width) tell(`the window is ${got} px wide, not ${width}`);
    for (at of facts.paths) {
      await browser.open(facts.url + at);
      if (!(await until(() => browser.run(READY), MOVE_MS))) tell("the replay shows nothing");
      const wide = await browser.run(TOO_WIDE);
      if (wide > 0) tell(`${wide} px too wide at ${width} px`);
      if (!(await browser.run("document.title"))) tell("no title");
    }
  }
}

/** Wait until a condition holds; return whether it does before the time is over. */
async function until(condition, milliseconds) {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    if (await condition()) return true;
    await sleep(50);
  }
  return false;
}
