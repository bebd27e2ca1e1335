/** The variables that a configuration may use: the folders of plugins and dashboard, and the addresses of the services. */
import { resolve } from 'node:path';
import { BUILT_DASHBOARD } from '../../../config/settings.ts';
import { SERVICES, type ServiceName } from '../../../services/shared/identity/identity-token.ts';

/** Where the build puts the page of shares. */
export const BUILT_SHARE = resolve(import.meta.dirname, '../../../services/dashboard/share');

/**
 * `PLUGIN_DIR`, the folder of the plugins that come with Tidegate; `DASHBOARD_DIR`, that of the dashboard; `SHARE_DIR`, that of the page of shares; and `QUERY_URL`, `TRACKING_URL`, `RESOURCES_URL`, each
 * with all addresses of its service, comma-separated.
 */
export function configurationVariables(
  urls: Readonly<Record<ServiceName, string | readonly string[]>>,
  dashboardDir: string = BUILT_DASHBOARD,
): Record<string, string> {
  return {
    PLUGIN_DIR: resolve(import.meta.dirname, '../../../plugins'),
    DASHBOARD_DIR: dashboardDir,
    SHARE_DIR: BUILT_SHARE,
    ...Object.fromEntries(
      SERVICES.map((name) => [`${name.toUpperCase()}_URL`, [urls[name]].flat().join(',')]),
    ),
  };
}

/**
 * The addresses of services as far as the settings name them. A command that checks a configuration without a server uses
 * placeholders for the others: names that no backend can have (RFC 2606). A service that its gateway calls keeps them.
 */
export function unstartedServiceUrls(
  urls: Readonly<Record<ServiceName, readonly string[]>>,
): Record<ServiceName, readonly string[]> {
  const each = SERVICES.map((name) => {
    const own = urls[name];
    return [name, own.length > 0 ? own : [UNSTARTED_SERVICE_URLS[name]]];
  });
  return Object.fromEntries(each) as Record<ServiceName, readonly string[]>;
}

/** Placeholders for all services. */
export const UNSTARTED_SERVICE_URLS: Readonly<Record<ServiceName, string>> = {
  query: 'http://query.invalid',
  tracking: 'http://tracking.invalid',
  resources: 'http://resources.invalid',
};
