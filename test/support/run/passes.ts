/** In which ways test files run: most once, some again over columns of MongoDB or over separate processes. */
import { dashboardSuites, TELLING_JOURNEYS } from '../distributed/dashboard-suites.ts';
import { distributedSuites } from '../distributed/distributed-suites.ts';
import { DISTRIBUTED, MODE_VARIABLE } from '../distributed/test-mode.ts';
import { ENGINE_VARIABLE } from '../query/engine-mode.ts';
import { rankOf } from './longest.ts';
import { type TestFile, TIERS, type Tier, testFiles } from './tiers.ts';

/** One file to run. */
export interface Job {
  /** From the package root. */
  readonly path: string;
  /** How it runs, in words; empty for the ordinary way. */
  readonly way: string;
  /** What the environment says besides the caller's. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * What runs for these words: tiers, `distributed`, `distributed-dashboard`, test files, or folders of them; of the last two over all that there is.
 * In each way of running, files that take longest come first, whatever their tier: one worker goes on from file to file of a way.
 * @throws Error for a word that is none
 */
export function jobsNamed(words: readonly string[]): Job[] {
  const jobs = words.flatMap(jobsOfWord);
  const ways = [...new Set(jobs.map(({ way }) => way))];
  return jobs.sort((a, b) => ways.indexOf(a.way) - ways.indexOf(b.way) || rankOf(a.path) - rankOf(b.path));
}

function jobsOfWord(word: string): Job[] {
  if (isTier(word)) return jobsOf(word);
  if (word === DISTRIBUTED) return [...apiSuites(), ...TELLING_JOURNEYS].map(overProcesses);
  if (word === `${DISTRIBUTED}-dashboard`) return dashboardSuites().map(overProcesses);
  const path = word
    .replace(/^\.\//, '')
    .replace(/^dist\//, '')
    .replace(/\.js$/, '.ts')
    .replace(/\/$/, '');
  const named = testFiles().filter((file) => file.path === path || file.path.startsWith(`${path}/`));
  if (named.length === 0) throw new Error(`no tier, test file or folder of tests: ${word}`);
  return named.map((file) => ({ path: file.path, way: '', environment: {} }));
}

/** Whether the file at a position belongs to a part such as `2/3`, the second of three. @throws Error for what is none */
export function isInPart(part: string): (job: unknown, position: number) => boolean {
  const [, named = '', of = ''] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(part) ?? [];
  const [k, n] = [Number(named), Number(of)];
  if (k < 1 || k > n) throw new Error(`no part: ${part}; 2/3 is the second of three`);
  return (_, position) => position % n === k - 1;
}

function isTier(word: string): word is Tier {
  return TIERS.some((tier) => tier === word);
}

/** Those of a tier before it are not among them. */
function jobsOf(tier: Tier): Job[] {
  const files = testFiles();
  const own = files.filter((file) => file.tier === tier).map(({ path }) => once(path));
  return tier === 'system' ? [...own, ...overColumns(files), ...jobsOfWord(DISTRIBUTED)] : own;
}

/** A file in the ordinary way, which takes the embedded table. */
function once(path: string): Job {
  return { path, way: '', environment: { [ENGINE_VARIABLE]: 'table' } };
}

function overColumns(files: readonly TestFile[]): Job[] {
  return files
    .filter(({ reaches }) => reaches.has('test/support/query/engines.ts'))
    .map(({ path }) => ({ path, way: 'over columns', environment: { [ENGINE_VARIABLE]: 'columns' } }));
}

const apiSuites = () => distributedSuites().map((name) => `test/routes/${name}.test.ts`);

function overProcesses(path: string): Job {
  return { path, way: 'over separate processes', environment: { [MODE_VARIABLE]: DISTRIBUTED } };
}
