/** What .github/ says of this repository holds: its workflows run what .ci/run knows, on the versions of Node that are supported. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { PACKAGE_ROOT } from '../config/settings.ts';

const read = (path: string): string => readFileSync(join(PACKAGE_ROOT, path), 'utf8');

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly container?: string;
        readonly 'timeout-minutes': number;
        readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
        readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
      }
    >
  >;
}
interface Updates {
  readonly updates: readonly {
    readonly 'package-ecosystem': string;
    readonly directory?: string;
    readonly directories?: readonly string[];
  }[];
}

/** The file of each kind of dependency, one of which its folder must have. */
const MANIFESTS: Readonly<Record<string, string>> = {
  'docker-compose': 'docker-compose.yml',
  npm: 'package.json',
  docker: 'Dockerfile',
  pip: 'requirements.txt',
  maven: 'pom.xml',
  'github-actions': '.github/workflows',
};

describe('.github', () => {
  const { permissions, jobs } = parse(read('.github/workflows/ci.yml')) as Workflow;
  const commandsOf = (job: string) => jobs[job]?.steps.map(({ run = '' }) => run).join('\n') ?? '';

  it('runs all of .ci/run, and its bare part on every supported version of Node', () => {
    expect(commandsOf('all')).to.match(/^\.ci\/run$/m);
    expect(commandsOf('bare')).to.match(/^\.ci\/run bare$/m);
    expect(read('.ci/run')).to.match(/^ {2}bare\)$/m);
    const versions = jobs.bare?.strategy?.matrix.node ?? [];
    expect(versions).to.deep.equal([20, 22, 24]);
    expect(JSON.parse(read('package.json')).engines.node).to.equal('^20.19.0 || >=22.12.0');
    const others = [...read('.ci/run').matchAll(/\.ci\/run node (\d+)(?: \d\/\d)?$/gm)].map(([, version]) =>
      Number(version),
    );
    const oldest = Number(read('.nvmrc'));
    expect([oldest, ...others]).to.have.members([...versions]);
    expect(jobs.all?.container).to.match(new RegExp(`^node:${oldest}-`));
  });

  it('lets a workflow read and no more, and bounds every job', () => {
    expect(permissions).to.deep.equal({ contents: 'read' });
    for (const [name, job] of Object.entries(jobs)) expect(job['timeout-minutes'], name).to.be.within(1, 120);
  });

  it('asks for updates where there are dependencies', () => {
    const { updates } = parse(read('.github/dependabot.yml')) as Updates;
    for (const { 'package-ecosystem': kind, directory, directories = [directory ?? ''] } of updates)
      for (const folder of directories)
        expect(
          existsSync(join(PACKAGE_ROOT, folder, MANIFESTS[kind] ?? '?')),
          `${kind} in ${folder}`,
        ).to.equal(true);
  });

  it('has forms for issues that name their fields', () => {
    const folder = '.github/ISSUE_TEMPLATE';
    const forms = readdirSync(join(PACKAGE_ROOT, folder)).filter((name) => name !== 'config.yml');
    expect(forms).to.have.length.of.at.least(2);
    for (const name of forms) {
      const form = parse(read(`${folder}/${name}`)) as Record<string, unknown>;
      expect(form, name).to.include.all.keys('name', 'description', 'body');
    }
  });
});
