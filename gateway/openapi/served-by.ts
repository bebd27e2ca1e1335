/** What the configuration does with a route: the description tells of limits and errors as they are configured. */
import type { RouteDescription } from '../../services/shared/http/route.ts';
import type { PlansFile } from '../../services/shared/plugin/plans.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { type EndpointLimits, endpointLimits } from '../configuration/endpoint-limits.ts';

/** What the description needs to know of the way to a route. */
export interface Serving {
  /** Null for what is never counted: the health paths. */
  readonly limits: EndpointLimits | null;
  readonly plans: PlansFile;
  /** Whether a service behind the gateway answers. */
  readonly isProxied: boolean;
  /** Whether size and type of a body are judged, declared by the route or not. */
  readonly judgesBody: boolean;
}

/** How `configuration` serves `route` on every host; null when it does not. */
export function servedBy(configuration: Configuration, route: RouteDescription): Serving | null {
  const { endpoints, pipelines, plans } = configuration;
  const endpoint = endpoints.find(
    ({ paths, methods, host, hostRegex }) =>
      host === null &&
      hostRegex === null &&
      paths.includes(route.path) &&
      (methods?.some((method) => method === route.method) ?? true),
  );
  if (!endpoint) return null;
  const steps = pipelines.find(({ name }) => name === endpoint.pipeline)?.steps ?? [];
  const uses = (policy: string): boolean => steps.some((step) => step.policy === policy);
  return {
    limits: endpointLimits(plans, endpoint),
    plans,
    isProxied: uses('proxy'),
    judgesBody: route.method !== 'GET' && uses('body'),
  };
}

/** What the gateway answers before any endpoint: neither limits nor a service. */
export function uncounted({ plans }: Configuration): Serving {
  return { limits: null, plans, isProxied: false, judgesBody: false };
}
