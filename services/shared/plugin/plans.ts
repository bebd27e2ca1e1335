/** The shape of config/plans.yml: plans and endpoint limits as data (spec.md, Limits; contract.md section 4). */
import { z } from 'zod';
import { retentionDaysSchema } from '../model/organization.ts';
import { ALGORITHMS, STORE_FAILURES } from '../ports/counter-store.ts';

/** Who has a budget of their own in a limit. `key` and `session` are both the credential that came, of either kind. */
export const SUBJECTS = ['organization', 'key', 'session', 'address'] as const;
export type LimitSubject = (typeof SUBJECTS)[number];

/** What one request takes of a limit: 1, or what its body asks for. */
export const COSTS = ['request', 'datasets', 'events'] as const;
export type LimitCost = (typeof COSTS)[number];

/** Whose requests a limit counts: those of everybody, or of nobody in particular. */
export const COUNTED_CALLERS = ['all', 'anonymous'] as const;

/** Numbers of an organization that may stand in place of a limit of an endpoint; all of them are per minute. */
const OVERRIDES = ['customSqlPerMinute', 'batchDatasetsPerMinute', 'batchEventsPerMinute'] as const;

/** What each of these numbers counts: it stands only in place of a limit that counts the same. */
export const OVERRIDE_COSTS = {
  customSqlPerMinute: 'request',
  batchDatasetsPerMinute: 'datasets',
  batchEventsPerMinute: 'events',
} as const satisfies Readonly<Record<(typeof OVERRIDES)[number], LimitCost>>;

const requests = z.number().int().min(1).max(1_000_000_000);
const windowSeconds = z.number().int().min(1).max(86_400).describe('Length of the window, in seconds.');
const per = z.enum(SUBJECTS).default('organization').describe('Who has this budget of their own.');
const algorithm = z
  .enum(ALGORITHMS)
  .default('fixed')
  .describe('fixed: a window from the first request on; sliding: a ring of sub-windows. Default fixed.');
const onStoreFailure = z
  .enum(STORE_FAILURES)
  .default('local')
  .describe(
    'While the store of counters does not answer: local (each process counts for itself), open (nothing is counted) or closed (503). Default local.',
  );

export const planSchema = z.strictObject({
  per10Seconds: requests.describe('Requests per 10 seconds and organization.'),
  perMinute: requests.describe('Requests per minute and organization.'),
  retentionDays: retentionDaysSchema
    .optional()
    .describe('Days that events are kept. Default: RETENTION_DAYS.'),
});

/** How the windows of every plan count; how much they admit stands in the plan. */
export const planCountingSchema = z.strictObject({ per, algorithm, onStoreFailure });

/** A limit that endpoints name. */
export const limitSchema = z.strictObject({
  limit: requests.describe('The most that one window admits.'),
  windowSeconds,
  per,
  callers: z
    .enum(COUNTED_CALLERS)
    .default('all')
    .describe('all: every caller; anonymous: those without a credential, per address. Default all.'),
  algorithm,
  cost: z
    .enum(COSTS)
    .default('request')
    .describe('What a request takes: 1, or the datasets or events of its body. Default request.'),
  onStoreFailure,
  override: z
    .enum(OVERRIDES)
    .optional()
    .describe('The number of an organization that stands in place of `limit`.'),
});

/** The limit of requests without a valid credential, which applies wherever an endpoint names no other. */
export const publicLimitSchema = z.strictObject({
  limit: requests.describe('Requests per window, address and group.'),
  windowSeconds,
  per: z.literal('address').default('address').describe('Always the address.'),
  algorithm,
  onStoreFailure,
  override: z
    .literal('publicPerMinute')
    .optional()
    .describe('The number of an organization that stands in place of `limit` where a request names it.'),
});

export const plansFileSchema = z.strictObject({
  plans: z
    .record(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/), planSchema)
    .describe('Plans by name, in lower case.'),
  plan: planCountingSchema.prefault({}).describe('How the windows of every plan count.'),
  limits: z
    .object({ public: publicLimitSchema.describe('Requests without a valid credential.') })
    .catchall(limitSchema)
    .describe('Limits by name.'),
});
export type Plan = z.infer<typeof planSchema>;
export type LimitRule = z.infer<typeof limitSchema>;
export type PublicLimitRule = z.infer<typeof publicLimitSchema>;

export interface PlansFile extends Omit<z.infer<typeof plansFileSchema>, 'limits'> {
  /** `public` is of its own shape, all others are {@link LimitRule}: read them by {@link limitRule}. */
  readonly limits: { readonly public: PublicLimitRule; readonly [name: string]: PublicLimitRule | LimitRule };
}

/** The name of the limit that holds where nobody is known. */
export const PUBLIC_LIMIT = 'public';

/** The rule of a limit that endpoints name; undefined for `public` and for a name that nobody declared. */
export function limitRule(plans: PlansFile, name: string): LimitRule | undefined {
  return name === PUBLIC_LIMIT ? undefined : (plans.limits[name] as LimitRule | undefined);
}
