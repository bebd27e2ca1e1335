/** The contract of the management endpoints through the whole server: what everybody but a session of an owner or admin gets. */
import { bodyEnvelopeCases, type RouteCase, sessionRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const MIB = 1024 * 1024;
const KEY = { name: 'Server', scopes: ['track:events'], access: { level: 'global' } };

const ROUTES: readonly RouteCase[] = [
  { method: 'GET', path: '/v1/api-keys', wrongMethods: ['PUT', 'PATCH', 'DELETE'] },
  { method: 'POST', path: '/v1/api-keys', body: KEY, wrongMethods: ['PUT'] },
  { method: 'GET', path: '/v1/api-keys/key_read', wrongMethods: ['POST', 'PUT', 'DELETE'] },
  { method: 'PATCH', path: '/v1/api-keys/key_read', body: { enabled: false }, wrongMethods: ['PUT'] },
  {
    method: 'POST',
    path: '/v1/api-keys/key_read/rotate',
    body: { graceSeconds: 0 },
    wrongMethods: ['GET', 'PATCH'],
  },
  { method: 'POST', path: '/v1/api-keys/key_read/revoke', wrongMethods: ['GET', 'DELETE'] },
  { method: 'GET', path: '/v1/members', wrongMethods: ['PUT', 'DELETE'] },
  {
    method: 'POST',
    path: '/v1/members',
    body: { email: 'grace@example.com', role: 'owner' },
    wrongMethods: ['PATCH'],
  },
  { method: 'GET', path: '/v1/members/mem_1', wrongMethods: ['POST', 'PUT'] },
  { method: 'PATCH', path: '/v1/members/mem_1', body: { role: 'owner' }, wrongMethods: ['POST'] },
  { method: 'DELETE', path: '/v1/members/mem_1', wrongMethods: ['PUT'] },
  { method: 'GET', path: '/v1/audit', wrongMethods: ['POST', 'DELETE'] },
];

describe('the contract of the management endpoints', () => {
  let started: TestServer;
  const server = () => started;

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  for (const route of ROUTES) {
    describe(`${route.method} ${route.path}`, () => {
      sessionRouteCases(server, route);
      if (route.body !== undefined)
        bodyEnvelopeCases(server, route, { maxBytes: MIB, acceptsText: false, streamed: true });
    });
  }
});
