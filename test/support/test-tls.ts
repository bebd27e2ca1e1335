/** The certificates and keys of tests; their README says which is which. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../config/settings.ts';

const FOLDER = join(PACKAGE_ROOT, 'test/support/tls');

export const TEST_TLS = {
  path: (name: string): string => join(FOLDER, name),
  read: (name: string): string => readFileSync(join(FOLDER, name), 'utf8'),
};
