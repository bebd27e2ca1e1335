/** The contract of the integrations' endpoints through the whole server: who may, what a write may hold, and that no secret comes out again. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { isDistributedRun } from '../support/distributed/test-mode.ts';
import { everythingStored } from '../support/open-stored.ts';
import { bodyEnvelopeCases, protectedRouteCases, type RouteCase } from '../support/route-cases.ts';
import { type CallOptions, startTidegate, type TestServer } from '../support/start-tidegate.ts';

const PATH = '/v1/integrations';
const SECRETS = [
  'whsec-0123456789-END1',
  'https://hooks.slack.com/services/T0/B0/sEcReT-tail',
  'tokEn-abcdefgh-END3',
];
const [WEBHOOK_SECRET = '', SLACK_URL = '', TOKEN = ''] = SECRETS;

const WEBHOOK = {
  type: 'webhook',
  name: 'Orders',
  config: { url: 'https://hooks.example.com/in', secret: WEBHOOK_SECRET, events: ['purchase'] },
};
const SLACK = { type: 'slack', name: 'Alerts', config: { webhookUrl: SLACK_URL, channel: '#alerts' } };
const REPORT = {
  type: 'email_report',
  name: 'Weekly',
  config: { recipients: ['a@example.com'], frequency: 'weekly', websiteIds: ['web_shop'] },
};
const GENERIC = {
  type: 'generic',
  name: 'Other',
  config: { settings: { region: 'eu', retries: 3, dry: true }, secrets: { token: TOKEN, pin: '1234' } },
};

const ROUTES: readonly RouteCase[] = [
  { method: 'GET', path: PATH, wrongMethods: ['PUT', 'PATCH', 'DELETE'] },
  { method: 'POST', path: PATH, body: WEBHOOK, wrongMethods: ['PUT', 'DELETE'] },
  { method: 'GET', path: '/v1/integrations/int_none', wrongMethods: ['POST', 'PUT'] },
  {
    method: 'PATCH',
    path: '/v1/integrations/int_none',
    body: { enabled: false },
    wrongMethods: ['POST', 'PUT'],
  },
  { method: 'DELETE', path: '/v1/integrations/int_none', wrongMethods: ['POST', 'PUT'] },
];

describe('the contract of integrations', () => {
  let started: TestServer;
  const server = () => started;

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  for (const route of ROUTES) {
    describe(`${route.method} ${route.path}`, () => {
      protectedRouteCases(server, route, 'manage:config', 'readOnly');
      if (route.body !== undefined)
        bodyEnvelopeCases(server, route, { maxBytes: 262_144, acceptsText: false, streamed: true });
    });
  }

  const call = (method: string, path: string, options: CallOptions = {}) =>
    server().call(method, path, { key: server().keys.all, ...options });
  async function created(body: object) {
    const answer = await call('POST', PATH, { body });
    expectSuccess(answer, 201);
    return answer.body.data;
  }
  const change = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    call('PATCH', `${PATH}/${id}`, { body, headers });

  it('creates one of each kind, answers its place and version, and shows every secret masked only', async () => {
    const shown = {
      webhook: { ...WEBHOOK.config, secret: '•••• END1' },
      slack: { ...SLACK.config, webhookUrl: '•••• tail' },
      email_report: REPORT.config,
      // Four characters of four would be all of them.
      generic: { ...GENERIC.config, secrets: { token: '•••• END3', pin: '••••' } },
    };
    for (const body of [WEBHOOK, SLACK, REPORT, GENERIC]) {
      const answer = await call('POST', PATH, { body });
      expectSuccess(answer, 201);
      const { data } = answer.body;
      expect(answer.headers.get('location')).to.equal(`${PATH}/${data.id}`);
      const { type, name } = body;
      const config = shown[type as keyof typeof shown];
      expect(data).to.deep.include({ type, name, enabled: true, config, unreadableSecrets: [] });
      const read = await call('GET', `${PATH}/${data.id}`);
      expect(read.body.data).to.deep.equal(data);
      expect(read.headers.get('etag')).to.equal(answer.headers.get('etag'));
      for (const secret of SECRETS) expect(JSON.stringify(read.body)).to.not.include(secret);
    }
  });

  /** Each file that holds documents; of separate processes, which keep none in files, all documents. */
  async function storedTexts(): Promise<string[]> {
    const { dataDir } = server();
    if (isDistributedRun()) return [JSON.stringify(await everythingStored(dataDir))];
    return readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.sqlite|\.db|documents/.test(file))
      .map((file) => readFileSync(join(dataDir, file), 'latin1'));
  }

  it('keeps no secret in clear in what is stored', async () => {
    await created(GENERIC);
    const { id } = await created(WEBHOOK);
    await change(id, { config: { secret: 'another-secret-of-mine' } });
    const texts = await storedTexts();
    for (const secret of [...SECRETS, 'another-secret-of-mine']) {
      for (const text of texts) expect(text).to.not.include(secret);
    }
    // What was read is where the integrations are.
    expect(texts.join()).to.include(id);
  });

  it('leaves a secret that comes back masked, sets a new one, removes one by null', async () => {
    const { id, config } = await created(WEBHOOK);
    const kept = await change(id, { name: 'Renamed', config });
    expectSuccess(kept);
    expect(kept.body.data).to.deep.include({ name: 'Renamed', config });
    const set = await change(id, { config: { secret: 'a-new-secret-NEW4' } });
    expect(set.body.data.config).to.deep.equal({ ...config, secret: '•••• NEW4' });
    const { secret: _, ...open } = config;
    expect((await change(id, { config: { secret: null } })).body.data.config).to.deep.equal(open);
    expectError(await change(id, { config: { secret: '•••• END1' } }), 400, 'VALIDATION_ERROR');
    const masked = { ...WEBHOOK, config: { ...WEBHOOK.config, secret: '•••• END1' } };
    expectError(await call('POST', PATH, { body: masked }), 400, 'VALIDATION_ERROR');
  });

  it('merges settings and secrets of a generic one by name; null removes a name', async () => {
    const { id } = await created(GENERIC);
    const body = {
      config: { settings: { region: null, zone: 'b' }, secrets: { pin: null, extra: 'long-enough-XTRA' } },
    };
    const { config } = (await change(id, body)).body.data;
    expect(config.settings).to.deep.equal({ retries: 3, dry: true, zone: 'b' });
    expect(config.secrets).to.deep.equal({ token: '•••• END3', extra: '•••• XTRA' });
    const emptied = await change(id, { config: { settings: null, secrets: null } });
    expect(emptied.body.data.config).to.deep.equal({ settings: {}, secrets: {} });
  });

  it('refuses another type, a missing required field, and null where something is required', async () => {
    const { id } = await created(SLACK);
    for (const body of [
      { type: 'webhook' },
      { config: { webhookUrl: null } },
      { config: { url: 'https://a.example' } },
      { config: null },
      { name: null },
      { id: 'int_1' },
    ]) {
      expectError(await change(id, body), 400, 'VALIDATION_ERROR');
    }
    expectSuccess(await change(id, { type: 'slack', enabled: false }));
  });

  const REFUSED: readonly (readonly [what: string, body: object, fields: readonly string[]])[] = [
    ['an unknown type', { ...WEBHOOK, type: 'pager' }, ['type']],
    ['no configuration', { type: 'webhook', name: 'x' }, ['config']],
    ['a plain URL', { ...WEBHOOK, config: { url: 'http://hooks.example.com' } }, ['config.url']],
    ['a URL with credentials', { ...WEBHOOK, config: { url: 'https://me:pw@a.example' } }, ['config.url']],
    ['another scheme', { ...WEBHOOK, config: { url: 'javascript:alert(1)' } }, ['config.url']],
    ['a URL with a line break', { ...WEBHOOK, config: { url: 'https://a.example/\nx' } }, ['config.url']],
    ['a Slack address that is none', { ...SLACK, config: { webhookUrl: 'hooks' } }, ['config.webhookUrl']],
    ['a field of another type', { ...SLACK, config: { ...SLACK.config, secret: 'x' } }, ['config.secret']],
    [
      'several faults at once',
      { ...REPORT, name: '', mode: 1, config: { recipients: ['no address'], frequency: 'hourly' } },
      ['name', 'mode', 'config.recipients[0]', 'config.frequency'],
    ],
    [
      'more than 20 recipients',
      {
        ...REPORT,
        config: { frequency: 'daily', recipients: Array.from({ length: 21 }, (_, i) => `a${i}@example.com`) },
      },
      ['config.recipients'],
    ],
    [
      "another organization's website",
      { ...REPORT, config: { ...REPORT.config, websiteIds: ['web_shop', 'web_free'] } },
      ['config.websiteIds[1]'],
    ],
    [
      'a setting that is no scalar',
      { ...GENERIC, config: { settings: { a: { b: 1 } } } },
      ['config.settings.a'],
    ],
    ['a secret that is no text', { ...GENERIC, config: { secrets: { a: 7 } } }, ['config.secrets.a']],
  ];
  for (const [what, body, fields] of REFUSED) {
    it(`refuses ${what}, naming ${fields.join(', ')} and no value`, async () => {
      const answer = await call('POST', PATH, { body });
      expectError(answer, 400, 'VALIDATION_ERROR');
      const named = answer.body.details.map(({ field }: { field: string }) => field);
      expect(named).to.have.members([...fields]);
      for (const secret of SECRETS) expect(JSON.stringify(answer.body)).to.not.include(secret);
    });
  }

  it('suggests for an unknown setting no name of another place', async () => {
    const answer = await call('POST', PATH, {
      body: { ...WEBHOOK, nam: 'x', config: { uri: 'https://x.example' } },
    });
    const unknown = answer.body.details.filter(({ message }: { message: string }) =>
      message.startsWith('Unknown'),
    );
    expect(unknown).to.deep.equal([
      { field: 'config.uri', message: 'Unknown field.' },
      { field: 'nam', message: 'Unknown field; did you mean "name"?', suggestion: 'name' },
    ]);
  });

  it('takes http of this machine in development', async () => {
    await created({ ...WEBHOOK, config: { url: 'http://localhost:3000/hook' } });
  });

  it('lists by search, sort and cursor', async () => {
    const names = ['list-c', 'list-a', 'list-b'];
    for (const name of names) await created({ ...REPORT, name });
    const list = async (query: string) => (await call('GET', `${PATH}?${query}`)).body;
    const first = await list('search=LIST-&sort=-name&limit=2');
    const second = await list(`search=LIST-&sort=-name&limit=2&cursor=${first.nextCursor}`);
    const listed = [...first.data, ...second.data].map(({ name }: { name: string }) => name);
    expect(listed).to.deep.equal(['list-c', 'list-b', 'list-a']);
    expect(second.nextCursor).to.equal(undefined);
    expectError(await call('GET', `${PATH}?sort=secret`), 400, 'VALIDATION_ERROR');
  });

  it("shows nothing to another organization's key and to a website-specific one, and lets them change nothing", async () => {
    const { id } = await created(WEBHOOK);
    const { body: before } = await call('GET', `${PATH}/${id}`);
    const { free, shopOnly } = server().keys;
    const writes = [
      ['PATCH', { enabled: false }],
      ['PATCH', { name: '' }],
      ['DELETE', undefined],
    ] as const;
    for (const [key, status, code] of [
      [free, 404, 'NOT_FOUND'],
      [shopOnly, 403, 'ACCESS_DENIED'],
    ] as const) {
      expectError(await call('GET', `${PATH}/${id}`, { key }), status, code);
      for (const [method, body] of writes) {
        const options = body === undefined ? { key } : { key, body };
        expectError(await call(method, `${PATH}/${id}`, options), status, code);
      }
    }
    expectError(await call('GET', PATH, { key: shopOnly }), 403, 'ACCESS_DENIED');
    expectError(await call('POST', PATH, { key: shopOnly, body: WEBHOOK }), 403, 'ACCESS_DENIED');
    expect((await call('GET', PATH, { key: free })).body.data).to.deep.equal([]);
    expect((await call('GET', `${PATH}/${id}`)).body).to.deep.equal(before);
  });

  it('lets one of two writers with If-Match win, and removes only the version that is named', async () => {
    const { id } = await created(WEBHOOK);
    const match = { 'if-match': '"1"' };
    const writes = ['one', 'two'].map((name) => change(id, { name }, match));
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(statuses.toSorted()).to.deep.equal([200, 412]);
    const path = `${PATH}/${id}`;
    expectError(await call('DELETE', path, { headers: match }), 412, 'PRECONDITION_FAILED');
    expectSuccess(await call('DELETE', path, { headers: { 'if-match': '"2"' } }), 204);
    expectError(await call('GET', path), 404, 'NOT_FOUND');
    expectError(await call('DELETE', path), 404, 'NOT_FOUND');
  });
});
