/** The shapes of what operators look at, one for each view; the gateway's views and the dashboard take their types from here. */
import { z } from 'zod';
import { explainSchema } from './explain-schema.ts';

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
  explain: explainSchema,
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
