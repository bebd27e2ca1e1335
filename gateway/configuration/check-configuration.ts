/** The strict check of the whole configuration: it checks every subject, so that all faults come at once. */

import { type ScopeCatalogue, SHIPPED_CATALOGUE } from '../../services/shared/access/scope-catalogue.ts';
import type { ServiceName } from '../../services/shared/identity/identity-token.ts';
import { checkBackendDocuments } from './check-backend-documents.ts';
import { reportOtherList } from './check-cost.ts';
import { type CustomSqlTimes, checkCustomSql } from './check-custom-sql.ts';
import { checkDeciders } from './check-deciders.ts';
import { checkEndpoints, type DeclaredEndpoint, type EndpointCounting } from './check-endpoints.ts';
import { checkFiles } from './check-files.ts';
import { checkLimits } from './check-limits.ts';
import { checkOwnRoutes } from './check-own-routes.ts';
import { checkParameters } from './check-parameters.ts';
import { checkCatchAll, checkPipelines } from './check-pipelines.ts';
import { checkPolicies, reportUnusedPolicies } from './check-policies.ts';
import { checkReachability } from './check-reachability.ts';
import { checkScopeCatalogue, warnOfGivenRoles, warnOfIdleScopes } from './check-scopes.ts';
import { checkServiceEndpoints, reportUnusedServices } from './check-service-endpoints.ts';
import type { PlacedStep } from './check-steps.ts';
import { checkModel, checkPlans, checkSystem } from './check-system.ts';
import { checkHttps, ReadTlsFiles } from './check-tls.ts';
import type {
  ApiEndpoint,
  CheckedFiles,
  Configuration,
  ConfigurationDocuments,
  Pipeline,
} from './configuration.ts';
import { Cursor } from './cursor.ts';
import type { Fault } from './faults.ts';
import { GATEWAY_SECTIONS } from './file-shapes.ts';
import type { LoadedPlugin, LoadedPlugins } from './loaded-plugins.ts';
import { ownAddresses } from './own-addresses.ts';
import type { Answerer } from './own-routes.ts';
import { withValueAt } from './schema-faults.ts';
import { policyWords } from './shown-settings.ts';
import type { SourceFile } from './source-file.ts';
import { warnOfLooserRules } from './warn-of-looser-rules.ts';
import { warnOfOpenPaths } from './warn-of-open-paths.ts';

/** The files as read; null for a file that could not be read. */
export interface ConfigurationSources {
  readonly gateway: SourceFile | null;
  readonly system: SourceFile | null;
  readonly plans: SourceFile | null;
  readonly models: Readonly<Record<keyof ConfigurationDocuments['models'], SourceFile | null>>;
}

/** What the files are checked against. */
export interface ConfigurationSurroundings {
  /** The variables that `${NAME}` in the files may name, including the addresses of our own services. */
  readonly variables: Readonly<Record<string, string>>;
  /** Null: this process does not wait for custom SQL. */
  readonly customSql: CustomSqlTimes | null;
  /** Whether this process runs the policies, so that what they read from disk must be there. */
  readonly readsFiles: boolean;
  /** Collects what is read of certificates and keys. */
  readonly tlsFiles?: ReadTlsFiles;
  /** Collects the paths of what is read of OpenAPI documents. */
  readonly documentFiles?: Set<string>;
}

const LISTENER = 'the gateway opens its own listener (settings PORT and HOST)';
const REFUSED = {
  http: LISTENER,
  admin: 'the administration API of express-gateway is not supported',
};

/** gateway.config.yml without what the limits in plans.yml add to it. */
interface GatewayPart
  extends Pick<
    Configuration,
    'serviceEndpoints' | 'policies' | 'pipelines' | 'https' | 'tlsFiles' | 'backendDocuments'
  > {
  readonly endpoints: readonly DeclaredEndpoint[];
  readonly pipelineOf: ReadonlyMap<string, string>;
  readonly placedSteps: readonly PlacedStep[];
  readonly scopes: ScopeCatalogue;
}

