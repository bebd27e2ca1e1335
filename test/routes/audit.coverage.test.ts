/** Every write route of the services leaves exactly one audit record: who, what, from where, and which fields, never their values. */
import { expect } from 'chai';
import { API_ROUTES } from '../../gateway/process/compose/api-description.ts';
import { expectSuccess } from '../support/answers.ts';
import { AUDITED_WRITES as NAMED_WRITES } from '../support/audited-writes.ts';
import { type CallOptions, startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { RESOURCE_WRITES } from '../support/stored-resources.ts';

/** A stored thing without lines of its own is written as its examples say. */
const AUDITED_WRITES = { ...RESOURCE_WRITES, ...NAMED_WRITES };

const ORIGIN = 'http://localhost:5173';
const ADDRESS = '203.0.113.9';

const writes = API_ROUTES.filter(({ path, audit }) => audit !== undefined && !path.startsWith('/v1/auth/'));

describe('the audit of writes', () => {
  let server: TestServer;
  let cookie: string;

  before(async () => {
    server = await startTidegate();
    const body = { email: 'owner@example.com', password: 'correct horse' };
    const login = await server.call('POST', '/v1/auth/login', { headers: { origin: ORIGIN }, body });
    expectSuccess(login);
    cookie = login.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  });
  after(() => server.close());

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const options: CallOptions = { headers: { origin: ORIGIN, cookie, ...headers }, address: ADDRESS };
    return server.call(method, path, body === undefined ? options : { ...options, body });
  };
  async function records() {
    const answer = await call('GET', '/v1/audit?limit=100');
    expectSuccess(answer);
    return answer.body.data;
  }

  /** Accepts an invitation. @returns the identifier of the new member */
  async function accept(token: string, email: unknown): Promise<string> {
    const headers = { origin: ORIGIN };
    const body = { token, name: 'Audited', password: 'battery staple' };
    expectSuccess(await server.call('POST', '/v1/auth/accept', { headers, body }));
    const members = (await call('GET', `/v1/members?search=${email}`)).body.data;
    return members[0].id;
  }

  it('has a call of every route that is audited', () => {
    const routes = writes.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(AUDITED_WRITES)).to.have.members(routes);
  });

  it('misses no route that changes something but the ingest of events', () => {
    const unaudited = API_ROUTES.filter(({ method, audit }) => method !== 'GET' && audit === undefined);
    const paths = unaudited.map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('/v1/'))).to.have.members([
      ...['/v1/query', '/v1/query/compile', '/v1/query/custom'],
      ...['/v1/auth/refresh', '/v1/auth/invitation'],
    ]);
  });

  for (const { method, path, audit } of writes) {
    const write = AUDITED_WRITES[`${method} ${path}`];
    if (write === undefined) continue;
    it(`${method} ${path} leaves one record ${audit}`, async () => {
      const given = write.given && (await call('POST', write.given.path, write.given.body));
      const bodyOf = (body: unknown) =>
        given ? JSON.parse(JSON.stringify(body ?? null).replace(':given', given.body.data.id)) : body;
      const made = write.of && (await call('POST', write.of.path, bodyOf(write.of.body)));
      if (made) expectSuccess(made, write.of?.path === '/track' ? 200 : 201);
      const id = write.accepted
        ? await accept(made?.body.data.token, Object(write.of?.body).email)
        : (made?.body.data?.id ?? '');
      const before = await records();
      const answer = await call(method, write.path.replace(':id', id), bodyOf(write.body) ?? undefined, {
        'x-request-id': `audit-of-${audit}`,
      });
      expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 299);
      const after = await records();
      expect(after).to.have.length(before.length + 1);
      const [record] = after;
      expect(record).to.include({ action: audit, address: ADDRESS, requestId: `audit-of-${audit}` });
      expect(record.actor.kind).to.equal('session');
      expect(record.targetId).to.be.a('string').and.not.equal('');
      if (id !== '') expect(record.targetId).to.equal(id);
      expect(JSON.stringify(record)).to.not.match(/kept-secret|audited@example|reset@example/);

      // What is refused leaves none.
      const unknown = write.refused ?? write.path.replace(':id', 'none_1');
      const refused = await call(method, unknown, { nonsense: true });
      expect(refused.status).to.be.within(400, 499);
      expect(await records()).to.have.length(after.length);
    });
  }
});
