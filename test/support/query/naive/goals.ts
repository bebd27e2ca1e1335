/** Goals that property tests give their websites, and the dataset `goals` evaluated by walking over events. */
import type { EventMatch } from '../../../../services/shared/model/event-match.ts';
import type { EventRecord } from '../../../../services/shared/model/event-record.ts';
import { distinct, type Events, percent, type Row, ratio, visitorsOf } from './measures.ts';

/** A goal in the terms of its definition. */
export interface NaiveGoal {
  readonly name: string;
  readonly position: number;
  readonly revenueProperty: string | null;
  readonly currency: string | null;
  /** What is stored, and what it means. */
  readonly stored: EventMatch;
  reachedBy(event: EventRecord): boolean;
}

const propertiesOf = (event: EventRecord): Readonly<Record<string, unknown>> =>
  JSON.parse(event.properties ?? '{}') as Record<string, unknown>;
const viewed = (event: EventRecord) => event.event_name === 'screen_view';

/** In the order of their positions; those of one position in the order of their identifiers. */
export const NAIVE_GOALS: readonly NaiveGoal[] = [
  {
    ...{ name: 'Signup', position: 0, revenueProperty: null, currency: null },
    stored: { type: 'event', match: { op: 'eq', value: 'signup' } },
    reachedBy: ({ event_name }) => event_name === 'signup',
  },
  {
    ...{ name: 'Section', position: 7, revenueProperty: 'n', currency: 'EUR' },
    stored: { type: 'page', match: { op: 'starts_with', value: '/a' } },
    reachedBy: (event) => viewed(event) && event.path?.startsWith('/a') === true,
  },
  {
    ...{ name: 'Pro', position: 7, revenueProperty: null, currency: null },
    stored: {
      ...{ type: 'event', match: { op: 'in', value: ['purchase', 'signup', 'screen_view'] } },
      conditions: [{ field: 'properties.plan', op: 'eq', value: 'pro' }],
    },
    reachedBy: (event) =>
      ['purchase', 'signup', 'screen_view'].includes(event.event_name) && propertiesOf(event).plan === 'pro',
  },
  {
    ...{ name: 'Worth', position: 20, revenueProperty: 'n', currency: null },
    stored: {
      ...{ type: 'event', match: { op: 'matches', value: '^(p|s|Ä)' } },
      conditions: [
        { field: 'properties.plan', op: 'ne', value: 'pro' },
        { field: 'properties.n', op: 'gt', value: 0 },
      ],
    },
    reachedBy: (event) => {
      const { plan, n } = propertiesOf(event);
      return /^[psÄ]/.test(event.event_name) && plan !== 'pro' && typeof n === 'number' && n > 0;
    },
  },
  {
    ...{ name: 'End', position: 1_000, revenueProperty: 'plan', currency: null },
    stored: { type: 'page', match: { op: 'ends_with', value: 'A' } },
    reachedBy: (event) => viewed(event) && event.path?.endsWith('A') === true,
  },
];

/** The identifier of the goal at a place of {@link NAIVE_GOALS} on a website. */
export function goalIdOf(websiteId: string, place: number): string {
  return `gol_${place}_${websiteId}`;
}

/** What events are worth for the goal; null: it is worth nothing. */
function worthOf(own: Events, { revenueProperty }: NaiveGoal): number | null {
  if (revenueProperty === null) return null;
  // In thousandths, so that sums are exact.
  const worths = own.flatMap((event) => {
    const worth = propertiesOf(event)[revenueProperty];
    return typeof worth === 'number' ? [Math.round(worth * 1_000)] : [];
  });
  return ratio(
    worths.reduce((sum, worth) => sum + worth, 0),
    1_000,
  );
}

/** The columns that a row of sessions, here their events, has for a goal. */
export function goalColumns(events: Events, goal: NaiveGoal): Row {
  const own = events.filter(goal.reachedBy);
  return { conversions: own.length, revenue: worthOf(own, goal) };
}

/** `idOf`: the identifier of the goal at a place of {@link NAIVE_GOALS}. */
export function naiveGoals(events: Events, idOf: (place: number) => string): Row[] {
  return NAIVE_GOALS.map((goal, place) => {
    const { name, position, currency } = goal;
    const own = events.filter(goal.reachedBy);
    return {
      ...{ name, goal_id: idOf(place), position },
      visitors: visitorsOf(own),
      conversions: own.length,
      sessions: distinct(own, 'session_id'),
      conversion_rate: percent(visitorsOf(own), visitorsOf(events)),
      revenue: worthOf(own, goal),
      currency,
    };
  });
}
