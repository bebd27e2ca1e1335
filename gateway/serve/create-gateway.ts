/** Assembles a gateway from a checked configuration and its ports: the listener, the current configuration, its reload, and an orderly shutdown. */
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type LimitsInForce, limitsOf } from '../../plugins/kit/limits-in-force.ts';
import { uncountedLimit } from '../../plugins/kit/reply.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { Metrics } from '../../services/shared/ports/metrics.ts';
import { createActivityCounter } from '../../services/shared/usage/activity-counter.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { AccessEntry } from './access-log/access-entry.ts';
import { createAccessLog } from './access-log/access-log.ts';
import { type Throttled, throttledCallers } from './access-log/throttled.ts';
import { createClientAddress, createIsFromTrustedProxy, createIsTrustedProxy } from './client-address.ts';
import { type GatewayOptions, SHORT_DRAIN } from './gateway-options.ts';
import { type Generation, type GenerationParts, startGeneration } from './generation.ts';
import { ConnectionBounds, connectionLimits } from './http/connection-bounds.ts';
import { createHttpServer } from './http/http-server.ts';
import { closeServer, listen, readWhatCame } from './http/listen.ts';
import { rawReply } from './http/raw-reply.ts';
import { createRequestIds } from './http/request-id.ts';
import { createGatewaySnapshots } from './platform/gateway-snapshots.ts';
import { createPlatformViews } from './platform/platform-views.ts';
import { createReadState } from './platform/read-state.ts';
import { NearLimits } from './traffic/near-limits.ts';

export interface Gateway {
  /** The current one. */
  readonly configuration: Configuration;
  /** What is known of refused requests with this id, the newest first; of the last ten thousand. */
  refusals(requestId: string): AccessEntry[];
  /** Callers that limits of this process refused within the last minute. */
  throttled(): Throttled[];
  /** What is left of an organization's limits; null: there is no such organization. */
  limitsOf(organizationId: string): Promise<LimitsInForce | null>;
  /** Starts listening; returns the actual address. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Applies a checked configuration: new requests use it, those in flight finish with the previous one. Counts of limits
   * continue. Rejects on an error, and the current configuration stays.
   */
  reload(configuration: Configuration): Promise<void>;
  /** Stops accepting, lets requests in flight finish for at most `graceMs`, then closes. */
  close(graceMs: number): Promise<void>;
}

/**
 * How long requests in flight, and WebSockets, may still take with a replaced configuration, in milliseconds: longer than
 * any route's wait.
 */
const RETIRED_MS = 120_000;

/** How long requests that were cut at the end may take to be counted, in milliseconds: they are told a moment after it. */
const LAST_COUNTS_MS = 1_000;

/** The answer to a connection beyond the bounds. */
const TOO_MANY = new ApiError('SERVICE_UNAVAILABLE', {
  text: 'Too many connections are open, or too many from this address; reuse open ones, or try again.',
});

