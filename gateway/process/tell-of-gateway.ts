/** Lets the command line ask a gateway that runs alone, at a socket of its own in DATA_DIR. */
import { mkdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { limitsFrom } from '../administration/limits.ts';
import { GATEWAY_ROUTES, type GatewayOperations } from '../administration/routes.ts';
import { startOperatorServer } from '../administration/server.ts';
import { fitsSocketPath, gatewaySocketsIn, probeSocket } from '../administration/socket.ts';
import type { Gateway } from '../serve/create-gateway.ts';
import type { Closers } from './all-or-nothing.ts';
import { readTraffic } from './metrics/read-traffic.ts';

/**
 * `folder` is that of the sockets; several gateways may share it. What gateways left there that are dead is removed. A gateway
 * that may not write there, or meets another one of its number in another container, serves without a socket.
 */
export async function tellOfGateway(
  gateway: Gateway,
  folder: string,
  metrics: { text(): Promise<string> },
  logger: Logger,
  closers: Closers,
): Promise<void> {
  const socketPath = join(folder, `${process.pid}.sock`);
  if (!fitsSocketPath(socketPath)) {
    logger.warn({ folder }, 'DATA_DIR is too long for a socket: tidegate cannot ask this gateway');
    return;
  }
  const administration: GatewayOperations = {
    refusals: async (requestId) => gateway.refusals(requestId),
    limits: (id) => limitsFrom((organizationId) => gateway.limitsOf(organizationId), id),
    traffic: () => readTraffic(metrics, gateway),
  };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const path of gatewaySocketsIn(folder)) if ((await probeSocket(path)) === 'stale') removed(path);
    const server = await startOperatorServer({ administration, routes: GATEWAY_ROUTES, socketPath, logger });
    closers.push(() => server.close());
  } catch (fault) {
    logger.warn({ err: fault, socketPath }, 'no socket could be opened: tidegate cannot ask this gateway');
  }
}

/** Another gateway may do so at the same time. */
function removed(path: string): void {
  try {
    unlinkSync(path);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ENOENT') throw fault;
  }
}
