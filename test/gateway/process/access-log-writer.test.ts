/** Where the lines of the access log go: a file that rotates, and a target that takes nothing. */
import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadSettings } from '../../../config/settings.ts';
import { openAccessLog } from '../../../gateway/process/access-log-writer.ts';
import type { Closers } from '../../../gateway/process/all-or-nothing.ts';
import { startWorkers } from '../../../gateway/process/workers/start-workers.ts';
import type { AccessEntry } from '../../../gateway/serve/access-log/access-entry.ts';
import { PrometheusMetrics } from '../../../services/shared/metrics/prometheus-metrics.ts';
import { eventually } from '../../support/eventually.ts';
import { createLogWatch } from '../../support/log-watch.ts';
import { samplesOf } from '../../support/metric-samples.ts';
import { callerOf, startTidegate } from '../../support/start-tidegate.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';

const DROPPED = 'tidegate_access_log_dropped_total';

describe('the writer of the access log', () => {
  const directory = createTempDirectory();
  after(() => directory.remove());
  const settings = { sample: 1, address: 'truncated', fileBytes: 100_000, files: 2 } as const;
  const entry = (requestId: string) => ({ requestId, code: 'x'.repeat(500) }) as unknown as AccessEntry;

  async function open(file: string) {
    const closers: Closers = [];
    const metrics = new PrometheusMetrics();
    const { logger, lines } = createLogWatch();
    const writer = await openAccessLog({ ...settings, target: { file } }, { metrics, logger }, closers);
    return {
      write: (id: string) => writer?.write(entry(id)),
      logged: () => lines.join(''),
      dropped: async () => samplesOf(await metrics.text())[DROPPED],
      close: async () => {
        for (const close of closers) await close();
      },
    };
  }
  const idsIn = (file: string): number[] =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => Number(JSON.parse(text).requestId));

  it('begins a new file when one is full, divides no line, keeps as many as it may, and writes the last lines at the end', async () => {
    const file = join(directory.path, 'rotated/access.log');
    const log = await open(file);
    for (let id = 0; id < 1_500; id++) {
      log.write(`${id}`);
      if (id % 25 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await log.close();
    expect(readdirSync(join(directory.path, 'rotated')).sort()).to.deep.equal([
      'access.log',
      'access.log.1',
      'access.log.2',
    ]);
    const ids = [`${file}.2`, `${file}.1`, file].flatMap((each) =>
      statSync(each).size > 0 ? idsIn(each) : [],
    );
    expect(ids.at(-1)).to.equal(1_499);
    expect(ids).to.deep.equal(ids.map((_, index) => (ids[0] as number) + index));
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(await log.dropped()).to.equal(0);
  });

  it('goes on in the full file while no next one can be opened, and closes each file once', async () => {
    const folder = join(directory.path, 'hidden');
    const file = join(folder, 'access.log');
    const log = await open(file);
    const closed: number[] = [];
    const { close } = fs;
    fs.close = ((fd: number, done: (fault: Error | null) => void) => {
      closed.push(fd);
      close(fd, done);
    }) as typeof close;
    try {
      const fill = async (seen: number) => {
        for (let id = 0; id < 200; id++) log.write(`${id}`);
        await eventually(() => log.logged().match(/could not begin its next file/g)?.length ?? 0).equals(
          seen,
        );
      };
      renameSync(folder, `${folder}.away`);
      writeFileSync(folder, 'in the way');
      await fill(1);
      await fill(2);
      expect(closed).to.deep.equal([]);
      unlinkSync(folder);
      await fill(2);
      await eventually(() => existsSync(file)).equals(true);
    } finally {
      await log.close();
      fs.close = close;
    }
    expect(closed).to.deep.equal([...new Set(closed)]);
    expect(log.logged()).to.not.contain('cannot be written');
  });

  it('drops and counts what a full disk does not take, says so once, and ends', async function () {
    if (!existsSync('/dev/full')) this.skip();
    const log = await open('/dev/full');
    for (let id = 0; id < 40_000; id++) log.write(`${id}`);
    await new Promise(setImmediate);
    expect(await log.dropped()).to.be.above(10_000);
    await log.close();
    expect(log.logged().match(/the access log cannot be written/g)).to.have.length(1);
  });

  it('drops and counts what comes after its end', async () => {
    const log = await open(join(directory.path, 'ended.log'));
    log.write('1');
    await log.close();
    log.write('2');
    expect(await log.dropped()).to.equal(1);
    expect(idsIn(join(directory.path, 'ended.log'))).to.deep.equal([1]);
  });

  it('refuses to start with a file that it cannot write', async () => {
    const folder = join(directory.path, 'folder');
    mkdirSync(folder);
    const fault = await open(folder).catch((thrown: Error) => thrown);
    expect((fault as Error).message).to.match(/^ACCESS_LOG=".*folder" cannot be written: EISDIR/);
  });

  it('is no file where several workers would write it', async () => {
    const settings = loadSettings({
      GATEWAY_WORKERS: '2',
      REDIS_URL: 'redis://127.0.0.1:6379',
      ACCESS_LOG: directory.file('shared.log'),
    });
    const fault = await startWorkers(settings, createLogWatch().logger).catch((thrown: Error) => thrown);
    expect((fault as Error).message).to.contain('ACCESS_LOG: several workers cannot rotate one file');
  });

  it('holds none of the secrets in headers, bodies, queries, paths and addresses of any request', async () => {
    const file = join(directory.path, 'secrets.log');
    const server = await startTidegate({ settings: { ACCESS_LOG: file, ACCESS_LOG_SAMPLE: '1' } });
    const planted = 'pl4nted';
    const call = callerOf(server.origin);
    const headers = {
      cookie: `tg_access=${planted}`,
      'x-secret': planted,
      referer: `https://x.example/${planted}`,
    };
    const paths = [
      '/v1/websites',
      `/v1/websites/${planted}`,
      `/${planted}`,
      '/v1/query',
      '/health',
      '/v1/auth/login',
    ];
    const keys = [server.keys.all, planted, undefined];
    let sent = 0;
    for (const path of paths) {
      for (const key of keys) {
        for (const method of ['GET', 'POST']) {
          const body = method === 'GET' ? {} : { body: { password: planted, [planted]: planted } };
          const address = '203.0.113.77';
          await call(method, `${path}?token=${planted}`, { headers, address, ...(key && { key }), ...body });
          sent++;
        }
      }
    }
    await call('POST', '/v1/query', { headers, key: server.keys.all, body: `{"${planted}` });
    await server.close();
    const text = readFileSync(file, 'utf8');
    expect(text.trimEnd().split('\n')).to.have.length(sent + 1);
    for (const secret of [planted, server.keys.all, '203.0.113.77']) expect(text).to.not.contain(secret);
    expect(text).to.contain('"address":"203.0.113.0/24"');
  });
});
