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

export function vitalRatings(metric_name: string, events: Events): Row {
  const values = events.flatMap(({ metric_value }) => (metric_value === null ? [] : [metric_value]));
  const ratings = values.map((value) => ratingOf(metric_name, value)).filter((rating) => rating !== null);
  const as = (name: string) => percent(ratings.filter((rating) => rating === name).length, ratings.length);
  return {
    metric_name,
    samples: values.length,
    p75: quantile(events, 'metric_value', 75, 3),
    good: as('good'),
    fair: as('fair'),
    poor: as('poor'),
  };
}
