/** Holds that every test file runs, in one tier, and that whoever has Node alone can run all that `npm test` runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { dashboardSuites, EMBEDDED_JOURNEYS, TELLING_JOURNEYS } from '../distributed/dashboard-suites.ts';
import { LONGEST } from './longest.ts';
import { isInPart, jobsNamed } from './passes.ts';
import { idleEntries, TIERS, testFiles } from './tiers.ts';

const FILES = testFiles();
const tierOf = (path: string) => FILES.find((file) => file.path === path)?.tier;
const pathsOf = (...words: string[]) => jobsNamed(words).map(({ path, way }) => `${path} ${way}`.trim());

describe('the tiers of the tests', () => {
  it('hold each test file once', () => {
    const ordinary = TIERS.flatMap((tier) => jobsNamed([tier])).filter(({ way }) => way === '');
    expect(ordinary.map(({ path }) => path)).to.have.members(FILES.map(({ path }) => path));
    expect(FILES.length).to.be.greaterThan(250);
  });

  it('go by what a file starts', () => {
    expect(tierOf('test/services/query/dates.test.ts')).to.equal('unit');
    expect(tierOf('test/services/query/filters.test.ts')).to.equal('unit');
    expect(tierOf('test/routes/websites.contract.test.ts')).to.equal('api');
    expect(tierOf('test/gateway/process/workers/workers.system.test.ts')).to.equal('system');
    expect(tierOf('test/services/shared/storage/mongodb/lease.system.test.ts')).to.equal('system');
    expect(tierOf('test/plugins/openapi/reference/reference.system.test.ts')).to.equal('system');
  });

  it('show in a name what starts a process or needs a server', () => {
    const offences = FILES.filter(
      ({ path, tier }) => path.endsWith('.system.test.ts') !== (tier === 'system'),
    );
    expect(offences.map(({ path, tier }) => `${path} is of ${tier}`)).to.deep.equal([]);
  });

  it('list nothing that is gone, or that needs no entry', () => {
    expect(idleEntries()).to.deep.equal([]);
  });

  it('run over columns and over separate processes what can', () => {
    const system = pathsOf('system');
    expect(system).to.include('test/services/query/filters.test.ts over columns');
    expect(system).to.include('test/routes/websites.contract.test.ts over separate processes');
    expect(system).to.not.include('test/services/query/filters.test.ts');
    expect(system).to.include.members(pathsOf('distributed'));
    expect(system).to.include.members(TELLING_JOURNEYS.map((path) => `${path} over separate processes`));
    expect(dashboardSuites()).to.include.members([...TELLING_JOURNEYS]);
    expect(dashboardSuites().length).to.be.greaterThan(40);
    for (const path of Object.keys(EMBEDDED_JOURNEYS)) expect(tierOf(path), path).to.equal('system');
  });

  it('begin with the files that take longest, of all that run in the same way', () => {
    const [first] = LONGEST;
    expect(pathsOf('unit', 'api')[0]).to.equal(first);
    const listed = LONGEST.filter((path) => tierOf(path) === 'system');
    expect(listed).to.have.length.above(1);
    const system = pathsOf('system');
    expect(system.slice(0, listed.length)).to.deep.equal(listed);
    const ways = jobsNamed(['system']).map(({ way }) => way);
    expect(ways.filter((way, index) => way !== ways[index - 1])).to.have.length(new Set(ways).size);
  });

  it('are run by the scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'));
    const words = (script: string) => /run\/main\.js (.*)$/.exec(scripts[script])?.[1];
    expect(words('test')).to.equal('unit api');
    expect(words('test:unit')).to.equal('unit');
    expect(words('test:all')).to.equal('unit api system');
  });

  it('take one file, by its path or that of its build, or a folder, and nothing else', () => {
    expect(pathsOf('test/services/query/dates.test.ts')).to.deep.equal(['test/services/query/dates.test.ts']);
    expect(pathsOf('dist/test/services/query/dates.test.js')).to.deep.equal([
      'test/services/query/dates.test.ts',
    ]);
    expect(pathsOf('./test/services/shared/text')).to.deep.equal([
      'test/services/shared/text/name-schema.test.ts',
      'test/services/shared/text/parse-url.test.ts',
      'test/services/shared/text/pattern.test.ts',
    ]);
    expect(() => jobsNamed(['test/services/query/date'])).to.throw(
      'no tier, test file or folder of tests: test/services/query/date',
    );
  });
});

describe('a machine with Node alone', () => {
  /** What `.ci/bare` makes of a command: exit code, and what it wrote. */
  async function onBare(...command: string[]): Promise<{ code: number; output: string }> {
    const child = spawn(join(PACKAGE_ROOT, '.ci/bare'), command, {
      cwd: PACKAGE_ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const [code] = await once(child, 'close');
    return { code, output };
  }

  it('has no program of others', async () => {
    const programs = 'redis-server java mvn chromium python3 openssl nginx mongod curl';
    const { output } = await onBare('sh', '-c', `for name in ${programs}; do command -v $name; done; env`);
    expect(output)
      .to.match(/^PATH=[^:\n]+$/m)
      .and.to.not.match(/MONGODB_URI|JAVA_HOME|^\//m);
  });

  it('skips the suites of the second engine, in words that say how to run them', async () => {
    const run = ['node', 'dist/test/support/run/main.js', 'test/services/query/filters.test.ts'];
    const { code, output } = await onBare(...run);
    expect(output).to.match(/skipped: it needs MONGODB_URI, .*; then npm run test:all runs it/);
    expect(output).to.match(/\n\n\d+ passed, 0 failed, \d+ skipped\n$/);
    expect(code, output).to.equal(0);
  });

  it('come in parts that have nothing in common and are the whole together', () => {
    const all = jobsNamed(['unit']);
    const parts = ['1/3', '2/3', '3/3'].map((part) => all.filter(isInPart(part)));
    expect(parts.flat()).to.have.members(all);
    for (const part of parts) expect(part.length).to.be.within(all.length / 3 - 1, all.length / 3 + 1);
    for (const none of ['0/1', '4/3', '1', 'x/y', '1/2/3']) expect(() => isInPart(none)).to.throw(none);
  });
});
