/** `npm run start:gateway`: a gateway in front of services that run elsewhere, or GATEWAY_WORKERS of them on one port. */
import '../../services/shared/process/no-inspector.ts';
import '../../services/shared/process/memory.ts';
import cluster from 'node:cluster';
import { runProcess } from './run-process.ts';
import { startGateway } from './start-gateway.ts';
import { startWorkers } from './workers/start-workers.ts';

await runProcess((settings, logger) =>
  settings.gatewayWorkers > 1 && cluster.isPrimary
    ? startWorkers(settings, logger)
    : startGateway(settings, logger),
);
