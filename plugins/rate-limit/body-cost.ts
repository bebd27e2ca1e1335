/**
 * What a request costs by its body, parsed once in the gateway: the number of elements in the list that the endpoint
 * names.
 */
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import { bodyText } from '../../services/shared/http/body-text.ts';
import { scanJson } from '../../services/shared/http/json-bounds.ts';
import { badJson } from '../../services/shared/http/json-fault.ts';
import { ParsedBody } from '../../services/shared/http/parsed-body.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import type { RequestContext } from '../kit/request-context.ts';

/** The path to the list; null where the content of a body is not counted. */
export type CountedList = Endpoint['countedList'];

/** What one request takes. */
export interface RequestCost {
  /** Number of elements in the list that its endpoint names; 1 is not a batch. */
  readonly things: number;
  /** Bytes sent: the body, inflated if it was compressed, and the query string. At least 1. */
  readonly bytes: number;
}

type Body = Pick<RequestContext, 'body' | 'refusal'>;
type ParsableBody = Body & Pick<RequestContext, 'parsedBody'>;

/**
 * Nothing is known about a body that is not inflated yet: it counts once it is. `unread`: the least size of one that is
 * not read yet.
 */
export function bytesOf(
  { body, queryBytes }: Pick<RequestContext, 'body' | 'queryBytes'>,
  unread = 0,
): number {
  return Math.max(1, (body?.length ?? unread) + queryBytes);
}

/** The least cost of a body, found without parsing it: the elements of a list, else 1. Or why it must not be parsed. */
export function scanBodyCost({ body, refusal }: Body, list: CountedList): number | ApiError {
  if (body === null || refusal !== null) return 1;
  const scan = scanJson(body);
  if (scan.refusal !== null) return scan.refusal;
  return list === null ? 1 : Math.max(1, scan.elements);
}

/**
 * What a body costs that {@link scanBodyCost} let pass: at least 1, and 1 for one that is absent, refused before or of a
 * shape that the service will refuse. Or why it is not JSON. What was parsed stays on the context for a service of this process.
 */
export function readBodyCost(context: ParsableBody, list: CountedList): number | ApiError {
  const { body, refusal } = context;
  if (body === null || body.length === 0 || refusal !== null) return 1;
  const text = bodyText(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return badJson(text);
  }
  context.parsedBody = new ParsedBody(body, value);
  return list === null ? 1 : Math.max(1, countElements(value, list));
}

/** For one object, or for all of a batch; an object without such a list makes the whole call malformed. */
function countElements(value: unknown, list: readonly string[]): number {
  if (!Array.isArray(value)) return list.length === 0 ? 1 : elementsAt(value, list);
  if (list.length === 0) return value.length;
  let sum = 0;
  for (const part of value) {
    const elements = elementsAt(part, list);
    if (elements === 0) return 1;
    sum += elements;
  }
  return sum;
}

/** Number of elements in the list at this path; 0 when there is none. */
function elementsAt(part: unknown, names: readonly string[]): number {
  let inside = part;
  for (const name of names) {
    if (typeof inside !== 'object' || inside === null || !Object.hasOwn(inside, name)) return 0;
    inside = (inside as Record<string, unknown>)[name];
  }
  return Array.isArray(inside) ? inside.length : 0;
}
