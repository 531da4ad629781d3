/* Short sounds, made on the spot. Browsers allow none before the first gesture. */

const NOTES = {
  turn: [
    [660, 0, 0.12],
    [880, 0.1, 0.18],
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

export class Sounds {
  constructor(settings) {
    this.settings = settings; // () -> preferences
    this.audio = null;
  }

  /** Call on the first gesture. */
  unlock() {
    if (this.audio) return;
    const Audio = globalThis.AudioContext;
    if (Audio) this.audio = new Audio();
  }

  play(name) {
    const { sound, volume } = this.settings();
    if (!this.audio || !sound || volume <= 0) return;
    if (this.audio.state === "suspended") this.audio.resume();
    if (name === "card") this.noise(0.07, 1800, volume * 0.5);
    else if (name === "deal") this.noise(0.12, 2600, volume * 0.35);
    else if (name === "peg") this.knock(volume);
    else
      for (const [pitch, after, length] of NOTES[name] ?? [])
        this.tone(pitch, after, length, volume);
  }

  tone(pitch, after, length, volume) {
    const start = this.audio.currentTime + after;
    const source = this.audio.createOscillator();
    source.type = "triangle";
    source.frequency.value = pitch;
    source.connect(this.fade(start, length, volume * 0.25));
    source.start(start);
    source.stop(start + length);
  }

  /** A card on cloth: a burst of noise through a band. */
  noise(length, pitch, volume) {
    const { audio } = this;
    const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
    const source = audio.createBufferSource();
    const band = audio.createBiquadFilter();
    source.buffer = buffer;
    band.type = "bandpass";
    band.frequency.value = pitch;
    source.connect(band).connect(this.fade(audio.currentTime, length, volume));
    source.start();
  }

  /** A peg in wood: a very short low tone. */
  knock(volume) {
    this.tone(210, 0, 0.06, volume * 1.6);
    this.noise(0.02, 900, volume * 0.4);
  }

  fade(start, length, volume) {
    const gain = this.audio.createGain();
    gain.gain.setValueAtTime(volume, start);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
    gain.connect(this.audio.destination);
    return gain;
  }
}

/** The sound of an event as `me` hears it; null for silence. */
export function soundOf(event, me) {
  if (event.e === "match_over") return event.winner === me || me === null ? "win" : "loss";
  if (event.e === "go") return "go";
  if (event.e === "dealt" || event.e === "cut") return "deal";
  if (event.points) return "peg";
  return event.e === "played" || event.e === "discarded" || event.e === "starter" ? "card" : null;
}
