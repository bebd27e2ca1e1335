/** A place in a configuration file: reads the value there and reports faults with file, line and path. */
import { nearestName } from '../../services/shared/errors/nearest-name.ts';
import { fieldPath } from '../../services/shared/errors/zod-details.ts';
import { type Fault, shown } from './faults.ts';
import { type FileLine, placeText, type Steps } from './place.ts';
import type { SourceFile } from './source-file.ts';

/** The parts of a fault besides its text. */
export interface FaultAdvice {
  /** The offending value, when it is not the value at the place. */
  readonly came?: unknown;
  readonly allowed?: readonly string[];
  /** Names to suggest the nearest of; `allowed` when absent. */
  readonly candidates?: readonly string[];
}

/** Keys that express-gateway supports and Tidegate refuses, with the reason. */
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

  /** Whether a fault was reported at this place or inside it. */
  get hasFaults(): boolean {
    const place = this.#source.placeOf(this.steps);
    const here = fieldPath(place.steps);
    return this.#faults.some(
      ({ file, path }) =>
        file === place.file &&
        (path === here || /^[.[]/.test(path.slice(here.length))) &&
        path.startsWith(here),
    );
  }

  /** The value as written in the file, variables not replaced. */
  get written(): unknown {
    return this.steps.reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, step)
          ? (value as Record<string | number, unknown>)[step]
          : undefined,
      this.#source.written,
    );
  }

  /** The root of a file; its faults are added to `faults`. */
  static of(source: SourceFile, faults: Fault[]): Cursor {
    return new Cursor(source, faults, [], source.value);
  }

  /** The place of `step` inside this one, whether or not it has a value. */
  at(step: string | number): Cursor {
    const inside = this.value;
    const known = typeof inside === 'object' && inside !== null && Object.hasOwn(inside, step);
    const value = known ? (inside as Record<string | number, unknown>)[step] : undefined;
    return new Cursor(this.#source, this.#faults, [...this.steps, step], value);
  }

  /** Adds a fault at this place. */
  report(text: string, advice: FaultAdvice = {}): void {
    if (this.#source.replacedAt(this.steps) === 'unresolved') return;
    const isSecret = this.#source.holdsSecret(this.steps);
    const came = isSecret ? undefined : 'came' in advice ? advice.came : this.value;
    const allowed = advice.allowed ?? [];
    const { file, line, steps } = this.#source.placeOf(this.steps);
    this.#faults.push({
      file,
      line,
      path: fieldPath(steps),
      came,
      allowed,
      nearest: nearestName(came, advice.candidates ?? allowed),
      text: isSecret ? 'is not valid, and not shown, since a secret stands here' : text,
    });
  }

  /** Whether a variable gave the text `steps` below this place, so that it may stand for a number or for true and false. */
  isReplaced(steps: Steps): boolean {
    return this.#source.replacedAt([...this.steps, ...steps]) === 'text';
  }

  /** The place in words, such as `teams/orders.yml:4`. */
  get place(): string {
    return placeText(this.#source.placeOf(this.steps));
  }

  /** Its file and line. */
  get fileLine(): FileLine {
    const { file, line = null } = this.#source.placeOf(this.steps);
    return { file, line };
  }

  /** The keys of the map here, or null after a fault if there is no map. `what` names the map's contents. */
  keys(what: string): string[] | null {
    if (isMap(this.value)) return Object.keys(this.value);
    const article = /^[aeiou]/.test(what) ? 'an' : 'a';
    this.report(
      this.value === undefined || this.value === null ? 'is missing' : `${shown(this.value)} is not a map`,
      {
        allowed: [`${article} ${what}`],
        candidates: [],
      },
    );
    return null;
  }

  /** The map here, its keys all among `known`; null after a fault if there is no map. */
  map(what: string, known: readonly string[], refused: RefusedKeys = {}): boolean {
    const keys = this.keys(what);
    if (!keys) return false;
    for (const key of keys) {
      if (known.includes(key)) continue;
      const reason = Object.hasOwn(refused, key) ? refused[key] : undefined;
      if (reason)
        this.at(key).report(`"${key}" is not supported: ${reason}`, { allowed: known, candidates: [] });
      else this.at(key).report(`unknown key "${key}"`, { came: key, allowed: known });
    }
    return true;
  }

  /** The items of the list here, or null after a fault if there is no list. */
  list(what: string): Cursor[] | null {
    if (Array.isArray(this.value)) return this.value.map((_, index) => this.at(index));
    this.report(
      this.value === undefined || this.value === null ? 'is missing' : `${shown(this.value)} is not a list`,
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
