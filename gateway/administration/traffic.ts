/** What a running server measures, and who is throttled there, as the operator socket tells it. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';

/** A caller that a limit refused within the last minute. */
export const throttledCallerSchema = z.object({
  organization: z.string().nullable(),
  key: z.string().nullable(),
  endpoint: z.string(),
  limit: z.string(),
  window: z.string(),
  /** How many of its requests. */
  refusals: z.number(),
  /** Of the last one, in ISO 8601. */
  at: z.string(),
  reset: z.string(),
});
export type ThrottledCaller = z.output<typeof throttledCallerSchema>;

export const trafficSchema = z.object({
  /** In Prometheus' text format. */
  metrics: z.string(),
  throttled: z.array(throttledCallerSchema),
});
export type Traffic = z.output<typeof trafficSchema>;

/** Part of the administration of a running server. */
export interface TrafficOperations {
  /** @throws ApiError SERVICE_UNAVAILABLE where no gateway runs */
  traffic(): Promise<Traffic>;
}

/** `read` is that of the gateway's process; absent where there is none. */
export async function trafficFrom(read: (() => Promise<Traffic>) | undefined): Promise<Traffic> {
  if (read !== undefined) return read();
  throw new ApiError('SERVICE_UNAVAILABLE', { text: 'No gateway runs in this process.' });
}
