/** Compiles the plans of a call without running them, for POST /v1/query/compile. */
import { isDeepStrictEqual } from 'node:util';
import { ApiError, type ErrorDetail } from '../shared/errors/api-error.ts';
import { fieldPath } from '../shared/errors/zod-details.ts';
import type { CompiledQuery } from '../shared/ports/event-store.ts';
import { type Call, planRequest } from './plan-request.ts';
import type { QueryPorts } from './query-ports.ts';
import { compileDuckDb } from './stages/compile-duckdb.ts';
import { createFaults, type Faults } from './stages/faults.ts';

/** Other names of request fields, each with the field it stands for; `type` is one parameter. */
export const COMPILE_ALIASES = {
  type: 'parameters',
  from: 'startDate',
  to: 'endDate',
  projectId: 'websiteId',
  timeUnit: 'granularity',
} as const;

/** What would run for one dataset; `parameter` is its name, or the id that the client gave it. */
export type CompiledDataset = {
  readonly parameter: string;
  /** What would run for the other period; a list looks up the keys of its rows there, which are none before it ran. */
  readonly compare?: CompiledQuery;
} & CompiledQuery;

/**
 * The queries of one request object, in the order of its parameters.
 * @throws ApiError COMPILATION_ERROR naming every parameter that cannot be built, and the errors of parsing and access
 */
export async function compileCall(call: Call, ports: QueryPorts): Promise<CompiledDataset[]> {
  const faults = createFaults();
  const { body, restored } = withoutAliases(call.body, faults);
  try {
    return await compileRequest({ ...call, body }, ports, faults);
  } catch (thrown) {
    throw thrown instanceof ApiError ? restored(thrown) : thrown;
  }
}

async function compileRequest(call: Call, ports: QueryPorts, faults: Faults): Promise<CompiledDataset[]> {
  const { requests, plans } = await planRequest(call, ports, faults);
  const [planned = []] = plans;
  const details: ErrorDetail[] = [];
  const compiled: CompiledDataset[] = [];
  for (const [index, plan] of planned.entries()) {
    const asked = requests[0]?.parameters[index];
    if ('refused' in plan) {
      details.push({ field: fieldPath(['parameters', index]), message: plan.refused });
      continue;
    }
    const other = plan.compared?.plan;
    const compare = other ? { compare: compileDuckDb(other) } : {};
    compiled.push({ parameter: asked?.id ?? asked?.name ?? '', ...compileDuckDb(plan), ...compare });
  }
  const [first] = details;
  if (first) throw new ApiError('COMPILATION_ERROR', { text: `${first.field}: ${first.message}`, details });
  return compiled;
}

/**
 * The request with aliases replaced by the real names, and a function that restores the client's names in errors. An
 * alias that differs from its field is a fault.
 */
function withoutAliases(
  body: unknown,
  faults: Faults,
): { body: unknown; restored: (error: ApiError) => ApiError } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const message = 'Must be one request object; a batch cannot be compiled.';
    throw new ApiError('VALIDATION_ERROR', {
      text: `body: ${message}`,
      details: [{ field: 'body', message }],
    });
  }
  const request: Record<string, unknown> = { ...body };
  const used = new Map<string, string>();
  for (const [alias, field] of Object.entries(COMPILE_ALIASES)) {
    const given = request[alias];
    delete request[alias];
    if (given === undefined) continue;
    const value = alias === 'type' ? [given] : given;
    if (request[field] === undefined) {
      request[field] = value;
      used.set(alias === 'type' ? 'parameters[0]' : field, alias);
    } else if (!isDeepStrictEqual(request[field], value)) {
      faults.add(alias, `Stands for ${field}, which came too with another value.`);
    }
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
