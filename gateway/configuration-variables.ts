/** The variables that a configuration may use: where the plugins lie and where the services listen. */
import { resolve } from 'node:path';
import { SERVICES, type ServiceName } from '../services/shared/identity/identity-token.ts';

/**
 * `PLUGIN_DIR`, the folder of the plugins that come with Tidegate, and `QUERY_URL`, `TRACKING_URL`, `RESOURCES_URL`, each
 * with all addresses of its service, comma-separated.
 */
export function configurationVariables(
  urls: Readonly<Record<ServiceName, string | readonly string[]>>,
): Record<string, string> {
  return {
    PLUGIN_DIR: resolve(import.meta.dirname, '../plugins'),
    ...Object.fromEntries(
      SERVICES.map((name) => [`${name.toUpperCase()}_URL`, [urls[name]].flat().join(',')]),
    ),
  };
}

/** Stand-ins for commands that judge a configuration without a server: the embedded services take free ports at start. */
export const UNSTARTED_SERVICE_URLS: Readonly<Record<ServiceName, string>> = {
  query: 'http://query.localhost',
  tracking: 'http://tracking.localhost',
  resources: 'http://resources.localhost',
};
