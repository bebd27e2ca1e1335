/** Reads the engine's log entry by entry and drops damaged commits, so that the others can be replayed. */

/** In front of each entry: its length and its checksum. */
const ENTRY_HEADER_BYTES = 16;
/** The first entry, the version of the log, has no header. */
const VERSION_ENTRY_BYTES = 8;
/** An entry begins with the number of its first field, 100, and then its kind. */
const KIND_OFFSET = 2;
/** The kind of entry that ends a commit. */
const COMMIT_END = 100;
/** The kind of entry that deletes rows, by their positions in the table. */
const DELETION = 27;

/** How the first entry begins: its first field and its kind. */
const BEGINNING = Buffer.from([100, 0, 98]);

/** Whether the file begins like a log, as far as it goes; the engine silently treats any other as an empty log. */
export function isLog(log: Buffer): boolean {
  const beginning = log.subarray(0, BEGINNING.length);
  return BEGINNING.subarray(0, beginning.length).equals(beginning);
}

interface Commit {
  readonly start: number;
  /** The position after its last byte. */
  readonly end: number;
  /** Whether it deletes rows: compaction, which stores the same rows again, and erasure do. */
  readonly deletes: boolean;
}

/** The commits of a log, as far as its lengths can be followed; what follows the last one is not a whole commit. */
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
 * The log without the commit that holds the byte at `position`, or without everything from there on when no whole commit
 * holds it. Later rows then have other positions, so later commits that delete rows are dropped too. Dropping those of
 * compaction changes nothing; dropping those of an erasure leaves its events in the store.
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
