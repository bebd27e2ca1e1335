/** What the screen of pages asks: its totals, and the list of each of its tabs. */
import type { Listing } from '../../drill/listing.ts';
import { narrowedFields } from '../../drill/narrowed-fields.ts';
import type { Total } from '../../drill/total.ts';
import type { Question, Scene } from '../../website/scene.ts';

export const TABS = ['all', 'entry', 'exit', 'time'] as const;

export const LISTINGS: Readonly<Record<(typeof TABS)[number], Listing>> = {
  all: {
    dataset: 'page_details',
    sort: '-pageviews',
    searched: ['path'],
    columns: [
      { key: 'path', kind: 'text', dimension: 'path' },
      { key: 'pageviews', kind: 'count' },
      { key: 'visitors', kind: 'count' },
      { key: 'bounce_rate', kind: 'percent' },
      { key: 'exit_rate', kind: 'percent' },
      { key: 'median_time_on_page', kind: 'duration' },
      { key: 'avg_scroll_depth', kind: 'percent' },
      { key: 'first_seen', kind: 'instant' },
      { key: 'last_seen', kind: 'instant' },
    ],
  },
  entry: {
    dataset: 'session_entry_pages',
    sort: '-sessions',
    searched: ['name'],
    columns: [
      { key: 'name', kind: 'text', dimension: 'entry_path' },
      { key: 'sessions', kind: 'count' },
      { key: 'visitors', kind: 'count' },
      { key: 'bounce_rate', kind: 'percent' },
      { key: 'median_session_duration', kind: 'duration' },
      { key: 'percentage', kind: 'percent' },
    ],
  },
  exit: {
    dataset: 'exit_pages',
    sort: '-pageviews',
    searched: ['name'],
    columns: [
      { key: 'name', kind: 'text', dimension: 'exit_path' },
      { key: 'pageviews', kind: 'count' },
      { key: 'visitors', kind: 'count' },
      { key: 'percentage', kind: 'percent' },
    ],
  },
  time: {
    dataset: 'page_time_analysis',
    sort: '-sessions_with_time',
    searched: ['name'],
    columns: [
      { key: 'name', kind: 'text', dimension: 'path' },
      { key: 'sessions_with_time', kind: 'count' },
      { key: 'visitors', kind: 'count' },
      { key: 'median_time_on_page', kind: 'duration' },
      { key: 'percentage_of_sessions', kind: 'percent' },
    ],
  },
};

/** What is measured of pages, of no page is no number. */
const IF_VIEWED = { needs: 'pageviews', needsOf: 'summary_metrics' } as const;

export const TOTALS: readonly Total[] = [
  { dataset: 'summary_metrics', key: 'pageviews', kind: 'count' },
  { dataset: 'summary_metrics', key: 'visitors', kind: 'count' },
  { dataset: 'summary_metrics', key: 'bounce_rate', kind: 'percent', needs: 'sessions' },
  { dataset: 'engagement', key: 'median_time_on_page', kind: 'duration', ...IF_VIEWED },
  { dataset: 'engagement', key: 'avg_scroll_depth', kind: 'percent', ...IF_VIEWED },
];

export const totalsQuestion = (scene: Scene): Question => ({
  id: 'totals',
  parameters: ['summary_metrics', 'engagement'],
  ...narrowedFields(scene),
});
