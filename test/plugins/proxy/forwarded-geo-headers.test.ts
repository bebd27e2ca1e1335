/** Headers that say where a client is: a service sees them only when a trusted proxy sent them. */
import { expect } from 'chai';
import { GEO_HEADERS } from '../../../services/shared/http/geo-headers.ts';
import { startGateway, startUpstream } from '../../support/start-gateway.ts';

const NAMES = GEO_HEADERS.flatMap(({ country, region, city }) => [country, ...region, city]);

/** The headers that the service saw of a request with `sent`, behind a gateway that trusts `trustedProxies`. */
async function seenBehind(
  trustedProxies: readonly string[],
  sent: Record<string, string>,
): Promise<Record<string, unknown>> {
  let seen: Record<string, unknown> = {};
  const upstream = await startUpstream((req, res) => {
    seen = req.headers;
    res.end('{}');
  });
  const gateway = await startGateway({ upstream: upstream.origin, trustedProxies });
  try {
    const headers = { 'x-api-key': gateway.key, 'x-own': 'kept', ...sent };
    expect((await fetch(`${gateway.origin}/v1/query/websites`, { headers })).status).to.equal(200);
  } finally {
    await gateway.close();
    await upstream.close();
  }
  return seen;
}

describe('geo headers', () => {
  const all = Object.fromEntries(NAMES.map((name) => [name, 'DE']));

  it('reach the service as a trusted proxy sent them, bytes beyond ASCII included', async () => {
    const seen = await seenBehind(['127.0.0.0/8'], { ...all, 'cf-ipcity': 'M\u00c3\u00bcnchen' });
    expect(seen).to.include({ ...all, 'cf-ipcity': 'M\u00c3\u00bcnchen', 'x-own': 'kept' });
  });

  it('of anybody else stay out, in every spelling', async () => {
    const spelled = Object.fromEntries(
      NAMES.flatMap((name) => [name.toUpperCase(), name.replaceAll('-', '_')]).map((name) => [name, 'DE']),
    );
    for (const trusted of [[], ['10.0.0.0/8']]) {
      const seen = await seenBehind(trusted, { ...spelled, 'x-forwarded-for': '10.0.0.1' });
      const left = Object.keys(seen).filter((name) => NAMES.includes(name.replaceAll('_', '-')));
      expect(left).to.deep.equal([]);
      expect(seen['x-own']).to.equal('kept');
    }
  });
});
