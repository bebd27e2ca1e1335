/** Composes several gateway processes on one port (GATEWAY_WORKERS), and the process above them: signals and metrics. */
import type { Logger } from 'pino';
import { type Settings, SettingsError } from '../../../config/settings.ts';
import { gatherMetrics } from '../../../services/shared/metrics/worker-metrics.ts';
import { originOf } from '../../serve/http/listen.ts';
import { allOrNothing } from '../all-or-nothing.ts';
import { startMetricsServer } from '../metrics/start-metrics-server.ts';
import type { Running } from '../run-process.ts';
import { startWorkerProcesses } from './worker-processes.ts';

/**
 * Starts the first worker, then the others; each composes a gateway of its own from the same settings. SIGUSR2 replaces
 * them one by one. @throws Error when the first does not start, SettingsError when they cannot share the access log
 */
export async function startWorkers(settings: Settings, logger: Logger): Promise<Running> {
  if (typeof settings.accessLog.target === 'object')
    throw new SettingsError([
      'ACCESS_LOG: several workers cannot rotate one file, so it must be stdout or off',
    ]);
  return allOrNothing(logger, async (closers) => {
    const workers = await startWorkerProcesses({
      count: settings.gatewayWorkers,
      logger,
      onGivenUp() {
        logger.fatal('no worker is left, and no new one can be started');
        process.exit(1);
      },
    });
    closers.push(() => workers.close());
    if (settings.metricsPort !== null) {
      const metrics = gatherMetrics(() => workers.workers);
      const server = await startMetricsServer({ port: settings.metricsPort, metrics });
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
