/** What a gateway process tells of itself: its configuration, the traffic of the last seconds, who is throttled or near a limit. */
import { z } from 'zod';
import { upstreamStateSchema } from '../../../plugins/kit/upstream-states.ts';
import type { AccessEntry } from '../access-log/access-entry.ts';

const rateSchema = z.object({ name: z.string(), perSecond: z.number() });
const text = z.string();

/** Sent to other gateways as JSON; a gateway of another version is left out if it says something else. */
export const gatewayStateSchema = z.object({
  configuration: z.object({ hash: text, ageSeconds: z.number(), pinned: z.number().nullable() }),
  traffic: z.object({
    /** How long the rates are about. */
    seconds: z.number(),
    requestsPerSecond: z.number(),
    byStatus: z.array(rateSchema),
    endpoints: z.array(
      z.object({
        endpoint: text,
        perSecond: z.number(),
        p50Ms: z.number().nullable(),
        p95Ms: z.number().nullable(),
        p99Ms: z.number().nullable(),
        refusedPerSecond: z.number(),
        failedPerSecond: z.number(),
      }),
    ),
    connections: z.number().nullable(),
    cpuPercent: z.number().nullable(),
    residentMb: z.number().nullable(),
  }),
  /** By the limits that refused. */
  limits: z.array(rateSchema),
  /** By code, of the last minute. */
  refused: z.array(z.object({ code: text, endpoint: text, requests: z.number() })),
  throttled: z.array(
    z.object({
      organization: text.nullable(),
      key: text.nullable(),
      endpoint: text,
      limit: text,
      window: text,
      refusals: z.number(),
      at: text,
      reset: text,
    }),
  ),
  nearLimits: z.array(
    z.object({
      organization: text,
      key: text.nullable(),
      limit: z.number(),
      remaining: z.number(),
      reset: text,
    }),
  ),
  services: z.array(z.object({ service: text, perSecond: z.number(), failuresPerSecond: z.number() })),
  upstreams: z.array(upstreamStateSchema),
  /** 0: Redis answers; 1: its last call failed; 2: it is given up for now; null: there is none. */
  counterStore: z.number().nullable(),
});
export type GatewayState = z.infer<typeof gatewayStateSchema>;

const MINUTE_MS = 60_000;
const MOST_REFUSED = 50;

/** How often which code refused at which endpoint within the last minute, the most frequent first. `refused`: the newest first. */
export function refusedByCode(refused: Iterable<AccessEntry>, nowMs: number): GatewayState['refused'] {
  const since = new Date(nowMs - MINUTE_MS).toISOString();
  const found = new Map<string, { code: string; endpoint: string; requests: number }>();
  for (const { time, code, status, endpoint } of refused) {
    if (time < since) continue;
    const named = code ?? `${status}`;
    const id = `${named} ${endpoint}`;
    const known = found.get(id);
    if (known) known.requests++;
    else found.set(id, { code: named, endpoint, requests: 1 });
  }
  return [...found.values()].sort((a, b) => b.requests - a.requests).slice(0, MOST_REFUSED);
}
