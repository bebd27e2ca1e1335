/** The overview of a website. */
import { numbers } from './website-numbers.ts';

export const overview = {
  ...numbers,
  custom: 'Other dates',
  badDates: 'The last day is before the first, or a date is missing.',
  before: 'The range before',
  after: 'The range after',
  granularity: 'By',
  granularities: { minute: 'Minute', hourly: 'Hour', daily: 'Day', weekly: 'Week', monthly: 'Month' },
  definitions: {
    visitors:
      'Browsers and people that sent an event in the range, each counted once, however often they came.',
    sessions: 'Visits. The tracker begins a new one after 30 minutes without an event, and in every tab.',
    pageviews: 'Pages that were opened, the same page again counted again.',
    bounce: 'Sessions with exactly one pageview, in percent of all sessions.',
    duration:
      'From the first event of a session to its last in the range. Half of the sessions lasted longer, half shorter.',
    depth: 'Pageviews divided by sessions.',
  },
  chartHint:
    'Arrow keys move between the points, with Shift they select several. Enter shows the selected time alone.',
  chartHelp: 'Drag over the chart, or choose a point, to look closer.',
  cut: 'in part within the range',
  noNumbers: 'The numbers did not come.',
  dashed: 'Dashed: not over yet, or only partly in the range.',
  active: (people: number) =>
    people === 1 ? '1 visitor now' : `${people.toLocaleString('en')} visitors now`,
  activeDefinition: 'Visitors who did something in the last five minutes. Asked again while you look.',
  activeTerm: 'now',
  sharing: 'Share',
  notes: 'Annotations',
  measureBefore: (measure: string) => `${measure} before`,
  change: {
    title: 'Change',
    isNew: 'new',
    before: (value: string) => `before: ${value}`,
  },
  only: (name: string) => `Only ${name}`,
  fewer: 'Show fewer',
  nothing: 'Nothing in this range.',
  noEventHint: 'Put the snippet into your pages, and the first numbers appear here within seconds.',
  lookEver: 'Look through all time',
  elsewhere: (count: string) => `Events outside it: ${count}.`,
  toSnippet: 'Show the snippet',
  map: (measure: string) => `${measure} by country, as a map`,
  mapNone: 'none',
  mapLegend: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
};
