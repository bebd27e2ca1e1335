/** Reloads the configuration of a running gateway: on demand and when a file of it changes; a faulty one changes nothing. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DocumentStore } from '../services/shared/ports/document-store.ts';
import type { Metrics } from '../services/shared/ports/metrics.ts';
import type { Closers } from './all-or-nothing.ts';
import { checkPlans } from './check-plans.ts';
import type { Configuration } from './configuration/configuration.ts';
import { loadConfiguration } from './configuration/load-configuration.ts';
import { watchConfiguration } from './configuration-watch.ts';
import type { Gateway } from './create-gateway.ts';

/** What came of a reload; `refused` leaves what was at work as it was. */
export type ReloadOutcome =
  | { readonly outcome: 'applied' | 'unchanged' }
  | { readonly outcome: 'refused'; readonly fault: Error };

export interface ConfigurationReload {
  /** Reads the files and puts them to work, one reload after the other; never rejects. `reason` stands in the log. */
  reload(reason: string): Promise<ReloadOutcome>;
}

export interface ReloadParts {
  readonly gateway: Pick<Gateway, 'configuration' | 'reload'>;
  /** What `${NAME}` in the files may name. */
  readonly variables: Readonly<Record<string, string>>;
  readonly documents: DocumentStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** How long the end waits for a reload under way, in milliseconds: its files may lie on a disk that does not answer. */
const LAST_RELOAD_MS = 2_000;

/** Begins to watch the files of the gateway's configuration; `closers` gets what ends it. */
export async function startConfigurationReload(
  parts: ReloadParts,
  closers: Closers,
): Promise<ConfigurationReload> {
  const { gateway, variables, documents, logger, metrics } = parts;
  const { directory } = gateway.configuration;
  const counts = metrics.counter(
    'tidegate_configuration_reloads_total',
    'Reloads of the configuration, by what came of them.',
    { outcome: ['applied', 'unchanged', 'refused'] },
  );

  async function tryReload(): Promise<ReloadOutcome> {
    try {
      const next = await loadConfiguration(directory, variables);
      if (isSame(next, gateway.configuration)) return { outcome: 'unchanged' };
      await checkPlans(documents, Object.keys(next.plans.plans));
      await gateway.reload(next);
      return { outcome: 'applied' };
    } catch (fault) {
      return { outcome: 'refused', fault: fault instanceof Error ? fault : new Error(String(fault)) };
    }
  }

  async function reloadAndTell(reason: string): Promise<ReloadOutcome> {
    const result = await tryReload();
    counts.of({ outcome: result.outcome }).add();
    const told = { directory, reason, outcome: result.outcome };
    if (result.outcome === 'refused') {
      logger.error(told, `the configuration was not reloaded, the one before stays: ${result.fault.message}`);
    } else logger.info(told, 'configuration reload');
    return result;
  }

  let last: Promise<unknown> = Promise.resolve();
  /** The one that has not begun: it will read what stands in the files now, so one is enough for all who ask. */
  let waiting: Promise<ReloadOutcome> | null = null;
  function reload(reason: string): Promise<ReloadOutcome> {
    waiting ??= last.then(() => {
      waiting = null;
      return reloadAndTell(reason);
    });
    last = waiting;
    return waiting;
  }

  const stopWatching = await watchConfiguration(directory, logger, () => void reload('a file changed'));
  closers.push(async () => {
    stopWatching();
    await Promise.race([last, delay(LAST_RELOAD_MS, undefined, { ref: false })]);
  });
  return { reload };
}

/** Whether two configurations say the same, in whatever words and order of keys the files do. */
function isSame(one: Configuration, other: Configuration): boolean {
  return JSON.stringify([one.documents, one.plans]) === JSON.stringify([other.documents, other.plans]);
}
