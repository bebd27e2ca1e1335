/** Sends a paid, judged request to its service over a pool of kept connections, with the signed identity of its caller. */
import { pipeline, type Readable, Transform } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { z } from 'zod';
import { payloadTooLarge } from '../../services/shared/errors/payload-too-large.ts';
import { IDENTITY_HEADER } from '../../services/shared/identity/identity-token.ts';
import { definePolicy } from '../../services/shared/plugin/define-plugin.ts';
import type { GatewayRequest } from '../../services/shared/plugin/request-context.ts';
import { Exchange, type ExchangeService } from './exchange.ts';
import { createForwardedHeaders } from './forwarded-headers.ts';
import { upstreamOf } from './upstream.ts';
import { createUpstreamFailures, createUpstreamRetries } from './upstream-measures.ts';

const proxyParams = z.strictObject({
  serviceEndpoint: z.string().describe('Name of the serviceEndpoint that answers.'),
  timeoutSeconds: z
    .number()
    .int()
    .min(1)
    .max(600)
    .default(30)
    .describe(
      'How long the service may take to begin its answer, and to pause within it, in seconds. Default 30.',
    ),
  connections: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(256)
    .describe('Most connections kept to each address of the service; further requests wait. Default 256.'),
  forgetsAfterWrites: z
    .boolean()
    .default(false)
    .describe(
      'Whether this process forgets what it remembers of keys, sessions and organizations before it passes on that a write succeeded. Default false.',
    ),
});

/** How long an idle connection is kept, in milliseconds; below the services' own limit, so that none is used as it closes. */
const IDLE_MS = 30_000;
const CONNECT_MS = 5_000;

export const proxyPolicy = definePolicy({
  name: 'proxy',
  schema: proxyParams,
  create(params, runtime) {
    const service = runtime.serviceEndpoints[params.serviceEndpoint];
    if (!service) throw new Error(`no serviceEndpoint "${params.serviceEndpoint}"`);
    const { audience, retries } = service;
    const timeoutMs = params.timeoutSeconds * 1000;
    const forwarded = createForwardedHeaders(runtime.isFromTrustedProxy);
    const upstream = upstreamOf(runtime, params.serviceEndpoint, service);
    const pools = upstream.addresses.map(({ origin }) => createPool(origin, params.connections, timeoutMs));
    runtime.onClose(() => Promise.all(pools.map((pool) => pool.destroy())).then(() => undefined));
    const to: ExchangeService = {
      upstream,
      pools,
      retries,
      timeoutMs,
      retried: createUpstreamRetries(runtime.metrics, params.serviceEndpoint),
      passes: forwarded.responseName,
      isOwn: audience !== null,
      failures: createUpstreamFailures(
        runtime.metrics,
        Object.keys(runtime.serviceEndpoints),
        params.serviceEndpoint,
      ),
      beforeSuccess: params.forgetsAfterWrites
        ? ({ method }) => {
            if (!isSafe(method)) runtime.bus.publishHere({ kind: 'everything' });
          }
        : null,
    };

    return function proxy(req, res, next) {
      const { context } = req;
      const { principal } = context;
      if (principal === null || context.refusal !== null || context.shownLimit === null) {
        throw new Error(
          'the proxy was reached by a request that was not judged: check the order of policies',
        );
      }
      const send = (token: string | null): void => {
        const headers = forwarded.request(req, context.isInflated);
        headers.push('x-request-id', context.requestId, 'x-forwarded-for', context.address);
        if (token !== null) headers.push(IDENTITY_HEADER, token);
        const options = {
          path: req.url,
          method: req.method as Dispatcher.HttpMethod,
          headers,
          body: bodyOf(req),
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
          reset: false,
        };
        new Exchange(req, res, next, to, options).send();
      };
      const token = audience === null ? null : runtime.identityToken(principal, audience);
      if (token instanceof Promise) token.then(send).catch(next);
      else send(token);
    };
  },
});

function createPool(origin: string, connections: number, timeoutMs: number): Pool {
  return new Pool(origin, {
    connections,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    connect: { timeout: Math.min(CONNECT_MS, timeoutMs) },
  });
}

/** Whether the method changes nothing. */
function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** What was read whole, else the stream itself when there is one. */
function bodyOf(req: GatewayRequest): Buffer | Readable | null {
  const { body } = req.context;
  if (body !== null) return body;
  if (isSafe(req.method)) return null;
  const { headers } = req;
  if (headers['transfer-encoding'] !== undefined) return bounded(req, req.context.streamLimit);
  return (headers['content-length'] ?? '0') === '0' ? null : req;
}

/** A body of unannounced length, cut with 413 where it exceeds what the body policy allows. */
function bounded(req: GatewayRequest, maxBytes: number | null): Readable {
  if (maxBytes === null) return req;
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(payloadTooLarge(maxBytes));
      else done(null, chunk);
    },
  });
  return pipeline(req, limit, () => undefined);
}
