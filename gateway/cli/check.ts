/** `tidegate check`: judges a configuration directory without starting anything. */
import type { Command } from 'commander';
import type { Configuration } from '../configuration/configuration.ts';
import { ConfigurationError, formatFault } from '../configuration/faults.ts';
import { loadConfiguration } from '../configuration/load-configuration.ts';

/** What the configuration commands work with. */
export interface ConfigurationCommandContext {
  /** The configuration directory of the settings. */
  readonly configDir: string;
  /** What `${NAME}` in the files may name. */
  readonly variables: Readonly<Record<string, string>>;
  /** Prints a line. */
  out(line: string): void;
  /** Sets the exit code: 1 when refused. */
  exit(code: number): void;
}

/** Adds `check [dir]`; prints one line that says ok, or one per fault. */
export function registerCheckCommand(program: Command, context: ConfigurationCommandContext): void {
  program
    .command('check')
    .description('judge the configuration; a fault a line, exit code 1')
    .argument('[dir]', 'configuration directory', context.configDir)
    .option('--json', 'print one JSON object')
    .action(async (directory: string, options: { json?: boolean }) => {
      const configuration = await loadOrTell(directory, context, options.json === true);
      if (!configuration) return;
      const counts = countsOf(configuration);
      if (options.json) context.out(JSON.stringify({ ok: true, ...counts, faults: [] }));
      else context.out(`ok: ${Object.entries(counts).map(counted).join(', ')}`);
    });
}

/** The configuration, or null after its faults were printed and the exit code set to 1. */
export async function loadOrTell(
  directory: string,
  context: ConfigurationCommandContext,
  json: boolean,
): Promise<Configuration | null> {
  try {
    return await loadConfiguration(directory, context.variables);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    if (json) context.out(JSON.stringify({ ok: false, faults: error.faults }));
    else for (const fault of error.faults) context.out(formatFault(fault));
    context.exit(1);
    return null;
  }
}

function countsOf(configuration: Configuration): Record<string, number> {
  return {
    endpoints: configuration.endpoints.length,
    pipelines: configuration.pipelines.length,
    policies: configuration.policies.length,
    plugins: configuration.plugins.length,
    services: Object.keys(configuration.serviceEndpoints).length,
    plans: Object.keys(configuration.plans.plans).length,
  };
}

const SINGULAR: Readonly<Record<string, string>> = { policies: 'policy' };

function counted([name, count]: [string, number]): string {
  return `${count} ${count === 1 ? (SINGULAR[name] ?? name.slice(0, -1)) : name}`;
}
