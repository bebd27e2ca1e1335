/** Limits besides the plan, through the whole gateway: named by endpoints, counted by bodies, each under its one subject. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../../support/answers.ts';
import { type LimitedGateway, startLimitedGateway } from '../../support/start-limited-gateway.ts';
import type { Answer, CallOptions } from '../../support/start-tidegate.ts';

const WEBSITES = '/v1/query/websites';
const QUERY = '/v1/query';

/** What the three headers say: limit and what remains. */
const shown = ({ headers }: Answer) => [
  Number(headers.get('x-ratelimit-limit')),
  Number(headers.get('x-ratelimit-remaining')),
];
const names = (count: number) => ({ parameters: Array.from({ length: count }, () => 'pages') });
const events = (count: number) => Array.from({ length: count }, () => ({ name: 'signup' }));
const times = <T>(count: number, ask: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, ask));

describe('limits besides the plan', () => {
  let gateway: LimitedGateway;
  afterEach(() => gateway.close());

  const statuses = (answers: readonly Answer[]) =>
    answers.reduce<Record<number, number>>((sums, { status }) => {
      sums[status] = (sums[status] ?? 0) + 1;
      return sums;
    }, {});

  describe('a plan whose minute binds before its ten seconds', () => {
    beforeEach(async () => {
      const plan = 'plans:\n  narrow:\n    per10Seconds: 50\n    perMinute: 100\n';
      gateway = await startLimitedGateway([['plans.yml', 'plans:\n', plan]]);
    });

    it('admits 50, 50, and then nothing until the minute of the first ends', async () => {
      const key = await gateway.organization('org_n', 'narrow');
      const ask = () => gateway.call('GET', WEBSITES, { key });
      const startMs = gateway.clock.now();
      expect(statuses(await times(60, ask))).to.deep.equal({ 200: 50, 429: 10 });
      gateway.clock.advance(10_000);
      const second = await times(60, ask);
      expect(statuses(second)).to.deep.equal({ 200: 50, 429: 10 });
      // Both are full: the one that frees last is shown.
      for (const answer of second.filter(({ status }) => status === 429)) {
        expect(shown(answer)).to.deep.equal([100, 0]);
        expect(answer.body.retryAfter).to.equal(50);
      }
      for (const elapsed of [20_000, 30_000, 59_999]) {
        gateway.clock.advance(startMs + elapsed - gateway.clock.now());
        const answer = await ask();
        expectError(answer, 429, 'RATE_LIMIT_EXCEEDED', gateway.clock.now());
        expect(shown(answer)).to.deep.equal([100, 0]);
        expect(answer.body.retryAfter).to.equal(Math.ceil((60_000 - elapsed) / 1000));
      }
      gateway.clock.advance(1);
      expectSuccess(await ask(), 200, gateway.clock.now());
    });
  });

  describe('an endpoint that names a limit', () => {
    const withLimit = (limit: string) =>
      [
        'gateway.config.yml',
        `    paths: ${WEBSITES}\n`,
        `    paths: ${WEBSITES}\n    limits: [${limit}]\n`,
      ] as const;
    const RAISED = { per10Seconds: 1_000, perMinute: 1_000 };

    it('answers 30 requests a minute of an organization and 429 to the 31st, whatever its plan', async () => {
      gateway = await startLimitedGateway([withLimit('custom-sql')]);
      const key = await gateway.organization('org_a', 'scale');
      const ask = () => gateway.call('GET', WEBSITES, { key });
      expect(statuses(await times(30, ask))).to.deep.equal({ 200: 30 });
      const refused = await ask();
      expectError(refused, 429, 'RATE_LIMIT_EXCEEDED', gateway.clock.now());
      expect(shown(refused)).to.deep.equal([30, 0]);
      const other = await gateway.call('POST', QUERY, { key, body: names(1) });
      expect([other.status, ...shown(other)], 'the 429 counted in no window').to.deep.equal([200, 500, 469]);
      gateway.clock.advance(60_000);
      expectSuccess(await ask(), 200, gateway.clock.now());
    });

    it('lets the number of an organization stand in its place', async () => {
      gateway = await startLimitedGateway([withLimit('custom-sql')]);
      const key = await gateway.organization('org_a', 'scale', { customSqlPerMinute: 3 });
      const answers = await times(5, () => gateway.call('GET', WEBSITES, { key }));
      expect(statuses(answers)).to.deep.equal({ 200: 3, 429: 2 });
    });

    it('counts what the service refuses, and not what the gateway refused before the decision', async () => {
      gateway = await startLimitedGateway([
        withLimit('custom-sql'),
        [
          'gateway.config.yml',
          '    methods: GET\n    scopes: [read:data]',
          '    methods: [GET, POST]\n    scopes: [read:data]',
        ],
      ]);
      const key = await gateway.organization('org_a', 'scale', RAISED);
      const ask = (own: CallOptions) => gateway.call('POST', WEBSITES, { key, ...own });
      expect(shown(await gateway.call('GET', WEBSITES, { key }))).to.deep.equal([30, 29]);
      const refused = [
        await ask({ body: 'x', headers: { 'content-type': 'text/html' } }),
        await ask({ body: 'x', headers: { 'content-encoding': 'compress' } }),
        await ask({ body: 'x'.repeat(2_097_153) }),
        await gateway.call('DELETE', WEBSITES, { key }),
      ];
      expect(refused.map(({ status }) => status)).to.deep.equal([415, 415, 413, 405]);
      for (const answer of refused) expect(shown(answer)[0]).to.equal(1_000);
      for (const status of [400, 404, 500]) {
        expect((await ask({ body: {}, headers: { 'x-answer': `${status}` } })).status).to.equal(status);
      }
      expect(shown(await gateway.call('GET', WEBSITES, { key }))).to.deep.equal([30, 25]);
    });
  });

  describe('batches', () => {
    const DATASETS = ['plans.yml', '    limit: 6000\n', '    limit: 10\n'] as const;
    const EVENTS = ['plans.yml', '    limit: 60000\n', '    limit: 10\n'] as const;
    let key: string;
    beforeEach(async () => {
      gateway = await startLimitedGateway([DATASETS, EVENTS]);
      key = await gateway.organization('org_a');
    });
    const query = (body: unknown, own: CallOptions = {}) =>
      gateway.call('POST', QUERY, { key, body, ...own });

    it('of datasets take as many as they name, over all request objects, and one request of the plan', async () => {
      expect(shown(await query(names(4)))).to.deep.equal([10, 6]);
      expect(shown(await query([names(2), names(3)]))).to.deep.equal([10, 1]);
      expect(shown(await query(names(1))), 'one is no batch').to.deep.equal([50, 47]);
      const refused = await query(names(2));
      expectError(refused, 429, 'RATE_LIMIT_EXCEEDED', gateway.clock.now());
      expect(shown(refused)).to.deep.equal([10, 0]);
      expect(shown(await query(names(1))), 'a 429 counts nowhere').to.deep.equal([50, 46]);
      gateway.clock.advance(60_000);
      expect(shown(await query(names(10)))).to.deep.equal([10, 0]);
    });

    it('of events take as many as the array holds, in a budget of their own', async () => {
      expect(shown(await query(names(10)))).to.deep.equal([10, 0]);
      const track = (count: number) => gateway.call('POST', '/track', { key, body: events(count) });
      expect(shown(await track(7))).to.deep.equal([10, 3]);
      const refused = await track(4);
      expectError(refused, 429, 'RATE_LIMIT_EXCEEDED', gateway.clock.now());
      expect(refused.body.status).to.equal('error');
      expect(shown(await track(3))).to.deep.equal([10, 0]);
      expect(shown(await track(1))).to.deep.equal([50, 46]);
    });

    it('without a key take of the budget of their address, beside the public limit', async () => {
      await gateway.close();
      const KEYLESS = [
        'plans.yml',
        '  keyless-events:\n    limit: 60000\n',
        '  keyless-events:\n    limit: 10\n',
      ] as const;
      gateway = await startLimitedGateway([KEYLESS]);
      const address = '192.0.2.50';
      const send = (count: number, own: CallOptions = {}) =>
        gateway.call('POST', '/events?client_id=web_a', { address, body: events(count), ...own });
      expect(shown(await send(4))).to.deep.equal([10, 6]);
      expect(shown(await send(1)), 'one is no batch').to.deep.equal([100, 98]);
      const refused = await send(7);
      expectError(refused, 429, 'RATE_LIMIT_EXCEEDED', gateway.clock.now());
      expect(shown(refused)).to.deep.equal([10, 0]);
      expect(shown(await send(7, { address: '192.0.2.51' }))).to.deep.equal([10, 3]);
      expectError(await send(11), 400, 'VALIDATION_ERROR', gateway.clock.now());
      const keyed = await gateway.organization('org_k');
      expect(shown(await send(11, { key: keyed })), 'a key pays from its own').to.deep.equal([50, 49]);
      gateway.clock.advance(60_000);
      expect(shown(await send(7))).to.deep.equal([10, 3]);
    });

    it('above the whole limit are 400 and say so, counted in the plan windows alone', async () => {
      const refused = await query(names(11));
      expectError(refused, 400, 'VALIDATION_ERROR', gateway.clock.now());
      expect(refused.body.error).to.include('holds 11 datasets').and.include('10 per 60 s');
      expect(shown(refused)).to.deep.equal([50, 49]);
      expect(shown(await query(names(10)))).to.deep.equal([10, 0]);
      expect(gateway.reached.map(({ path }) => path)).to.deep.equal([QUERY]);
    });

    it('that are misshapen cost 1, and the service judges them', async () => {
      for (const body of [[], [7], { parameters: 'pages' }, [names(2), {}], 'null', '']) {
        expectSuccess(await query(body), 200, gateway.clock.now());
      }
      expect(gateway.reached).to.have.length(6);
      expect(shown(await query(names(10)))).to.deep.equal([10, 0]);
    });

    it('of bad JSON are 400 before the service sees them, counted in the plan windows alone', async () => {
      for (const body of ['{"parameters":', '[1,', 'x']) {
        expectError(await query(body), 400, 'VALIDATION_ERROR', gateway.clock.now());
      }
      expect(gateway.reached).to.deep.equal([]);
      expect(shown(await query(names(10)))).to.deep.equal([10, 0]);
      expect(shown(await query(names(1)))).to.deep.equal([50, 45]);
    });

    it('are judged for scope before they are parsed', async () => {
      const weak = await gateway.documents.apiKeys.all('org_a');
      const [stored] = weak;
      if (!stored) throw new Error('no key');
      await gateway.documents.apiKeys.update('org_a', stored.id, stored.version, {
        scopes: ['track:events'],
      });
      expectError(await query('{"parameters":'), 403, 'INSUFFICIENT_SCOPE', gateway.clock.now());
    });
  });

  describe('logins and refreshes', () => {
    beforeEach(async () => {
      gateway = await startLimitedGateway();
    });
    const headers = { origin: 'http://localhost' };

    it('are 30 logins a minute of an address, in no other limit', async () => {
      const address = '192.0.2.30';
      const body = { email: 'nobody@example.com', password: 'wrong' };
      const login = () => gateway.call('POST', '/v1/auth/login', { body, address, headers });
      const answers = await times(31, login);
      expect(statuses(answers)).to.deep.equal({ 401: 30, 429: 1 });
      for (const answer of answers) expect(shown(answer)[0]).to.equal(30);
      const elsewhere = await gateway.call('GET', '/v1/query/types', { address });
      expect(shown(elsewhere), 'the public limit is whole').to.deep.equal([100, 99]);
      gateway.clock.advance(60_000);
      expectError(await login(), 401, 'AUTH_REQUIRED', gateway.clock.now());
    });

    it('are 30 refreshes a minute of an address that names no session', async () => {
      const address = '192.0.2.31';
      const forged = { ...headers, cookie: `tg_refresh=ses_1.1.${'x'.repeat(43)}.${'y'.repeat(43)}` };
      const refresh = (own: Record<string, string>) =>
        gateway.call('POST', '/v1/auth/refresh', { address, headers: own });
      expect(statuses(await times(15, () => refresh(headers)))).to.deep.equal({ 401: 15 });
      expect(statuses(await times(16, () => refresh(forged)))).to.deep.equal({ 401: 15, 429: 1 });
    });
  });

  describe('the public limit of an organization', () => {
    const PATH = '/v1/query/types';
    beforeEach(async () => {
      gateway = await startLimitedGateway([
        [
          'gateway.config.yml',
          `    paths: ${PATH}\n    methods: GET\n    access: public\n`,
          `    paths: ${PATH}\n    methods: GET\n    access: public\n    class: flags\n`,
        ],
      ]);
      for (const [id, limits] of [
        ['low', { publicPerMinute: 3 }],
        ['high', { publicPerMinute: 120 }],
        ['none', {}],
      ] as const) {
        await gateway.organization(`org_${id}`, 'free', limits);
        await gateway.documents.websites.insert({
          id: `web_${id}`,
          organizationId: `org_${id}`,
          name: id,
          domain: `${id}.example.com`,
          isPublic: false,
          settings: {},
        });
      }
    });
    const address = '192.0.2.40';
    const ask = (id: string) => gateway.call('GET', `${PATH}?clientId=${id}`, { address });

    it('stands in place of 100 for requests that name one of its websites, lower or higher', async () => {
      expect(statuses(await times(5, () => ask('web_low')))).to.deep.equal({ 200: 3, 429: 2 });
      expect(statuses(await times(125, () => ask('web_high')))).to.deep.equal({ 200: 120, 429: 5 });
      expect(shown(await ask('web_none')), 'what these took is not missing elsewhere').to.deep.equal([
        100, 99,
      ]);
      expect(shown(await ask('web_unknown'))).to.deep.equal([100, 98]);
    });

    it('binds at once when the organization gets another, and keeps what was counted', async () => {
      await times(3, () => ask('web_low'));
      expect((await ask('web_low')).status).to.equal(429);
      const limits = { publicPerMinute: 5 };
      await gateway.documents.organizations.update('org_low', 'org_low', 1, { limits });
      expect(statuses(await times(4, () => ask('web_low')))).to.deep.equal({ 200: 2, 429: 2 });
    });
  });
});
