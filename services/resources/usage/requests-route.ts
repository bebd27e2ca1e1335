/** The requests of an organization over time: by key, endpoint and outcome, and by the limit that refused them. */
import { z } from 'zod';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import {
  parseRequestLabels,
  REQUEST_OUTCOMES,
  type RequestLabels,
} from '../../shared/model/request-labels.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { readActivity } from '../../shared/usage/read-activity.ts';
import {
  activityRange,
  activityRangeShape,
  activityRangeViewShape,
  totalOf,
  viewRange,
  zeros,
} from './activity-range.ts';
import { asksForCounts, countsRangeShape, RequestCountList, requestCountSchema } from './request-counts.ts';

export interface UsagePorts {
  readonly documents: DocumentStore;
  readonly clock: Clock;
}

/** What rows may be told apart by; `limit` brings its window too. */
const DIMENSIONS = ['key', 'endpoint', 'outcome', 'limit'] as const;
type Dimension = (typeof DIMENSIONS)[number];

/** Rows of an answer, those with most requests. */
const MOST_ROWS = 50;

const groupBySchema = z
  .string()
  .default('outcome')
  .transform((text, context) => {
    const names = text.split(',');
    const unknown = names.filter((name) => !DIMENSIONS.some((known) => known === name));
    if (unknown.length === 0) return [...new Set(names)] as Dimension[];
    context.addIssue({
      code: 'custom',
      message: `Allowed: a list of ${DIMENSIONS.join(', ')}; received "${unknown[0]}".`,
    });
    return z.NEVER;
  });

const querySchema = z.strictObject({
  ...activityRangeShape,
  ...countsRangeShape,
  groupBy: groupBySchema.describe(`What rows are told apart by: a list of ${DIMENSIONS.join(', ')}.`),
  key: z.string().optional().describe('Only requests with this key; `none`: those of sessions.'),
  endpoint: z
    .string()
    .optional()
    .describe('Only requests to this endpoint, by its name in the configuration.'),
  outcome: z.enum(REQUEST_OUTCOMES).optional().describe('Only requests with this outcome.'),
  limit: z.string().optional().describe('Only requests that this limit refused, by its name.'),
});
type UsageQuery = z.output<typeof querySchema>;

const rowSchema = z.object({
  key: z
    .string()
    .nullable()
    .optional()
    .describe('The id of the key; null: a session, or one of too many keys.'),
  endpoint: z.string().nullable().optional().describe('The name of the endpoint; null: one of too many.'),
  outcome: z
    .enum(REQUEST_OUTCOMES)
    .optional()
    .describe(
      '`ok`: answered below 400. `limited`: a limit refused it. `client_error`, `server_error`: other answers from 400 and from 500 on. `aborted`: the client left first.',
    ),
  limit: z.string().nullable().optional().describe('The limit that refused; null: none did.'),
  window: z.string().nullable().optional().describe('The window of that limit, such as `3600 s`.'),
  requests: z.number().int(),
  counts: z.array(z.number().int()).describe('Requests in each slot from `start` on.'),
});
export type UsageRow = z.output<typeof rowSchema>;

const requestCountsSchema = z.object({
  ...activityRangeViewShape,
  requests: z.number().int().describe('All requests of the range that match, shown as a row or not.'),
  rows: z.array(rowSchema).max(MOST_ROWS).describe(`At most ${MOST_ROWS}, those with most requests first.`),
  moreRows: z.number().int().describe('How many further rows there are.'),
});
export type RequestCounts = z.output<typeof requestCountsSchema>;

