/** No header that claims an identity reaches a service, whatever the spelling, the way in and the route. */
import { expect } from 'chai';
import { createVerifyIdentity } from '../../../services/shared/identity/verify-identity.ts';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import {
  FORGED_CREDENTIALS,
  FORGED_NAMES,
  FORGING_WAYS,
  type ForgingWay,
} from '../../support/forged-headers.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';

interface Target {
  readonly line: string;
  readonly withKey: boolean;
  readonly status: number;
  readonly audience: 'query' | 'tracking' | null;
}

const TARGETS: Readonly<Record<string, Target>> = {
  'a scoped route': { line: 'POST /track', withKey: true, status: 200, audience: 'tracking' },
  'a public route': { line: 'GET /v1/query/types', withKey: false, status: 200, audience: 'query' },
  'a refused route': { line: 'POST /v1/query', withKey: false, status: 401, audience: null },
  'an unknown path': { line: 'GET /v1/nothing', withKey: false, status: 404, audience: null },
};

describe('a forged identity', () => {
  let gateway: TestGateway;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let echoes: { headers: string[]; trailers: string[] }[];

  before(async () => {
    upstream = await startUpstream((req, res) => {
      req.resume();
      req.on('end', () => {
        const echo = { headers: req.rawHeaders, trailers: req.rawTrailers };
        echoes.push(echo);
        res.setHeader('content-type', 'application/json');
        res.end(JSON.stringify(echo));
      });
    });
    gateway = await startGateway({ upstream: upstream.origin });
  });
  beforeEach(() => {
    echoes = [];
  });
  after(async () => {
    await gateway.close();
    await upstream.close();
  });

  let address = 0;
  function send({ line, withKey }: Target, way: ForgingWay, name: string) {
    address++;
    const key = withKey ? `x-api-key: ${gateway.key}\r\n` : '';
    const named = way.head([name]);
    const close = /^connection:/im.test(named) ? '' : 'Connection: close\r\n';
    const from = `X-Forwarded-For: 10.1.${address >> 8}.${address & 255}\r\n`;
    const head = `${line} HTTP/1.1\r\nHost: x\r\n${from}${key}${close}${named}\r\n`;
    return rawRequest(gateway.origin, head + (way.trailers?.([name]) ?? ''));
  }

  for (const [place, target] of Object.entries(TARGETS)) {
    for (const [how, way] of Object.entries(FORGING_WAYS)) {
      it(`does not arrive by ${place} ${how}`, async () => {
        for (const name of [...FORGED_NAMES, ...FORGED_CREDENTIALS]) {
          const answer = await send(target, way, name);
          expect(answer.statusLine, name).to.match(new RegExp(`^HTTP/1.1 ${target.status} `));
          expect(answer.body, name).to.not.contain('forged');
          const echo = echoes.pop();
          if (target.audience === null) {
            expect(echo, name).to.equal(undefined);
            continue;
          }
          expect(echo?.trailers, name).to.deep.equal([]);
          const headers = (echo?.headers ?? []).map((text) => text.toLowerCase());
          expect(headers, name).to.not.include('forged');
          const at = headers.indexOf('x-gateway-identity');
          expect(headers.lastIndexOf('x-gateway-identity'), name).to.equal(at);
          const verify = createVerifyIdentity(gateway.jwks, target.audience, systemClock);
          const caller = await verify(echo?.headers[at + 1]);
          expect(caller?.kind, name).to.equal(target.withKey ? 'key' : 'public');
        }
      });
    }
  }
});
