/** What a request costs by its body, parsed once in the gateway: dataset names of a query, events of an ingest call. */
import { validationError } from '../../services/shared/errors/zod-details.ts';
import { scanJson } from '../../services/shared/http/json-bounds.ts';
import type { LimitCost } from '../../services/shared/plugin/plans.ts';
import type { RequestContext } from '../../services/shared/plugin/request-context.ts';

/** What a body of several things is counted by. */
export type BodyCost = Exclude<LimitCost, 'request'>;

const BAD_JSON = validationError([{ field: 'body', message: 'The body is not valid JSON.' }]);

/** What a body costs at least, seen without parsing it: of a list its elements, else 1. What must not be parsed is refused. */
export function leastBodyCost(context: RequestContext, kind: BodyCost | null): number {
  const { body } = context;
  if (body === null || context.refusal !== null) return 1;
  const { refusal, elements } = scanJson(body);
  if (refusal !== null) context.refuse(refusal);
  return kind === null ? 1 : Math.max(1, elements);
}

/**
 * The cost of a request whose endpoint says `cost: body`: at least 1, and 1 for a body that is absent, refused before or
 * of a shape that the service will refuse. Bad JSON is refused here, after {@link leastBodyCost} let the body pass.
 */
export function readBodyCost(context: RequestContext, kind: BodyCost | null): number {
  const { body, refusal } = context;
  if (body === null || body.length === 0 || refusal !== null) return 1;
  let value: unknown;
  try {
    value = JSON.parse(textOf(body));
  } catch {
    context.refuse(BAD_JSON);
    return 1;
  }
  if (kind === null) return 1;
  return Math.max(1, kind === 'events' ? eventsOf(value) : datasetsOf(value));
}

/** Without a byte order mark, which services skip too. */
function textOf(body: Buffer): string {
  const marked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return body.toString('utf8', marked ? 3 : 0);
}

function eventsOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 1;
}

/** The names of one request object, or of all of a batch; one that has no list makes the whole call malformed. */
function datasetsOf(value: unknown): number {
  if (!Array.isArray(value)) return namesOf(value);
  let sum = 0;
  for (const part of value) {
    const names = namesOf(part);
    if (names === 0) return 1;
    sum += names;
  }
  return sum;
}

function namesOf(part: unknown): number {
  if (typeof part !== 'object' || part === null || !('parameters' in part)) return 0;
  return Array.isArray(part.parameters) ? part.parameters.length : 0;
}
