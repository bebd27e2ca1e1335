/** Kills the server with SIGKILL while events come in: what was acknowledged is there after the next start. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { newKeyText } from '../support/start-tidegate.ts';

const KILLS = 10;
const SENDERS = 16;
const KEY = newKeyText();

const PROVISIONING = `
organizations:
  - id: org_kill
    name: Kill
    plan: free
    limits: { per10Seconds: 1000000, perMinute: 1000000, batchEventsPerMinute: 1000000 }
    websites: [{ id: web_kill, name: Kill, domain: kill.example.com }]
    apiKeys:
      - { id: key_kill, name: kill, key: ${KEY}, scopes: [track:events, read:data], access: { level: global } }
`;

interface Running {
  readonly child: ChildProcess;
  readonly origin: string;
}

describe('kill -9 while tracking', function () {
  this.timeout(240_000);
  const dataDir = mkdtempSync(join(tmpdir(), 'tidegate-kill-'));
  const provisionFile = join(dataDir, 'provision.yml');
  let running: Running | null = null;

  before(() => writeFileSync(provisionFile, PROVISIONING));
  after(async () => {
    if (running !== null) await kill(running.child, 'SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function start(): Promise<Running> {
    const child = spawn(process.execPath, [join(PACKAGE_ROOT, 'dist/gateway/main.js')], {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        DATA_DIR: dataDir,
        PROVISION_FILE: provisionFile,
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    for await (const chunk of child.stdout) {
      text += chunk;
      const origin = /Tidegate listens on (\S+)/.exec(text)?.[1];
      if (origin) return { child, origin };
    }
    throw new Error(`the server ended before it listened: ${text}`);
  }

  it(`loses no acknowledged event in ${KILLS} kills`, async () => {
    const acknowledged = new Set<string>();
    const sent = new Set<string>();
    for (let round = 0; round < KILLS; round++) {
      running = await start();
      const { origin, child } = running;
      const senders = Array.from({ length: SENDERS }, (_, sender) =>
        send(origin, `r${round}s${sender}`, sent, acknowledged),
      );
      // Killed at another moment each round, in the middle of the writing.
      const enough = acknowledged.size + 25 + round * 17;
      while (acknowledged.size < enough) await new Promise((resolve) => setImmediate(resolve));
      await kill(child, 'SIGKILL');
      await Promise.all(senders);
    }
    expect(acknowledged.size, 'acknowledged events').to.be.greaterThan(KILLS * SENDERS);

    running = await start();
    const stored = await storedNames(running.origin);
    expect([...acknowledged].filter((name) => !stored.has(name))).to.deep.equal([]);
    expect([...stored.keys()].filter((name) => !sent.has(name))).to.deep.equal([]);
    expect([...stored.values()].filter((count) => count !== 1)).to.deep.equal([]);
    const ended = once(running.child, 'exit');
    running.child.kill('SIGTERM');
    expect(await ended).to.deep.equal([0, null]);
    running = null;
  });
});

/** Sends one event after the other, each of a name of its own, until the server is gone. */
async function send(
  origin: string,
  sender: string,
  sent: Set<string>,
  acknowledged: Set<string>,
): Promise<void> {
  for (let count = 0; ; count++) {
    const name = `${sender}e${count}`;
    sent.add(name);
    const response = await fetch(`${origin}/track`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ name, websiteId: 'web_kill' }),
    }).catch(() => null);
    if (response === null) return;
    const body = await response.json().catch(() => null);
    if (body === null) return;
    expect(response.status, JSON.stringify(body)).to.equal(200);
    acknowledged.add(name);
  }
}

/** Every stored event name with how often it is there. */
async function storedNames(origin: string): Promise<Map<string, number>> {
  const names = new Map<string, number>();
  for (let page = 1; ; page++) {
    const response = await fetch(`${origin}/v1/query?website_id=web_kill`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ parameters: ['custom_events'], preset: 'last_7d', limit: 10_000, page }),
    });
    const body = (await response.json()) as { data: { data: { name: string; total_events: number }[] }[] };
    const rows = body.data[0]?.data ?? [];
    for (const row of rows) names.set(row.name, row.total_events);
    if (rows.length < 10_000) return names;
  }
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
