/** What `tidegate new-plugin` writes is green as it is written: outside the source, and in it. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { requireFreeName, requirePluginName } from '../../../gateway/cli/new-plugin/name.ts';
import { placePlugin } from '../../../gateway/cli/new-plugin/place.ts';
import { Refusal } from '../../../gateway/cli/refusal.ts';
import { runCliProcess } from '../../support/run-cli.ts';
import { startGateway, startUpstream } from '../../support/start-gateway.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

const bin = (name: string) => join(PACKAGE_ROOT, 'node_modules/.bin', name);
const run = (command: string, args: readonly string[], cwd: string) =>
  promisify(execFile)(command, [...args], { cwd, env: { PATH: process.env.PATH } }).catch(
    (fault: { stdout: string; stderr: string }) => {
      throw new Error(`${command} ${args.join(' ')}\n${fault.stdout}\n${fault.stderr}`);
    },
  );

describe('tidegate new-plugin', () => {
  let project: TempDirectory;
  let plugin: string;
  let told: string;

  /** A project that has Tidegate among its packages, and nothing else of it. */
  before(async () => {
    project = createTempDirectory();
    mkdirSync(project.file('node_modules/@types'), { recursive: true });
    symlinkSync(PACKAGE_ROOT, project.file('node_modules/tidegate'));
    symlinkSync(join(PACKAGE_ROOT, 'node_modules/@types/node'), project.file('node_modules/@types/node'));
    const outcome = await runCliProcess(['new-plugin', 'require-team'], {}, project.path);
    expect([outcome.code, outcome.error]).to.deep.equal([0, '']);
    told = outcome.out;
    plugin = project.file('require-team');
  });
  after(() => project.remove());

  it('writes a package that imports the two entries and nothing else of Tidegate', () => {
    const names = readdirSync(plugin).sort();
    const own = ['require-team-policy.ts', 'require-team-policy.test.ts', 'manifest.ts'];
    expect(names).to.deep.equal(['README.md', ...own, 'package.json', 'tsconfig.json'].sort());
    for (const name of names) expect(told).to.contain(`require-team/${name}`);
    const specifiers = own.flatMap((name) =>
      [...readFileSync(join(plugin, name), 'utf8').matchAll(/from '([^']+)'/g)].map(([, from]) => from),
    );
    expect(new Set(specifiers)).to.deep.equal(
      new Set([
        'tidegate/plugin',
        'tidegate/testing',
        './require-team-policy.ts',
        'node:assert/strict',
        'node:test',
      ]),
    );
  });

  it('builds, with every type of the package judged, and passes its test', async () => {
    await run(bin('tsc'), ['--skipLibCheck', 'false'], plugin);
    const { stdout } = await run(process.execPath, ['--test', 'dist/require-team-policy.test.js'], plugin);
    expect(stdout).to.match(/^(?:#|ℹ) pass 2$/m);
  });

  it('loads where the output says, is judged by check, and refuses in the gateway', async () => {
    const configDir = project.file('config');
    cpSync(join(PACKAGE_ROOT, 'config'), configDir, { recursive: true });
    const [, entry = ''] = /below plugins:\n((?: {2}.*\n)+)/.exec(told) ?? [];
    const [, step = ''] = /policy that answers:\n((?: {6}.*\n)+)/.exec(told) ?? [];
    const edit = (file: string, from: RegExp, to: string) => {
      const text = readFileSync(join(configDir, file), 'utf8');
      expect(text.search(from), `${from}`).to.be.at.least(0);
      writeFileSync(join(configDir, file), text.replace(from, to));
    };
    const begin =
      /^ {2}resources:\n {4}apiEndpoints:[^\n]*\n(?: {6}- [^\n]*\n)* {4}policies:\n {6}- auth:\n/m;
    edit('system.config.yml', /^plugins:\n/m, `$&${entry}`);
    edit('gateway.config.yml', /policies: \[auth,/, 'policies: [require-team, auth,');
    edit('gateway.config.yml', begin, `$&${step.replace('x-team', 'X-Team')}`);

    const check = () => runCliProcess(['check', configDir], {});
    const refused = await check();
    expect(refused.code).to.equal(1);
    expect(refused.error).to.contain('require-team').and.contain('header');
    edit('gateway.config.yml', /X-Team/, 'x-team');
    expect((await check()).out).to.match(/^ok: .*plugins/m);

    const upstream = await startUpstream((_req, res) => res.end('{}'));
    const gateway = await startGateway({ upstream: upstream.origin, configDir });
    try {
      const call = (headers: Record<string, string>) =>
        fetch(`${gateway.origin}/v1/websites`, { headers: { 'x-api-key': gateway.key, ...headers } });
      const without = await call({});
      expect(without.status).to.equal(400);
      expect(await without.json()).to.deep.include({ code: 'VALIDATION_ERROR' });
      expect((await call({ 'x-team': 'a' })).status).to.equal(200);
    } finally {
      await gateway.close();
      await upstream.close();
    }
  });

  it("does not load beside another copy of Tidegate, whose errors would be nobody's", async () => {
    const packages = project.file('elsewhere/node_modules');
    const copy = join(packages, 'tidegate');
    for (const part of ['plugins/kit', 'services/shared'])
      cpSync(join(PACKAGE_ROOT, 'dist', part), join(copy, 'dist', part), { recursive: true });
    cpSync(join(PACKAGE_ROOT, 'package.json'), join(copy, 'package.json'));
    for (const name of ['zod', 'ipaddr.js', 'fastest-levenshtein'])
      symlinkSync(join(PACKAGE_ROOT, 'node_modules', name), join(packages, name));
    const manifest = project.file('elsewhere/require-team/manifest.js');
    cpSync(join(plugin, 'dist'), dirname(manifest), { recursive: true });
    cpSync(join(plugin, 'package.json'), join(dirname(manifest), 'package.json'));
    const configDir = project.file('elsewhere/config');
    cpSync(join(PACKAGE_ROOT, 'config'), configDir, { recursive: true });
    const system = join(configDir, 'system.config.yml');
    const entry = `$&  require-team:\n    package: ${manifest}\n`;
    writeFileSync(system, readFileSync(system, 'utf8').replace(/^plugins:\n/m, entry));
    const { code, error } = await runCliProcess(['check', configDir], {});
    expect(code).to.equal(1);
    expect(error).to.contain('another copy of Tidegate').and.contain(copy);
  });

  it('shows a policy the runtime for policies alone, in types and in packages', async () => {
    const text = `import { definePolicy, z } from 'tidegate/plugin';
export const curious = definePolicy({
  name: 'curious',
  schema: z.strictObject({}),
  create: (_params, runtime) => (req, _res, next) => next([runtime.clock, runtime.documents, req.context.judge]),
});
`;
    writeFileSync(join(plugin, 'curious.ts'), text);
    const fault = await run(bin('tsc'), ['--noEmit'], plugin).catch((thrown: Error) => thrown);
    expect(fault).to.be.instanceOf(Error);
    const faults = [...`${fault}`.matchAll(/error TS\d+: (.*)/g)].map(([, message]) => message);
    expect(faults).to.deep.equal([
      "Property 'documents' does not exist on type 'PolicyRuntime'.",
      "Property 'judge' does not exist on type 'PolicyContext'.",
    ]);
    const internal =
      "import('tidegate/dist/plugins/kit/runtime.js').catch((fault) => console.log(fault.code))";
    const { stdout } = (await run(process.execPath, ['-e', internal], plugin)) as { stdout: string };
    expect(stdout.trim()).to.equal('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  it('refuses what is there, names of others, and what is no kebab-case, and writes nothing', async () => {
    const before = readdirSync(project.path);
    const manifest = readFileSync(join(plugin, 'manifest.ts'), 'utf8');
    for (const [name, said] of [
      ['require-team', 'is there already; nothing was written'],
      ['rate-limit', 'is the name of a plugin or policy already'],
      ['session', 'is the name of a plugin or policy already'],
      ['cors', 'is the name of a plugin or policy already'],
      ['kit', 'is the name of a plugin or policy already'],
      ['constructor', 'kebab-case'],
      ['RequireTeam', 'kebab-case'],
      ['require_team', 'kebab-case'],
      ['../evil', 'kebab-case'],
      ['a'.repeat(31), 'kebab-case'],
    ] as const) {
      const judge = () => {
        requirePluginName(name);
        requireFreeName(name, placePlugin(name, project.path, PACKAGE_ROOT));
      };
      expect(judge, name).to.throw(Refusal, said).with.property('message').that.contains(name);
    }
    const { code, out, error } = await runCliProcess(['new-plugin', 'require-team'], {}, project.path);
    expect([code, out]).to.deep.equal([1, '']);
    expect(error).to.contain('is there already');
    expect((await runCliProcess(['new-plugin'], {}, project.path)).code).to.equal(2);
    expect(readdirSync(project.path)).to.deep.equal(before);
    expect(readFileSync(join(plugin, 'manifest.ts'), 'utf8')).to.equal(manifest);
  });

  it('refuses a folder within the source, where neither form would be found', () => {
    const within = join(PACKAGE_ROOT, 'plugins');
    expect(() => placePlugin('require-team', within, PACKAGE_ROOT)).to.throw(Refusal, 'at its top');
  });

  it('has help with an example', async () => {
    const { code, out } = await runCliProcess(['new-plugin', '--help'], {}, project.path);
    expect(code).to.equal(0);
    expect(out).to.contain('  tidegate new-plugin require-team\n').and.contain('into plugins/');
  });

  it('writes into the source what its formatter leaves as it is, however long the name', async () => {
    const source = createTempDirectory();
    try {
      mkdirSync(source.file('plugins/kit'), { recursive: true });
      writeFileSync(source.file('plugins/kit/plugin.ts'), '');
      for (const name of ['ab', 'zz-9', 'a-policy-of-thirty-letters-now']) {
        const { files, nextSteps } = placePlugin(name, source.path, source.path);
        expect(nextSteps).to.contain(`\${PLUGIN_DIR}/${name}/manifest.js`);
        expect([...files.keys()]).to.deep.equal([
          `plugins/${name}/manifest.ts`,
          `plugins/${name}/${name}-policy.ts`,
          `plugins/${name}/README.md`,
          `test/plugins/${name}/${name}-policy.test.ts`,
        ]);
        for (const [path, text] of files) {
          mkdirSync(dirname(source.file(path)), { recursive: true });
          writeFileSync(source.file(path), text);
        }
      }
      cpSync(join(PACKAGE_ROOT, 'biome.json'), source.file('biome.json'));
      const { stdout } = (await run(
        bin('biome'),
        ['check', '--vcs-enabled=false', '--error-on-warnings', 'plugins', 'test'],
        source.path,
      )) as { stdout: string };
      expect(stdout).to.contain('Checked 10 files');
    } finally {
      source.remove();
    }
  });
});