const listRequests = defineRoute<UsagePorts, undefined, UsageQuery>({
  operationId: 'listRequests',
  method: 'GET',
  path: '/v1/usage/requests',
  rule: { roles: ['owner', 'admin', 'member', 'viewer'] },
  needs: 'session',
  summary: 'Count requests over time',
  description:
    'How many requests the organization made, over time, as rows with one number per slot, or with `from`, `to` or `step` as a list of counts, by key, endpoint and outcome; which limit refused how many. Every request with a valid credential counts, refused ones too; those without are counted for nobody. Written some seconds after the requests: the last five seconds may be missing. Answered while the plan is used up: it counts in the limit `usage`.',
  tags: ['usage'],
  query: querySchema,
  success: {
    status: 200,
    schema: z.object({
      success: z.literal(true),
      data: z.union([requestCountsSchema, z.array(requestCountSchema)]),
    }),
    example: {
      success: true,
      data: {
        granularity: 'hour',
        start: '2026-01-15T08:00:00.000Z',
        end: '2026-01-15T10:00:00.000Z',
        requests: 130,
        rows: [
          { outcome: 'ok', requests: 100, counts: [60, 40] },
          { outcome: 'limited', requests: 30, counts: [0, 30] },
        ],
        moreRows: 0,
      },
    },
  },
  errors: ['VALIDATION_ERROR'],
  async handler({ caller, query }, { documents, clock }) {
    const organizationId = organizationOf(caller);
    const subject = { organizationId, websiteId: null, series: 'requests' } as const;
    if (asksForCounts(query)) {
      const asked = { granularity: query.step ?? 'hour', start: query.from, end: query.to } as const;
      const steps = activityRange(asked, clock.now(), { start: 'from', end: 'to' });
      const counts = new RequestCountList(steps, (labels) => isWanted(labels, query));
      await readActivity(documents, subject, steps, (text, slot, count) => counts.add(text, slot, count));
      return { body: { success: true, data: counts.sorted() } };
    }
    const range = activityRange(query, clock.now());
    const read = (each: (row: string, slot: number, count: number) => void): Promise<void> => {
      const rowOf = memoized((text) => rowName(parseRequestLabels(text), query));
      return readActivity(documents, subject, range, (text, slot, count) => {
        const row = rowOf(text);
        if (row !== null) each(row, slot, count);
      });
    };
    // Twice: of many thousand rows the lines of those that are shown alone fit into memory.
    const totals = new Map<string, number>();
    await read((row, _slot, count) => void totals.set(row, (totals.get(row) ?? 0) + count));
    const sorted = [...totals].sort(([, a], [, b]) => b - a);
    const lines = new Map(sorted.slice(0, MOST_ROWS).map(([row]) => [row, zeros(range)]));
    await read((row, slot, count) => {
      const line = lines.get(row);
      if (line !== undefined) line[slot] = (line[slot] ?? 0) + count;
    });
    const rows = [...lines].map(([row, counts]) => {
      return { ...(JSON.parse(row) as RowLabels), requests: totalOf(counts), counts };
    });
    const requests = sorted.reduce((sum, [, count]) => sum + count, 0);
    return {
      body: {
        success: true,
        data: { ...viewRange(range), requests, rows, moreRows: sorted.length - rows.length },
      },
    };
  },
});

function isWanted(labels: RequestLabels, { key, endpoint, outcome, limit }: UsageQuery): boolean {
  return (
    (key === undefined || labels.key === (key === 'none' ? '' : key)) &&
    (endpoint === undefined || labels.endpoint === endpoint) &&
    (outcome === undefined || labels.outcome === outcome) &&
    (limit === undefined || labels.limit === limit)
  );
}

type RowLabels = Omit<UsageRow, 'requests' | 'counts'>;

/** The labels of a row as text, which is the same for the same row; null: the request is not asked for. */
function rowName(labels: RequestLabels, query: UsageQuery): string | null {
  if (!isWanted(labels, query)) return null;
  const { groupBy } = query;
  const row: RowLabels = {
    ...(groupBy.includes('key') && { key: labels.key || null }),
    ...(groupBy.includes('endpoint') && { endpoint: labels.endpoint || null }),
    ...(groupBy.includes('outcome') && { outcome: labels.outcome }),
    ...(groupBy.includes('limit') && { limit: labels.limit || null, window: labels.window || null }),
  };
  return JSON.stringify(row);
}

/** Labels come again for each slot: each is judged once. */
function memoized(judge: (text: string) => string | null): (text: string) => string | null {
  const known = new Map<string, string | null>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const judged = judge(text);
    known.set(text, judged);
    return judged;
  };
}

export const usageRoutes: readonly Route<UsagePorts>[] = [listRequests];
