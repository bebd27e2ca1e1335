/** The commands of the guides, run as they stand: what a guide promises, a reader gets. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../config/settings.ts';
import { type ServerProcess, startProcess } from './support/gateway-process.ts';
import { createTempDirectory, type TempDirectory } from './support/temp-directory.ts';

/** Every Markdown file of the repository, but those of packages and builds. */
function markdownFiles(): string[] {
  return readdirSync(PACKAGE_ROOT, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && !/(^|\/)(node_modules|dist|coverage|\.[^/]+)\//.test(path),
  );
}

/** The shell commands of a guide, block by block. */
function commandBlocksOf(guide: string): string[] {
  const text = readFileSync(join(PACKAGE_ROOT, 'docs', guide), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

/** The shell commands of a guide, one text. */
function commandsOf(guide: string): string {
  return commandBlocksOf(guide).join('');
}

const shell = (script: string, environment: Record<string, string> = {}) =>
  promisify(execFile)('sh', ['-euc', script], { env: { PATH: process.env.PATH, ...environment } });

describe('the guides', () => {
  let folder: TempDirectory;
  let server: ServerProcess | null;

  beforeEach(() => {
    folder = createTempDirectory();
    server = null;
  });
  afterEach(async () => {
    await server?.end('SIGTERM');
    folder.remove();
  });

  async function start(settings: Record<string, string> = {}): Promise<ServerProcess> {
    await server?.end('SIGTERM');
    server = await startProcess('main', { DATA_DIR: folder.path, ...settings });
    return server;
  }
  /** The key that the first start announced. */
  function keyOf({ output }: ServerProcess): string {
    return /-H 'x-api-key: (\S+)'/.exec(output())?.[1] ?? '';
  }
  /** Whom the first start announced. */
  function ownerOf({ output }: ServerProcess): { EMAIL: string; PASSWORD: string } {
    const [, EMAIL = '', PASSWORD = ''] = /Owner +(\S+), password (\S+)/.exec(output()) ?? [];
    return { EMAIL, PASSWORD };
  }

  it('docs/sessions.md: every command runs after the other and prints what it says', async () => {
    const started = await start();
    const commands = commandsOf('sessions.md');
    const promised = [...commands.matchAll(/# prints ([\d ]+)$/gm)].flatMap(([, codes]) => codes?.split(' '));
    expect(promised).to.deep.equal(['401', '200', '200', '401', '401', '401', '401', '401']);
    const reader = { BASE: started.origin, ORIGIN: 'http://localhost:8080', ...ownerOf(started) };
    const { stdout } = await shell(commands, reader);
    expect([...stdout.matchAll(/(?:^|\})(\d{3})$/gm)].map(([, code]) => code)).to.deep.equal(promised);
    for (const path of [
      'login',
      'refresh',
      'switch',
      'accept',
      'password',
      'logout',
      'session',
      'sessions',
      'user',
      'reset',
    ]) {
      expect(commands).to.contain(`/v1/auth/${path}`);
    }
  });

  it('docs/secrets.md: the identity key is replaced under running sessions, the cookie key ends them', async () => {
    const file = folder.file('secrets.json');
    const read = () => JSON.parse(readFileSync(file, 'utf8'));
    const write = (changes: object) => writeFileSync(file, JSON.stringify({ ...read(), ...changes }));
    const first = await start();
    const { EMAIL, PASSWORD } = ownerOf(first);
    const origin = 'http://localhost:8080';
    const login = await fetch(`${first.origin}/v1/auth/login`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
    });
    const cookie = login.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const status = async () => {
      const at = (await start()).origin;
      return (await fetch(`${at}/v1/query/websites`, { headers: { origin, cookie } })).status;
    };
    const [old] = read().identityKeys;
    const [makeKey = ''] = commandBlocksOf('secrets.md');
    const made = JSON.parse((await shell(makeKey)).stdout);
    for (const identityKeys of [[old, made], [made, old], [made]]) {
      write({ identityKeys });
      expect(await status()).to.equal(200);
    }
    write({ cookieKey: Buffer.alloc(32, 7).toString('base64url') });
    expect(await status()).to.equal(401);
  });

  it('docs/secrets.md: the integration key is replaced, and no secret is lost when the old one goes', async () => {
    const file = folder.file('secrets.json');
    const read = () => JSON.parse(readFileSync(file, 'utf8'));
    const write = (changes: object) => writeFileSync(file, JSON.stringify({ ...read(), ...changes }));
    const [, makeKey = '', reseal = ''] = commandBlocksOf('secrets.md');
    const first = await start();
    const headers = { 'x-api-key': keyOf(first), 'content-type': 'application/json' };
    const config = { secrets: { token: 'token-of-mine-1234' } };
    const body = JSON.stringify({ type: 'generic', name: 'Other', config });
    await fetch(`${first.origin}/v1/integrations`, { method: 'POST', headers, body });
    const unreadable = async ({ origin }: ServerProcess) => {
      const answer = (await (await fetch(`${origin}/v1/integrations`, { headers })).json()) as {
        data: { unreadableSecrets: string[] }[];
      };
      return answer.data.map(({ unreadableSecrets }) => unreadableSecrets);
    };
    const [old] = read().integrationKeys;
    const made = JSON.parse((await shell(makeKey)).stdout);
    write({ integrationKeys: [made, old] });
    await start();
    const main = join(PACKAGE_ROOT, 'dist/gateway/cli/main.js');
    const command = reseal.replace('npx tidegate', `'${process.execPath}' '${main}'`);
    const { stdout } = await shell(command, { DATA_DIR: folder.path });
    expect(stdout).to.include('Integrations re-encrypted: 1.').and.to.include(made.id);
    write({ integrationKeys: [made] });
    expect(await unreadable(await start())).to.deep.equal([[]]);
    write({ integrationKeys: [old] });
    expect(await unreadable(await start())).to.deep.equal([['secrets.token']]);
  });

  it('docs/tracker.md: after the first start a file of these lines opens the website to pages of this machine', async () => {
    const first = await start();
    const [, ORGANIZATION = ''] = /Organization +(\S+)/.exec(first.output()) ?? [];
    const [, WEBSITE = ''] = /Website +(\S+)/.exec(first.output()) ?? [];
    const origins = ['http://localhost:3000', 'http://127.0.0.1:5173', 'http://127.0.0.1:5174'];
    const ask = ({ origin }: ServerProcess) =>
      Promise.all(
        origins.map(async (page) => {
          const answer = await fetch(`${origin}/events?client_id=${WEBSITE}`, {
            method: 'POST',
            headers: { origin: page, 'content-type': 'text/plain' },
            body: '{"name":"screen_view"}',
          });
          return [answer.status, (await answer.text()).includes('PROVISION_FILE')];
        }),
      );
    expect(await ask(first)).to.deep.equal(Array(3).fill([403, true]));
    await shell(`cd '${folder.path}'\n${commandsOf('tracker.md')}`, { ORGANIZATION, WEBSITE });
    const second = await start({ PROVISION_FILE: folder.file('local.yml') });
    expect(await ask(second)).to.deep.equal([
      [200, false],
      [200, false],
      [403, true],
    ]);
  });

  it('docs/flags.md: the commands make a flag and print its verdict, and the public client gets the same', async () => {
    const started = await start();
    const [, API_KEY = ''] = /x-api-key: (\S+?)['"]/.exec(started.output()) ?? [];
    const [, WEBSITE = ''] = /Website +(\S+)/.exec(started.output()) ?? [];
    const reader = { BASE: started.origin, API_KEY, WEBSITE };
    const { stdout } = await shell(commandsOf('flags.md'), reader);
    const guide = readFileSync(join(PACKAGE_ROOT, 'docs/flags.md'), 'utf8');
    const promised = /second command prints `(.+)`/.exec(guide)?.[1] ?? '';
    expect(stdout).to.include(promised).and.include('"count":1').and.include('"key":"two-columns"');
    const [, script = ''] = /^```js\n([\s\S]*?)^```$/m.exec(guide) ?? [];
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: PACKAGE_ROOT,
      env: { ...reader },
    });
    expect((await run).stdout).to.equal('true { columns: 2 }\n');
  });

  it('docs/goals.md: the commands make a goal and a funnel, and list the goal', async () => {
    const started = await start();
    const [, WEBSITE = ''] = /Website +(\S+)/.exec(started.output()) ?? [];
    const reader = { BASE: started.origin, API_KEY: keyOf(started), WEBSITE };
    const { stdout } = await shell(commandsOf('goals.md'), reader);
    expect(stdout).to.include('"id":"gol_').and.include('"id":"fnl_').and.include('"data":[{"id":"gol_');
  });

  it('README.md and docs/api.md: every curl line runs as it stands, one after the other, and none is refused', async () => {
    const started = await start();
    const [, WEBSITE = ''] = /Website +(\S+)/.exec(started.output()) ?? [];
    const lines = ['README.md', 'docs/api.md'].flatMap((name) => {
      const found = readFileSync(join(PACKAGE_ROOT, name), 'utf8').match(/^ {4}curl (?:.*\\\n)*.*$/gm) ?? [];
      expect(found, name).to.have.length.of.at.least(5);
      return found;
    });
    expect(lines).to.have.length.of.at.least(12);
    for (const line of lines) {
      const command = line
        .replace('curl -sS', 'curl -sS --fail-with-body')
        .replaceAll('http://127.0.0.1:8080', started.origin)
        .replaceAll('<API_KEY>', keyOf(started))
        .replaceAll('<WEBSITE>', WEBSITE);
      const { stdout } = await shell(command);
      expect(JSON.parse(stdout), line).to.not.include({ success: false });
    }
    const managed = ['websites', 'links', 'flags', 'organization', 'integrations'];
    for (const name of managed) expect(lines.join(), name).to.include(`/v1/${name}`);
  });

  it('link to nothing that is not there', () => {
    const broken: string[] = [];
    let links = 0;
    for (const file of markdownFiles()) {
      const text = readFileSync(join(PACKAGE_ROOT, file), 'utf8');
      for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(https?:|mailto:|#)/.test(target)) continue;
        links++;
        const path = join(PACKAGE_ROOT, dirname(file), target.replace(/#.*$/, ''));
        if (!existsSync(path)) broken.push(`${file}: ${target}`);
      }
    }
    expect(broken).to.deep.equal([]);
    expect(links).to.be.at.least(10);
  });
});
