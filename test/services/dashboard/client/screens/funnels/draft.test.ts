/** Checks the form of a funnel: it comes back as it was, and its time in the unit that people say. */
import { expect } from 'chai';
import { differing } from '../../../../../../services/dashboard/client/api/differing.ts';
import type { FunnelView } from '../../../../../../services/dashboard/client/api/wire.ts';
import {
  bodyOf,
  draftOf,
  NEW,
  windowOf,
} from '../../../../../../services/dashboard/client/screens/funnels/draft.ts';
import { funnelFieldsSchema } from '../../../../../../services/resources/funnels/schema.ts';

const FUNNEL = {
  name: 'Checkout',
  steps: [
    { type: 'page', match: { op: 'starts_with', value: '/cart' }, conditions: [] },
    {
      ...{ name: 'Paid', type: 'event', match: { op: 'eq', value: 'purchase' } },
      conditions: [{ field: 'properties.total', op: 'gt', value: 10 }],
    },
  ],
  ...{ ordered: false, windowSeconds: 5_400 },
  exclude: { type: 'event', match: { op: 'in', value: ['error', 'cancel'] }, conditions: [] },
} as unknown as FunnelView;

describe('the form of a funnel', () => {
  it('comes back as the API takes it, and changes what differs alone', () => {
    const body = bodyOf(draftOf(FUNNEL));
    expect(body).to.deep.equal(FUNNEL);
    expect(funnelFieldsSchema.parse(body)).to.deep.equal(FUNNEL);
    expect(differing(body, bodyOf({ ...draftOf(FUNNEL), count: '91' }))).to.deep.equal({
      windowSeconds: 5_460,
    });
    expect(differing(body, body)).to.equal(null);
  });

  it('says a time in the longest unit that it is a whole number of', () => {
    expect([1, 90, 120, 3_600, 90_000, 604_800].map(windowOf)).to.deep.equal([
      { count: 1, unit: 'seconds' },
      { count: 90, unit: 'seconds' },
      { count: 2, unit: 'minutes' },
      { count: 1, unit: 'hours' },
      { count: 25, unit: 'hours' },
      { count: 7, unit: 'days' },
    ]);
  });

  it('leaves a time that is no number to the API, which says so', () => {
    const steps = NEW.steps.map((step) => ({ ...step, match: { ...step.match, value: '/' } }));
    for (const count of ['', 'soon', ' ']) {
      const { error } = funnelFieldsSchema.safeParse(bodyOf({ ...NEW, name: 'x', steps, count }));
      expect(
        error?.issues.map(({ path }) => path.join('.')),
        count,
      ).to.deep.equal(['windowSeconds']);
    }
  });
});
