/** Watches the writers of events, and finds those that are silent: what they left unfinished is not read again and again. */
import { SharedRuns } from './shared-runs.ts';
import type { ArrivalSource, OpenWriter, Writers } from './sources.ts';

/** A writer that tells nothing for this long, in milliseconds, stores nothing before it has told something again. */
export const SILENT_MS = 60_000;

/** The writers at one time. */
export interface WriterReading extends Writers {
  /** Silent writers; a number stands for what they told last, and never for anything else. */
  readonly silent: ReadonlyMap<number, number>;
}

interface Seen {
  readonly writer: OpenWriter;
  /** When it was known that the writer tells this; milliseconds. */
  readonly since: number;
  readonly told: number;
}

export class WriterWatch {
  readonly #source: Pick<ArrivalSource, 'writers'>;
  readonly #now: () => number;
  readonly #reads: SharedRuns<WriterReading>;
  #seen = new Map<number, Seen>();
  #told = 0;

  /** `now`: milliseconds that never run backwards. `signal` ends its reads. */
  constructor(source: Pick<ArrivalSource, 'writers'>, now: () => number, signal: AbortSignal) {
    this.#source = source;
    this.#now = now;
    this.#reads = new SharedRuns(() => this.#read(signal));
  }

  /** What all writers tell, read from now on. @throws ApiError SERVICE_UNAVAILABLE */
  read(): Promise<WriterReading> {
    return this.#reads.ask();
  }

  async #read(signal: AbortSignal): Promise<WriterReading> {
    const began = this.#now();
    const { positions, open } = await this.#source.writers(signal);
    const ended = this.#now();
    const silent = new Map<number, number>();
    const seen = new Map<number, Seen>();
    for (const writer of open) {
      const before = this.#seen.get(writer.number);
      const now =
        before && tellsTheSame(before.writer, writer) ? before : { writer, since: ended, told: ++this.#told };
      seen.set(writer.number, now);
      if (began - now.since >= SILENT_MS) silent.set(writer.number, now.told);
    }
    this.#seen = seen;
    return { positions, open, silent };
  }
}

function tellsTheSame(a: OpenWriter, b: OpenWriter): boolean {
  return a.settled === b.settled && a.beats === b.beats && a.recheck === b.recheck;
}
