/** The headers by which a backend's spans join those of the gateway. */
import { unsampledHeaders } from '../../services/shared/ports/tracer.ts';
import type { GatewayRequest } from '../kit/request-context.ts';

/** Begins the span of the backend's answer, if the request is sampled; as name, value, name, value. */
export function traceHeaders({ context, headers }: GatewayRequest, service: string): string[] {
  const within = context.policySpan ?? context.span;
  if (within === null) return unsampledHeaders(headers);
  context.upstreamSpan = within.child(`upstream ${service}`, 'client');
  return context.upstreamSpan.headers();
}
