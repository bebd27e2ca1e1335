/**
 * Kills the server with SIGKILL at random moments under many senders, who send again what was not answered, and ends it
 * with SIGTERM at last: every acknowledged event is there exactly once, and of every request all events or none.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createDuckDbEventStore } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { type ServerProcess, startProcess } from './gateway-process.ts';
import { newKeyText } from './start-tidegate.ts';
import { createTempDirectory } from './temp-directory.ts';

const KEY = newKeyText();

const PROVISIONING = `
organizations:
  - id: org_kill
    name: Kill
    plan: free
    limits: { per10Seconds: 1000000, perMinute: 1000000, batchEventsPerMinute: 100000000 }
    websites: [{ id: web_kill, name: Kill, domain: kill.example.com }]
    apiKeys:
      - { id: key_kill, name: kill, key: ${KEY}, scopes: [track:events, read:data], access: { level: global } }
`;

/** A request: one event or an array of some. */
interface Sending {
  readonly ids: readonly string[];
}

export interface KillOptions {
  readonly kills: number;
  readonly senders: number;
}

/** Declares the suite. */
export function describeKills({ kills, senders }: KillOptions): void {
  describe(`kill -9 while ${senders} senders track`, function () {
    this.timeout(120_000 + kills * 30_000);
    const directory = createTempDirectory();
    const settings = { DATA_DIR: directory.file('data'), PROVISION_FILE: directory.file('provision.yml') };
    let server: ServerProcess | null = null;

    before(() => writeFileSync(settings.PROVISION_FILE, PROVISIONING));
    after(async () => {
      await server?.end('SIGKILL');
      directory.remove();
    });

    it(`keeps every acknowledged event exactly once and tears none, over ${kills} kills and a SIGTERM`, async () => {
      const crowd = createCrowd(senders);
      for (let round = 0; round < kills; round++) {
        server = await startProcess('main', settings);
        const sending = crowd.send(server.origin);
        await crowd.whenAcknowledged(1 + Math.floor(Math.random() * 400));
        await server.end('SIGKILL');
        await sending;
      }
      server = await startProcess('main', settings);
      const sending = crowd.send(server.origin);
      await crowd.whenAcknowledged(300);
      expect(await server.end('SIGTERM'), 'exit code after SIGTERM').to.equal(0);
      server = null;
      await sending;

      const stored = await storedEvents(join(settings.DATA_DIR, 'events.duckdb'));
      expect(crowd.acknowledged.length, 'acknowledged requests').to.be.greaterThan(kills);
      const acknowledged = crowd.acknowledged.flatMap(({ ids }) => ids);
      expect(
        acknowledged.filter((id) => !stored.has(id)),
        'acknowledged and lost',
      ).to.deep.equal([]);
      const twice = [...stored].flatMap(([id, rows]) => (rows.length === 1 ? [] : [id]));
      expect(twice, 'stored more than once').to.deep.equal([]);
      const torn = crowd.sent.filter(({ ids }) => new Set(ids.map((id) => stored.has(id))).size > 1);
      expect(torn, 'requests of which a part is stored').to.deep.equal([]);
      const altered = [...stored].flatMap(([id, rows]) => (rows[0] === propertiesOf(id) ? [] : [id]));
      expect(altered, 'stored otherwise than sent').to.deep.equal([]);
      const known = new Set(crowd.sent.flatMap(({ ids }) => ids));
      expect(
        [...stored.keys()].filter((id) => !known.has(id)),
        'stored and never sent',
      ).to.deep.equal([]);
    });
  });
}

/** What an event of that id carries: a torn one would show. */
function propertiesOf(id: string): string {
  return JSON.stringify({ id, long: id.repeat(20) });
}

/** Senders who each send one request after the other; one that got no answer is sent again to the next server. */
function createCrowd(senders: number) {
  const sent: Sending[] = [];
  const acknowledged: Sending[] = [];
  const unanswered: (Sending | null)[] = new Array(senders).fill(null);
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  function next(sender: number): Sending {
    const open = unanswered[sender];
    if (open) return open;
    const number = sent.length;
    const sending = { ids: Array.from({ length: 1 + (number % 4) }, (_, i) => `${number}-${i}`) };
    sent.push(sending);
    unanswered[sender] = sending;
    return sending;
  }

  async function sendFrom(origin: string, sender: number): Promise<void> {
    for (;;) {
      const sending = next(sender);
      const status = await post(origin, sending);
      if (status === null || status === 503) return;
      expect(status, 'status').to.equal(200);
      unanswered[sender] = null;
      acknowledged.push(sending);
      for (const { count, resolve } of waiting) if (acknowledged.length >= count) resolve();
    }
  }

  return {
    sent,
    acknowledged,
    /** Resolves when the server answers no more. */
    send: (origin: string) =>
      Promise.all(Array.from({ length: senders }, (_, sender) => sendFrom(origin, sender))),
    /** Resolves when `more` further requests are acknowledged. */
    whenAcknowledged: (more: number) =>
      new Promise<void>((resolve) => waiting.push({ count: acknowledged.length + more, resolve })),
  };
}

/** The status of the answer, null when none came whole. */
async function post(origin: string, { ids }: Sending): Promise<number | null> {
  const events = ids.map((id) => ({
    name: 'kill',
    eventId: id,
    websiteId: 'web_kill',
    properties: JSON.parse(propertiesOf(id)),
  }));
  try {
    const response = await fetch(`${origin}/track`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify(events.length === 1 ? events[0] : events),
    });
    await response.json();
    return response.status;
  } catch {
    return null;
  }
}

/** The properties of every stored event by its id; more than one where it is stored more than once. */
async function storedEvents(path: string): Promise<Map<string, unknown[]>> {
  const store = await createDuckDbEventStore({ path });
  const rows = await store.run({
    engine: 'duckdb',
    sql: 'SELECT event_id, properties FROM events',
    params: {},
  });
  await store.close();
  const events = new Map<string, unknown[]>();
  for (const { event_id, properties } of rows) {
    const id = String(event_id);
    events.set(id, [...(events.get(id) ?? []), properties]);
  }
  return events;
}
