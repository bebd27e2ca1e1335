/**
 * Reads the folder of built pages into memory, once: what is served is what was there, whatever a request names. A folder that has
 * not changed is not read again.
 */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../services/shared/caches/at-most.ts';
import type { Coding } from '../../services/shared/http/representation.ts';
import { createBuiltAnswer, type StaticAnswer, versionOf } from '../kit/static-answer.ts';
import { DOCUMENT, EXTENSIONS, isHashed, mediaTypeOf } from './file-names.ts';
import { type FoundFile, findFiles, MOST_BYTES, MOST_FILES, readContents } from './folder-contents.ts';
import { DOCUMENT_HEADERS, NOSNIFF } from './page-headers.ts';

export interface BuiltPages {
  readonly document: StaticAnswer;
  /** By name. */
  readonly files: ReadonlyMap<string, StaticAnswer>;
}

/** What a build puts beside a file, by the end of its name. */
const FORMS: readonly { end: string; coding: Coding; inflate: typeof gunzipSync }[] = [
  { end: '.gz', coding: 'gzip', inflate: gunzipSync },
  { end: '.br', coding: 'br', inflate: brotliDecompressSync },
];

/**
 * Compressed forms that were found to hold the same bytes as their file, by the versions of both: the check of a configuration, its
 * start and each reload read the same files, and to inflate them holds up every request.
 */
const SAME = new LRUCache<string, true>(atMost(2 * MOST_FILES));

/**
 * What was read of folders without faults, with the state that they were in: the check of a configuration, its start and each
 * reload read the same, and two configurations at work share the bytes.
 */
const KEPT = new LRUCache<string, { readonly read: Read; readonly state: string; readonly bytes: number }>({
  max: 8,
  maxSize: MOST_BYTES,
  sizeCalculation: ({ bytes }) => bytes + 1,
});
/** A file that changed later than this before it was read may change again without another time of its last change, in milliseconds. */
const SETTLED_MS = 2_000;

const FOR_EVER = 'public, max-age=31536000, immutable';
const ASKED_AGAIN = 'no-cache';

/** What a folder of pages is, in words. */
export const EXPECTED =
  'a folder that a build filled; npm run build makes that of the dashboard (setting DASHBOARD_DIR)';

/** @throws Error that names the folder and every fault in it */
export function readBuiltFolder(folder: string): BuiltPages {
  const { document, files, faults } = readFolder(folder);
  if (faults.length > 0 || document === undefined) {
    const list = faults.map((fault) => `\n  ${fault}`).join('');
    throw new Error(`the pages in ${folder} cannot be served; allowed: ${EXPECTED}:${list}`);
  }
  return { document, files };
}

/** Every fault of the folder; none: it can be served. */
export function faultsOfFolder(folder: string): readonly string[] {
  return readFolder(folder).faults;
}

type Read = Partial<BuiltPages> & {
  readonly files: BuiltPages['files'];
  readonly faults: readonly string[];
};

function readFolder(folder: string): Read {
  const faults: string[] = [];
  const settledMs = Date.now() - SETTLED_MS;
  const found = findFiles(folder, faults);
  const state = stateOf(found);
  const kept = KEPT.get(folder);
  if (kept?.state === state && faults.length === 0) return kept.read;
  const contents = readContents(found, faults);
  const read = readPages(contents, faults);
  const isSettled = [...found.values()].every(({ status }) => status.ctimeMs < settledMs);
  if (faults.length === 0 && isSettled) {
    const bytes = [...contents.values()].reduce((sum, { length }) => sum + length, 0);
    KEPT.set(folder, { read, state, bytes });
  } else KEPT.delete(folder);
  return read;
}

/** Differs after every change, since nobody sets the time of the last change of a file. */
function stateOf(found: ReadonlyMap<string, FoundFile>): string {
  const states = [...found].map(([name, { path, status }]) => {
    const { dev, ino, size, mtimeNs, ctimeNs } = status;
    return [name, path, dev, ino, size, mtimeNs, ctimeNs].join(' ');
  });
  return states.join('\n');
}

function readPages(contents: ReadonlyMap<string, Buffer>, faults: string[]): Read {
  if (faults.length === 0 && !contents.has(DOCUMENT)) faults.push(`it holds no ${DOCUMENT}`);
  const files = new Map<string, StaticAnswer>();
  for (const [name, plain] of contents) {
    const form = FORMS.find(({ end }) => name.endsWith(end));
    if (form === undefined) {
      const answer = answerOf(name, plain, formsOf(name, plain, contents, faults));
      if (answer === null) faults.push(`${name} is no page: files end in .${EXTENSIONS.join(', .')}`);
      else files.set(name, answer);
    } else if (!contents.has(name.slice(0, -form.end.length))) {
      faults.push(`${name} stands there without ${name.slice(0, -form.end.length)}`);
    }
  }
  const document = files.get(DOCUMENT);
  files.delete(DOCUMENT);
  return { ...(document && { document }), files, faults };
}

/** The compressed forms beside a file; each must hold the same bytes, or browsers would see another file than the one that is there. */
function formsOf(
  name: string,
  plain: Buffer,
  contents: ReadonlyMap<string, Buffer>,
  faults: string[],
): Map<Coding, Buffer> {
  const forms = new Map<Coding, Buffer>();
  const version = versionOf(plain);
  for (const { end, coding, inflate } of FORMS) {
    const made = contents.get(name + end);
    if (made === undefined) continue;
    const pair = `${coding} ${version} ${versionOf(made)}`;
    if (SAME.has(pair) || holdsSame(plain, made, inflate)) {
      SAME.set(pair, true);
      forms.set(coding, made);
    } else faults.push(`${name}${end} is not ${name} compressed: build the pages anew`);
  }
  return forms;
}

function holdsSame(plain: Buffer, made: Buffer, inflate: typeof gunzipSync): boolean {
  try {
    return plain.equals(inflate(made, { maxOutputLength: plain.length + 1 }));
  } catch {
    return false;
  }
}

/** Null for what is no file of pages. */
function answerOf(name: string, plain: Buffer, forms: ReadonlyMap<Coding, Buffer>): StaticAnswer | null {
  if (name === DOCUMENT) {
    return createBuiltAnswer(plain, forms, {
      mediaType: 'text/html; charset=utf-8',
      cacheControl: ASKED_AGAIN,
      headers: DOCUMENT_HEADERS,
    });
  }
  const mediaType = mediaTypeOf(name);
  if (mediaType === undefined) return null;
  const cacheControl = isHashed(name) ? FOR_EVER : ASKED_AGAIN;
  return createBuiltAnswer(plain, forms, { mediaType, cacheControl, headers: NOSNIFF });
}
