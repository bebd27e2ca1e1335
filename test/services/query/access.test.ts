/** Selectors and access: who may query what, and what holds without a selector. */
import { expect } from 'chai';
import { describeOnEngines } from '../../support/query/engines.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../support/query/golden-log.ts';
import {
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';

const BODY = { parameters: ['summary_metrics'], startDate: '2025-03-29', endDate: '2025-03-31' };
/** Events of web_a, of web_a and web_b, and of all of org_a; web_b alone has one. */
const WEBSITE_A = 15;
const WEB_B = 1;
const ORGANIZATION = 17;

describeOnEngines('selectors', (start) => {
  let service: StartedQueryService;
  before(async () => {
    service = await start({ log: GOLDEN_LOG, now: GOLDEN_NOW });
  });

  const ask = (queryString: string, as: string) =>
    service.call(`/v1/query${queryString}`, { method: 'POST', body: BODY, as });

  const answered: readonly [string, string, number][] = [
    ['', 'global', ORGANIZATION],
    ['', 'session', ORGANIZATION],
    ['', 'one-website', WEBSITE_A],
    ['', 'one-website-left', WEBSITE_A],
    ['', 'other-organization', 2],
    ['', 'empty-organization', 0],
    ['?organization_id=org_a', 'global', ORGANIZATION],
    ['?organizationId=org_a', 'global', ORGANIZATION],
    ['?website_id=web_a', 'global', WEBSITE_A],
    ['?websiteId=web_b', 'global', WEB_B],
    ['?website_id=web_b', 'two-websites', WEB_B],
    ['?website_id=web_b&organization_id=org_a', 'global', WEB_B],
  ];
  for (const [queryString, as, expected] of answered) {
    it(`${queryString || 'no selector'} as ${as} reads ${expected} events`, async () => {
      expect(rowsOf(await ask(queryString, as))[0]).to.include({ total_events: expected });
    });
  }

  it('the organization has its own events besides those of its websites', async () => {
    const body = { ...BODY, parameters: ['custom_events_summary'] };
    const answer = await service.call('/v1/query', { method: 'POST', body });
    expect(rowsOf(answer)).to.deep.equal([
      { total_events: 6, unique_event_types: 4, unique_users: 4, unique_sessions: 3, unique_pages: 3 },
    ]);
  });

  const refused: readonly [string, string, string][] = [
    [
      '?website_id=web_c',
      'global',
      'The website "web_c" is not accessible to this caller; GET /v1/query/websites lists those that are.',
    ],
    [
      '?website_id=web_none',
      'global',
      'The website "web_none" is not accessible to this caller; GET /v1/query/websites lists those that are.',
    ],
    [
      '?website_id=web_b',
      'one-website',
      'The website "web_b" is not accessible to this caller; GET /v1/query/websites lists those that are.',
    ],
    [
      '?website_id=web_deleted',
      'one-website-left',
      'The website "web_deleted" is not accessible to this caller; GET /v1/query/websites lists those that are.',
    ],
    ['?organization_id=org_b', 'global', 'The organization "org_b" is not accessible to this caller.'],
    ['?organization_id=org_none', 'global', 'The organization "org_none" is not accessible to this caller.'],
    ['?organization_id=org_a', 'one-website', 'The organization "org_a" is not accessible to this caller.'],
    ['?link_id=lnk_none', 'global', 'The link "lnk_none" is not accessible to this caller.'],
    // A selector that loses is checked all the same.
    [
      '?website_id=web_a&organization_id=org_b',
      'global',
      'The organization "org_b" is not accessible to this caller.',
    ],
    [
      '?website_id=web_a&organization_id=org_a',
      'one-website',
      'The organization "org_a" is not accessible to this caller.',
    ],
  ];
  for (const [queryString, as, text] of refused) {
    it(`${queryString} as ${as} is ACCESS_DENIED`, async () => {
      const answer = await ask(queryString, as);
      expect([answer.status, answer.statusText, answer.body.code]).to.deep.equal([
        403,
        'ACCESS_DENIED',
        'ACCESS_DENIED',
      ]);
      expect(answer.body.error).to.equal(text);
    });
  }

  for (const as of ['two-websites', 'no-websites']) {
    it(`no selector as ${as} is MISSING_PROJECT_ID`, async () => {
      const answer = await ask('', as);
      expect([answer.status, answer.body.code]).to.deep.equal([400, 'MISSING_PROJECT_ID']);
    });
  }

  const malformed: readonly [string, string][] = [
    ['?website_id=', 'website_id'],
    ['?website_id=web_a&website_id=web_b', 'website_id'],
    ['?website_id=web_a&websiteId=web_b', 'website_id'],
    ['?website_id=web_a&timezone=Mars/Olympus', 'timezone'],
    ['?website_id=web_a&timezone=', 'timezone'],
    ['?website_id=web_a&timezone=%2B02:00', 'timezone'],
  ];
  for (const [queryString, field] of malformed) {
    it(`${queryString} is a VALIDATION_ERROR in ${field}`, async () => {
      const answer = await ask(queryString, 'global');
      expect([answer.status, answer.body.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
      expect((answer.body.details as { field: string }[]).map((detail) => detail.field)).to.deep.equal([
        field,
      ]);
    });
  }
});

describe('GET /v1/query/websites', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: [], now: GOLDEN_NOW });
  });
  after(() => service.close());

  const website = (id: string, domain: string) => ({
    id,
    name: domain,
    domain,
    isPublic: false,
    createdAt: '2025-04-02T10:00:00.000Z',
  });

  it('lists what the caller reaches and nothing else', async () => {
    const list = async (as: string) => (await service.call('/v1/query/websites', { as })).body;
    const [a, b, c] = [
      website('web_a', 'shop.example'),
      website('web_b', 'blog.example'),
      website('web_c', 'other.example'),
    ];
    expect(await list('global')).to.deep.equal({ success: true, websites: [a, b], total: 2 });
    expect(await list('one-website-left')).to.deep.equal({ success: true, websites: [a], total: 1 });
    expect(await list('no-websites')).to.deep.equal({ success: true, websites: [], total: 0 });
    expect(await list('other-organization')).to.deep.equal({ success: true, websites: [c], total: 1 });
  });
});
