/** Loads the configuration that an argument names: a folder, `@3` for the third of the history, or `@running` for the one in force. */
import type { Configurations } from '../administration/configurations.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { ConfigurationError } from '../configuration/faults.ts';
import { loadSnapshot } from '../configuration/history/load-snapshot.ts';
import { type ConfigurationCommandContext, loadOrRefuse, refusalOf } from './check.ts';
import { Refusal } from './refusal.ts';

/** What the commands that read the history work with. */
export interface HistoryCommandContext extends ConfigurationCommandContext {
  /** Asks that of the running server of DATA_DIR, or else that of the stores. */
  history<T>(
    ask: (history: Pick<Configurations, 'listConfigurations' | 'configuration'>) => Promise<T>,
  ): Promise<T>;
}

const RUNNING = '@running';

/** The configuration, and how answers call it. @throws Refusal with one fault per line */
export async function loadNamed(
  name: string,
  context: HistoryCommandContext,
  json: boolean,
): Promise<{ readonly called: string; readonly configuration: Configuration }> {
  if (!name.startsWith('@')) {
    const configuration = await loadOrRefuse(name, context, json, { readsFiles: true });
    return { called: configuration.directory, configuration };
  }
  const number = name === RUNNING ? await runningNumber(context) : numberIn(name);
  const record = await context.history((history) => history.configuration(number));
  const called = `configuration ${number} of the history`;
  try {
    const source = { directory: context.configDir(), ...context.surroundings(), readsFiles: true };
    return { called, configuration: await loadSnapshot(record, source) };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw refusalOf(error.faults, called, json);
  }
}

function numberIn(name: string): number {
  if (/^@[1-9]\d{0,8}$/.test(name)) return Number(name.slice(1));
  throw new Refusal(
    'VALIDATION_ERROR',
    `"${name}" is no configuration: allowed are a folder, @3 for number 3 of "tidegate history", and ${RUNNING}`,
  );
}

/** @throws Refusal when none was in force yet */
async function runningNumber(context: HistoryCommandContext): Promise<number> {
  const { configurations, pinned } = await context.history((history) => history.listConfigurations());
  const number = pinned?.number ?? configurations.find(({ outcome }) => outcome === 'applied')?.number;
  if (number !== undefined) return number;
  throw new Refusal('NOT_FOUND', 'no configuration was in force yet: start the server once');
}
