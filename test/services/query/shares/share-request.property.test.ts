/** A share shows no row that its view's own query does not, whatever its readers ask. */
import { expect } from 'chai';
import fc from 'fast-check';
import { hashOneTimeToken } from '../../../../services/shared/credentials/one-time-token.ts';
import type { ViewState } from '../../../../services/shared/model/saved-view.ts';
import type { Share } from '../../../../services/shared/model/share.ts';
import { describeOnEngines } from '../../../support/query/engines.ts';
import { GOLDEN_NOW } from '../../../support/query/golden-log.ts';
import { GOLDEN_SHOP_LOG } from '../../../support/query/golden-shop-log.ts';
import {
  type Answer,
  datasetsOf,
  type StartedQueryService,
} from '../../../support/query/start-query-service.ts';

const TOKEN = 'T'.repeat(43);
/** What adds up over events, by the columns that name a row. */
const COUNTED = { pages: ['path', 'pageviews'], countries: ['country_code', 'pageviews'] } as const;
type Name = keyof typeof COUNTED;
const NAMES = Object.keys(COUNTED) as Name[];

const event = fc.oneof(
  fc.record({
    field: fc.constantFrom('path', 'country'),
    op: fc.constantFrom('eq', 'ne', 'contains', 'starts_with'),
    value: fc.constantFrom('/', '/shop', 'DE', 'a', ''),
  }),
  fc.record({ field: fc.constantFrom('path', 'country'), op: fc.constantFrom('missing', 'present') }),
);
const grouped = fc.oneof(
  event,
  event.map((filter) => ({ not: filter })),
  fc.array(event, { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
);
const ofPeople = fc.record({
  field: fc.constant('path'),
  op: fc.constantFrom('eq', 'ne'),
  value: fc.constantFrom('/', '/shop'),
  of: fc.constantFrom('session', 'visitor'),
});
const day = fc.integer({ min: 13, max: 18 }).map((date) => `2025-01-${date}`);
const range = fc.tuple(day, day).map((days) => {
  const [startDate, endDate] = days.sort();
  return { startDate, endDate };
});
const state = fc.record({
  range,
  filters: fc.array(
    fc.oneof(
      grouped,
      ofPeople,
      ofPeople.map((filter) => ({ not: filter })),
    ),
    { maxLength: 2 },
  ),
  timezone: fc.constantFrom('UTC', 'Pacific/Auckland'),
});
const asked = fc.record({
  range: fc.option(range, { nil: undefined }),
  filters: fc.array(fc.oneof(grouped, ofPeople), { maxLength: 2 }),
});

describeOnEngines('a share', (start) => {
  let service: StartedQueryService;
  before(async () => {
    service = await start({ log: GOLDEN_SHOP_LOG, now: GOLDEN_NOW });
  });

  /** The share of a view with this state, in place of the one before. */
  async function keep(view: ViewState): Promise<void> {
    const { views, shares } = service.documents;
    const place = { organizationId: 'org_a', websiteId: 'web_a' };
    for (const { id } of await views.all('org_a')) await views.remove('org_a', id);
    for (const { id } of await shares.all('org_a')) await shares.remove('org_a', id);
    await views.insert({
      ...place,
      id: 'viw_1',
      name: 'View',
      state: view,
      ownerId: 'org_a',
      createdBy: 'usr_1',
    });
    const open: Pick<Share, 'expiresAt' | 'passwordHash' | 'ticketKey'> = {
      ...{ expiresAt: null, passwordHash: null, ticketKey: '' },
    };
    await shares.insert({
      ...{ ...place, ...open, id: 'shr_1', view: 'viw_1', name: 'Share', createdBy: 'usr_1', origins: [] },
      ...{
        tokenHash: hashOneTimeToken(TOKEN),
        token: { keyId: 'k', sealed: '', last4: '' },
        datasets: [...NAMES],
      },
    });
  }

  const counts = (answer: Answer, name: Name) => {
    const [key, count] = COUNTED[name];
    const rows = datasetsOf(answer).find(({ parameter }) => parameter === name)?.data ?? [];
    return new Map(rows.map((row) => [row[key], row[count] as number]));
  };

  it('shows no row that its view does not, and counts none higher', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(state, asked, async (view, { range: asks, filters }) => {
        const { range: days, ...rest } = view;
        const kept = { ...days, ...rest } as ViewState;
        await keep(kept);
        const body = { parameters: NAMES, ...asks, filters };
        const answer = await service.call(`/public/v1/shares/${TOKEN}/query`, {
          as: 'public',
          method: 'POST',
          body,
        });
        // What would look beyond the view is refused; what the share answers is held to it.
        expect(answer.status).to.be.oneOf([200, 400]);
        if (answer.status === 400) return;
        answered++;
        const own = await service.query({ parameters: NAMES, limit: 10_000, ...kept });
        for (const name of NAMES) {
          const whole = counts(own, name);
          for (const [key, count] of counts(answer, name)) {
            expect(whole.has(key), `${name} ${key}`).to.equal(true);
            expect(count).to.be.at.most(whole.get(key) ?? 0);
          }
        }
      }),
      { numRuns: 60 },
    );
    expect(answered).to.be.at.least(5);
  });
});
