/**
 * Writes the log into the file while no append waits. The engine does that by itself once the log holds 16 MB, within a commit, and all
 * appends that come meanwhile wait for it: 160 to 200 ms at 5,000 events a second. Written at a quarter of that, in a moment when nobody
 * waits, it takes half as long. Under a load without such moments the engine's own bound holds, which costs least for each event.
 */
import { statSync } from 'node:fs';
import type { Engine } from './engine.ts';
import { LOG_BYTES } from './open-instance.ts';

/** Size of the log, in bytes, from which it is written. */
const LEAST_BYTES = LOG_BYTES / 4;

/** By so much the log must have grown after a fault. */
const FAR = 4;

export interface IdleCheckpointOptions {
  /** The file of events; its log lies beside it. */
  readonly path: string;
  /** Runs `action` on the open engine, unless other maintenance runs or waits: null. */
  readonly tryMaintain: <R>(action: (engine: Engine) => Promise<R>) => Promise<R> | null;
}

export class IdleCheckpoint {
  readonly #log: string;
  readonly #tryMaintain: IdleCheckpointOptions['tryMaintain'];
  /**
   * Size of the log from which it is tried again. A log that lies there at the start may be one that could not be written, as after a
   * fault.
   */
  #againFrom: number;

  constructor({ path, tryMaintain }: IdleCheckpointOptions) {
    this.#log = `${path}.wal`;
    this.#tryMaintain = tryMaintain;
    this.#againFrom = this.#size() * FAR;
  }

  /** Writes the log, where it is large enough; null: it is not. Never fails: what is in the log is as durable as what is in the file. */
  begin(): Promise<void> | null {
    const size = this.#size();
    // Less than half of what it was then: it has been written. A torn end that is cut off is no such case.
    if (size < this.#againFrom / (2 * FAR)) this.#againFrom = 0;
    if (size < Math.max(LEAST_BYTES, this.#againFrom)) return null;
    const work = this.#tryMaintain((engine) => engine.tryCheckpoint());
    this.#againFrom = size + LEAST_BYTES;
    return work === null ? null : this.#settled(work, size);
  }

  async #settled(work: Promise<boolean>, size: number): Promise<void> {
    try {
      if (await work) this.#againFrom = 0;
    } catch {
      // A fault such as a full disk ends the engine, which is opened again: not for every few megabytes, and not before the engine, whose
      // own bound has doubled by then, has tried by itself.
      this.#againFrom = size * FAR;
    }
  }

  /** 0 where there is no log, and where the system does not tell. */
  #size(): number {
    try {
      return statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0;
    } catch {
      return 0;
    }
  }
}
