/** How the gateway itself learns what is left of an organization's limits: the rate-limit policy offers it. */
import { z } from 'zod';
import type { GatewayRuntime } from './runtime.ts';

/** One limit that binds an organization now. */
export const limitInForceSchema = z.object({
  name: z.string().describe('`plan`, or the name of a limit.'),
  per: z.enum(['organization', 'key', 'session']).describe('Whose budget it is.'),
  subject: z.string().describe('The id of the organization, key or session that `per` names.'),
  windowSeconds: z
    .int()
    .describe('How long it counts, in seconds; of a day or month of the calendar the longest.'),
  window: z.string().describe('How long it counts: seconds, or a day or month of the calendar.'),
  counts: z.string().describe('What it counts, such as requests, datasets, events or seconds.'),
  limit: z.int(),
  used: z.int(),
  remaining: z.int(),
  reset: z.iso.datetime().nullable().describe('When the window ends; null while nothing counts in it.'),
  enforced: z.boolean().describe('Whether it refuses anything; false: it only counts.'),
  key: z.string().nullable().describe('The API key whose budget it is; null: not of a single key.'),
  session: z.string().nullable().describe('The session whose budget it is: your own, or null.'),
  endpoints: z
    .array(z.string())
    .readonly()
    .nullable()
    .describe('Which endpoints count in it, by their names; null: all that need a credential.'),
});
export type LimitInForce = z.infer<typeof limitInForceSchema>;

/** `moreKeys`: limits of single keys are told of the first 100 keys, and there are more. */
export const limitsInForceSchema = z.object({ limits: z.array(limitInForceSchema), moreKeys: z.boolean() });
export type LimitsInForce = z.infer<typeof limitsInForceSchema>;

/** Null: there is no such organization. */
export type LimitsOf = (organizationId: string) => Promise<LimitsInForce | null>;

const KEY = 'rate-limit: the limits of an organization';

/** Answers {@link limitsOf} from now on, in this gateway. */
export function offerLimitsOf(runtime: GatewayRuntime, of: LimitsOf): void {
  runtime.policyInstances.set(KEY, of);
}

/** The rate-limit policy's answer; null also where there is none. */
export async function limitsOf(
  runtime: GatewayRuntime,
  organizationId: string,
): Promise<LimitsInForce | null> {
  const of = runtime.policyInstances.get(KEY) as LimitsOf | undefined;
  return of === undefined ? null : of(organizationId);
}
