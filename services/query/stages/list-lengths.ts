/** Lengths of the lists of a request, checked before a schema looks at each element and finds a fault in every one. */
import { type Faults, fieldIn } from './faults.ts';
import { tooLong } from './filter-value.ts';
import { MAX_FILTERS, MAX_PARTS } from './request-schema.ts';

/** Lists by field: their bound, what they hold, and what passes in the place of one that is too long. */
const LISTS = [
  { field: 'parameters', most: MAX_PARTS, what: 'datasets', instead: ['-'] },
  { field: 'filters', most: MAX_FILTERS, what: 'filters', instead: undefined },
  { field: 'groupBy', most: MAX_PARTS, what: 'dimensions', instead: undefined },
] as const;

/** The request object; lists that are too long become faults and are replaced, so that other faults are found too. */
export function withShortLists(element: object, prefix: string, faults: Faults): object {
  const request: Record<string, unknown> = { ...element };
  for (const { field, most, what, instead } of LISTS) {
    const list = request[field];
    if (!Array.isArray(list) || list.length <= most) continue;
    faults.add(fieldIn(prefix, field), tooLong(what, most, list.length));
    request[field] = instead;
  }
  return request;
}
