/** Reads one YAML or JSON file of the configuration: its value with `${NAME}` replaced, and the line of every path in it. */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { nearestName } from '../../services/shared/errors/nearest-name.ts';
import { fieldPath } from '../../services/shared/errors/zod-details.ts';
import { type Fault, shown } from './faults.ts';

/** Steps from the root of a file: map keys and list indices. */
export type Steps = readonly (string | number)[];

/** A file that could be read. */
export interface SourceFile {
  /** Its name inside the configuration directory. */
  readonly name: string;
  /** Its content after substitution. */
  readonly value: unknown;
  /** The line of `steps`, or of the deepest part of it that exists. */
  lineOf(steps: Steps): number | undefined;
  /** Whether a variable in the text at `steps` is unknown: its fault is told, and no other is looked for there. */
  isUnresolved(steps: Steps): boolean;
}

/** Aliases that one file may resolve: more than a person writes, fewer than an anchor bomb needs. */
const MAX_ALIASES = 100;

/** Faults of its syntax that are told of one file. */
const MAX_SLIPS = 3;

/** The file, or null after its faults were added to `faults`. `variables` are those that `${…}` may name. */
export async function readSourceFile(
  directory: string,
  name: string,
  variables: Readonly<Record<string, string>>,
  faults: Fault[],
): Promise<SourceFile | null> {
  const text = await readText(directory, name, faults);
  if (text === null) return null;

  const isJson = name.endsWith('.json');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, stringKeys: true, prettyErrors: false });
  const problems = [...document.errors, ...document.warnings];
  // One slip derails the parser for the rest of the file: what it says after the first few is noise.
  const slips = problems.filter(({ code }) => code !== 'DUPLICATE_KEY');
  const untold = new Set(slips.slice(MAX_SLIPS));
  for (const problem of problems.filter((each) => !untold.has(each))) {
    const { pos, code, message } = problem;
    const { line } = lines.linePos(pos[0]);
    if (code === 'DUPLICATE_KEY') {
      const path = fieldPath(stepsAt(document.contents, pos[0]) ?? []);
      faults.push({ file: name, line, path, allowed: [], text: 'this key stands twice in the same map' });
    } else {
      const reason = message.replace(/[.:]$/, '');
      const more =
        problem === slips[MAX_SLIPS - 1] && untold.size > 0 ? ` (and ${untold.size} more like it)` : '';
      const text = `this is no valid ${isJson ? 'JSON' : 'YAML'}: ${reason}${more}`;
      faults.push({ file: name, line, path: '', allowed: [], text });
    }
  }
  if (slips.length > 0) return null;
  if (isJson && !isValidJson(text)) {
    faults.push({ file: name, path: '', allowed: [], text: 'this is YAML, not JSON' });
    return null;
  }

  let raw: unknown;
  try {
    raw = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    const text = `its aliases cannot be resolved: ${error instanceof Error ? error.message : error}`;
    faults.push({ file: name, path: '', allowed: [`at most ${MAX_ALIASES} resolved aliases`], text });
    return null;
  }

  if (raw === null || raw === undefined) {
    faults.push({ file: name, path: '', allowed: [], text: 'the file is empty' });
    return null;
  }
  const lineOf = (steps: Steps) => lineIn(document, lines, steps);
  const unresolved = new Set<string>();
  // Express-gateway reads the models itself and replaces nothing in them.
  const value = isJson ? raw : substituted(raw, [], reportProblem, variables);
  return { name, value, lineOf, isUnresolved: (steps) => unresolved.has(fieldPath(steps)) };

  function reportProblem(steps: Steps, problem: Problem): void {
    unresolved.add(fieldPath(steps));
    faults.push({ file: name, line: lineOf(steps), path: fieldPath(steps), ...problem });
  }
}

function isValidJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function readText(directory: string, name: string, faults: Fault[]): Promise<string | null> {
  try {
    // Not blocking: opening a pipe would wait for somebody who writes into it.
    const file = await open(path.join(directory, name), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (stats.isFile() || stats.isDirectory()) return await file.readFile('utf8');
      faults.push({ file: name, path: '', allowed: [], text: 'this is a pipe or device, no file' });
      return null;
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reason = code === 'ENOENT' ? 'the file is missing' : `the file cannot be read (${code})`;
    faults.push({ file: name, path: '', allowed: [], text: reason });
    return null;
  }
}

/** The steps to the key that begins at `offset`; null when none does. */
function stepsAt(node: unknown, offset: number): (string | number)[] | null {
  const children: [string | number, unknown][] = [];
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue;
      if (key.range?.[0] === offset) return [String(key.value)];
      children.push([String(key.value), value]);
    }
  } else if (isSeq(node)) node.items.forEach((item, index) => void children.push([index, item]));
  for (const [step, child] of children) {
    const rest = stepsAt(child, offset);
    if (rest) return [step, ...rest];
  }
  return null;
}

/** Walks the document along `steps`; a map step counts as the line of its key. */
function lineIn(document: Document.Parsed, lines: LineCounter, steps: Steps): number | undefined {
  let node = resolved(document.contents, document);
  let offset = node?.range?.[0];
  for (const step of steps) {
    let next: Node | null = null;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step));
      if (!pair || !isScalar(pair.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      next = pair.value as Node | null;
    } else if (isSeq(node) && typeof step === 'number') {
      const item = node.items[step] as Node | null | undefined;
      if (!item) break;
      offset = item.range?.[0] ?? offset;
      next = item;
    }
    if (!next) break;
    node = resolved(next, document);
  }
  return offset === undefined ? undefined : lines.linePos(offset).line;
}

function resolved(node: Node | null, document: Document.Parsed): Node | null {
  return isAlias(node) ? (node.resolve(document) ?? null) : node;
}

type Problem = Pick<Fault, 'came' | 'allowed' | 'nearest' | 'text'>;

const PLACEHOLDER = /\$\{([^}]*)(\}?)/g;
const WELL_FORMED = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/** A copy with every string substituted; keys stay as written. Text that a variable brings in is not read again. */
function substituted(
  value: unknown,
  steps: Steps,
  report: (steps: Steps, problem: Problem) => void,
  variables: Readonly<Record<string, string>>,
): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(PLACEHOLDER, (whole, inner: string, end: string) => {
      const replacement = end === '' ? malformed(whole) : replace(inner, variables);
      if (typeof replacement === 'string') return replacement;
      report(steps, replacement);
      return '';
    });
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => substituted(item, [...steps, index], report, variables));
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => [
      key,
      substituted(item, [...steps, key], report, variables),
    ]);
    return Object.fromEntries(entries);
  }
  return value;
}

/** `NAME` or `NAME:-default`; the default also stands in for an empty variable, as in a shell. */
function replace(inner: string, variables: Readonly<Record<string, string>>): string | Problem {
  const [, name, fallback] = WELL_FORMED.exec(inner) ?? [];
  if (name === undefined) return malformed(`\${${inner}}`);
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (value !== undefined && (value !== '' || fallback === undefined)) return value;
  if (fallback !== undefined) return fallback;
  const known = Object.keys(variables).sort();
  return {
    came: name,
    allowed: known,
    nearest: nearestName(name, known),
    text: `${shown(name)} is no known variable`,
  };
}

function malformed(came: string): Problem {
  return {
    came,
    allowed: [`\${NAME}`, `\${NAME:-default}`],
    text: `${shown(came)} is no variable reference`,
  };
}
