/** What crawls over every route share: the routes of the shipped configuration, who may ask them, and what each answer shows. */
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import type { ApiEndpoint, Configuration } from '../../gateway/configuration/configuration.ts';
import { loadConfiguration } from '../../gateway/configuration/load-configuration.ts';
import { configurationVariables } from '../../gateway/process/reload/configuration-variables.ts';
import type { LimitedGateway } from './start-limited-gateway.ts';
import type { Answer, CallOptions } from './start-tidegate.ts';

export const OWN_ORIGIN = 'http://localhost';

export interface Route {
  readonly endpoint: ApiEndpoint;
  readonly method: string;
  readonly path: string;
  /** What every path begins with that the endpoint answers besides; null: it answers this one. */
  readonly below: string | null;
  readonly isProxied: boolean;
  /** Whether the gateway waits for the whole body before it asks anybody. */
  readonly readsWhole: boolean;
}

/** The routes of the shipped configuration. */
export async function shippedRoutes(): Promise<Route[]> {
  const variables = { query: 'http://q.test', tracking: 'http://t.test', resources: 'http://r.test' };
  return routesOf(await loadConfiguration(join(PACKAGE_ROOT, 'config'), configurationVariables(variables)));
}

/** Asserts the triple at an instant of the gateway's clock; `limit` is the one that it must show. */
export function expectTripleAt(
  nowMs: number,
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  limit: number,
  what: string,
): void {
  const text = (name: string) => headers.get(`x-ratelimit-${name}`) ?? 'missing';
  for (const name of ['limit', 'remaining', 'reset']) expect(text(name), `${what} ${name}`).to.match(/^\d+$/);
  expect(Number(text('limit')), what).to.equal(limit);
  expect(Number(text('remaining')), what).to.be.within(0, limit);
  expect(Number(text('reset')) * 1000, what).to.be.within(nowMs + 1, nowMs + 61_000);
  if (status === 429) expect(text('remaining'), what).to.equal('0');
}

/** Makes an owner of this organization, who runs the service, and logs in where {@link credentialFor} needs a session. */
export async function addOwner({ documents }: LimitedGateway, organizationId: string): Promise<void> {
  const user = {
    id: 'usr_a',
    organizationId: 'usr_a',
    email: 'a@example.com',
    home: '*',
    passwordHash: 'hash',
    isOperator: true,
  };
  await documents.users.insert(user);
  await documents.memberships.insert({ id: 'mem_a', organizationId, userId: 'usr_a', role: 'owner' });
}

/** What a caller who may ask sends. */
export async function credentialFor(
  gateway: LimitedGateway,
  { endpoint }: Route,
  key: string,
): Promise<CallOptions> {
  if (endpoint.access === 'public') return {};
  if (endpoint.access === 'scoped' || endpoint.access === 'keyless') return { key };
  const body = { email: 'a@example.com', password: 'right' };
  const headers = { origin: OWN_ORIGIN };
  const login = await gateway.call('POST', '/v1/auth/login', { body, headers });
  expect(login.status).to.equal(200);
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return { headers: { ...headers, cookie } };
}

/** Limits that stand beside the public one and admit more. */
const BESIDES_PUBLIC = ['share', 'share-datasets', 'share-unlock'];

/** The limit that such a caller is shown. */
export function limitFor({ endpoint }: Route, ofOrganization: number): number {
  if (endpoint.plan === 'none') return 60;
  if (endpoint.access !== 'public') return ofOrganization;
  return endpoint.limits.some((name) => !BESIDES_PUBLIC.includes(name)) ? 30 : 100;
}

/** Every method and path that the configuration serves, HEAD with GET, save the catch-all. */
function routesOf({ endpoints, pipelines }: Configuration): Route[] {
  return endpoints
    .filter(({ paths }) => !paths.includes('/*'))
    .flatMap((endpoint) => {
      const steps = pipelines.find(({ name }) => name === endpoint.pipeline)?.steps ?? [];
      const readsWhole =
        endpoint.cost === 'body' ||
        steps.some(({ policy, parameters }) => policy === 'body' && parameters.read === 'whole');
      const isProxied = steps.some(({ policy }) => policy === 'proxy');
      const methods: string[] = [...(endpoint.methods ?? [])];
      if (methods.includes('GET') && !methods.includes('HEAD')) methods.push('HEAD');
      return endpoint.paths.flatMap((path) =>
        methods.map((method) => ({
          endpoint,
          method,
          path: path.replace(':id', 'x1').replace(':slug', 'abc').replace('/*', '/x1'),
          below: path.endsWith('/*') ? path.slice(0, -1) : null,
          isProxied,
          readsWhole,
        })),
      );
    });
}
