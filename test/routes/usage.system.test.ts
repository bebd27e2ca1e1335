/** What an organization used is exact: under parallel load on several processes, after SIGTERM and a restart, refused requests left out. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../support/free-port.ts';
import { type ServerProcess, startProcess } from '../support/gateway-process.ts';
import { newKeyText } from '../support/start-tidegate.ts';

const [MAIN = '', SMALL = ''] = [newKeyText(), newKeyText()];
const SCOPES = '[track:events, manage:config]';

const PROVISIONING = `
organizations:
  - id: org_main
    name: Main
    plan: free
    limits: { per10Seconds: 1000000, perMinute: 1000000 }
    websites: [{ id: web_main, name: Main, domain: main.example.com }]
    apiKeys: [{ id: key_main, name: k, key: ${MAIN}, scopes: ${SCOPES}, access: { level: global } }]
  - id: org_small
    name: Small
    plan: free
    limits: { per10Seconds: 20, perMinute: 20 }
    apiKeys: [{ id: key_small, name: k, key: ${SMALL}, scopes: ${SCOPES}, access: { level: global } }]
`;

interface Call {
  readonly key?: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}

describe('the usage of an organization', () => {
  let folder: string;
  let environment: Record<string, string>;
  let processes: ServerProcess[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidegate-usage-'));
    const file = join(folder, 'provision.yml');
    writeFileSync(file, PROVISIONING);
    const [query, tracking, resources] = await Promise.all([freePort(), freePort(), freePort()]);
    environment = {
      DATA_DIR: join(folder, 'data'),
      PROVISION_FILE: file,
      QUERY_URL: `http://127.0.0.1:${query}`,
      TRACKING_URL: `http://127.0.0.1:${tracking}`,
      RESOURCES_URL: `http://127.0.0.1:${resources}`,
    };
    processes = [];
  });
  afterEach(async () => {
    await Promise.all(processes.map((each) => each.end('SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(entry: 'main' | 'main-gateway'): Promise<ServerProcess> {
    const started = await startProcess(entry, environment);
    processes.push(started);
    return started;
  }
  async function call({ origin }: ServerProcess, { key, method = 'POST', path, body }: Call) {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }
  /** Calls at both gateways, eight at a time. @returns how often each status came */
  async function load(gateways: readonly ServerProcess[], calls: readonly Call[]) {
    const statuses: Record<number, number> = {};
    let next = 0;
    const caller = async () => {
      for (;;) {
        const i = next++;
        const [one, gateway] = [calls[i], gateways[i % gateways.length]];
        if (!one || !gateway) return;
        const { status } = await call(gateway, one);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, caller));
    return statuses;
  }
  const usageOf = async (server: ServerProcess, key: string) => {
    const { body } = await call(server, { key, method: 'GET', path: '/v1/organization' });
    const { month, requests, events, months } = body.data.usage;
    expect(month).to.equal(new Date().toISOString().slice(0, 7));
    expect(months).to.have.length(12);
    expect(months[0]).to.deep.equal({ month, requests, events });
    return { requests, events };
  };

  it('adds up over two gateways and their restart, to the request and to the event', async () => {
    const gateways = [await start('main'), await start('main-gateway')];
    const event = { name: 'signup', websiteId: 'web_main' };
    const calls = Array.from({ length: 40 }, (_, i): Call[] => [
      { key: MAIN, path: '/track', body: { ...event, eventId: `single-${i}` } },
      // Each id comes twice: the second time it is answered and not stored.
      { key: MAIN, path: '/track', body: [event, event, { ...event, eventId: `twice-${i >> 1}` }] },
      { key: MAIN, path: '/track', body: [event, { name: '' }] },
      { key: MAIN, path: '/v1/nothing-here' },
      { key: MAIN, path: '/v1/query', body: { parameters: ['summary'] } },
      { key: MAIN, path: '/track', body: '{"name":' },
    ]).flat();
    const others: Call[] = Array.from({ length: 20 }, (): Call[] => [
      // Stored for the organization of the website; nobody's request.
      { path: '/events?client_id=web_main', body: event },
      { key: newKeyText(), path: '/track', body: event },
    ]).flat();
    expect(await load(gateways, calls)).to.deep.equal({ 200: 80, 400: 80, 403: 40, 404: 40 });
    expect(await load(gateways, others)).to.deep.equal({ 200: 20, 401: 20 });
    for (const gateway of gateways.reverse()) expect(await gateway.end('SIGTERM')).to.equal(0);

    const again = await start('main');
    const events = 40 + 80 + 20 + 20;
    expect(await usageOf(again, MAIN)).to.deep.equal({ requests: 240, events });
    expect(await usageOf(again, SMALL)).to.deep.equal({ requests: 0, events: 0 });
  });

  it('counts what a limit admits and not what it refuses', async () => {
    const gateway = await start('main');
    const calls = Array.from({ length: 50 }, () => ({ key: SMALL, method: 'GET', path: '/v1/organization' }));
    expect(await load([gateway], calls)).to.deep.equal({ 200: 20, 429: 30 });
    expect(await gateway.end('SIGTERM')).to.equal(0);
    expect(await usageOf(await start('main'), SMALL)).to.deep.equal({ requests: 20, events: 0 });
  });
});
