/** The texts of the secret files of a configuration, and how they are kept out of whatever is shown. */

/** Stands in place of a secret. */
const HIDDEN = '[secret]';
/** Shorter ones are hidden only where they are the whole text: they occur in words too. */
export const SHORTEST_PART = 4;
/** Longer ones may be shown cut, so that their beginning is hidden as well. */
const CUT_AT = 24;
/** How deep causes are followed; what lies below is left out. */
const DEEPEST_CAUSE = 8;
/** A text that a schema may turn into a number. */
const NUMBER = /^-?\d+(?:\.\d+)?$/;

export class SecretTexts {
  readonly #whole = new Set<string>();
  /** The longest first, so that no secret that holds another one stays in part. */
  #parts: string[] = [];

  add(text: string): void {
    if (this.#whole.has(text)) return;
    this.#whole.add(text);
    if (NUMBER.test(text)) this.#whole.add(String(Number(text)));
    if (text.length < SHORTEST_PART) return;
    // As it is, as JSON writes it, and the beginning of either.
    const forms = [text, JSON.stringify(text).slice(1, -1)];
    const parts = [...forms, ...forms.map((form) => form.slice(0, CUT_AT))];
    this.#parts = [...new Set([...this.#parts, ...parts])].sort((a, b) => b.length - a.length);
  }

  /** A copy of `value` in which no text holds a secret; the same value when there are no secrets. */
  conceal<T>(value: T): T {
    return this.#whole.size === 0 ? value : (this.#copy(value) as T);
  }

  /** The same fault, with no secret in its texts, nor in its causes and the faults that it gathers; another one if it is frozen. */
  concealIn(fault: unknown): unknown {
    return this.#whole.size === 0 ? fault : this.#inFault(fault, 0, new Map());
  }

  /** `done` has what was met before, with what stands for it: faults may lead to themselves. */
  #inFault(value: unknown, depth: number, done: Map<object, unknown>): unknown {
    if (typeof value !== 'object' || value === null) return this.#copy(value);
    if (done.has(value)) return done.get(value);
    const isError = value instanceof Error;
    if (!isError && !Array.isArray(value) && !isPlain(value)) return value;
    if (depth > DEEPEST_CAUSE) return HIDDEN;
    // What is no fault may be in use elsewhere, so a copy is changed.
    const cleaned = isError ? value : Array.isArray(value) ? [...value] : { ...value };
    done.set(value, cleaned);
    // `message` and `stack` may be inherited.
    const own = isError ? ['message', 'stack', ...Object.getOwnPropertyNames(cleaned)] : Object.keys(cleaned);
    for (const key of own) {
      const before: unknown = Reflect.get(cleaned, key);
      const after = this.#inFault(before, depth + 1, done);
      if (after === before || Reflect.defineProperty(cleaned, key, { value: after, writable: true }))
        continue;
      done.set(value, new Error(this.#text(String(Reflect.get(cleaned, 'message')))));
      break;
    }
    return done.get(value);
  }

  #copy(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number') return this.#whole.has(String(value)) ? HIDDEN : value;
    if (Array.isArray(value)) return value.map((item) => this.#copy(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#copy(item)]));
  }

  #text(text: string): string {
    if (this.#whole.has(text)) return HIDDEN;
    return this.#parts.reduce((shown, part) => shown.replaceAll(part, HIDDEN), text);
  }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
