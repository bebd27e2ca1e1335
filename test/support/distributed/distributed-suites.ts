/** Which API suites run over separate processes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { EMBEDDED_SUITES } from './embedded-suites.ts';

const SUITES = join(PACKAGE_ROOT, 'test/routes');

/** Names of the API suites that start their servers by `startTidegate`, which gives them those of the mode. */
export function suitesOfBothModes(): string[] {
  return readdirSync(SUITES)
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => readFileSync(join(SUITES, file), 'utf8').includes('startTidegate'))
    .map((file) => file.replace(/\.test\.ts$/, ''));
}

/** Those that run over separate processes. */
export function distributedSuites(): string[] {
  return suitesOfBothModes().filter((name) => EMBEDDED_SUITES[name] === undefined);
}
