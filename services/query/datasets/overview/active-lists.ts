/** Datasets: where those are who are active now, and where they came from. */
import { count, text } from '../../catalogue/columns.ts';
import type { Column, Dataset, Dimension } from '../../catalogue/dataset.ts';
import { dimension, referrerHost } from '../../catalogue/dimensions.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { PAGEVIEW_EVENTS, PAGEVIEWS, VISITORS } from '../../catalogue/measures.ts';

/** A list over the pageviews of the last 5 minutes. */
function activeBy(name: string, of: string, by: Dimension, column: Column): Dataset {
  return {
    names: [name],
    description: `Who viewed a page in the last 5 minutes by ${of}, whatever the dates.`,
    kind: 'list',
    unit: 'events',
    scope: PAGEVIEW_EVENTS,
    fixedRange: { lastMinutes: 5 },
    filters: EVENT_FILTERS,
    dimensions: [by],
    extraDimensions: EVENT_FILTERS,
    measures: { visitors: VISITORS, pageviews: PAGEVIEWS },
    columns: [
      column,
      count('visitors', 'Distinct visitors with such a pageview.'),
      count('pageviews', 'Pageviews (screen_view events).'),
    ],
    order: { column: 'visitors', direction: 'desc' },
    defaultLimit: 100,
  };
}

export const activePages = activeBy(
  'active_pages',
  'page',
  dimension('name', 'path'),
  text('name', 'Path of the page.'),
);

export const activeSources = activeBy(
  'active_sources',
  'source',
  referrerHost('name'),
  text('name', 'Host of the referrer; Direct without one, and within the website.'),
);

export const activeCountries = activeBy(
  'active_countries',
  'country',
  dimension('name', 'country'),
  text('name', 'Code of the country (ISO 3166-1 alpha-2).'),
);
