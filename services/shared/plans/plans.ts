/** The shape of config/plans.yml: plans and endpoint limits as data (spec.md, Limits; contract.md section 4). */
import { z } from 'zod';
import { retentionDaysSchema } from '../model/organization.ts';
import { ALGORITHMS, PERIODS, STORE_FAILURES } from '../ports/counter-store.ts';
import { overrideSchema } from './overrides.ts';
import { headerNameSchema } from './service-endpoint.ts';

/**
 * Who has a budget of their own in a limit. `key` and `session` both mean the credential, of either kind; `account` is
 * the email that a login names, and the login itself asks for its budget; `header` each value of a request header, and
 * `claim` each value of what is known of the caller, both within the organization; `parameter` each value of the parameter in
 * the path, such as the token of a share, whoever sends it.
 */
export const SUBJECTS = [
  'organization',
  'key',
  'session',
  'address',
  'account',
  'header',
  'claim',
  'parameter',
] as const;
export type LimitSubject = (typeof SUBJECTS)[number];

/** What is known of a caller that may have a budget. */
export const LIMIT_CLAIMS = ['user', 'role'] as const;
export type LimitClaim = (typeof LIMIT_CLAIMS)[number];

/**
 * What one request takes from a limit: 1, the number that its body asks for, the bytes that it sends, or the seconds that
 * its work ran, charged afterwards.
 */
export const COSTS = ['request', 'datasets', 'events', 'bytes', 'seconds'] as const;
export type LimitCost = (typeof COSTS)[number];

/** Whose requests a limit counts: everybody's, or only anonymous ones. */
export const COUNTED_CALLERS = ['all', 'anonymous'] as const;

/** Numbers of an organization that may replace an endpoint's limit; all are per minute. */
const OVERRIDES = ['customSqlPerMinute', 'batchDatasetsPerMinute', 'batchEventsPerMinute'] as const;

/** What each of these numbers counts: it replaces only a limit that counts the same. */
export const OVERRIDE_COSTS = {
  customSqlPerMinute: 'request',
  batchDatasetsPerMinute: 'datasets',
  batchEventsPerMinute: 'events',
} as const satisfies Readonly<Record<(typeof OVERRIDES)[number], LimitCost>>;

const requests = z.number().int().min(1).max(1_000_000_000);
const windowSeconds = z.number().int().min(1).max(86_400).describe('Length of the window, in seconds.');
const whose = { default: 'organization', text: 'Who has this budget of their own.' } as const;
const per = z.enum(SUBJECTS).default(whose.default).describe(whose.text);
const perCaller = z
  .enum(SUBJECTS)
  .exclude(['account', 'header', 'claim', 'parameter'])
  .default(whose.default)
  .describe(whose.text);
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
  perDay: requests.optional().describe('Requests per day (UTC) and organization. Default: no such quota.'),
  perMonth: requests
    .optional()
    .describe('Requests per calendar month (UTC) and organization. Default: no such quota.'),
  retentionDays: retentionDaysSchema
    .optional()
    .describe('Days that events are kept. Default: RETENTION_DAYS.'),
});

/** How the windows of every plan count; the plan says how much they admit. */
export const planCountingSchema = z.strictObject({ per: perCaller, algorithm, onStoreFailure });

/** A limit that endpoints name. */
export const limitSchema = z.strictObject({
  limit: requests.describe('The most that one window admits.'),
  windowSeconds: windowSeconds.optional(),
  window: z
    .enum(PERIODS)
    .optional()
    .describe('In place of windowSeconds, a quota of the calendar in UTC: day or month.'),
  per,
  header: headerNameSchema.optional().describe('With per: header, the request header whose values count.'),
  claim: z.enum(LIMIT_CLAIMS).optional().describe('With per: claim, what of the caller counts.'),
  total: requests
    .optional()
    .describe('With per: header, the most that a window admits of all values of one organization together.'),
  callers: z
    .enum(COUNTED_CALLERS)
    .default('all')
    .describe('all: every caller; anonymous: those without a credential, per address. Default all.'),
  algorithm,
  cost: z
    .enum(COSTS)
    .default('request')
    .describe(
      'What a request takes: 1, the datasets or events of its body, the bytes of its body, inflated, and of its query string, or the seconds that its work ran, charged afterwards. Default request.',
    ),
  onStoreFailure,
  enforce: z
    .boolean()
    .default(true)
    .describe(
      'false: in shadow. It decides, counts and tells whom it would have refused, and refuses nobody. Default true.',
    ),
  override: z
    .enum(OVERRIDES)
    .optional()
    .describe('The number of an organization that stands in place of `limit`.'),
});

/** The limit of requests without a valid credential; it applies wherever an endpoint names no other. */
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

const count = z.number().int().min(1).max(1_000_000_000);

/** How many documents of each kind an organization may have. */
export const documentsSchema = z.strictObject({
  websites: count.default(1_000).describe('Websites of an organization. Default 1000.'),
  links: count.default(10_000).describe('Short links of an organization. Default 10000.'),
  goals: count.default(1_000).describe('Goals of an organization. Default 1000.'),
  funnels: count.default(1_000).describe('Funnels of an organization. Default 1000.'),
  views: count.default(1_000).describe('Saved views of an organization. Default 1000.'),
  annotations: count.default(10_000).describe('Annotations of an organization. Default 10000.'),
  shares: count.default(1_000).describe('Shares of an organization. Default 1000.'),
});

export const plansFileSchema = z.strictObject({
  plans: z
    .record(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/), planSchema)
    .describe('Plans by name, in lower case.'),
  plan: planCountingSchema.prefault({}).describe('How the windows of every plan count.'),
  documents: documentsSchema
    .prefault({})
    .describe('The most documents of a kind that an organization may have.'),
  limits: z
    .object({ public: publicLimitSchema.describe('Requests without a valid credential.') })
    .catchall(limitSchema)
    .describe('Limits by name.'),
  standardFields: z
    .boolean()
    .default(false)
    .describe(
      'Whether answers also carry RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers). Default false.',
    ),
  overrides: z
    .array(overrideSchema)
    .max(100_000)
    .default([])
    .describe('Numbers of single organizations and API keys, by the name of the limit.'),
});
export type Plan = z.infer<typeof planSchema>;
export type LimitRule = z.infer<typeof limitSchema>;
export type PublicLimitRule = z.infer<typeof publicLimitSchema>;

export interface PlansFile extends Omit<z.infer<typeof plansFileSchema>, 'limits'> {
  /** `public` has a shape of its own, all others are {@link LimitRule}: read those by {@link limitRule}. */
  readonly limits: { readonly public: PublicLimitRule; readonly [name: string]: PublicLimitRule | LimitRule };
}

/** The name of the limit for anonymous callers. */
export const PUBLIC_LIMIT = 'public';

/** The rule of a limit that endpoints name; undefined for `public` and for an undeclared name. */
export function limitRule(plans: PlansFile, name: string): LimitRule | undefined {
  return name === PUBLIC_LIMIT ? undefined : (plans.limits[name] as LimitRule | undefined);
}
