/** The shapes of what operators look at, one for each view; the gateway's views and the dashboard take their types from here. */
import { z } from 'zod';

const text = z.string();
const count = z.number();
const share = z.number().describe('Of one processor, in percent.');
const at = z.iso.datetime();

const rateSchema = z.object({ name: text, perSecond: count });

const gatewaySchema = z.object({
  id: text,
  host: text,
  pid: z.int(),
  startedAt: at,
  seenAt: at.describe('When it told this; of another gateway up to five seconds ago.'),
});

const milliseconds = z
  .number()
  .nullable()
  .describe(
    'How long so many took at most; null: nothing was answered, or they took longer than is told apart.',
  );
const counts = z.array(z.int()).describe('One number for each slot from `start` on.');
const took = z.array(milliseconds);

/** What passed all gateways over time. */
const trafficHistorySchema = z.object({
  granularity: z.enum(['minute', 'hour']),
  start: at.describe('When the first slot begins.'),
  end: at.describe('When the last slot ends.'),
  requests: counts,
  limited: counts.describe('Those that a limit refused (429), in each slot.'),
  failed: counts.describe('Those answered by 5xx, in each slot.'),
  p50Ms: took,
  p95Ms: took,
  p99Ms: took,
  statuses: z.array(z.object({ status: text, requests: z.int() })),
  endpoints: z
    .array(
      z.object({
        endpoint: text.nullable().describe('Null: more of them than are told apart.'),
        requests: z.int(),
        refused: z.int().describe('Answered by 4xx.'),
        failed: z.int().describe('Answered by 5xx.'),
        p50Ms: milliseconds,
        p95Ms: milliseconds,
        p99Ms: milliseconds,
      }),
    )
    .describe('The busiest first.'),
  limits: z.array(z.object({ limit: text, refusals: z.int() })),
  steps: z
    .array(z.object({ step: text, events: z.int() }))
    .describe('Events that passed each step of ingest.'),
  dropped: z.array(z.object({ reason: text, events: z.int() })).describe('Events that were not stored.'),
  services: z.array(z.object({ service: text, requests: z.int(), failures: z.int(), retries: z.int() })),
});

const routeSchema = z.object({
  method: text.describe('`*` for every method.'),
  path: text,
  endpoint: text,
  rule: text.describe('Who may ask, in words.'),
  pipeline: text,
  policies: z.array(text),
  service: text.nullable().describe('The serviceEndpoint that answers; null: the gateway does.'),
  limits: z.array(text).describe('Limits in plans.yml besides the windows of the plan.'),
  file: text.describe('Where its endpoint stands, from the folder of the configuration on.'),
  line: z.int().nullable(),
});

/** What counts now of a limit, and of whom, as `GET /v1/usage/limits` tells it. */
const limitCountSchema = z.object({
  name: text,
  per: z.enum(['organization', 'key', 'session']),
  subject: text,
  window: text,
  counts: text,
  limit: z.int(),
  used: z.int(),
  remaining: z.int(),
  reset: at.nullable(),
});

