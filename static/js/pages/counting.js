/* The counting tutor without a new page at each answer: a form's answer takes the place of the hand,
   what the tutor says is spoken, and the focus goes on where it makes sense. */

const hand = () => document.querySelector("[data-counting]");
const spoken = document.querySelector("[data-spoken]");

/** Where the hand goes on after an answer: the button that was pressed, the total, the next hand. */
function goOn(fresh, pressed) {
  const again = pressed.value && fresh.querySelector(`button[value="${pressed.value}"]`);
  const total = fresh.querySelector("form.learn-total:not(details *) input[name='total']");
  const place = total ?? again ?? fresh.querySelector(".learn-do a, .learn-do button");
  if (pressed.value !== "guess" && again && !total) {
    (fresh.querySelector("input[name='cards']") ?? again).focus({ preventScroll: true });
  } else place?.focus({ preventScroll: true });
}

function place(page, pressed) {
  const fresh = document.importNode(page.querySelector("[data-counting]"), true);
  const opened = hand().querySelector("details")?.open;
  hand().replaceWith(fresh);
  if (opened) fresh.querySelector("details")?.setAttribute("open", "");
  spoken.textContent = fresh.querySelector("[data-said]")?.textContent ?? "";
  goOn(fresh, pressed);
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  const pressed = event.submitter;
  if (!hand().contains(form) || !pressed) return;
  event.preventDefault();
  const told = new FormData(form, pressed);
  try {
    const answer = await fetch(location.href, { method: "POST", body: told });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!page.querySelector("[data-counting]")) throw new Error(`no hand: ${answer.status}`);
    place(page, pressed);
  } catch {
    location.reload();
  }
});

/** Let each line that was found light its cards while it is pointed at. */
function light({ target }) {
  const names = target.closest?.("[data-part]")?.dataset.part.split(" ") ?? [];
  for (const card of hand().querySelectorAll("[data-card]")) {
    card.classList.toggle("lit", names.includes(card.dataset.card));
  }
}

document.addEventListener("pointerover", light);
