/** Every route of every service and of the gateway's own plugins, and the document made of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { accessCookieName } from '../../../plugins/auth/session/cookies.ts';
import { authRoutes } from '../../../plugins/auth/session/routes.ts';
import { jwksRoutes } from '../../../plugins/jwks/routes.ts';
import { openapiRoutes } from '../../../plugins/openapi/routes.ts';
import { platformRoutes } from '../../../plugins/platform/routes.ts';
import { usageRoutes } from '../../../plugins/rate-limit/routes.ts';
import { queryRoutes } from '../../../services/query/routes.ts';
import { resourcesRoutes } from '../../../services/resources/routes.ts';
import { isDevelopment, type OwnDomains } from '../../../services/shared/access/origin-rule.ts';
import type { RouteDescription } from '../../../services/shared/http/route.ts';
import { trackingRoutes } from '../../../services/tracking/routes.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { openApiDocument } from '../../openapi/document.ts';
import { healthRoutes } from '../../serve/health-routes.ts';

/** The routes of the whole API. */
export const API_ROUTES: readonly RouteDescription[] = [
  ...trackingRoutes,
  ...queryRoutes,
  ...resourcesRoutes,
  ...authRoutes,
  ...openapiRoutes,
  ...jwksRoutes,
  ...usageRoutes,
  ...platformRoutes,
];

/** The OpenAPI document of what `configuration` serves for these domains, as JSON text, with the version of the package. */
export function apiDescription(configuration: Configuration, domains: OwnDomains): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const sessionCookie = accessCookieName(!isDevelopment(domains));
  return JSON.stringify(
    openApiDocument({ routes: API_ROUTES, ownRoutes: healthRoutes, configuration, version, sessionCookie }),
  );
}
