/** Stage 2: looks dataset names up; a call that names no known dataset at all is refused whole. */
import { closest } from 'fastest-levenshtein';
import { ApiError, type ErrorDetail } from '../../shared/errors/api-error.ts';
import type { Dataset } from '../catalogue/dataset.ts';
import { fieldIn } from './faults.ts';
import type { ParsedCall } from './parse.ts';

export type Catalogue = ReadonlyMap<string, Dataset>;

/** The known name that is nearest to `name`. */
export function nearestName(name: string, names: Iterable<string>): string {
  return closest(name, [...names]);
}

/** @throws ApiError INVALID_QUERY_TYPE when no dataset of the whole call is known. */
export function requireKnownName(call: ParsedCall, catalogue: Catalogue): void {
  const asked = call.requests.flatMap((request, at) =>
    request.parameters.map(({ name }, index) => ({
      name,
      field: fieldIn(call.isBatch ? `[${at}]` : '', 'parameters', index),
    })),
  );
  if (asked.some(({ name }) => catalogue.has(name))) return;
  const details: ErrorDetail[] = asked.map(({ name, field }) => {
    const suggestion = nearestName(name, catalogue.keys());
    return { field, message: `No dataset is named "${name}"; did you mean "${suggestion}"?`, suggestion };
  });
  throw new ApiError('INVALID_QUERY_TYPE', { text: details[0]?.message, details });
}
