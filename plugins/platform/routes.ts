/** The routes of this plugin, for the description of the API. */
import { z } from 'zod';
import type { RouteDescription } from '../../services/shared/http/route.ts';
import { ROLES } from '../../services/shared/model/user.ts';
import { platformSchemas } from '../kit/platform-schemas.ts';
import type { PlatformView } from '../kit/platform-views.ts';

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly query?: z.ZodType;
  readonly example: object;
  /** Besides those that every view has. */
  readonly errors?: RouteDescription['errors'];
}

const AT = '2026-01-15T09:30:00.000Z';
const GATEWAY = {
  id: 'gwy_01k3w6v1q8z5m7r2c4x9t0b6ha',
  host: 'gateway-1',
  pid: 7,
  startedAt: AT,
  seenAt: AT,
};
const HASH = '1f0c22a9d3e4';

const VIEWS: Readonly<Record<PlatformView, Described>> = {
  configuration: {
    operationId: 'getPlatformConfiguration',
    summary: 'The configuration in force',
    description:
      'The configuration that this gateway uses: its routes with who may ask and where they stand in the files, its plans and limits, and its warnings; and which configuration each gateway has. `differ` says that they are not all the same.',
    example: {
      hash: HASH,
      pinned: null,
      warnings: [],
      routes: [
        {
          method: 'GET',
          path: '/v1/flags',
          endpoint: 'flags',
          rule: 'manage:flags',
          pipeline: 'resources',
          policies: ['auth', 'scopes', 'rate-limit', 'proxy'],
          service: 'resources',
          limits: [],
          file: 'gateway.config.yml',
          line: 132,
        },
      ],
      plans: {},
      limits: {},
      differ: false,
      gateways: [{ ...GATEWAY, configuration: { hash: HASH, ageSeconds: 60, pinned: null } }],
    },
  },
  explain: {
    operationId: 'explainRequest',
    summary: 'What happens to a request',
    description:
      'Which endpoint, policies with their settings, limits and backend a request meets; with `as`, whether the rule lets that caller in, and with `organization` what it has left now of each limit, and the numbers of no other plan. Limits per address, session, header and claim are known only from a request. Nothing is sent.',
    query: z.object({
      method: z.string().describe('Such as GET.'),
      path: z.string().describe('Such as /v1/query; a query string is ignored, and a # is refused.'),
      as: z
        .string()
        .optional()
        .describe('Who asks: nobody, owner, admin, member, viewer, operator, or the id of a key.'),
      organization: z.string().optional().describe('Their organization, by its id; required with a key.'),
    }),
    example: {
      method: 'GET',
      path: '/v1/flags',
      verdict: '403: its rule refuses viewer, who lacks manage:flags',
      ...{ status: 403, allow: [] },
      pattern: '/v1/flags',
      endpoint: 'flags',
      file: 'gateway.config.yml',
      line: 132,
      rule: 'manage:flags',
      admissions: [{ needs: ['manage:flags'], under: null }],
      pipeline: 'resources',
      policies: [
        { policy: 'auth', settings: {}, conditional: false, does: null },
        { policy: 'proxy', settings: { serviceEndpoint: 'resources' }, conditional: false, does: null },
      ],
      ...{ limits: [], numbers: [], moreNumbers: 0 },
      caller: {
        as: 'viewer',
        status: 403,
        needs: 'manage:flags',
        limits: [
          {
            ...{ name: 'plan', per: 'organization', subject: 'org_01k3w6v1q8z5m7r2c4x9t0b6ha' },
            ...{ window: '60 s', counts: 'requests', limit: 300, used: 12, remaining: 288, reset: AT },
          },
        ],
      },
      service: { name: 'resources', urls: ['http://127.0.0.1:4003'] },
    },
  },
  history: {
    operationId: 'listPlatformConfigurations',
    summary: 'Configurations that were in force or refused',
    description:
      'The last ones, the newest first, with why a refused one was refused. Their texts are not shown here.',
    example: { pinned: null, configurations: [] },
  },
  changes: {
    operationId: 'comparePlatformConfiguration',
    summary: 'What a configuration changed',
    description:
      'What a configuration of the history changed for whom, compared with the one that was in force before it. Of a part that may hold a secret it says only that it differs. The first one, and one that was refused, are compared with nothing. 400 when one of the two does not pass the check any more.',
    query: z.object({ number: z.int().min(1).describe('Its number in the history.') }),
    errors: ['NOT_FOUND'],
    example: {
      number: 3,
      before: 2,
      changes: [
        {
          subject: 'plan',
          name: 'free',
          kind: 'changed',
          differences: [{ part: 'perMinute', from: '300', to: '3000', concealed: false }],
          dangers: ['perMinute is raised 10 times'],
        },
      ],
      moreChanges: 0,
    },
  },
  upstreams: {
    operationId: 'listPlatformUpstreams',
    summary: 'Backends and stores',
    description:
      'What backends are asked and how often they fail; each of their addresses: whether its health check passes and its breaker lets requests through, how many requests are in flight, and how many it failed since the configuration is in use. Whether each dependency is ready, whether the document store answers, and whether each gateway reaches the shared counters (`answers`, `failed`, `given up`; `own`: it counts alone).',
    example: {
      documentStore: 'answers',
      checks: { documents: 'ok', counters: 'ok', query: 'ok' },
      upstreams: [
        {
          service: 'query',
          requestsPerSecond: 12,
          failuresPerSecond: 0,
          addresses: [
            {
              address: 'http://127.0.0.1:4001',
              isChecked: true,
              hasBreaker: true,
              unhealthyAt: 0,
              openAt: 0,
              failingAt: 1,
              outAt: 0,
              gateways: 1,
              inFlight: 2,
              requests: 61_000,
              failures: 1,
              retries: 1,
            },
          ],
        },
      ],
      counterStores: [{ gateway: GATEWAY.id, state: 'own' }],
    },
  },
  organizations: {
    operationId: 'listPlatformOrganizations',
    summary: 'What organizations use',
    description:
      'Organizations by id, with their plan, how many websites they have, what they used in this month, what became of their requests within the last 24 hours, and who has less than a fifth left of a limit. `sort` shows those with most requests, or most refused by limits, of the last 24 hours instead: up to 100 that gateways counted among the busiest. Nothing else of a tenant is shown.',
    query: z.object({
      limit: z.int().min(1).max(100).optional().describe('How many. Default 50.'),
      after: z.string().optional().describe('The `next` of the page before, by id.'),
      sort: z.enum(['id', 'requests', 'limited']).optional().describe('Default id.'),
    }),
    example: {
      organizations: [
        {
          id: 'org_01k3w6v1q8z5m7r2c4x9t0b6ha',
          plan: 'free',
          createdAt: AT,
          websites: 2,
          usage: { month: '2026-01', requests: 120, events: 9_000 },
          lastDay: { ok: 100, client_error: 15, limited: 5, server_error: 0, aborted: 0 },
          near: { limit: 300, remaining: 12, reset: AT },
        },
      ],
      next: null,
    },
  },
  traffic: {
    operationId: 'getPlatformTraffic',
    summary: 'What passes the gateways',
    description:
      'Requests a second of the last seconds, all gateways together and each by itself: by status and endpoint, with how long answers take (`p50Ms`, `p95Ms` and `p99Ms` of the slowest gateway), and by which code requests were refused within the last minute. Another gateway may be five seconds behind. With `range`, `history` tells the same of the last hour, minute by minute, or of the last 24 hours, hour by hour, for all gateways together: times there are of all requests. Written every ten seconds, by the hour every minute; endpoints of the last hour are counted in steps of ten minutes, with which `start` begins.',
    query: z.object({
      range: z
        .enum(['hour', 'day'])
        .optional()
        .describe('How far back `history` goes. Default: there is none.'),
    }),
    example: {
      requestsPerSecond: 12,
      byStatus: [{ name: '200', perSecond: 12 }],
      endpoints: [
        {
          endpoint: 'query',
          perSecond: 12,
          p50Ms: 5,
          p95Ms: 25,
          p99Ms: 50,
          refusedPerSecond: 0.05,
          failedPerSecond: 0,
        },
      ],
      refused: [{ code: 'RATE_LIMIT_EXCEEDED', endpoint: 'query', requests: 3 }],
      history: {
        granularity: 'hour',
        start: '2026-01-15T08:00:00.000Z',
        end: '2026-01-15T10:00:00.000Z',
        requests: [40_000, 21_000],
        limited: [12, 3],
        failed: [0, 1],
        p50Ms: [5, 5],
        p95Ms: [25, 25],
        p99Ms: [50, 100],
        statuses: [
          { status: '200', requests: 60_984 },
          { status: '429', requests: 15 },
          { status: '503', requests: 1 },
        ],
        endpoints: [
          { endpoint: 'query', requests: 61_000, refused: 15, failed: 1, p50Ms: 5, p95Ms: 25, p99Ms: 50 },
        ],
        limits: [{ limit: 'plan', refusals: 15 }],
        steps: [{ step: 'received', events: 900 }],
        dropped: [{ reason: 'repeated', events: 4 }],
        services: [{ service: 'query', requests: 60_985, failures: 1, retries: 0 }],
      },
      gateways: [
        { ...GATEWAY, seconds: 5, requestsPerSecond: 12, connections: 3, cpuPercent: 4, residentMb: 180 },
      ],
    },
  },
  limits: {
    operationId: 'getPlatformLimits',
    summary: 'Who is throttled',
    description:
      'Refusals a second by limit, the callers that a limit refused within the last minute, and those of whose tightest window less than a fifth was left at their last request.',
    example: {
      limits: [{ name: 'plan', perSecond: 0.2 }],
      throttled: [
        {
          organization: 'org_01k3w6v1q8z5m7r2c4x9t0b6ha',
          key: 'key_01k3w6v1q8z5m7r2c4x9t0b6ha',
          endpoint: 'query',
          limit: 'plan',
          window: '60 s',
          refusals: 3,
          at: AT,
          reset: AT,
        },
      ],
      nearLimits: [],
    },
  },
};

export const platformRoutes: readonly RouteDescription[] = Object.entries(VIEWS).map(
  ([view, { operationId, summary, description, query, example, errors = [] }]) => ({
    operationId,
    method: 'GET',
    path: `/v1/platform/${view}`,
    rule: { roles: ROLES, operators: true },
    needs: 'session',
    summary,
    description,
    tags: ['platform'],
    ...(query && { query }),
    success: {
      status: 200,
      schema: z.object({
        success: z.literal(true),
        data: platformSchemas[view as PlatformView],
      }),
      example: { success: true, data: example },
    },
    errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE', ...errors],
  }),
);