export const platformSchemas = {
  configuration: z.object({
    hash: text,
    pinned: z
      .int()
      .nullable()
      .describe('The number in the history of what is pinned; null: the files are in force.'),
    warnings: z.array(text),
    routes: z.array(routeSchema).describe('In the order of the files.'),
    plans: z.record(text, z.looseObject({})).describe('Plans by name, as plans.yml has them.'),
    limits: z.record(text, z.looseObject({})).describe('Limits by name, as plans.yml has them.'),
    differ: z.boolean().describe('Whether the gateways have different configurations.'),
    gateways: z.array(
      gatewaySchema.extend({
        configuration: z.object({ hash: text, ageSeconds: count, pinned: z.int().nullable() }),
      }),
    ),
  }),
  explain: z.object({
    method: text,
    path: text,
    verdict: text.describe('The outcome, in a sentence.'),
    status: z
      .int()
      .describe(
        '200: answered when its rule and limits allow; else how it is refused: 400, 404 or 405 whoever asks, 401 or 403 the caller of `as`.',
      ),
    allow: z.array(text).describe('The methods that the path has, of a request with another one (405).'),
    pattern: text.nullable().describe('The path as the configuration writes it; null: none matches.'),
    endpoint: text,
    file: text.describe('Where the endpoint stands, from the folder of the configuration on.'),
    line: z.int().nullable(),
    rule: text,
    admissions: z
      .array(
        z.object({
          needs: z
            .array(text)
            .describe(
              'All of these: scopes, a role, or `operator`, `key`, `credential` (a key or a session), `nobody`, `public`, `optional`, `pages` (of the own domains).',
            ),
          under: text.nullable().describe('The selector that the request names for it; null: any or none.'),
        }),
      )
      .describe('The rule as data: any of them lets in.'),
    pipeline: text,
    policies: z.array(
      z.object({
        policy: text,
        settings: z
          .record(text, z.unknown())
          .describe('Its parameters; texts that may hold a secret are replaced by "…".'),
        conditional: z.boolean().describe('Whether it applies under a condition.'),
        does: text.nullable().describe('What it does with this path, where that is not clear from its name.'),
      }),
    ),
    limits: z.array(text),
    numbers: z
      .array(
        z.object({
          callers: z
            .enum(['known', 'nobody', 'refused'])
            .describe('Whose requests count: with a valid credential, without one, with a refused one.'),
          name: text.describe('`plan`, or the name of the limit.'),
          of: text.nullable().describe('The plan, organization or key whose number it is; null: everybody.'),
          limit: z.int(),
          window: text,
          per: text,
          counts: text,
          enforced: z.boolean().describe('False: it only counts.'),
        }),
      )
      .describe('The limits as data; with `organization`, without the numbers of others.'),
    moreNumbers: z.int().describe('Further numbers of single organizations and keys that are not told.'),
    caller: z
      .object({
        as: text,
        status: z.int().describe('200: the rule lets them in; else how they are refused, 401 or 403.'),
        needs: text.nullable().describe('The scope or role that they lack.'),
        limits: z
          .array(limitCountSchema)
          .nullable()
          .describe('What counts now of their organization; null: none was named, or nobody asks.'),
      })
      .nullable()
      .describe(
        'Of whom `as` asks; null: of nobody in particular, no endpoint answers, or tokens of your own decide (`jwt`).',
      ),
    service: z.object({ name: text, urls: z.array(text).nullable() }).nullable(),
  }),
  history: z.object({
    pinned: z.object({ number: z.int(), by: text, at }).nullable(),
    configurations: z.array(
      z.object({
        number: z.int(),
        outcome: z.enum(['applied', 'refused']),
        source: z.enum(['files', 'history']),
        restored: z.int().nullable(),
        reason: text,
        hash: text.nullable(),
        faults: z.array(text),
        at,
      }),
    ),
  }),
  changes: z.object({
    number: z.int(),
    before: z.int().nullable().describe('What was in force before it; null: nothing is compared.'),
    changes: z.array(
      z.object({
        subject: text.describe('Such as `route`, `plan`, `limit`, `scope` or `upstream`.'),
        name: text,
        kind: z.enum(['added', 'removed', 'changed']),
        differences: z.array(
          z.object({
            part: text,
            from: text.nullable(),
            to: text.nullable(),
            concealed: z.boolean().describe('It differs, and may hold a secret, so neither side is told.'),
          }),
        ),
        dangers: z.array(text).describe('Why it deserves a second look.'),
      }),
    ),
    moreChanges: z.int().describe('Further changes that are not told.'),
  }),
  upstreams: z.object({
    documentStore: z.enum(['answers', 'does not answer']),
    checks: z
      .record(text, z.enum(['ok', 'degraded', 'failed']))
      .describe(
        'What the readiness of the gateway that answers says of each dependency: the document store, the counters, and each backend, which asks its own stores.',
      ),
    upstreams: z.array(
      z.object({
        service: text,
        requestsPerSecond: count,
        failuresPerSecond: count,
        addresses: z.array(
          z.object({
            address: text,
            isChecked: z.boolean().describe('Whether it has a health check.'),
            hasBreaker: z.boolean().describe('Whether failed requests take it out.'),
            unhealthyAt: z.int().describe('Gateways at which its health check fails.'),
            openAt: z.int().describe('Gateways whose breaker keeps requests from it.'),
            failingAt: z.int().describe('Gateways whose last request it failed, and that go on asking it.'),
            outAt: z.int().describe('Gateways that send it nothing for now, for either reason.'),
            gateways: z.int(),
            inFlight: z.int().describe('Requests that were sent to it and have not ended.'),
            requests: z.int().describe('Sent to it since the configuration is in use.'),
            failures: z.int().describe('Of these, those that it refused, broke or left waiting.'),
            retries: z.int().describe('Of these failures, those whose request was sent anew.'),
          }),
        ),
      }),
    ),
    counterStores: z.array(
      z.object({ gateway: text, state: z.enum(['own', 'answers', 'failed', 'given up']) }),
    ),
  }),
  organizations: z.object({
    organizations: z.array(
      z.object({
        id: text,
        plan: text,
        createdAt: at,
        websites: z.int(),
        usage: z.object({ month: text, requests: z.int(), events: z.int() }),
        lastDay: z.record(text, z.int()).describe('Requests of the last 24 hours by outcome.'),
        near: z
          .object({ limit: count, remaining: count, reset: at })
          .nullable()
          .describe('The window with least left, if that is less than a fifth.'),
      }),
    ),
    next: text.nullable().describe('`after` of the next page; null: there is none.'),
  }),
  traffic: z.object({
    requestsPerSecond: count,
    byStatus: z.array(rateSchema),
    endpoints: z.array(
      z.object({
        endpoint: text,
        perSecond: count,
        p50Ms: count.nullable(),
        p95Ms: count.nullable(),
        p99Ms: count.nullable(),
        refusedPerSecond: count,
        failedPerSecond: count,
      }),
    ),
    refused: z
      .array(z.object({ code: text, endpoint: text, requests: z.int() }))
      .describe('Of the last minute.'),
    history: trafficHistorySchema.nullable().describe('Null: no `range` was asked for.'),
    gateways: z.array(
      gatewaySchema.extend({
        seconds: count.describe('How long its rates are about.'),
        requestsPerSecond: count,
        connections: count.nullable(),
        cpuPercent: share.nullable(),
        residentMb: count.nullable(),
      }),
    ),
  }),
  limits: z.object({
    limits: z.array(rateSchema).describe('Refusals a second by limit.'),
    throttled: z.array(
      z.object({
        organization: text.nullable(),
        key: text.nullable(),
        endpoint: text,
        limit: text,
        window: text,
        refusals: z.int(),
        at,
        reset: at,
      }),
    ),
    nearLimits: z.array(
      z.object({ organization: text, key: text.nullable(), limit: count, remaining: count, reset: at }),
    ),
  }),
} as const;
