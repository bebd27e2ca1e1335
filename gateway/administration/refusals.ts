/** What the gateway of a running server knows of refused requests, as the operator socket tells it. */
import { z } from 'zod';
import type { AccessEntry } from '../serve/access-log/access-entry.ts';

/** A request that was refused, and what is known of it. */
export type RefusedRequest = AccessEntry;

const text = z.string().nullable();

/** An entry of the ring; docs/access-log.md describes the fields. */
export const refusalSchema: z.ZodType<AccessEntry> = z.object({
  time: z.string(),
  requestId: z.string(),
  endpoint: z.string(),
  method: z.string(),
  path: text,
  status: z.number(),
  code: text,
  refusedBy: z.enum(['gateway', 'upstream']).nullable(),
  limit: z
    .object({
      name: z.string(),
      limit: z.number(),
      cost: z.number(),
      remaining: z.number(),
      window: z.string(),
      reset: z.string(),
    })
    .nullable(),
  organization: text,
  key: text,
  user: text,
  address: text,
  bytesIn: z.number().nullable(),
  bytesOut: z.number().nullable(),
  upstream: text,
  retries: z.number(),
  gatewayMs: z.number(),
  upstreamMs: z.number(),
  wholeMs: z.number(),
});

/** Part of the administration of a running server. */
export interface Refusals {
  /** Refused requests with this id among the last of this process, the newest first; none when it knows none. @throws ApiError SERVICE_UNAVAILABLE where no gateway runs */
  refusals(requestId: string): Promise<readonly AccessEntry[]>;
}
