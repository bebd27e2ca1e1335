/** Queries of short links: link_id as selector, who reaches a link, and what runs under it. */
import { expect } from 'chai';
import { asked, datasetNames } from '../../../../support/query/asked-datasets.ts';
import { compiledOf, valuesOf } from '../../../../support/query/compiled.ts';
import { describeOnEngines } from '../../../../support/query/engines.ts';
import { expectError } from '../../../../support/query/expect-error.ts';
import { GOLDEN_NOW } from '../../../../support/query/golden-log.ts';
import { GOLDEN_SHOP_LOG } from '../../../../support/query/golden-shop-log.ts';
import {
  datasetsOf,
  rowsOf,
  type StartedQueryService,
} from '../../../../support/query/start-query-service.ts';
import { everythingOf } from '../../../../support/readable-events.ts';

const JANUARY = { startDate: '2025-01-15', endDate: '2025-01-16' };
/** Website by link, all of org_a; null: the organization's own. */
const LINKS: Readonly<Record<string, string | null>> = {
  lnk_1: 'web_a',
  lnk_2: null,
  lnk_3: 'web_b',
  lnk_4: 'web_deleted',
};

describeOnEngines('short links', (start) => {
  let service: StartedQueryService;
  before(async () => {
    service = await start({
      log: GOLDEN_SHOP_LOG,
      now: GOLDEN_NOW,
      findLink: async (organizationId, linkId) => {
        const websiteId = organizationId === 'org_a' ? LINKS[linkId] : undefined;
        return websiteId === undefined ? null : { websiteId };
      },
    });
  });

  const ask = (queryString: string, as = 'global', parameters: unknown[] = ['link_total_clicks']) =>
    service.call(`/v1/query${queryString}`, { method: 'POST', body: { parameters, ...JANUARY }, as });

  const answered: readonly [string, string, number][] = [
    ['?link_id=lnk_1', 'global', 3],
    ['?linkId=lnk_1', 'one-website', 3],
    ['?link_id=lnk_2', 'global', 1],
    ['?link_id=lnk_3', 'two-websites', 0],
    // The link wins over the website and the organization.
    ['?link_id=lnk_2&website_id=web_a', 'global', 1],
    ['?link_id=lnk_1&organization_id=org_a', 'session', 3],
    // Without link, the clicks of all links.
    ['?website_id=web_a', 'global', 3],
    ['?organization_id=org_a', 'global', 4],
  ];
  for (const [queryString, as, total] of answered) {
    it(`${queryString} as ${as} counts ${total} clicks`, async () => {
      expect(rowsOf(await ask(queryString, as))).to.deep.equal([{ total }]);
    });
  }

  const refused: readonly [string, string][] = [
    ['?link_id=lnk_none', 'global'],
    ['?link_id=lnk_1', 'other-organization'],
    ['?link_id=lnk_3', 'one-website'],
    ['?link_id=lnk_2', 'one-website'],
    // Its website is deleted, and it is not cleaned up yet.
    ['?link_id=lnk_4', 'global'],
    ['?link_id=lnk_4', 'one-website-left'],
    // A selector that loses is checked all the same.
    ['?link_id=lnk_1&website_id=web_c', 'global'],
    ['?link_id=lnk_1&organization_id=org_b', 'global'],
  ];
  for (const [queryString, as] of refused) {
    it(`${queryString} as ${as} is ACCESS_DENIED`, async () => {
      expectError(await ask(queryString, as), 403, 'ACCESS_DENIED');
    });
  }

  it('are read with read:links too, but nothing else is', async () => {
    expect(rowsOf(await ask('?link_id=lnk_1', 'links-only'))).to.deep.equal([{ total: 3 }]);
    expect(rowsOf(await ask('?linkId=lnk_1', 'links-only'))).to.deep.equal([{ total: 3 }]);
    for (const queryString of ['', '?website_id=web_a', '?website_id=web_a&link=lnk_1', '?link_i=lnk_1']) {
      expectError(await ask(queryString, 'links-only'), 403, 'INSUFFICIENT_SCOPE');
    }
    const [pages] = datasetsOf(await ask('?link_id=lnk_1&website_id=web_a', 'links-only', ['pages']));
    expect(pages).to.include({ success: false });
    // A name without a link is no selector.
    expectError(await ask('?website_id=web_a&link_id=', 'links-only'), 400, 'VALIDATION_ERROR');
    expectError(await ask('?link_id=lnk_1', 'unscoped'), 403, 'INSUFFICIENT_SCOPE');
  });

  it('are out of reach, all of them, as long as there are none', async () => {
    const without = await start({ log: [], now: GOLDEN_NOW });
    const answer = await without.call('/v1/query?link_id=lnk_1', {
      method: 'POST',
      body: { parameters: ['link_total_clicks'], ...JANUARY },
    });
    expectError(answer, 403, 'ACCESS_DENIED');
  });

  it('compile shows, under link_id, a query of that link alone, under the same rules', async () => {
    const compile = (queryString: string, as: string, parameters: unknown[] = ['link_total_clicks']) =>
      service.call(`/v1/query/compile${queryString}`, {
        method: 'POST',
        body: { parameters, ...JANUARY },
        as,
      });
    const own: readonly [string, string, string[]][] = [
      ['?link_id=lnk_1', 'global', ['lnk_1', 'web_a']],
      ['?linkId=lnk_1', 'links-only', ['lnk_1', 'web_a']],
      ['?link_id=lnk_2&website_id=web_a', 'session', ['lnk_2', 'org_a']],
    ];
    for (const [queryString, as, named] of own) {
      const { status, body } = await compile(queryString, as);
      expect(status, queryString).to.equal(200);
      const values = valuesOf(body);
      expect(values).to.include.members(named);
      for (const other of ['lnk_1', 'lnk_2', 'lnk_3', 'web_b', 'web_c', 'org_b']) {
        if (!named.includes(other)) expect(values, queryString).not.to.include(other);
      }
      const [row] = await service.events.run(compiledOf(body), { reach: everythingOf('org_a', 'web_a') });
      expect(Object.values(row ?? {})).to.include(named[0] === 'lnk_1' ? 3 : 1);
    }
    for (const [queryString, as] of refused) {
      expectError(await compile(queryString, as), 403, 'ACCESS_DENIED');
    }
    expectError(await compile('?website_id=web_a', 'links-only'), 403, 'INSUFFICIENT_SCOPE');
    const [detail] = expectError(
      await compile('?link_id=lnk_1', 'global', ['pages']),
      400,
      'COMPILATION_ERROR',
    );
    expect(detail?.message).to.include('is not of short links');
  });

  it('let link_* datasets run under link_id and refuse all others, one by one', async () => {
    const answers = (
      await Promise.all(
        datasetNames().map(async (name) => datasetsOf(await ask('?link_id=lnk_1', 'global', [asked(name)]))),
      )
    ).flat();
    for (const { parameter, success, error } of answers) {
      expect(success, parameter).to.equal(parameter.startsWith('link_'));
      if (success) continue;
      expect(error).to.equal(
        `The dataset "${parameter}" is not of short links; under link_id only those run.`,
      );
    }
    const both = datasetsOf(await ask('?link_id=lnk_1', 'global', ['pages', 'link_total_clicks']));
    expect(both.map(({ parameter, success }) => [parameter, success])).to.deep.equal([
      ['link_total_clicks', true],
      ['pages', false],
    ]);
  });

  it('list the clicks of one link by day, country and referrer', async () => {
    const names = ['link_clicks_by_day', 'link_top_countries', 'link_top_referrers'];
    const [byDay, countries, referrers] = datasetsOf(await ask('?link_id=lnk_2', 'global', names));
    expect(byDay?.data).to.deep.equal([
      { date: '2025-01-15', clicks: 0 },
      { date: '2025-01-16', clicks: 1 },
    ]);
    expect(countries?.data).to.deep.equal([{ name: 'France', country: 'FR', clicks: 1 }]);
    expect(referrers?.data).to.deep.equal([{ name: 'Direct', referrer: 'Direct', clicks: 1 }]);
  });
});
