/** A gateway with the shipped configuration and, in files of a team of its own, a backend in Python at two addresses and its next version at a third. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { LANGUAGES } from '../identity-examples/languages.ts';
import { startTidegate, type TestServer } from '../start-tidegate.ts';
import { createTempDirectory } from '../temp-directory.ts';

const HERE = join(PACKAGE_ROOT, 'test/support/platform-backend');
const PYTHON = LANGUAGES.Python;
/** Plugins that the shipped configuration does not load. */
const PLUGINS = ['canary', 'cors', 'headers', 'rewrite'];

export interface PlatformBackend {
  readonly server: TestServer;
  /** Where the backend listens, by the name that it answers with. */
  readonly origins: Readonly<Record<'one' | 'two' | 'next', string>>;
  /** Lets the backend read so many bytes of an upload in all; resolves with how many it has read once it has. */
  allowUpload(bytes: number): Promise<number>;
  /** Lets it read the rest. */
  allowWholeUpload(): void;
  close(): Promise<void>;
}

/** What the machine lacks to run it; null: nothing. */
export function missingForPlatformBackend(): string | null {
  return PYTHON?.missing() ?? null;
}

/** `timeoutSeconds`: of the event stream, the longest pause between two events. */
export async function startPlatformBackend(timeoutSeconds: number): Promise<PlatformBackend> {
  if (PYTHON === undefined) throw new Error('no Python among the languages');
  const folder = createTempDirectory();
  const [command, ...args] = PYTHON.prepare(readFileSync(join(HERE, 'shop.py'), 'utf8'), folder);
  const backend = spawn(command, args, { cwd: folder.path, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(backend, 'exit');
  const lines = createInterface({ input: backend.stdout });
  const said = lines[Symbol.asyncIterator]();
  async function nextLine(): Promise<string> {
    const { value, done } = await said.next();
    if (done === true) throw new Error('the backend ended');
    return value;
  }
  try {
    const ports = JSON.parse(await nextLine()) as Record<'one' | 'two' | 'next', number>;
    const configDir = folder.file('config');
    writeConfiguration(configDir, { ...ports, timeout: timeoutSeconds });
    const server = await startTidegate({ configDir });
    backend.stdin.write(`${server.origin}/.well-known/jwks.json\n`);
    const originOf = (port: number) => `http://127.0.0.1:${port}`;
    return {
      server,
      origins: { one: originOf(ports.one), two: originOf(ports.two), next: originOf(ports.next) },
      async allowUpload(bytes) {
        backend.stdin.write(`${bytes}\n`);
        return Number(await nextLine());
      },
      allowWholeUpload: () => void backend.stdin.write('all\n'),
      async close() {
        await server.close();
        backend.stdin.end();
        await exited;
        folder.remove();
      },
    };
  } catch (fault) {
    backend.kill('SIGKILL');
    await exited;
    folder.remove();
    throw fault;
  }
}

/** The shipped files, each of which includes one of the team; `numbers` stand in place of their names in capitals. */
function writeConfiguration(directory: string, numbers: Readonly<Record<string, number>>): void {
  cpSync(join(PACKAGE_ROOT, 'config'), directory, { recursive: true });
  mkdirSync(join(directory, 'teams'));
  const edit = (name: string, change: (text: string) => string) =>
    writeFileSync(join(directory, name), change(readFileSync(join(directory, name), 'utf8')));
  const include = (team: string) => (text: string) => `include: teams/${team}\n${text}`;
  const team = Object.entries(numbers).reduce(
    (text, [name, number]) => text.replace(name.toUpperCase(), () => `${number}`),
    readFileSync(join(HERE, 'shop.yml'), 'utf8'),
  );
  writeFileSync(join(directory, 'teams/shop.yml'), team);
  cpSync(join(HERE, 'shop-plans.yml'), join(directory, 'teams/shop-plans.yml'));
  writeFileSync(
    join(directory, 'teams/shop-plugins.yml'),
    `plugins:\n${PLUGINS.map((name) => `  ${name}: { package: "\${PLUGIN_DIR}/${name}/manifest.js" }\n`).join('')}`,
  );
  edit('gateway.config.yml', (text) =>
    include('shop.yml')(text).replace('\n  owner: [', '\n  owner: [read:shop, '),
  );
  edit('plans.yml', include('shop-plans.yml'));
  edit('system.config.yml', include('shop-plugins.yml'));
}
