/** Lets each policy judge its parameters by the rest of the configuration, once all of it is known. */
import type { ScopeCatalogue } from '../../services/shared/access/scope-catalogue.ts';
import type { ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';
import type { DeclaredEndpoint } from './check-endpoints.ts';
import type { PlacedStep } from './check-steps.ts';
import type { Pipeline } from './configuration.ts';
import type { LoadedPlugins } from './loaded-plugins.ts';
import { overlaps, parsePath } from './path-patterns.ts';

/** The part of the configuration that the policies judge by. */
export interface JudgedParts {
  readonly endpoints: readonly DeclaredEndpoint[];
  readonly pipelines: readonly Pipeline[];
  readonly serviceEndpoints: Readonly<Record<string, ServiceEndpoint>>;
  readonly placedSteps: readonly PlacedStep[];
  readonly scopes: Pick<ScopeCatalogue, 'names'>;
}

/** Reports what the policies find, each fault at its parameter; `plans` are the names of the price plans. */
export function checkParameters(
  { endpoints, pipelines, serviceEndpoints, placedSteps, scopes: catalogue }: JudgedParts,
  { plugins }: LoadedPlugins,
  plans: readonly string[],
): void {
  const policies = new Map(plugins.flatMap((plugin) => plugin.policies.map((one) => [one.name, one])));
  const services = new Map(Object.entries(serviceEndpoints));
  const pipelineOf = new Map(pipelines.flatMap((one) => one.steps.map((step) => [step, one] as const)));
  const needExpress = new Set(
    pipelines
      .filter(({ steps }) =>
        steps.some(({ policy, condition }) => condition !== null || policies.get(policy)?.isForeign === true),
      )
      .flatMap((pipeline) => pipeline.endpoints),
  );
  const onExpress = endpoints.filter((endpoint) => runsOnExpress(endpoint) || needExpress.has(endpoint.name));
  for (const { step, action } of placedSteps) {
    const check = policies.get(step.policy)?.check;
    if (check === undefined) continue;
    const pipeline = pipelineOf.get(step);
    const owned = new Set(pipeline?.endpoints);
    const answered = endpoints.filter(({ name }) => owned.has(name));
    const steps = pipeline?.steps ?? [];
    const names = steps.map(({ policy }) => policy);
    const faults = check(step.parameters, {
      plans,
      scopes: catalogue.names,
      services,
      service: serviceOf(pipeline),
      before: names.slice(0, steps.indexOf(step)),
      after: names.slice(steps.indexOf(step) + 1),
      readsBodies: steps
        .slice(0, steps.indexOf(step))
        .some(({ policy, parameters }) => policy === 'body' && parameters.read === 'whole'),
      endpoints: answered.map(({ name, paths, methods, access, scopes, cors }) => ({
        name,
        paths,
        methods,
        access,
        scopes,
        cors,
      })),
      isOnExpress: answered.some((one) => onExpress.some((other) => other === one || meet(one, other))),
    });
    for (const { path, text, ...advice } of faults) {
      path.reduce((place, key) => place.at(key), action).report(text, advice);
    }
  }
}

function serviceOf(pipeline: Pipeline | undefined): string | null {
  const named = pipeline?.steps.find(({ policy }) => policy === 'proxy')?.parameters.serviceEndpoint;
  return typeof named === 'string' ? named : null;
}

function runsOnExpress({ host, hostRegex, pathRegex }: DeclaredEndpoint): boolean {
  return host !== null || hostRegex !== null || pathRegex !== null;
}

/** Whether some path may be of both: express decides about it alone, whichever of the two answers (engine/express-paths.ts). */
function meet({ paths }: DeclaredEndpoint, onExpress: DeclaredEndpoint): boolean {
  const { pathRegex } = onExpress;
  return paths.some((path) => {
    // Which paths of a pattern an expression matches is not known.
    if (pathRegex !== null) return /[:*]/.test(path) || new RegExp(pathRegex).test(path);
    return onExpress.paths.some((other) => overlaps(parsePath(path), parsePath(other)));
  });
}
