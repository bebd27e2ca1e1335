/** Logs the owner of the tests' organization in, who runs the service too, and makes configurations with numbers of their own. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { expectSuccess } from './answers.ts';
import type { TestServer } from './start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from './temp-directory.ts';

const OWNER = { email: 'owner@example.com', password: 'correct horse' };

/** What a call sends that acts for a session. */
export interface OwnSession {
  readonly headers: Record<string, string>;
}

export async function ownerSession(server: Pick<TestServer, 'call'>): Promise<OwnSession> {
  const headers = { origin: 'http://localhost' };
  const login = await server.call('POST', '/v1/auth/login', { headers, body: OWNER });
  expectSuccess(login);
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return { headers: { ...headers, cookie } };
}

/** The shipped configuration with these entries of `overrides` in plans.yml, each as YAML; to be removed. */
export function configurationWithOverrides(...overrides: readonly string[]): TempDirectory {
  const folder = createTempDirectory();
  cpSync(`${PACKAGE_ROOT}/config`, folder.path, { recursive: true });
  const plans = folder.file('plans.yml');
  const lines = overrides.map((entry) => `  - ${entry}\n`).join('');
  writeFileSync(plans, `${readFileSync(plans, 'utf8')}\noverrides:\n${lines}`);
  return folder;
}
