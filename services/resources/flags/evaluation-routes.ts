/** Evaluates flags for anybody: one by its key, or all that a client sees (contract.md section 7). */
import { z } from 'zod';
import { entityTagOf, namesEntityTag } from '../../shared/http/entity-tag.ts';
import { defineRoute, type Route, type RouteOutput } from '../../shared/http/route.ts';
import type { FlagsByKey } from './compile-flags.ts';
import {
  evaluateFlag,
  FLAG_NOT_FOUND,
  FLAG_REASONS,
  type FlagVerdict,
  nothingKnown,
} from './evaluate-flag.ts';
import {
  askedKeys,
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
/** A copy on the way serves as long as a client may. */
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
    'What a flag is for a caller, and why. A flag or client that is unknown is off, with the reason FLAG_NOT_FOUND.',
  query: evaluateQuerySchema,
  success: { status: 200, schema: verdictSchema, example: VERDICT, headers: HEADERS },
  errors: ['VALIDATION_ERROR'],
  async handler({ query, headers }, ports) {
    const flag = (await flagsFor(ports, query)).get(query.key);
    return cached(flag ? evaluateFlag(flag, contextOf(query)) : FLAG_NOT_FOUND, headers['if-none-match']);
  },
});

const bulkRoute = defineRoute<EvaluationPorts, undefined, BulkQuery>({
  ...COMMON,
  operationId: 'evaluateFlags',
  path: '/public/v1/flags/bulk',
  summary: 'Evaluate all flags',
  description:
    'What each flag that the client sees is for a caller, or each of `keys`; keys of no flag are left out, and an unknown client has none.',
  query: bulkQuerySchema,
  success: {
    status: 200,
    schema: z.object({ flags: z.record(z.string(), verdictSchema), count: z.number().int() }),
    example: { flags: { 'new-checkout': VERDICT, 'button-colour': VARIANT }, count: 2 },
    headers: HEADERS,
  },
  errors: ['VALIDATION_ERROR'],
  async handler({ query, headers }, ports) {
    return cached(evaluateBulk(await flagsFor(ports, query), query), headers['if-none-match']);
  },
});

/** The verdict on each flag, or on those of `keys`. */
export function evaluateBulk(flags: FlagsByKey, query: BulkQuery) {
  const context = contextOf(query);
  const known = nothingKnown();
  const verdicts: [string, FlagVerdict][] = [];
  for (const key of askedKeys(query) ?? flags.keys()) {
    const flag = flags.get(key);
    if (flag) verdicts.push([key, evaluateFlag(flag, context, known)]);
  }
  // Own properties whatever their name: a flag may be called "__proto__".
  return { flags: Object.fromEntries(verdicts), count: verdicts.length };
}

async function flagsFor(
  { knownClients }: EvaluationPorts,
  { clientId, environment }: Pick<EvaluateQuery, 'clientId' | 'environment'>,
): Promise<FlagsByKey> {
  const flags = await knownClients.flagsOf(clientId);
  return flags?.get(environment ?? null) ?? NO_FLAGS;
}

function cached(body: unknown, ifNoneMatch: string | string[] | undefined): RouteOutput {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { ...CACHING, ETag: entityTagOf(bytes) };
  return namesEntityTag(ifNoneMatch?.toString(), headers.ETag)
    ? { status: 304, headers }
    : { bytes, headers };
}

export const evaluationRoutes: readonly Route<EvaluationPorts>[] = [evaluateRoute, bulkRoute];
