/** Chooses what carries requests to an address: nothing at all where the service is in this process. */
import type { ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { createHttpTransport } from './http-transport.ts';
import { ProcessTransport } from './process-transport.ts';
import type { Transport, TransportBounds } from './transport.ts';

/** To `origin`, one of the addresses of the backend. */
export function createTransport(
  origin: string,
  { audience, tls }: ServiceEndpoint,
  bounds: TransportBounds,
  { servicesInProcess }: Pick<GatewayRuntime, 'servicesInProcess'>,
): Transport {
  const answer = audience === null ? undefined : servicesInProcess.get(origin);
  return answer === undefined
    ? createHttpTransport(origin, tls, bounds)
    : new ProcessTransport(answer, bounds);
}
