/** What plugins provide, as the configuration check knows it. */
import type { GatewayPolicyDefinition } from '../../plugins/kit/gateway-policy.ts';
import type { PolicyDefinition } from '../../plugins/kit/policy.ts';
import type { ParameterSchema } from './schema-faults.ts';

/** A condition that a plugin provides. */
export interface OfferedCondition {
  /** Why it cannot be used with these parameters, its name among them; null: it can. */
  fault(parameters: Readonly<Record<string, unknown>>): string | null;
}

/** The path that a backend gets for another one; null: none is asked. */
export type PathRewriter = (params: Readonly<Record<string, unknown>>, path: string) => string | null;

/** A policy that a plugin provides; `schema` is null when only express-gateway can validate its parameters. */
export interface OfferedPolicy {
  readonly name: string;
  readonly schema: ParameterSchema | null;
  /** Whether it runs on express alone. */
  readonly isForeign?: boolean;
  /** A second name, which lists leave out. */
  readonly isAlias?: boolean;
  readonly unconditional?: boolean;
  readonly check?: PolicyDefinition['check'];
  readonly explain?: PolicyDefinition['explain'];
  readonly backends?: GatewayPolicyDefinition['backends'];
  readonly rewrites?: PathRewriter;
  readonly reads?: PolicyDefinition['reads'];
}

/** A plugin whose manifest loaded. */
export interface LoadedPlugin {
  readonly name: string;
  readonly package: string;
  readonly policies: readonly OfferedPolicy[];
  /** The conditions of a third party's plugin, by name. */
  readonly conditions: ReadonlyMap<string, OfferedCondition>;
}

/** All plugins that load; `complete` is false when one does not, so that policies may be missing. */
export interface LoadedPlugins {
  readonly plugins: readonly LoadedPlugin[];
  readonly complete: boolean;
}
