/** Replaces `${…}` in the texts of a file: by variables of the server, of the environment, and by secret files. */
import { SETTINGS } from '../../config/settings.ts';
import { nearestName } from '../../services/shared/errors/nearest-name.ts';
import { type Fault, shown } from './faults.ts';
import type { Replacement, Steps } from './place.ts';
import { readSecretFile } from './secret-file.ts';
import { type SecretTexts, SHORTEST_PART } from './secret-texts.ts';

/** A fault in a text with variables; the text is never part of it. */
export type VariableProblem = Pick<Fault, 'came' | 'allowed' | 'nearest' | 'text'>;

/** What a configuration names by `${…}`, without what it holds. */
export interface UsedVariable {
  /** The name of a variable, or the path of a secret file. */
  readonly name: string;
  /** `server`: one that the server sets itself; `environment`; `default`: the one in the text; `secret file`. */
  readonly from: 'server' | 'environment' | 'default' | 'secret file';
}

/** Told of what is replaced in a file. */
export interface ReplacementListener {
  replaced(steps: Steps, replacement: Replacement): void;
  problem(steps: Steps, problem: VariableProblem): void;
}

const PLACEHOLDER = /\$\$\{|\$\{([^}]*)(\}?)/g;
const WELL_FORMED = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;
const SECRET_FILE = 'file:';
const FORMS = [`\${NAME}`, `\${NAME:-default}`];
const SECRET_FORM = `\${file:/path/of/a/secret}`;

export class Variables {
  /** What was named so far, each once, in the order of the files. */
  readonly used: UsedVariable[] = [];
  readonly #own: Readonly<Record<string, string>>;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #secrets: SecretTexts;
  readonly #files = new Map<string, Awaited<ReturnType<typeof readSecretFile>>>();

  /** `own` are those of the server, which go before the environment; `secrets` is told the text of each secret file. */
  constructor(
    own: Readonly<Record<string, string>>,
    environment: Readonly<Record<string, string | undefined>>,
    secrets: SecretTexts,
  ) {
    this.#own = own;
    this.#environment = environment;
    this.#secrets = secrets;
  }

  /** A copy of `value` with every text replaced; keys stay as written. What was put in is not replaced again, nor read as YAML. */
  async replaceIn(value: unknown, listener: ReplacementListener): Promise<unknown> {
    for (const file of secretFilesIn(value)) {
      if (!this.#files.has(file)) this.#files.set(file, await readSecretFile(file));
    }
    return this.#copy(value, [], listener);
  }

  #copy(value: unknown, steps: Steps, listener: ReplacementListener): unknown {
    if (typeof value === 'string') return value.includes('${') ? this.#text(value, steps, listener) : value;
    if (Array.isArray(value))
      return value.map((item, index) => this.#copy(item, [...steps, index], listener));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, item]) => [key, this.#copy(item, [...steps, key], listener)]),
    );
  }

  #text(text: string, steps: Steps, listener: ReplacementListener): string {
    let replacement: Replacement | undefined;
    const found = text.replaceAll(PLACEHOLDER, (whole, inner: string | undefined, end: string) => {
      if (inner === undefined) return '${';
      const isSecret = inner.startsWith(SECRET_FILE);
      const value =
        end === '' ? malformed(whole) : isSecret ? this.#secret(inner, steps) : this.#named(inner);
      if (typeof value !== 'string') {
        replacement = 'unresolved';
        listener.problem(steps, value);
        return '';
      }
      if (replacement !== 'unresolved') replacement = isSecret ? 'secret' : (replacement ?? 'text');
      return value;
    });
    if (replacement !== undefined && replacement !== 'unresolved') listener.replaced(steps, replacement);
    return found;
  }

  /** `NAME` or `NAME:-default`; the default also replaces an empty variable, as in a shell. */
  #named(inner: string): string | VariableProblem {
    const [, name, fallback] = WELL_FORMED.exec(inner) ?? [];
    if (name === undefined) return malformed(`\${${inner}}`);
    const isOwn = Object.hasOwn(this.#own, name);
    if (!isOwn && Object.hasOwn(SETTINGS, name)) {
      const text = `${shown(name)} is a setting of the server, which the configuration does not see`;
      return { came: name, allowed: Object.keys(this.#own).sort(), text };
    }
    const value = isOwn ? this.#own[name] : own(this.#environment, name);
    if (value !== undefined && (value !== '' || fallback === undefined)) {
      this.#use(name, isOwn ? 'server' : 'environment');
      return value;
    }
    if (fallback !== undefined) {
      this.#use(name, 'default');
      return fallback;
    }
    const known = Object.keys(this.#own).sort();
    return {
      came: name,
      allowed: [...known, 'a variable of the environment'],
      nearest: nearestName(name, [...known, ...Object.keys(this.#environment)]),
      text: `${shown(name)} is not a known variable`,
    };
  }

  #secret(inner: string, steps: Steps): string | VariableProblem {
    const file = inner.slice(SECRET_FILE.length);
    if (!mayHoldSecret(steps)) {
      return {
        came: inner,
        allowed: ['the parameters of a policy', 'the settings of a plugin'],
        text: 'a secret may not stand here, where it would be shown',
      };
    }
    const read = this.#files.get(file);
    if (read === undefined || 'problem' in read) {
      const text = `the secret file ${shown(file)} ${read?.problem ?? 'was not read'}`;
      return { came: inner, allowed: [], text };
    }
    this.#use(file, 'secret file');
    this.#secrets.add(read.text);
    return read.text;
  }

  #use(name: string, from: UsedVariable['from']): void {
    if (this.used.every((one) => one.name !== name || one.from !== from)) this.used.push({ name, from });
  }

  /** The secret files whose text is too short to be hidden within other texts. */
  get shortSecretFiles(): readonly string[] {
    return [...this.#files].flatMap(([file, read]) =>
      'text' in read && read.text.length < SHORTEST_PART ? [file] : [],
    );
  }

  /** Every secret file that was read, or could not be. */
  get secretFiles(): readonly string[] {
    return [...this.#files.keys()];
  }
}

function own(record: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The parameters of a policy and the settings of a plugin: all else appears in documents, logs or metrics. */
function mayHoldSecret(steps: Steps): boolean {
  if (steps[0] === 'pipelines') return steps.indexOf('action', 4) !== -1;
  return steps[0] === 'plugins' && steps.length > 2 && steps[2] !== 'package';
}

function secretFilesIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return [...value.matchAll(PLACEHOLDER)].flatMap(([, inner]) =>
      inner?.startsWith(SECRET_FILE) ? [inner.slice(SECRET_FILE.length)] : [],
    );
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretFilesIn) : [];
}

function malformed(came: string): VariableProblem {
  const allowed = [...FORMS, SECRET_FORM];
  return { came, allowed, text: `${shown(came)} is not a valid variable reference` };
}
