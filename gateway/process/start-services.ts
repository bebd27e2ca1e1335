/** Prepares the services that run in their gateway's process, before their stores are open: what reaches them, and on loopback their listeners. */
import type { Server } from 'node:http';
import { type Settings, SettingsError } from '../../config/settings.ts';
import type { ServiceApp } from '../../services/shared/http/create-service-app.ts';
import { createServiceServer } from '../../services/shared/http/create-service-server.ts';
import type { AnswerInProcess, ServicesInProcess } from '../../services/shared/http/service-exchange.ts';
import { SERVICES, type ServiceName } from '../../services/shared/identity/identity-token.ts';
import { closeServer, GRACE_MS, listen, originOf } from '../serve/http/listen.ts';
import { defaultConnections, openFileLimit } from '../serve/http/open-files.ts';
import type { Closers } from './all-or-nothing.ts';
import { UNSTARTED_SERVICE_URLS } from './reload/configuration-variables.ts';

/** Header section size: what a client may send, plus the identity token of a key limited to very many websites. */
export const SERVICE_HEADER_BYTES = 262_144;

/** How long a service keeps an idle connection, in milliseconds: longer than the gateway, which thus never sends into a closing one. */
export const SERVICE_KEEP_ALIVE_MS = 75_000;

/** How long the header section of a request may take to arrive, in milliseconds: gateways send it at once. */
const SERVICE_HEADERS_MS = 10_000;

/** Bounds the connections of a service, which only gateways reach, and how long they may be silent. */
export function boundService(server: Server, most: number): void {
  server.keepAliveTimeout = SERVICE_KEEP_ALIVE_MS;
  server.headersTimeout = SERVICE_HEADERS_MS;
  server.maxConnections = most;
}

/** Hosts on which services in the gateway's process may listen: they use plain HTTP. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

export interface Backend {
  readonly url: string;
  /** Answers by the app from now on; called once. */
  serve(app: ServiceApp): void;
}

export interface EmbeddedServices {
  readonly backends: Readonly<Record<ServiceName, Backend>>;
  /** Those that the gateway calls; it is complete once all are served. */
  readonly inProcess: ServicesInProcess;
}

/**
 * A service without an address listens nowhere if the gateway calls it, else on a free loopback port. @throws SettingsError
 * for hosts other than loopback, and for a service with several addresses
 */
export async function startServices(
  { serviceUrls: urls, embeddedTransport }: Pick<Settings, 'serviceUrls' | 'embeddedTransport'>,
  closers: Closers,
): Promise<EmbeddedServices> {
  const faults = SERVICES.flatMap((name) => {
    const setting = `${name.toUpperCase()}_URL="${urls[name].join(',')}"`;
    if (urls[name].length > 1) return [`${setting}: an embedded service listens at one address`];
    const isFar = urls[name].some((url) => !LOOPBACK.has(new URL(url).hostname));
    return isFar ? [`${setting}: embedded services listen on 127.0.0.1 only`] : [];
  });
  if (faults.length > 0) throw new SettingsError(faults);
  const inProcess = new Map<string, AnswerInProcess>();
  async function start(name: ServiceName): Promise<Backend> {
    const [url] = urls[name];
    const isCalled = embeddedTransport === 'process';
    const listener = isCalled && url === undefined ? null : await startListener(name, url, closers);
    const backend = listener?.url ?? UNSTARTED_SERVICE_URLS[name];
    return {
      url: backend,
      serve(app) {
        listener?.serve(app);
        if (isCalled) inProcess.set(backend, app.answerInProcess);
      },
    };
  }
  const [query, tracking, resources] = await Promise.all([
    start('query'),
    start('tracking'),
    start('resources'),
  ]);
  return { backends: { query, tracking, resources }, inProcess };
}

async function startListener(name: ServiceName, url: string | undefined, closers: Closers): Promise<Backend> {
  const { server, serve } = createServiceServer(SERVICE_HEADER_BYTES);
  boundService(server, defaultConnections(openFileLimit()));
  const { hostname, port } = new URL(url ?? 'http://127.0.0.1:0');
  const host = hostname.replace(/^\[|\]$/g, '');
  const address = await listen(server, Number(port || 80), host, `${name.toUpperCase()}_URL`);
  closers.push(() => closeServer(server, GRACE_MS));
  return { url: originOf(address), serve };
}
