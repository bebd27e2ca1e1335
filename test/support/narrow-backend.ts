/** The shipped configuration with a backend of few turns: one that is asked over a connection, or a service of ours that may be called. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withForeignBackends } from './foreign-backends.ts';
import type { TempDirectory } from './temp-directory.ts';
import { balancedConfiguration } from './upstream-service.ts';

export interface NarrowBackend {
  readonly folder: TempDirectory;
  /** Its serviceEndpoint. */
  readonly name: string;
  /** Where it answers GET and POST. */
  readonly path: string;
}

/** `service`: lines of its service endpoint, with its `url`; absent: it is the service at RESOURCES_URL. `proxy`: parameters of its proxy step. */
export function narrowBackend(
  proxy: string,
  service: readonly string[] | null,
  settings: string,
): NarrowBackend {
  if (service !== null) {
    const folder = withForeignBackends({ held: { service: [...service, settings], proxy } });
    return { folder, name: 'held', path: '/held' };
  }
  const folder = balancedConfiguration(settings);
  const file = folder.file('gateway.config.yml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll('serviceEndpoint: resources', `serviceEndpoint: resources, ${proxy}`));
  return { folder, name: 'resources', path: '/v1/websites' };
}
