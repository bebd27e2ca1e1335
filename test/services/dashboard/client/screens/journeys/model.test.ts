/** Checks what the screen of journeys asks, and the steps, ways and sessions that it makes of the answer. */
import { expect } from 'chai';
import {
  journeyListing,
  sessionsOfStop,
  settingsOf,
  stepsOf,
  stopKey,
  waysOf,
} from '../../../../../../services/dashboard/client/screens/journeys/model.ts';
import type { Filter } from '../../../../../../services/dashboard/client/website/scene-filters.ts';

type Row = readonly [number, string | null, string | null, string, string, number];

const answerOf = (...rows: readonly Row[]) => ({
  data: rows.map(([step, from_type, from_name, type, name, sessions]) => ({
    ...{ step, from_type, from_name, type, name, sessions, percentage: 0 },
  })),
});
const ANSWER = answerOf(
  [0, null, null, 'other', '(other)', 5],
  [0, null, null, 'page', '/', 3],
  [1, 'other', '(other)', 'page', '/a', 2],
  [1, 'page', '/', 'event', '/a', 1],
  [1, 'page', '/', 'page', '/a', 1],
);

describe('the model of journeys', () => {
  it('asks by the settings of the address, and by the usual ones where those make no sense', () => {
    const first = { type: 'page', match: { op: 'matches', value: '.' } };
    expect(journeyListing(settingsOf({})).arguments).to.deep.equal({
      ...{ start: first, direction: 'forward', steps: 5, width: 10 },
    });
    expect(settingsOf({ direction: '__proto__', kinds: 'x', depth: '4', width: '' })).to.deep.equal(
      settingsOf({}),
    );
    const start = '["goal","gol_1"]';
    const { arguments: ofGoal, where } = journeyListing(
      settingsOf({ start, direction: 'backward', depth: '20', width: '5', kinds: 'pages' }),
    );
    expect(ofGoal).to.deep.equal({ goalId: 'gol_1', direction: 'backward', steps: 20, width: 5 });
    // Whether it is a page or an event, only the API knows.
    expect(where).to.deep.equal([]);
  });

  it('keeps the events of a kind, and the start of whichever kind', () => {
    const events = journeyListing(settingsOf({ kinds: 'events' }));
    expect(events.where).to.deep.equal([{ field: 'event_name', op: 'ne', value: 'screen_view' }]);
    expect(events.arguments).to.deep.include({
      start: { type: 'event', match: { op: 'matches', value: '.' } },
    });
    const start = '["event","ends_with","up"]';
    expect(journeyListing(settingsOf({ kinds: 'pages', start })).where).to.deep.equal([
      {
        any: [
          { field: 'event_name', op: 'eq', value: 'screen_view' },
          { field: 'event_name', op: 'matches', value: 'up$' },
        ],
      },
    ]);
  });

  it('adds up the links to stops, the greatest first and all others last, with what ended there', () => {
    const shown = (depth: '3' | '5') =>
      stepsOf(ANSWER, { depth }).map((stops) =>
        stops.map(({ type, name, sessions, percentage, ended }) => [type, name, sessions, percentage, ended]),
      );
    expect(shown('3')).to.deep.equal([
      [
        ['page', '/', 3, 37.5, 1],
        ['other', '(other)', 5, 62.5, 3],
      ],
      [
        ['page', '/a', 3, 37.5, 3],
        ['event', '/a', 1, 12.5, 1],
      ],
    ]);
    expect(stepsOf(answerOf(), { depth: '5' })).to.deep.equal([]);
    // Behind the last step nobody looks.
    const last = answerOf([0, null, null, 'page', '/', 1], [3, 'page', '/b', 'page', '/', 1]);
    expect(
      stepsOf(last, { depth: '3' })
        .flat()
        .map(({ ended }) => ended),
    ).to.deep.equal([1, undefined]);
  });

  it('tells what leads to a stop and on from it, a page apart from an event of its name', () => {
    const ways = (step: number, type: string, name: string) =>
      waysOf(ANSWER, stopKey(step, type, name)).map((way) => [way.of, way.type, way.name, way.sessions]);
    expect(ways(0, 'page', '/')).to.deep.equal([
      ['farther', 'event', '/a', 1],
      ['farther', 'page', '/a', 1],
    ]);
    expect(ways(1, 'page', '/a')).to.deep.equal([
      ['nearer', 'other', '(other)', 2],
      ['nearer', 'page', '/', 1],
    ]);
  });

  it('leads to exactly the sessions of a first page or event, and says where filters show more', () => {
    const filter = (dimension: string, value: string): Filter =>
      ({ dimension, operator: 'eq', value, of: 'session' }) as Filter;
    const of = (
      step: number,
      type: string,
      name: string,
      parameters = {},
      filters: readonly Filter[] = [],
    ) => {
      const found = sessionsOfStop({ step, type, name }, settingsOf(parameters), { filters });
      return found && [found.isExact, ...found.parts.flatMap((part) => part.filters)];
    };
    expect(of(0, 'page', '/')).to.deep.equal([true, filter('entry_path', '/')]);
    expect(of(0, 'page', '/', {}, [{ ...filter('country', 'DE'), of: 'event' }])).to.deep.equal([
      false,
      filter('path', '/'),
    ]);
    expect(of(0, 'event', 'signup', { kinds: 'events' })).to.deep.equal([false, filter('event', 'signup')]);
    const start = '["event","eq","signup"]';
    expect(of(0, 'event', 'signup', { start })).to.deep.equal([true, filter('event', 'signup')]);
    expect(of(2, 'page', '/a', { start })).to.deep.equal([
      false,
      filter('event', 'signup'),
      filter('path', '/a'),
    ]);
    expect(of(0, 'event', 'signup', { start: '["event","contains","sign"]' })?.[0]).to.equal(false);
    expect(of(0, 'page', '/', { start: '["page","eq","/"]' })?.[0]).to.equal(false);
    expect(of(1, 'other', '(other)')).to.equal(undefined);
    expect(of(0, 'page', 'Unknown')).to.deep.equal([
      true,
      { ...filter('entry_path', ''), operator: 'missing' },
    ]);
  });
});
