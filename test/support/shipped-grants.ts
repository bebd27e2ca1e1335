/** What the endpoints of the shipped configuration grant, for tests that play the gateway towards a service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import type { ApiEndpoint } from '../../gateway/configuration/configuration.ts';
import { OWN_ROUTES, openedRoutes } from '../../gateway/configuration/own-routes.ts';
import { matches, parsePath } from '../../gateway/configuration/path-patterns.ts';
import { type Grant, grantSchema } from '../../services/shared/access/grant.ts';
import { routeName } from '../../services/shared/http/route.ts';
import { SERVICES, type ServiceName } from '../../services/shared/identity/identity-token.ts';

interface Written {
  readonly paths: string | readonly string[];
  readonly methods?: string | readonly string[];
  readonly access?: Grant['access'];
  readonly scopes?: readonly string[];
  readonly scopesUnder?: Grant['scopesUnder'];
  readonly roles?: readonly string[];
}

let read: ReadonlyMap<ServiceName, readonly Grant[]> | undefined;

function grantsOf(service: ServiceName): readonly Grant[] {
  read ??= readGrants();
  return read.get(service) ?? [];
}

function readGrants(): ReadonlyMap<ServiceName, readonly Grant[]> {
  const file = readFileSync(join(PACKAGE_ROOT, 'config/gateway.config.yml'), 'utf8');
  const { apiEndpoints } = parse(file) as { apiEndpoints: Readonly<Record<string, Written>> };
  const listed = (one: string | readonly string[] | undefined) => (one === undefined ? null : [one].flat());
  const ofService = (service: ServiceName): Grant[] =>
    Object.entries(apiEndpoints).map(([endpoint, { scopes = [], roles = [], scopesUnder, ...rule }]) => {
      const paths = listed(rule.paths) ?? [];
      const methods = listed(rule.methods) as ApiEndpoint['methods'];
      const { routes } = openedRoutes({ paths, methods }, service);
      const access = rule.access ?? 'scoped';
      return grantSchema.parse({
        endpoint,
        access,
        scopes,
        roles,
        routes,
        ...(scopesUnder && { scopesUnder }),
      });
    });
  return new Map(SERVICES.map((service) => [service, ofService(service)]));
}

/** A grant of nothing: no endpoint leads there. */
export const NO_GRANT: Grant = { endpoint: 'none', access: 'optional', scopes: [], roles: [], routes: [] };

/** What the endpoint grants through which a request of this method and target reaches the service. */
export function shippedGrant(service: ServiceName, method: string, target: string): Grant {
  const path = target.replace(/[?#].*$/, '');
  const asked = method === 'HEAD' ? 'GET' : method;
  const route = OWN_ROUTES[service]
    .filter((one) => one.method === asked && matches(parsePath(one.path), path))
    .sort((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')))[0];
  const name = route && routeName(route);
  return grantsOf(service).find(({ routes }) => routes.some((one) => one === name)) ?? NO_GRANT;
}
