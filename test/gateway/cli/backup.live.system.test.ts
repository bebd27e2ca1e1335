/** Holds `tidegate backup` of a running server to what it says: nothing acknowledged is missing, ingest goes on, and a fault leaves no copy. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPathsOf } from '../../../config/data-directory.ts';
import { openEventDump } from '../../../services/shared/storage/duckdb/dump-events.ts';
import { type ServerProcess, startProcess } from '../../support/gateway-process.ts';
import { contentsOfFiles } from '../../support/installation-contents.ts';
import { runCli } from '../../support/run-cli.ts';
import { seedInstallation } from '../../support/seed-installation.ts';
import {
  isSteady,
  STEADY_PROVISIONING,
  startSenders,
  steadyProperties,
  track,
} from '../../support/steady-senders.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { until } from '../../support/until.ts';

/** Enough for two steps of the copy. */
const SEEDED = 64_000;
/** What requests take meanwhile, in milliseconds: half of them, and the slowest, also on a busy machine. */
const ANSWERED_MS = { median: 2_000, slowest: 10_000 };
/** Collections to which ingest itself writes. */
const WRITTEN_BY_INGEST = ['activity', 'api_key_usage', 'organization_usage'];

describe('tidegate backup of a running server', function () {
  this.timeout(300_000);
  let directory: TempDirectory;
  let settings: Record<'DATA_DIR' | 'PROVISION_FILE', string>;
  let server: ServerProcess | null = null;
  before(async () => {
    directory = createTempDirectory();
    settings = { DATA_DIR: directory.file('data'), PROVISION_FILE: directory.file('provision.yml') };
    writeFileSync(settings.PROVISION_FILE, STEADY_PROVISIONING);
    await seedInstallation(settings.DATA_DIR, SEEDED);
  });
  afterEach(async () => {
    await server?.end('SIGKILL');
    server = null;
  });
  after(() => directory.remove());

  const backup = (out: string, ...args: string[]) =>
    runCli(['backup', '--out', out, ...args], { DATA_DIR: settings.DATA_DIR });
  const exports = () => readdirSync(`${dataPathsOf(settings.DATA_DIR).events}.exports`);

  it('holds every event acknowledged before it began, none torn, while ingest goes on', async () => {
    const out = directory.file('under-load');
    server = await startProcess('main', settings);
    const senders = startSenders(server.origin, 4);
    await until('some requests are answered', () => senders.acknowledged.length > 50);
    const before = [...senders.acknowledged];
    const { code, out: text, error } = await backup(out, '--json');
    expect(code, error).to.equal(0);
    const during = senders.acknowledged.slice(before.length);
    await senders.stop();
    const { data } = JSON.parse(text);

    expect(senders.refused).to.deep.equal([]);
    expect(during.length, 'requests answered meanwhile').to.be.greaterThan(10);
    const took = during.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
    expect(took.at(-1), 'slowest request in milliseconds').to.be.below(ANSWERED_MS.slowest);
    expect(took[Math.floor(took.length / 2)], 'the median').to.be.below(ANSWERED_MS.median);
    expect(exports(), 'left in DATA_DIR').to.deep.equal([]);
    expect(await server.end('SIGTERM')).to.equal(0);

    const [original, copy] = [await contentsOfFiles(settings.DATA_DIR), await contentsOfFiles(out)];
    expect(copy.events.length).to.equal(data.events);
    const seeded = ({ events }: typeof copy) => events.filter((event) => !isSteady(event));
    expect(seeded(copy)).to.deep.equal(seeded(original));
    const sent = copy.events.filter(isSteady) as { event_id: string; properties: string }[];
    const ids = new Set(sent.map(({ event_id }) => event_id));
    expect(ids.size, 'stored once').to.equal(sent.length);
    expect(before.flatMap((request) => request.ids).filter((id) => !ids.has(id))).to.deep.equal([]);
    const requests = senders.acknowledged;
    const torn = requests.filter((request) => new Set(request.ids.map((id) => ids.has(id))).size > 1);
    expect(torn, 'requests of which a part is there').to.deep.equal([]);
    const altered = sent.filter(({ event_id, properties }) => properties !== steadyProperties(event_id));
    expect(altered, 'stored otherwise than sent').to.deep.equal([]);
    for (const [name, documents] of Object.entries(copy.documents)) {
      if (WRITTEN_BY_INGEST.includes(name)) continue;
      expect(documents, name).to.deep.equal(original.documents[name]);
    }
  });

  it('is what a server starts on: the keys work, repeats are known, secrets are the same', async () => {
    const out = directory.file('restored');
    server = await startProcess('main', settings);
    expect(await track(server.origin, ['restored-1'])).to.equal('200');
    const { code, error } = await backup(out);
    expect(code, error).to.equal(0);
    expect(error).to.include('the server writes the copy');
    await server.end('SIGTERM');

    expect(statSync(out).mode & 0o777).to.equal(0o700);
    expect(readdirSync(out)).to.have.members(['documents.sqlite', 'events.duckdb', 'secrets.json']);
    for (const file of readdirSync(out)) expect(statSync(join(out, file)).mode & 0o777, file).to.equal(0o600);
    const secrets = [out, settings.DATA_DIR].map((folder) =>
      readFileSync(dataPathsOf(folder).secrets, 'utf8'),
    );
    expect(secrets[0]).to.equal(secrets[1]);
    const events = await eventsIn(out);
    server = await startProcess('main', { DATA_DIR: out });
    expect(await track(server.origin, ['restored-1'])).to.equal('200');
    expect(await track(server.origin, ['restored-2'])).to.equal('200');
    expect(await server.end('SIGTERM')).to.equal(0);
    expect(await eventsIn(out), 'one is a repeat, one is new').to.equal(events + 1);
  });

  it('leaves nothing that passes for a copy when the server is killed, and the server loses nothing', async () => {
    const out = directory.file('killed');
    const eventsBefore = await eventsIn(settings.DATA_DIR);
    server = await startProcess('main', settings);
    expect(await track(server.origin, ['killed-1'])).to.equal('200');
    // A copy holds the secrets: as long as nobody writes into this pipe, it is not complete.
    const { secrets } = dataPathsOf(settings.DATA_DIR);
    renameSync(secrets, `${secrets}.kept`);
    execFileSync('mkfifo', ['-m', '600', secrets]);
    const running = backup(out);
    await until('the copy has begun', () => exports().length > 0);
    await server.end('SIGKILL');
    renameSync(`${secrets}.kept`, secrets);
    const { code, error } = await running;
    expect(code).to.equal(1);
    expect(error).to.include('the server ended before the copy was complete');
    expect([existsSync(out), existsSync(`${out}.unfinished`)]).to.deep.equal([false, false]);

    server = await startProcess('main', settings);
    expect(exports(), 'removed by the next start').to.deep.equal([]);
    expect((await backup(out)).code).to.equal(0);
    await server.end('SIGTERM');
    expect(await eventsIn(settings.DATA_DIR)).to.equal(eventsBefore + 1);
    expect(await eventsIn(out)).to.equal(eventsBefore + 1);
  });
});

/** How many events the store of a stopped server holds. */
async function eventsIn(dataDir: string): Promise<number> {
  const dump = await openEventDump(dataPathsOf(dataDir).events);
  dump.close();
  return dump.events;
}
