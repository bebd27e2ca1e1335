/** How the gateway itself learns how the addresses of its backends do: the proxy policy offers it. */
import { z } from 'zod';
import type { GatewayRuntime } from './runtime.ts';

/** One address of a backend, as one gateway sees it. */
export const upstreamStateSchema = z.object({
  service: z.string(),
  address: z.string(),
  /** Whether its health check passes; null: it has none. */
  isHealthy: z.boolean().nullable(),
  /** Null: failed requests never take it out. */
  breaker: z.enum(['ok', 'failing', 'open']).nullable(),
  /** Requests that were sent to it and have not ended. */
  inFlight: z.int(),
  /** Since this configuration is in use: requests that were sent to it, those that it failed, and those of these that were sent anew. */
  requests: z.int(),
  failures: z.int(),
  retries: z.int(),
});
export type UpstreamState = z.infer<typeof upstreamStateSchema>;

type Read = () => UpstreamState[];

const KEY = 'proxy: the addresses of a service';

/** Answers {@link upstreamStates} for one more service from now on, in this configuration. */
export function offerUpstreamStates(runtime: GatewayRuntime, read: Read): void {
  const known = (runtime.policyInstances.get(KEY) as Read[] | undefined) ?? [];
  runtime.policyInstances.set(KEY, [...known, read]);
}

/** Every address of every backend that a pipeline calls. */
export function upstreamStates(runtime: GatewayRuntime): UpstreamState[] {
  return ((runtime.policyInstances.get(KEY) as Read[] | undefined) ?? []).flatMap((read) => read());
}
