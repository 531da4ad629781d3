/* Short synthesised sounds. Browsers allow none before the first gesture, and Safari none that does not
   begin in one. A finger's gesture is its end, since it may begin to scroll. */

/** @import { Settings } from "../table/types.js" */
/** @import { GameEvent, Seat } from "../net/messages.js" */

/** @typedef {"turn" | "join" | "win" | "loss" | "go" | "short" | "card" | "deal" | "peg"} SoundName */

/**
 * Tones of each sound: pitch in hertz, start and length in seconds.
 * @type {Partial<Record<SoundName, [number, number, number][]>>}
 */
const NOTES = {
  turn: [
    [660, 0, 0.12],
    [880, 0.1, 0.18],
  ],
  join: [
    [784, 0, 0.14],
    [1047, 0.12, 0.14],
    [1319, 0.24, 0.3],
  ],
  win: [
    [523, 0, 0.16],
    [659, 0.13, 0.16],
    [784, 0.26, 0.16],
    [1047, 0.39, 0.4],
  ],
  loss: [
    [440, 0, 0.22],
    [370, 0.2, 0.22],
    [294, 0.4, 0.45],
  ],
  go: [[300, 0, 0.14]],
  short: [
    [880, 0, 0.09],
    [880, 0.16, 0.09],
  ],
};

const GESTURES = ["mousedown", "touchend", "click", "keydown"];
const HISS_S = 1; // seconds
const APART_S = 0.05; // between two of one kind; what is not played back comes all at once
const REST_MS = 400; // of silence, after which the browser need not render any

/**
 * Noise to cut the sounds of cards from: made once, since a card is drawn in the same frame.
 * @param {AudioContext} audio
 */
function hissOf(audio) {
  const buffer = audio.createBuffer(1, audio.sampleRate * HISS_S, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
  return buffer;
}

export class Sounds {
  /** @param {() => Settings} settings */
  constructor(settings) {
    this.settings = settings; // () -> preferences
    /** @type {AudioContext | null} */
    this.audio = null;
    this.allowed = false; // whether the context has been running
    /** @type {AudioBuffer | null} */
    this.hiss = null; // a second of noise, of which each card plays another part
    this.sounding = 0; // sources that have not ended
    /** @type {Map<SoundName, number>} */
    this.begun = new Map(); // when each began last, in the context's time
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.rest = undefined;
  }

  /**
   * Start with the first gesture.
   * @param {EventTarget} [page]
   */
  listen(page = globalThis) {
    for (const gesture of GESTURES) page.addEventListener(gesture, () => this.unlock(), true);
  }

  /** Create the audio context and have it run; call in gestures, until one was enough. */
  unlock() {
    const Audio = globalThis.AudioContext;
    if (this.allowed || !Audio) return;
    this.audio ??= new Audio();
    const { audio } = this;
    this.resume(audio, () => {
      if (!this.allowed) this.settle(audio);
      this.allowed = true;
    });
  }

  /**
   * @param {AudioContext} audio
   * @param {() => void} [then]
   */
  resume(audio, then) {
    audio.resume().then(then, () => {}); // during a phone call, for example
  }

  /**
   * Suspend the context after a pause: a running one renders silence all game long.
   * @param {AudioContext} audio
   */
  settle(audio) {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => audio.suspend(), REST_MS);
  }

  /**
   * Keep the context running until a source has ended.
   * @param {AudioContext} audio
   * @param {AudioScheduledSourceNode} source
   */
  hold(audio, source) {
    this.sounding += 1;
    source.onended = () => {
      this.sounding -= 1;
      if (!this.sounding) this.settle(audio);
    };
  }

  /** @param {SoundName} name */
  play(name) {
    const { sound, volume } = this.settings();
    const { audio } = this;
    if (!audio || !this.allowed || !sound || volume <= 0) return;
    if (audio.currentTime - (this.begun.get(name) ?? -1) < APART_S) return;
    this.begun.set(name, audio.currentTime);
    clearTimeout(this.rest);
    this.resume(audio); // also if it still says "running": it may be about to be suspended
    if (name === "card") this.noise(audio, 0.07, 1800, volume * 0.5);
    else if (name === "deal") this.noise(audio, 0.12, 2600, volume * 0.35);
    else if (name === "peg") this.knock(audio, volume);
    else
      for (const [pitch, after, length] of NOTES[name] ?? [])
        this.tone(audio, pitch, after, length, volume);
  }

  /**
   * @param {AudioContext} audio
   * @param {number} pitch
   * @param {number} after
   * @param {number} length
   * @param {number} volume
   */
  tone(audio, pitch, after, length, volume) {
    const start = audio.currentTime + after;
    const source = audio.createOscillator();
    source.type = "triangle";
    source.frequency.value = pitch;
    source.connect(this.fade(audio, start, length, volume * 0.25));
    this.hold(audio, source);
    source.start(start);
    source.stop(start + length);
  }

  /**
   * A card on cloth: a burst of band-filtered noise.
   * @param {AudioContext} audio
   * @param {number} length
   * @param {number} pitch
   * @param {number} volume
   */
  noise(audio, length, pitch, volume) {
    this.hiss ??= hissOf(audio);
    const source = audio.createBufferSource();
    const band = audio.createBiquadFilter();
    source.buffer = this.hiss;
    band.type = "bandpass";
    band.frequency.value = pitch;
    source.connect(band).connect(this.fade(audio, audio.currentTime, length, volume));
    this.hold(audio, source);
    source.start(0, Math.random() * (HISS_S - length), length);
  }

  /**
   * A peg in wood: a very short low tone.
   * @param {AudioContext} audio
   * @param {number} volume
   */
  knock(audio, volume) {
    this.tone(audio, 210, 0, 0.06, volume * 1.6);
    this.noise(audio, 0.02, 900, volume * 0.4);
  }

  /**
   * @param {AudioContext} audio
   * @param {number} start
   * @param {number} length
   * @param {number} volume
   */
  fade(audio, start, length, volume) {
    const gain = audio.createGain();
    gain.gain.setValueAtTime(volume, start);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
    gain.connect(audio.destination);
    return gain;
  }
}

/**
 * The sound of an event for seat `me`; null for silence.
 * @param {GameEvent} event
 * @param {Seat | null} me
 * @returns {SoundName | null}
 */
export function soundOf(event, me) {
  if (event.e === "match_over") return event.winner === me || me === null ? "win" : "loss";
  if (event.e === "go") return "go";
  if (event.e === "dealt" || event.e === "cut") return "deal";
  if ("points" in event && event.points) return "peg";
  return event.e === "played" || event.e === "discarded" || event.e === "starter" ? "card" : null;
}
