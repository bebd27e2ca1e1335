/** Stage 2: looks up dataset names; a call without any known dataset is refused as a whole. */
import { ApiError, type ErrorDetail } from '../../shared/errors/api-error.ts';
import { nearestName } from '../../shared/errors/nearest-name.ts';
import type { Dataset } from '../catalogue/dataset.ts';
import { fieldIn } from './faults.ts';
import type { ParsedCall } from './parse.ts';

export type Catalogue = ReadonlyMap<string, Dataset>;

/** The error for an unknown dataset: the nearest name, or where all of them are listed. */
export function unknownDataset(name: string, catalogue: Catalogue): { message: string; suggestion?: string } {
  const suggestion = nearestName(name, catalogue.keys());
  const where = 'GET /v1/query/types lists them';
  if (suggestion === undefined) return { message: `No dataset is named "${name}"; ${where}.` };
  return { message: `No dataset is named "${name}"; did you mean "${suggestion}"?`, suggestion };
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
  const details: ErrorDetail[] = asked.map(({ name, field }) => ({
    field,
    ...unknownDataset(name, catalogue),
  }));
  throw new ApiError('INVALID_QUERY_TYPE', { text: details[0]?.message, details });
}
