/** Compressed bodies: taken out of their encoding where the gateway reads them, bounded, and passed on as what they are. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { expectError, expectSuccess } from '../../support/answers.ts';
import { type LimitedGateway, startLimitedGateway } from '../../support/start-limited-gateway.ts';

const MIB = 1024 * 1024;
const COMPRESS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;
const QUERY = { parameters: ['pages', 'traffic', 'summary'] };

describe('a compressed body', () => {
  let gateway: LimitedGateway;
  let key: string;
  beforeEach(async () => {
    gateway = await startLimitedGateway([['plans.yml', '    limit: 6000\n', '    limit: 10\n']]);
    key = await gateway.organization('org_a', 'scale');
  });
  afterEach(() => gateway.close());

  const send = (body: Buffer | string, encoding: string, path = '/v1/query') =>
    gateway.call('POST', path, { key, body, headers: { 'content-encoding': encoding } });
  const now = () => gateway.clock.now();

  for (const [encoding, compress] of Object.entries(COMPRESS)) {
    it(`in ${encoding} is counted by what it holds and reaches the service inflated, its headers right`, async () => {
      const text = JSON.stringify(QUERY);
      for (const [index, spelling] of [encoding, encoding.toUpperCase()].entries()) {
        const answer = await send(compress(text), spelling);
        expectSuccess(answer, 200, now());
        expect(answer.headers.get('x-ratelimit-remaining'), 'of 10 datasets').to.equal(`${7 - 3 * index}`);
      }
      const [first] = gateway.reached;
      expect(first?.body).to.equal(text);
      expect(first?.headers).to.not.have.property('content-encoding');
      expect(first?.headers['content-length']).to.equal(`${text.length}`);
    });

    it(`in ${encoding} that is broken or cut short is 400, counted in the plan windows alone`, async () => {
      const whole = compress(JSON.stringify(QUERY));
      for (const body of ['this is neither', whole.subarray(0, whole.length - 6)]) {
        const answer = await send(body, encoding);
        expectError(answer, 400, 'VALIDATION_ERROR', now());
        expect(answer.body.error).to.include('Content-Encoding');
        expect(answer.headers.get('x-ratelimit-limit')).to.equal('500');
      }
      expect(gateway.reached).to.deep.equal([]);
    });

    it(`in ${encoding} is 413 when more comes out of it than the route allows`, async () => {
      const fitting = JSON.stringify({ ...QUERY, pad: 'x'.repeat(2 * MIB - 100) });
      expectSuccess(await send(compress(fitting), encoding), 200, now());
      const bomb = compress(Buffer.alloc(8 * MIB, ' '));
      expect(bomb.length).to.be.lessThan(MIB);
      expectError(await send(bomb, encoding), 413, 'PAYLOAD_TOO_LARGE', now());
      expect(gateway.reached).to.have.length(1);
    });
  }

  it('is 415 in an encoding that nobody reads, or in several, on every route', async () => {
    for (const encoding of ['compress', 'zstd', 'gzip, br', 'x']) {
      for (const path of ['/v1/query', '/track', '/v1/api-keys']) {
        expectError(await send(gzipSync('{}'), encoding, path), 415, 'UNSUPPORTED_MEDIA_TYPE', now());
      }
    }
  });

  it('that says identity is what it is', async () => {
    expectSuccess(await send(JSON.stringify(QUERY), 'identity'), 200, now());
    expect(gateway.reached[0]?.body).to.equal(JSON.stringify(QUERY));
  });

  it('reaches the service as it came where the gateway does not read it', async () => {
    await gateway.close();
    gateway = await startLimitedGateway([
      ['gateway.config.yml', '    cost: { list: body, of: parameters }\n    limits: [batch-datasets]\n', ''],
    ]);
    key = await gateway.organization('org_a');
    const body = gzipSync(JSON.stringify(QUERY));
    expectSuccess(await send(body, 'gzip'), 200, now());
    const [seen] = gateway.reached;
    expect(seen?.headers['content-encoding']).to.equal('gzip');
    expect(seen?.headers['content-length']).to.equal(`${body.length}`);
  });
});
