/** Attacks on logins through a whole server with real passwords: an account taken over by an invitation, and a flood from one address. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../../../support/answers.ts';
import { runCli } from '../../../support/run-cli.ts';
import { type Answer, readAnswer, startTidegate, type TestServer } from '../../../support/start-tidegate.ts';
import { until } from '../../../support/until.ts';

const ORIGIN = 'http://localhost:5173';
const VICTIM = 'owner@example.com';
const PASSWORD = 'correct horse';

describe('attacks on logins', () => {
  let server: TestServer;

  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());

  const call = (
    method: string,
    path: string,
    body?: unknown,
    more: { cookie?: string; address?: string } = {},
  ) =>
    server.call(method, path, {
      headers: { origin: ORIGIN, ...(more.cookie && { cookie: more.cookie }) },
      ...(more.address && { address: more.address }),
      ...(body !== undefined && { body }),
    });
  const login = (email: string, password: string) => call('POST', '/v1/auth/login', { email, password });
  const cookieOf = (answer: Answer) =>
    answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  const organizations = ({ body }: Answer): string[] =>
    body.data.organizations.map(({ id }: { id: string }) => id);

  it('by the invitation of another organization give it nothing of the account, whose owner goes on as before', async () => {
    const made = await runCli(
      [
        'users',
        'create',
        '--organization',
        'org_free',
        '--email',
        'mallory@example.com',
        '--role',
        'owner',
        '--json',
      ],
      { DATA_DIR: server.dataDir },
    );
    expect(made.code, made.error).to.equal(0);
    const loggedIn = await login('mallory@example.com', JSON.parse(made.out).data.password);
    expectSuccess(loggedIn);
    const mallory = cookieOf(loggedIn);
    const invitation = { email: VICTIM, role: 'owner' };
    const invited = await call('POST', '/v1/members', invitation, { cookie: mallory });
    expectSuccess(invited, 201);

    // The attacker keeps the token and accepts it itself, with a password of its own.
    const acceptance = { token: invited.body.data.token, name: 'Mallory', password: 'battery staple' };
    const accepted = await call('POST', '/v1/auth/accept', acceptance);
    expectSuccess(accepted);
    expect(organizations(accepted)).to.deep.equal(['org_free']);
    const inside = cookieOf(accepted);
    const switched = await call(
      'POST',
      '/v1/auth/switch',
      { organizationId: 'org_main' },
      { cookie: inside },
    );
    expectError(switched, 403, 'ACCESS_DENIED');
    const change = { current: 'battery staple', new: 'yet another one' };
    expect((await call('POST', '/v1/auth/password', change, { cookie: inside })).status).to.equal(204);

    const own = await login(VICTIM, PASSWORD);
    expectSuccess(own);
    expect(organizations(own)).to.deep.equal(['org_main']);
    expect(own.body.data.user.id).to.not.equal(accepted.body.data.user.id);
    expectSuccess(await call('GET', '/v1/members', undefined, { cookie: cookieOf(own) }));
    const taken = await login(VICTIM, 'yet another one');
    expect(organizations(taken)).to.deep.equal(['org_free']);
  });

  it('from one address at once wait in a short line of its own: 503 beyond it, and others are served', async () => {
    const address = '203.0.113.9';
    const text = JSON.stringify({ email: VICTIM, password: 'wrong horse' });
    let begun = 0;
    let sendEnds = (): void => undefined;
    const ends = new Promise<void>((resolve) => {
      sendEnds = resolve;
    });
    /** All but the end of the body, and the end when all of them are under way: they come at once, however slow the machine is. */
    const heldBack = () => {
      const parts = [text.slice(0, -1), text.slice(-1)].map((part) => new TextEncoder().encode(part));
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            if (parts.length === 1) {
              begun++;
              await ends;
            }
            controller.enqueue(parts.shift());
            if (parts.length === 0) controller.close();
          },
        },
        { highWaterMark: 0 },
      );
    };
    const attempt = async (): Promise<Answer> => {
      const askedMs = Date.now();
      const response = await fetch(`${server.origin}/v1/auth/login`, {
        method: 'POST',
        headers: { origin: ORIGIN, 'content-type': 'application/json', 'x-forwarded-for': address },
        body: heldBack(),
        duplex: 'half',
      } as RequestInit);
      return { ...(await readAnswer(response)), askedMs };
    };
    const flood = Array.from({ length: 28 }, attempt);
    await until('all of them are under way', () => begun === flood.length);
    sendEnds();
    const other = await login(VICTIM, PASSWORD);
    expectSuccess(other);
    const answers = await Promise.all(flood);
    const counts = (status: number) => answers.filter((answer) => answer.status === status);
    for (const answer of counts(401)) expectError(answer, 401, 'AUTH_REQUIRED');
    for (const answer of counts(503)) expectError(answer, 503, 'UPSTREAM_UNAVAILABLE');
    expect(counts(401).length + counts(503).length).to.equal(answers.length);
    // Two run and five wait; while they come in, some end.
    expect(counts(401).length).to.be.within(7, 21);
  });
});
