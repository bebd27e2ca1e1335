/** Fuzzes the running gateway by its own description: as a key, as a session, and as nobody. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import {
  type Document,
  type Operation,
  operationsOf,
  type Response,
  resolved,
} from '../support/shipped-description.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import {
  type FuzzReport,
  type FuzzRun,
  type Interaction,
  requireSchemathesis,
  runSchemathesis,
} from './schemathesis.ts';

/** How hard to try. */
export interface Effort extends Pick<FuzzRun, 'examples' | 'seed' | 'timeoutMs' | 'maxSeconds'> {
  /** Whether coverage tries everything as every caller: the events' fields alone make thousands of requests. */
  readonly coversAll: boolean;
  /** The fewest answers that each caller must have got. */
  readonly atLeast: number;
}

/** Headers of the connection, of negotiation and of CORS, which no operation describes. */
const TRANSPORT =
  /^(?:date|connection|keep-alive|content-(?:type|length|encoding)|transfer-encoding|vary|access-control-.*)$/;
const ORIGIN = 'http://localhost';
const ALL_PHASES = ['examples', 'coverage', 'fuzzing', 'stateful'];
/** What no key may ask. */
const SESSION_ONLY = ['auth', 'api-keys', 'members', 'audit'];
const WITHOUT_TRACKING = '[[operations]]\ninclude-tag = "tracking"\nphases.coverage.enabled = false\n';
/** The many fields of its body make thousands of requests for each operation that takes it. */
const WITHOUT_QUERY_BODY =
  '[[operations]]\ninclude-path-regex = "^/v1/query(?:/compile)?$|^/public/v1/shares/[^/]+/query$"\nphases.coverage.enabled = false\n';
/** The key's run covers the rest, by the same routes: here it is fuzzed alone. */
const SESSION_ONLY_COVERED = `[[operations]]\nexclude-tag = ${JSON.stringify(SESSION_ONLY)}\nphases.coverage.enabled = false\n`;
/** Their longest parameters together exceed a request target: 414, before anybody looks at the method. */
const LONG_TARGETS =
  '[[operations]]\ninclude-path-regex = "^/public/v1/flags/"\nphases.coverage.unexpected-methods = []\n';

export function fuzzSuite(effort: Effort): void {
  let server: TestServer | undefined;
  let folder: TempDirectory | undefined;
  let operations: ReadonlyMap<string, Operation>;
  let document: Document;

  before(async function () {
    requireSchemathesis(this);
    folder = createTempDirectory();
    server = await startTidegate({ configDir: configurationWithoutLimits(folder.path) });
    document = (await server.call('GET', '/openapi.json')).body as Document;
    operations = operationsOf(document);
  });
  after(async () => {
    await server?.close();
    folder?.remove();
  });

  /** `uncovered`: configuration of what coverage leaves out in a bounded run. */
  async function fuzz(
    run: Pick<FuzzRun, 'headers' | 'options' | 'phases'>,
    uncovered = '',
  ): Promise<FuzzReport> {
    if (!server) throw new Error('the server did not start');
    const { coversAll, atLeast: _, ...bounds } = effort;
    const configuration = coversAll ? LONG_TARGETS : LONG_TARGETS + uncovered;
    return runSchemathesis({ origin: server.origin, configuration, ...bounds, ...run });
  }

  /** Nothing was found, enough was asked, and no header came that the document does not name. */
  function expectNothing({ exitCode, output, interactions }: FuzzReport): void {
    if (exitCode !== 0) throw new Error(`schemathesis ended with ${exitCode}:\n${output}`);
    expect(interactions.length).to.be.at.least(effort.atLeast);
    expect(interactions.filter(({ status }) => status >= 500)).to.deep.equal([]);
    expect([...new Set(interactions.flatMap(strangeHeaders))]).to.deep.equal([]);
    process.stderr.write(`      ${interactions.length} requests\n`);
  }

  function strangeHeaders({ operation: name, method, status, headers }: Interaction): string[] {
    const described = operations.get(name.replace(/\{(\w+)\}/g, ':$1'));
    const response = described?.responses[status];
    // Of a method that the path does not have; what a stateful scenario asks, which is no operation's name; and errors, which
    // carry what their route adds to every answer.
    if (!response || !name.startsWith(`${method} `) || status >= 400) return [];
    const named = Object.keys(resolved<Response>(document, response).headers ?? {}).map((header) =>
      header.toLowerCase(),
    );
    return headers
      .filter((header) => !TRANSPORT.test(header) && !named.includes(header))
      .map((header) => `${name} ${status}: ${header}`);
  }

  it('keeps to it for a key with every scope', async function () {
    this.timeout(effort.timeoutMs + 10_000);
    const headers = { 'x-api-key': server?.keys.all ?? '' };
    const options = SESSION_ONLY.flatMap((tag) => ['--exclude-tag', tag]);
    expectNothing(
      await fuzz({ headers, options, phases: ALL_PHASES }, WITHOUT_TRACKING + WITHOUT_QUERY_BODY),
    );
  });

  it('keeps to it for a session of an owner', async function () {
    this.timeout(effort.timeoutMs + 10_000);
    const headers = { cookie: await loggedIn(server), origin: ORIGIN };
    const options = [
      '--exclude-tag',
      'tracking',
      '--exclude-tag',
      'query',
      '--exclude-operation-id',
      'logout',
    ];
    expectNothing(await fuzz({ headers, options, phases: ALL_PHASES }, SESSION_ONLY_COVERED));
  });

  it('keeps to it for nobody', async function () {
    this.timeout(effort.timeoutMs + 10_000);
    expectNothing(await fuzz({ headers: {}, options: [], phases: ['fuzzing'] }));
  });
}

/** The shipped configuration with limits that nobody reaches: what is fuzzed is what lies behind them. */
function configurationWithoutLimits(folder: string): string {
  const directory = join(folder, 'config');
  cpSync(join(PACKAGE_ROOT, 'config'), directory, { recursive: true });
  const plans = join(directory, 'plans.yml');
  writeFileSync(plans, readFileSync(plans, 'utf8').replaceAll(/\blimit: \d+/g, 'limit: 1000000'));
  return directory;
}

/** The access cookie of the owner. */
async function loggedIn(server: TestServer | undefined): Promise<string> {
  const body = { email: 'owner@example.com', password: 'correct horse' };
  const answer = await server?.call('POST', '/v1/auth/login', { body, headers: { origin: ORIGIN } });
  const cookies = answer?.headers.getSetCookie().map((line) => line.split(';')[0] ?? '') ?? [];
  const access = cookies.find((cookie) => cookie.startsWith('tg_access='));
  if (access === undefined) throw new Error(`login answered ${answer?.status}`);
  return access;
}
