/** What a running server measures, and who is throttled there, as the operator socket tells it. */
import { z } from 'zod';
import type { Throttled } from '../serve/access-log/throttled.ts';

/** A caller that a limit refused within the last minute. */
export type ThrottledCaller = Throttled;

const throttledCallerSchema: z.ZodType<ThrottledCaller> = z.object({
  organization: z.string().nullable(),
  key: z.string().nullable(),
  endpoint: z.string(),
  limit: z.string(),
  window: z.string(),
  refusals: z.number(),
  at: z.string(),
  reset: z.string(),
});

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
