/** Creates the metrics of a process and, if ADMIN_PORT is set, the listener that serves them. */
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { PrometheusMetrics } from '../../../services/shared/metrics/prometheus-metrics.ts';
import type { Closers } from '../all-or-nothing.ts';
import { startMetricsServer } from './start-metrics-server.ts';

/**
 * `closers` gets the function that closes the listener. Without a port everything is still measured, but not served. A
 * worker of several gateways has no listener: the first process serves the metrics of all of them.
 */
export async function openMetrics(
  { metricsPort }: { readonly metricsPort: number | null },
  logger: Logger,
  closers: Closers,
): Promise<PrometheusMetrics> {
  const metrics = new PrometheusMetrics();
  if (metricsPort === null) return metrics;
  metrics.measureProcess();
  if (cluster.isWorker) {
    metrics.answerTo(process);
    return metrics;
  }
  const server = await startMetricsServer({ port: metricsPort, metrics });
  closers.push(() => server.close());
  logger.info(`metrics on ${server.origin}/metrics`);
  return metrics;
}
