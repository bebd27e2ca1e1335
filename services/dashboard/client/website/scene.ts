/** What every screen of a website is about: the website, range, granularity, filters and comparison; and how the API is asked about it. */
import type { Request } from '../api/answer.ts';
import { type Granularity, type Range, rangeFields } from './range.ts';
import { type Comparison, comparisonFields } from './scene-comparison.ts';
import { type Filter, filterFields } from './scene-filters.ts';

export interface Scene {
  readonly websiteId: string;
  readonly timezone: string;
  readonly range: Range;
  readonly granularity: Granularity;
  readonly filters: readonly Filter[];
  readonly comparison: Comparison | undefined;
}

/** The parameters of an address that are of the scene: links between screens of a website carry them along. */
export const SCENE_PARAMETERS = ['range', 'from', 'to', 'by', 'filters', 'compare', 'align'] as const;

/** What tells one scene from another, without the website. */
export function sceneKey({
  websiteId,
  timezone: zone,
  range,
  granularity,
  filters,
  comparison,
}: Scene): string {
  return JSON.stringify([websiteId, range, granularity, zone, filters, comparison]);
}

/** One of the request objects of a call. */
export interface Question {
  readonly id?: string;
  readonly parameters: readonly (string | object)[];
  readonly [field: string]: unknown;
}

/** What every request object of a scene says: range, filters and comparison. A question that must not be filtered leaves it out. */
export function sceneFields({ range, filters, comparison }: Scene): object {
  return { ...rangeFields(range), ...filterFields(filters), ...comparisonFields(comparison) };
}

/** A question about the range with filters of its own, whatever those of the scene are; compared with nothing. */
export function rangeQuestion(
  { range }: Scene,
  id: string,
  parameters: Question['parameters'],
  filters: readonly object[],
): Question {
  return { id, parameters, ...rangeFields(range), filters };
}

/** One call of `POST /v1/query` about a website. */
export function queryRequest(
  { websiteId, timezone: zone }: Pick<Scene, 'websiteId' | 'timezone'>,
  questions: readonly Question[],
): Request {
  return {
    method: 'POST',
    path: '/v1/query',
    query: { website_id: websiteId, timezone: zone },
    body: questions,
    isStreamed: questions.length > 1,
  };
}
