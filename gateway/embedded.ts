/** Composes everything in one process over embedded stores: the same gateway and services as apart, on loopback. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Logger } from 'pino';
import { type Settings, SettingsError } from '../config/settings.ts';
import { createQueryService } from '../services/query/create-query-service.ts';
import { createResourcesService } from '../services/resources/create-resources-service.ts';
import { applyProvisioning } from '../services/resources/provisioning/apply-provisioning.ts';
import { firstStart } from '../services/resources/provisioning/first-start.ts';
import { createPasswordHasher } from '../services/shared/credentials/password-hasher.ts';
import { SERVICES, type ServiceName } from '../services/shared/identity/identity-token.ts';
import { createVerifyIdentity } from '../services/shared/identity/verify-identity.ts';
import { type Clock, systemClock } from '../services/shared/ports/clock.ts';
import { createIds } from '../services/shared/ports/ids.ts';
import { createDuckDbEventStore } from '../services/shared/storage/duckdb/duckdb-event-store.ts';
import { createTrackingService } from '../services/tracking/create-tracking-service.ts';
import { createIngestCounts } from '../services/tracking/ingest/ingest-counts.ts';
import { readTrackerScript } from '../services/tracking/script/read-tracker-script.ts';
import { startAdministrationServer } from './administration.ts';
import { createAdministration } from './administration-operations.ts';
import { fitsSocketPath } from './administration-socket.ts';
import { apiDescription } from './api-description.ts';
import { checkPlans } from './check-plans.ts';
import { loadConfiguration } from './configuration/load-configuration.ts';
import { configurationVariables } from './configuration-variables.ts';
import { createGateway } from './create-gateway.ts';
import { dataPathsOf } from './data-directory.ts';
import { closeServer, GRACE_MS, listen, originOf } from './http/listen.ts';
import { createIdentitySigner, publicKeySet } from './identity.ts';
import { openCounters } from './open-counters.ts';
import { openDocuments } from './open-documents.ts';
import { openMetrics } from './open-metrics.ts';
import type { Running } from './run-process.ts';
import { loadSecrets } from './secrets.ts';

/** Starts everything, or nothing; a first start announces its credentials. On a fault what was begun is closed again, and the fault is thrown. */
export async function startEmbedded(
  settings: Settings,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Running> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) {
      await closer().catch((fault: unknown) => logger.error({ err: fault }, 'a part did not close'));
    }
  };
  try {
    return { ...(await compose(settings, logger, clock, closers)), close };
  } catch (fault) {
    await close();
    throw fault;
  }
}

