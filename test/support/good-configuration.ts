/** A small configuration without a fault in a folder of its own, for tests that change it. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import type { Configuration } from '../../gateway/configuration/configuration.ts';
import { ConfigurationError, formatFault } from '../../gateway/configuration/faults.ts';
import { loadConfiguration } from '../../gateway/configuration/load-configuration.ts';
import { createTempDirectory } from './temp-directory.ts';

const VARIABLES = {
  PLUGIN_DIR: join(PACKAGE_ROOT, 'dist/test/gateway/configuration/plugins'),
  TRACKING_URL: 'http://127.0.0.1:4009',
};

export interface GoodConfiguration {
  readonly directory: string;
  /** Writes a file, and the folders that it stands in. */
  write(name: string, text: string): void;
  /** Replaces the first `from` of a file. */
  edit(name: string, from: string, to: string): void;
  /** Reads it with these variables of the environment. */
  load(environment?: Readonly<Record<string, string>>): Promise<Configuration>;
  /** The faults of it, a line each. */
  faults(environment?: Readonly<Record<string, string>>): Promise<string[]>;
  remove(): void;
}

export function createGoodConfiguration(): GoodConfiguration {
  const folder = createTempDirectory();
  cpSync(join(PACKAGE_ROOT, 'test/gateway/configuration/good'), folder.path, { recursive: true });
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(folder.file(name)), { recursive: true });
    writeFileSync(folder.file(name), text);
  };
  const load: GoodConfiguration['load'] = (environment = {}) =>
    loadConfiguration(folder.path, VARIABLES, null, { environment });
  return {
    directory: folder.path,
    write,
    edit(name, from, to) {
      const before = readFileSync(folder.file(name), 'utf8');
      expect(before).to.include(from);
      write(
        name,
        before.replace(from, () => to),
      );
    },
    load,
    async faults(environment) {
      const error = await load(environment).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (error === null) return [];
      if (!(error instanceof ConfigurationError)) throw error;
      return error.faults.map(formatFault);
    },
    remove: () => folder.remove(),
  };
}
