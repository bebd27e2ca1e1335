/** The strict check of the whole configuration: every subject is judged, so that all faults come at once. */
import { checkEndpoints, type DeclaredEndpoint } from './check-endpoints.ts';
import { checkLimits, type EndpointCounting } from './check-limits.ts';
import { checkCatchAll, checkPipelines } from './check-pipelines.ts';
import { checkPolicies, reportUnusedPolicies } from './check-policies.ts';
import { checkReachability } from './check-reachability.ts';
import { checkServiceEndpoints, reportUnusedServices } from './check-service-endpoints.ts';
import { checkModel, checkPlans, checkSystem } from './check-system.ts';
import type { ApiEndpoint, Configuration, ConfigurationDocuments } from './configuration.ts';
import { Cursor } from './cursor.ts';
import type { Fault } from './faults.ts';
import type { LoadedPlugins } from './plugin-manifests.ts';
import type { SourceFile } from './source-file.ts';

/** The files as read; null where one could not be. */
export interface ConfigurationSources {
  readonly gateway: SourceFile | null;
  readonly system: SourceFile | null;
  readonly plans: SourceFile | null;
  readonly models: Readonly<Record<keyof ConfigurationDocuments['models'], SourceFile | null>>;
}

const LISTENER = 'the gateway opens its own listener (settings PORT and HOST)';
const REFUSED = {
  http: LISTENER,
  https: LISTENER,
  admin: 'the administration of express-gateway is not offered',
};

/** gateway.config.yml without what the limits of plans.yml say about it. */
interface GatewayPart extends Pick<Configuration, 'serviceEndpoints' | 'policies' | 'pipelines'> {
  readonly endpoints: readonly DeclaredEndpoint[];
  readonly pipelineOf: ReadonlyMap<string, string>;
}

/** What the sources say; complete only when no fault was added to `faults`. */
export function checkConfiguration(
  sources: ConfigurationSources,
  plugins: LoadedPlugins,
  faults: Fault[],
): Omit<Configuration, 'directory'> | null {
  const gateway = sources.gateway && checkGateway(Cursor.of(sources.gateway, faults), plugins);
  if (sources.system) checkSystem(Cursor.of(sources.system, faults));
  const plans = sources.plans && checkPlans(Cursor.of(sources.plans, faults));
  const counting = checkLimits(gateway ? gateway.endpoints : [], plans ?? undefined);
  const model = (source: SourceFile | null) => (source ? checkModel(Cursor.of(source, faults)) : {});
  const models = {
    users: model(sources.models.users),
    credentials: model(sources.models.credentials),
    applications: model(sources.models.applications),
  };
  if (faults.length > 0 || !gateway || !plans) return null;
  const { endpoints, pipelineOf, ...rest } = gateway;
  return {
    ...rest,
    endpoints: endpoints.map((endpoint) => normalized(endpoint, pipelineOf, counting)),
    plugins: plugins.plugins.map((plugin) => ({
      name: plugin.name,
      package: plugin.package,
      policies: plugin.policies.map((policy) => policy.name),
    })),
    plans,
    documents: {
      gateway: sources.gateway?.value as ConfigurationDocuments['gateway'],
      system: sources.system?.value as ConfigurationDocuments['system'],
      models,
    },
  };
}

function checkGateway(cursor: Cursor, plugins: LoadedPlugins): GatewayPart {
  const known = ['apiEndpoints', 'serviceEndpoints', 'policies', 'pipelines'];
  if (!cursor.map('map with apiEndpoints, serviceEndpoints, policies and pipelines', known, REFUSED)) {
    return { endpoints: [], serviceEndpoints: {}, policies: [], pipelines: [], pipelineOf: new Map() };
  }
  const endpoints = checkEndpoints(cursor.at('apiEndpoints'));
  checkReachability(endpoints);
  const services = checkServiceEndpoints(cursor.at('serviceEndpoints'));
  const declared = checkPolicies(cursor.at('policies'), plugins);
  const usedPolicies = new Set<string>();
  const usedServices = new Set<string>();
  const checked = checkPipelines(cursor.at('pipelines'), endpoints, {
    declared,
    serviceNames: [...services.keys()],
    usedPolicies,
    usedServices,
  });
  checkCatchAll(cursor.at('apiEndpoints'), endpoints, checked);
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
  };
}

function normalized(
  endpoint: DeclaredEndpoint,
  pipelineOf: ReadonlyMap<string, string>,
  counting: ReadonlyMap<string, EndpointCounting>,
): ApiEndpoint {
  const { cursor: _, sound: __, ...rest } = endpoint;
  const { limits, cost } = counting.get(endpoint.name) ?? { limits: [], cost: 'request' };
  return { ...rest, limits, cost, pipeline: pipelineOf.get(endpoint.name) ?? '' };
}
