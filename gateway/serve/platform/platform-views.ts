/** The views of operators: what is in force, what a request meets, and what all gateways see; of tenants, ids and counts alone. */
import { METHODS } from 'node:http';
import { z } from 'zod';
import type { LimitsInForce } from '../../../plugins/kit/limits-in-force.ts';
import type { PlatformData, PlatformViews } from '../../../plugins/kit/platform-views.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { parseOrThrow } from '../../../services/shared/errors/zod-details.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { answeringEndpoint, explainRequest, listRoutes } from '../../configuration/explain.ts';
import { formatFault } from '../../configuration/faults.ts';
import { configurationHistory } from '../../configuration/history/configuration-history.ts';
import { readPin } from '../../configuration/history/pin.ts';
import { shownSettings } from '../../configuration/shown-settings.ts';
import type { Checks } from '../health.ts';
import { createConfigurationChanges, type LoadRecord } from './configuration-changes.ts';
import { EXPLAINED_CALLERS, explainCaller, limitedCaller, refusalOf } from './explained-caller.ts';
import type { GatewaySnapshots, SeenGateway } from './gateway-snapshots.ts';
import { mergeLimits, mergeTraffic, mergeUpstreams } from './merge-states.ts';
import { ORGANIZATION_SORTS, organizationCounts } from './organization-counts.ts';
import { readTrafficHistory, TRAFFIC_RANGES } from './traffic-history.ts';

export interface PlatformPorts {
  readonly documents: DocumentStore;
  readonly clock: Clock;
  readonly snapshots: GatewaySnapshots;
  /** The one in force. */
  readonly configuration: () => Configuration;
  /** What is left of the limits of an organization; null: there is none. */
  readonly limitsOf: (organizationId: string) => Promise<LimitsInForce | null>;
  /** Whether what this gateway depends on is ready. */
  readonly checks: () => Promise<Checks>;
  /** Absent: nothing of the history can be compared. */
  readonly loadRecord?: LoadRecord;
}

/** Shorter than any secret, so that none is taken for an id. */
const KEY_ID = /^key_\w{1,36}$/;

const nothing = z.strictObject({});
const explainedSchema = z.strictObject({
  method: z
    .string()
    .refine((method) => METHODS.includes(method.toUpperCase()), 'Required: a method, such as GET.'),
  path: z.string().startsWith('/', 'Required: a path that begins with "/".'),
  as: z
    .string()
    .refine(
      (as) => EXPLAINED_CALLERS.some((name) => name === as) || KEY_ID.test(as),
      `Allowed: ${EXPLAINED_CALLERS.join(', ')}, or the id of a key.`,
    )
    .optional(),
  organization: z.string().min(1).max(100).optional(),
});
const numberedSchema = z.strictObject({
  number: z
    .string({ error: 'Required: a number of the history, such as 3.' })
    .regex(/^[1-9]\d{0,8}$/, 'Allowed: a number of the history, such as 3.')
    .transform(Number),
});
const trafficSchema = z.strictObject({ range: z.enum(TRAFFIC_RANGES).optional() });
const pageSchema = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d?$|^100$/, 'Allowed: 1 to 100.')
    .default('50')
    .transform(Number),
  after: z.string().optional(),
  sort: z.enum(ORGANIZATION_SORTS).default('id'),
});

