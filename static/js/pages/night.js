/* A club night: asks every few seconds whether something has changed, shows it, and takes a player
   to his table when it begins. The server answers 304 while nothing has. */

import { keepWay } from "../back.js";
import { tellTimes } from "./when.js";

const ASK_MS = 4000;

const part = document.querySelector("[data-live]");
const trouble = document.querySelector("[data-trouble]");
const about = () => part.querySelector("[data-state]").dataset;
let tag = "";

/** Returns the new part as text, "" where nothing has changed. */
async function ask() {
  const answer = await fetch(part.dataset.live, {
    headers: tag ? { "If-None-Match": tag } : {},
    cache: "no-store",
  });
  if (answer.status === 304) return "";
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  tag = answer.headers.get("ETag") ?? "";
  return answer.text();
}

/** Shows the new part; returns whether this page goes on. */
function show(text) {
  const before = { ...about() };
  const open = new Map([...part.querySelectorAll("details")].map((each) => [each.id, each.open]));
  part.replaceChildren(...new DOMParser().parseFromString(text, "text/html").body.childNodes);
  tellTimes(part);
  for (const each of part.querySelectorAll("details")) each.open = open.get(each.id) ?? each.open;
  rememberTable();
  if (about().table && about().table !== before.table) {
    location.assign(about().table);
    return false;
  }
  if (about().state !== before.state) {
    location.reload(); // other buttons are offered now
    return false;
  }
  return true;
}

function rememberTable() {
  if (about().table) keepWay(about().table, location.pathname);
}

async function look() {
  try {
    const text = await ask();
    trouble.hidden = true;
    return !text || show(text);
  } catch {
    trouble.hidden = false;
    return true;
  }
}

async function keepLooking() {
  if (await look()) setTimeout(keepLooking, ASK_MS);
}

addEventListener("beforeprint", () => {
  for (const each of part.querySelectorAll("details")) each.open = true;
});
for (const plain of document.querySelectorAll("[data-plain]")) plain.hidden = true;
rememberTable();
setTimeout(keepLooking, ASK_MS);
