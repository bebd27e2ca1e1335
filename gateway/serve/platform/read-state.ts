/** Reads the state of this gateway out of its metrics, over the time since it was read before. */

import { upstreamStates } from '../../../plugins/kit/upstream-states.ts';
import type { RefusedRequests } from '../access-log/refused-requests.ts';
import { throttledCallers } from '../access-log/throttled.ts';
import type { Generation } from '../generation.ts';
import { type Frame, frameOf, type Reading } from '../traffic/frame.ts';
import type { NearLimits } from '../traffic/near-limits.ts';
import { Samples } from '../traffic/samples.ts';
import { type GatewayState, refusedByCode } from './gateway-state.ts';

/** The least time that rates are about, in milliseconds: those that were read so shortly before are told again. */
const SHORTEST_MS = 1_000;

export interface StateSources {
  /** Everything measured, in Prometheus' text format. */
  metricsText(): Promise<string>;
  readonly current: () => Generation;
  readonly refused: RefusedRequests;
  readonly nearLimits: NearLimits;
}

/** The first rates are about the whole life of the process. */
export function createReadState(sources: StateSources): () => Promise<GatewayState> {
  const { metricsText, current, refused, nearLimits } = sources;
  let before: Reading = { at: wallNow(), samples: new Samples(''), throttled: null };
  let last: Frame | null = null;
  let reading: Promise<Frame> | null = null;

  async function readFrame(): Promise<Frame> {
    const now: Reading = { at: wallNow(), samples: new Samples(await metricsText()), throttled: null };
    last = frameOf(before, now);
    before = now;
    return last;
  }

  function frame(): Frame | Promise<Frame> {
    if (last !== null && wallNow() - before.at < SHORTEST_MS) return last;
    reading ??= readFrame().finally(() => {
      reading = null;
    });
    return reading;
  }

  return async function readState() {
    const read = await frame();
    const { configuration, ageSeconds, runtime } = current();
    const { hash, pinned } = configuration;
    const entries = [...refused.newest()];
    return {
      configuration: { hash, ageSeconds: ageSeconds(), pinned },
      traffic: {
        seconds: read.seconds,
        requestsPerSecond: read.requests.perSecond,
        byStatus: [...read.requests.byStatus],
        endpoints: [...read.endpoints],
        connections: read.process.connections,
        cpuPercent: read.process.cpuPercent,
        residentMb: read.process.residentMb,
      },
      limits: [...read.limits],
      refused: refusedByCode(entries, wallNow()),
      throttled: throttledCallers(entries),
      nearLimits: nearLimits.now(wallNow()),
      services: [...read.services],
      upstreams: upstreamStates(runtime),
      counterStore: read.counterStore,
    };
  };
}

/** The clock of the access log's times. */
function wallNow(): number {
  return performance.timeOrigin + performance.now();
}
