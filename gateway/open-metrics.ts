/** Opens the measurements of a process and, where ADMIN_PORT says so, the listener that shows them. */
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { PrometheusMetrics } from '../services/shared/metrics/prometheus-metrics.ts';
import type { Metrics } from '../services/shared/ports/metrics.ts';
import type { Closers } from './all-or-nothing.ts';
import { startAdminServer } from './start-admin-server.ts';

/**
 * `closers` gets what ends the listener. Without a port everything is measured too, and shown to nobody. A worker of
 * several gateways has no listener: the first process shows what all of them measured.
 */
export async function openMetrics(
  { adminPort }: { readonly adminPort: number | null },
  logger: Logger,
  closers: Closers,
): Promise<Metrics> {
  const metrics = new PrometheusMetrics();
  if (adminPort === null) return metrics;
  metrics.measureProcess();
  if (cluster.isWorker) {
    metrics.answerTo(process);
    return metrics;
  }
  const server = await startAdminServer({ port: adminPort, metrics });
  closers.push(() => server.close());
  logger.info(`metrics on ${server.origin}/metrics`);
  return metrics;
}