/** The configuration in the sources; complete only when no fault was added to `faults`. */
export function checkConfiguration(
  sources: ConfigurationSources,
  plugins: LoadedPlugins,
  surroundings: ConfigurationSurroundings,
  faults: Fault[],
): CheckedFiles | null {
  const gateway = sources.gateway && checkGateway(Cursor.of(sources.gateway, faults), plugins, surroundings);
  if (sources.system) checkSystem(Cursor.of(sources.system, faults));
  const plans = sources.plans && checkPlans(Cursor.of(sources.plans, faults));
  if (gateway) checkParameters(gateway, plugins, Object.keys(plans?.plans ?? {}));
  const files = gateway && surroundings.readsFiles ? checkFiles(gateway.placedSteps, plugins) : null;
  const counting = checkLimits(gateway ? gateway.endpoints : [], plans ?? undefined, timedEndpoints(gateway));
  const model = (source: SourceFile | null) => (source ? checkModel(Cursor.of(source, faults)) : {});
  const models = {
    users: model(sources.models.users),
    credentials: model(sources.models.credentials),
    applications: model(sources.models.applications),
  };
  if (faults.length > 0 || !gateway || !plans) return null;
  const { endpoints, pipelineOf, placedSteps, ...rest } = gateway;
  const routes = checkOwnRoutes(endpoints, answererByEndpoint(gateway));
  if (faults.length > 0) return null;
  const warnings: Fault[] = [];
  if (sources.system) {
    reportIdlePlugins(Cursor.of(sources.system, warnings).at('plugins'), plugins, gateway.pipelines);
  }
  if (sources.gateway) {
    const file = Cursor.of(sources.gateway, warnings);
    for (const { steps, text } of surroundings.tlsFiles?.ended ?? [])
      steps.reduce<Cursor>((at, step) => at.at(step), file).report(text, { candidates: [] });
    const place = file.at('apiEndpoints');
    warnOfIdleScopes(file, gateway.scopes, endpoints);
    warnOfGivenRoles(file, gateway.scopes);
    routes.warn(place);
    warnOfLooserRules(
      place,
      endpoints.map((endpoint) => ({ ...endpoint, routes: routes.opened.get(endpoint.name) ?? [] })),
      gateway.scopes.ofRole,
    );
    warnOfOpenPaths(place, endpoints, gateway.pipelines, gateway.serviceEndpoints);
    for (const [name, audience] of answeredByOurs(gateway)) {
      const counted = counting.get(name);
      if (counted !== undefined) reportOtherList(place.at(name).at('cost'), counted, audience);
    }
  }
  return {
    ...rest,
    endpoints: endpoints.map((endpoint) => ({
      ...normalized(endpoint, pipelineOf, counting),
      routes: routes.opened.get(endpoint.name) ?? [],
    })),
    plugins: plugins.plugins.map((plugin) => ({
      name: plugin.name,
      package: plugin.package,
      policies: shownNames(plugin),
      isForeign: plugin.policies.some(({ isForeign }) => isForeign) || plugin.conditions.size > 0,
    })),
    explainers: explainersOf(plugins),
    policyWords: policyWords(plugins),
    rewriters: rewritersOf(plugins),
    plans,
    files,
    warnings,
    documents: {
      gateway: withTypedActions(sources.gateway?.value, placedSteps) as ConfigurationDocuments['gateway'],
      system: sources.system?.value as ConfigurationDocuments['system'],
      models,
    },
  };
}

function checkGateway(
  cursor: Cursor,
  plugins: LoadedPlugins,
  {
    variables,
    customSql,
    readsFiles,
    tlsFiles: readFiles = new ReadTlsFiles(),
    documentFiles = new Set(),
  }: ConfigurationSurroundings,
): GatewayPart {
  if (
    !cursor.map('map with apiEndpoints, serviceEndpoints, policies and pipelines', GATEWAY_SECTIONS, REFUSED)
  ) {
    return {
      endpoints: [],
      serviceEndpoints: {},
      policies: [],
      pipelines: [],
      pipelineOf: new Map(),
      placedSteps: [],
      scopes: SHIPPED_CATALOGUE,
      https: null,
      tlsFiles: new Map(),
      backendDocuments: new Map(),
    };
  }
  const scopes = checkScopeCatalogue(cursor);
  const endpoints = checkEndpoints(cursor.at('apiEndpoints'), scopes.names);
  checkReachability(endpoints);
  const tlsFiles = readsFiles ? readFiles : null;
  const https = cursor.at('https');
  const listener = https.value === undefined ? null : checkHttps(https, tlsFiles);
  const services = checkServiceEndpoints(cursor.at('serviceEndpoints'), ownAddresses(variables), tlsFiles);
  const backendDocuments = checkBackendDocuments(
    cursor.at('serviceEndpoints'),
    services,
    readsFiles ? documentFiles : null,
  );
  const declared = checkPolicies(cursor.at('policies'), plugins);
  const usedPolicies = new Set<string>();
  const usedServices = new Set<string>();
  const placedSteps: PlacedStep[] = [];
  const checked = checkPipelines(cursor.at('pipelines'), endpoints, {
    declared,
    serviceNames: [...services.keys()],
    usedPolicies,
    usedServices,
    placedSteps,
  });
  if (customSql !== null) {
    const { pipelines } = checked;
    checkCustomSql(cursor.at('pipelines'), { endpoints, pipelines, services }, customSql);
  }
  checkCatchAll(cursor.at('apiEndpoints'), endpoints, checked);
  checkDeciders(endpoints, checked, services);
  if (checked.pipelines.length > 0) {
    reportUnusedPolicies(cursor.at('policies'), declared, usedPolicies);
    reportUnusedServices(cursor.at('serviceEndpoints'), services.keys(), usedServices);
  }
  return {
    endpoints,
    pipelineOf: checked.pipelineOf,
    serviceEndpoints: Object.fromEntries(services),
    policies: declared.names,
    pipelines: checked.pipelines,
    placedSteps,
    scopes,
    https: listener,
    tlsFiles: readFiles.digests,
    backendDocuments,
  };
}

