/** What a record says of the client that sent its event: device, place, crawler, visitor; and what it never says. */
import { expect } from 'chai';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import type { EventRecord } from '../../../../services/shared/model/event-record.ts';
import type { Website } from '../../../../services/shared/model/website.ts';
import type { RawRow } from '../../../../services/shared/ports/event-store.ts';
import { createReadClient } from '../../../../services/tracking/client/read-client.ts';
import { makeRecord } from '../../../../services/tracking/record/make-record.ts';
import { wireEventSchema } from '../../../../services/tracking/record/wire-event.ts';
import { newWebsite } from '../../../contract/document-store.contract.ts';
import { createTrackingFixture, type TrackingFixture } from '../tracking-fixture.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36';
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const ADDRESS = '203.0.113.77';
const PLACE = { 'cf-ipcountry': 'DE', 'cf-region': 'Hesse', 'cf-ipcity': 'Frankfurt' };
const HINTS = { 'sec-ch-ua-platform': '"Windows"', 'sec-ch-ua-platform-version': '"15.0.0"' };

const DEVICE = {
  browser_name: 'Chrome',
  browser_version: '124.0.0.0',
  os_name: 'Windows',
  os_version: '11',
  device_type: 'desktop',
};
const NO_DEVICE = {
  browser_name: null,
  browser_version: null,
  os_name: null,
  os_version: null,
  device_type: null,
};
const FRANKFURT = { country: 'DE', region: 'Hesse', city: 'Frankfurt' };
const NOWHERE = { country: null, region: null, city: null };

const NOON = Date.UTC(2026, 6, 14, 12);
const DAY = 86_400_000;

interface Sender {
  readonly keyless?: boolean;
  readonly agent?: string;
  readonly address?: string;
  readonly website?: string;
  readonly secret?: number;
}

const CREATED = new Date(NOON).toISOString();
const website = (id: string): Website => ({
  ...newWebsite(id),
  version: 1,
  createdAt: CREATED,
  updatedAt: CREATED,
});

/** The record of an event sent so; a keyless browser of a visitor in Frankfurt unless told otherwise. */
function recordOf(event: Record<string, unknown>, sender: Sender = {}): EventRecord {
  const { keyless = true, agent = CHROME, address = ADDRESS, website: id = 'web_1', secret = 7 } = sender;
  const headers = {
    'user-agent': agent,
    'x-forwarded-for': address,
    ...PLACE,
    ...(agent === CHROME ? HINTS : {}),
  };
  return makeRecord(
    wireEventSchema.parse({ name: 'screen_view', timestamp: NOON, ...event }),
    { organizationId: 'org_a', website: website(id) },
    {
      now: NOON,
      visitorKey: () => Buffer.alloc(32, secret),
      client: createReadClient()({ headers, isKeyless: keyless }),
      isKeyless: keyless,
    },
  );
}

describe('The client of an event', () => {
  describe('without key', () => {
    it('has its device and place stored, with an id of the visitor and without', () => {
      expect(recordOf({ anonymousId: 'visitor' })).to.include({ ...DEVICE, ...FRANKFURT, is_bot: false });
      expect(recordOf({})).to.include({ ...DEVICE, ...FRANKFURT, is_bot: false });
    });

    it('has its place stored also where it is no browser', () => {
      expect(recordOf({}, { agent: 'curl/8.4.0' })).to.include({ ...NO_DEVICE, ...FRANKFURT, is_bot: false });
    });

    it('keeps the id that it sends', () => {
      expect(recordOf({ anonymousId: 'visitor' }).anonymous_id).to.equal('visitor');
    });

    it('gets a hash for a missing id: one all day for address and agent, another for everything else', () => {
      const hash = recordOf({}).anonymous_id;
      expect(hash).to.match(/^[0-9a-f]{32}$/);
      expect(recordOf({ name: 'other', timestamp: NOON + DAY / 2 - 1 }).anonymous_id).to.equal(hash);
      expect(recordOf({ anonymousId: '', anonymizeVisitorIds: true }).anonymous_id).to.equal(hash);
      const others = [
        recordOf({ timestamp: NOON + DAY / 2 }),
        recordOf({ timestamp: NOON - DAY }),
        recordOf({}, { address: '203.0.113.78' }),
        recordOf({}, { agent: CHROME.replace('124', '125') }),
        recordOf({}, { website: 'web_2' }),
        recordOf({}, { secret: 8 }),
        recordOf({ anonymousId: `${ADDRESS}\n${CHROME}`, anonymizeVisitorIds: true }),
      ].map((record) => record.anonymous_id);
      expect(new Set([hash, ...others]).size).to.equal(8);
    });
  });

  describe('with a key', () => {
    it('leaves no visitor, device or place where no visitor is named: a server sent it', () => {
      expect(recordOf({}, { keyless: false })).to.include({ anonymous_id: null, ...NO_DEVICE, ...NOWHERE });
      expect(recordOf({ anonymousId: '' }, { keyless: false })).to.include({
        anonymous_id: null,
        ...NO_DEVICE,
        ...NOWHERE,
      });
    });

    it('is the device and place of a named visitor where a browser sent it', () => {
      expect(recordOf({ anonymousId: 'visitor' }, { keyless: false })).to.include({
        anonymous_id: 'visitor',
        ...DEVICE,
        ...FRANKFURT,
      });
    });

    for (const agent of ['', 'node', 'axios/1.6.8', 'Go-http-client/2.0', 'shop-server/1.2']) {
      it(`does not place a named visitor where the server is that sent it as ${JSON.stringify(agent)}`, () => {
        expect(recordOf({ anonymousId: 'visitor' }, { keyless: false, agent })).to.include({
          anonymous_id: 'visitor',
          is_bot: false,
          ...NO_DEVICE,
          ...NOWHERE,
        });
      });
    }
  });

  it('is marked when it declares itself a crawler, with a key and without', () => {
    for (const keyless of [true, false]) {
      expect(recordOf({ anonymousId: 'visitor' }, { keyless, agent: CRAWLER })).to.include({ is_bot: true });
    }
  });
});

