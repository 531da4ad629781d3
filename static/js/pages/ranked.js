/* The queue: asks every two seconds how it stands, and goes to the table once there is one. All
   words are in the page already; this shows and hides them. */

const ASK_MS = 2000;
const TICK_MS = 250;

const queue = document.querySelector("[data-queue]");
const part = (name) => queue.querySelector(`[data-${name}]`);
const token = queue.querySelector("[name=csrfmiddlewaretoken]").value;
const began = performance.now() - Number(queue.dataset.waited) * 1000;

function showTime() {
  const seconds = Math.floor((performance.now() - began) / 1000);
  const minutes = Math.floor(seconds / 60);
  part("time").textContent = `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

async function ask() {
  const answer = await fetch(queue.dataset.state, {
    method: "POST",
    headers: { "X-CSRFToken": token, Accept: "application/json" },
  });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

function show({ offer, others }) {
  part("offer").hidden = !offer;
  part("others").hidden = others === 0;
  part("number").textContent = others;
}

/** Returns whether there is still something to wait for. */
async function look() {
  try {
    const standing = await ask();
    part("trouble").hidden = true;
    if (standing.waiting) {
      show(standing);
      return true;
    }
    location.assign(standing.table || queue.dataset.here);
    return false;
  } catch {
    part("trouble").hidden = false;
    return true;
  }
}

async function keepLooking() {
  if (await look()) setTimeout(keepLooking, ASK_MS);
}

part("plain").hidden = true;
setInterval(showTime, TICK_MS);
showTime();
keepLooking();
