/* Counts spoken by the browser's speech synthesis. The text is derived from the models as they are
   shown, so that sound and picture stay together. */

import { numberWord } from "../text/count_phrases.js";
import { gettext, ngettext } from "../text/translations.js";

/** @import { Model, Settings } from "../table/types.js" */

const RATE = 1.15; // relative to the voice's normal rate

/**
 * The text to speak when `after` follows `before`, or null. `cut`: whether it interrupts the speech
 * in progress. Pure.
 * @param {Model | null} before
 * @param {Model} after
 */
function saying(before, after) {
  if (!before) return null;
  return lineOf(before, after) ?? cardOf(before, after) ?? goOf(before, after);
}

/**
 * @param {Model} before
 * @param {Model} after
 */
function lineOf(before, after) {
  const { show } = after;
  if (!show?.lines) return null;
  const last =
    before.show?.seat === show.seat && before.show?.item === show.item ? before.show : null;
  const said = last ? last.lines.length : 0;
  const fresh = show.lines.slice(said).map((line) => line.text);
  if (fresh.length) return { text: fresh.join(", "), cut: said === 0 };
  if (last && show.finished && !last.finished && show.total === 0) {
    return { text: numberWord(0), cut: true };
  }
  return null;
}

/**
 * @param {Model} before
 * @param {Model} after
 */
function cardOf(before, after) {
  const play = after.plays.at(-1);
  if (!play || after.plays.length !== before.plays.length + 1) return null;
  const { seat } = play;
  const say = after.says[seat];
  const points = say?.kind === "points" ? say.points : 0;
  const count = numberWord(after.count);
  if (!points) return { text: count, cut: true };
  return {
    text: gettext("%(count)s for %(points)s", { count, points: numberWord(points) }),
    cut: true,
  };
}

/**
 * @param {Model} before
 * @param {Model} after
 */
function goOf(before, after) {
  for (const [seat, say] of Object.entries(after.says)) {
    if (before.says[Number(seat)]?.kind === say.kind) continue;
    if (say.kind === "go") return { text: gettext("go"), cut: false };
    if (say.kind === "go_point" || say.kind === "last_card") {
      return { text: ngettext("and %(n)s for last", "and %(n)s for last", say.points), cut: false };
    }
  }
  return null;
}

export class CountSpeaker {
  /**
   * `settings()` returns the preferences; `speech` and `make(text)` default to the browser's.
   * @param {() => Settings} settings
   * @param {SpeechSynthesis | undefined} [speech]
   * @param {(text: string) => SpeechSynthesisUtterance} [make]
   */
  constructor(settings, speech = globalThis.speechSynthesis, make = utterance) {
    this.settings = settings;
    this.speech = speech;
    this.make = make;
    /** @type {Model | null} */
    this.model = null;
  }

  /**
   * Speak about the change to `model`, which the table now shows.
   * @param {Model} model
   */
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

/** @param {string} text */
function utterance(text) {
  const said = new SpeechSynthesisUtterance(text);
  said.lang = document.documentElement.lang;
  return said;
}
