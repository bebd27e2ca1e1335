/** The goals and funnels of the website that is pictured. */
import type { TestServer } from '../support/start-tidegate.ts';

const page = (value: string) => ({ type: 'page', match: { op: 'eq', value } });
const event = (value: string) => ({ type: 'event', match: { op: 'eq', value } });

const DEFINITIONS = {
  goals: [
    { name: 'Order', ...event('purchase'), revenueProperty: 'value', currency: 'EUR' },
    { name: 'Sign-up', ...event('signup') },
    { name: 'Read the prices', ...page('/pricing') },
  ],
  funnels: [
    {
      name: 'From the home page to an order',
      steps: [page('/'), page('/pricing'), { ...event('purchase'), name: 'Ordered' }],
    },
    {
      name: 'Sign-up within an hour',
      steps: [page('/pricing'), { ...event('signup'), name: 'Signed up' }],
      ...{ windowSeconds: 3_600, exclude: event('cancel') },
    },
  ],
};

/** Makes them as somebody who is logged in does. */
export async function makeDefinitions(
  server: Pick<TestServer, 'call' | 'origin'>,
  user: { readonly email: string; readonly password: string },
  websiteId: string,
): Promise<void> {
  const origin = { origin: server.origin };
  const login = await server.call('POST', '/v1/auth/login', { body: user, headers: origin });
  const cookie = login.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  for (const [kind, all] of Object.entries(DEFINITIONS)) {
    for (const fields of all) {
      const body = { websiteId, ...fields };
      const headers = { ...origin, cookie };
      const made = await server.call('POST', `/v1/${kind}`, { body, headers });
      if (made.status !== 201) throw new Error(`${fields.name}: ${JSON.stringify(made.body)}`);
    }
  }
}