async function compose(
  settings: Settings,
  logger: Logger,
  clock: Clock,
  closers: (() => Promise<unknown>)[],
): Promise<Omit<Running, 'close'>> {
  const metrics = await openMetrics(settings, logger, closers);
  const backends = await listenServices(settings.serviceUrls, closers);
  // A faulty configuration stops the start before any store is touched.
  const configuration = await loadConfiguration(
    settings.configDir,
    configurationVariables({
      query: backends.query.url,
      tracking: backends.tracking.url,
      resources: backends.resources.url,
    }),
  );

  const trackerScript = await readTrackerScript();

  const paths = dataPathsOf(settings.dataDir);
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const secrets = await loadSecrets(settings.secretsFile ?? paths.secrets);
  const events = await createDuckDbEventStore({ path: paths.events });
  closers.push(() => events.close());
  metrics.watch(
    'tidegate_event_store_waiting_events',
    'Events that wait to be committed.',
    () => events.waitingEvents,
  );
  const { bus, documents } = openDocuments(settings, paths.documents, clock, logger, closers);
  const ids = createIds();
  const plans = Object.keys(configuration.plans.plans);
  await checkPlans(documents, plans);
  if (settings.provisionFile !== null) {
    const text = await readFile(settings.provisionFile, 'utf8').catch((fault: NodeJS.ErrnoException) => {
      throw new Error(`PROVISION_FILE=${settings.provisionFile} cannot be read (${fault.code})`, {
        cause: fault,
      });
    });
    const report = await applyProvisioning({ documents, ids }, { file: settings.provisionFile, text, plans });
    for (const warning of report.warnings) logger.warn({ file: settings.provisionFile }, warning);
    logger.info(
      { applied: report.applied.length, unchanged: report.unchanged.length },
      'provisioning file applied',
    );
  }

  const jwks = publicKeySet(secrets.identityKeys);
  const options = (audience: ServiceName) => ({
    verifyIdentity: createVerifyIdentity(jwks, audience, clock),
    logger: logger.child({ service: audience }),
    metrics,
  });
  backends.query.serve(createQueryService({ events, documents, clock }, options('query')));
  backends.tracking.serve(
    createTrackingService(
      {
        events,
        documents,
        clock,
        counts: createIngestCounts(metrics),
        visitorSecret: Buffer.from(secrets.visitorSecret, 'base64url'),
        trackerScript,
      },
      options('tracking'),
    ),
  );
  const { keyPrefix } = settings;
  backends.resources.serve(
    createResourcesService({ documents, ids, clock, randomBytes, keyPrefix }, options('resources')),
  );

  const { counters, areDegraded } = await openCounters(settings, { clock, logger, metrics }, closers);
  const gateway = await createGateway({
    configuration,
    documents,
    counters,
    countersAreDegraded: areDegraded,
    metrics,
    bus,
    identity: await createIdentitySigner(secrets.identityKeys, clock),
    ids,
    randomBytes,
    passwords: createPasswordHasher(),
    ownDomains: settings,
    cookieKey: Buffer.from(secrets.cookieKey, 'base64url'),
    clock,
    logger,
    openApiText: apiDescription(),
    trustedProxies: settings.trustedProxies,
  });
  closers.push(() => gateway.close(GRACE_MS));
  if (fitsSocketPath(paths.administrationSocket)) {
    const administration = await startAdministrationServer({
      administration: createAdministration(
        { documents, ids, clock, randomBytes },
        { keyPrefix, plans: async () => plans },
      ),
      socketPath: paths.administrationSocket,
      logger,
    });
    closers.push(() => administration.close());
  } else {
    logger.warn(
      { dataDir: settings.dataDir },
      'DATA_DIR is too long for a socket: tidegate opens the stores instead',
    );
  }

  const origin = originOf(await gateway.listen(settings.port, settings.host));
  const made =
    settings.provisionFile === null
      ? await firstStart(
          { documents, ids, clock, randomBytes },
          { keyPrefix: settings.keyPrefix, baseUrl: origin },
        )
      : null;
  return { origin, announcement: made?.text ?? null };
}

/** What a client may send, and the identity token of a key that is limited to very many websites. */
const SERVICE_HEADER_BYTES = 262_144;

interface Backend {
  readonly url: string;
  serve(app: RequestListener): void;
}

/** Where services may listen when they run with the gateway: they speak plain HTTP. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** The services' listeners, at the set addresses or on free loopback ports; they answer once their app is there. */
async function listenServices(
  urls: Settings['serviceUrls'],
  closers: (() => Promise<unknown>)[],
): Promise<Record<ServiceName, Backend>> {
  const far = SERVICES.filter((name) => urls[name] !== null && !LOOPBACK.has(new URL(urls[name]).hostname));
  if (far.length > 0) {
    throw new SettingsError(
      far.map(
        (name) => `${name.toUpperCase()}_URL="${urls[name]}": embedded services listen on 127.0.0.1 only`,
      ),
    );
  }
  const open = async (name: ServiceName): Promise<Backend> => {
    let app: RequestListener = (_req, res) => res.writeHead(503).end();
    const server: Server = createServer({ maxHeaderSize: SERVICE_HEADER_BYTES }, (req, res) => app(req, res));
    // Longer than the gateway keeps an idle connection, so that it never sends into a closing one.
    server.keepAliveTimeout = 75_000;
    const { hostname, port } = new URL(urls[name] ?? 'http://127.0.0.1:0');
    const address = await listen(server, Number(port || 80), hostname.replace(/^\[|\]$/g, ''));
    closers.push(() => closeServer(server, GRACE_MS));
    return {
      url: originOf(address),
      serve: (served) => {
        app = served;
      },
    };
  };
  const [query, tracking, resources] = await Promise.all([
    open('query'),
    open('tracking'),
    open('resources'),
  ]);
  return { query, tracking, resources };
}
