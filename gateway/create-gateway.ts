/** Assembles a gateway of a checked configuration and its ports: the listener, the configuration at work, the next one, and an orderly end. */
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { OwnDomains } from '../services/shared/access/origin-rule.ts';
import type { RandomBytes } from '../services/shared/credentials/api-key-text.ts';
import type { PasswordHasher } from '../services/shared/credentials/password-hasher.ts';
import { uncountedLimit } from '../services/shared/plugin/reply.ts';
import type { Bus } from '../services/shared/ports/bus.ts';
import type { Clock } from '../services/shared/ports/clock.ts';
import type { CounterStore } from '../services/shared/ports/counter-store.ts';
import type { DocumentStore } from '../services/shared/ports/document-store.ts';
import type { Ids } from '../services/shared/ports/ids.ts';
import type { Metrics } from '../services/shared/ports/metrics.ts';
import { createClientAddress, createIsFromTrustedProxy } from './client-address.ts';
import type { Configuration } from './configuration/configuration.ts';
import { type Generation, type GenerationParts, startGeneration } from './generation.ts';
import { createHttpServer } from './http/http-server.ts';
import { closeServer, listen } from './http/listen.ts';
import { createRequestIds } from './http/request-id.ts';
import type { IdentitySigner } from './identity.ts';

export interface GatewayOptions {
  readonly configuration: Configuration;
  readonly documents: DocumentStore;
  readonly counters: CounterStore;
  /** Whether these decide without the store that all processes share; never when absent. */
  readonly countersAreDegraded?: () => boolean;
  readonly metrics: Metrics;
  readonly bus: Bus;
  readonly identity: IdentitySigner;
  readonly ids: Ids;
  readonly randomBytes: RandomBytes;
  readonly passwords: PasswordHasher;
  readonly ownDomains: OwnDomains;
  /** Key that signs session cookies, 32 bytes. */
  readonly cookieKey: Uint8Array;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The OpenAPI document of what a configuration serves, as JSON text. */
  openApiText(configuration: Configuration): string;
  readonly trustedProxies: readonly string[];
  /**
   * How long it answers on when it ends, saying on /health/ready that it does, in milliseconds, so that a balancer learns
   * of it; asked for once, when it ends. Absent or null: nobody is to leave it for that (the port of a worker stays with
   * the others), and it says nothing.
   */
  noticeMs?(): number | null;
}

export interface Gateway {
  /** The one at work. */
  readonly configuration: Configuration;
  /** Listens; the address that it got. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Puts a checked configuration to work: requests that come from now on go by it, those under way end by the one before.
   * Counts of limits go on. Rejects on a fault, and what was at work stays.
   */
  reload(configuration: Configuration): Promise<void>;
  /** Stops accepting, finishes what is in flight for at most `graceMs`, then closes. */
  close(graceMs: number): Promise<void>;
}

/** How long kept connections may still ask while the gateway closes, in milliseconds. */
const LAST_ANSWERS_MS = 300;

/** How long requests under way may still take by a configuration that was replaced, in milliseconds: longer than any route's wait. */
const RETIRED_MS = 120_000;

/** A gateway that answers once it listens. Rejects on any fault of its configuration: it never starts half. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { logger } = options;
  let draining = false;
  let leaving = false;
  const newRequestId = createRequestIds();
  const parts: GenerationParts = {
    options,
    newRequestId,
    broken: new WeakSet(),
    jwksText: JSON.stringify(options.identity.publicKeys),
    addressOf: createClientAddress(options.trustedProxies, logger),
    isFromTrustedProxy: createIsFromTrustedProxy(options.trustedProxies),
    isDraining: () => draining,
    isLeaving: () => leaving,
  };
  let current = await startGeneration(options.configuration, parts);
  /** Generations that were replaced and still answer. */
  const retiring = new Set<Promise<void>>();
  let ended = false;

  const { server, dressForExpress, cutSilent } = createHttpServer({
    onRequest: (req, res) => current.onRequest(req, res),
    newRequestId,
    shownLimit: (address) => uncountedLimit(current.runtime, address),
    countRaw: (status) => current.countRaw(status),
  });
  if (current.app !== null) dressForExpress(current.app);

  function retire(generation: Generation): void {
    const timeout = new AbortController();
    const patience = delay(RETIRED_MS, undefined, { signal: timeout.signal, ref: false }).catch(
      () => undefined,
    );
    const retired = Promise.race([generation.idle(), patience])
      .then(() => generation.close())
      .catch((fault: unknown) => logger.error({ err: fault }, 'a replaced configuration did not end orderly'))
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
    listen: (port, host) => listen(server, port, host, 'PORT, HOST'),
    async reload(configuration) {
      const next = await startGeneration(configuration, parts);
      if (draining) {
        await next.close();
        throw new Error('the gateway is closing');
      }
      const before = current;
      current = next;
      if (next.app !== null) dressForExpress(next.app);
      retire(before);
    },
    async close(graceMs) {
      if (ended) return;
      ended = true;
      // Kept connections learn from their next answer that they end; then those without a request are cut.
      draining = true;
      const noticeMs = options.noticeMs?.() ?? null;
      leaving = noticeMs !== null;
      await delay(server.listening ? Math.min(noticeMs ?? LAST_ANSWERS_MS, graceMs) : 0);
      const closed = closeServer(server, Math.max(0, graceMs - (noticeMs ?? 0)));
      cutSilent();
      await closed;
      await Promise.all(retiring);
      await current.close();
    },
  };
}
