/** Runs kubernetes-validate, which judges files by the published schemas of Kubernetes, and needs no cluster and no network. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../../config/settings.ts';

/** Where the virtual environment of test/config/deploy/requirements.txt is. */
const OWN = join(PACKAGE_ROOT, '.venv/bin/kubernetes-validate');
const INSTALL = 'python3 -m venv .venv && .venv/bin/pip install -r test/config/deploy/requirements.txt';

/** The command, or null when it is not installed. */
function validatorPath(): string | null {
  if (existsSync(OWN)) return OWN;
  const found = spawnSync('which', ['kubernetes-validate'], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.trim() : null;
}

/** Skips the test with its reason printed when there is no kubernetes-validate. */
export function requireValidator(test: { skip(): never }): string {
  const path = validatorPath();
  if (path !== null) return path;
  process.stderr.write(
    `      skipped: it needs kubernetes-validate (${INSTALL}), then npm run test:all runs it\n`,
  );
  return test.skip();
}

export interface Validation {
  /** 0: it found nothing. */
  readonly exitCode: number | null;
  /** A line for each resource, and for each fault. */
  readonly text: string;
}

/** Judges files by the schemas of a version, such as `1.30`; a field that the schemas do not know is a fault. */
export function validateFiles(
  validator: string,
  version: string,
  files: readonly string[],
): Promise<Validation> {
  return new Promise((resolve) => {
    const child = execFile(
      validator,
      ['--strict', '--kubernetes-version', version, ...files],
      (_, out, error) => resolve({ exitCode: child.exitCode, text: `${out}${error}` }),
    );
  });
}
