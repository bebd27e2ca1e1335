/** Reloads the configuration of a running gateway on demand and when one of its files changes; an invalid one changes nothing. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import type { Metrics } from '../../../services/shared/ports/metrics.ts';
import type { CustomSqlTimes } from '../../configuration/check-custom-sql.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { ConfigurationError } from '../../configuration/faults.ts';
import {
  configurationInForce,
  endPin,
  readFiles,
} from '../../configuration/history/configuration-in-force.ts';
import type { Gateway } from '../../serve/create-gateway.ts';
import type { Closers } from '../all-or-nothing.ts';
import { checkPlans } from './check-plans.ts';
import { watchConfiguration } from './configuration-watch.ts';
import { keepHistory } from './keep-history.ts';
import { watchPin } from './pin-watch.ts';
import { findTakenLinks, warnOfTakenLinks } from './taken-links.ts';
import { findUnknownOrganizations, warnOfUnknownOrganizations } from './unknown-overrides.ts';

/** The outcome of a reload; `refused` keeps the current configuration. */
export type ReloadOutcome =
  | { readonly outcome: 'applied' | 'unchanged' }
  | { readonly outcome: 'refused'; readonly fault: Error };

export interface ConfigurationReload {
  /** Reads and applies the files, one reload after another; never rejects. `reason` appears in the log. */
  reload(reason: string): Promise<ReloadOutcome>;
}

export interface ReloadParts {
  readonly gateway: Pick<Gateway, 'configuration' | 'reload'>;
  /** The variables that `${NAME}` in the files may name. */
  readonly variables: Readonly<Record<string, string>>;
  /** The time limits of custom SQL in the query service; null: this process does not wait for custom SQL. */
  readonly customSql: CustomSqlTimes | null;
  readonly documents: DocumentStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** How long shutdown waits for a running reload, in milliseconds: its files may be on a disk that does not respond. */
const LAST_RELOAD_MS = 2_000;

/** Starts watching the files of the gateway's configuration; `closers` gets the function that stops it. */
export async function startConfigurationReload(
  parts: ReloadParts,
  closers: Closers,
): Promise<ConfigurationReload> {
  const { gateway, variables, customSql, documents, logger, metrics } = parts;
  const { directory } = gateway.configuration;
  const source = { directory, variables, customSql, readsFiles: true };
  const history = keepHistory(documents, logger);
  const counts = metrics.counter(
    'tidegate_configuration_reloads_total',
    'Reloads of the configuration, by outcome.',
    { outcome: ['applied', 'unchanged', 'refused'] },
  );

  /** The files and folders that the last reading named. */
  let further = gateway.configuration.further;

  async function tryReload(reason: string): Promise<ReloadOutcome> {
    let next: Configuration | null = null;
    try {
      const files = await readFiles(source);
      const found = await configurationInForce(files, source, documents);
      next = found.configuration;
      further = [...new Set([...(files.configuration ?? files.fault).further, ...next.further])];
      if (isSame(next, gateway.configuration)) {
        if (found.waiting === null) return { outcome: 'unchanged' };
        next = null;
        throw found.waiting;
      }
      refuseEnded(next, gateway.configuration);
      await checkPlans(documents, Object.keys(next.plans.plans));
      const taken = await findTakenLinks(documents, next);
      const unknown = await findUnknownOrganizations(documents, next.plans);
      await gateway.reload(next);
      const { pinned } = next;
      await history.applied(next, pinned === null ? reason : `rollback to ${pinned} by ${found.pinnedBy}`);
      if (found.ended !== null) await endPin(documents, found.ended);
      warnOfTakenLinks(taken, logger);
      warnOfUnknownOrganizations(unknown, logger);
      return { outcome: 'applied' };
    } catch (fault) {
      // What is in use was read from its own files, and what was refused may be mended in others.
      if (fault instanceof ConfigurationError) further = [...gateway.configuration.further, ...fault.further];
      const refused = {
        configuration: next,
        fault: fault instanceof Error ? fault : new Error(String(fault)),
      };
      await history.refused(refused, reason);
      return { outcome: 'refused', fault: refused.fault };
    }
  }

  async function reloadAndTell(reason: string): Promise<ReloadOutcome> {
    const result = await tryReload(reason);
    counts.of({ outcome: result.outcome }).add();
    const { pinned } = gateway.configuration;
    const told = { directory, reason, outcome: result.outcome, ...(pinned !== null && { pinned }) };
    if (result.outcome === 'refused') {
      logger.error(
        told,
        `the configuration was not reloaded, the previous one stays in use: ${result.fault.message}`,
      );
    } else logger.info(told, 'configuration reload');
    return result;
  }

  let last: Promise<unknown> = Promise.resolve();
  /** The reload that has not begun: it will read the files as they are now, so one is enough for all callers. */
  let waiting: Promise<ReloadOutcome> | null = null;
  function reload(reason: string): Promise<ReloadOutcome> {
    waiting ??= last.then(() => {
      waiting = null;
      return reloadAndTell(reason);
    });
    last = waiting;
    return waiting;
  }

  const stopWatching = await watchConfiguration(
    directory,
    logger,
    () => void reload('a file changed'),
    undefined,
    () => further,
  );
  const pins = await watchPin(documents, gateway.configuration.pinned, (reason) => void reload(reason));
  await history.applied(gateway.configuration, 'start');
  closers.push(async () => {
    stopWatching();
    pins.close();
    await Promise.race([last, delay(LAST_RELOAD_MS, undefined, { ref: false })]);
  });
  return { reload };
}

/** A certificate that ended while it was in use is no reason to stop; one that takes its place is. */
function refuseEnded(next: Configuration, inUse: Configuration): void {
  const { endedCertificates, tlsFiles, further } = next;
  for (const [file, text] of endedCertificates) {
    if (tlsFiles.get(file) !== inUse.tlsFiles.get(file))
      throw new ConfigurationError([{ file: 'gateway.config.yml', path: '', allowed: [], text }], further);
  }
}

/** Whether two configurations have the same hash and mean the same, whatever the layout of their files, and their policies read the same from disk. */
function isSame(one: Configuration, other: Configuration): boolean {
  const partsOf = ({ hash, documents, plans, files, tlsFiles, backendDocuments }: Configuration) =>
    JSON.stringify([hash, documents, plans, files, [...tlsFiles], [...backendDocuments]]);
  return partsOf(one) === partsOf(other);
}
