/** Lets each request of a service be a span, and what it does be within it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Tracer } from '../ports/tracer.ts';
import { withinSpan } from '../tracing/active-span.ts';

/** As express leaves it: with the route that answered. */
type RoutedRequest = IncomingMessage & { readonly route?: { readonly path: string } };

/** The gateway decided whether the request is sampled. `service`: begins the name of the span. */
export function traceRequests(
  tracer: Tracer,
  service: string,
): (req: RoutedRequest, res: ServerResponse, next: () => void) => void {
  return (req, res, next) => {
    const span = tracer.receive(service, req.headers, true);
    if (span === null) {
      next();
      return;
    }
    res.once('close', () => {
      const { route, method = '' } = req;
      if (route !== undefined) {
        span.rename(`${service} ${method} ${route.path}`);
        span.set('http.route', route.path);
      }
      span.set('http.request.method', method);
      span.set('http.response.status_code', res.statusCode);
      if (res.statusCode >= 500 || !res.writableFinished) span.fail();
      span.end();
    });
    withinSpan(span, next);
  };
}
