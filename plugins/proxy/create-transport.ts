/** Chooses what carries requests to an address: nothing at all where the service is in this process. */
import type { ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { createHttpTransport, createKeptTransport } from './http-transport.ts';
import { ProcessTransport } from './process-transport.ts';
import type { Transport, TransportBounds } from './transport.ts';

/** To `origin`, one of the addresses of the backend. */
export function createTransport(
  origin: string,
  { audience, tls }: ServiceEndpoint,
  bounds: TransportBounds,
  { servicesInProcess, upstreamClient }: Pick<GatewayRuntime, 'servicesInProcess' | 'upstreamClient'>,
): Transport {
  const answer = audience === null ? undefined : servicesInProcess.get(origin);
  if (answer !== undefined) return new ProcessTransport(answer, bounds);
  return upstreamClient === 'own' && origin.startsWith('http:')
    ? createKeptTransport(origin, bounds)
    : createHttpTransport(origin, tls, bounds);
}
