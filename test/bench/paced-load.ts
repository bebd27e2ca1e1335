/** A load at a fixed pace, whether or not earlier requests are answered, and the waits of what it sent. */
import { setTimeout as delay } from 'node:timers/promises';

/** One request of a load. */
export interface Sent {
  /** Since the beginning of the load, in milliseconds. */
  readonly dueMs: number;
  /** From when it was due until its whole answer was there, in milliseconds. */
  readonly waitMs: number;
  readonly failed: boolean;
}

export interface PacedLoad {
  readonly perSecond: number;
  readonly seconds: number;
  /** Sends one request and reads its answer. @throws when it is not what was asked for */
  send(number: number): Promise<void>;
}

/** Sends `perSecond` requests a second for so long; ends with the last answer. */
export async function runPacedLoad({ perSecond, seconds, send }: PacedLoad): Promise<Sent[]> {
  const started = performance.now();
  const all = Array.from({ length: Math.round(perSecond * seconds) }, async (_, number) => {
    const dueMs = (number * 1_000) / perSecond;
    await delay(dueMs);
    const failed = await send(number).then(
      () => false,
      () => true,
    );
    return { dueMs, waitMs: performance.now() - started - dueMs, failed };
  });
  return Promise.all(all);
}

/** The wait that a share of the requests (0..1) does not exceed, in milliseconds; NaN of none. */
export function waitOf(sent: readonly Sent[], share: number): number {
  const sorted = sent.map(({ waitMs }) => waitMs).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
