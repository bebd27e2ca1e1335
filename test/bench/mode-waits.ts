/** How much longer a call waits in separate processes than in the embedded server, both at the same low load in turns. */
import type { BenchCalls } from './bench-calls.ts';
import { runPacedLoad, type Sent, waitOf } from './paced-load.ts';

export const CALLS = ['list', 'summary', 'track'] as const;
export type CallName = (typeof CALLS)[number];
export type Mode = 'embedded' | 'distributed';

/** Low: nothing queues, so that a wait is that of one request alone. */
const PER_SECOND = { list: 20, summary: 5, track: 20 };
const SECONDS = 3;
const ROUNDS = 4;

/** All requests of a call in a mode. */
export type ModeWaits = Readonly<Record<CallName, Readonly<Record<Mode, Sent[]>>>>;

/** Both servers hold the same small website. The first round does not count. */
export async function measureModeWaits(calls: Readonly<Record<Mode, BenchCalls>>): Promise<ModeWaits> {
  const waits: ModeWaits = {
    list: { embedded: [], distributed: [] },
    summary: { embedded: [], distributed: [] },
    track: { embedded: [], distributed: [] },
  };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of CALLS) {
      const modes = ['embedded', 'distributed'] as const;
      for (const mode of round % 2 === 0 ? modes : modes.toReversed()) {
        const sent = await runPacedLoad({
          perSecond: PER_SECOND[name],
          seconds: round === 0 ? 1 : SECONDS,
          send: (number) => calls[mode][name](round * PER_SECOND[name] * SECONDS + number),
        });
        if (round > 0) waits[name][mode].push(...sent);
      }
    }
  }
  return waits;
}

/** p50 and p99 in both modes and their difference, in milliseconds. */
export function describeWaits(name: CallName, { embedded, distributed }: ModeWaits[CallName]): string {
  const part = (title: string, share: number) => {
    const [one, other] = [waitOf(embedded, share), waitOf(distributed, share)];
    return `${title} ${one.toFixed(1)} → ${other.toFixed(1)} ms (${other < one ? '−' : '+'}${Math.abs(other - one).toFixed(1)})`;
  };
  return `${name}: ${part('p50', 0.5)}, ${part('p99', 0.99)}`;
}
