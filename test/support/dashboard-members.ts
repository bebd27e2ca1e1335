/** People of other roles for the dashboard's tests, invited by the owner and joined as people join. */
import { expectSuccess } from './answers.ts';
import { OWNER } from './dashboard.ts';
import type { TestServer } from './start-tidegate.ts';

let invited = 0;

/** Email and password of a new member of `org_main`. */
export async function addMember(
  server: TestServer,
  role: 'admin' | 'member' | 'viewer',
): Promise<typeof OWNER> {
  const user = { email: `${role}${++invited}@example.com`, password: 'battery staple' };
  const origin = { origin: server.origin };
  const login = await server.call('POST', '/v1/auth/login', { body: OWNER, headers: origin });
  expectSuccess(login, 200);
  const cookie = login.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const body = { email: user.email, role };
  const invitation = await server.call('POST', '/v1/members', { body, headers: { ...origin, cookie } });
  expectSuccess(invitation, 201);
  const { token } = invitation.body.data;
  const accepting = { token, name: role, password: user.password };
  expectSuccess(await server.call('POST', '/v1/auth/accept', { body: accepting, headers: origin }), 200);
  return user;
}
