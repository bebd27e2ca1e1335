/** Checks that the gateway waits longer for a custom SQL query than the query service may take to answer it. */
import type { CustomSqlSettings } from '../../config/custom-sql-settings.ts';
import type { ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';
import type { DeclaredEndpoint } from './check-endpoints.ts';
import type { Pipeline } from './configuration.ts';
import { type Cursor, isMap } from './cursor.ts';
import { comparePrecedence, matches, parsePath } from './path-patterns.ts';

/** How long a custom SQL query may wait in the queue, and run. */
export type CustomSqlTimes = Pick<CustomSqlSettings, 'maxWaitMs' | 'timeoutMs'>;

/** The path of custom SQL (fixed by the contract), whatever its endpoint is called. */
const PATH = '/v1/query/custom';
/** Most seconds that a proxy may wait. */
const MOST_SECONDS = 600;

/** The parts of the file that the check needs. */
export interface CustomSqlSurroundings {
  readonly endpoints: readonly DeclaredEndpoint[];
  readonly pipelines: readonly Pipeline[];
  readonly services: ReadonlyMap<string, ServiceEndpoint>;
}

/** Checks each pipeline in the map at `cursor` that forwards custom SQL to the query service. */
export function checkCustomSql(
  cursor: Cursor,
  { endpoints, pipelines, services }: CustomSqlSurroundings,
  { maxWaitMs, timeoutMs }: CustomSqlTimes,
): void {
  const waits = maxWaitMs / 1_000;
  const runs = timeoutMs / 1_000;
  const least = waits + runs + 1;
  const answering = new Set(answeringEndpoints(endpoints).map(({ name }) => name));
  for (const pipeline of pipelines) {
    if (!pipeline.endpoints.some((name) => answering.has(name))) continue;
    const { serviceEndpoint, timeoutSeconds } =
      pipeline.steps.find(({ policy }) => policy === 'proxy')?.parameters ?? {};
    if (services.get(String(serviceEndpoint))?.audience !== 'query') continue;
    if (typeof timeoutSeconds !== 'number' || timeoutSeconds >= least) continue;
    proxyActionOf(cursor.at(pipeline.name))
      .at('timeoutSeconds')
      .report(
        `${timeoutSeconds} seconds would cut off a custom SQL query that the query service still allows to wait (CUSTOM_SQL_WAIT_SECONDS=${waits}) and run (CUSTOM_SQL_TIMEOUT_SECONDS=${runs})`,
        {
          came: timeoutSeconds,
          allowed: [least > MOST_SECONDS ? 'smaller settings' : `at least ${least}, or smaller settings`],
          candidates: [],
        },
      );
  }
}

/** The endpoints that POST /v1/query/custom can reach: the most specific one for all hosts, and every one for a single host. */
function answeringEndpoints(endpoints: readonly DeclaredEndpoint[]): DeclaredEndpoint[] {
  const takes = ({ methods }: DeclaredEndpoint) => methods === null || methods.includes('POST');
  const found: DeclaredEndpoint[] = [];
  const open = endpoints.flatMap((endpoint) => {
    if (!endpoint.sound || !takes(endpoint)) return [];
    const patterns = endpoint.paths.map(parsePath).filter((pattern) => matches(pattern, PATH));
    const isHosted = endpoint.host !== null || endpoint.hostRegex !== null;
    const isByRegex = endpoint.pathRegex !== null && new RegExp(endpoint.pathRegex).test(PATH);
    if (isByRegex || (isHosted && patterns.length > 0)) found.push(endpoint);
    return isHosted ? [] : patterns.map((pattern) => ({ endpoint, pattern }));
  });
  const [best] = open.sort((a, b) => comparePrecedence(a.pattern, b.pattern));
  return best ? [best.endpoint, ...found] : found;
}

/** The place of the parameters of a pipeline's proxy. */
function proxyActionOf(pipeline: Cursor): Cursor {
  const policies = pipeline.at('policies');
  const items: unknown[] = Array.isArray(policies.value) ? policies.value : [];
  const proxy = policies.at(items.findIndex((item) => isMap(item) && 'proxy' in item)).at('proxy');
  return (Array.isArray(proxy.value) ? proxy.at(0) : proxy).at('action');
}
