/** The start of the process: it works at once on an empty folder, and fails closed, in words, on any fault. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';

const MAIN = join(PACKAGE_ROOT, 'dist/gateway/process/main.js');

/** A start that ended by itself. */
interface Failed {
  readonly code: number | null;
  readonly error: string;
}

describe('the start', () => {
  let folder: string;
  let dataDir: string;
  const children: ChildProcess[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidegate-start-'));
    dataDir = join(folder, 'data');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  function run(environment: Record<string, string> = {}): ChildProcess {
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    return child;
  }

  /** Reads its output until it listens. */
  async function listening(child: ChildProcess): Promise<{ text: string; origin: string }> {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
    });
    while (!/listens on \S+\n/.test(text)) {
      if (child.exitCode !== null) throw new Error(`it ended: ${text} ${await textOf(child.stderr)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { text, origin: /listens on (\S+)\n/.exec(text)?.[1] ?? '' };
  }

  async function failure(environment: Record<string, string> = {}): Promise<Failed> {
    const child = run(environment);
    const error = textOf(child.stderr);
    const [code] = await once(child, 'exit');
    return { code, error: await error };
  }

  it('prints a key once, with two curl lines that work when pasted; SIGTERM exits 0; the data stays', async () => {
    const first = run();
    const { text, origin } = await listening(first);
    const [track = '', query = ''] = text.split('\n').filter((line) => line.startsWith('curl '));
    const shell = (line: string) =>
      promisify(execFile)('sh', ['-c', line]).then(({ stdout }) => JSON.parse(stdout));
    expect(await shell(track)).to.deep.equal({
      status: 'success',
      success: true,
      type: 'custom_event',
      count: 1,
    });
    const answer = await shell(query);
    expect(answer.data[0].data[0]).to.include({ pageviews: 1, visitors: 1, sessions: 1, total_events: 1 });
    expect(answer.data[1].data).to.deep.equal([{ path: '/welcome', pageviews: 1, visitors: 1 }]);

    const key = /x-api-key: (\S+)'/.exec(query)?.[1] ?? '';
    // While it runs, a file may go as it is looked at.
    first.kill('SIGSTOP');
    for (const name of readdirSync(dataDir)) {
      if (!statSync(join(dataDir, name)).isFile()) continue;
      expect(readFileSync(join(dataDir, name)).includes(key), `the key in ${name}`).to.equal(false);
      expect(statSync(join(dataDir, name)).mode & 0o077, `mode of ${name}`).to.equal(0);
    }
    first.kill('SIGCONT');
    expect(await end(first)).to.deep.equal([0, null]);

    const second = run();
    const again = await listening(second);
    expect(again.text).to.not.contain('curl');
    const read = await shell(query.replace(origin, again.origin));
    expect(read.data[0].data[0]).to.include({ pageviews: 1, total_events: 1 });
    expect(await end(second)).to.deep.equal([0, null]);
  });

  it('finishes a request that is in flight on a kept connection when SIGTERM comes, as any other', async () => {
    const child = run();
    const { text, origin } = await listening(child);
    const key = /x-api-key: (\S+)'/.exec(text)?.[1] ?? '';
    const { hostname, port } = new URL(origin);
    const body = JSON.stringify({ name: 'in_flight' });
    const socket = connect(Number(port), hostname);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => {});
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.write('GET /v1/query/types HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => /HTTP\/1\.1 200 OK[\s\S]*\r\n\r\n/.test(received));
    expect(received).to.match(/\r\nconnection: keep-alive\r\n/i);
    const askedMs = Date.now();
    const head = ['POST /track HTTP/1.1', 'Host: x', `x-api-key: ${key}`, 'Content-Type: application/json'];
    socket.write([...head, `Content-Length: ${body.length}`, 'Expect: 100-continue', '', ''].join('\r\n'));
    // The interim answer shows that the request is inside.
    await until(() => received.includes('100 Continue\r\n\r\n'));
    socket.write(body.slice(0, 10));

    const ended = end(child);
    await until(async () => !(await accepts(hostname, Number(port))));
    expect(child.exitCode, 'it waits for the request').to.equal(null);
    socket.write(body.slice(10));
    await closed;
    const last = received.slice(received.lastIndexOf('\r\nHTTP/1.1 200 '));
    for (const line of ['connection: close', 'x-ratelimit-limit: 50', 'x-ratelimit-remaining: \\d+'])
      expect(last).to.match(new RegExp(`\r\n${line}\r\n`, 'i'));
    const resetSeconds = Number(/x-ratelimit-reset: (\d+)\r\n/i.exec(last)?.[1]);
    expect(resetSeconds).to.be.within(Math.floor(askedMs / 1000), Date.now() / 1000 + 61);
    expect(received.endsWith('{"status":"success","success":true,"type":"custom_event","count":1}')).to.equal(
      true,
    );
    expect(await ended).to.deep.equal([0, null]);
  });

  it('ends within its time though an administration connection is silent', async () => {
    const child = run();
    await listening(child);
    const silent = connect(join(dataDir, 'admin.sock'));
    silent.on('error', () => undefined);
    await once(silent, 'connect');
    expect(await end(child)).to.deep.equal([0, null]);
    silent.destroy();
  });

  it('refuses several workers without Redis, and a connection string of no MongoDB without showing it', async () => {
    const { code, error } = await failure({ MONGODB_URI: 'mysql://u:secret@h/a', GATEWAY_WORKERS: '4' });
    expect(code).to.equal(1);
    expect(error).to.contain('MONGODB_URI=(not shown): must be a connection string');
    expect(error).to.contain('GATEWAY_WORKERS="4": more than 1 needs REDIS_URL').and.to.not.contain('secret');
  });

  it('refuses a second server on the same data', async () => {
    await listening(run());
    const { code, error } = await failure();
    expect(code).to.equal(1);
    expect(error).to.match(/^tidegate cannot start: .+/);
  });

  it('lists every wrong setting', async () => {
    const { code, error } = await failure({
      PORT: 'eighty',
      KEY_PREFIX: 'TG',
      LOG_LEVEL: 'loud',
      TRUSTED_PROXIES: 'nowhere',
      IDENTITY_JWKS_URL: 'http://somebody:secret-of-keys@127.0.0.1/keys',
    });
    expect(code).to.equal(1);
    for (const name of ['PORT', 'KEY_PREFIX', 'LOG_LEVEL', 'TRUSTED_PROXIES', 'IDENTITY_JWKS_URL'])
      expect(error).to.contain(`${name}=`);
    expect(error).to.contain('LOG_LEVEL="loud": Allowed: fatal, error, warn, info, debug, trace, silent.');
    expect(error).to.not.contain('secret-of-keys');
  });

  it('lists every fault of a configuration and touches no store', async () => {
    const configDir = join(folder, 'config');
    cpSync(join(PACKAGE_ROOT, 'config'), configDir, { recursive: true });
    const file = join(configDir, 'gateway.config.yml');
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace('track:events', 'track:event')
        .replace('serviceEndpoint: query', 'serviceEndpoint: qery'),
    );
    const { code, error } = await failure({ CONFIG_DIR: configDir });
    expect(code).to.equal(1);
    expect(error).to.contain('did you mean "track:events"?').and.to.contain('did you mean "query"?');
    expect(() => statSync(dataDir)).to.throw('ENOENT');
  });

  it('refuses a faulty provisioning file whole', async () => {
    const file = join(folder, 'provision.yml');
    writeFileSync(
      file,
      'organizations:\n  - { id: org_a, name: A, plan: free }\n  - { id: org_b, name: B, plan: fre }\n',
    );
    const { code, error } = await failure({ PROVISION_FILE: file });
    expect(code).to.equal(1);
    expect(error).to.contain('provision.yml:3').and.to.contain('"free"');
    writeFileSync(file, 'organizations: [{ id: org_c, name: C, plan: free }]\n');
    await listening(run({ PROVISION_FILE: file }));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(PACKAGE_ROOT, 'dist/gateway/cli/main.js'), 'keys', 'list', '--json'],
      {
        env: { ...process.env, DATA_DIR: dataDir },
      },
    );
    expect(stdout).to.not.contain('org_a');
  });

  it('refuses a secrets file that others may read, or that is malformed', async () => {
    mkdirSync(dataDir);
    const file = join(dataDir, 'secrets.json');
    writeFileSync(file, '{}', { mode: 0o644 });
    expect((await failure()).error).to.contain('chmod 600');
    chmodSync(file, 0o600);
    const { code, error } = await failure();
    expect(code).to.equal(1);
    expect(error).to.contain('identityKeys').and.to.contain('visitorSecret');
  });

  it('starts where DATA_DIR is too long for the operator socket', async () => {
    const long = join(folder, 'd'.repeat(120));
    const child = run({ DATA_DIR: long });
    const { text } = await listening(child);
    expect(text).to.contain('curl');
    expect(readdirSync(long)).to.not.include('admin.sock');
    expect(await end(child)).to.deep.equal([0, null]);
  });

  it('refuses a port that is taken, naming the setting that chose it', async () => {
    const { origin } = await listening(run());
    const { port } = new URL(origin);
    const other = { DATA_DIR: join(folder, 'other') };
    for (const [setting, environment] of [
      ['PORT, HOST', { PORT: port }],
      ['QUERY_URL', { QUERY_URL: origin }],
    ] as const) {
      const { code, error } = await failure({ ...other, ...environment });
      expect(code).to.equal(1);
      expect(error).to.contain(
        `${setting}: 127.0.0.1:${port} cannot be used: another process already listens there (EADDRINUSE)`,
      );
    }
  });
});

async function end(child: ChildProcess): Promise<unknown[]> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  return ended;
}

/** Asks again and again until `condition` holds; the timeout of the test ends it otherwise. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Whether anybody accepts connections there. */
function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => resolve(true));
    socket.on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += chunk;
  return text;
}
