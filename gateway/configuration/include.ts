/** Reads a file of the configuration with the files and folders that its `include` names, each once and none from elsewhere. */
import { opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { Cursor, isMap } from './cursor.ts';
import { type Fault, shown } from './faults.ts';
import { INCLUDE, mergeFiles } from './merge-files.ts';
import { readSourceFile, type SourceFile } from './source-file.ts';
import type { Variables } from './variables.ts';

/** Most files that one file brings in, directly and by others. */
const MOST_FILES = 1_000;
/** Most entries of an included folder, those that are not read among them. */
const MOST_ENTRIES = 4_000;
/** How deep files may include others. */
const DEEPEST = 5;
const EXTENSION = '.yml';
const ALLOWED = ['a file *.yml or a folder of them, by its path from the configuration directory'];

/** What the files are read with. */
export interface ReadingSurroundings {
  /** The configuration directory, absolute. */
  readonly directory: string;
  readonly variables: Variables;
  readonly faults: Fault[];
  /** Files that are read in any case, which no `include` may name. */
  readonly roots: readonly string[];
  /** Gets the path of each included file and folder, missing ones too, so that a change of them is noticed. */
  readonly included: Set<string>;
  /** Gets the text of each file by its name. */
  readonly texts?: Map<string, string>;
}

/** `name` and what it includes as one file: included endpoints go before its own. Null when the file cannot be read. */
export async function readWithIncludes(
  name: string,
  surroundings: ReadingSurroundings,
): Promise<SourceFile | null> {
  const { directory, variables, faults, texts } = surroundings;
  const root = await readSourceFile(directory, name, variables, faults, texts);
  if (root === null || !isMap(root.value) || root.value[INCLUDE] === undefined) return root;
  const reading = new Reading(surroundings, await realpath(directory), await realRoots(surroundings));
  await reading.read(root, [{ name, real: await realpath(path.join(directory, name)) }]);
  return mergeFiles(root, reading.parts, faults);
}

/** The names of the files that are read in any case, by their real paths. */
async function realRoots({ directory, roots }: ReadingSurroundings): Promise<ReadonlyMap<string, string>> {
  const paths = await Promise.all(
    roots.map((root) => realpath(path.join(directory, root)).catch(() => null)),
  );
  return new Map(roots.flatMap((root, index) => (paths[index] ? [[paths[index], root] as const] : [])));
}

/** A file on the way to another one. */
interface Link {
  readonly name: string;
  readonly real: string;
}

class Reading {
  /** Included files before those that include them. */
  readonly parts: SourceFile[] = [];
  readonly #surroundings: ReadingSurroundings;
  readonly #top: string;
  readonly #roots: ReadonlyMap<string, string>;
  /** Where each included file was named, by its real path. */
  readonly #named = new Map<string, string>();

  constructor(surroundings: ReadingSurroundings, top: string, roots: ReadonlyMap<string, string>) {
    this.#surroundings = surroundings;
    this.#top = top;
    this.#roots = roots;
  }

  /** `chain` has the files that lead to this one, which is its last. */
  async read(file: SourceFile, chain: readonly Link[]): Promise<void> {
    const { faults } = this.#surroundings;
    const include = Cursor.of(file, faults).at(INCLUDE);
    const items = include.value === undefined ? [] : include.oneOrMore('a path or a list of paths');
    if (items?.length === 0 && include.value !== undefined)
      include.report('is an empty list; leave it out', { allowed: ALLOWED, candidates: [] });
    for (const item of items ?? []) {
      for (const name of await this.#namesAt(item)) await this.#add(name, item, chain);
    }
    this.parts.push(file);
  }

  async #add(name: string, item: Cursor, chain: readonly Link[]): Promise<void> {
    const { directory, variables, faults, texts } = this.#surroundings;
    const real = await this.#insideAt(name, item);
    if (real === null) return;
    const report = (text: string, allowed: readonly string[] = []) =>
      item.report(text, { came: name, allowed, candidates: [] });
    const way = [...chain, { name, real }];
    if (chain.some((link) => link.real === real))
      return report(`includes itself: ${way.map((link) => link.name).join(', then ')}`);
    const before = this.#named.get(real);
    if (before !== undefined)
      return report(`${shown(name)} is included by ${before} already`, ['one of the two']);
    if (chain.length > DEEPEST)
      return report(`lies deeper than files may include others`, [`at most ${DEEPEST} files deep`]);
    if (this.#named.size >= MOST_FILES) {
      if (this.#named.size === MOST_FILES) report('brings in too many files', [`at most ${MOST_FILES}`]);
      this.#named.set(real, item.place);
      return;
    }
    this.#named.set(real, item.place);
    const file = await readSourceFile(directory, name, variables, faults, texts);
    if (file === null) return;
    if (isMap(file.value)) await this.read(file, way);
    else Cursor.of(file, faults).report(`${shown(file.value)} is not a map`, { candidates: [] });
  }

  /** The names of the files that an item of `include` means, from the configuration directory; none after a fault. */
  async #namesAt(item: Cursor): Promise<string[]> {
    const { directory, included } = this.#surroundings;
    const written = item.written;
    const refuse = (text: string): string[] => {
      item.report(text, { came: written, allowed: ALLOWED, candidates: [] });
      return [];
    };
    if (typeof written !== 'string' || written === '') return refuse(`${shown(written)} is not a path`);
    if (written.includes('${')) return refuse('takes no variables: the same files are read everywhere');
    const name = path.posix.normalize(written).replace(/\/$/, '');
    if (path.isAbsolute(written) || name === '.' || name.split('/')[0] === '..')
      return refuse(`${shown(written)} lies outside of the configuration directory, or is all of it`);
    const full = path.join(directory, name);
    included.add(full);
    const status = await stat(full).catch(() => null);
    if (status === null) return refuse('the file or folder is missing');
    if (!status.isDirectory()) {
      return name.endsWith(EXTENSION) ? [name] : refuse(`${shown(written)} does not end in ${EXTENSION}`);
    }
    if ((await this.#insideAt(name, item)) === null) return [];
    const all = await entriesOf(full);
    if (all === null) return refuse(`the folder has more than ${MOST_ENTRIES} entries`);
    const entries = all.filter((entry) => !entry.startsWith('.')).sort();
    const other = entries.find((entry) => entry.endsWith('.yaml'));
    if (other !== undefined)
      return refuse(`the folder has ${shown(other)}, which would not be read; call it *${EXTENSION}`);
    const names = entries.filter((entry) => entry.endsWith(EXTENSION)).map((entry) => `${name}/${entry}`);
    for (const each of names) included.add(path.join(directory, each));
    return names.length > 0 ? names : refuse(`the folder has no file *${EXTENSION}`);
  }

  /** The real path of what `name` is, after links; null after a fault if it is not in the configuration directory or always read. */
  async #insideAt(name: string, item: Cursor): Promise<string | null> {
    const { directory } = this.#surroundings;
    const report = (text: string) => {
      item.report(text, { came: name, allowed: ALLOWED, candidates: [] });
      return null;
    };
    const real = await realpath(path.join(directory, name)).catch(() => null);
    if (real === null) return report('the file or folder is missing');
    const root = this.#roots.get(real);
    if (root !== undefined) {
      const which = root === name ? shown(name) : `${shown(name)} is a link to ${shown(root)}, which`;
      return report(`${which} is read in any case`);
    }
    return real.startsWith(this.#top + path.sep)
      ? real
      : report(`${shown(name)} is a link out of the configuration directory`);
  }
}

/** The names of what a folder holds; null when that is more than {@link MOST_ENTRIES}. */
async function entriesOf(folder: string): Promise<string[] | null> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder)) {
    if (names.length === MOST_ENTRIES) return null;
    names.push(name);
  }
  return names;
}
