/** Answers that depend on headers: kept under what their backend was sent, never under what the client wrote beside it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { createSentHeaders, linesOf } from '../../../plugins/cache/sent-headers.ts';
import type { GatewayRequest } from '../../../plugins/kit/request-context.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { type ShopGateway, startShopGateway } from '../../support/start-shop-gateway.ts';

describe('headers that kept answers depend on', () => {
  describe('in a started gateway', () => {
    let shop: ShopGateway;
    let vary = '';
    /** Answers with every line of the header that Vary names. */
    const tell = ({ rawHeaders }: IncomingMessage, res: ServerResponse): void => {
      const lines: string[] = [];
      for (let index = 0; index < rawHeaders.length; index += 2) {
        const name = rawHeaders[index]?.toLowerCase().replaceAll('_', '-');
        if (name === vary.toLowerCase()) lines.push(rawHeaders[index + 1] as string);
      }
      const text = lines.join('|') || 'none';
      res.writeHead(200, { vary, 'content-length': `${text.length}` }).end(text);
    };
    before(async () => {
      shop = await startShopGateway(
        {
          steps: [
            '- headers: [{ action: { request: { set: { Authorization: "Basic c2hvcA==", X-Plan: { claim: plan } } } } }]',
          ],
          late: ['- cache: [{ action: { seconds: 60 } }]'],
          plugins: ['headers', 'cache'],
          endpoint: ['paths: "/shop/*"', 'access: optional'],
        },
        tell,
      );
    });
    after(() => shop.close());

    const get = async (path: string, lines: readonly string[]): Promise<string> => {
      const head = [`GET ${path} HTTP/1.1`, `Host: ${new URL(shop.origin).host}`, ...lines];
      return (await rawRequest(shop.origin, `${head.join('\r\n')}\r\n\r\n`)).body;
    };

    it('keeps no answer under a header that Connection took away', async () => {
      vary = 'Accept-Language';
      const lines = ['Accept-Language: de'];
      expect(await get('/shop/a', [...lines, 'Connection: close, accept-language'])).to.equal('none');
      expect(await get('/shop/a', [...lines, 'Connection: close'])).to.equal('de');
    });

    it('keeps each spelling of a name apart', async () => {
      vary = 'X-Tenant-Hint';
      expect(await get('/shop/b', ['X_Tenant_Hint: evil', 'Connection: close'])).to.equal('evil');
      expect(await get('/shop/b', ['Connection: close'])).to.equal('none');
      expect(await get('/shop/b', ['X-Tenant-Hint: evil', 'Connection: close'])).to.equal('evil');
      expect(shop.seen.filter(({ path }) => path === '/shop/b')).to.have.length(3);
    });

    it('counts every line of a header, also of those that have one by rule', async () => {
      for (const name of ['User-Agent', 'Referer', 'From']) {
        vary = name;
        const path = `/shop/c-${name}`;
        expect(await get(path, [`${name}: a`, `${name}: evil`, 'Connection: close'])).to.equal('a|evil');
        expect(await get(path, [`${name}: a`, 'Connection: close'])).to.equal('a');
      }
    });

    it('keeps answers that depend on a header which a policy writes by what it wrote', async () => {
      vary = 'X-Plan';
      const key = await shop.organization('org_sent_headers', 'scale');
      const asked = ['Connection: close', `X-Api-Key: ${key}`, 'X-Plan: free'];
      expect(await get('/shop/d', asked)).to.equal('scale');
      expect(await get('/shop/d', asked)).to.equal('scale');
      expect(shop.seen.filter(({ path }) => path === '/shop/d')).to.have.length(1);
    });

    it('keeps none that depends on a credential which a policy wrote, and any by one that the backend never gets', async () => {
      vary = 'Authorization';
      for (let index = 0; index < 2; index++) await get('/shop/e', ['Connection: close']);
      expect(shop.seen.filter(({ path }) => path === '/shop/e')).to.have.length(2);
      vary = 'Cookie';
      for (let index = 0; index < 2; index++)
        await get('/shop/f', ['Connection: close', `Cookie: a=${index}`]);
      expect(shop.seen.filter(({ path }) => path === '/shop/f')).to.have.length(1);
    });
  });

  it('counts where a client is only as a trusted proxy says it, and changes by policies of third parties', () => {
    const request = (headersBefore: object | null, ownCredentials: readonly string[] = []) =>
      ({
        rawHeaders: ['CF-IPCountry', 'DE', 'X-Shelf', '1', 'Authorization', 'Bearer client'],
        headers: { 'cf-ipcountry': 'DE', 'x-shelf': '2', authorization: 'Bearer client' },
        context: { requestEdits: null, isInflated: false, headersBefore, ownCredentials },
      }) as unknown as GatewayRequest;
    const [trusted, foreign] = [createSentHeaders(() => true), createSentHeaders(() => false)];
    expect(linesOf(trusted(request(null)), 'cf-ipcountry')).to.deep.equal([['cf-ipcountry', 'DE']]);
    expect(linesOf(foreign(request(null)), 'cf-ipcountry')).to.deep.equal([]);
    expect(linesOf(foreign(request(null)), 'authorization')).to.deep.equal([]);
    const before = { 'cf-ipcountry': 'DE', 'x-shelf': '1', authorization: 'Bearer client' };
    const changed = foreign(request(before, ['authorization', 'Bearer policy']));
    expect(linesOf(changed, 'x-shelf')).to.deep.equal([['x-shelf', '2']]);
    expect(linesOf(changed, 'authorization')).to.deep.equal([['authorization', 'Bearer policy']]);
  });
});
