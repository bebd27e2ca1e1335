/** Turns a checked configuration into request handlers: express-gateway's pipelines, compiled into the dispatch table. */
import type { ServerResponse } from 'node:http';
import { sendError } from '../../../plugins/kit/reply.ts';
import type { GatewayRequest, PolicyHandler } from '../../../plugins/kit/request-context.ts';
import { nameHandler } from '../../../plugins/kit/run-traced-chain.ts';
import type { ExpressApp, GatewayRuntime } from '../../../plugins/kit/runtime.ts';
import { ApiError, toApiError } from '../../../services/shared/errors/api-error.ts';
import type { ApiEndpoint, Configuration, Pipeline } from '../../configuration/configuration.ts';
import { compileDispatchTable, type DispatchTable } from './dispatch-table.ts';
import { type ExpressGateway, startExpressGateway } from './express-gateway.ts';
import { createExpressPaths } from './express-paths.ts';

export interface Engine {
  readonly table: DispatchTable;
  /** Serves what the table cannot; null when the table serves everything. */
  readonly express: ExpressApp | null;
}

/**
 * Starts express-gateway, asserts that every plugin and policy was loaded, and compiles. Rejects on any fault, whose text holds
 * no secret of the configuration.
 */
export async function startEngine(
  configuration: Configuration,
  runtime: GatewayRuntime,
  capturedApp: () => ExpressApp | null,
): Promise<Engine> {
  try {
    return await compileEngine(configuration, runtime, capturedApp);
  } catch (fault) {
    throw configuration.secrets.concealIn(fault);
  }
}

async function compileEngine(
  configuration: Configuration,
  runtime: GatewayRuntime,
  capturedApp: () => ExpressApp | null,
): Promise<Engine> {
  const isNeeded = needsExpress(configuration);
  const gateway = await startExpressGateway(
    isNeeded ? configuration : withoutRoutes(configuration),
    runtime,
    isNeeded,
  );
  const pipelines = new Map(configuration.pipelines.map((pipeline) => [pipeline.name, pipeline]));
  const handlers = new Map(
    configuration.pipelines.map((pipeline) => [pipeline.name, compilePipeline(pipeline, gateway)] as const),
  );
  const inputs = configuration.endpoints.flatMap((endpoint) => {
    const pipeline = pipelines.get(endpoint.pipeline);
    const { handlers: compiled } = handlers.get(endpoint.pipeline) ?? {};
    if (!pipeline || compiled === undefined) throw new Error(`no pipeline "${endpoint.pipeline}"`);
    const isOnExpress = runsOnExpress(endpoint, compiled);
    if (isOnExpress && endpoint.parameterPattern !== undefined) {
      throw new Error(
        `endpoint ${endpoint.name} has a parameterPattern, so its pipeline can hold no condition and no policy that runs on express`,
      );
    }
    return isOnExpress ? [] : [{ endpoint, handlers: compiled as readonly PolicyHandler[] }];
  });
  const compiled = compileDispatchTable(inputs);
  const inTable = new Set(inputs.map((input) => input.endpoint));
  const onExpress = configuration.endpoints.filter((endpoint) => !inTable.has(endpoint));
  const app = capturedApp();
  if (app === null) throw new Error('express-gateway loaded none of the plugins: see the log above');
  addTail(app);
  if (onExpress.length === 0) return { table: compiled, express: null };
  if (!isNeeded) throw new Error('express-gateway got no routes, but some endpoints run on it');
  const callerOf = ({ pipeline }: ApiEndpoint) => handlers.get(pipeline)?.caller;
  return { table: besideExpress(compiled, onExpress, callerOf), express: app };
}

/**
 * Whether express-gateway needs the routes: where it serves one itself it decides by the order of all, and its own plugins read
 * them. Otherwise it only provides the policies; mounting thousands of routes that nothing asks holds the process up.
 */
function needsExpress({ plugins, endpoints, pipelines }: Configuration): boolean {
  return (
    plugins.some(({ isForeign }) => isForeign) ||
    endpoints.some(isMatchedByExpress) ||
    pipelines.some(({ steps }) => steps.some(({ condition }) => condition !== null))
  );
}

function withoutRoutes({ documents, plugins }: Configuration): Pick<Configuration, 'documents' | 'plugins'> {
  const gateway = { ...documents.gateway, apiEndpoints: {}, pipelines: {} };
  return { plugins, documents: { ...documents, gateway } };
}

/**
 * The table for paths that are not on express; for those on express only their wrong methods, which express would answer with 404.
 * `callerOf`: the policy of an endpoint that says who calls.
 */
function besideExpress(
  compiled: DispatchTable,
  onExpress: readonly ApiEndpoint[],
  callerOf: (endpoint: ApiEndpoint) => PolicyHandler | undefined,
): DispatchTable {
  const { unmatched } = compiled;
  const endpointsOf = createExpressPaths(onExpress);
  return {
    unmatched,
    match(method, path) {
      const held = endpointsOf(path);
      const chain = compiled.match(method, path);
      const [first] = held;
      // Express does not check the form of parameters, so a path that the table does not match is unknown.
      if (first === undefined) return chain ?? unmatched;
      if (chain !== null && chain.endpoint.allow === null) return null;
      const allow = new Set<string>(chain?.endpoint.allow ?? []);
      for (const { methods } of held) {
        if (methods === null) return null;
        for (const each of methods) allow.add(each);
      }
      if (allow.has('GET')) allow.add('HEAD');
      if (allow.has(method)) return null;
      const judged = held.find((endpoint) => endpoint.access !== 'scoped') ?? first;
      const caller = callerOf(judged);
      return {
        endpoint: { ...unmatched.endpoint, access: judged.access, class: first.class, allow: [...allow] },
        handlers: caller === undefined ? unmatched.handlers : [caller, ...unmatched.handlers.slice(1)],
        cors: unmatched.cors,
      };
    },
    templateOf: (path) => compiled.templateOf(path),
  };
}

interface CompiledPipeline {
  /** Null when it cannot be compiled: a step with a condition, or a policy of a third party, stays with express. */
  readonly handlers: readonly PolicyHandler[] | null;
  /** The first of them, which says who calls. */
  readonly caller: PolicyHandler | undefined;
}

/** The policies of a pipeline as plain functions. Resolving each one also proves that EG skipped no plugin. */
function compilePipeline(pipeline: Pipeline, gateway: ExpressGateway): CompiledPipeline {
  let compilable = true;
  const compiled = pipeline.steps.map((step) => {
    const mounted = gateway.resolvePolicy(step.policy)({ ...step.action });
    if (typeof mounted.direct === 'function') nameHandler(mounted.direct, step.policy);
    if (step.condition !== null || typeof mounted.direct !== 'function') compilable = false;
    return mounted.direct;
  });
  return { handlers: compilable ? compiled : null, caller: compiled[0] };
}

function runsOnExpress(endpoint: ApiEndpoint, compiled: readonly PolicyHandler[] | null): boolean {
  return compiled === null || isMatchedByExpress(endpoint);
}

function isMatchedByExpress({ host, hostRegex, pathRegex }: ApiEndpoint): boolean {
  return host !== null || hostRegex !== null || pathRegex !== null;
}

/** Requests that express leaves unanswered, or that fail there, get our JSON. */
function addTail(app: ExpressApp): void {
  app.use((req: GatewayRequest, res: ServerResponse) => sendError(req, res, new ApiError('NOT_FOUND')));
  app.use((thrown: unknown, req: GatewayRequest, res: ServerResponse, _next: unknown) =>
    sendError(req, res, toApiError(thrown)),
  );
}
