/** What carries requests to an address: a call, the gateway's own client, or undici's pool. */
import { expect } from 'chai';
import { Pool } from 'undici';
import { loadSettings } from '../../../config/settings.ts';
import { createTransport } from '../../../plugins/proxy/create-transport.ts';
import { KeptTransport } from '../../../plugins/proxy/own-client/kept-transport.ts';
import { ProcessTransport } from '../../../plugins/proxy/process-transport.ts';
import type { AnswerInProcess } from '../../../services/shared/http/service-exchange.ts';
import type { ServiceName } from '../../../services/shared/identity/identity-token.ts';
import type { ServiceEndpoint, UpstreamClient } from '../../../services/shared/plans/service-endpoint.ts';

const BOUNDS = { connections: 1, timeoutMs: 1_000 };

function made(origin: string, upstreamClient: UpstreamClient, audience: ServiceName | null = null): unknown {
  const service = { audience, tls: null } as ServiceEndpoint;
  const answer: AnswerInProcess = () => Promise.reject(new Error('is not asked'));
  return createTransport(origin, service, BOUNDS, {
    servicesInProcess: new Map([['http://here:1', answer]]),
    upstreamClient,
  });
}

describe('the transport to an address', () => {
  it("is the gateway's own client without TLS, and undici with it or where the setting says so", () => {
    expect(made('http://a:1', 'own')).to.be.instanceOf(KeptTransport);
    expect(made('https://a:1', 'own')).to.be.instanceOf(Pool);
    expect(made('http://a:1', 'undici')).to.be.instanceOf(Pool);
  });

  it('is a call to a service of the same process, whatever the setting', () => {
    for (const client of ['own', 'undici'] as const) {
      expect(made('http://here:1', client, 'query')).to.be.instanceOf(ProcessTransport);
      expect(made('http://here:1', client), 'a foreign backend').not.to.be.instanceOf(ProcessTransport);
    }
  });

  it('is chosen by UPSTREAM_CLIENT', () => {
    expect(loadSettings({}).upstreamClient).to.equal('own');
    expect(loadSettings({ UPSTREAM_CLIENT: 'undici' }).upstreamClient).to.equal('undici');
    expect(() => loadSettings({ UPSTREAM_CLIENT: 'fetch' })).to.throw('must be own or undici');
  });
});
