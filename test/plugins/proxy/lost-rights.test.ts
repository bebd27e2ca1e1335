/** A caller that loses a right loses its open WebSockets and event streams, whether the gateway is told or has to find out. */
import { randomBytes } from 'node:crypto';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { createApiKey } from '../../../services/resources/api-keys/create-api-key.ts';
import { SHIPPED_CATALOGUE } from '../../../services/shared/access/scope-catalogue.ts';
import type { ApiKey } from '../../../services/shared/model/api-key.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import { createIds } from '../../../services/shared/ports/ids.ts';
import { eventually } from '../../support/eventually.ts';
import { withForeignBackends } from '../../support/foreign-backends.ts';
import { startGateway } from '../../support/start-gateway.ts';
import { OWN_ORIGIN, type SessionGateway, startSessionGateway } from '../../support/start-session-gateway.ts';
import type { TempDirectory } from '../../support/temp-directory.ts';
import { startWebSocketBackend, type WebSocketBackend } from '../../support/web-socket-backend.ts';
import { askForWebSocket, type Heard, openWebSocket } from '../../support/web-socket-client.ts';

const REVOKED = { code: 1008, reason: 'the credential no longer counts, or lost a right' };

describe('a caller that loses its right', () => {
  let backend: WebSocketBackend;
  let folder: TempDirectory;
  let gateway: SessionGateway;
  /** Event streams that the backend has begun. */
  const begun: ServerResponse[] = [];

  before(async () => {
    backend = await startWebSocketBackend(
      () => null,
      (_req, res) => {
        res.writeHead(200, { 'content-type': 'Text/Event-Stream; charset=utf-8' });
        res.write('data: 1\n\n');
        begun.push(res);
      },
    );
    const service = [`url: ${backend.origin}`];
    folder = withForeignBackends({ live: { service, proxy: 'webSocket: { idleSeconds: 3600 }' } });
  });
  after(async () => {
    await backend.close();
    folder.remove();
  });

  async function newKey(documents: DocumentStore): Promise<{ secret: string; stored: ApiKey }> {
    const { clock } = gateway;
    const { secret, apiKey } = await createApiKey(
      { documents, clock, ids: createIds(), randomBytes, scopes: () => SHIPPED_CATALOGUE },
      { organizationId: 'org_a', createdBy: 'test', prefix: 'tg' },
      { name: 'live', scopes: ['read:data', 'read:links'], access: { level: 'global' } },
    );
    const stored = await documents.apiKeys.get('org_a', apiKey.id);
    if (stored === null) throw new Error('the key was stored');
    return { secret, stored };
  }

  const open = (headers: Record<string, string>) => openWebSocket(`${gateway.origin}/live`, headers);
  const cookieOf = (cookies: Record<string, string>) => ({
    origin: OWN_ORIGIN,
    cookie: Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; '),
  });

  /** That it carries a message both ways. */
  async function expectOpen({ socket, messages, closed }: Heard): Promise<void> {
    expect(closed).to.equal(null);
    const before = messages.length;
    socket.send('still there');
    await eventually(() => messages.length).equals(before + 1);
  }

  const startIt = async (): Promise<void> => {
    gateway = await startSessionGateway(undefined, undefined, folder.path);
  };

  describe('by its key', () => {
    before(startIt);
    after(() => gateway.close());

    const past = () => new Date(gateway.clock.now() - 1).toISOString();
    const keyChanges: Record<string, () => Partial<ApiKey>> = {
      'is revoked': () => ({ revokedAt: past() }),
      'is disabled': () => ({ enabled: false }),
      expires: () => ({ expiresAt: past() }),
      'loses a scope': () => ({ scopes: ['read:data'] }),
      'is limited to websites': () => ({ access: { level: 'website', websiteIds: ['web_a'] } }),
      'gets another secret': () => ({ keyHash: randomBytes(32).toString('hex') }),
    };
    for (const [what, changes] of Object.entries(keyChanges)) {
      it(`that ${what} loses its WebSockets, and no other does`, async () => {
        const [told, untold] = [await newKey(gateway.own), await newKey(gateway.own)];
        const both = [await open({ 'x-api-key': told.secret }), await open({ 'x-api-key': told.secret })];
        const other = await open({ 'x-api-key': untold.secret });
        const { id, version } = told.stored;
        await gateway.own.apiKeys.update('org_a', id, version, changes());
        for (const each of both) await eventually(() => each.closed).equals(REVOKED);
        await expectOpen(other);
        // As another process writes, whose message is lost.
        await gateway.documents.apiKeys.update('org_a', untold.stored.id, untold.stored.version, changes());
        gateway.clock.advance(2_001);
        await eventually(() => other.closed).equals(REVOKED);
      });
    }

    it('that is disabled in the middle of a frame is cut off', async () => {
      const { secret, stored } = await newKey(gateway.own);
      const opened = await open({ 'x-api-key': secret });
      // The first 3 of 100 bytes.
      backend.sockets.at(-1)?.write(Buffer.from([0x82, 100, 1, 2, 3]));
      await expectHalf(opened);
      await gateway.own.apiKeys.update('org_a', stored.id, stored.version, { enabled: false });
      await eventually(() => opened.closed?.code).equals(1006);
    });

    /** That the gateway has passed the half frame on: an answer to what is sent now stays behind it. */
    async function expectHalf({ socket, messages }: Heard): Promise<void> {
      const bytes = backend.sockets.at(-1);
      let came = 0;
      bytes?.on('data', (chunk: Buffer) => {
        came += chunk.length;
      });
      socket.send('behind it');
      await eventually(() => came > 0).equals(true);
      expect(messages).to.deep.equal([]);
    }

    it('that is revoked loses its event streams, which end in good order here and at the backend', async () => {
      const { secret, stored } = await newKey(gateway.own);
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${gateway.origin}/live/events`, { headers: { 'x-api-key': secret } }, resolve).on(
          'error',
          reject,
        );
      });
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      await eventually(() => text).equals('data: 1\n\n');
      const before = text;
      await gateway.own.apiKeys.update('org_a', stored.id, stored.version, { revokedAt: past() });
      await eventually(() => answer.complete).equals(true);
      await eventually(() => begun.at(-1)?.closed).equals(true);
      expect(text).to.equal(before);
    });
  });

  describe('by its session', () => {
    beforeEach(startIt);
    afterEach(() => gateway.close());

    const sessionChanges: Record<string, (store: DocumentStore, cookies: Record<string, string>) => unknown> =
      {
        'logs out': (_store, cookies) => gateway.call('POST', '/v1/auth/logout', { cookies }),
        'acts for another organization': (_store, cookies) =>
          gateway.call('POST', '/v1/auth/switch', { cookies, body: { organizationId: 'org_b' } }),
        'is no longer a member': (store) => store.memberships.remove('org_a', 'mem_zowner'),
        'has a lower role': async (store) => {
          const { version = 0 } = (await store.memberships.get('org_a', 'mem_zowner')) ?? {};
          await store.memberships.update('org_a', 'mem_zowner', version, { role: 'admin' });
        },
      };
    for (const [what, change] of Object.entries(sessionChanges)) {
      it(`that ${what} loses its WebSockets, and no other does`, async () => {
        const [cookies, others] = [
          await gateway.login('owner@example.com'),
          await gateway.login('admin@example.com'),
        ];
        const [opened, other] = [await open(cookieOf(cookies)), await open(cookieOf(others))];
        await change(gateway.own, cookies);
        await eventually(() => opened.closed).equals(REVOKED);
        await expectOpen(other);
        other.socket.close();
      });
    }

    it('of a member whose removal it is not told loses its WebSockets after a while', async () => {
      const opened = await open(cookieOf(await gateway.login('member@example.com')));
      await gateway.documents.memberships.remove('org_a', 'mem_zmember');
      gateway.clock.advance(2_001);
      await eventually(() => opened.closed).equals(REVOKED);
    });

    it('whose cookie alone is too old keeps its WebSockets as long as it lives', async () => {
      const cookies = await gateway.login('owner@example.com');
      const opened = await open(cookieOf(cookies));
      const hour = 60 * 60_000;
      gateway.clock.advance(hour);
      expect((await askForWebSocket(`${gateway.origin}/live`, cookieOf(cookies))).status).to.equal(401);
      await expectOpen(opened);
      const sessions = await gateway.documents.sessions.all('usr_owner');
      await gateway.documents.sessions.remove('usr_owner', sessions[0]?.id ?? '');
      gateway.clock.advance(hour);
      await eventually(() => opened.closed).equals(REVOKED);
    });
  });

  it('for all that anybody can tell is asked to come again', async () => {
    const alone = await startGateway({ upstream: 'http://127.0.0.1:1', configDir: folder.path });
    const opened = await openWebSocket(`${alone.origin}/live`, { 'x-api-key': alone.key });
    await alone.closeStore();
    await eventually(() => opened.closed).equals({
      code: 1013,
      reason: 'the credential could not be checked',
    });
    await alone.close();
  });
});
