/** Reloads the configuration of a running gateway: on demand and when a file of it changes; a faulty one changes nothing. */
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { DocumentStore } from '../services/shared/ports/document-store.ts';
import type { Metrics } from '../services/shared/ports/metrics.ts';
import type { Closers } from './all-or-nothing.ts';
import { checkPlans } from './check-plans.ts';
import type { Configuration } from './configuration/configuration.ts';
import { loadConfiguration } from './configuration/load-configuration.ts';
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

/** Files that are written one after the other are read once, this many milliseconds after the last. */
const SETTLED_AFTER_MS = 300;
/** Folders of a configuration. */
const WATCHED = ['.', 'models'] as const;

/** Begins to watch the files of the gateway's configuration; `closers` gets what ends it. */
export function startConfigurationReload(parts: ReloadParts, closers: Closers): ConfigurationReload {
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

  let last: Promise<unknown> = Promise.resolve();
  function reload(reason: string): Promise<ReloadOutcome> {
    const made = last.then(tryReload).then((result) => {
      counts.of({ outcome: result.outcome }).add();
      const told = { directory, reason, outcome: result.outcome };
      if (result.outcome === 'refused') {
        logger.error(
          told,
          `the configuration was not reloaded, the one before stays: ${result.fault.message}`,
        );
      } else logger.info(told, 'configuration reload');
      return result;
    });
    last = made;
    return made;
  }

  const stopWatching = watchFiles(directory, logger, () => void reload('a file changed'));
  closers.push(async () => {
    stopWatching();
    await last;
  });
  return { reload };
}

/** Whether two configurations say the same, in whatever words and order of keys the files do. */
function isSame(one: Configuration, other: Configuration): boolean {
  return JSON.stringify([one.documents, one.plans]) === JSON.stringify([other.documents, other.plans]);
}

/**
 * Tells of changes to the files, some time after the last of them. It watches folders, as editors and mounted volumes put new files in
 * the place of old ones. Where the system cannot watch, a warning says so: SIGHUP serves there.
 */
function watchFiles(directory: string, logger: Logger, changed: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  const settle = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(changed, SETTLED_AFTER_MS);
    timer.unref();
  };
  const watchers: FSWatcher[] = [];
  const give = (fault: unknown): void =>
    logger.warn({ err: fault, directory }, 'changed files are not noticed here: send SIGHUP to reload');
  for (const folder of WATCHED) {
    try {
      const watcher = watch(join(directory, folder), { persistent: false }, settle);
      watcher.on('error', give);
      watchers.push(watcher);
    } catch (fault) {
      give(fault);
    }
  }
  return () => {
    if (timer !== null) clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
