/** `tidegate explain METHOD PATH`: what the gateway would do with a request, and why. */
import type { Command } from 'commander';
import { type ExplainedService, type Explanation, explainRequest } from '../configuration/explain.ts';
import { placeText } from '../configuration/place.ts';
import { UNSTARTED_SERVICE_URLS } from '../process/reload/configuration-variables.ts';
import { type ConfigurationCommandContext, loadOrRefuse } from './check.ts';

/** Adds `explain METHOD PATH`; unknown paths and wrong methods are explained too, with exit code 0. */
export function registerExplainCommand(program: Command, context: ConfigurationCommandContext): void {
  program
    .command('explain')
    .description('Explain what the gateway does with a request.')
    .argument('<method>', 'such as GET')
    .argument('<path>', 'such as /v1/query')
    .option('--json', 'print one JSON object')
    .action(async (method: string, path: string, options: { json?: boolean }) => {
      if (!path.startsWith('/')) program.error(`error: the path "${path}" does not begin with "/"`);
      const configuration = await loadOrRefuse(context.configDir(), context, options.json === true);
      const explained = withoutStandIn(explainRequest(configuration, method, path));
      if (options.json) context.out(JSON.stringify({ success: true, ...explained }));
      else for (const line of linesOf(explained)) context.out(line);
    });
}

/** The explanation, without the address of a service that no setting names: startup chooses it. */
function withoutStandIn(explained: Explanation): Explanation {
  const { service } = explained;
  const isStandIn = Object.values(UNSTARTED_SERVICE_URLS).some((url) => service?.urls?.includes(url));
  return service && isStandIn ? { ...explained, service: { ...service, urls: null } } : explained;
}

function whereFound(name: string): string {
  return `at ${name.toUpperCase()}_URL, else within the process of the gateway`;
}

/** Where the service listens and the audience of its identity token; for several addresses also how they are balanced. */
function describeService(service: ExplainedService): string {
  const { name, urls, balance, healthCheck, breaker, retries } = service;
  const text = `${name} (${urls?.join(', ') ?? whereFound(name)}), ${describeIdentity(service)}`;
  if (urls === null || urls.length < 2) return text;
  const checked = healthCheck === null ? '' : `, checked at ${healthCheck.path}`;
  const broken = breaker === null ? '' : `, out after ${breaker.failures} failures`;
  const chosen = typeof balance === 'string' ? balance : `by a hash of the ${balance.hash}`;
  return `${text}, ${chosen}${checked}${broken}, ${retries} ${retries === 1 ? 'retry' : 'retries'}`;
}

/** What the service learns of the caller. */
function describeIdentity({ audience, identity }: ExplainedService): string {
  if (audience !== null) return `identity for ${audience}`;
  if (identity === null) return 'identity for nobody';
  if (identity === 'headers') return 'identity by headers';
  return `identity for ${identity.audience}${identity.perRequest ? ', a token for each request' : ''}`;
}

function linesOf(explained: Explanation): string[] {
  const { method, path, verdict, pattern, endpoint, rule, pipeline, policies, limits, service } = explained;
  const backend = service === null ? 'none: the gateway answers' : describeService(service);
  return [
    `${method} ${path}: ${verdict}`,
    `endpoint  ${endpoint}${pattern === null ? '' : ` (${pattern})`}`,
    `place     ${placeText(explained)}`,
    `rule      ${rule}`,
    `pipeline  ${pipeline}`,
    ...policies.map(({ policy, parameters, condition, does }) => {
      const when = condition === null ? '' : ` when ${JSON.stringify(condition)}`;
      const withParameters = Object.keys(parameters).length === 0 ? '' : ` ${JSON.stringify(parameters)}`;
      const told = does === undefined ? '' : `: ${does}`;
      return `policy    ${policy}${withParameters}${when}${told}`;
    }),
    ...limits.map((limit) => `limit     ${limit}`),
    `service   ${backend}`,
  ];
}
