/** Reads one YAML or JSON file of the configuration: its value with `${NAME}` replaced, and the line of every path in it. */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLError,
  type YAMLWarning,
} from 'yaml';
import { fieldPath } from '../../services/shared/errors/zod-details.ts';
import type { Fault } from './faults.ts';
import type { Place, Replacement, Steps } from './place.ts';
import type { VariableProblem, Variables } from './variables.ts';

/** A file that could be read, with the files that it includes. */
export interface SourceFile {
  /** Its name inside the configuration directory. */
  readonly name: string;
  /** Its content after substitution. */
  readonly value: unknown;
  /** Its content before substitution. */
  readonly written: unknown;
  /** Where `steps` stand, or their deepest part that exists. */
  placeOf(steps: Steps): Place;
  /** What variables did to the text at `steps`; undefined when it has none. */
  replacedAt(steps: Steps): Replacement | undefined;
  /** Whether a secret stands at `steps` or below them. */
  holdsSecret(steps: Steps): boolean;
}

/** Aliases that one file may resolve: more than people write, fewer than an anchor bomb needs. */
const MAX_ALIASES = 100;

/** What a text without any fault says. */
interface Sound {
  readonly value: object;
  /** The lines that were asked for, by the steps in JSON. */
  readonly lines: Map<string, number | undefined>;
}

/**
 * What texts without any fault say, by themselves: the check of a configuration, its start and each reload read the same files,
 * and to parse them holds up every request. They are parsed again only where a line is asked for that nobody asked for before.
 */
const SOUND = new LRUCache<string, Sound>({
  maxSize: 1_048_576,
  sizeCalculation: (_, text) => text.length,
});

/** Syntax faults reported per file. */
const MAX_SLIPS = 3;

/** The file alone, or null after adding its faults to `faults`. `variables` are those that `${…}` may name; `texts` gets what it holds, by its name. */
export async function readSourceFile(
  directory: string,
  name: string,
  variables: Variables,
  faults: Fault[],
  texts?: Map<string, string>,
): Promise<SourceFile | null> {
  const text = await readText(directory, name, faults);
  if (text === null) return null;
  texts?.set(name, text);

  const isJson = name.endsWith('.json');
  const key = `${isJson ? 'JSON' : 'YAML'} ${text}`;
  const kept = SOUND.get(key);
  const parsed = parsedWhenAsked(text);
  const raw = kept === undefined ? readValue(name, text, parsed(), faults) : structuredClone(kept.value);
  if (raw === null || raw === undefined) return null;
  const lines = kept?.lines ?? new Map<string, number | undefined>();
  if (kept === undefined && parsed().problems.length === 0)
    SOUND.set(key, { value: structuredClone(raw), lines });

  function lineOf(steps: Steps): number | undefined {
    const at = JSON.stringify(steps);
    if (!lines.has(at)) lines.set(at, lineIn(parsed(), steps));
    return lines.get(at);
  }
  const replaced = new Map<string, Replacement>();
  const secrets: Steps[] = [];
  // Express-gateway reads the models itself and substitutes nothing in them.
  const value = isJson ? raw : await variables.replaceIn(raw, { replaced: noteReplacement, problem });
  return {
    name,
    value,
    written: raw,
    placeOf: (steps) => ({
      file: name,
      get line() {
        return lineOf(steps);
      },
      steps,
    }),
    replacedAt: (steps) => replaced.get(fieldPath(steps)),
    holdsSecret: (steps) => secrets.some((secret) => steps.every((step, index) => step === secret[index])),
  };

  function noteReplacement(steps: Steps, replacement: Replacement): void {
    replaced.set(fieldPath(steps), replacement);
    if (replacement === 'secret') secrets.push(steps);
  }

  function problem(steps: Steps, found: VariableProblem): void {
    noteReplacement(steps, 'unresolved');
    faults.push({ file: name, line: lineOf(steps), path: fieldPath(steps), ...found });
  }
}

/** What the text says; null or undefined after adding its faults. */
function readValue(
  name: string,
  text: string,
  { document, lines, problems }: Parsed,
  faults: Fault[],
): unknown {
  const isJson = name.endsWith('.json');
  // One slip derails the parser for the rest of the file: after the first few, its errors are noise.
  const slips = problems.filter(({ code }) => code !== 'DUPLICATE_KEY');
  const untold = new Set(slips.slice(MAX_SLIPS));
  for (const problem of problems.filter((each) => !untold.has(each))) {
    const { pos, code, message } = problem;
    const { line } = lines.linePos(pos[0]);
    if (code === 'DUPLICATE_KEY') {
      const path = fieldPath(stepsAt(document.contents, pos[0]) ?? []);
      faults.push({ file: name, line, path, allowed: [], text: 'this key appears twice in the same map' });
    } else {
      const reason = message.replace(/[.:]$/, '');
      const more =
        problem === slips[MAX_SLIPS - 1] && untold.size > 0 ? ` (and ${untold.size} more like it)` : '';
      const text = `invalid ${isJson ? 'JSON' : 'YAML'}: ${reason}${more}`;
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
  return raw;
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
    // Non-blocking: opening a pipe would wait for a writer.
    const file = await open(path.join(directory, name), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (stats.isFile() || stats.isDirectory()) return await file.readFile('utf8');
      faults.push({ file: name, path: '', allowed: [], text: 'this is a pipe or device, not a file' });
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

interface Parsed {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly problems: readonly (YAMLError | YAMLWarning)[];
}

/** Parses when first asked. */
function parsedWhenAsked(text: string): () => Parsed {
  let parsed: Parsed | undefined;
  return () => {
    parsed ??= parseText(text);
    return parsed;
  };
}

function parseText(text: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, stringKeys: true, prettyErrors: false });
  return { document, lines, problems: [...document.errors, ...document.warnings] };
}

/** The steps to the key that begins at `offset`; null if none does. */
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

/** Walks the document along `steps`; a step into a map has the line of its key. */
function lineIn({ document, lines }: Parsed, steps: Steps): number | undefined {
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
