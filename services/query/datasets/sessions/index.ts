/** The datasets of sessions, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { sessionDurationDistribution } from './session-duration-distribution.ts';
import { sessionEvents } from './session-events.ts';
import { sessionMetrics } from './session-metrics.ts';
import { sessions } from './sessions.ts';
import { sessionsByBrowser } from './sessions-by-browser.ts';
import { sessionsByDevice } from './sessions-by-device.ts';
import { sessionsTimeSeries } from './sessions-time-series.ts';
import { visitorSessions } from './visitor-sessions.ts';

export const sessionsDatasets: readonly Dataset[] = [
  sessions,
  sessionMetrics,
  sessionDurationDistribution,
  sessionsByDevice,
  sessionsByBrowser,
  sessionsTimeSeries,
  visitorSessions,
  sessionEvents,
];
