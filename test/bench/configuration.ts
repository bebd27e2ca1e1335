/** How long a large configuration takes: `tidegate check` of it as a command, and reading it anew in a running process. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { CONFIGURATION_FILES, loadConfiguration } from '../../gateway/configuration/load-configuration.ts';
import {
  configurationVariables,
  UNSTARTED_SERVICE_URLS,
} from '../../gateway/process/reload/configuration-variables.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

/** Endpoints of one included file. */
const PER_TEAM = 50;
const ROUNDS = 5;
const COMMAND = join(PACKAGE_ROOT, 'dist/gateway/cli/main.js');

/** The shipped files, and `routes` more endpoints in files of teams. */
function writeLarge(directory: string, routes: number): void {
  for (const name of CONFIGURATION_FILES) cpSync(join(PACKAGE_ROOT, 'config', name), join(directory, name));
  const root = join(directory, 'gateway.config.yml');
  writeFileSync(root, `include: teams\n${readFileSync(root, 'utf8')}`);
  mkdirSync(join(directory, 'teams'));
  for (let team = 0; team < routes / PER_TEAM; team++) {
    writeFileSync(join(directory, `teams/team${team}.yml`), teamFile(`team${team}`));
  }
}

function teamFile(team: string): string {
  const names = Array.from({ length: PER_TEAM }, (_, index) => `${team}-${index}`);
  const endpoints = names.map(
    (name, index) => `  ${name}:
    paths: [/${team}/r${index}, "/${team}/r${index}/:id"]
    methods: [GET, POST]
    scopes: [read:data]
`,
  );
  return `apiEndpoints:
${endpoints.join('')}serviceEndpoints:
  ${team}: { url: "http://${team}.invalid:4000" }
pipelines:
  ${team}:
    apiEndpoints: [${names.join(', ')}]
    policies:
      - auth:
      - body:
      - scopes:
      - rate-limit:
      - proxy:
          - action: { serviceEndpoint: ${team} }
`;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return Math.round(performance.now() - start);
}

async function measure(routes: number): Promise<Record<string, number>> {
  const folder = createTempDirectory();
  try {
    writeLarge(folder.path, routes);
    const command = await timed(() => promisify(execFile)(process.execPath, [COMMAND, 'check', folder.path]));
    const variables = configurationVariables(UNSTARTED_SERVICE_URLS);
    const read = () => loadConfiguration(folder.path, variables);
    await read();
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await timed(read));
    delays.disable();
    rounds.sort((a, b) => a - b);
    return {
      routes,
      'check, the command, ms': command,
      'read anew, median ms': rounds[Math.floor(ROUNDS / 2)] ?? 0,
      'longest stall of the event loop, ms': Math.round(delays.max / 1e6),
    };
  } finally {
    folder.remove();
  }
}

const sizes = process.argv.slice(2).map(Number);
const rows: Record<string, number>[] = [];
for (const routes of sizes.length > 0 ? sizes : [PER_TEAM, 1_000, 5_000]) rows.push(await measure(routes));
console.table(rows);
