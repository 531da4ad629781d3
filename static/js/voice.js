/* The counts said aloud by the browser's own voice, where the player wants it. What is said follows
   from one model after the other, so that it keeps step with what is seen. */

import { gettext, ngettext, numberWord } from "./texts.js";

const RATE = 1.15; // of the voice's own pace: a count is said briskly

/** A number of points or a count, in words as far as there are any. */
function word(number) {
  return number < 30 ? numberWord(number) : (LARGE()[number] ?? String(number));
}

const LARGE = () => ({ 30: gettext("thirty"), 31: gettext("thirty-one") });

/**
 * What is to be said when `after` follows `before`: null for nothing; `cut` tells whether it cuts
 * short what is still being said. Pure.
 */
export function saying(before, after) {
  if (!before) return null;
  return lineOf(before, after) ?? cardOf(before, after) ?? goOf(before, after);
}

function lineOf(before, after) {
  const { show } = after;
  if (!show?.lines) return null;
  const same = before.show?.seat === show.seat && before.show?.item === show.item;
  const said = same ? before.show.lines.length : 0;
  const fresh = show.lines.slice(said).map((line) => line.text);
  if (fresh.length) return { text: fresh.join(", "), cut: said === 0 };
  if (same && show.finished && !before.show.finished && show.total === 0) {
    return { text: gettext("nineteen: nothing"), cut: true };
  }
  return null;
}

function cardOf(before, after) {
  if (after.plays.length !== before.plays.length + 1) return null;
  const { seat } = after.plays.at(-1);
  const points = after.says[seat]?.kind === "points" ? after.says[seat].points : 0;
  const count = word(after.count);
  if (!points) return { text: count, cut: true };
  return { text: gettext("%(count)s for %(points)s", { count, points: word(points) }), cut: true };
}

function goOf(before, after) {
  for (const [seat, say] of Object.entries(after.says)) {
    if (before.says[seat]?.kind === say.kind) continue;
    if (say.kind === "go") return { text: gettext("go"), cut: false };
    if (say.kind === "go_point" || say.kind === "last_card") {
      return { text: ngettext("and %(n)s for last", "and %(n)s for last", say.points), cut: false };
    }
  }
  return null;
}

export class Voice {
  /** `settings()` gives the preferences; `speech` and `make(text)` are the browser's own. */
  constructor(settings, speech = globalThis.speechSynthesis, make = utterance) {
    this.settings = settings;
    this.speech = speech;
    this.make = make;
    this.model = null;
  }

  /** The table now shows `model`. */
  shown(model) {
    const before = this.model;
    this.model = model;
    const { sound, voice, volume } = this.settings();
    if (!this.speech || !sound || !voice || volume <= 0 || before === model) return;
    const what = saying(before, model);
    if (!what) return;
    if (what.cut) this.speech.cancel();
    const said = this.make(what.text);
    said.volume = volume;
    said.rate = RATE;
    this.speech.speak(said);
  }
}

function utterance(text) {
  const said = new SpeechSynthesisUtterance(text);
  said.lang = document.documentElement.lang;
  return said;
}
