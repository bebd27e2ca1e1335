/** `tidegate check`: judges a configuration directory without starting anything. */
import type { Command } from 'commander';
import type { ErrorDetail } from '../../services/shared/errors/api-error.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { ConfigurationError, type Fault, formatFault } from '../configuration/faults.ts';
import { loadConfiguration } from '../configuration/load-configuration.ts';
import { Refusal } from './refusal.ts';

/** What the configuration commands work with. */
export interface ConfigurationCommandContext {
  /** The configuration directory of the settings; asked when a command runs, since settings may be wrong. */
  configDir(): string;
  /** What `${NAME}` in the files may name. */
  readonly variables: Readonly<Record<string, string>>;
  /** Prints a line. */
  out(line: string): void;
}

/** Adds `check [dir]`; prints one line that says ok, or is refused with a line per fault. */
export function registerCheckCommand(program: Command, context: ConfigurationCommandContext): void {
  program
    .command('check')
    .description('judge the configuration; a fault a line, exit code 1')
    .argument('[dir]', 'configuration directory; CONFIG_DIR when absent')
    .option('--json', 'print one JSON object')
    .action(async (argument: string | undefined, options: { json?: boolean }) => {
      const directory = argument ?? context.configDir();
      const configuration = await loadOrRefuse(directory, context, options.json === true);
      const counts = countsOf(configuration);
      if (options.json) context.out(JSON.stringify({ success: true, ...counts }));
      else context.out(`ok: ${Object.entries(counts).map(counted).join(', ')}`);
    });
}

/**
 * The configuration of `directory`.
 * @throws Refusal a fault a line, or each as a detail when the answer is for machines.
 */
export async function loadOrRefuse(
  directory: string,
  { variables }: ConfigurationCommandContext,
  json: boolean,
): Promise<Configuration> {
  try {
    return await loadConfiguration(directory, variables);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const { faults, message } = error;
    if (!json) throw new Refusal('CONFIGURATION_ERROR', message);
    throw new Refusal(
      'CONFIGURATION_ERROR',
      `${counted(['faults', faults.length])} in ${directory}`,
      faults.map(detailOf),
    );
  }
}

/** A fault as an error detail; its parts stand beside the common ones. */
function detailOf(fault: Fault): ErrorDetail & Fault {
  return { ...fault, field: fault.path, message: formatFault(fault), suggestion: fault.nearest };
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
