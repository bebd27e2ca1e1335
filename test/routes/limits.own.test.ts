/** Limits of a platform's own, over real sockets: overrides, quotas, budgets per header, shadow, and the standard fields. */
import { expect } from 'chai';
import { type Edit, type LimitedGateway, startLimitedGateway } from '../support/start-limited-gateway.ts';

const OWN_LIMITS = `limits:
  exports: { limit: 20, windowSeconds: 60 }
  nightly: { limit: 40, window: day }
  customers: { limit: 5, windowSeconds: 60, per: header, header: x-customer, total: 12 }
  tried: { limit: 30, windowSeconds: 60, enforce: false }
`;
const OVERRIDES = `standardFields: true
overrides:
  - { organization: org_large, limit: exports, max: 35 }
  - { organization: org_plan, limit: perMonth, max: 7 }

limits:`;
const RAISED = { per10Seconds: 1_000_000, perMinute: 1_000_000 };

/** Which limits each of three endpoints names. */
const NAMED = { 'query-websites': 'exports', flags: 'nightly, tried', websites: 'customers' } as const;
type Path = '/v1/query/websites' | '/v1/flags' | '/v1/websites';

describe('limits of a platform of its own', () => {
  let gateway: LimitedGateway;
  before(async () => {
    gateway = await startLimitedGateway([
      ['plans.yml', '\nlimits:\n', `\n${OWN_LIMITS}`],
      ['plans.yml', '\nlimits:', `\n${OVERRIDES}`],
      ...Object.entries(NAMED).map(
        ([endpoint, names]): Edit => [
          'gateway.config.yml',
          `\n  ${endpoint}:\n`,
          `\n  ${endpoint}:\n    limits: [${names}]\n`,
        ],
      ),
    ]);
  });
  after(() => gateway?.close());

  /** The statuses of requests sent at once, each with these headers. */
  async function send(count: number, path: Path, key: string, customer?: (n: number) => string) {
    return Promise.all(
      Array.from({ length: count }, (_, index) => {
        const headers: Record<string, string> =
          customer === undefined ? {} : { 'x-customer': customer(index) };
        return gateway.call('GET', path, { key, headers });
      }),
    );
  }
  const passed = (answers: readonly { readonly status: number }[]): number =>
    answers.filter(({ status }) => status === 200).length;

  it('pass exactly the number of the organization of 300 parallel requests', async () => {
    const [common, large] = [
      await gateway.organization('org_common', 'free', RAISED),
      await gateway.organization('org_large', 'free', RAISED),
    ];
    expect(passed(await send(300, '/v1/query/websites', common))).to.equal(20);
    expect(passed(await send(300, '/v1/query/websites', large))).to.equal(35);
  });

  it('pass exactly the quota of the day of 300, and the whole again the day after', async () => {
    const key = await gateway.organization('org_quota', 'free', RAISED);
    const answers = await send(300, '/v1/flags', key);
    expect(passed(answers)).to.equal(40);
    const refused = answers.find(({ status }) => status === 429);
    const midnightMs = Math.floor(gateway.clock.now() / 86_400_000 + 1) * 86_400_000;
    expect(refused?.body).to.include({ limit: 40, remaining: 0, reset: new Date(midnightMs).toISOString() });
    expect(refused?.headers.get('retry-after')).to.equal(
      `${Math.ceil((midnightMs - gateway.clock.now()) / 1000)}`,
    );
    gateway.clock.advance(midnightMs - gateway.clock.now());
    expect(passed(await send(300, '/v1/flags', key))).to.equal(40);
  });

  it('tell a limit in shadow on what it would have refused, and refuse nothing by it', async () => {
    const key = await gateway.organization('org_shadow', 'free', RAISED);
    const answers = await send(40, '/v1/flags', key);
    expect(passed(answers)).to.equal(40);
    const told = answers.filter(({ headers }) => headers.get('x-ratelimit-shadow') !== null);
    expect(told).to.have.length(10);
    expect(told[0]?.headers.get('x-ratelimit-shadow')).to.match(/^tried;limit=30;reset=\d+$/);
  });

  it('give each value of a header its budget, and invented ones no more than the total', async () => {
    const key = await gateway.organization('org_customers', 'free', RAISED);
    expect(passed(await send(100, '/v1/websites', key, () => 'Ada'))).to.equal(5);
    expect(passed(await send(200, '/v1/websites', key, (index) => `invented-${index}`))).to.equal(7);
  });

  it('hold a quota of the plan that only this organization has, and send the standard fields', async () => {
    const key = await gateway.organization('org_plan', 'free', RAISED);
    const answers = await send(50, '/v1/websites', key);
    expect(passed(answers)).to.equal(5);
    const { headers } = answers[0] as (typeof answers)[number];
    expect(headers.get('ratelimit-policy'))
      .to.contain('"plan-month";q=7;w=')
      .and.contain('"customers-total";q=12;w=60');
    expect(headers.get('ratelimit')).to.match(
      /^"plan-10s";r=\d+;t=10, "plan-60s";r=\d+;t=60, "plan-month";r=\d;t=\d+, /,
    );
  });
});
