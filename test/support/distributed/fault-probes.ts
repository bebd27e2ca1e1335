/** What callers ask for while a database is in trouble: one probe for each kind of route, with what is right to answer. */
import { expect } from 'chai';
import type { Answer, TestServer } from '../start-tidegate.ts';
import { KEYS } from '../test-organizations.ts';
import type { Probe } from './fault-load.ts';

type Call = TestServer['call'];

/** What was sent, and what of it was acknowledged. */
export interface Ledger {
  /** Ids of events that were sent. */
  readonly sent: Set<string>;
  /** Those that the server said were stored. */
  readonly stored: Set<string>;
  /** Slugs of links that the server said were made. */
  readonly links: string[];
}

export function newLedger(): Ledger {
  return { sent: new Set(), stored: new Set(), links: [] };
}

const WEBSITE = 'website_id=web_shop';
const SUMMARY = { parameters: ['summary_metrics'], preset: 'last_7d' };

const ok = (answer: Answer) => expect(answer.status, JSON.stringify(answer.body)).to.equal(200);

function eventOf(eventId: string): object {
  return { ...{ name: 'screen_view', websiteId: 'web_shop', anonymousId: 'v1' }, path: '/a', eventId };
}

/** Sends an event; again is the same. Whether it is stored, for sure. */
export async function track(call: Call, eventId: string): Promise<Answer> {
  return call('POST', '/track', { key: KEYS.all, body: eventOf(eventId) });
}

/** Pageviews of a website. */
export async function pageviews(call: Call, website = WEBSITE): Promise<number> {
  const answer = await call('POST', `/v1/query?${website}`, { key: KEYS.readOnly, body: SUMMARY });
  ok(answer);
  return pageviewsOf(answer);
}

function pageviewsOf({ body }: Answer): number {
  return body.data[0].data[0].pageviews;
}

/** Probes over the provisioned organization, with a link at `/the-sale` and an open flag `open`. */
export function probesOf(call: Call, ledger: Ledger): readonly Probe[] {
  let made = 0;
  const reads = (name: string, path: string, key: string, expectRight: Probe['expectRight']): Probe => ({
    name,
    ask: () => call('GET', path, { key }),
    expectRight,
  });
  const ids = (answer: Answer, path: string) => {
    ok(answer);
    return answer.body[path].map(({ id }: { id: string }) => id).sort();
  };
  let storedBefore = 0;
  return [
    {
      name: 'query',
      ask: () => {
        storedBefore = ledger.stored.size;
        return call('POST', `/v1/query?${WEBSITE}`, { key: KEYS.readOnly, body: SUMMARY });
      },
      expectRight(answer) {
        ok(answer);
        expect(pageviewsOf(answer)).to.be.within(storedBefore, ledger.sent.size);
      },
    },
    {
      name: 'query of another website',
      ask: () => call('POST', '/v1/query?website_id=web_blog', { key: KEYS.twoWebsites, body: SUMMARY }),
      expectRight(answer) {
        ok(answer);
        expect(pageviewsOf(answer)).to.equal(0);
      },
    },
    {
      name: 'custom query',
      ask: () =>
        call('POST', `/v1/query/custom?website_id=web_blog`, {
          key: KEYS.all,
          body: { sql: 'SELECT count(*) AS n FROM events' },
        }),
      expectRight(answer) {
        ok(answer);
        expect(answer.body.data).to.deep.equal([{ n: 0 }]);
      },
    },
    reads('websites', '/v1/query/websites', KEYS.shopOnly, (answer) => {
      expect(ids(answer, 'websites')).to.deep.equal(['web_shop']);
    }),
    reads('website', '/v1/websites/web_blog', KEYS.all, (answer) => {
      ok(answer);
      expect(answer.body.data.id).to.equal('web_blog');
    }),
    reads('unknown key', '/v1/query/websites', KEYS.unknown, (answer) => expect(answer.status).to.equal(401)),
    reads('redirect', '/the-sale', '', (answer) => {
      expect(answer.status, JSON.stringify(answer.body)).to.equal(302);
      expect(answer.headers.get('location')).to.equal('https://shop.example.com/sale');
    }),
    reads('flag', '/public/v1/flags/evaluate?clientId=web_shop&key=open', '', (answer) => {
      ok(answer);
      expect(answer.body).to.include({ enabled: true, value: true });
    }),
    {
      name: 'login',
      ask: () =>
        call('POST', '/v1/auth/login', {
          headers: { origin: 'http://localhost:5173' },
          body: { email: 'owner@example.com', password: 'correct horse' },
        }),
      expectRight: ok,
    },
    {
      name: 'track',
      async ask() {
        const eventId = `event-${made++}`;
        ledger.sent.add(eventId);
        const answer = await track(call, eventId);
        if (answer.status === 200) ledger.stored.add(eventId);
        return answer;
      },
      expectRight(answer) {
        ok(answer);
        expect(answer.body).to.include({ status: 'success' });
      },
    },
    {
      name: 'link creation',
      async ask() {
        const slug = `made-${made++}`;
        const body = { name: 'Made', targetUrl: 'https://shop.example.com/made', slug };
        const answer = await call('POST', '/v1/links', { key: KEYS.all, body });
        if (answer.status === 201) ledger.links.push(slug);
        return answer;
      },
      expectRight: (answer) => expect(answer.status, JSON.stringify(answer.body)).to.equal(201),
    },
  ];
}
