/** Makes datasets that list pageviews and visitors by something; datasets.md has many of them. */
import { pageviewColumns, text } from './columns.ts';
import type { Column, Dataset, Dimension } from './dataset.ts';
import { EVENT_FILTERS } from './event-filters.ts';
import type { Measure } from './measure.ts';
import { EVENTS, PAGEVIEW_EVENTS, VISITORS } from './measures.ts';

export interface PageviewList {
  readonly names: Dataset['names'];
  readonly description: string;
  /** What a row stands for, used in column descriptions, such as `browser`. */
  readonly of: string;
  readonly dimensions: readonly Dimension[];
  /** Columns before the three pageview columns; default: one text for each dimension. */
  readonly columns?: readonly Column[];
  /** Measures besides `pageviews` and `visitors`. */
  readonly measures?: Readonly<Record<string, Measure>>;
}

/** A list of pageviews, largest first. */
export function pageviewList({
  names,
  description,
  of,
  dimensions,
  columns,
  measures,
}: PageviewList): Dataset {
  const texts = dimensions.map(({ name }) =>
    text(name, name === 'name' ? `The ${of}.` : `${name.replaceAll('_', ' ')} of the ${of}.`),
  );
  return {
    names,
    description,
    kind: 'list',
    unit: 'events',
    scope: PAGEVIEW_EVENTS,
    filters: EVENT_FILTERS,
    dimensions,
    extraDimensions: EVENT_FILTERS,
    measures: { pageviews: EVENTS, visitors: VISITORS, ...measures },
    columns: [...(columns ?? texts), ...pageviewColumns(of)],
    order: { column: 'pageviews', direction: 'desc' },
    defaultLimit: 100,
  };
}