/** The document with the parameters of each step as its policy takes them: numbers where variables gave their text. */
function withTypedActions(document: unknown, placedSteps: readonly PlacedStep[]): unknown {
  return placedSteps
    .filter(({ step, action }) => action.value !== undefined && action.value !== step.action)
    .reduce((typed, { step, action }) => withValueAt(typed, action.steps, step.action), document);
}

/** Endpoints that one of our own services answers: only these report how long the work of a request ran. */
function timedEndpoints(gateway: GatewayPart | null): ReadonlySet<string> {
  return new Set(gateway === null ? [] : answeredByOurs(gateway).keys());
}

/** The audience of the service of our own that answers, by the name of the endpoint; of several the last. */
function answeredByOurs({ pipelines, serviceEndpoints }: GatewayPart): ReadonlyMap<string, ServiceName> {
  const audiences = new Map<string, ServiceName>();
  for (const { steps, endpoints } of pipelines) {
    for (const { policy, action } of steps) {
      const { serviceEndpoint } = action as { readonly serviceEndpoint?: unknown };
      const audience = policy === 'proxy' ? serviceEndpoints[String(serviceEndpoint)]?.audience : null;
      if (audience != null) for (const name of endpoints) audiences.set(name, audience);
    }
  }
  return audiences;
}

/** Who answers the routes at the paths of an endpoint, by its name. */
function answererByEndpoint(gateway: GatewayPart): ReadonlyMap<string, Answerer> {
  const sessions = gateway.pipelines.filter(({ steps }) => steps.some(({ policy }) => policy === 'session'));
  const own = sessions.flatMap(({ endpoints }) => endpoints.map((name) => [name, 'session'] as const));
  return new Map<string, Answerer>([...answeredByOurs(gateway), ...own]);
}

function normalized(
  endpoint: DeclaredEndpoint,
  pipelineOf: ReadonlyMap<string, string>,
  counting: ReadonlyMap<string, EndpointCounting>,
): Omit<ApiEndpoint, 'routes'> {
  const { cursor, sound: _, hasRule: __, ...rest } = endpoint;
  const counted = counting.get(endpoint.name) ?? { limits: [], cost: 'request', countedList: null };
  return { ...rest, ...counted, place: cursor.fileLine, pipeline: pipelineOf.get(endpoint.name) ?? '' };
}

/** What says, by the name of a policy, what its parameters do. */
function explainersOf({ plugins }: LoadedPlugins): Configuration['explainers'] {
  const policies = plugins.flatMap((plugin) => plugin.policies);
  return new Map(policies.flatMap(({ name, explain }) => (explain ? [[name, explain] as const] : [])));
}

/** What says, by the name of a policy, which path the backend gets. */
function rewritersOf({ plugins }: LoadedPlugins): Configuration['rewriters'] {
  const policies = plugins.flatMap((plugin) => plugin.policies);
  return new Map(policies.flatMap(({ name, rewrites }) => (rewrites ? [[name, rewrites] as const] : [])));
}

/** The names of its policies, each once. */
function shownNames({ policies }: LoadedPlugin): string[] {
  return policies.flatMap(({ name, isAlias }) => (isAlias ? [] : [name]));
}

/** Reports each plugin in the map at `cursor` whose policies no pipeline uses; a plugin without policies works in other ways. */
function reportIdlePlugins(cursor: Cursor, { plugins }: LoadedPlugins, pipelines: readonly Pipeline[]): void {
  const used = new Set(pipelines.flatMap(({ steps }) => steps.map(({ policy }) => policy)));
  for (const plugin of plugins) {
    const { name, policies } = plugin;
    if (policies.length === 0 || policies.some((policy) => used.has(policy.name))) continue;
    const list = shownNames(plugin).join(', ');
    cursor.at(name).report(`is loaded, but no pipeline uses its policies (${list})`, {
      came: name,
      candidates: [],
    });
  }
}
