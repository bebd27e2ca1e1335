/** No header that claims an identity reaches a service, whatever the spelling, the way in and the route. */
import { expect } from 'chai';
import { createVerifyIdentity } from '../../../services/shared/identity/verify-identity.ts';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';

const NAMES = [
  'x-gateway-identity',
  'X-Gateway-Identity',
  'X-GATEWAY-IDENTITY',
  'x_gateway_identity',
  'X_Gateway_Identity',
  'x-gateway_identity',
  'x_gateway-identity',
  'x-gateway-role',
  'x-gateway',
  'X_GATEWAY',
  'x-consumer-id',
  'X-Consumer-Username',
  'x_consumer_id',
  'X_CONSUMER',
];
/** Credentials in a spelling that a backend of CGI names would take for the genuine one. */
const CREDENTIALS = ['x_api_key', 'X_Forwarded_For', 'x_request_id'];

interface Way {
  /** Lines of the head. */
  head(name: string): string;
  /** A chunked body's trailers; null: no body. */
  trailers?(name: string): string;
}

const WAYS: Readonly<Record<string, Way>> = {
  plainly: { head: (name) => `${name}: forged\r\n` },
  twice: { head: (name) => `${name}: forged\r\n${name}: forged\r\n` },
  'in both cases': { head: (name) => `${name.toLowerCase()}: forged\r\n${name.toUpperCase()}: forged\r\n` },
  'named in Connection': { head: (name) => `Connection: close, ${name}\r\n${name}: forged\r\n` },
  'named in Connection and absent': { head: (name) => `Connection: ${name}, close\r\n` },
  'in trailers': {
    head: (name) => `Trailer: ${name}\r\nTransfer-Encoding: chunked\r\n`,
    trailers: (name) => `2\r\n{}\r\n0\r\n${name}: forged\r\n\r\n`,
  },
  'in trailers unannounced': {
    head: () => 'Transfer-Encoding: chunked\r\n',
    trailers: (name) => `2\r\n{}\r\n0\r\n${name}: forged\r\n\r\n`,
  },
};

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
  function send({ line, withKey }: Target, way: Way, name: string) {
    address++;
    const key = withKey ? `x-api-key: ${gateway.key}\r\n` : '';
    const named = way.head(name);
    const close = /^connection:/im.test(named) ? '' : 'Connection: close\r\n';
    const from = `X-Forwarded-For: 10.1.${address >> 8}.${address & 255}\r\n`;
    const head = `${line} HTTP/1.1\r\nHost: x\r\n${from}${key}${close}${named}\r\n`;
    return rawRequest(gateway.origin, head + (way.trailers?.(name) ?? ''));
  }

  for (const [place, target] of Object.entries(TARGETS)) {
    for (const [how, way] of Object.entries(WAYS)) {
      it(`does not arrive by ${place} ${how}`, async () => {
        for (const name of [...NAMES, ...CREDENTIALS]) {
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
