/** Reloads of a gateway that answers requests meanwhile: none fails, and no memory stays behind. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { startConfigurationReload } from '../../gateway/process/reload/configuration-reload.ts';
import { eventually } from './eventually.ts';
import { memoryInUse } from './memory-in-use.ts';
import { startGateway, startUpstream } from './start-gateway.ts';
import { createTempDirectory } from './temp-directory.ts';

/** Clients that ask without a pause. */
const CLIENTS = 4;
/** Reloads until everything that is made once is made. */
const WARM_UP = 10;
/** What a reload may leave behind, in bytes: the engine of one generation takes some megabytes. */
const MOST_LEFT = 300_000;

const PATHS = ['/v1/query/websites', '[/v1/query/websites, /v1/query/sites]'];

/** Declares the test of `count` reloads. */
export function reloadsUnderLoad(count: number): void {
  it(`fails no request and leaves no memory behind in ${count} reloads under load`, async function () {
    this.timeout(count * 6_000);
    const folder = createTempDirectory();
    cpSync(join(PACKAGE_ROOT, 'config'), folder.path, { recursive: true });
    const file = folder.file('gateway.config.yml');
    const text = readFileSync(file, 'utf8');
    const upstream = await startUpstream((req, res) => {
      req.resume();
      // Requests are under way at each reload, and leave most of the processor to the reloads.
      req.on('end', () => setTimeout(() => res.end('{}'), 10));
    });
    const gateway = await startGateway({ upstream: upstream.origin, configDir: folder.path });
    const closers: (() => Promise<unknown>)[] = [];
    const { reload } = await startConfigurationReload(gateway.reloadParts, closers);

    let running = true;
    const failures: string[] = [];
    let answered = 0;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (running) {
        const outcome = await fetch(`${gateway.origin}/v1/query/websites`, {
          headers: { 'x-api-key': gateway.key },
        }).then(
          (response) => response.arrayBuffer().then(() => response.status),
          (fault: Error) => fault.message,
        );
        if (outcome === 200) answered++;
        else failures.push(String(outcome));
      }
    });
    try {
      let heapBefore = 0;
      for (let i = 1; i <= count; i++) {
        writeFileSync(file, text.replace('paths: /v1/query/websites', `paths: ${PATHS[i % 2]}`));
        // The watch may have been faster: what counts is that the files are at work now.
        expect((await reload('test')).outcome).to.not.equal('refused');
        expect(
          gateway.reloadParts.gateway.configuration.endpoints
            .flatMap(({ paths }) => paths)
            .includes('/v1/query/sites'),
        ).to.equal(i % 2 === 1);
        if (i === WARM_UP) heapBefore = memoryInUse().heapUsed;
      }
      running = false;
      await Promise.all(clients);
      // The last ones replaced go once their last answer is sent and the collector has come by.
      await eventually(() => memoryInUse().heapUsed - heapBefore).satisfies((left) =>
        expect(left, 'bytes left behind').to.be.below((count - WARM_UP) * MOST_LEFT),
      );
    } finally {
      running = false;
      await Promise.all(clients);
      for (const close of closers) await close();
      await gateway.close();
      await upstream.close();
      folder.remove();
    }
    expect(failures).to.deep.equal([]);
    expect(answered).to.be.greaterThan(count);
  });
}
