/** Open WebSockets of callers with a token: they end with the token, and with what it was worth. */
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { type JwtGateway, startJwtGateway } from '../../support/start-jwt-gateway.ts';
import { startWebSocketBackend, type WebSocketBackend } from '../../support/web-socket-backend.ts';
import { openWebSocket } from '../../support/web-socket-client.ts';

const REVOKED = { code: 1008, reason: 'the credential no longer counts, or lost a right' };

describe('a WebSocket that was opened with a token', () => {
  let backend: WebSocketBackend;
  let gateway: JwtGateway;

  before(async () => {
    backend = await startWebSocketBackend(() => null);
    gateway = await startJwtGateway({
      answer: '- proxy: [{ action: { serviceEndpoint: live, webSocket: { idleSeconds: 3600 } } }]',
      services: { live: `{ url: "${backend.origin}" }` },
    });
  });
  after(async () => {
    await gateway.close();
    await backend.close();
  });

  const open = (own: Readonly<Record<string, unknown>>) =>
    openWebSocket(`${gateway.origin}/shop/live`, { authorization: `Bearer ${gateway.token(own)}` });

  it('ends when the token ends, and no other does', async () => {
    const short = await open({ exp: Math.floor(gateway.clock.now() / 1_000) + 60 });
    const long = await open({ exp: Math.floor(gateway.clock.now() / 1_000) + 3_600 });
    gateway.clock.advance(71_000);
    await eventually(() => short.closed).equals(REVOKED);
    expect(long.closed).to.equal(null);
    long.socket.close();
    await eventually(() => long.closed !== null).equals(true);
  });

  it('ends when its organization ends', async () => {
    await gateway.organization('org_gone');
    const opened = await open({ org: 'org_gone' });
    await gateway.documents.organizations.remove('org_gone', 'org_gone');
    await eventually(() => opened.closed).equals(REVOKED);
  });
});
