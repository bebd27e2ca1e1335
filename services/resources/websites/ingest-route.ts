/** What became of the events that a website was sent: stored, or dropped and why. */
import { z } from 'zod';
import { requireWebsite } from '../../shared/access/website-access.ts';
import { defineRoute } from '../../shared/http/route.ts';
import { DROP_REASONS, DROPS, type DropReason } from '../../shared/model/drop-reasons.ts';
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
} from '../usage/activity-range.ts';

export interface IngestPorts {
  readonly documents: DocumentStore;
  readonly clock: Clock;
}

const querySchema = z.strictObject(activityRangeShape);
const perSlot = z.array(z.number().int()).describe('In each slot from `start` on.');

const ingestCountsSchema = z.object({
  ...activityRangeViewShape,
  received: z.number().int(),
  stored: z.number().int(),
  dropped: z
    .array(
      z.object({
        reason: z.enum(DROP_REASONS),
        description: z.string().describe('The reason in words.'),
        events: z.number().int(),
        counts: perSlot,
      }),
    )
    .describe('Each reason for which events were dropped, the most frequent first.'),
  counts: z.object({ received: perSlot, stored: perSlot }),
});
export type IngestCounts = z.output<typeof ingestCountsSchema>;

export const websiteIngestRoute = defineRoute<IngestPorts, undefined, z.output<typeof querySchema>>({
  operationId: 'readWebsiteIngest',
  method: 'GET',
  path: '/v1/websites/:id/ingest',
  rule: { scopes: ['read:data'] },
  summary: 'Read what became of received events',
  description:
    'How many events the website was sent over time, how many were stored, and why the others were not. A call of /identify counts as one. Events refused before it was clear that they are for this website are in no count, and neither are requests that the gateway refused, as by a limit: /v1/usage/requests has those with a key. A request that breaks a rule is dropped whole, and counts for the website that it or its first event names. Written some seconds later: the last five seconds may be missing.',
  tags: ['websites'],
  query: querySchema,
  success: {
    status: 200,
    schema: z.object({
      success: z.literal(true),
      data: ingestCountsSchema,
    }),
    example: {
      success: true,
      data: {
        granularity: 'hour',
        start: '2026-01-15T08:00:00.000Z',
        end: '2026-01-15T10:00:00.000Z',
        received: 130,
        stored: 120,
        dropped: [
          { reason: 'origin_foreign', description: DROPS.origin_foreign.when, events: 10, counts: [10, 0] },
        ],
        counts: { received: [70, 60], stored: [60, 60] },
      },
    },
  },
  errors: ['VALIDATION_ERROR', 'ACCESS_DENIED'],
  async handler({ caller, params, query }, { documents, clock }) {
    const { id: websiteId, organizationId } = await requireWebsite(documents, caller, params.id ?? '');
    const range = activityRange(query, clock.now());
    const found = new Map<string, number[]>();
    const received = zeros(range);
    const subject = { organizationId, websiteId, series: 'ingest' } as const;
    await readActivity(documents, subject, range, (outcome, slot, count) => {
      const counts = found.get(outcome) ?? zeros(range);
      found.set(outcome, counts);
      counts[slot] = (counts[slot] ?? 0) + count;
      received[slot] = (received[slot] ?? 0) + count;
    });
    const stored = found.get('stored') ?? zeros(range);
    const dropped = [...found]
      .filter((entry): entry is [DropReason, number[]] => Object.hasOwn(DROPS, entry[0]))
      .map(([reason, counts]) => ({
        reason,
        description: DROPS[reason].when,
        events: totalOf(counts),
        counts,
      }))
      .sort((a, b) => b.events - a.events);
    return {
      body: {
        success: true,
        data: {
          ...viewRange(range),
          received: totalOf(received),
          stored: totalOf(stored),
          dropped,
          counts: { received, stored },
        },
      },
    };
  },
});
