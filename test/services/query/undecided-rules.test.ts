/** The rule that the gateway leaves open: the query service decides it on the selectors that the handler works with, and on no others. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { CompiledQuery } from '../../../services/shared/ports/event-store.ts';
import { compiledOf, valuesOf } from '../../support/query/compiled.ts';
import { expectError } from '../../support/query/expect-error.ts';
import { GOLDEN_NOW } from '../../support/query/golden-log.ts';
import { GOLDEN_SHOP_LOG } from '../../support/query/golden-shop-log.ts';
import {
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';

const JANUARY = { startDate: '2025-01-15', endDate: '2025-01-16' };
const CLICKS = { parameters: ['link_total_clicks'], ...JANUARY };
const LINK = 'lnk_1';

describe('a caller with read:links alone', () => {
  let service: StartedQueryService;
  let ran: CompiledQuery[] = [];
  before(async () => {
    service = await startQueryService({
      log: GOLDEN_SHOP_LOG,
      now: GOLDEN_NOW,
      findLink: async (_organizationId, linkId) => (linkId === LINK ? { websiteId: 'web_a' } : null),
      wrapEvents(events) {
        const run = events.run.bind(events);
        events.run = (query, read) => {
          ran.push(query);
          return run(query, read);
        };
        return events;
      },
    });
  });
  beforeEach(() => {
    ran = [];
  });
  after(() => service.close());

  const post = (path: string, body: unknown, as = 'links-only') =>
    service.call(path, { method: 'POST', body, as });
  const isOfLink = (query: CompiledQuery) => valuesOf({ ...query }).includes(LINK);

  for (const selector of ['link_id', 'linkId']) {
    it(`asks under ${selector} of the body as under that of the query string`, async () => {
      for (const as of ['links-only', 'links-of-one-website']) {
        expect(rowsOf(await post('/v1/query', { ...CLICKS, [selector]: LINK }, as))).to.deep.equal([
          { total: 3 },
        ]);
        const { status, body } = await post('/v1/query/compile', { ...CLICKS, [selector]: LINK }, as);
        expect([status, valuesOf(body).includes(LINK)]).to.deep.equal([200, true]);
      }
    });
  }

  it('is decided for each request object of a batch, and refused whole for one of them', async () => {
    const under = { ...CLICKS, link_id: LINK };
    const all = await post('/v1/query', [under, under]);
    expect(all.status).to.equal(200);
    const answer = await post('/v1/query', [under, { ...CLICKS, website_id: 'web_a' }, under, CLICKS]);
    const details = expectError(answer, 403, 'INSUFFICIENT_SCOPE');
    expect(answer.body.error).to.equal('The scope read:data is required.');
    expect(details).to.deep.equal([
      { field: '[1]', message: 'The scope read:data is required.' },
      { field: '[3]', message: 'The scope read:data is required.' },
    ]);
    expect(ran.every(isOfLink)).to.equal(true);
  });

  it('is refused before its other faults are told', async () => {
    for (const body of [{}, { parameters: ['nonsense'] }, { ...CLICKS, unheardOf: 1 }, 7]) {
      expectError(await post('/v1/query?website_id=web_a', body), 403, 'INSUFFICIENT_SCOPE');
      expectError(await post('/v1/query/custom?website_id=web_a', body), 403, 'INSUFFICIENT_SCOPE');
    }
  });

  it('runs no custom query, under no selector', async () => {
    const body = { sql: 'SELECT count(*) AS n FROM events' };
    for (const selector of [
      '',
      '?website_id=web_a',
      `?link_id=${LINK}`,
      `?link_id=${LINK}&website_id=web_a`,
    ]) {
      expectError(await post(`/v1/query/custom${selector}`, body), 403, 'INSUFFICIENT_SCOPE');
      expectError(
        await post(`/v1/query/custom${selector}`, { ...body, linkId: LINK }),
        403,
        'INSUFFICIENT_SCOPE',
      );
    }
    expectError(await service.call('/v1/query/websites', { as: 'links-only' }), 403, 'INSUFFICIENT_SCOPE');
  });

  it('asks for nothing where no rule came with it, as from an older gateway', async () => {
    for (const path of ['/v1/query', '/v1/query/compile']) {
      const answer = await post(`${path}?link_id=${LINK}`, CLICKS, 'links-without-rule');
      expectError(answer, 403, 'INSUFFICIENT_SCOPE');
    }
  });

  it('is let in exactly where the handler reads one link, whatever stands in query string and body', async () => {
    const sound = fc.constantFrom(
      ...['link_id=lnk_1', 'linkId=lnk_1', '%6cink_id=lnk_1', 'link%5Fid=%6cnk_1', 'link_id=%6Cnk_1&'],
      ...['website_id=web_a', 'website%49d=web_a', '&&organization_id=org_a', 'timezone=UTC', ''],
    );
    const plain = fc.constantFrom('website_id=web_a', 'websiteId=web_a', 'timezone=UTC', '');
    const odd = fc.constantFrom(
      ...['a&'.repeat(1_000), '?link_id=lnk_1', ';link_id=lnk_1', 'link_id', '=', 'link_id[]=lnk_1'],
      ...[
        'LINK_ID=lnk_1',
        'link_id%00=lnk_1',
        '+link_id=lnk_1',
        'link_id=',
        'link_id=lnk_none',
        '__proto__=1',
      ],
      ...['website_id=web_b', 'link_id=%00', '%%6cink_id=lnk_1', 'link_id=lnk_1%FF'],
    );
    const parts = fc.oneof(
      { weight: 3, arbitrary: sound },
      { weight: 9, arbitrary: plain },
      { weight: 1, arbitrary: odd },
    );
    const queryStrings = fc.uniqueArray(parts, { maxLength: 3 }).map((all) => all.join('&'));
    const ids = fc.oneof(
      { weight: 20, arbitrary: fc.constant<unknown>(LINK) },
      { weight: 1, arbitrary: fc.constantFrom<unknown>('lnk_none', '', null, [LINK], { id: LINK }, 'LNK_1') },
    );
    const websites = fc.oneof(
      { weight: 20, arbitrary: fc.constant<unknown>('web_a') },
      { weight: 1, arbitrary: fc.constantFrom<unknown>('web_b', 'web_c', '') },
    );
    const objects = fc
      .oneof(
        fc.constant({}),
        fc.record({ website_id: websites, websiteId: websites }, { requiredKeys: [] }),
        fc.record({ link_id: ids, linkId: ids, website_id: websites }, { requiredKeys: [] }),
      )
      .map((named) => ({ ...CLICKS, ...named }));
    const bodies = fc.oneof(objects, fc.array(objects, { maxLength: 3 }));
    let letIn = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(queryStrings, bodies, async (queryString, body) => {
        const paths = Array.isArray(body) ? ['/v1/query'] : ['/v1/query', '/v1/query/compile'];
        for (const path of paths) {
          ran = [];
          const full = await post(`${path}?${queryString}`, body, 'global');
          const isAnswered = full.status === 200;
          const queries = path === '/v1/query' || !isAnswered ? ran : [compiledOf(full.body)];
          const ofLink = queries.every(isOfLink);
          const limited = await post(`${path}?${queryString}`, body);
          if (isAnswered && ofLink) {
            letIn++;
            expect(limited.body).to.deep.equal(full.body);
          } else if (isAnswered) {
            refused++;
            expectError(limited, 403, 'INSUFFICIENT_SCOPE');
          } else expect(limited.status).to.be.oneOf([400, 403]);
        }
      }),
      { numRuns: 200 },
    );
    expect(Math.min(letIn, refused), `${letIn} let in, ${refused} refused`).to.be.greaterThan(10);
  });
});
