/** Places by GEOIP_FILE through the whole server: whose events get one, and that no address stays anywhere. */
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectSuccess } from '../support/answers.ts';
import { createLogWatch, type LogWatch } from '../support/log-watch.ts';
import { cityRecord, mmdb } from '../support/mmdb-writer.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { until } from '../support/until.ts';

const ADDRESS = '81.2.69.160';
const V6 = '2001:db8:7::1';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36';
const places = (city: string) =>
  mmdb({
    '81.2.69.0/24': cityRecord('GB', 'England', city),
    '2001:db8::/32': cityRecord('JP', 'Tokyo', 'Chiyoda'),
  });

describe('GEOIP_FILE', () => {
  let server: TestServer;
  let directory: TempDirectory;
  let log: LogWatch;
  let path: string;

  before(async () => {
    directory = createTempDirectory();
    path = directory.file('places.mmdb');
    writeFileSync(path, places('London'));
    log = createLogWatch();
    server = await startTidegate({ settings: { GEOIP_FILE: path }, logger: log.logger });
  });
  after(async () => {
    await server.close();
    directory.remove();
  });

  const view = async (page: string, options: object = {}) => {
    const body = { name: 'screen_view', path: page };
    expectSuccess(
      await server.call('POST', '/events?client_id=web_shop', { body, address: ADDRESS, ...options }),
    );
  };
  /** Country and city of the page's views. */
  async function placesOf(page: string): Promise<unknown> {
    const answer = await server.call('POST', '/v1/query?website_id=web_shop', {
      key: server.keys.readOnly,
      body: {
        parameters: ['cities'],
        preset: 'last_7d',
        filters: [{ field: 'path', op: 'eq', value: page }],
      },
    });
    expectSuccess(answer);
    return answer.body.data[0].data.map((row: Record<string, string>) => [row.country_code, row.name]);
  }

  it('says where visitors are who come without a key, by IPv4 and IPv6', async () => {
    await view('/v4');
    expect(await placesOf('/v4')).to.deep.equal([['GB', 'London']]);
    await view('/v6', { address: V6 });
    expect(await placesOf('/v6')).to.deep.equal([['JP', 'Chiyoda']]);
  });

  it('gives way to the headers of a trusted proxy, whole', async () => {
    await view('/header', { headers: { 'cf-ipcountry': 'DE' } });
    const [[country, city] = []] = (await placesOf('/header')) as string[][];
    expect([country, city]).to.deep.equal(['DE', 'Unknown']);
    await view('/unsure', { headers: { 'cf-ipcountry': 'XX' } });
    expect(await placesOf('/unsure')).to.deep.equal([['GB', 'London']]);
  });

  it('says nothing of events with a key, which come from servers', async () => {
    const body = { name: 'screen_view', path: '/keyed', anonymousId: 'v', websiteId: 'web_shop' };
    const options = { key: server.keys.all, body, address: ADDRESS, headers: { 'user-agent': CHROME } };
    expectSuccess(await server.call('POST', '/track', options));
    const [[, city] = []] = (await placesOf('/keyed')) as string[][];
    expect(city).to.equal('Unknown');
  });

  it('says where clicks on short links come from', async () => {
    const body = { name: 'Geo', slug: 'geo-link', targetUrl: 'https://example.com/', websiteId: 'web_shop' };
    const made = await server.call('POST', '/v1/links', { key: server.keys.all, body });
    expectSuccess(made, 201);
    await server.call('GET', '/geo-link', { address: ADDRESS, headers: { 'user-agent': CHROME } });
    await until('the click has its place', async () => {
      const answer = await server.call('POST', `/v1/query?link_id=${made.body.data.id}`, {
        key: server.keys.all,
        body: { parameters: ['link_top_cities'], preset: 'last_7d' },
      });
      const [row] = answer.body.data[0].data;
      return row?.name === 'London' && row.country === 'GB';
    });
  });

  it('leaves no address in any file or log', () => {
    for (const name of readdirSync(server.dataDir, { recursive: true, encoding: 'utf8' })) {
      const file = join(server.dataDir, name);
      if (!statSync(file).isFile()) continue;
      const bytes = readFileSync(file);
      for (const address of [ADDRESS, V6]) expect(bytes.includes(address), name).to.equal(false);
    }
    expect(log.lines.join('')).to.not.include(ADDRESS).and.not.include(V6);
  });

  it('is read anew when it is replaced', async () => {
    writeFileSync(`${path}.next`, places('Leeds'));
    renameSync(`${path}.next`, path);
    let views = 0;
    await until('the new file is at work', async () => {
      const page = `/replaced-${views++}`;
      // Each from another address of the network, so that none uses up its limit meanwhile.
      await view(page, { address: `81.2.69.${1 + (views % 250)}` });
      const [[, city] = []] = (await placesOf(page)) as string[][];
      return city === 'Leeds';
    });
  });

  it('ends the start when it is faulty', async () => {
    writeFileSync(directory.file('faulty.mmdb'), 'no database');
    const fault = await startTidegate({ settings: { GEOIP_FILE: directory.file('faulty.mmdb') } }).then(
      async (started) => {
        await started.close();
        return null;
      },
      (thrown: unknown) => String(thrown),
    );
    expect(fault).to.match(/GEOIP_FILE=".*faulty\.mmdb" cannot be used: /);
  });
});
