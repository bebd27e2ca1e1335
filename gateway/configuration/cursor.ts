/** A place in a configuration file: reads what stands there and reports faults with file, line and path. */
import { nearestName } from '../../services/shared/errors/nearest-name.ts';
import { fieldPath } from '../../services/shared/errors/zod-details.ts';
import { type Fault, shown } from './faults.ts';
import type { SourceFile, Steps } from './source-file.ts';

/** What a fault says besides its text. */
export interface FaultAdvice {
  /** What came, when it is not the value at the place. */
  readonly came?: unknown;
  readonly allowed?: readonly string[];
  /** Names among which the nearest is looked for; `allowed` when absent. */
  readonly candidates?: readonly string[];
}

/** Keys that express-gateway knows and Tidegate refuses, with the reason. */
export type RefusedKeys = Readonly<Record<string, string>>;

export class Cursor {
  readonly value: unknown;
  readonly steps: Steps;
  readonly #source: SourceFile;
  readonly #faults: Fault[];

  constructor(source: SourceFile, faults: Fault[], steps: Steps, value: unknown) {
    this.#source = source;
    this.#faults = faults;
    this.steps = steps;
    this.value = value;
  }

  /** The root of a file; its faults are added to `faults`. */
  static of(source: SourceFile, faults: Fault[]): Cursor {
    return new Cursor(source, faults, [], source.value);
  }

  /** The place of `step` inside this one, whether something stands there or not. */
  at(step: string | number): Cursor {
    const inside = this.value;
    const known = typeof inside === 'object' && inside !== null && Object.hasOwn(inside, step);
    const value = known ? (inside as Record<string | number, unknown>)[step] : undefined;
    return new Cursor(this.#source, this.#faults, [...this.steps, step], value);
  }

  /** Adds a fault at this place. */
  report(text: string, advice: FaultAdvice = {}): void {
    if (this.#source.isUnresolved(this.steps)) return;
    const came = 'came' in advice ? advice.came : this.value;
    const allowed = advice.allowed ?? [];
    this.#faults.push({
      file: this.#source.name,
      line: this.#source.lineOf(this.steps),
      path: fieldPath(this.steps),
      came,
      allowed,
      nearest: nearestName(came, advice.candidates ?? allowed),
      text,
    });
  }

  /** The keys of the map here, or null after a fault when here is none. `what` names what the map holds. */
  keys(what: string): string[] | null {
    if (isMap(this.value)) return Object.keys(this.value);
    const article = /^[aeiou]/.test(what) ? 'an' : 'a';
    this.report(
      this.value === undefined || this.value === null ? 'is missing' : `${shown(this.value)} is no map`,
      {
        allowed: [`${article} ${what}`],
        candidates: [],
      },
    );
    return null;
  }

  /** The map here, its keys all among `known`; null after a fault when here is no map. */
  map(what: string, known: readonly string[], refused: RefusedKeys = {}): boolean {
    const keys = this.keys(what);
    if (!keys) return false;
    for (const key of keys) {
      if (known.includes(key)) continue;
      const reason = Object.hasOwn(refused, key) ? refused[key] : undefined;
      if (reason) this.at(key).report(`"${key}" is not used: ${reason}`, { allowed: known, candidates: [] });
      else this.at(key).report(`unknown key "${key}"`, { came: key, allowed: known });
    }
    return true;
  }

  /** The items of the list here, or null after a fault when here is none. */
  list(what: string): Cursor[] | null {
    if (Array.isArray(this.value)) return this.value.map((_, index) => this.at(index));
    this.report(
      this.value === undefined || this.value === null ? 'is missing' : `${shown(this.value)} is no list`,
      {
        allowed: [what],
        candidates: [],
      },
    );
    return null;
  }

  /** A string or a list of them, as EG allows in many places; null after a fault. */
  oneOrMore(what: string): Cursor[] | null {
    return typeof this.value === 'string' ? [this] : this.list(what);
  }
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
