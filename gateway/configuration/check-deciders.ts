/** Checks that the backend decides each `scopesUnder`: only the query service knows which selector applies. */
import type { ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';
import type { DeclaredEndpoint } from './check-endpoints.ts';
import type { CheckedPipelines } from './check-pipelines.ts';

/** The service that reads selectors, and decides by them. */
const DECIDER = 'query';

/**
 * Reports `scopesUnder` where no service decides it: the gateway admits callers who may ask under some selector, and only the
 * query service finds out which selector a request uses.
 */
export function checkDeciders(
  endpoints: readonly DeclaredEndpoint[],
  { pipelines, pipelineOf }: CheckedPipelines,
  services: ReadonlyMap<string, ServiceEndpoint>,
): void {
  for (const { name, scopesUnder, cursor } of endpoints) {
    const pipeline = pipelines.find((one) => one.name === pipelineOf.get(name));
    if (scopesUnder === undefined || pipeline === undefined) continue;
    const targets = pipeline.steps.flatMap(({ policy, parameters }) =>
      policy === 'proxy' ? [services.get(String(parameters.serviceEndpoint))] : [],
    );
    if (targets.length > 0 && targets.every((target) => target?.audience === DECIDER)) continue;
    cursor
      .at('scopesUnder')
      .report(
        `has no effect here: the pipeline "${pipeline.name}" leads to a service that does not decide it`,
        {
          allowed: [`endpoints of a serviceEndpoint with audience: ${DECIDER}`],
          candidates: [],
        },
      );
  }
}
