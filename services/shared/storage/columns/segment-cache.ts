/**
 * The files of segments on this machine's disk. They never change, so they are downloaded once, checked, and used until
 * others need the room. A process has a folder of its own: it takes one that no living process uses, with what is in it.
 */
import { createHash } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { untilAborted } from '../single-flight.ts';
import type { Segment } from './segment-set.ts';
import type { SegmentSource } from './sources.ts';

/** How many files are downloaded or checked at once. */
const AT_ONCE = 4;

/** The use of a file is noted on disk, for the next process, at most this often in milliseconds. */
const NOTE_USE_EVERY_MS = 600_000;

/** Files that stay until they are released. */
export interface HeldFiles {
  /** Paths, in the order of the segments. */
  readonly files: readonly string[];
  release(): void;
}

interface Entry {
  readonly path: string;
  readonly bytes: number;
  /** Resolves when the file is there and right; null: it was not looked at. */
  ready: Promise<void> | null;
  isBusy: boolean;
  users: number;
  /** When its use was noted on disk, in epoch milliseconds. */
  notedAt: number;
}

export interface SegmentCacheOptions {
  /** A folder that no other process uses. */
  readonly directory: string;
  /** How many bytes the files may have; those that queries read at the same time may have more. */
  readonly maxBytes: number;
  readonly source: Pick<SegmentSource, 'get'>;
}

export class SegmentCache {
  readonly #options: SegmentCacheOptions;
  /** By the checksums of the files; the least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new AbortController();
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #bytes = 0;
  /** Downloads that began. */
  downloads = 0;

  private constructor(options: SegmentCacheOptions) {
    this.#options = options;
  }

  /** Opens it with the files that are there; each is checked before its first use. Removes what was not finished. */
  static async open(options: SegmentCacheOptions): Promise<SegmentCache> {
    const { directory } = options;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const cache = new SegmentCache(options);
    const found: [string, Entry][] = [];
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      const sha256 = /^([0-9a-f]{64})\.parquet$/.exec(name)?.[1];
      if (sha256 === undefined) {
        await rm(path, { recursive: true, force: true });
        continue;
      }
      const { size, mtimeMs } = await stat(path);
      found.push([sha256, { path, bytes: size, ready: null, isBusy: false, users: 0, notedAt: mtimeMs }]);
    }
    found.sort(([, a], [, b]) => a.notedAt - b.notedAt);
    for (const [sha256, entry] of found) cache.#add(sha256, entry);
    cache.#makeRoom();
    return cache;
  }

  /** Bytes of the files that are there or on their way. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Files of segments, downloaded where they are not here. Downloads go on when the signal aborts.
   * @throws DamagedSegment, ApiError SERVICE_UNAVAILABLE, or the signal's reason
   */
  async hold(segments: readonly Segment[], signal: AbortSignal): Promise<HeldFiles> {
    signal.throwIfAborted();
    const entries = segments.map((segment) => this.#use(segment));
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      for (const entry of entries) entry.users--;
      this.#makeRoom();
    };
    try {
      await untilAborted(Promise.all(entries.map(({ ready }) => ready)), signal);
      return { files: entries.map(({ path }) => path), release };
    } catch (fault) {
      release();
      throw fault;
    }
  }

  /** Looks whether files were damaged on this disk, such as after a query could not read them; they are then removed. */
  async removeDamaged(segments: readonly Segment[]): Promise<boolean> {
    let isDamaged = false;
    for (const segment of segments) {
      const entry = this.#entries.get(segment.sha256);
      if (!entry || entry.isBusy || (await isRight(entry.path, segment))) continue;
      isDamaged = true;
      this.#remove(segment.sha256, entry);
    }
    return isDamaged;
  }

  /** Ends downloads; the files stay. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the cache of segments closes'));
    await Promise.all([...this.#entries.values()].map(({ ready }) => ready?.catch(() => undefined)));
  }

  #use(segment: Segment): Entry {
    const { sha256, bytes } = segment;
    const path = join(this.#options.directory, `${sha256}.parquet`);
    const entry = this.#entries.get(sha256) ?? {
      path,
      bytes,
      ready: null,
      isBusy: false,
      users: 0,
      notedAt: 0,
    };
    if (this.#entries.delete(sha256)) this.#entries.set(sha256, entry);
    else this.#add(sha256, entry);
    entry.users++;
    if (entry.ready === null) this.#prepare(entry, segment);
    this.#makeRoom();
    this.#noteUse(entry);
    return entry;
  }

  #add(sha256: string, entry: Entry): void {
    this.#entries.set(sha256, entry);
    this.#bytes += entry.bytes;
  }

  #remove(sha256: string, entry: Entry): void {
    if (this.#entries.get(sha256) !== entry) return;
    this.#entries.delete(sha256);
    this.#bytes -= entry.bytes;
    // At once, so that it cannot hit a file that is downloaded again.
    rmSync(entry.path, { force: true });
  }

  /** Removes what was not used for longest, except what is in use. */
  #makeRoom(): void {
    for (const [sha256, entry] of this.#entries) {
      if (this.#bytes <= this.#options.maxBytes) return;
      if (entry.users === 0 && !entry.isBusy) this.#remove(sha256, entry);
    }
  }

  #prepare(entry: Entry, segment: Segment): void {
    entry.isBusy = true;
    const ready = this.#inTurn(async () => {
      if (entry.bytes === segment.bytes && (await isRight(entry.path, segment))) return;
      this.downloads++;
      await this.#options.source.get(segment, entry.path, this.#closing.signal);
    }).finally(() => {
      entry.isBusy = false;
    });
    entry.ready = ready;
    ready.catch(() => this.#remove(segment.sha256, entry));
  }

  async #inTurn<R>(action: () => Promise<R>): Promise<R> {
    if (this.#running === AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      this.#closing.signal.throwIfAborted();
      return await action();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #noteUse(entry: Entry): void {
    const now = Date.now();
    if (now - entry.notedAt < NOTE_USE_EVERY_MS) return;
    entry.notedAt = now;
    // Absent while it is downloaded, which sets the time itself.
    utimes(entry.path, now / 1_000, now / 1_000).catch(() => undefined);
  }
}

/** Whether the file is there and is what its segment says. */
async function isRight(path: string, { sha256, bytes }: Segment): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found?.size !== bytes) return false;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex') === sha256;
}
