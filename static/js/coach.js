/* The coach of a lesson: what the server wrote about each step, said when the step comes. What is
   worth a word, and when, is in the keys of that script; there is no rule of the game here. */

/** The names of what an event is, the most particular first: "played.fifteen", then "played". */
function namesOf(event) {
  const kinds = (event.e === "played" && event.parts?.map(({ kind }) => kind)) || [];
  const more = [...kinds, event.reason, event.item].filter(Boolean);
  return [...more.map((word) => `${event.e}.${word}`), event.e];
}

/** Under which keys a script may speak of an event, the most particular first. */
export function keysOf(event, { hand, me }) {
  const who = (event.seat ?? event.winner) === me ? "own" : "other";
  return namesOf(event).flatMap((name) => [
    `${hand}.${name}.${who}`,
    `${hand}.${name}`,
    `${name}.${who}`,
    name,
  ]);
}

/** What the script says while a player is asked for something; null for nothing. */
export function askLine(script, { kind, lead, hand }) {
  const keys = [lead && `${hand}.ask.${kind}.lead`, `${hand}.ask.${kind}`];
  return keys.map((key) => script[key]).find(Boolean) ?? null;
}

export class Coach {
  /** `script`: key -> sentence. `kept` remembers which have been said, under `name`. */
  constructor({ script, name, kept = globalThis.sessionStorage }) {
    this.script = script;
    this.name = name;
    this.kept = kept;
    this.told = new Set(this.read());
    this.now = null; // the sentence about the event that is held
  }

  /** Whether there is something new to say of an event: then it is held until the player goes on. */
  has(event, model) {
    return this.find(event, model) !== null;
  }

  /** Say it, once. */
  say(event, model) {
    const key = this.find(event, model);
    this.now = this.script[key] ?? null;
    this.told.add(key);
    this.write();
  }

  /** The player goes on. */
  goOn() {
    this.now = null;
  }

  /** The sentence for now: about what is held, else about what is asked of the player. */
  line({ now, view, model }) {
    if (this.now) return this.now;
    if (!now.own) return null;
    return askLine(this.script, { kind: now.kind, lead: view.count === 0, hand: model.hand });
  }

  find(event, model) {
    const fresh = (key) => key in this.script && !this.told.has(key);
    return keysOf(event, model).find(fresh) ?? null;
  }

  read() {
    try {
      return JSON.parse(this.kept.getItem(this.name) ?? "[]");
    } catch {
      return [];
    }
  }

  write() {
    try {
      this.kept.setItem(this.name, JSON.stringify([...this.told]));
    } catch {
      // Then it is said again after a reload.
    }
  }
}
