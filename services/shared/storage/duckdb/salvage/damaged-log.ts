/** Reads the engine's log entry by entry, and leaves out the commits that are damaged, so that the others can be replayed. */

/** In front of each entry: its length and its checksum. */
const ENTRY_HEADER_BYTES = 16;
/** The first entry, the version of the log, has no header. */
const VERSION_ENTRY_BYTES = 8;
/** An entry begins with the number of its first field, 100, and then its kind. */
const KIND_OFFSET = 2;
/** The kind of entry that ends a commit. */
const COMMIT_END = 100;
/** The kind of entry that deletes rows, by their places in the table. */
const DELETION = 27;

/** How the first entry begins: its first field and its kind. */
const BEGINNING = Buffer.from([100, 0, 98]);

/** Whether the file begins as a log does, as far as it goes; the engine silently takes any other for an empty one. */
export function isLog(log: Buffer): boolean {
  const beginning = log.subarray(0, BEGINNING.length);
  return BEGINNING.subarray(0, beginning.length).equals(beginning);
}

interface Commit {
  readonly start: number;
  /** Behind its last byte. */
  readonly end: number;
  /** Whether it deletes rows: compaction, which stores the same rows anew, and erasure do. */
  readonly deletes: boolean;
}

/** The commits of a log as far as lengths lead through it; what follows the last of them is no whole commit. */
export function commitsOf(log: Buffer): Commit[] {
  const commits: Commit[] = [];
  let start = VERSION_ENTRY_BYTES;
  let position = start;
  let deletes = false;
  while (position + ENTRY_HEADER_BYTES <= log.length) {
    const length = log.readBigUInt64LE(position);
    const payload = position + ENTRY_HEADER_BYTES;
    if (length === 0n || length > BigInt(log.length - payload)) break;
    position = payload + Number(length);
    const kind = log[payload + KIND_OFFSET];
    deletes ||= kind === DELETION;
    if (kind !== COMMIT_END) continue;
    commits.push({ start, end: position, deletes });
    start = position;
    deletes = false;
  }
  return commits;
}

/** Where the engine found the damage, by its own words; null when it does not say. */
export function damageIn(fault: unknown): number | null {
  const found = fault instanceof Error ? /entry at byte position (\d+)/.exec(fault.message)?.[1] : undefined;
  return found === undefined ? null : Number(found);
}

/**
 * The log without the commit that holds the byte at `position`; without everything from there on when no whole commit does.
 * Without it later rows have other places, so that later commits which delete rows are left out too: those of compaction
 * change nothing by it, those of erasure leave their events behind.
 */
export function withoutCommitAt(log: Buffer, position: number): Buffer {
  const commits = commitsOf(log);
  const damaged = commits.find(({ start, end }) => start <= position && position < end);
  if (!damaged) return log.subarray(0, position);
  const kept = commits.filter(
    ({ start, deletes }) => start < damaged.start || (start > damaged.start && !deletes),
  );
  const tail = log.subarray(commits.at(-1)?.end ?? 0);
  return Buffer.concat([
    log.subarray(0, VERSION_ENTRY_BYTES),
    ...kept.map(({ start, end }) => log.subarray(start, end)),
    tail,
  ]);
}
