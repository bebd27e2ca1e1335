/** Reloads of many routes, valid and faulty in turn, while clients wait for quick, slow and streaming answers: none of them notices. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Closers } from '../../gateway/process/all-or-nothing.ts';
import { startConfigurationReload } from '../../gateway/process/reload/configuration-reload.ts';
import { PER_TEAM, teamFile, writeLargeConfiguration } from './large-configuration.ts';
import { memoryInUse } from './memory-in-use.ts';
import { startGateway, startUpstream } from './start-gateway.ts';
import { createTempDirectory } from './temp-directory.ts';

export interface ReloadsOfManyRoutes {
  /** A multiple of 50. */
  readonly routes: number;
  /** Half of them are refused. */
  readonly reloads: number;
  readonly clients: number;
  /** What may stay behind after the warm-up, in bytes; null: it is not measured. */
  readonly mostLeft: number | null;
}

/** How the backend answers, by the query string. */
const MANNERS = ['quick', 'slow', 'stream'] as const;
const PIECES = 5;
const PAUSE_MS = 100;
/** Part of the reloads until everything that is made once is made. */
const WARM_UP = 0.2;

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  req.resume();
  const manner = req.url?.split('?')[1];
  if (manner === 'stream') {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let piece = 0; piece < PIECES; piece++) {
      res.write(`data: ${piece}\n\n`);
      await sleep(PAUSE_MS);
    }
    res.end('end');
    return;
  }
  if (manner === 'slow') await sleep(PIECES * PAUSE_MS);
  res.end('end');
}

/** Declares the test. */
export function reloadsOfManyRoutes({ routes, reloads, clients, mostLeft }: ReloadsOfManyRoutes): void {
  it(`fails none of ${clients} clients in ${reloads} reloads of ${routes} routes, half of them faulty`, async function () {
    this.timeout(300_000 + reloads * 20_000);
    const folder = createTempDirectory();
    const directory = folder.file('config');
    const backend = await startUpstream((req, res) => void answer(req, res));
    writeLargeConfiguration(directory, routes, backend.origin);
    const gateway = await startGateway({ upstream: 'http://127.0.0.1:1', configDir: directory });
    const closers: Closers = [];
    const { reload } = await startConfigurationReload(gateway.reloadParts, closers);
    const file = teamFile(directory, 0);
    const text = readFileSync(file, 'utf8');
    const pathsInForce = () =>
      gateway.reloadParts.gateway.configuration.endpoints.flatMap(({ paths }) => paths);

    let running = true;
    const failures: string[] = [];
    const answered = { quick: 0, slow: 0, stream: 0 };
    async function ask(number: number, manner: (typeof MANNERS)[number]): Promise<void> {
      // The last route of each team: the reloads change the first one of team 0.
      const path = `/team${number % (routes / PER_TEAM)}/r${PER_TEAM - 1}?${manner}`;
      const outcome = await fetch(`${gateway.origin}${path}`, { headers: { 'x-api-key': gateway.key } }).then(
        async (response) => `${response.status} ${(await response.text()).slice(-3)}`,
        (fault: Error) => `${fault.message} ${fault.cause}`,
      );
      if (outcome === '200 end') answered[manner]++;
      else failures.push(`${path}: ${outcome}`);
    }
    const asking = Array.from({ length: clients }, async (_, client) => {
      const manner = MANNERS[client % MANNERS.length] ?? 'quick';
      for (let number = client; running; number += clients) await ask(number, manner);
    });
    try {
      let before = 0;
      for (let number = 1; number <= reloads; number++) {
        const isFaulty = number % 2 === 0;
        const path = `/team0/round${number}`;
        const changed = text.replaceAll('/team0/r0', path);
        // At once: the watch reads it whenever it likes.
        writeFileSync(
          folder.file('next.yml'),
          isFaulty ? changed.replace('[read:data]', '[read:nothing]') : changed,
        );
        renameSync(folder.file('next.yml'), file);
        const { outcome } = await reload('test');
        // The watch of the files may have been faster with what is valid; what counts is what is in force now.
        if (isFaulty) expect(outcome).to.equal('refused');
        else expect(outcome).to.not.equal('refused');
        expect(pathsInForce().includes(path), path).to.equal(!isFaulty);
        if (number === Math.ceil(reloads * WARM_UP)) before = memoryInUse().heapUsed;
      }
      if (mostLeft !== null) {
        const left = memoryInUse().heapUsed - before;
        process.stdout.write(`      ${Math.round(left / 1e6)} MB more after the reloads\n`);
        expect(left, 'bytes left behind').to.be.below(mostLeft);
      }
    } finally {
      running = false;
      await Promise.all(asking);
      for (const close of closers) await close();
      await gateway.close();
      await backend.close();
      folder.remove();
    }
    expect(failures).to.deep.equal([]);
    for (const manner of MANNERS) expect(answered[manner], manner).to.be.greaterThan(0);
  });
}
