/** The headers policy beside compression: what the client gets decides, and what the backend demands still holds. */
import { expect } from 'chai';
import { startShopGateway } from '../../support/start-shop-gateway.ts';

/** JSON, whatever type an answer has. */
const TEXT = JSON.stringify('The same words again and again. '.repeat(200));

describe('the headers policy, where answers are compressed', () => {
  /** The encoding of an answer of a backend with these headers, after these edits of the response. */
  async function codingAfter(edits: string, headers: Record<string, string>): Promise<string | null> {
    const shop = await startShopGateway(
      { steps: [`- headers: [{ action: { response: ${edits} } }]`], plugins: ['headers'] },
      (_req, res) => {
        res.writeHead(200, { 'content-type': 'text/plain', 'content-length': TEXT.length, ...headers });
        res.end(TEXT);
      },
    );
    try {
      const answer = await shop.call('GET', '/shop/a', { headers: { 'accept-encoding': 'gzip' } });
      expect(answer.status).to.equal(200);
      return answer.headers.get('content-encoding');
    } finally {
      await shop.close();
    }
  }
  const cases: [string, string, Record<string, string>, string | null][] = [
    ['compresses what it leaves as it is', '{ set: { x-a: b } }', {}, 'gzip'],
    ['keeps what it sets no-transform on', '{ set: { cache-control: "no-store, no-transform" } }', {}, null],
    [
      'keeps what it adds no-transform to',
      '{ add: { Cache-Control: no-transform } }',
      { 'cache-control': 'no-store' },
      null,
    ],
    [
      'keeps what the backend wants kept',
      '{ remove: [cache-control] }',
      { 'cache-control': 'no-transform' },
      null,
    ],
    ['keeps what it calls no text', '{ set: { content-type: image/png } }', {}, null],
    ['keeps what it takes the type from', '{ remove: [content-type] }', {}, null],
    [
      'compresses what it calls text',
      '{ set: { Content-Type: text/csv } }',
      { 'content-type': 'application/x-rows' },
      'gzip',
    ],
    ['keeps what it sets a cookie on', '{ add: { set-cookie: "a=b" } }', {}, null],
    ['keeps what it adds a digest to', '{ set: { content-digest: "sha-256=:a=:" } }', {}, null],
  ];
  for (const [name, edits, headers, wanted] of cases) {
    it(name, async () => {
      expect(await codingAfter(edits, headers)).to.equal(wanted);
    });
  }
});
