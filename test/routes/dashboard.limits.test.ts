/** The limit of pages: an office behind one address loses no file, and what is used up there leaves the API alone. */
import { expect } from 'chai';
import { expectError } from '../support/answers.ts';
import { type LimitedGateway, startLimitedGateway } from '../support/start-limited-gateway.ts';

const ADDRESS = '203.0.113.9';
const RELOADS = 200;
/** Besides the document. */
const FILES = 10;

describe('the limit of pages', () => {
  let gateway: LimitedGateway;

  before(async () => {
    gateway = await startLimitedGateway();
  });
  after(() => gateway.close());

  const ask = (path: string, address = ADDRESS) => gateway.call('GET', path, { address });

  it('lets 200 reloads of one address in a minute have every file', async () => {
    const { body } = await ask('/dashboard', '203.0.113.1');
    const [file = ''] = /\/dashboard\/[^"]+\.js/.exec(body) ?? [];
    for (let reload = 0; reload < RELOADS; reload++) {
      const paths = ['/', '/dashboard', ...Array.from({ length: FILES }, () => file)];
      const answers = await Promise.all(paths.map((path) => ask(path)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses, `reload ${reload}`).to.deep.equal([302, 200, ...new Array(FILES).fill(200)]);
    }
    const { headers } = await ask('/dashboard');
    expect(headers.get('x-ratelimit-limit')).to.equal('3000');
    expect(headers.get('x-ratelimit-remaining')).to.equal(`${3000 - RELOADS * (FILES + 2) - 1}`);
  });

  it('lets as many reloads of the page of shares have every file, and takes nothing of the dashboard for them', async () => {
    const address = '203.0.113.11';
    const { body } = await ask('/share/_/', address);
    const files = [...body.matchAll(/(?:src|href)="(\/share\/_\/[^"]+)"/g)].map(([, path]) => path as string);
    expect(files.length).to.be.at.least(2);
    for (let reload = 0; reload < RELOADS; reload++) {
      const answers = await Promise.all(['/share/none', ...files].map((path) => ask(path, address)));
      expect(new Set(answers.map(({ status }) => status)), `reload ${reload}`).to.deep.equal(new Set([200]));
    }
    const { headers } = await ask('/dashboard', address);
    expect(headers.get('x-ratelimit-remaining')).to.equal('2999');
    const left = Number((await ask('/share/none', address)).headers.get('x-ratelimit-remaining'));
    await Promise.all(Array.from({ length: left }, () => ask('/share/_/', address)));
    expectError(await ask('/share/none', address), 429, 'RATE_LIMIT_EXCEEDED', gateway.clock.now());
    expect((await ask('/dashboard', address)).status).to.equal(200);
  });

  it('takes nothing of the public limit of that address, and the public limit nothing of it', async () => {
    const { headers } = await ask('/openapi.json');
    expect(headers.get('x-ratelimit-remaining')).to.equal('99');
    const before = Number((await ask('/dashboard')).headers.get('x-ratelimit-remaining'));
    await Promise.all(Array.from({ length: 101 }, () => ask('/openapi.json')));
    expectError(await ask('/openapi.json'), 429, 'RATE_LIMIT_EXCEEDED', gateway.clock.now());
    const after = Number((await ask('/dashboard')).headers.get('x-ratelimit-remaining'));
    expect(after).to.equal(before - 1);
  });

  it('answers 429 in JSON beyond it, to that address alone, until the minute is over', async () => {
    const left = Number((await ask('/dashboard')).headers.get('x-ratelimit-remaining'));
    const answers = await Promise.all(Array.from({ length: left }, () => ask('/')));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([302]));
    for (const path of ['/', '/dashboard', '/dashboard/app.ffffffff.js']) {
      const refused = await ask(path);
      expectError(refused, 429, 'RATE_LIMIT_EXCEEDED', gateway.clock.now());
      expect(refused.headers.get('x-ratelimit-limit')).to.equal('3000');
    }
    expect((await ask('/dashboard', '203.0.113.10')).status).to.equal(200);
    gateway.clock.advance(60_000);
    expect((await ask('/dashboard')).status).to.equal(200);
  });
});
