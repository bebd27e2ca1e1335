/** Counts of requests one by one, in the order of time, for programs that add them up themselves. */
import { z } from 'zod';
import { validationError } from '../../shared/errors/zod-details.ts';
import { ACTIVITY_GRAINS } from '../../shared/model/activity.ts';
import {
  parseRequestLabels,
  type RequestLabels,
  type RequestOutcome,
} from '../../shared/model/request-labels.ts';
import type { ActivityRange } from '../../shared/usage/read-activity.ts';
import { wordedInstantSchema } from '../instant-input.ts';

/** Most counts of an answer: some 2 MB. */
const MOST_COUNTS = 10_000;

/** The range of a query string that asks for counts one by one; one of them is enough. */
export const countsRangeShape = {
  from: wordedInstantSchema
    .optional()
    .describe('With it, `to` or `step`, `data` is a list of counts: the first instant.'),
  to: wordedInstantSchema.optional().describe('The instant before which that list ends; default: now.'),
  step: z
    .enum(['minute', 'hour'])
    .optional()
    .describe('How long each count of that list is; default: hour. Kept as `granularity` says.'),
};

const OUTCOMES = ['ok', 'clientError', 'serverError', 'limited'] as const;
/** A client that left first is at fault itself. */
const OUTCOME_OF: Readonly<Record<RequestOutcome, (typeof OUTCOMES)[number]>> = {
  ok: 'ok',
  client_error: 'clientError',
  aborted: 'clientError',
  server_error: 'serverError',
  limited: 'limited',
};

export const requestCountSchema = z.object({
  at: z.iso.datetime().describe('When the step begins.'),
  keyId: z.string().optional().describe('Absent: a session, or one of too many keys.'),
  endpoint: z.string().nullable().describe('The name of the endpoint; null: one of too many.'),
  outcome: z.enum(OUTCOMES),
  limit: z.string().optional().describe('The limit that refused; absent: none did.'),
  count: z.number().int(),
});
export type RequestCount = z.output<typeof requestCountSchema>;

/** Whether a query asks for counts one by one. */
export function asksForCounts(query: {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly step?: unknown;
}): boolean {
  return query.from !== undefined || query.to !== undefined || query.step !== undefined;
}

/** Gathers counts, of which those of one step, key, endpoint, outcome and limit are added up. */
export class RequestCountList {
  readonly #range: ActivityRange;
  readonly #isWanted: (labels: RequestLabels) => boolean;
  readonly #counts = new Map<string, { readonly slot: number; readonly count: RequestCount }>();

  constructor(range: ActivityRange, isWanted: (labels: RequestLabels) => boolean) {
    this.#range = range;
    this.#isWanted = isWanted;
  }

  /** @throws ApiError VALIDATION_ERROR when there are too many for one answer */
  add(text: string, slot: number, count: number): void {
    const labels = parseRequestLabels(text);
    if (!this.#isWanted(labels)) return;
    const { key, endpoint, limit } = labels;
    const outcome = OUTCOME_OF[labels.outcome];
    const name = [slot, key, endpoint, outcome, limit].join('|');
    const found = this.#counts.get(name);
    if (found !== undefined) {
      this.#counts.set(name, { slot, count: { ...found.count, count: found.count.count + count } });
      return;
    }
    if (this.#counts.size >= MOST_COUNTS) throw tooMany();
    const { startMs, grain } = this.#range;
    const at = new Date(startMs + slot * ACTIVITY_GRAINS[grain].slotMs).toISOString();
    const told: RequestCount = {
      at,
      ...(key !== '' && { keyId: key }),
      endpoint: endpoint || null,
      outcome,
      ...(limit !== '' && { limit }),
      count,
    };
    this.#counts.set(name, { slot, count: told });
  }

  /** By time, the largest of a step first. */
  sorted(): RequestCount[] {
    const found = [...this.#counts.values()].sort((a, b) => a.slot - b.slot || b.count.count - a.count.count);
    return found.map(({ count }) => count);
  }
}

function tooMany() {
  const message = `More than ${MOST_COUNTS} counts: ask for a shorter range, hours in place of minutes, or one key, endpoint or outcome.`;
  return validationError([{ field: 'from', message }]);
}
