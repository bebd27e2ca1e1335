/** Makes datasets that list sessions by what they came by. */
import { count, percent, quantile, share, sumOrNull, text } from './columns.ts';
import type { Dataset, Dimension } from './dataset.ts';
import { EVENT_FILTERS } from './event-filters.ts';
import { sessionGoalArguments } from './match-arguments.ts';
import {
  ALL_EVENTS,
  BOUNCES,
  SESSION_DURATION,
  SESSION_PAGEVIEWS,
  SESSION_VISITORS,
  SESSIONS,
  VIEWED,
} from './measures.ts';

export interface SessionList {
  readonly name: string;
  /** What a row stands for, used in descriptions, such as `channel`. */
  readonly of: string;
  /** Called `name`. */
  readonly dimension: Dimension;
}

/** A list of sessions with a pageview, largest first. */
export function sessionList({ name, of, dimension }: SessionList): Dataset {
  return {
    names: [name],
    description: `Sessions with a pageview by the ${of} of the first one in range.`,
    kind: 'list',
    unit: 'sessions',
    scope: ALL_EVENTS,
    sessions: VIEWED,
    arguments: sessionGoalArguments,
    filters: EVENT_FILTERS,
    dimensions: [dimension],
    extraDimensions: EVENT_FILTERS,
    measures: {
      sessions: SESSIONS,
      visitors: SESSION_VISITORS,
      pageviews: SESSION_PAGEVIEWS,
      bounces: BOUNCES,
      duration: SESSION_DURATION,
      conversions: { kind: 'sessionGoal', of: 'reached' },
      revenue: { kind: 'sessionGoal', of: 'worth' },
    },
    columns: [
      text('name', `The ${of}.`),
      count('sessions', `Sessions of the ${of}.`),
      count('visitors', 'Distinct visitors of these sessions.'),
      count('pageviews', 'Pageviews of these sessions.'),
      percent(
        'bounce_rate',
        'Sessions with exactly one pageview, in percent of these.',
        'bounces',
        'sessions',
      ),
      quantile('median_session_duration', 'Median duration of these sessions, in seconds.', 'duration'),
      { ...count('conversions', 'Events of these sessions that reach the goal; with goalId.'), ofGoal: true },
      {
        ...sumOrNull('revenue', 'What they were worth; null without a property of revenue; with goalId.'),
        ofGoal: true,
      },
      share('sessions'),
    ],
    order: { column: 'sessions', direction: 'desc' },
    defaultLimit: 100,
  };
}
