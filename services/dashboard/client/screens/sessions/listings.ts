/** What the screen of sessions asks: its totals and the list, or the events of the one that is opened. */
import type { Listing } from '../../drill/listing.ts';
import { narrowedFields } from '../../drill/narrowed-fields.ts';
import type { Total } from '../../drill/total.ts';
import { type Question, rangeQuestion, type Scene } from '../../website/scene.ts';

const COLUMNS: Listing['columns'] = [
  { key: 'first_visit', kind: 'instant' },
  { key: 'visitor_id', kind: 'text' },
  { key: 'duration', kind: 'duration' },
  { key: 'page_views', kind: 'count' },
  { key: 'country', kind: 'text', fit: 'whole', dimension: 'country', names: 'country', codeFrom: 'country' },
  { key: 'device_type', kind: 'text', fit: 'whole', dimension: 'device', names: 'device' },
  { key: 'browser_name', kind: 'text', fit: 'whole', dimension: 'browser' },
  { key: 'os_name', kind: 'text', fit: 'whole', dimension: 'os' },
  { key: 'referrer', kind: 'text', names: 'source', fit: 'cut' },
];

export const SESSIONS: Listing = {
  dataset: 'sessions',
  sort: '-first_visit',
  searched: ['session_id', 'visitor_id'],
  columns: COLUMNS,
  isUncompared: true,
};

export const TOTALS: readonly Total[] = [
  { dataset: 'session_metrics', key: 'total_sessions', kind: 'count' },
  { dataset: 'session_metrics', key: 'median_session_duration', kind: 'duration', needs: 'total_sessions' },
  { dataset: 'session_metrics', key: 'bounce_rate', kind: 'percent', needs: 'total_sessions' },
  { dataset: 'session_metrics', key: 'total_events', kind: 'count' },
];

export const totalsQuestion = (scene: Scene): Question => ({
  id: 'totals',
  parameters: ['session_metrics'],
  ...narrowedFields(scene),
});

/** The events of one session, as a list that goes on by pages. */
export const timelineOf = (sessionId: string): Listing => ({
  dataset: 'session_events',
  arguments: { sessionId },
  isUncompared: true,
  sort: 'timestamp',
  rows: 100,
  columns: [
    { key: 'timestamp', kind: 'instant', isUnsorted: true },
    { key: 'event_name', kind: 'text', isUnsorted: true },
    { key: 'path', kind: 'text', isUnsorted: true },
    { key: 'title', kind: 'text', isUnsorted: true },
    { key: 'properties', kind: 'text', isUnsorted: true },
    { key: 'until_next', kind: 'duration', isUnsorted: true },
  ],
});

/** The session itself, whatever the filters of the scene keep. */
export const oneSession = (scene: Scene, sessionId: string): Question =>
  rangeQuestion(scene, 'session', ['sessions'], [{ field: 'session_id', op: 'eq', value: sessionId }]);

/** The sessions of one visitor. */
export const sessionsOf = (visitorId: string): Listing => ({
  dataset: 'visitor_sessions',
  arguments: { visitorId },
  isUncompared: true,
  sort: '-first_visit',
  columns: COLUMNS.filter(({ key }) => key !== 'visitor_id') as unknown as Listing['columns'],
});
