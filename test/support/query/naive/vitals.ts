/** Web vitals rated by their published thresholds, evaluated by walking over events. */
import type { EventRecord } from '../../../../services/shared/model/event-record.ts';
import { compareText, type Events, percent, quantile, type Row } from './measures.ts';

export const vitalNameOf = ({ metric_name }: EventRecord): string => metric_name || 'Unknown';

export function vitalNamesOf(vitals: Events): string[] {
  return [...new Set(vitals.map(vitalNameOf))].sort(compareText);
}

/** Of the vitals that are generated. */
function ratingOf(name: string, value: number): 'good' | 'fair' | 'poor' | null {
  if (name === 'LCP') return value <= 2500 ? 'good' : value <= 4000 ? 'fair' : 'poor';
  if (name === 'CLS') return value <= 0.1 ? 'good' : value <= 0.25 ? 'fair' : 'poor';
  return null;
}

const valuesOf = (events: Events): number[] =>
  events.flatMap(({ metric_value }) => (metric_value === null ? [] : [metric_value]));

/** The shares of the ratings, of the values of one vital. */
export function ratingShares(metric_name: string, events: Events): Row {
  const ratings = valuesOf(events)
    .map((value) => ratingOf(metric_name, value))
    .filter((rating) => rating !== null);
  const as = (name: string) => percent(ratings.filter((rating) => rating === name).length, ratings.length);
  return { good: as('good'), fair: as('fair'), poor: as('poor') };
}

export function vitalRatings(metric_name: string, events: Events): Row {
  return {
    metric_name,
    samples: valuesOf(events).length,
    p75: quantile(events, 'metric_value', 75, 3),
    ...ratingShares(metric_name, events),
  };
}
