/** Queries of a website meet the same process, until that fails, and other processes only where it has too much to do. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { startConfigurationReload } from '../../../gateway/process/reload/configuration-reload.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import type { TempDirectory } from '../../support/temp-directory.ts';
import { until } from '../../support/until.ts';
import { balancedConfiguration, UpstreamService } from '../../support/upstream-service.ts';

const HASH = 'balance: { hash: website }\nhealthCheck: none';
const WEBSITES = Array.from({ length: 24 }, (_, index) => `web_${index}`);

describe('a service that is balanced by a hash of the website', () => {
  let services: UpstreamService[];
  let folder: TempDirectory;
  let gateway: TestGateway;

  beforeEach(async () => {
    services = [await UpstreamService.start(), await UpstreamService.start(), await UpstreamService.start()];
    for (const service of services) service.answer = (_req, res) => res.end(service.origin);
    folder = balancedConfiguration(HASH);
    gateway = await startGateway({
      upstream: services.map(({ origin }) => origin).join(','),
      configDir: folder.path,
    });
  });
  afterEach(async () => {
    await gateway.close();
    for (const service of services) await service.kill();
    folder.remove();
  });

  /** The process that answers, by its origin. */
  async function home(query: string, body?: unknown): Promise<string> {
    const isGet = body === undefined;
    // What is only read is sent anew wherever a connection breaks.
    const response = await fetch(`${gateway.origin}/v1/query${isGet ? '/websites' : ''}${query}`, {
      method: isGet ? 'GET' : 'POST',
      headers: { 'x-api-key': gateway.key, 'content-type': 'application/json' },
      body: isGet ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
    return text;
  }
  const homes = async () => {
    const found: string[] = [];
    for (const website of WEBSITES) found.push(await home(`?website_id=${website}`));
    return found;
  };

  it('sends the queries of a website to one process, however they name it', async () => {
    const found = await homes();
    expect(await homes()).to.deep.equal(found);
    for (const [index, website] of WEBSITES.entries()) {
      expect(await home('', { websiteId: website })).to.equal(found[index]);
      expect(await home('', [{ website_id: website }, { website_id: website }])).to.equal(found[index]);
    }
  });

  it('sends those that name several websites or none where those of the organization go', async () => {
    const own = await home('');
    expect(await home('', [{ website_id: 'web_1' }, { website_id: 'web_2' }])).to.equal(own);
    expect(await home('?link_id=lnk_1')).to.equal(own);
  });

  it('moves only the websites of a process that dies, and brings them back', async () => {
    const before = await homes();
    const [gone] = services as [UpstreamService];
    await gone.kill();
    const after = await homes();
    before.forEach((origin, index) => {
      if (origin === gone.origin) expect(after[index]).to.not.equal(gone.origin);
      else expect(after[index]).to.equal(origin);
    });
    await gone.listen();
    const owned = before.indexOf(gone.origin);
    // Which of three free ports a website falls to is open: a process may have none of these.
    if (owned === -1) return;
    await until(
      'its websites to be back',
      async () => (await home(`?website_id=${WEBSITES[owned]}`)) === gone.origin,
    );
    await until('all to be back', async () => JSON.stringify(await homes()) === JSON.stringify(before));
  });

  it('spreads one website over others when it asks for more than its share', async () => {
    const held: ServerResponse[] = [];
    for (const service of services) service.answer = (_req, res) => held.push(res);
    const answers = Array.from({ length: 36 }, () => home('?website_id=web_1'));
    await until('all to be under way', () => held.length === 36);
    const counts = services.map(({ count }) => count).sort((a, b) => a - b);
    expect(counts[2]).to.equal(15);
    expect(counts[0]).to.be.at.least(6);
    for (const res of held) res.end('done');
    await Promise.all(answers);
  });

  it('keeps the processes of websites over a reload, and follows a changed rule', async () => {
    const before = await homes();
    const closers: (() => unknown)[] = [];
    const { reload } = await startConfigurationReload(gateway.reloadParts, closers as never);
    const file = folder.file('gateway.config.yml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('timeoutSeconds: 35', 'timeoutSeconds: 36'));
    expect((await reload('test')).outcome).to.not.equal('refused');
    expect(await homes()).to.deep.equal(before);
    writeFileSync(file, text.replaceAll('hash: website', 'hash: organization'));
    expect((await reload('test')).outcome).to.not.equal('refused');
    expect(new Set(await homes()).size).to.equal(1);
    for (const close of closers) await close();
  });
});
