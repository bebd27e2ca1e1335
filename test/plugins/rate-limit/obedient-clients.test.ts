/** A client that obeys Retry-After is never refused twice in a row, whatever it asks and whichever limit refused it. */
import { expect } from 'chai';
import fc from 'fast-check';
import { type LimitedGateway, startLimitedGateway } from '../../support/start-limited-gateway.ts';

const CLIENTS = 100;
/** Calls of each client; with the limits below most clients meet several refusals. */
const CALLS = 10;

/** A client, alone in its organization, and when it asks next. */
interface Client {
  readonly key: string;
  /** What it asks, and how long it thinks before that, in milliseconds. */
  readonly plan: readonly (readonly [ask: Ask, thinksMs: number])[];
  next: number;
  atMs: number;
  refused: boolean;
}
type Ask = (typeof ASKS)[number];

const batch = (count: number) => ({ parameters: Array.from({ length: count }, () => 'pages') });
const ASKS = [
  ['GET', '/v1/query/websites', undefined],
  ['POST', '/v1/query', batch(1)],
  ['POST', '/v1/query', batch(3)],
  ['POST', '/v1/query', batch(7)],
  ['GET', '/nothing/here', undefined],
] as const;

describe('clients that obey Retry-After', () => {
  let gateway: LimitedGateway;
  beforeEach(async () => {
    gateway = await startLimitedGateway([
      ['plans.yml', 'plans:\n', 'plans:\n  tiny:\n    per10Seconds: 3\n    perMinute: 7\n'],
      ['plans.yml', '    limit: 6000\n', '    limit: 8\n'],
      ['plans.yml', '  custom-sql:\n    limit: 30\n', '  custom-sql:\n    limit: 2\n'],
      [
        'gateway.config.yml',
        '    paths: /v1/query/websites\n',
        '    paths: /v1/query/websites\n    limits: [custom-sql]\n',
      ],
    ]);
  });
  afterEach(() => gateway.close());

  it(`${CLIENTS} of them, each its own organization, are never refused twice in a row`, async () => {
    const { clock } = gateway;
    const [plans = []] = fc.sample(
      fc.array(
        fc.array(fc.tuple(fc.constantFrom(...ASKS), fc.oneof(fc.constant(0), fc.nat(9_000))), {
          minLength: CALLS,
          maxLength: CALLS,
        }),
        { minLength: CLIENTS, maxLength: CLIENTS },
      ),
      { numRuns: 1, seed: 4 },
    );
    const clients: Client[] = [];
    for (const [index, plan] of plans.entries()) {
      const key = await gateway.organization(`org_${index}`, 'tiny');
      clients.push({ key, plan, next: 0, atMs: clock.now() + index, refused: false });
    }
    let refusals = 0;
    for (;;) {
      const waiting = clients.filter(({ next, plan }) => next < plan.length);
      if (waiting.length === 0) break;
      const atMs = Math.min(...waiting.map((client) => client.atMs));
      clock.advance(Math.max(0, atMs - clock.now()));
      await Promise.all(
        waiting
          .filter((client) => client.atMs <= clock.now())
          .map(async (client) => {
            const [[method, path, body], thinksMs] = client.plan[client.next] ?? [ASKS[0], 0];
            const { status, body: answer } = await gateway.call(method, path, { key: client.key, body });
            if (status !== 429) {
              client.refused = false;
              client.next++;
              client.atMs = clock.now() + thinksMs;
              return;
            }
            refusals++;
            expect(client.refused, `refused again: ${JSON.stringify(answer)}`).to.equal(false);
            client.refused = true;
            client.atMs = clock.now() + answer.retryAfter * 1000;
          }),
      );
    }
    expect(refusals).to.be.greaterThan(CLIENTS);
  });
});
