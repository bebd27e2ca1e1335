/** The speed of a website, in English. */
import { plural } from '../../texts/format.ts';

export const en = {
  vitals: {
    LCP: 'Largest contentful paint',
    INP: 'Interaction to next paint',
    CLS: 'Cumulative layout shift',
    FCP: 'First contentful paint',
    TTFB: 'Time to first byte',
  },
  definitions: {
    LCP: 'When the largest picture or text of a page was there. Good up to 2.5 seconds, poor above 4.',
    INP: 'How long a page took to answer what visitors did. Good up to 200 milliseconds, poor above 500.',
    CLS: 'How far the content of a page moved by itself, without unit. Good up to 0.1, poor above 0.25.',
    FCP: 'When the first text or picture of a page was there. Good up to 1.8 seconds, poor above 3.',
    TTFB: 'When the first byte of a page came. Good up to 0.8 seconds, poor above 1.8.',
  },
  p75: 'Three of four values are no greater than the number.',
  ratings: { good: 'good', fair: 'needs improvement', poor: 'poor' },
  share: (percent: string, rating: string) => `${percent} ${rating}`,
  values: (count: number) => plural(count, 'value', 'values'),
  none: 'not measured',
  atP75: (vital: string) => `${vital} at the 75th percentile`,
  inMilliseconds: (title: string) => `${title}, in milliseconds`,
  tabs: { pages: 'Pages', devices: 'Devices', countries: 'Countries', load: 'Load times' },
  by: {
    pages: (vital: string) => `${vital} by page`,
    devices: (vital: string) => `${vital} by device`,
    countries: (vital: string) => `${vital} by country`,
    load: () => 'Load times',
  },
  lists: {
    pages: 'The chosen vital on each page.',
    devices: 'The chosen vital on each kind of device.',
    countries: 'The chosen vital in each country.',
    load: 'How long pages took to load, of the pageviews that told it; 0 where none did.',
  },
  columns: {
    samples: 'Values',
    p75: '75th percentile',
    good: 'Good',
    fair: 'Needs improvement',
    poor: 'Poor',
    device_type: 'Device',
    country: 'Country',
    p50_load_time: 'Median',
    p95_load_time: '95th percentile',
    p99_load_time: '99th percentile',
    avg_load_time: 'Mean',
    avg_ttfb: 'Mean to the first byte',
  },
};
