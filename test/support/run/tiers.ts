/**
 * Which tier each test file belongs to, in one place. What a file imports decides, directly or through other files of
 * tests, so that a new one needs no entry; the lists below are all that there is to know.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { LONGEST } from './longest.ts';

/** From the quickest on. A file that reaches nothing of the others is of `unit`. */
export const TIERS = ['unit', 'api', 'system'] as const;
export type Tier = (typeof TIERS)[number];

/** What makes a file one of a tier, when it reaches it. */
const REACHED: Readonly<Record<Exclude<Tier, 'unit'>, readonly string[]>> = {
  // Servers and commands as processes of their own, or a program that Node does not bring.
  system: [
    'test/bench/bench-processes.ts',
    'test/config/deploy/kubernetes-validate.ts',
    'test/fuzz/schemathesis.ts',
    'test/support/certificates.ts',
    'test/support/chromium.ts',
    'test/support/gateway-process.ts',
    'test/support/identity-examples/languages.ts',
    'test/support/mongodb/mongodb-server.ts',
    'test/support/promtool.ts',
    'test/support/redis-server.ts',
    'test/support/run-cli.ts',
    'test/support/small-disk.ts',
  ],
  // A whole server or gateway in the process of the test, or some other process.
  api: ['gateway/serve/create-gateway.ts', 'gateway/process/embedded.ts', 'node:child_process'],
};

/** These start what they reach in passes of `system` alone. */
const NOT_FOLLOWED = [
  'test/support/distributed/start-distributed-tidegate.ts',
  'test/support/query/engines.ts',
];

/** Files that what they reach says too little of, each with the reason. */
const BY_HAND: Readonly<Record<string, { readonly tier: Tier; readonly reason: string }>> = {
  'test/services/query/golden-shop.test.ts': { tier: 'api', reason: 'asks every dataset of a whole shop' },
  'test/services/tracking/route-bounds.test.ts': { tier: 'api', reason: 'sends hundreds of requests' },
  'test/contributing.system.test.ts': {
    tier: 'system',
    reason: 'builds the product and runs tests, recipe by recipe',
  },
  'test/services/query/custom/custom-sql.attacks.test.ts': {
    tier: 'api',
    reason: 'runs hundreds of queries in processes',
  },
  'test/services/query/custom/custom-sql.fuzz.test.ts': {
    tier: 'api',
    reason: 'runs hundreds of queries in processes',
  },
  'test/services/query/custom/custom-sql.processes.test.ts': {
    tier: 'api',
    reason: 'ends processes of custom queries',
  },
  'test/services/query/custom/custom-sql.test.ts': {
    tier: 'api',
    reason: 'runs custom queries in processes',
  },
  'test/services/query/equality.test.ts': {
    tier: 'api',
    reason: 'asks every dataset of thousands of events',
  },
  'test/services/shared/storage/duckdb/compaction/compaction.test.ts': {
    tier: 'api',
    reason: 'moves a hundred thousand events',
  },
  'test/services/tracking/ingest/ingest.fuzz.test.ts': { tier: 'api', reason: 'sends a thousand requests' },
  'test/routes/custom-query.fairness.system.test.ts': {
    tier: 'system',
    reason: 'keeps every processor busy with queries in processes, until others have waited for long',
  },
  'test/gateway/cli/start-server.system.test.ts': {
    tier: 'system',
    reason: 'packs the product and starts it',
  },
  'test/gateway/cli/npx.system.test.ts': { tier: 'system', reason: 'builds the product' },
  'test/gateway/process/npm-start.system.test.ts': { tier: 'system', reason: 'starts the product by npm' },
  'test/gateway/process/start.system.test.ts': {
    tier: 'system',
    reason: 'starts the product many times, and needs curl',
  },
};

export interface TestFile {
  /** From the package root, such as `test/services/query/dates.test.ts`. */
  readonly path: string;
  readonly tier: Tier;
  /** What it reaches by imports: files from the package root, packages as named. */
  readonly reaches: ReadonlySet<string>;
}

let found: readonly TestFile[] | null = null;

/** Every test file, in the order of their paths. They are looked for once in a process. */
export function testFiles(): readonly TestFile[] {
  found ??= findFiles();
  return found;
}

function findFiles(): TestFile[] {
  const imports = readImports();
  const paths = [...imports.keys()].filter((path) => path.endsWith('.test.ts'));
  return paths.sort().map((path) => {
    const reaches = reachedFrom(path, imports);
    return { path, reaches, tier: BY_HAND[path]?.tier ?? tierOf(reaches) };
  });
}

/** Names in the lists of this file that are no files, or need no entry. */
export function idleEntries(): string[] {
  const files = testFiles();
  const imports = readImports();
  const known = (path: string) => imports.has(path) || !path.startsWith('test/');
  const listed = [...Object.values(REACHED).flat(), ...NOT_FOLLOWED, ...LONGEST, ...Object.keys(BY_HAND)];
  const needless = files.filter(({ path, reaches, tier }) => path in BY_HAND && tierOf(reaches) === tier);
  return [...listed.filter((path) => !known(path)), ...needless.map(({ path }) => path)];
}

function tierOf(reaches: ReadonlySet<string>): Tier {
  if (REACHED.system.some((path) => reaches.has(path))) return 'system';
  return REACHED.api.some((path) => reaches.has(path)) ? 'api' : 'unit';
}

function reachedFrom(path: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const open = [path];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const target of imports.get(at) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      if (!NOT_FOLLOWED.includes(target)) open.push(target);
    }
  }
  return reached;
}

/** What each file of tests imports, but for types. */
function readImports(): Map<string, readonly string[]> {
  const names = readdirSync(join(PACKAGE_ROOT, 'test'), { recursive: true, encoding: 'utf8' });
  const paths = names
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.includes('/node_modules/'));
  return new Map(
    paths.map((path) => [path, importsOf(path, readFileSync(join(PACKAGE_ROOT, path), 'utf8'))]),
  );
}

function importsOf(path: string, text: string): string[] {
  const statements = /^(?:import|export) (?!type\b)[^'"]*?from ['"]([^'"]+)['"]|^import ['"]([^'"]+)['"]/gms;
  return [...text.matchAll(statements)].map((match) => {
    const target = match[1] ?? match[2] ?? '';
    return target.startsWith('.') ? posix.join(posix.dirname(path), target) : target;
  });
}
