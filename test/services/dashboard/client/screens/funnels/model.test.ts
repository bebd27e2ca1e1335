/** Checks what the screens of funnels ask, how groups are made of their rows, and whose sessions a step leads to. */
import { expect } from 'chai';
import { listingQuestion } from '../../../../../../services/dashboard/client/drill/listing.ts';
import {
  behindDrop,
  behindStep,
  groupRows,
  groupsQuestion,
  MEASURE_KEYS,
  seriesOf,
  seriesQuestion,
  stepsListing,
} from '../../../../../../services/dashboard/client/screens/funnels/model.ts';
import {
  behindGroup,
  GROUPS,
  groupOf,
  propertyOf,
} from '../../../../../../services/dashboard/client/screens/paths/groups.ts';
import type { Scene } from '../../../../../../services/dashboard/client/website/scene.ts';
import { DATASETS_BY_NAME } from '../../../../../../services/query/datasets/index.ts';
import { expectListingKnown, expectSeriesKnown } from '../../../../../support/listing-in-catalogue.ts';

const SCENE: Scene = {
  ...{ websiteId: 'web_1', timezone: 'UTC', granularity: 'weekly', filters: [] },
  range: { preset: 'today' },
  comparison: { period: 'previous', isByWeekday: false },
};
const COUNTRY = groupOf('country');
const page = (value: string) => ({ type: 'page', match: { op: 'eq', value } }) as const;
const STEPS = [page('/'), page('/cart'), page('/paid')];

describe('the model of funnels', () => {
  it('names datasets, columns and groups that the API has', () => {
    expectListingKnown(stepsListing('fnl_1'));
    for (const measure of [undefined, ...MEASURE_KEYS]) expectSeriesKnown(seriesOf(measure));
    const fields: readonly string[] = DATASETS_BY_NAME.get('funnel')?.extraDimensions ?? [];
    expect(fields).to.include.members(GROUPS.map(({ column }) => column.key));
  });

  it('draws the measure that is chosen, and tells the others beside it', () => {
    const keys = (measure?: string) => seriesOf(measure).columns.map(({ key }) => key);
    expect(keys()).to.deep.equal(MEASURE_KEYS);
    expect(keys('__proto__')).to.deep.equal(MEASURE_KEYS);
    expect(keys('converted')).to.deep.equal([
      ...['converted', 'conversion_rate', 'visitors', 'median_seconds_to_convert'],
    ]);
  });

  it('asks for the steps with the line, compared, and for groups alone', () => {
    const about = { preset: 'today', compare: 'previous' };
    const steps = stepsListing('fnl_1');
    expect(listingQuestion(SCENE, steps, { sort: steps.sort, search: '', page: 1 })).to.deep.equal({
      ...{ id: 'steps', parameters: [{ name: 'funnel', funnelId: 'fnl_1' }], limit: 50, page: 1 },
      ...about,
    });
    expect(seriesQuestion(SCENE, 'fnl_1')).to.deep.equal({
      ...{ id: 'series', parameters: [{ name: 'funnel_over_time', funnelId: 'fnl_1' }] },
      ...{ granularity: 'weekly', ...about },
    });
    expect(groupsQuestion(SCENE, 'fnl_1', COUNTRY)).to.deep.equal({
      ...{ id: 'groups', preset: 'today', groupBy: ['country'], limit: 10_000 },
      parameters: [{ name: 'funnel', funnelId: 'fnl_1' }],
    });
  });

  it('makes a row of each group, the largest first', () => {
    const row = (country: string, step: number, visitors: number, conversion_rate: number) => ({
      ...{ country, step, visitors, conversion_rate },
    });
    const data = [
      row('FR', 1, 3, 100),
      row('Unknown', 1, 9, 100),
      row('FR', 2, 1, 33.33),
      row('Unknown', 2, 0, 0),
    ];
    expect(groupRows({ data }, COUNTRY)).to.deep.equal([
      { first: data[1], visitors: [9, 0], rate: 0 },
      { first: data[0], visitors: [3, 1], rate: 33.33 },
    ]);
  });

  it('takes a group of an address, and leads from its rows to who has their value', () => {
    expect(propertyOf(groupOf('properties.plan'))).to.equal('plan');
    for (const text of [undefined, '', 'properties.', 'website_id', '__proto__']) {
      expect(groupOf(text), text).to.equal(GROUPS[0]);
    }
    expect(behindGroup({ country: 'FR' }, COUNTRY, 'visitor')).to.deep.equal({
      filters: [{ dimension: 'country', operator: 'eq', value: 'FR', of: 'visitor' }],
      isWhole: true,
    });
    expect(behindGroup({ country: 'Unknown' }, COUNTRY, 'session').filters).to.deep.equal([
      { dimension: 'country', operator: 'missing', value: '', of: 'session' },
    ]);
    // The campaign of an event may be another one than that of its session.
    expect(behindGroup({ utm_source: 'x' }, groupOf('utm_source'), 'session')).to.deep.equal({
      filters: [],
      isWhole: false,
    });
  });

  it('leads from a step to who did all up to it, and from who left to who did not do it', () => {
    const told = (behind: ReturnType<typeof behindStep>) =>
      behind?.flatMap(({ filters }) => filters.map(({ value, of }) => `${of} ${value}`));
    const ordered = { steps: STEPS, ordered: true };
    expect(told(behindStep(ordered, 1))).to.deep.equal(['visitor /']);
    expect(told(behindStep(ordered, 3))).to.deep.equal(['visitor /', 'visitor /cart', 'visitor /paid']);
    expect(told(behindDrop(ordered, 2))).to.deep.equal(['visitor /', 'no_visitor /cart']);
    expect(told(behindDrop(ordered, 3))).to.deep.equal(['visitor /', 'visitor /cart', 'no_visitor /paid']);
    expect(behindDrop(ordered, 1)).to.equal(undefined);
    // In any order, two of three may be any two.
    const free = { steps: STEPS, ordered: false };
    expect([behindStep(free, 2), behindDrop(free, 2)]).to.deep.equal([undefined, undefined]);
    expect(told(behindStep(free, 3))).to.have.length(3);
  });
});
