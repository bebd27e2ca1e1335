/** Composes several gateway processes on one port (GATEWAY_WORKERS) and what stands before them: their signals and their metrics. */
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { gatherMetrics } from '../services/shared/metrics/worker-metrics.ts';
import { allOrNothing } from './all-or-nothing.ts';
import { originOf } from './http/listen.ts';
import type { Running } from './run-process.ts';
import { startAdminServer } from './start-admin-server.ts';
import { startWorkerProcesses } from './worker-processes.ts';

/**
 * Starts the first worker, then the others; each composes a gateway of its own from the same settings. SIGUSR2 replaces
 * them one by one. @throws Error when the first does not start
 */
export function startWorkers(settings: Settings, logger: Logger): Promise<Running> {
  return allOrNothing(logger, async (closers) => {
    const workers = await startWorkerProcesses({
      count: settings.gatewayWorkers,
      logger,
      onGivenUp() {
        logger.fatal('no worker is left, and none can be started');
        process.exit(1);
      },
    });
    closers.push(() => workers.close());
    if (settings.adminPort !== null) {
      const metrics = gatherMetrics(() => workers.workers);
      const server = await startAdminServer({ port: settings.adminPort, metrics });
      closers.push(() => server.close());
      logger.info(`metrics of all workers on ${server.origin}/metrics`);
    }
    return {
      origin: originOf({ address: workers.host, port: workers.port, family: '' }),
      announcement: null,
      reload: async () => workers.signal('SIGHUP'),
      restart: () => workers.restart(),
    };
  });
}