/** A gateway that answers once it listens. Rejects on any fault in its configuration: it never starts partially. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { logger } = options;
  let draining = false;
  let leaving = false;
  const newRequestId = createRequestIds();
  const accessLog = options.accessLog ?? createAccessLog({ sample: 0, address: 'truncated' });
  const activity = createActivityCounter('requests', {
    ...options,
    written: (increments) => options.traffic?.countOrganizations(increments),
  });
  const nearLimits = new NearLimits();
  const snapshots = createGatewaySnapshots(
    options,
    options.isShared ?? false,
    createReadState({
      metricsText: async () => (await options.metricsText?.()) ?? '',
      current: () => current,
      refused: accessLog.refused,
      nearLimits,
    }),
  );
  const platform = createPlatformViews({
    ...options,
    snapshots,
    configuration: () => current.configuration,
    limitsOf: (organizationId) => limitsOf(current.runtime, organizationId),
    checks: () => current.checks(),
  });
  const parts: GenerationParts = {
    options,
    accessLog,
    activity,
    nearLimits,
    platform,
    newRequestId,
    broken: new WeakSet(),
    kept: new Map(),
    jwksText: JSON.stringify(options.identity.publicKeys),
    addressOf: createClientAddress(options.trustedProxies, logger),
    isFromTrustedProxy: createIsFromTrustedProxy(options.trustedProxies),
    isDraining: () => draining,
    isLeaving: () => leaving,
  };
  let current = await startGeneration(options.configuration, parts).catch(async (fault: unknown) => {
    await Promise.all([activity.close(), snapshots.close()]);
    throw fault;
  });
  measureConfiguration(options.metrics, () => current);
  /** Generations that were replaced and still answer. */
  const retiring = new Set<Promise<void>>();
  let ended = false;

  const isSecure = options.configuration.https !== null;
  const bounds = new ConnectionBounds({
    limits: options.connections ?? connectionLimits({ maxConnections: null, maxConnectionsPerAddress: null }),
    isTrustedProxy: createIsTrustedProxy(options.trustedProxies),
    metrics: options.metrics,
    logger,
    refusal(address) {
      current.countRaw(TOO_MANY.status);
      if (isSecure) return null;
      return rawReply(TOO_MANY, newRequestId(), uncountedLimit(current.runtime, address));
    },
  });
  const { server, dressForExpress, cutSilent, renew, endUpgraded, cut } = createHttpServer({
    secure: options.configuration.https?.secure() ?? null,
    admit: (socket) => bounds.admit(socket),
    onRequest(req, res, upgrade) {
      if (!draining) {
        current.onRequest(req, res, upgrade);
        return;
      }
      // Once those that came with it are known too: the last one's answer ends the connection.
      setImmediate(() => {
        if (!req.socket.destroyed) current.onRequest(req, res, upgrade);
      });
    },
    newRequestId,
    shownLimit: (address) => uncountedLimit(current.runtime, address),
    countRaw: (status) => current.countRaw(status),
    countUnread: () => bounds.countUnread(),
    unreadMs: options.unreadMs,
  });
  if (current.app !== null) dressForExpress(current.app);

  function retire(generation: Generation): void {
    const timeout = new AbortController();
    const patience = delay(options.retiredMs ?? RETIRED_MS, undefined, {
      signal: timeout.signal,
      ref: false,
    }).catch(() => undefined);
    const retired = Promise.race([generation.idle(), patience])
      .then(() => generation.close())
      .finally(() => {
        timeout.abort();
        retiring.delete(retired);
      });
    retiring.add(retired);
  }

  return {
    get configuration() {
      return current.configuration;
    },
    refusals: (requestId) => accessLog.refused.find(requestId),
    throttled: () => throttledCallers(accessLog.refused.newest()),
    limitsOf: (organizationId) => limitsOf(current.runtime, organizationId),
    listen: (port, host) => listen(server, port, host, 'PORT, HOST'),
    async reload(configuration) {
      if ((configuration.https !== null) !== isSecure)
        throw new Error(
          '"https" was added or removed: a listener takes it up, or drops it, at a restart alone',
        );
      const next = await startGeneration(configuration, parts);
      if (draining) {
        await next.close();
        throw new Error('the gateway is closing');
      }
      const before = current;
      current = next;
      if (configuration.https !== null) renew(configuration.https.secure());
      if (next.app !== null) dressForExpress(next.app);
      retire(before);
    },
    async close(graceMs) {
      if (ended) return;
      ended = true;
      // Keep-alive connections learn from their next answer that they close; then idle ones are closed.
      draining = true;
      const { noticeMs, isReported } = options.drain?.() ?? SHORT_DRAIN;
      leaving = isReported;
      const waitMs = server.listening ? Math.min(noticeMs, graceMs) : 0;
      const endCutting = cutSilent(waitMs);
      await delay(waitMs);
      await readWhatCame();
      const closed = closeServer(server, graceMs - waitMs, cut);
      endUpgraded();
      await closed;
      endCutting();
      bounds.close();
      await Promise.race([current.idle(), delay(LAST_COUNTS_MS, undefined, { ref: false })]);
      await Promise.all(retiring);
      await current.close();
      await Promise.all([activity.close(), snapshots.close()]);
    },
  };
}

/** The hash as a number, since no label may hold it: it is the same where gateways have the same files. */
function measureConfiguration(metrics: Metrics, current: () => Generation): void {
  metrics.watch(
    'tidegate_configuration_hash',
    'The hash of the configuration in use, as a number.',
    () => Number.parseInt(current().configuration.hash, 16),
    'average',
  );
  metrics.watch(
    'tidegate_configuration_age_seconds',
    'How long the configuration has been in use.',
    () => current().ageSeconds(),
    'average',
  );
  metrics.watch(
    'tidegate_configuration_pinned',
    'The number in the history of the configuration that is pinned; 0: none is.',
    () => current().configuration.pinned ?? 0,
    'average',
  );
}
