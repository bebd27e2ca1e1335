/** Evaluates flags for anybody: one by its key, or all that a client sees (contract.md section 7). */
import { z } from 'zod';
import { entityTagOf, namesEntityTag } from '../../shared/http/entity-tag.ts';
import { defineRoute, type Route, type RouteOutput } from '../../shared/http/route.ts';
import type { FlagsByKey } from './compile-flags.ts';
import { type BulkAnswer, evaluateBulk } from './evaluate-bulk.ts';
import { evaluateFlag, FLAG_NOT_FOUND, FLAG_REASONS } from './evaluate-flag.ts';
import {
  type BulkQuery,
  bulkQuerySchema,
  contextOf,
  type EvaluateQuery,
  evaluateQuerySchema,
} from './evaluation-query.ts';
import type { KnownClients } from './known-clients.ts';

/** What evaluation needs. */
export interface EvaluationPorts {
  readonly knownClients: KnownClients;
}

const COMMON = {
  method: 'GET',
  rule: 'public',
  tags: ['flags'],
  requestHeaders: {
    'If-None-Match': 'The `ETag` of an earlier answer; while it still holds, 304 without a body.',
  },
} as const;
/** A shared cache may use a copy as long as a client may. */
const CACHING = { 'Cache-Control': 'public, max-age=15' };
const HEADERS = {
  'Cache-Control': '`public, max-age=15`: 15 seconds, in any cache.',
  ETag: 'Version of the answer.',
};
const NO_FLAGS: FlagsByKey = new Map();

const verdictSchema = z.object({
  enabled: z.boolean(),
  value: z.any().describe('`enabled`, or the value of the variant.'),
  payload: z.any().describe("The flag's payload; null unless enabled."),
  reason: z.enum(FLAG_REASONS),
  variant: z.string().optional().describe('Key of the variant.'),
});
const bulkVerdictSchema = verdictSchema.extend({
  payloadOmitted: z
    .literal(true)
    .optional()
    .describe('The flag has a payload that did not fit into this answer; evaluate the flag alone to get it.'),
});
const VERDICT = { enabled: true, value: true, payload: { columns: 2 }, reason: 'ROLLOUT_ENABLED' } as const;
const VARIANT = {
  ...{ enabled: true, value: 'green', payload: null },
  ...{ reason: 'MULTIVARIANT_EVALUATED', variant: 'b' },
} as const;

const evaluateRoute = defineRoute<EvaluationPorts, undefined, EvaluateQuery>({
  ...COMMON,
  operationId: 'evaluateFlag',
  path: '/public/v1/flags/evaluate',
  summary: 'Evaluate a flag',
  description:
    'The verdict on a flag for a caller, and its reason. An unknown flag, or a flag of an unknown client, is off with the reason FLAG_NOT_FOUND.',
  query: evaluateQuerySchema,
  success: { status: 200, schema: verdictSchema, example: VERDICT, headers: HEADERS },
  errors: ['VALIDATION_ERROR'],
  async handler({ query, headers }, ports) {
    const flag = (await flagsFor(ports, query)).get(query.key);
    const verdict = flag ? evaluateFlag(flag, contextOf(query)) : FLAG_NOT_FOUND;
    const bytes = Buffer.from(JSON.stringify(verdict));
    return cached({ bytes, etag: entityTagOf(bytes) }, headers['if-none-match']);
  },
});

const bulkRoute = defineRoute<EvaluationPorts, undefined, BulkQuery>({
  ...COMMON,
  operationId: 'evaluateFlags',
  path: '/public/v1/flags/bulk',
  summary: 'Evaluate all flags',
  description:
    'The verdict on each flag of the client for a caller, or on each of `keys`, in the order of the keys. Unknown keys are left out, and an unknown client has no flags. The payloads of one answer take at most 512 KB: from the first that does not fit on they are null with `payloadOmitted`, and `payloadsOmitted` names them.',
  query: bulkQuerySchema,
  success: {
    status: 200,
    schema: z.object({
      flags: z.record(z.string(), bulkVerdictSchema),
      count: z.number().int(),
      payloadsOmitted: z
        .array(z.string())
        .optional()
        .describe('Keys of the flags whose payload is omitted; absent when none is.'),
    }),
    example: { flags: { 'new-checkout': VERDICT, 'button-colour': VARIANT }, count: 2 },
    headers: HEADERS,
  },
  errors: ['VALIDATION_ERROR'],
  async handler({ query, headers }, ports) {
    return cached(evaluateBulk(await flagsFor(ports, query), query), headers['if-none-match']);
  },
});

async function flagsFor(
  { knownClients }: EvaluationPorts,
  { clientId, environment }: Pick<EvaluateQuery, 'clientId' | 'environment'>,
): Promise<FlagsByKey> {
  const flags = await knownClients.flagsOf(clientId);
  return flags?.get(environment ?? null) ?? NO_FLAGS;
}

function cached({ bytes, etag }: BulkAnswer, ifNoneMatch: string | string[] | undefined): RouteOutput {
  const headers = { ...CACHING, ETag: etag };
  return namesEntityTag(ifNoneMatch?.toString(), etag) ? { status: 304, headers } : { bytes, headers };
}

export const evaluationRoutes: readonly Route<EvaluationPorts>[] = [evaluateRoute, bulkRoute];
