/** Runs schemathesis, which makes requests out of an OpenAPI document and judges the answers by it. */
import { spawn, spawnSync } from 'node:child_process';
import { createReadStream, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

/** Where the virtual environment of test/fuzz/requirements.txt is. */
const OWN = join(PACKAGE_ROOT, '.venv/bin/schemathesis');
const INSTALL = 'python3 -m venv .venv && .venv/bin/pip install -r test/fuzz/requirements.txt';

/** The command, or null when it is not installed. */
function schemathesisPath(): string | null {
  if (existsSync(OWN)) return OWN;
  const found = spawnSync('which', ['schemathesis'], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.trim() : null;
}

/** Skips the suite with its reason printed when there is no schemathesis. */
export function requireSchemathesis(suite: { skip(): never }): void {
  if (schemathesisPath() !== null) return;
  process.stderr.write(`      skipped: it needs schemathesis (${INSTALL}), then npm run test:all runs it\n`);
  suite.skip();
}

export interface FuzzRun {
  /** Of the server; its document is at /openapi.json. */
  readonly origin: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of examples, coverage, fuzzing and stateful. */
  readonly phases: readonly string[];
  /** Most generated requests of an operation and phase; coverage knows no bound but the schemas. */
  readonly examples: number;
  /** Null: the same requests each time. */
  readonly seed: number | null;
  /** Fuzzing goes on until this many seconds have passed; absent: `examples` bounds it. */
  readonly maxSeconds?: number;
  /** Further options, such as `--exclude-tag`. */
  readonly options: readonly string[];
  /** Its configuration file (TOML), besides what all runs share. */
  readonly configuration: string;
  /** After which it is ended, in milliseconds. */
  readonly timeoutMs: number;
}

/** One answer. */
export interface Interaction {
  /** `GET /path` as the document has it. */
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: readonly string[];
}

export interface FuzzReport {
  /** 0: it found nothing. */
  readonly exitCode: number | null;
  /** What it printed. */
  readonly output: string;
  readonly interactions: readonly Interaction[];
}

/**
 * Every check but one: that all valid data is accepted is no promise, since a valid request may name what does not exist.
 * Any status from 400 to 499 refuses invalid data, such as 413.
 */
const CHECKS = ['--checks', 'all', '--exclude-checks', 'positive_data_acceptance'];
const CONFIGURATION = '[checks]\nnegative_data_rejection.expected-statuses = ["4xx"]\n';

/** @throws Error when it is not installed, or did not end in time */
export async function runSchemathesis(run: FuzzRun): Promise<FuzzReport> {
  const command = schemathesisPath();
  if (command === null) throw new Error(`schemathesis is missing: ${INSTALL}`);
  const folder = createTempDirectory();
  try {
    const configuration = join(folder.path, 'schemathesis.toml');
    writeFileSync(configuration, `${CONFIGURATION}${run.configuration}`);
    const report = join(folder.path, 'report.ndjson');
    const options = ['--config-file', configuration, 'run', `${run.origin}/openapi.json`, ...CHECKS];
    options.push('--phases', run.phases.join(), '--max-examples', `${run.examples}`);
    options.push(...(run.seed === null ? ['--generation-deterministic'] : ['--seed', `${run.seed}`]));
    if (run.maxSeconds !== undefined) options.push('--max-time', `${run.maxSeconds}`);
    options.push('--generation-with-security-parameters', 'false', '--no-color', '--continue-on-failure');
    options.push('--report', 'ndjson', '--report-ndjson-path', report, ...run.options);
    for (const [name, value] of Object.entries(run.headers)) options.push('-H', `${name}: ${value}`);
    const { exitCode, output } = await execute(command, options, folder.path, run.timeoutMs);
    return { exitCode, output, interactions: existsSync(report) ? await readInteractions(report) : [] };
  } finally {
    folder.remove();
  }
}

function execute(
  command: string,
  options: readonly string[],
  cwd: string,
  timeout: number,
): Promise<Pick<FuzzReport, 'exitCode' | 'output'>> {
  const env = { PATH: process.env.PATH, HOME: cwd };
  const child = spawn(command, options, { cwd, env, timeout, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const take = (chunk: Buffer): void => {
    output += chunk;
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => {
      if (signal === null) resolve({ exitCode, output });
      else reject(new Error(`schemathesis was ended by ${signal} after ${timeout} ms: ${output}`));
    });
  });
}

/** What a line of the report holds, of those that tell of answers. */
interface ReportLine {
  readonly ScenarioFinished?: {
    readonly recorder: {
      readonly label: string;
      readonly interactions?: Readonly<Record<string, ReportedInteraction>>;
    };
  };
}

interface ReportedInteraction {
  readonly request: { readonly method: string };
  readonly response?: {
    readonly status_code: number;
    readonly headers: Readonly<Record<string, unknown>>;
  };
}

async function readInteractions(report: string): Promise<Interaction[]> {
  const found: Interaction[] = [];
  for await (const line of createInterface({ input: createReadStream(report) })) {
    const { ScenarioFinished: scenario } = JSON.parse(line) as ReportLine;
    for (const { request, response } of Object.values(scenario?.recorder.interactions ?? {})) {
      if (!response) continue;
      found.push({
        operation: scenario?.recorder.label ?? '',
        method: request.method,
        status: response.status_code,
        headers: Object.keys(response.headers).map((name) => name.toLowerCase()),
      });
    }
  }
  return found;
}
