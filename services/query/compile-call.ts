/** Takes a call through the stages up to the compiler, and no further: what would run, for POST /v1/query/compile. */
import { ApiError, type ErrorDetail } from '../shared/errors/api-error.ts';
import { fieldPath } from '../shared/errors/zod-details.ts';
import type { CompiledQuery } from '../shared/ports/event-store.ts';
import { type Call, noLink } from './answer-call.ts';
import { DATASETS_BY_NAME } from './datasets/index.ts';
import type { QueryPorts } from './query-ports.ts';
import { createAnswerBudget } from './stages/answer-budget.ts';
import { compilerFor } from './stages/compiler.ts';
import { requireKnownName } from './stages/known-names.ts';
import { parseCall } from './stages/parse.ts';
import { planCall } from './stages/plan.ts';
import { resolveReach } from './stages/resolve.ts';

/** Other names of request fields, each with the path of the field that it stands for. */
export const COMPILE_ALIASES = { type: 'parameters', from: 'startDate', to: 'endDate' } as const;

/** What would run for one dataset; `parameter` is its name, or the id that the client gave it. */
export type CompiledDataset = { readonly parameter: string } & CompiledQuery;

/**
 * The queries of one request object, in the order of its parameters.
 * @throws ApiError COMPILATION_ERROR naming every parameter that cannot be built, and what parsing and access refuse
 */
export async function compileCall(call: Call, ports: QueryPorts): Promise<CompiledDataset[]> {
  const { body, restored } = withoutAliases(call.body);
  try {
    return await compileRequest({ ...call, body }, ports);
  } catch (thrown) {
    throw thrown instanceof ApiError ? restored(thrown) : thrown;
  }
}

async function compileRequest(call: Call, ports: QueryPorts): Promise<CompiledDataset[]> {
  const now = ports.clock.now();
  const parsed = parseCall(call.body, call.query, now);
  requireKnownName(parsed, DATASETS_BY_NAME);
  const reach = await resolveReach(parsed.selectors, call.caller, ports.documents, ports.findLink ?? noLink);
  const context = {
    catalogue: DATASETS_BY_NAME,
    reach,
    zone: parsed.zone,
    now,
    cut: new Map(),
    budget: createAnswerBudget(),
  };
  const [planned = []] = await planCall(parsed.requests, context, call.signal);
  const compile = compilerFor(ports.events.engine);
  const details: ErrorDetail[] = [];
  const compiled: CompiledDataset[] = [];
  for (const [index, plan] of planned.entries()) {
    const asked = parsed.requests[0]?.parameters[index];
    if ('refused' in plan) {
      details.push({ field: fieldPath(['parameters', index]), message: plan.refused });
    } else compiled.push({ parameter: asked?.id ?? asked?.name ?? '', ...compile(plan) });
  }
  const [first] = details;
  if (first) throw new ApiError('COMPILATION_ERROR', { text: `${first.field}: ${first.message}`, details });
  return compiled;
}

/** The request with aliases under their own names, and what gives an error the names that the client wrote. */
function withoutAliases(body: unknown): { body: unknown; restored: (error: ApiError) => ApiError } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const message = 'Must be one request object; a batch cannot be compiled.';
    throw new ApiError('VALIDATION_ERROR', {
      text: `body: ${message}`,
      details: [{ field: 'body', message }],
    });
  }
  const given = body as Readonly<Record<string, unknown>>;
  const request: Record<string, unknown> = { ...given };
  const used = new Map<string, string>();
  for (const [alias, field] of Object.entries(COMPILE_ALIASES)) {
    if (given[alias] === undefined || given[field] !== undefined) continue;
    request[field] = alias === 'type' ? [given[alias]] : given[alias];
    used.set(alias === 'type' ? 'parameters[0]' : field, alias);
  }
  return { body: request, restored: (error) => renamed(error, used) };
}

function renamed(error: ApiError, used: ReadonlyMap<string, string>): ApiError {
  const [first] = error.details;
  if (!first || used.size === 0) return error;
  const details = error.details.map((detail) => ({ ...detail, field: asWritten(detail.field, used) }));
  const text = error.message.startsWith(`${first.field}: `)
    ? asWritten(first.field, used) + error.message.slice(first.field.length)
    : error.message;
  return new ApiError(error.kind, { text, details, cause: error.cause });
}

function asWritten(field: string, used: ReadonlyMap<string, string>): string {
  for (const [name, alias] of used) {
    if (field === name || field.startsWith(`${name}.`)) return alias + field.slice(name.length);
  }
  return field;
}
