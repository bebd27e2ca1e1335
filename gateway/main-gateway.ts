/** `npm run start:gateway`: a gateway before services that run elsewhere, or as many on one port as GATEWAY_WORKERS says. */
import cluster from 'node:cluster';
import { runProcess } from './run-process.ts';
import { startGateway } from './start-gateway.ts';
import { startWorkers } from './start-workers.ts';

await runProcess((settings, logger) =>
  settings.gatewayWorkers > 1 && cluster.isPrimary
    ? startWorkers(settings, logger)
    : startGateway(settings, logger),
);
