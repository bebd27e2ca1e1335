/** Files that include others: what they say together, in which order, and everything that is refused with both places. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createGoodConfiguration, type GoodConfiguration } from '../../support/good-configuration.ts';

const GATEWAY = 'gateway.config.yml';

/** A file of a team: an endpoint, its backend and its pipeline. */
function team(name: string, more = ''): string {
  return `apiEndpoints:
  ${name}:
    paths: /${name}
    access: public
${more}serviceEndpoints:
  ${name}:
    url: http://${name}.test:4000
pipelines:
  ${name}:
    apiEndpoints: [${name}]
    policies:
      - auth:
      - body:
      - rate-limit:
      - proxy:
          - action: { serviceEndpoint: ${name} }
`;
}

describe('a configuration of several files', () => {
  let files: GoodConfiguration;

  beforeEach(() => {
    files = createGoodConfiguration();
  });
  afterEach(() => files.remove());

  const include = (text: string, name = GATEWAY) => files.edit(name, '', `include: ${text}\n`);

  it('is one of all: included endpoints before those of the file, in the order of include, folders by name', async () => {
    include('[teams, late.yml]');
    files.write('teams/b.yml', team('b'));
    files.write('teams/a.yml', `include: deep/c.yml\n${team('a')}`);
    files.write('teams/.hidden.yml', 'not: read');
    files.write('teams/notes.txt', 'not read');
    files.write('deep/c.yml', team('c'));
    files.write('late.yml', team('late'));
    const { endpoints, serviceEndpoints, pipelines, documents, further } = await files.load();
    expect(endpoints.map(({ name }) => name)).to.deep.equal([
      'c',
      'a',
      'b',
      'late',
      'track',
      'links',
      'unmatched',
    ]);
    expect(endpoints.slice(0, 4).map(({ place }) => place)).to.deep.equal([
      { file: 'deep/c.yml', line: 2 },
      { file: 'teams/a.yml', line: 3 },
      { file: 'teams/b.yml', line: 2 },
      { file: 'late.yml', line: 2 },
    ]);
    expect(Object.keys(serviceEndpoints)).to.deep.equal(['c', 'a', 'b', 'late', 'backend']);
    expect(pipelines.map(({ name }) => name)).to.include.members(['c', 'a', 'b', 'late', 'backend']);
    expect(documents.gateway).to.not.have.property('include');
    expect(further).to.have.members(
      ['teams', 'teams/a.yml', 'teams/b.yml', 'deep/c.yml', 'late.yml'].map((name) =>
        join(files.directory, name),
      ),
    );
  });

  it('takes limits, plans and plugins from included files, and policies from every file that lists them', async () => {
    include('[teams]');
    include('limits.yml', 'plans.yml');
    include('plugins.yml', 'system.config.yml');
    files.edit(
      'system.config.yml',
      `  stamp:\n    package: \${PLUGIN_DIR}/stamp.js\n    prefix: \${STAMP_PREFIX:-none}\n`,
      '',
    );
    files.write('plugins.yml', `plugins:\n  stamp:\n    package: \${PLUGIN_DIR}/stamp.js\n    prefix: a\n`);
    files.edit(GATEWAY, ', stamp]', ']');
    files.write('teams/a.yml', `policies: [stamp, auth]\n${team('a', '    limits: [orders]\n')}`);
    files.write('teams/b.yml', 'policies: [stamp]\n');
    files.write(
      'limits.yml',
      'limits:\n  orders: { limit: 5, windowSeconds: 60, per: address }\nplans:\n  team: { per10Seconds: 5, perMinute: 9 }\n',
    );
    const { policies, plans, plugins } = await files.load();
    expect([...policies].sort()).to.deep.equal(
      ['auth', 'body', 'not-found', 'proxy', 'rate-limit', 'scopes', 'stamp'].sort(),
    );
    expect(plans.limits.orders).to.include({ limit: 5 });
    expect(Object.keys(plans.plans)).to.deep.equal(['team', 'free']);
    expect(plugins.map(({ name }) => name)).to.deep.equal(['stamp', 'kit']);
  });

  it('tells a fault by the file and the line that it stands in', async () => {
    include('teams');
    files.write('teams/a.yml', team('a').replace('access: public', 'access: pubic').replace('/a\n', '/A/\n'));
    files.write('teams/b.yml', 'apiEndpoints:\n  b: [\n');
    files.write('teams/c.yml', `policies: [auth, auth, autx]\nendpoints: {}\n`);
    expect(await files.faults()).to.include.members([
      'teams/a.yml:3 apiEndpoints.a.paths: "/A/" ends in "/"; requests are matched without it; allowed: /exact/path, /with/:parameter, /and/below/*',
      'teams/a.yml:4 apiEndpoints.a.access: "pubic" is not a valid access; allowed: keyless, session, public, optional; did you mean "public"?',
      'teams/c.yml:1 policies[2]: no plugin provides the policy "autx"; allowed: auth, body, scopes, rate-limit, proxy, not-found, stamp; did you mean "auth"?',
      'teams/c.yml:2 endpoints: unknown key "endpoints"; allowed: include, https, apiEndpoints, serviceEndpoints, policies, pipelines, scopes, roles; did you mean "apiEndpoints"?',
    ]);
    expect((await files.faults()).filter((fault) => fault.startsWith('teams/b.yml:')).join()).to.match(
      /invalid YAML/,
    );
  });

  it('refuses a name that stands twice, and names both places', async () => {
    include('[a.yml, b.yml]');
    include('limits.yml', 'plans.yml');
    files.write('a.yml', team('a'));
    files.write('b.yml', team('a').replace('  a:\n    paths: /a', '  links:\n    paths: /b'));
    files.write('limits.yml', 'limits:\n  login: { limit: 5, windowSeconds: 60 }\nplan: {}\n');
    files.edit('plans.yml', 'limits:', 'plan: {}\nlimits:');
    expect(await files.faults()).to.deep.equal([
      'b.yml:6 serviceEndpoints.a: "a" has one owner, and stands in a.yml:6 too; allowed: one of the two',
      'b.yml:9 pipelines.a: "a" has one owner, and stands in a.yml:9 too; allowed: one of the two',
      'gateway.config.yml:8 apiEndpoints.links: "links" has one owner, and stands in b.yml:2 too; allowed: one of the two',
      'plans.yml:7 plan: stands in limits.yml:3 too; allowed: one of the two',
      'plans.yml:12 limits.login: "login" has one owner, and stands in limits.yml:2 too; allowed: one of the two',
    ]);
  });

  describe('refuses to include', () => {
    const refused = async (text: string) => {
      include(text);
      return (await files.faults()).map((fault) => fault.replace(/; allowed: a file .*/, ''));
    };
    const at = (text: string) => [`gateway.config.yml:1 include: ${text}`];

    it('what is missing, or lies elsewhere', async () => {
      expect(await refused('none.yml')).to.deep.equal(at('the file or folder is missing'));
    });

    for (const text of ['../plans.yml', '/etc/x.yml', 'a/../../x.yml', '.', './']) {
      it(`what is not in the configuration directory: ${text}`, async () => {
        expect(await refused(text)).to.deep.equal(
          at(`"${text}" lies outside of the configuration directory, or is all of it`),
        );
      });
    }

    it('a link out of the configuration directory, of a file, of a folder and within a folder', async () => {
      const other = createGoodConfiguration();
      other.write('x.yml', team('x'));
      mkdirSync(join(files.directory, 'inside'));
      symlinkSync(join(other.directory, 'x.yml'), join(files.directory, 'file.yml'));
      symlinkSync(other.directory, join(files.directory, 'folder'));
      symlinkSync(join(other.directory, 'x.yml'), join(files.directory, 'inside/x.yml'));
      const faults = await refused('[file.yml, folder, inside]');
      other.remove();
      expect(faults).to.deep.equal([
        'gateway.config.yml:1 include[0]: "file.yml" is a link out of the configuration directory',
        'gateway.config.yml:1 include[1]: "folder" is a link out of the configuration directory',
        'gateway.config.yml:1 include[2]: "inside/x.yml" is a link out of the configuration directory',
      ]);
    });

    it('itself, by whatever way', async () => {
      files.write('a.yml', 'include: b.yml\n');
      files.write('b.yml', 'include: a.yml\n');
      expect(await refused('a.yml')).to.deep.equal([
        'b.yml:1 include: includes itself: gateway.config.yml, then a.yml, then b.yml, then a.yml',
      ]);
    });

    it('by a link what is read in any case, or itself', async () => {
      for (const name of ['again.yml', 'teams/again.yml']) {
        mkdirSync(join(files.directory, 'teams'), { recursive: true });
        symlinkSync(join(files.directory, GATEWAY), join(files.directory, name));
      }
      files.write('a.yml', 'include: b.yml\n');
      symlinkSync('a.yml', join(files.directory, 'b.yml'));
      expect(await refused('[again.yml, teams, a.yml]')).to.deep.equal([
        'gateway.config.yml:1 include[0]: "again.yml" is a link to "gateway.config.yml", which is read in any case',
        'gateway.config.yml:1 include[1]: "teams/again.yml" is a link to "gateway.config.yml", which is read in any case',
        'a.yml:1 include: includes itself: gateway.config.yml, then a.yml, then b.yml',
      ]);
    });

    it('a file twice, also by a link to it', async () => {
      files.write('teams/a.yml', team('a'));
      symlinkSync('teams/a.yml', join(files.directory, 'again.yml'));
      expect(await refused('[teams, again.yml]')).to.deep.equal([
        'gateway.config.yml:1 include[1]: "again.yml" is included by gateway.config.yml:1 already; allowed: one of the two',
      ]);
    });

    it('a file that is read in any case, one of another kind, and a folder that holds such a one or none', async () => {
      files.write('a.yaml', '');
      files.write('teams/a.yaml', '');
      mkdirSync(join(files.directory, 'none'));
      expect(await refused('[plans.yml, a.yaml, teams, none]')).to.deep.equal([
        'gateway.config.yml:1 include[0]: "plans.yml" is read in any case',
        'gateway.config.yml:1 include[1]: "a.yaml" does not end in .yml',
        'gateway.config.yml:1 include[2]: the folder has "a.yaml", which would not be read; call it *.yml',
        'gateway.config.yml:1 include[3]: the folder has no file *.yml',
      ]);
    });

    it('what is no path, by a variable, and nothing', async () => {
      expect(await refused(`[7, "\${STAGE:-a}.yml"]`)).to.deep.equal([
        'gateway.config.yml:1 include[0]: 7 is not a path',
        'gateway.config.yml:1 include[1]: takes no variables: the same files are read everywhere',
      ]);
      files.edit(GATEWAY, `include: [7, "\${STAGE:-a}.yml"]`, 'include: []');
      expect((await files.faults())[0]).to.match(
        /^gateway.config.yml:1 include: is an empty list; leave it out/,
      );
    });

    it('files too deep, and too many', async () => {
      for (let depth = 0; depth < 7; depth++) files.write(`d${depth}.yml`, `include: d${depth + 1}.yml\n`);
      expect(await refused('d0.yml')).to.deep.equal([
        'd4.yml:1 include: lies deeper than files may include others; allowed: at most 5 files deep',
      ]);
      for (let count = 0; count <= 1_001; count++) files.write(`many/${count}.yml`, 'policies: [stamp]\n');
      files.edit(GATEWAY, 'include: d0.yml', 'include: many');
      expect(await files.faults()).to.deep.equal([
        'gateway.config.yml:1 include: brings in too many files; allowed: at most 1000',
      ]);
    });

    it('a folder of more entries than are read, whatever they are', async () => {
      files.write('crowd/a.yml', 'policies: [stamp]\n');
      for (let count = 1; count < 4_000; count++) files.write(`crowd/.${count}`, '');
      include('crowd');
      expect(await files.faults()).to.deep.equal([]);
      files.write('crowd/.one-more', '');
      expect((await files.faults()).map((fault) => fault.replace(/; allowed: .*/, ''))).to.deep.equal(
        at('the folder has more than 4000 entries'),
      );
    });
  });
});
