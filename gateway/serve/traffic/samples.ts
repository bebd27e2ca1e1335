/** Reads what a process measures, in Prometheus' text format. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A name, labels if there are any, and a value; what follows is an instant. */
const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]?Inf|[+-]?[0-9.]+(?:e[+-]?\d+)?)(?: |$)/i;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

/** What was measured at one time. */
export class Samples {
  readonly #byName = new Map<string, Sample[]>();

  /** Lines of another form are left out. */
  constructor(text: string) {
    for (const line of text.split('\n')) {
      const [, name, labels = '', value] = LINE.exec(line) ?? [];
      if (name === undefined || value === undefined) continue;
      const found = [...labels.matchAll(LABEL)].map(([, label = '', of = '']) => [label, unescaped(of)]);
      const sample = { name, labels: Object.fromEntries(found), value: numberOf(value) };
      const known = this.#byName.get(name);
      if (known) known.push(sample);
      else this.#byName.set(name, [sample]);
    }
  }

  all(name: string): readonly Sample[] {
    return this.#byName.get(name) ?? [];
  }

  /** The only one of the name, or the sum of all; null: there is none. */
  sum(name: string): number | null {
    const found = this.all(name);
    return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0);
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}

function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}
