/** `tidegate check`: validates a configuration directory without starting anything. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ErrorDetail } from '../../services/shared/errors/api-error.ts';
import type { ConfigurationSurroundings } from '../configuration/check-configuration.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { ConfigurationError, type Fault, formatFault } from '../configuration/faults.ts';
import { loadConfiguration } from '../configuration/load-configuration.ts';
import { type Connections, connectBackends } from './connect.ts';
import { Refusal } from './refusal.ts';
import { checkStored, type StoredOrganization } from './stored-organizations.ts';

/** Its options. */
interface CheckOptions {
  readonly json?: boolean;
  readonly connect?: boolean;
  readonly running?: boolean;
}

/** What the configuration commands work with. */
export interface ConfigurationCommandContext {
  /** The configuration directory of the settings; read when a command runs, since settings may be invalid. */
  configDir(): string;
  /** What the files are checked against; read when a command runs, for the same reason. */
  surroundings(): Omit<ConfigurationSurroundings, 'readsFiles'>;
  /** Of the running server of DATA_DIR, or else of the stores. */
  organizations(): Promise<readonly StoredOrganization[]>;
  /** Prints a line. */
  out(line: string): void;
}

/** Adds `check [dir]`; prints one line per warning and a summary, or fails with one line per fault. */
export function registerCheckCommand(program: Command, context: ConfigurationCommandContext): void {
  program
    .command('check')
    .description('Check the configuration; faults come one per line, with exit code 1.')
    .argument('[dir]', 'configuration directory (default: CONFIG_DIR)')
    .option('--connect', 'also ask each backend, at the path of its health check, whether it takes requests')
    .option('--running', 'also ask the running server, or the stores, which plans are in use')
    .option('--json', 'print one JSON object')
    .action(async (argument: string | undefined, options: CheckOptions) => {
      const directory = argument ?? context.configDir();
      const json = options.json === true;
      const configuration = await loadOrRefuse(directory, context, json, { readsFiles: true });
      const connections = options.connect ? await connectBackends(configuration) : null;
      const organizations = options.running ? await context.organizations() : null;
      const stored = organizations === null ? null : checkStored(configuration, organizations);
      const faults = [...(connections?.faults ?? []), ...(stored?.faults ?? [])];
      if (faults.length > 0) throw refusalOf(faults, configuration.directory, json);
      const counts = countsOf(configuration);
      const { directory: judged } = configuration;
      const warnings = [
        ...configuration.warnings,
        ...(connections?.warnings ?? []),
        ...(stored?.warnings ?? []),
      ];
      if (json) {
        const { asked, unstarted } = connections ?? {};
        const { variables } = configuration;
        const told = {
          directory: judged,
          variables,
          warnings: warnings.map(detailOf),
          asked,
          unstarted,
          organizations: organizations?.length,
        };
        context.out(JSON.stringify({ success: true, ...counts, ...told }));
        return;
      }
      for (const warning of warnings) context.out(`warning: ${formatFault(warning)}`);
      for (const line of variableLines(configuration)) context.out(line);
      for (const line of linesOf(connections)) context.out(line);
      if (organizations !== null)
        context.out(`stored organizations: ${organizations.length}, each on a plan that is there`);
      context.out(`ok: ${Object.entries(counts).map(counted).join(', ')} in ${judged}`);
    });
}

/** A line for each variable that is not the server's own, and each secret file; never what it holds. */
function variableLines({ variables }: Configuration): string[] {
  const named = variables.filter(({ from }) => from !== 'server');
  return named.map(({ name, from }) => {
    if (from === 'secret file') return `secret file ${name}: read`;
    return `variable ${name}: ${from === 'default' ? 'not set, by default' : 'set in the environment'}`;
  });
}

/** A line for each address that was asked, and each service that cannot be asked yet. */
function linesOf(connections: Connections | null): string[] {
  if (connections === null) return [];
  const { asked, unstarted } = connections;
  return [
    ...asked.map(
      ({ service, url, path, status }) => `asked ${service}: ${url}${path} ${status ?? 'no answer'}`,
    ),
    ...unstarted.map((service) => `not asked ${service}: it starts with the gateway`),
  ];
}

/**
 * The configuration of `directory`; `files` says whether what its policies read from disk must be there.
 * @throws Refusal with one fault per line, or with each fault as a detail when the output is for machines.
 */
export async function loadOrRefuse(
  directory: string,
  context: ConfigurationCommandContext,
  json: boolean,
  files: Pick<ConfigurationSurroundings, 'readsFiles'> = { readsFiles: false },
): Promise<Configuration> {
  const { variables, customSql } = context.surroundings();
  try {
    return await loadConfiguration(directory, variables, customSql, files);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw refusalOf(error.faults, resolve(directory), json);
  }
}

/** One fault per line, or each fault as a detail when the output is for machines. `directory`: what they are faults of. */
export function refusalOf(faults: readonly Fault[], directory: string, json: boolean): Refusal {
  const sum = `${counted(['faults', faults.length])} in ${directory}`;
  if (json) return new Refusal('CONFIGURATION_ERROR', sum, faults.map(detailOf));
  return new Refusal('CONFIGURATION_ERROR', [...faults.map(formatFault), sum].join('\n'));
}

/** A fault as an error detail, with its own fields beside the common ones. */
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
