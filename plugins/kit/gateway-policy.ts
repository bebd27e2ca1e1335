/** Declares a policy of the platform's own, which gets everything that the gateway has; third-party policies get less. */
import type { PolicyDefinition } from './policy.ts';
import type { PolicyHandler } from './request-context.ts';
import type { GatewayRuntime } from './runtime.ts';

/** Like {@link PolicyDefinition}, over the whole runtime and the whole context. */
export interface GatewayPolicyDefinition<Params = unknown> extends Omit<PolicyDefinition<Params>, 'create'> {
  /** The serviceEndpoints that it may choose in place of the one that `proxy` names; absent: none. */
  backends?(params: Params): readonly string[];
  /** The path that the backend gets for this one, a query string behind it; null: no backend is asked. Absent: the same path. */
  rewrites?(params: Params, path: string): string | null;
  create(params: Params, runtime: GatewayRuntime): PolicyHandler;
}

/** The declared policy gets both in full; a policy of `definePolicy` gets only its part of the runtime. */
export function defineGatewayPolicy<Params>(definition: GatewayPolicyDefinition<Params>): PolicyDefinition {
  return definition as unknown as PolicyDefinition;
}
