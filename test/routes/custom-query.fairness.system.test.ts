/** Two organizations that send cross joins for ever, and eight that ask small queries: none of the eight is sent away. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Answer, newKeyText, startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { until } from '../support/until.ts';

const ENDLESS =
  "SELECT count(*) FROM events a, events b, events c, events d WHERE a.path || b.path || c.path || d.path = 'x'";
const ATTACKERS = ['attacker1', 'attacker2'];
const VICTIMS = Array.from({ length: 8 }, (_, index) => `victim${index}`);
/** As many as one organization may have at a time: one that runs, five that wait. */
const CALLERS = 6;
const EVENTS = 2_000;

const KEYS = new Map([...ATTACKERS, ...VICTIMS].map((name) => [name, newKeyText()]));

/** Limits of requests that no test here is about. */
const RAISED = '{ per10Seconds: 1000000, perMinute: 1000000, customSqlPerMinute: 1000000 }';

function provisioning(): string {
  const organization = (name: string) => `
  - id: org_${name}
    name: ${name}
    plan: free
    limits: ${RAISED}
    websites: [{ id: web_${name}, name: ${name}, domain: ${name}.example.com }]
    apiKeys:
      - { id: key_${name}, name: all, key: ${KEYS.get(name)}, scopes: [read:data, track:events], access: { level: global } }`;
  return `organizations:${[...KEYS.keys()].map(organization).join('')}\n`;
}

describe('custom SQL of many organizations', () => {
  let folder: string;
  let server: TestServer;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidegate-fairness-'));
    const file = join(folder, 'organizations.yml');
    writeFileSync(file, provisioning());
    // Each query starts a process: on a machine that does much else eight of them take longer than the shipped wait.
    const settings = {
      PROVISION_FILE: file,
      CUSTOM_SQL_WAIT_SECONDS: '30',
      CUSTOM_SQL_TIMEOUT_SECONDS: '14',
    };
    server = await startTidegate({ settings });
    for (const name of KEYS.keys()) {
      const count = ATTACKERS.includes(name) ? EVENTS : 5;
      for (let sent = 0; sent < count; sent += 100) {
        const body = Array.from({ length: Math.min(100, count - sent) }, (_, index) => ({
          name: 'screen_view',
          websiteId: `web_${name}`,
          path: `/${sent + index}`,
        }));
        const answer = await server.call('POST', '/track', { key: KEYS.get(name), body });
        expect(answer.status).to.equal(200);
      }
    }
  });
  after(async () => {
    await server?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const ask = (name: string, sql: string): Promise<Answer> =>
    server.call('POST', '/v1/query/custom', { key: KEYS.get(name), body: { sql } });

  it('goes on for those who ask little while two take all that they can', async () => {
    let attacking = true;
    const answered = new Map<string, Answer>();
    const attackers = ATTACKERS.flatMap((name) =>
      Array.from({ length: CALLERS }, async () => {
        while (attacking) {
          // The last ones end with the server.
          const answer = await ask(name, ENDLESS).catch(() => null);
          if (answer === null) return;
          // On a busy machine some queries reach their own end before anybody waits; those that made room are looked for below.
          answered.set(`${answer.status} ${answer.body.code} ${answer.body.error}`, answer);
          if (answer.status === 503) await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }),
    );
    await until('the attack runs', async () => [...answered.keys()].length > 0 || (await waiting()) >= 2);
    const victims = await Promise.all(
      VICTIMS.map(async (name) => {
        const { status, body } = await ask(name, 'SELECT count(*) AS n FROM events');
        return [status, body.data ?? body];
      }),
    );
    attacking = false;
    expect(victims).to.deep.equal(VICTIMS.map(() => [200, [{ n: 5 }]]));
    const ended = [...answered].filter(([said]) =>
      /^504 TIMEOUT The query was ended after \d+ s: another organization waited/.test(said),
    );
    expect(ended, [...answered.keys()].join('\n')).not.to.deep.equal([]);
    for (const [, { headers }] of ended) expect([...headers.keys()]).to.not.include('x-tidegate-running-ms');
    await server.close();
    await Promise.all(attackers);
  });

  /** Queries of the first attacker that wait: those that run or wait shut out a seventh. */
  async function waiting(): Promise<number> {
    const { status } = await ask('attacker1', 'SELECT 1');
    return status === 503 ? 2 : 0;
  }
});
