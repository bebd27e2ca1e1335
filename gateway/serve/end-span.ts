/** Ends the spans of a sampled request: what it was, what became of it, and who asked, by ids alone. */
import type { GatewayRequest } from '../../plugins/kit/request-context.ts';

/** `status` 0: the client left before the answer was complete. `template`: the path as the configuration writes it. */
export function endSpans({ context, method }: GatewayRequest, status: number, template: string | null): void {
  const { span, policySpan, upstreamSpan, principal, answered } = context;
  if (span === null) return;
  if (upstreamSpan !== null) {
    if (context.upstream !== null) upstreamSpan.set('server.address', context.upstream);
    upstreamSpan.set('http.request.resend_count', context.retries);
    if (status >= 500) upstreamSpan.fail();
    upstreamSpan.end();
  }
  policySpan?.end();
  span.rename(template === null ? method : `${method} ${template}`);
  span.set('http.request.method', method);
  if (template !== null) span.set('http.route', template);
  if (status !== 0) span.set('http.response.status_code', status);
  span.set('tidegate.request_id', context.requestId);
  span.set('tidegate.endpoint', context.endpoint.name);
  const organizationId = principal?.caller.organizationId ?? null;
  if (organizationId !== null) span.set('tidegate.organization', organizationId);
  if (principal?.caller.kind === 'key') span.set('tidegate.key', principal.caller.id);
  if (answered !== null) span.set('error.type', answered.code);
  if (answered?.limit) span.set('tidegate.limit', answered.limit.name);
  if (status === 0 || status >= 500) span.fail();
  span.end();
}
