/** Ten minutes of mixed load on the embedded server: every request is answered, and memory and open files stay flat. */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import { benchCalls, WEBSITE } from '../bench/bench-calls.ts';
import { createBenchProcesses } from '../bench/bench-processes.ts';
import { benchProvisioning } from '../bench/ingest-target.ts';
import { residentMegabytes } from '../bench/process-usage.ts';
import { median } from '../bench/report.ts';
import { startEmbedded } from '../bench/tidegate-process.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 10);
const CALLERS = 32;
const ARRAY = 20;
/** Between two requests of a caller, in milliseconds. */
const PAUSE_MS = 25;
const SAMPLE_EVERY_MS = 10_000;
/** Until then rooms fill that a server keeps. */
const WARM_UP_SHARE = 0.3;
/** What the last third may take more than the end of the warm-up, by its median: ids of the events that came, pages that come and go. */
const SLACK_MB = 60;
/** At any time: some 200 MB more for a moment were seen once in ten minutes. */
const MOST_MB = 650;
/** Files of the log and of segments that come and go, and connections between two requests. */
const SLACK_FILES = 24;

describe(`${MINUTES} minutes of mixed load`, function () {
  this.timeout((MINUTES + 5) * 60_000);

  it('leave memory and open files as they are', async () => {
    const directory = createTempDirectory();
    const processes = createBenchProcesses();
    try {
      const key = createApiKeyText('bench', randomBytes);
      const server = await startEmbedded({
        ...{ processes, root: PACKAGE_ROOT, folder: directory.file('server'), processor: null },
        provisioning: benchProvisioning(key, [WEBSITE]),
      });
      const { pid } = server.process;
      const calls = benchCalls(server.url, key);
      const openFiles = () => readdirSync(`/proc/${pid}/fd`).length;
      const samples: { readonly megabytes: number; readonly files: number }[] = [];
      let isOver = false;
      let requests = 0;
      let next = 0;
      async function caller(number: number): Promise<void> {
        await delay(number);
        for (let turn = number; !isOver; turn++) {
          requests++;
          const first = next;
          if (turn % 50 === 0) {
            next += ARRAY;
            await calls.trackAll(ARRAY, first);
          } else if (turn % 25 === 1) await calls.summary();
          else if (turn % 2 === 0) {
            next++;
            await calls.track(first);
          } else await calls.list();
          await delay(PAUSE_MS);
        }
      }
      async function sample(): Promise<void> {
        for (let at = 0; at < MINUTES * 60_000; at += SAMPLE_EVERY_MS) {
          await delay(SAMPLE_EVERY_MS);
          samples.push({ megabytes: Math.round(residentMegabytes(pid)), files: openFiles() });
        }
      }
      await Promise.all([
        sample().finally(() => {
          isOver = true;
        }),
        ...Array.from({ length: CALLERS }, (_, number) => caller(number)),
      ]);
      await calls.close();
      const warm = samples.slice(0, Math.ceil(samples.length * WARM_UP_SHARE));
      const later = samples.slice(warm.length);
      const last = samples.slice(-Math.ceil(samples.length / 3)).map(({ megabytes }) => megabytes);
      const most = (list: typeof samples, of: 'megabytes' | 'files') =>
        Math.max(...list.map((each) => each[of]));
      const shown = samples.map(({ megabytes, files }) => `${megabytes}/${files}`).join(' ');
      process.stdout.write(`      ${requests} requests; megabytes and open files: ${shown}\n`);
      expect(median(last)).to.be.below(most(warm, 'megabytes') + SLACK_MB);
      expect(most(samples, 'megabytes')).to.be.below(MOST_MB);
      expect(most(later, 'files')).to.be.at.most(most(warm, 'files') + SLACK_FILES);
      await server.process.stop();
    } finally {
      await processes.stopAll();
      directory.remove();
    }
  });
});
