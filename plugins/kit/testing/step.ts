/** A policy with its parameters, as a pipeline of the YAML names them. */
import type { PolicyDefinition } from '../policy.ts';

/** The content of `action` in the YAML. */
export type PolicyParams = Readonly<Record<string, unknown>>;

export interface Step {
  readonly policy: PolicyDefinition;
  readonly params: PolicyParams;
}

/** A step of a pipeline. */
export function step(policy: PolicyDefinition, params: PolicyParams = {}): Step {
  return { policy, params };
}
