/** Which suites of the dashboard in a browser run over separate processes: most of them by a command of their own, a few in each run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../../config/settings.ts';

const FOLDER = 'test/services/dashboard/client';

/** Journeys that every part of the system takes part in: logging in, a key, numbers, links, flags, and what happens now. */
export const TELLING_JOURNEYS = [
  `${FOLDER}/screens/login/login-form.system.test.ts`,
  `${FOLDER}/screens/keys/new-key.system.test.ts`,
  `${FOLDER}/screens/overview/overview-numbers.system.test.ts`,
  `${FOLDER}/screens/links/links-screen.system.test.ts`,
  `${FOLDER}/screens/flags/flags-screen.system.test.ts`,
  `${FOLDER}/screens/now/now-screen.system.test.ts`,
] as const;

/** Suites that only an embedded server can run, each with the reason. */
export const EMBEDDED_JOURNEYS: Readonly<Record<string, string>> = {
  [`${FOLDER}/session-attacks.system.test.ts`]: 'moves the clock',
  [`${FOLDER}/exports/export-acts.system.test.ts`]: 'starts with events in the files of the stores',
  [`${FOLDER}/screens/platform/platform-screen.system.test.ts`]:
    'looks for its own process among the gateways',
  [`${FOLDER}/screens/requests/requests-screen.system.test.ts`]:
    'counts every request, and processes that suites share write those of the suite before some seconds later',
};

/** All that start their server by `useDashboard`, which gives them that of the mode, and that separate processes can run. */
export function dashboardSuites(): string[] {
  return readdirSync(join(PACKAGE_ROOT, FOLDER), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.system.test.ts'))
    .map((file) => `${FOLDER}/${file.replaceAll('\\', '/')}`)
    .filter((path) =>
      /\b(?:useDashboard|describeLooks)\(/.test(readFileSync(join(PACKAGE_ROOT, path), 'utf8')),
    )
    .filter((path) => EMBEDDED_JOURNEYS[path] === undefined)
    .sort();
}