describe('The client of a request to POST /track', () => {
  let service: TrackingFixture;

  before(async () => {
    service = await createTrackingFixture();
    await service.website('web_1');
  });
  after(() => service.close());

  const headers = { 'user-agent': CHROME, 'x-forwarded-for': ADDRESS, ...HINTS, ...PLACE };
  async function stored(name: string, event: object, agent: string = CHROME): Promise<RawRow> {
    const answer = await service.track([{ name, ...event }], {
      headers: { ...headers, 'user-agent': agent },
    });
    expect(answer.body).to.include({ success: true, count: 1 });
    const [row] = await service.stored(name);
    if (!row) throw new Error('nothing was stored');
    return row;
  }

  it('is stored with each of its events', async () => {
    const names = ['first of two', 'second of two'];
    await service.track(
      names.map((name) => ({ name, anonymousId: 'visitor' })),
      { headers },
    );
    for (const name of names) {
      expect((await service.stored(name))[0]).to.include({ ...DEVICE, ...FRANKFURT, is_bot: false });
    }
  });

  it('may be a crawler, which gets the same answer and is marked', async () => {
    expect(await stored('crawled', { anonymousId: 'visitor' }, CRAWLER)).to.include({
      is_bot: true,
      ...NO_DEVICE,
    });
  });

  it('is a visitor of the day on every route without key', async () => {
    const from = { caller: PUBLIC_CALLER, search: '?client_id=web_1', headers };
    await service.post('/events', [{ name: 'keyless one' }], from);
    await service.post('/batch', [{ type: 'custom', name: 'keyless two' }], from);
    const rows = [...(await service.stored('keyless one')), ...(await service.stored('keyless two'))];
    expect(rows).to.have.length(2);
    for (const row of rows) expect(row).to.include({ ...DEVICE, ...FRANKFURT });
    expect(rows[0]?.anonymous_id).to.match(/^[0-9a-f]{32}$/);
    expect(rows[1]?.anonymous_id).to.equal(rows[0]?.anonymous_id);
  });

  it('leaves neither its address nor its user agent in any column of any table', async () => {
    await service.post('/events', [{ name: 'keyless' }], {
      caller: PUBLIC_CALLER,
      search: '?client_id=web_1',
      headers,
    });
    await stored('named', { anonymousId: 'visitor' });
    await stored('unnamed', { websiteId: 'web_1' });
    await stored('hashed', { anonymousId: 'visitor', anonymizeVisitorIds: true });
    const tables = await service.events.run({
      engine: 'duckdb',
      sql: "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'",
      params: {},
    });
    expect(tables).not.to.have.length(0);
    for (const { table_name } of tables) {
      const rows = await service.events.run({
        engine: 'duckdb',
        sql: `SELECT * FROM "${String(table_name)}"`,
        params: {},
      });
      const text = JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
      expect(text).not.to.contain(ADDRESS);
      expect(text).not.to.contain('Mozilla');
      expect(text).not.to.contain('AppleWebKit');
    }
  });

  it('leaves neither in a keyless record', () => {
    const text = JSON.stringify([recordOf({}), recordOf({ anonymousId: 'visitor' })]);
    for (const trace of [ADDRESS, 'Mozilla', 'AppleWebKit']) expect(text).not.to.contain(trace);
  });
});