export function createPlatformViews(ports: PlatformPorts): PlatformViews {
  const { documents, clock, snapshots, configuration, checks, limitsOf, loadRecord } = ports;
  const changesOf = loadRecord === undefined ? null : createConfigurationChanges(documents, loadRecord);
  const withGateways = async <T extends object>(
    query: object,
    view: (gateways: readonly SeenGateway[], storeAnswers: boolean) => T,
  ): Promise<T> => {
    parseOrThrow(nothing, query);
    const { gateways, storeAnswers } = await snapshots.all();
    return view(gateways, storeAnswers);
  };
  return {
    configuration: (query) =>
      withGateways(query, (gateways) => ({ ...inForce(configuration()), ...toldOf(gateways) })),
    async explain(query) {
      const { method, path, as, organization } = parseOrThrow(explainedSchema, query);
      const present = configuration();
      const asking = organization === undefined ? null : await limitedCaller(documents, organization, as);
      const { policies, service, ...explained } = explainRequest(present, method, path, asking);
      const endpoint =
        explained.status === 200 ? answeringEndpoint(present, explained.method, explained.path) : null;
      const ports = { documents, limitsOf, nowMs: clock.now() };
      // Of a token of the platform's own nothing is known before it comes.
      const isJudged = endpoint !== null && policies[0]?.policy !== 'jwt';
      const known = namesIn(present);
      const caller =
        as !== undefined && isJudged
          ? await explainCaller(ports, present, endpoint, { as, organization })
          : null;
      return {
        ...explained,
        ...refusalOf(caller),
        caller,
        policies: policies.map(({ policy, parameters, condition, does = null }) => ({
          policy,
          settings: shownSettings(parameters, present.policyWords.get(policy) ?? new Set(), known),
          conditional: condition !== null,
          does,
        })),
        service: service && { name: service.name, urls: service.urls },
      };
    },
    async history(query) {
      parseOrThrow(nothing, query);
      const [records, pin] = [await configurationHistory(documents), await readPin(documents)];
      return {
        pinned: pin && { number: pin.number, by: pin.by, at: pin.updatedAt },
        configurations: records.map(({ number, outcome, source, restored = null, ...record }) => ({
          ...{ number, outcome, source, restored },
          ...{ reason: record.reason, hash: record.hash, faults: record.faults, at: record.createdAt },
        })),
      };
    },
    async changes(query) {
      const { number } = parseOrThrow(numberedSchema, query);
      if (changesOf === null) throw new ApiError('NOT_FOUND');
      return changesOf(number);
    },
    async upstreams(query) {
      const ready = checks();
      const view = await withGateways(query, (gateways, storeAnswers) => ({
        documentStore: storeAnswers ? ('answers' as const) : ('does not answer' as const),
        upstreams: mergeUpstreams(configuration().serviceEndpoints, gateways),
        counterStores: gateways.map(({ id, state }) => ({
          gateway: id,
          state: counterStoreIn(state.counterStore),
        })),
      }));
      return { ...view, checks: await ready };
    },
    async organizations(query) {
      const { limit, after, sort } = parseOrThrow(pageSchema, query);
      const { nearLimits } = mergeLimits((await snapshots.all()).gateways);
      const asked = { limit, sort, ...(after !== undefined && { after }) };
      return organizationCounts(documents, clock.now(), asked, nearLimits);
    },
    async traffic(query) {
      const { range } = parseOrThrow(trafficSchema, query);
      const { gateways } = await snapshots.all();
      const history = range === undefined ? null : await readTrafficHistory(documents, range, clock.now());
      return { ...mergeTraffic(gateways), history };
    },
    limits: (query) => withGateways(query, (gateways) => mergeLimits(gateways)),
  };
}

/** Names that the configuration gives, so that parameters may show them. */
function namesIn({
  endpoints,
  serviceEndpoints,
  policies,
  pipelines,
  plans,
  scopes,
}: Configuration): Set<string> {
  const named = [...endpoints, ...pipelines].map(({ name }) => name);
  const ofMaps = [serviceEndpoints, plans.plans, plans.limits].flatMap((map) => Object.keys(map));
  return new Set([...named, ...ofMaps, ...policies, ...scopes.names]);
}

function inForce(configuration: Configuration) {
  const { hash, pinned, warnings, plans } = configuration;
  const limited = new Map(configuration.endpoints.map(({ name, limits }) => [name, limits]));
  return {
    hash,
    pinned,
    warnings: warnings.map(formatFault),
    routes: listRoutes(configuration).map((row) => ({ ...row, limits: limited.get(row.endpoint) ?? [] })),
    plans: plans.plans,
    limits: plans.limits,
  };
}

/** Which configuration each gateway has; `differ`: not all the same. */
function toldOf(gateways: readonly SeenGateway[]) {
  return {
    differ: new Set(gateways.map(({ state }) => state.configuration.hash)).size > 1,
    gateways: gateways.map(({ state, ...gateway }) => ({ ...gateway, configuration: state.configuration })),
  };
}

const COUNTER_STORES = ['answers', 'failed', 'given up'] as const;

type CounterStoreState = PlatformData<'upstreams'>['counterStores'][number]['state'];

/** Without Redis each process counts on its own. */
function counterStoreIn(state: number | null): CounterStoreState {
  return state === null ? 'own' : (COUNTER_STORES[state] ?? 'given up');
}
